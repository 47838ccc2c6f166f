"""Intervals by resampling: boards of a match, and runs of a training with their boards.

They need the extra ``evaluate``; ValueError, one line, where it is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.stats.distributions import t_quantile
from sjavs_agents.stats.estimates import LEVEL, Estimate
from sjavs_env.cli.extras import needing
from sjavs_env.rules.terms import Floats

__all__ = ["Band", "bca_interval", "interquartile_mean", "runs_interval"]

RESAMPLES = 10_000
RUN_RESAMPLES = 2_000
MOST_BOARDS = 20_000  # the acceleration leaves each of them out once: work grows with the square
LEAST_BOARDS = 3
_BATCH = 2**22  # numbers held at once
Statistic = Literal["mean", "iqm"]


def bca_interval(
    boards: NDArray[np.floating[Any]], rng: np.random.Generator, resamples: int = RESAMPLES
) -> Estimate:
    """Return the mean of board results (boards,) with its BCa bootstrap interval.

    Bias-corrected and accelerated (Efron, *JASA* 82, 1987), so that it follows the skewness of
    lumpy scores, which a t interval ignores; from some thousand boards on the two are the same.
    ValueError for fewer than 3 boards and for more than 20,000.
    """
    n = len(boards)
    if not LEAST_BOARDS <= n <= MOST_BOARDS:
        raise ValueError(f"boards is {n}; allowed: {LEAST_BOARDS} to {MOST_BOARDS}")
    mean, spread = float(boards.mean()), float(boards.std(ddof=1))
    if np.ptp(boards) == 0:  # nothing to resample
        return Estimate(mean, mean, mean, 0.0)
    with needing("evaluate"):
        from scipy.stats import bootstrap
    found = bootstrap(
        (boards,), np.mean, n_resamples=resamples, batch=max(1, _BATCH // n), vectorized=True,
        confidence_level=LEVEL, method="BCa", random_state=rng,
    ).confidence_interval  # fmt: skip
    return Estimate(mean, float(found.low), float(found.high), spread)


@dataclass(frozen=True, eq=False)
class Band:
    """A curve over runs with its interval at each point: (points,) each."""

    middle: Floats
    low: Floats
    high: Floats


def interquartile_mean(values: Floats, axis: int = 0) -> Floats:
    """Return the mean without the lowest and the highest quarter, rounded down, along an axis.

    Agarwal et al. (*NeurIPS*, 2021) ask for it where runs fail now and then.  With three runs it
    is the mean.
    """
    with needing("evaluate"):
        from scipy.stats import trim_mean
    return np.asarray(trim_mean(values, 0.25, axis=axis))


def runs_interval(
    results: Floats,
    rng: np.random.Generator,
    statistic: Statistic = "iqm",
    *,
    same_boards: bool = True,
    resamples: int = RUN_RESAMPLES,
) -> Band:
    """Return a statistic over independent runs with its interval, by resampling runs and boards.

    ``results`` are (runs, boards, points): what each run gained on each board at each point of
    its curve.  The statistic is taken over runs, of their means over boards.  With
    ``same_boards`` all runs play the same boards: a draw of boards then holds for all of them,
    because what a board gives is no property of a run.  Without, each run has boards of its own,
    whose noise is in the spread of the runs already: resampling it again would count it twice.

    A percentile interval of few runs is far too narrow: among three runs there are ten different
    draws.  So the variances of both levels are taken from their resamples, corrected for the
    number of runs k (k/(k-1)) and of boards, added, and the interval is Student's with the degrees
    of freedom of that sum (Satterthwaite).  ValueError for fewer than 2 runs or boards.
    """
    if results.ndim != 3 or results.shape[0] < 2 or results.shape[1] < 2 or not results.size:
        raise ValueError(f"results have shape {results.shape}; allowed: (runs, boards, points), "
                         "2 or more runs and boards")  # fmt: skip
    n_runs, n_boards, _ = results.shape
    over_runs = _STATISTICS[statistic]
    middle = over_runs(results.mean(axis=1), 0)
    of_runs = _variance(_resampled_runs(results.mean(axis=1), over_runs, rng, resamples), middle)
    of_runs = of_runs * n_runs / (n_runs - 1)
    of_boards = np.zeros_like(of_runs)
    if same_boards:
        draws = _resampled_boards(results, over_runs, rng, resamples)
        of_boards = _variance(draws, middle) * n_boards / (n_boards - 1)
    total = of_runs + of_boards
    shares = of_runs**2 / (n_runs - 1) + of_boards**2 / (n_boards - 1)
    freedom = np.divide(total**2, shares, out=np.full_like(total, n_runs - 1), where=shares > 0)
    half = np.sqrt(total) * _students(np.maximum(1, np.floor(freedom)))
    return Band(middle, middle - half, middle + half)


def _mean(values: Floats, axis: int) -> Floats:
    return np.asarray(values.mean(axis=axis))


OverRuns = Callable[[Floats, int], Floats]
_STATISTICS: dict[Statistic, OverRuns] = {"mean": _mean, "iqm": interquartile_mean}


def _resampled_runs(
    means: Floats, over_runs: OverRuns, rng: np.random.Generator, resamples: int
) -> Iterator[Floats]:
    """Yield the statistic (batch, points) of draws of runs from their means (runs, points)."""
    for batch in _batches(resamples, means.size):
        yield over_runs(means[rng.integers(len(means), size=(batch, len(means)))], 1)


def _resampled_boards(
    results: Floats, over_runs: OverRuns, rng: np.random.Generator, resamples: int
) -> Iterator[Floats]:
    """Yield the statistic (batch, points) of draws of boards that hold for all runs."""
    n_runs, n_boards, n_points = results.shape
    flat = results.transpose(1, 0, 2).reshape(n_boards, -1)
    for batch in _batches(resamples, max(n_boards, n_runs * n_points)):
        counts = rng.multinomial(n_boards, np.full(n_boards, 1 / n_boards), size=batch)
        means = (counts / n_boards) @ flat
        yield over_runs(means.reshape(batch, n_runs, n_points), 1)


def _batches(total: int, size: int) -> Iterator[int]:
    step = max(1, _BATCH // size)
    for start in range(0, total, step):
        yield min(step, total - start)


def _variance(draws: Iterator[Floats], around: Floats) -> Floats:
    """The variance (points,) of draws (batch, points), held a batch at a time."""
    count, sums, squares = 0, np.zeros_like(around), np.zeros_like(around)
    for batch in draws:
        off = batch - around
        count += len(batch)
        sums, squares = sums + off.sum(axis=0), squares + (off * off).sum(axis=0)
    return np.maximum(0.0, squares / count - (sums / count) ** 2)


def _students(freedom: Floats) -> Floats:
    found = {int(n): t_quantile((1 + LEVEL) / 2, int(n)) for n in np.unique(freedom)}
    return np.array([found[int(n)] for n in freedom])
