"""The share of boards won: Wilson's interval without level boards, and with them its own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from sjavs_agents.stats.estimates import estimate_share
from sjavs_agents.stats.won_boards import estimate_won


def boards(won: int, level: int, lost: int) -> np.ndarray:
    return np.repeat([2.0, 0.0, -0.5], [won, level, lost])


@pytest.mark.parametrize(("won", "lost"), [(1, 0), (0, 1), (10, 0), (3, 7), (70, 30), (999, 1)])
def test_without_level_boards_it_is_wilsons_interval(won: int, lost: int) -> None:
    found, wilson = (
        estimate_won(boards(won, 0, lost)),
        estimate_share(won / (won + lost), won + lost),
    )
    assert (found.mean, found.low, found.high) == pytest.approx(
        (wilson.mean, wilson.low, wilson.high), abs=1e-12
    )
    if won * lost:
        other = stats.binomtest(won, won + lost).proportion_ci(method="wilson")
        assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=1e-12)


def slow_z(share: float, won: int, level: int, lost: int) -> float:
    """The score statistic with the likelihood maximised by search, given the share."""
    n, difference = won + level + lost, 2 * share - 1

    def unlikely(lost_chance: float) -> float:
        chances = lost_chance + difference, 1 - 2 * lost_chance - difference, lost_chance
        return -sum(
            k * np.log(max(p, 1e-300)) for k, p in zip((won, level, lost), chances, strict=True)
        )

    bounds = max(0.0, -difference), (1 - difference) / 2
    chance = optimize.minimize_scalar(unlikely, bounds=bounds, options={"xatol": 1e-12}).x
    variance = n * (2 * chance + difference - difference**2)
    return float((won - lost - n * difference) / np.sqrt(variance))


@pytest.mark.parametrize(("won", "level", "lost"), [(5, 20, 3), (1, 50, 9), (40, 20, 40)])
def test_its_ends_are_where_a_score_test_begins_to_reject(won: int, level: int, lost: int) -> None:
    found = estimate_won(boards(won, level, lost))
    assert found.low is not None
    assert found.high is not None
    assert slow_z(found.low, won, level, lost) == pytest.approx(1.959964, abs=1e-4)
    assert slow_z(found.high, won, level, lost) == pytest.approx(-1.959964, abs=1e-4)


def test_level_boards_make_it_narrower_and_do_not_make_it_vanish() -> None:
    found, wilson = estimate_won(boards(20, 60, 20)), estimate_share(0.5, 100)
    assert found.low is not None
    assert wilson.low is not None
    assert wilson.low < found.low < 0.5
    alone = estimate_won(boards(0, 5, 0))
    assert alone.low is not None
    assert alone.low < 0.3
