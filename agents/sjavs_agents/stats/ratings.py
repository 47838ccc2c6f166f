"""One number for each agent of a population, from the boards of the pairs that were played.

``board_ratings`` counts boards won (Bradley and Terry), on a scale like that of chess;
``margin_ratings`` averages results.  ``transitive_share`` tells whether one number for each says
it all: an agent can beat a second that beats a third that beats the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.stats.distributions import normal_below, t_quantile
from sjavs_agents.stats.effect_sizes import ELO
from sjavs_agents.stats.estimates import LEVEL, Estimate
from sjavs_agents.stats.pair_results import PairResults, parts
from sjavs_env.cli.extras import needing
from sjavs_env.rules.terms import Floats

__all__ = ["Transitivity", "board_ratings", "margin_ratings", "project", "transitive_share",
           "transitivity"]  # fmt: skip

PRIOR_BOARDS = 1.0  # level boards added to each pair, without which whoever always wins has no end
RESAMPLES = 1_000
_MOST_STEPS = 10_000  # of the iterative fit
_NEAR = 1e-8  # all ratings together, in units of log odds


def board_ratings(
    results: PairResults, rng: np.random.Generator, resamples: int = RESAMPLES
) -> list[Estimate]:
    """Return the ratings by boards won of all agents, 400 points for odds of ten to one.

    The model of Bradley and Terry, fitted by choix (Maystre and Grossglauser, *NeurIPS*, 2015),
    level boards half won, with one level board more for each pair that met.  Intervals come from
    drawing boards anew, the same for all pairs, as they share their cards.  The mean of those
    agents is 0 that all won against and lost to one another, directly or by way of others; how far
    off anybody else is no number of boards can tell, so their interval is ``None``.  ValueError
    where the pairs played do not connect all agents.  Needs the extra ``evaluate``.
    """
    results.check_connected()
    among = parts(results.wins() > 0)[0]
    fitted = _fit(results, None, None)

    def centred(ratings: Floats) -> Floats:
        return np.asarray(ELO * (ratings - ratings[among].mean()))

    def rate(weights: Floats) -> Floats:
        return np.array([centred(_fit(results, drawn, fitted)) for drawn in weights])

    low, high = _intervals(results, rate, rng, resamples)
    is_known = np.isin(np.arange(len(fitted)), among) & (len(among) > 1)
    return [
        Estimate(float(x), float(low[i]), float(high[i])) if is_known[i]
        else Estimate(float(x), None, None)
        for i, x in enumerate(centred(fitted))
    ]  # fmt: skip


def margin_ratings(
    results: PairResults, rng: np.random.Generator, resamples: int = RESAMPLES
) -> list[Estimate]:
    """Return the ratings by mean board result of all agents, in the unit of the boards.

    See ``project``; their mean is 0.  Intervals come from drawing boards anew, the same for all
    pairs.  ValueError where the pairs played do not connect all agents.
    """
    results.check_connected()
    ratings = project(results.margins())

    def rate(weights: Floats) -> Floats:
        return project(results.margins(weights))

    low, high = _intervals(results, rate, rng, resamples)
    return [Estimate(*map(float, found)) for found in zip(ratings, low, high, strict=True)]


def project(margins: Floats) -> Floats:
    """Return ratings (..., agents) whose differences are nearest to the margins of pairs.

    Margins are (..., agents, agents).  Least squares over the pairs played, NaN standing for the
    others, the same ones in all matrices (HodgeRank: Jiang et al., *Mathematical Programming* 127,
    2011).  Where all pairs were played this is each agent's mean margin over the population of n,
    itself and its margin of 0 included: r_i = sum_j M_ij / n.
    """
    n = margins.shape[-1]
    known = ~np.isnan(margins.reshape(-1, n, n)[0]) & ~np.eye(n, dtype=np.bool_)
    laplacian = (np.diag(known.sum(axis=1)) - known).astype(np.float64)
    sums = np.where(known, margins, 0.0).sum(axis=-1)
    return np.asarray(sums @ np.linalg.pinv(laplacian, hermitian=True))


@dataclass(frozen=True)
class Transitivity:
    """How much of the margins the differences of ratings explain."""

    share: float  # sum (r_i - r_j)² / sum M_ij² over the pairs played; 1 if all margins are 0
    p_value: float  # of no more than chance in the rest: that one number says it all


def transitivity(
    results: PairResults, rng: np.random.Generator, resamples: int = RESAMPLES
) -> Transitivity:
    """Return the transitive share of the margins, and whether the rest is more than chance.

    The share is 1 where M_ij = r_i - r_j, as ``project`` divides by n: what it explains and what
    is left over then add up to all.  Noise lowers the share, most among equals, so under 0.95 it
    means something only with a small p-value: how often the noise of boards drawn anew, of which
    the margins are taken away, leaves as much over.
    """
    results.check_connected()
    margins = results.margins()
    left = float(_left_over(margins))
    noise = [
        _left_over(results.margins(weights) - margins)
        for weights in results.resampled(rng, resamples)
    ]
    extreme = int((np.concatenate(noise) >= left * (1 - 1e-9)).sum())
    return Transitivity(transitive_share(margins), (1 + extreme) / (1 + resamples))


def transitive_share(margins: Floats) -> float:
    """Return what differences of ratings explain of margins (agents, agents), NaN if not played.

    See ``Transitivity.share``; margins alone do not tell whether the rest is more than chance.
    """
    total = float(np.nansum(margins**2))
    return 1 - float(_left_over(margins)) / total if total else 1.0


def _left_over(margins: Floats) -> Floats:
    """What ratings do not explain of margins (..., agents, agents): sums of squares (...)."""
    ratings = project(margins)
    explained = ratings[..., :, None] - ratings[..., None, :]
    return np.asarray(np.nansum((margins - explained) ** 2, axis=(-2, -1)))


def _fit(
    results: PairResults, weights: Floats | None, start: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Ratings (agents,) in log odds."""
    with needing("evaluate"):
        from choix import ilsr_pairwise_dense
    wins = results.wins(weights).astype(np.float64) + PRIOR_BOARDS / 2 * results.played
    return ilsr_pairwise_dense(wins, initial_params=start, max_iter=_MOST_STEPS, tol=_NEAR)


def _intervals(
    results: PairResults,
    rate: Callable[[Floats], Floats],
    rng: np.random.Generator,
    resamples: int,
) -> tuple[Floats, Floats]:
    """Lower and upper ends (agents,) of what resampled boards give.

    Percentiles, expanded as far as Student's interval is wider than the plain one of the same
    number of boards, for draws from n boards vary less than boards do (Hesterberg, *American
    Statistician* 69, 2015).
    """
    drawn = np.concatenate([rate(weights) for weights in results.resampled(rng, resamples)])
    n = min(map(len, results.boards.values()))
    reach = t_quantile((1 + LEVEL) / 2, n - 1) * sqrt(n / (n - 1)) if n > 1 else inf
    outside = float(normal_below(np.array([-reach]))[0])
    low, high = np.quantile(drawn, [outside, 1 - outside], axis=0, method="weibull")
    return low, high
