"""What makes a hand good or bad with a suit as trumps, and what it promises to take in tricks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sjavs_agents.base import Bool, Floats, Ints, Words
from sjavs_agents.heuristic.sight import TableReader

__all__ = ["HandFeatures", "Promise", "hand_features"]


@dataclass(frozen=True, eq=False)
class HandFeatures:
    """What makes hands (R,) good or bad with one suit as trumps."""

    trumps: Ints  # how many
    strength: Floats  # each trump by the share of the other trumps that it beats
    masters: Ints  # plain cards that nothing in their suit beats
    voids: Ints  # plain suits without a card

    def qualities(self, points: Floats) -> Floats:
        """Return these and the points in the hands (R, 5), as a ``Promise`` counts them."""
        return np.stack([self.trumps, self.strength, self.masters, self.voids, points], axis=1)


def hand_features(reader: TableReader, hand: Words, held: Bool, mode: int) -> HandFeatures:
    """Look at hands (R,), also given card by card (R, N), in one trump mode."""
    t, one = reader.game.tables, hand[:, None]
    is_trump = t.cards.class_of[mode] == reader.trump
    own = held & is_trump
    trumps, of_pack = own.sum(axis=1), int(is_trump.sum())
    stronger = np.bitwise_count(reader.above[mode] & ~one).astype(np.intp)
    others = np.maximum(of_pack - trumps, 1)
    strength = trumps - (stronger * own).sum(axis=1) / others
    masters = (held & ~is_trump & (stronger == 0)).sum(axis=1)
    plain = t.cards.class_set[mode, : reader.trump]
    voids = ((one & plain[plain > 0]) == 0).sum(axis=1)
    return HandFeatures(trumps, strength, masters, voids)


@dataclass(frozen=True)
class Promise:
    """What a hand takes in tricks, a straight line through its qualities, and how far that is off.

    In card points, or in shares of all card points: as it was fitted.
    """

    base: float
    trump: float  # for each trump
    strength: float  # for each trump as far as it beats the others
    master: float  # for each plain card that nothing in its suit beats
    void: float  # for each plain suit without a card
    points: float  # for the card points, or their share, in the hand
    spread: float  # standard deviation of what it takes in the end

    def mean(self, qualities: Floats) -> Floats:
        """Return what to expect (R,) of hands with these qualities (R, 5), as listed above."""
        expected = np.full(len(qualities), self.base)
        weights = (self.trump, self.strength, self.master, self.void, self.points)
        for k, weight in enumerate(weights):
            expected += weight * qualities[:, k]
        return expected
