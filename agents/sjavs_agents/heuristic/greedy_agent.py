"""The greedy player: takes every trick it can, as cheaply as it can, whoever is winning it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_agents.heuristic.bidding import call_longest, name_longest
from sjavs_agents.heuristic.discards import discard_lowest
from sjavs_agents.heuristic.sight import Sight, TableReader
from sjavs_env import Game, Phase, PlayerView

__all__ = ["GreedyAgent"]


class GreedyAgent:
    """Leads its highest card, wins with its cheapest, else throws its lowest.

    It bids whenever it may, the longest length it may say or the lowest contract, and names its
    longest suit.  It takes what it can get, lays its lowest cards away and never gives up.
    """

    name = "greedy"

    def __init__(self, game: Game) -> None:
        self.reader = TableReader(game)

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return its actions; nothing is drawn."""
        action = mask.argmax(axis=1)  # to take the talon comes first, and to play on
        answers: dict[Phase, Callable[[PlayerView, NDArray[np.int8]], Ints]] = {
            Phase.AUCTION: lambda _, mask: call_longest(self.reader, mask),
            Phase.NAME_TRUMP: partial(name_longest, self.reader),
            Phase.LAY: partial(discard_lowest, self.reader),
            Phase.PLAY: self._play,
        }
        for phase, answer in answers.items():
            rows = np.flatnonzero(view.phase == phase)
            if len(rows):
                action[rows] = answer(view.select(rows), mask[rows])
        return action

    def _play(self, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
        return _card(Sight(self.reader, view, self.reader.legal_cards(mask)))


def _card(sight: Sight) -> Ints:
    high = int(sight.rank.max(initial=0)) + 1
    cheap = high - sight.rank
    worth = np.where(sight.wins_now, high + cheap, cheap)  # any winner before any loser
    worth = np.where(sight.leads, sight.rank, worth)
    return np.where(sight.legal, worth, -1).argmax(axis=1)
