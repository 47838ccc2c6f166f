"""The greedy player: takes every trick it can, as cheaply as it can, whoever is winning it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.base import Ints
from agents.bidding import call_longest, name_longest
from agents.card_sense import CardSense, Sight
from sjavs_env import Game, Phase, PlayerView

__all__ = ["GreedyAgent"]


class GreedyAgent:
    """Leads its highest card, wins with its cheapest, else throws its lowest.

    It bids whenever it may, the longest length it may say, and names its longest suit.
    """

    name = "greedy"

    def __init__(self, game: Game) -> None:
        self.sense = CardSense(game)

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return its actions; nothing is drawn."""
        action = call_longest(self.sense, mask)
        named = np.flatnonzero(view.phase == Phase.NAME_TRUMP)
        action[named] = name_longest(self.sense, view.select(named), mask[named])
        plays = np.flatnonzero(view.phase == Phase.PLAY)
        legal = self.sense.legal_cards(mask[plays])
        action[plays] = _card(Sight(self.sense, view.select(plays), legal))
        return action


def _card(sight: Sight) -> Ints:
    high = int(sight.rank.max(initial=0)) + 1
    cheap = high - sight.rank
    worth = np.where(sight.wins_now, high + cheap, cheap)  # any winner before any loser
    worth = np.where(sight.leads, sight.rank, worth)
    return np.where(sight.legal, worth, -1).argmax(axis=1)
