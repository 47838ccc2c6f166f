"""How surprising boards would be if two agents were equal: sign flips, and many pairs at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_env.rules.terms import Floats

__all__ = ["holm", "sign_flip_p"]

DRAWS = 10_000  # of signs, where there are too many ways to flip them
MOST_WAYS = 2**18  # of flipping signs that are all looked at
_BATCH = 2**22  # numbers held at once
_LEVEL = 1e-9  # sums that differ by less, relative to the largest possible, are level


def sign_flip_p(
    boards: NDArray[np.floating[Any]], rng: np.random.Generator, draws: int = DRAWS
) -> float:
    """Return the two-sided p-value of board results (boards,) by random signs.

    If the two agents are equal, a board might as well have gone the other way: the p-value is the
    share of all ways to flip signs whose sum is at least as far from 0 as the one observed
    (Fisher's randomisation test; it assumes no distribution).  Where there are few ways all are
    looked at; else ``draws`` of them, and the one observed is counted among them, so that the test
    is valid as it stands and p is never 0 (Phipson and Smyth, 2010).  Boards of the same size are
    flipped together, by one binomial number, so memory does not grow with boards.
    """
    sizes, counts = np.unique(np.abs(boards[boards != 0]), return_counts=True)
    if not len(sizes):
        return 1.0
    largest = float(sizes @ counts)
    least = abs(float(boards.sum())) - _LEVEL * largest
    if prod(int(n) + 1 for n in counts) <= MOST_WAYS:
        return _share_of_all(sizes, counts, least)
    extreme = _extreme_draws(sizes, counts, least, rng, draws)
    return (1 + extreme) / (1 + draws)


def _share_of_all(sizes: Floats, counts: NDArray[np.intp], least: float) -> float:
    """The share of all flips whose sum is at least ``least`` from 0."""
    sums, chances = np.zeros(1), np.ones(1)
    for size, n in zip(sizes, counts.tolist(), strict=True):
        shifts = size * (2 * np.arange(n + 1) - n)
        ways = np.array([comb(n, k) / 2**n for k in range(n + 1)])
        sums = (sums[:, None] + shifts).ravel()
        chances = (chances[:, None] * ways).ravel()
    return min(1.0, float(chances[np.abs(sums) >= least].sum()))


def _extreme_draws(
    sizes: Floats,
    counts: NDArray[np.intp],
    least: float,
    rng: np.random.Generator,
    draws: int,
) -> int:
    """How many of so many random flips have a sum at least ``least`` from 0."""
    sums, step = np.zeros(draws), max(1, _BATCH // draws)
    for start in range(0, len(sizes), step):
        size, n = sizes[start : start + step], counts[start : start + step]
        positive = rng.binomial(n, 0.5, size=(draws, len(n)))
        sums += (2 * positive - n) @ size
    return int((np.abs(sums) >= least).sum())


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values corrected for how many there are, in their order; ``None`` stays ``None``.

    Whoever calls all pairs unequal whose corrected value is at most 5 % is wrong about any of
    them in at most 5 % of all tournaments (Holm, 1979).  Pairs share agents and cards, so their
    values depend on each other in ways that nobody has written down.  Holm's method holds under
    any dependence, as Bonferroni's does, and finds at least as much; methods that find more
    (Hochberg's) need values that are independent or rise together, and those for false discovery
    rates (Benjamini and Hochberg's) promise less than one expects of a crosstable.
    """
    known = np.array([p for p in p_values if p is not None])
    order = np.argsort(known, kind="stable")
    factors = np.arange(len(known), 0, -1)
    corrected = np.empty_like(known)
    corrected[order] = np.minimum(1, np.maximum.accumulate(known[order] * factors))
    found = iter(corrected.tolist())
    return [None if p is None else next(found) for p in p_values]
