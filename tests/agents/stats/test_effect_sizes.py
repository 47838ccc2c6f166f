"""Scales without a unit."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from sjavs_agents.stats.effect_sizes import (
    elo_like,
    elo_of_share,
    normalised_effect,
    normalised_elo,
)
from sjavs_agents.stats.estimates import Estimate


@pytest.mark.parametrize(
    ("share", "elo"), [(0.5, 0), (10 / 11, 400), (1 / 11, -400), (1.0, inf), (0.0, -inf)]
)
def test_ten_to_one_is_400_points(share: float, elo: float) -> None:
    assert elo_like(share) == pytest.approx(elo)


def test_a_share_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"share is 1.5; allowed: 0 to 1"):
        elo_like(1.5)


def test_an_interval_keeps_its_ends() -> None:
    found = elo_of_share(Estimate(0.5, 1 / 11, 1.0))
    assert (found.mean, found.low, found.high) == pytest.approx((0, -400, inf))
    assert elo_of_share(Estimate(0.5, None, None)).low is None


def test_an_effect_is_the_mean_in_spreads_whatever_the_unit() -> None:
    boards = np.array([1.0, 2.0, 3.0, 6.0, -1.0])
    found, scaled = normalised_effect(boards), normalised_effect(17 * boards)
    assert found.mean == pytest.approx(boards.mean() / boards.std(ddof=1))
    assert (scaled.low, scaled.high) == pytest.approx((found.low, found.high))
    assert normalised_elo(0.1) == pytest.approx(0.1 * 800 / np.log(10) / np.sqrt(2))


def test_boards_that_are_all_alike_have_no_effect_with_an_interval() -> None:
    assert normalised_effect(np.zeros(4)) == Estimate(0.0, None, None)
    assert normalised_effect(np.full(4, -2.0)) == Estimate(-inf, None, None)
    assert normalised_effect(np.array([3.0])).low is None
