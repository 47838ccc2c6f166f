"""Boards as games of the family give them: lumpy scores, mostly level, now and then far off."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sjavs_env.randomness import derived

# Half the sum of two tables from one agent's side, with the skewness (0.6) and kurtosis (10) of
# the wilder matches between like players; see ``test_boards_are_like_those_that_are_played``.
VALUES = np.array([-12, -9, -6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 9, 12, 16.0])
CHANCES = np.array([1, 2, 6, 22, 60, 60, 70, 560, 85, 62, 70, 28, 10, 4, 2, 0.5])


@dataclass(frozen=True)
class BoardResults:
    """Independent boards of known mean and standard deviation."""

    values: NDArray[np.float64]
    chances: NDArray[np.float64]

    @property
    def mean(self) -> float:
        return float(self.values @ self.chances)

    @property
    def spread(self) -> float:
        return sqrt(float((self.values - self.mean) ** 2 @ self.chances))

    @property
    def won(self) -> float:
        """The share of boards won, level ones counted half."""
        return float((1 + np.sign(self.values)) / 2 @ self.chances)

    def draw(self, rng: np.random.Generator, *shape: int) -> NDArray[np.float64]:
        # the inverse of the distribution function: faster than rng.choice
        below = np.cumsum(self.chances)[:-1]
        return self.values[np.searchsorted(below, rng.random(shape), side="right")]

    def at(self, mean: float) -> BoardResults:
        """The same boards with this mean: all of them moved."""
        return BoardResults(self.values + mean - self.mean, self.chances)


LUMPY = BoardResults(VALUES, CHANCES / CHANCES.sum())


def rng_of(name: str) -> np.random.Generator:
    """A generator of its own for each use, the same in every run."""
    return derived(0, "tests", name)
