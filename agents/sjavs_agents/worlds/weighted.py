"""Worlds drawn evenly, weighed, and kept in proportion to their weights.

Sampling and importance resampling (Rubin 1987; Smith and Gelfand, Am. Stat. 46(2), 1992).  Only
the hands of worlds are drawn and weighed; whole states are built of those that are kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from sjavs_agents.base import Floats
from sjavs_agents.worlds.resampling import resample
from sjavs_agents.worlds.sampler import Hands, Sampler
from sjavs_env import GameState, PlayerView

__all__ = ["OVERSAMPLE", "WeightedWorlds"]

OVERSAMPLE = 8  # worlds drawn for each one kept


class WeightedWorlds(ABC):
    """Draws worlds of one game, likely ones more often."""

    def __init__(self, sampler: Sampler) -> None:
        self.game = sampler.game
        self.sampler = sampler

    def sample(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> GameState:
        """Return R * worlds games as ``Sampler.sample`` does, one of them perhaps repeatedly."""
        n = OVERSAMPLE * worlds
        drawn = self.sampler.draw(view, n, rng)
        rows = np.arange(len(view))
        weights = self.weigh(view, drawn, rng).reshape(len(view), n)
        kept = drawn.select((resample(weights, worlds, rng) + n * rows[:, None]).ravel())
        return self.sampler.build(view.select(np.repeat(rows, worlds)), kept, rng)

    @abstractmethod
    def weigh(self, view: PlayerView, drawn: Hands, rng: np.random.Generator) -> Floats:
        """Return the logs of the weights (W,) of worlds drawn for R views, W / R for each."""
