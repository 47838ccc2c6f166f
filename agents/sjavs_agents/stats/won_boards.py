"""The share of boards won, level ones counted half, with an interval that knows of them."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.stats.distributions import normal_quantile
from sjavs_agents.stats.estimates import LEVEL, Estimate

__all__ = ["estimate_won"]

_STEPS = 60  # of bisection: a double has no more bits


def estimate_won(boards: NDArray[np.floating[Any]]) -> Estimate:
    """Return the share of boards (boards,) above 0, level ones half, with its score interval.

    Wilson's interval takes a board to be won or lost; on duplicate boards of like agents more
    than half are level, and it is half as wide again as it should be.  This is the score interval
    of the difference of two paired proportions (Tango, *Statistics in Medicine* 17, 1998): all
    shares that a test with the restricted maximum-likelihood variance does not reject.  Without
    level boards it is Wilson's.
    """
    n, won, lost = len(boards), int((boards > 0).sum()), int((boards < 0).sum())
    share = (1 + (won - lost) / n) / 2
    z = normal_quantile((1 + LEVEL) / 2)

    def end(direction: int) -> float:
        """The farthest share in this direction that is not rejected."""
        kept, rejected = share, float(direction > 0)
        if abs(_score(rejected, won, lost, n)) <= z:
            return rejected
        for _ in range(_STEPS):
            middle = (kept + rejected) / 2
            if abs(_score(middle, won, lost, n)) <= z:
                kept = middle
            else:
                rejected = middle
        return kept

    return Estimate(share, end(-1), end(1))


def _score(share: float, won: int, lost: int, n: int) -> float:
    """The score statistic of the hypothesis that so large a share is won."""
    difference = 2 * share - 1
    off = won - lost - n * difference
    b = (2 * n - won + lost) * difference - won - lost
    c = -lost * difference * (1 - difference)
    lost_if_so = (sqrt(max(0.0, b * b - 8 * n * c)) - b) / (4 * n)  # chance to lose a board
    variance = n * (2 * lost_if_so + difference * (1 - difference))
    if variance <= 0:
        return 0.0 if off == 0 else off / 1e-300
    return off / sqrt(variance)
