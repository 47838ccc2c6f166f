"""Estimates from boards: means with t intervals, shares with Wilson intervals, p-values.

A board is the unit: its tables share the cards, so only boards are independent of each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.stats.distributions import normal_quantile, t_beyond, t_quantile

__all__ = ["LEVEL", "Estimate", "estimate_mean", "estimate_share"]

LEVEL = 0.95  # of every interval


@dataclass(frozen=True)
class Estimate:
    """A number with its 95% interval; ``None`` where a single board cannot tell."""

    mean: float
    low: float | None
    high: float | None
    spread: float | None = None  # standard deviation of one board
    p_value: float | None = None  # two-sided, of no difference


def estimate_mean(boards: NDArray[np.floating[Any]], null: float = 0.0) -> Estimate:
    """Return mean, t interval and t test against ``null`` of board results (boards,)."""
    n, mean = len(boards), float(boards.mean())
    if n < 2:
        return Estimate(mean, None, None)
    spread = float(boards.std(ddof=1))
    error = spread / sqrt(n)
    half = t_quantile((1 + LEVEL) / 2, n - 1) * error
    if error > 0:
        p_value = 2 * t_beyond(abs(mean - null) / error, n - 1)
    else:  # all boards alike: 0 / 0 to the test
        p_value = 1.0 if mean == null else 0.0
    return Estimate(mean, mean - half, mean + half, spread, p_value)


def estimate_share(share: float, n: int) -> Estimate:
    """Return a share of n boards with its Wilson interval; half boards count half."""
    z = normal_quantile((1 + LEVEL) / 2)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = min(share, centre - half), max(share, centre + half)  # rounding at 0 and 1
    return Estimate(share, max(0.0, low), min(1.0, high))
