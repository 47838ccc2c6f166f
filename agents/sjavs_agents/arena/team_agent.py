"""Two different agents as partners."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Ints, boards_at_once, fair
from sjavs_env import Game, PlayerView

__all__ = ["TeamAgent"]


class TeamAgent:
    """One side of a game of two against two: the first has seat 0 or 1, the second 2 or 3.

    Seats are dealt to in turn from board to board, so each of them has every place relative to
    the dealer equally often.
    """

    def __init__(self, first: Agent, second: Agent, game: Game) -> None:
        """ValueError, one line, for agents that see all hands, and games of other sides."""
        if game.rules.sides != "partners" or game.tables.n_players != 4:
            raise ValueError(
                f"partners are asked for in {game.rules.name}; allowed: games of two against two"
            )
        self.first, self.second = fair(first), fair(second)
        self.name = f"{first.name} & {second.name}"
        self.boards_at_once = boards_at_once([first, second])

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return actions (R,); both draw from ``rng``, the first one first."""
        actions = np.empty(len(view), dtype=np.intp)
        is_second = view.seat >= 2
        for agent, chosen in ((self.first, ~is_second), (self.second, is_second)):
            rows = np.flatnonzero(chosen)
            if len(rows):
                actions[rows] = agent.act(view.select(rows), mask[rows], rng)
        return actions
