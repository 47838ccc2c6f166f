"""Numbers of boards beside the exact power of the t test."""

from __future__ import annotations

from math import sqrt

import pytest
from scipy import stats

from sjavs_agents.stats.estimates import Estimate, estimate_mean
from sjavs_agents.stats.sample_size import (
    boards_for_interval,
    boards_to_find,
    findable,
    power_hint,
)
from tests.agents.stats.board_results import LUMPY, rng_of


def exact_power(spread: float, difference: float, n: int) -> float:
    """The chance that a two-sided t test at 5 % finds a difference of normal boards."""
    shift, limit = difference / spread * sqrt(n), stats.t.ppf(0.975, n - 1)
    return float(stats.nct.sf(limit, n - 1, shift) + stats.nct.cdf(-limit, n - 1, shift))


@pytest.mark.parametrize("power", [0.5, 0.8, 0.9, 0.99])
@pytest.mark.parametrize("difference", [0.1, 0.5, 1.0, 2.0])
def test_so_many_boards_find_a_difference_and_hardly_fewer_do(
    difference: float, power: float
) -> None:
    n = boards_to_find(2.0, difference, power)
    assert exact_power(2.0, difference, n + 1) >= power
    assert exact_power(2.0, difference, max(2, n - 1)) < power or n <= 3


def test_the_rule_of_thumb_holds_for_many_boards() -> None:
    assert boards_to_find(16, 1) == pytest.approx(10.5 * 16**2, rel=2e-3)


@pytest.mark.parametrize("boards", [10, 100, 10_000])
def test_the_difference_that_boards_find_needs_so_many(boards: int) -> None:
    assert boards_to_find(3.0, findable(3.0, boards) * (1 + 1e-9)) == boards


@pytest.mark.parametrize("half_width", [0.05, 0.3, 2.0, 30.0])
def test_an_interval_is_as_narrow_as_asked_and_with_one_board_less_it_is_not(
    half_width: float,
) -> None:
    def half(n: int) -> float:
        return float(stats.t.ppf(0.975, n - 1)) * 2.0 / sqrt(n)

    n = boards_for_interval(2.0, half_width)
    assert half(n) <= half_width
    assert n == 2 or half(n - 1) > half_width


def test_a_hint_tells_how_many_more_boards_bring_what() -> None:
    boards = LUMPY.draw(rng_of("hint"), 400)
    estimate = estimate_mean(boards)
    hint = power_hint(estimate, 400)
    assert estimate.high is not None
    assert estimate.spread is not None
    assert hint.half_width == pytest.approx(estimate.high - estimate.mean)
    assert hint.more_boards_to_halve_it is not None
    assert 1100 < hint.more_boards_to_halve_it <= 1200
    assert hint.boards_to_find_mean == boards_to_find(estimate.spread, estimate.mean)
    assert power_hint(estimate, 400, null=estimate.mean).boards_to_find_mean is None


def test_boards_that_tell_nothing_give_no_hint() -> None:
    for estimate in (Estimate(1.0, None, None), Estimate(0.0, 0.0, 0.0, spread=0.0)):
        hint = power_hint(estimate, 1)
        assert (hint.half_width, hint.findable, hint.boards_to_find_mean) == (None,) * 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: boards_for_interval(1, 0), "half_width is 0; allowed: a number more than 0"),
        (lambda: boards_to_find(1, 0), "difference is 0; allowed: a number more than 0"),
        (lambda: boards_to_find(1, 1, 1.0), "power is 1.0; allowed: at least 0.5"),
        (lambda: findable(1.0, 1), "boards is 1; allowed: 2 or more"),
    ],
)
def test_what_no_number_of_boards_can_do_is_refused(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=message):
        call()
