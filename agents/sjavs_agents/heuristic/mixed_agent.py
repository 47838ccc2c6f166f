"""Two agents as one: one decides what comes first in a deal, the other the rest.

Exchanging only one of them measures bidding, exchange and card play apart, on the same deals.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import (
    Agent,
    Bool,
    Floats,
    Ints,
    boards_at_once,
    fair,
    known_probabilities,
)
from sjavs_env import Phase, PlayerView

__all__ = ["MixedAgent"]


class MixedAgent:
    """``caller|player``: the calls of the auction and all else; or ``caller||player``.

    In the latter the first decides everything but the cards that are played to tricks.
    """

    def __init__(self, caller: Agent, player: Agent, *, only_cards: bool = False) -> None:
        """``only_cards`` leaves ``player`` nothing but the cards."""
        self.caller = fair(caller)
        self.player = fair(player)
        self.only_cards = only_cards
        self.boards_at_once = boards_at_once([caller, player])
        self.name = f"{caller.name}{'||' if only_cards else '|'}{player.name}"

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return actions (R,); both draw from ``rng``, the caller first."""
        actions = np.empty(len(view), dtype=np.intp)
        for agent, rows in self._shares(view):
            actions[rows] = agent.act(view.select(rows), mask[rows], rng)
        return actions

    def probabilities(self, view: PlayerView, mask: NDArray[np.int8]) -> Floats | None:
        """Return the probabilities (R, A) of actions; None unless both tell theirs."""
        found = np.zeros(mask.shape)
        for agent, rows in self._shares(view):
            told = known_probabilities(agent, view.select(rows), mask[rows])
            if told is None:
                return None
            found[rows] = told
        return found

    def _shares(self, view: PlayerView) -> Iterator[tuple[Agent, Ints]]:
        """Yield each of the two with the rows (R,) that it decides, if there are any."""
        calls: Bool = view.phase != Phase.PLAY if self.only_cards else view.phase == Phase.AUCTION
        for agent, chosen in ((self.caller, calls), (self.player, ~calls)):
            rows = np.flatnonzero(chosen)
            if len(rows):
                yield agent, rows
