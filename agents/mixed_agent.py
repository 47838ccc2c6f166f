"""Two agents as one: one makes the calls of the auction, the other decides everything else.

Exchanging only the caller, or only the player, of an agent measures its bidding and its card
play apart, on the same deals.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, Ints, OpenHandedAgent
from sjavs_env import Phase, PlayerView

__all__ = ["MixedAgent"]


class MixedAgent:
    """``caller|player``."""

    def __init__(self, caller: Agent, player: Agent) -> None:
        for agent in (caller, player):
            if isinstance(agent, OpenHandedAgent):
                raise ValueError(f"{agent.name} sees all hands; allowed: players that do not")
        self.caller = caller
        self.player = player
        self.name = f"{caller.name}|{player.name}"

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return actions (R,); both draw from ``rng``, the caller first."""
        actions = np.empty(len(view), dtype=np.intp)
        calls = view.phase == Phase.AUCTION
        for agent, chosen in ((self.caller, calls), (self.player, ~calls)):
            rows = np.flatnonzero(chosen)
            if len(rows):
                actions[rows] = agent.act(view.select(rows), mask[rows], rng)
        return actions
