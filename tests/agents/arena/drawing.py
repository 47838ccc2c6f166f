"""Agents for tests of evaluations that stop and go on: they draw, and play few boards at once."""

from __future__ import annotations

import time
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_agents.heuristic.random_agent import RandomAgent
from sjavs_env import Game, PlayerView


class Small(RandomAgent):
    """Draws; a shard of its is 8 boards."""

    name = "small"
    boards_at_once = 8

    def __init__(self, game: Game) -> None:
        """Any game will do."""


class Middling(Small):
    """Draws; a shard of its is 64 boards."""

    name = "middling"
    boards_at_once = 64


class Slow(Small):
    """The same, and it takes its time: about half a second for a shard."""

    name = "slow"

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Draw after a while."""
        time.sleep(0.01)
        return super().act(view, mask, rng)


class Fickle(Small):
    """The same, until it has had enough."""

    name = "fickle"
    patience: ClassVar[int] = 2**62  # questions that it still answers

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Draw, or refuse."""
        Fickle.patience -= 1
        if Fickle.patience < 0:
            raise RuntimeError("no more")
        return super().act(view, mask, rng)
