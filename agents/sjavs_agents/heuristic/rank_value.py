"""What a hand is worth where the best totals win a mark and a total below a limit loses.

The tricks of a hand promise a normal total; the others' totals follow from what is left for
them (rules 5.1 says what marks and the bag are worth).
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Floats, Ints, Words
from sjavs_agents.heuristic.expected_totals import (
    MeldOdds,
    TotalPromise,
    hand_qualities,
    promise_of,
)
from sjavs_agents.heuristic.sight import TableReader
from sjavs_agents.stats.distributions import normal_below

__all__ = ["RankValue"]

STEPS = np.linspace(-3, 3, 25)  # of a normal total, in standard deviations
WEIGHTS = np.exp(-(STEPS**2) / 2)
WEIGHTS /= WEIGHTS.sum()


class RankValue:
    """Game points to expect from hands, by the tables of one game."""

    def __init__(self, reader: TableReader) -> None:
        self.reader = reader
        self.odds = MeldOdds(reader)

    def game_points(self, hand: Words, mode: Ints, active: Ints, chances: Floats) -> Floats:
        """Return the game points (R,) that hands promise to who plays them.

        ``active`` (R,) are the players in the match; ``chances`` (R, P + 1) those that so many
        play in this deal.
        """
        t = self.reader.game.tables
        qualities = hand_qualities(self.reader, hand, mode)
        certain, contested, wins = self.odds.of(hand, mode)
        found = chances[:, 1] * t.seat_rules.lone_mark
        for players in range(2, t.n_players + 1):
            if not chances[:, players].any():
                continue
            by = promise_of(self.reader, players)
            tricks = by.mean(qualities)
            best = wins ** (players - 1)
            plain = self._expected(by, players, tricks, certain, active)
            more = self._expected(by, players, tricks, certain + contested, active)
            found += chances[:, players] * (best * more + (1 - best) * plain)
        return found

    def _expected(
        self, by: TotalPromise, players: int, tricks: Floats, melds: Ints, active: Ints
    ) -> Floats:
        """Game points (R,) of players who expect so much from their tricks, melds besides."""
        seats = self.reader.game.tables.seat_rules
        taken = tricks[:, None] + by.spread * STEPS  # (R, steps)
        total = taken + melds[:, None]
        rest = (self._in_play(players) - taken) / (players - 1)

        def below(bound: Floats | float) -> Floats:  # chance that a rival has less
            return normal_below((bound - rest) / by.rivals)

        marks, mark = seats.marks[active][:, None], seats.mark_worth[active][:, None]
        in_bag, level = below(seats.limit - 0.5), below(total)
        alone = in_bag ** (players - 1)
        worth = mark + np.maximum(seats.sole_mark - mark, 0) * alone
        able = worth * _is_among(marks, players - 1, level)
        if seats.bag == "zero":  # each zero is a point for all others
            able = able + (players - 1) * in_bag
        return np.asarray(np.where(total >= seats.limit - 0.5, able, -1.0) @ WEIGHTS)

    def _in_play(self, players: int) -> float:
        """Card points that so many hands win together, on the average."""
        t = self.reader.game.tables
        share = players * t.n_tricks / t.n_cards
        return share * float(t.cards.worth[1:].sum(axis=1).mean()) + t.seat_rules.last_trick


def _is_among(best: NDArray[np.intp], rivals: int, below: Floats) -> Floats:
    """Chance that fewer than ``best`` rivals have more, each with chance 1 - ``below``."""
    above = 1 - below
    terms = [
        np.where(j < best, comb(rivals, j) * above**j * below ** (rivals - j), 0)
        for j in range(rivals + 1)
    ]
    return np.asarray(np.sum(terms, axis=0))
