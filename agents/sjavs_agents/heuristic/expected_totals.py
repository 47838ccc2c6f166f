"""What a hand promises where all play for themselves: the points of its tricks, and its melds.

Rules 9 call the sum of both the total of a player.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sjavs_agents.base import Floats, Ints, Words
from sjavs_agents.heuristic.promise import Promise, hand_features
from sjavs_agents.heuristic.sight import TableReader
from sjavs_env import numbered_decks
from sjavs_env.engine.melds import declared, has_marriage
from sjavs_env.rules.tables.meld_tables import MARRIAGE

__all__ = [
    "PROMISES",
    "MeldOdds",
    "TotalPromise",
    "hand_qualities",
    "hands_of_unseen",
    "promise_of",
]

SAMPLE = 8192  # hands by which a meld is judged


@dataclass(frozen=True)
class TotalPromise(Promise):
    """Card points that a hand takes in tricks.

    Least-squares fits; ``python -m benchmarks.fit_totals`` prints them and says how they are made.
    """

    rivals: float  # standard deviation of what another player takes, once this is known


# By whether a player may trump although they could follow suit, and by the number of players.
PROMISES: dict[bool, dict[int, TotalPromise]] = {
    False: {
        2: TotalPromise(1.69, 2.11, 8.58, 3.49, 3.56, 0.56, 11.44, 15.60),
        3: TotalPromise(-5.41, 5.05, 13.43, 5.28, 3.77, 0.34, 14.45, 21.44),
        4: TotalPromise(-10.06, 5.96, 17.57, 6.00, 4.37, 0.26, 16.06, 25.85),
    },
    True: {
        2: TotalPromise(1.18, 2.88, 9.54, 0.10, 1.30, 0.58, 12.03, 15.53),
        3: TotalPromise(-4.14, 4.67, 16.69, 0.64, -0.45, 0.37, 14.65, 22.60),
        4: TotalPromise(-6.90, 4.72, 22.87, 0.97, 0.38, 0.23, 16.45, 27.64),
    },
}


def promise_of(reader: TableReader, players: int) -> TotalPromise:
    """Return what hands promise among so many players."""
    return PROMISES[reader.may_ruff][players]


def hand_qualities(reader: TableReader, hand: Words, mode: Ints) -> Floats:
    """Return trumps, strength, masters, voids and card points (R, 5) of hands in a trump mode."""
    t = reader.game.tables
    found = np.zeros((len(hand), 5))
    for k in range(1, t.n_modes):
        rows = np.flatnonzero(mode == k)
        if not len(rows):
            continue
        held = reader.game.unpack(hand[rows]).view(np.bool_)
        has = hand_features(reader, hand[rows], held, k)
        found[rows] = has.qualities(held @ t.cards.worth[k])
    return found


def hands_of_unseen(reader: TableReader, unseen: Words, size: int, number: int) -> Words:
    """Return possible hands (R, number) of ``size`` of the cards that are unseen (R,).

    They are the first such cards in the numbered decks 0, 1, ...: the same for the same cards.
    """
    t = reader.game.tables
    decks = numbered_decks(t.n_cards, 0, np.arange(number, dtype=np.uint64))
    there = reader.game.unpack(unseen)[:, decks]  # (R, number, N)
    first = there * (np.cumsum(there, axis=2, dtype=np.int8) <= size)
    words = np.where(first == 1, t.cards.bit[decks], t.word_type.type(0))
    return np.asarray(np.bitwise_or.reduce(words, axis=2))


class MeldOdds:
    """Melds of hands, and how likely these are the best at the table.

    Other hands are taken to be any of the pack: so likely is a better meld in one of them.
    """

    def __init__(self, reader: TableReader) -> None:
        self.melds = reader.game.tables.seat_rules.melds
        size = reader.game.tables.n_tricks
        pack = np.full(1, reader.pack, dtype=reader.game.tables.word_type)
        hands = hands_of_unseen(reader, pack, size, SAMPLE)[0]
        modes = 1 + np.arange(SAMPLE) % (reader.game.tables.n_modes - 1)
        self.keys: Ints = np.sort(self._read(hands, modes)[2])

    def of(self, hand: Words, mode: Ints) -> tuple[Ints, Ints, Floats]:
        """Return points (R,) that are certain, points for the best meld, and chance of it.

        The chance is that one other hand has no better meld.
        """
        certain, contested, key = self._read(hand, mode)
        worse = np.searchsorted(self.keys, key, side="right") / len(self.keys)
        return certain, contested, worse

    def _read(self, hand: Words, mode: Ints) -> tuple[Ints, Ints, Ints]:
        points, key, _ = declared(self.melds, hand, mode)
        married = np.where(has_marriage(self.melds, hand, mode), MARRIAGE, 0)
        if not self.melds.marriage_is_meld:
            return married, points, key
        key = np.where(married > 0, np.maximum(key, self.melds.marriage_key), key)
        return np.zeros_like(points), points + married, key
