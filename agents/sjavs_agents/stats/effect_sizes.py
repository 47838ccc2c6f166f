"""Differences without a unit, to set games and ladders side by side: Elo-like, and per spread."""

from __future__ import annotations

from math import inf, log, log10, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.stats.distributions import normal_quantile
from sjavs_agents.stats.estimates import LEVEL, Estimate

__all__ = ["ELO", "elo_like", "elo_of_share", "normalised_effect", "normalised_elo"]

ELO = 400 / log(10)  # points of an Elo-like scale per unit of log odds


def elo_like(share: float) -> float:
    """Return what a share of wins is on the scale of chess ratings: -400 log10(1/share - 1).

    Infinite for a share of 0 or 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share is {share}; allowed: 0 to 1")
    if share in (0, 1):
        return inf if share else -inf
    return -400 * log10(1 / share - 1)


def elo_of_share(share: Estimate) -> Estimate:
    """Return a share of wins and its interval on that scale, which keeps their order."""
    low, high = (None if x is None else elo_like(x) for x in (share.low, share.high))
    return Estimate(elo_like(share.mean), low, high)


def normalised_effect(boards: NDArray[np.floating[Any]]) -> Estimate:
    """Return the mean of board results (boards,) in standard deviations of a board.

    Its interval comes from the delta method with the skewness g and kurtosis k of the boards,
    as their scores are far from normal: variance (1 - g t + t² (k - 1) / 4) / n.  All boards
    alike have no such mean, and 0 stands for it where they are level.
    """
    n, mean = len(boards), float(boards.mean())
    spread = float(boards.std(ddof=1)) if n > 1 else 0.0
    if spread == 0:
        return Estimate(float(np.sign(mean)) * inf if mean else 0.0, None, None)
    t, z = mean / spread, (boards - mean) / boards.std()
    skewness, kurtosis = float((z**3).mean()), float((z**4).mean())
    variance = (1 - skewness * t + t * t * (kurtosis - 1) / 4) / n
    half = normal_quantile((1 + LEVEL) / 2) * sqrt(max(0.0, variance))
    return Estimate(t, t - half, t + half)


def normalised_elo(effect: float, tables: int = 2) -> float:
    """Return a normalised effect of boards as "normalised Elo" of a single table.

    800 / ln 10 = 347.4 times the effect, by the square root of the tables of a board, as tests
    of chess engines define it for pairs of games.
    """
    return 2 * ELO * effect / sqrt(tables)
