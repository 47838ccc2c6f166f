"""How often 95% intervals hold the truth, on boards as they are: lumpy, and sometimes few.

The quick tests find gross errors; the slow ones are the proof: 1,000 intervals of each estimator,
of which 93 to 97 % must hold the truth, ``TOO_FEW`` boards or runs apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt

import numpy as np
import pytest
from scipy import optimize

from sjavs_agents.stats.bootstrap import bca_interval, runs_interval
from sjavs_agents.stats.effect_sizes import ELO, normalised_effect
from sjavs_agents.stats.estimates import Estimate, estimate_mean, estimate_share
from sjavs_agents.stats.ratings import board_ratings, margin_ratings
from sjavs_agents.stats.won_boards import estimate_won
from tests.agents.stats.board_results import LUMPY, rng_of
from tests.agents.stats.populations import play_all, true_margins, true_wins

Trial = Callable[[np.random.Generator], Iterator[bool]]  # whether intervals hold what is true
TRIALS, QUICK = 1000, 150
FAR = LUMPY.at(0.4)  # a difference that counts beside the spread


def holds(estimate: Estimate, truth: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


def t_mean(n: int) -> Trial:
    def trial(rng: np.random.Generator) -> Iterator[bool]:
        yield holds(estimate_mean(LUMPY.draw(rng, n)), LUMPY.mean)

    return trial


def won_share(n: int) -> Trial:
    def trial(rng: np.random.Generator) -> Iterator[bool]:
        yield holds(estimate_won(LUMPY.draw(rng, n)), LUMPY.won)

    return trial


def wilson(n: int) -> Trial:
    """Boards without level ones, of many shares: each has its lucky numbers of boards."""

    def trial(rng: np.random.Generator) -> Iterator[bool]:
        share = rng.uniform(0.2, 0.8)
        yield holds(estimate_share(rng.binomial(n, share) / n, n), share)

    return trial


def bca(n: int) -> Trial:
    def trial(rng: np.random.Generator) -> Iterator[bool]:
        yield holds(bca_interval(LUMPY.draw(rng, n), rng, 1000), LUMPY.mean)

    return trial


def effect(n: int) -> Trial:
    def trial(rng: np.random.Generator) -> Iterator[bool]:
        yield holds(normalised_effect(FAR.draw(rng, n)), FAR.mean / FAR.spread)

    return trial


def runs(
    k: int, boards: int, statistic: str, of_run: float = 0.3, same_boards: bool = True
) -> Trial:
    """Runs whose strength varies, on lumpy boards that give to each run and to all of them."""

    def trial(rng: np.random.Generator) -> Iterator[bool]:
        shared = LUMPY.at(0).draw(rng, 1 if same_boards else k, boards)
        own = LUMPY.at(0).draw(rng, k, boards)
        results = rng.normal(0, of_run, size=(k, 1)) + shared + own
        found = runs_interval(
            results[:, :, None], rng, "iqm" if statistic == "iqm" else "mean",
            same_boards=same_boards, resamples=400,
        )  # fmt: skip
        yield bool(found.low[0] <= 0 <= found.high[0])

    return trial


STRENGTHS = np.array([0.5, 0.5, 0.0, -1.0])


def true_ratings() -> np.ndarray:
    """What boards without end are rated, by plain maximisation of the likelihood."""
    wins = true_wins(STRENGTHS)

    def unlikely(ratings: np.ndarray) -> float:
        return float((wins * np.logaddexp(0, ratings - ratings[:, None])).sum())

    best = optimize.minimize(unlikely, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).x
    return np.asarray(ELO * (best - best.mean()))


def by_boards(n: int) -> Trial:
    truth = true_ratings()

    def trial(rng: np.random.Generator) -> Iterator[bool]:
        found = board_ratings(play_all(STRENGTHS, n, rng), rng, 250)
        yield from map(holds, found, truth)

    return trial


def by_margins(n: int) -> Trial:
    truth = true_margins(STRENGTHS).mean(axis=1)

    def trial(rng: np.random.Generator) -> Iterator[bool]:
        found = margin_ratings(play_all(STRENGTHS, n, rng), rng, 250)
        yield from map(holds, found, truth)

    return trial


def coverage(name: str, trial: Trial, trials: int) -> float:
    rng = rng_of(f"coverage of {name}")
    return float(np.mean([held for _ in range(trials) for held in trial(rng)]))


QUICK_ONES: dict[str, Trial] = {
    "t": t_mean(60),
    "won": won_share(60),
    "bca": bca(100),
    "effect": effect(200),
    "mean of runs": runs(5, 50, "mean"),
    "iqm of runs": runs(8, 50, "iqm"),
    "margins": by_margins(60),
}
SLOW_ONES: dict[str, Trial] = {
    **{f"t, {n} boards": t_mean(n) for n in (10, 20, 50, 200, 2000)},
    **{f"won, {n} boards": won_share(n) for n in (10, 20, 50, 200, 2000)},
    **{f"wilson, {n} boards": wilson(n) for n in (20, 50, 200, 2000)},
    **{f"bca, {n} boards": bca(n) for n in (10, 20, 50, 100, 200, 1000)},
    **{f"effect, {n} boards": effect(n) for n in (20, 50, 200, 2000)},
    **{f"{s} of {k} runs": runs(k, 100, s) for s in ("mean", "iqm") for k in (3, 4, 5, 8, 10, 20)},
    **{f"mean of {k} equal runs": runs(k, 100, "mean", of_run=0.0) for k in (3, 5, 10)},
    **{
        f"mean of {k} runs, own boards": runs(k, 100, "mean", same_boards=False) for k in (3, 5, 10)
    },
    **{f"ratings by boards, {n} boards": by_boards(n) for n in (50, 100, 200)},
    **{f"ratings by margins, {n} boards": by_margins(n) for n in (50, 100, 200)},
}


# BCa and the delta method want more boards; the interquartile mean of a few runs is cautious.
TOO_FEW = {
    **{f"bca, {n} boards": (0.8, 0.93) for n in (10, 20, 50)},
    **{f"effect, {n} boards": (0.85, 0.93) for n in (20, 50)},
    **{f"iqm of {k} runs": (0.93, 0.99) for k in (4, 5)},
}


@pytest.mark.parametrize("name", QUICK_ONES)
def test_intervals_hold_the_truth_about_as_often_as_they_say(name: str) -> None:
    found = coverage(name, QUICK_ONES[name], QUICK)
    assert abs(found - 0.95) < 0.01 + 4 * sqrt(0.95 * 0.05 / QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_ONES)
def test_a_thousand_intervals_hold_the_truth_as_often_as_they_say(name: str) -> None:
    found = coverage(name, SLOW_ONES[name], TRIALS)
    print(f"{name}: {found:.3f}")  # noqa: T201
    low, high = TOO_FEW.get(name, (0.93, 0.97))
    assert low <= found <= high
