"""Populations whose true strengths are known, playing the same boards in all pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from sjavs_agents.stats.pair_results import PairResults

NOISE = 1.0  # of each agent on each board, shared by all of its pairs
LEVEL_BELOW = 0.5  # margins nearer to 0 are level, others are rounded to whole points

Pairs = list[tuple[int, int]]


def all_pairs(n: int) -> Pairs:
    return [(i, j) for i in range(n) for j in range(i + 1, n)]


def play_all(
    strengths: NDArray[np.float64],
    boards: int,
    rng: np.random.Generator,
    pairs: Pairs | None = None,
) -> PairResults:
    """Each agent is worth its strength and noise on a board; a margin is rounded to points."""
    worth = strengths + rng.normal(0, NOISE, size=(boards, len(strengths)))
    played = pairs if pairs is not None else all_pairs(len(strengths))
    names = tuple(f"agent {i}" for i in range(len(strengths)))
    return PairResults(names, {(i, j): np.rint(worth[:, i] - worth[:, j]) for i, j in played})


def true_wins(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance (N, N) of the row to win a board of the column, level ones half."""
    ahead = (strengths[:, None] - strengths) / (NOISE * np.sqrt(2))
    edge = LEVEL_BELOW / (NOISE * np.sqrt(2))
    found = (ndtr(ahead - edge) + ndtr(ahead + edge)) / 2
    np.fill_diagonal(found, 0.0)
    return found


def true_margins(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the rounded margins (N, N)."""
    points = np.arange(-40, 41)
    ahead = strengths[:, None, None] - strengths[None, :, None]
    below = ndtr((points + LEVEL_BELOW - ahead) / (NOISE * np.sqrt(2)))
    chances = np.diff(below, axis=2, prepend=0.0)
    return chances @ points
