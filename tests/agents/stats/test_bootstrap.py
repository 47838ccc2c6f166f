"""Resampled intervals: of boards beside a plain reference, of runs beside the textbook."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from sjavs_agents.stats.bootstrap import bca_interval, interquartile_mean, runs_interval
from sjavs_agents.stats.estimates import Estimate, estimate_mean
from tests.agents.stats.board_results import LUMPY, rng_of


def slow_bca(boards: np.ndarray, rng: np.random.Generator, resamples: int) -> tuple[float, float]:
    """Efron's formulae, written out."""
    n, mean = len(boards), boards.mean()
    drawn = rng.choice(boards, (resamples, n)).mean(axis=1)
    share = ((drawn < mean).sum() + (drawn <= mean).sum()) / (2 * resamples)
    bias = stats.norm.ppf(share)
    left_out = np.array([np.delete(boards, i).mean() for i in range(n)])
    off = left_out.mean() - left_out
    pull = (off**3).sum() / (6 * (off**2).sum() ** 1.5)
    z = bias + np.array([-1.959964, 1.959964])
    low, high = np.quantile(drawn, stats.norm.cdf(bias + z / (1 - pull * z)))
    return float(low), float(high)


def test_it_is_the_interval_of_the_formulae() -> None:
    boards = LUMPY.draw(rng_of("bca"), 80) ** 2  # skewed
    found = bca_interval(boards, rng_of("fast"), 40_000)
    low, high = slow_bca(boards, rng_of("slow"), 40_000)
    width = high - low
    assert found.low == pytest.approx(low, abs=0.03 * width)
    assert found.high == pytest.approx(high, abs=0.08 * width)
    plain = estimate_mean(boards)
    assert plain.high is not None
    assert high > plain.high  # the t interval does not see the skewness


def test_from_some_thousand_boards_on_it_is_the_t_interval() -> None:
    boards = LUMPY.draw(rng_of("many"), 1500)
    found, plain = bca_interval(boards, rng_of("draws"), 2000), estimate_mean(boards)
    assert plain.low is not None
    assert plain.high is not None
    assert found.low == pytest.approx(plain.low, abs=0.015)
    assert found.high == pytest.approx(plain.high, abs=0.015)


def test_the_same_generator_gives_the_same_interval() -> None:
    boards = LUMPY.draw(rng_of("again"), 30)
    assert bca_interval(boards, rng_of("a"), 200) == bca_interval(boards, rng_of("a"), 200)


def test_boards_that_are_all_alike_have_no_width() -> None:
    assert bca_interval(np.full(9, 2.0), rng_of("alike")) == Estimate(2.0, 2.0, 2.0, 0.0)


@pytest.mark.parametrize("n", [2, 20_001])
def test_too_few_and_too_many_boards_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match=f"boards is {n}; allowed: 3 to 20000"):
        bca_interval(np.zeros(n), rng_of("none"))


def test_the_interquartile_mean_leaves_the_outer_quarters_out() -> None:
    values = np.array([[9.0, 1.0, 2.0, 3.0, -50.0, 4.0, 100.0, 2.0]]).T
    assert interquartile_mean(values)[0] == pytest.approx((2 + 2 + 3 + 4) / 4)
    assert interquartile_mean(values[:3])[0] == pytest.approx(4)


def runs(k: int, boards: int, name: str, **spreads: float) -> np.ndarray:
    """Runs (k, boards, 1) with noise of the run, of the board that all share, and of both."""
    rng = rng_of(name)
    return (
        rng.normal(0, spreads.get("run", 0), size=(k, 1, 1))
        + rng.normal(0, spreads.get("board", 0), size=(1, boards, 1))
        + rng.normal(0, spreads.get("both", 0), size=(k, boards, 1))
    )


def test_runs_alone_give_students_interval_of_their_means() -> None:
    results = runs(5, 4, "runs alone", run=1.0)
    found = runs_interval(results, rng_of("draws"), "mean", resamples=10_000)
    plain = estimate_mean(results[:, 0, 0])
    assert found.middle[0] == pytest.approx(plain.mean)
    assert found.low[0] == pytest.approx(plain.low, rel=0.03)
    assert found.high[0] == pytest.approx(plain.high, rel=0.03)


def test_boards_alone_give_students_interval_of_their_means() -> None:
    results = runs(5, 60, "boards alone", board=1.0)
    found = runs_interval(results, rng_of("draws"), "mean", resamples=10_000)
    plain = estimate_mean(results[0, :, 0])
    assert plain.high is not None
    half = plain.high - plain.mean
    assert found.high[0] - found.middle[0] == pytest.approx(half, rel=0.03)
    apart = runs_interval(results, rng_of("draws"), "mean", same_boards=False)
    assert apart.high[0] == pytest.approx(apart.low[0])  # runs that do not differ


def test_each_point_of_a_curve_has_an_interval_of_its_own() -> None:
    near, far = runs(6, 30, "near", run=0.1, both=1.0), 5 + runs(6, 30, "far", run=3.0, both=1.0)
    band = runs_interval(np.concatenate([near, far], axis=2), rng_of("draws"), resamples=500)
    assert band.middle.shape == band.low.shape == band.high.shape == (2,)
    widths = band.high - band.low
    assert widths[1] > 4 * widths[0]
    assert band.middle == pytest.approx(
        [interquartile_mean(x.mean(axis=1))[0].item() for x in (near, far)]
    )


@pytest.mark.parametrize("shape", [(1, 5, 2), (3, 1, 2), (3, 5), (3, 5, 0)])
def test_runs_without_a_spread_are_refused(shape: tuple[int, ...]) -> None:
    results: Any = np.zeros(shape)
    with pytest.raises(ValueError, match=r"results have shape .*; allowed: .runs, boards, points."):
        runs_interval(results, rng_of("none"))
