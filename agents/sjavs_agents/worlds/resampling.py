"""Systematic resampling: worlds in proportion to their weights, with the least scatter.

One uniform number u places ``worlds`` equally spaced points (u + j) / worlds on the line of
cumulated shares; each point takes the world whose share it falls into.  A world with share p is
taken floor(worlds * p) times or once more (Kitagawa, J. Comput. Graph. Stat. 5(1), 1996).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["resample"]


def resample(log_weights: NDArray[np.floating[Any]], worlds: int, rng: np.random.Generator) -> Any:
    """Return which ``worlds`` (R, worlds) of W to keep, given the logs of their weights (R, W).

    Weights need not sum to one; -inf rules a world out.  Draws one double for each row.
    ValueError for fewer than one world, for rows of NaN, +inf or -inf alone.
    """
    if worlds < 1:
        raise ValueError(f"worlds is {worlds}; allowed: a number from 1")
    top = log_weights.max(axis=1, keepdims=True, initial=-np.inf)
    bad = np.flatnonzero(~np.isfinite(top))
    if len(bad):
        raise ValueError(
            f"the greatest weight of row {bad[0]} is {top[bad[0], 0]}; allowed: finite"
        )
    cumulated = np.cumsum(np.exp(log_weights - top), axis=1)
    points = (rng.random((len(top), 1)) + np.arange(worlds)) / worlds * cumulated[:, -1:]
    chosen = (cumulated[:, None] <= points[..., None]).sum(axis=2)
    possible = log_weights.shape[1] - 1 - np.isfinite(log_weights[:, ::-1]).argmax(axis=1)
    return np.minimum(chosen, possible[:, None])  # rounding may place a point on the end
