"""PlayerView -> numbers: named blocks over one flat vector of small counts.

The vector is ``uint8``: bits, one-hot bits and whole numbers.  ``ObservationLayout.scale``
brings every feature to 0..1 (``observation * scale``).  Cards stand in one of two orders:
``"pack"`` (card ids) or ``"trump"`` (by strength under the named trump suit: plain suits
first, trumps last), which spares a learner from relearning play for every trump suit.
In trump order a card action is a place in that order as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.game import Game
from sjavs_env.errors import is_one_of, shown
from sjavs_env.observation.bits import BitWriter, bits_of_sets, one_hot
from sjavs_env.observation.layout import (
    CHOICES,
    MAY_BE_NONE,
    MOST_TIES,
    MOST_ZEROS,
    SEAT_CHOICES,
    Block,
    ObservationLayout,
    observation_layout,
)
from sjavs_env.observation.views import PlayerView, SeatView
from sjavs_env.rules.tables import N_CLASSES, NONE, Ints, Phase, Words
from sjavs_env.rules.tables.meld_tables import UNIT, key_parts

__all__ = [
    "MOST_TIES",
    "OBSERVATION_VERSION",
    "Block",
    "CardOrder",
    "Encoder",
    "ObservationLayout",
    "observation_layout",
]

OBSERVATION_VERSION = 1  # goes up when numbers change their meaning; weights are bound to it

CardOrder = Literal["pack", "trump"]


class Encoder:
    """Encode views, masks and actions of one game in one card order."""

    def __init__(self, game: Game, order: CardOrder = "pack") -> None:
        if not is_one_of(order, ("pack", "trump")):
            raise ValueError(f"card order is {shown(order)}; allowed: pack, trump")
        self.game = game
        self.order = order
        self.layout = observation_layout(game)
        self.oracle_size = self.layout.size + game.tables.n_hidden * game.tables.n_cards
        self._full = np.bitwise_or.reduce(game.tables.cards.bit)
        nothing = game.tables.word_type.type(0)
        self._bit = np.append(game.tables.cards.bit, nothing)  # NONE -> no card
        self.choices = tuple(name for name in CHOICES if name in self.layout.slices)
        self._bits = BitWriter(self._bit_tables(), self.layout.slices["void"].start)
        bits = np.arange(1 << N_CLASSES)[:, None] >> np.arange(N_CLASSES) & 1
        places = game.tables.slots.class_place[:, :N_CLASSES]
        self._void_places = (bits[None] << places[:, None]).sum(axis=2).astype(np.uint8)

    def _bit_tables(self) -> list[NDArray[np.uint64]]:
        """What the blocks of bits that come last make of each value, in their order."""
        t, slices = self.game.tables, self.layout.slices
        tables = [np.arange(1 << N_CLASSES, dtype=np.uint64)] * t.n_players  # void
        if "calls" in slices:
            tables += [one_hot(range(2 + t.auction.n_bids))] * t.n_players
        place = np.maximum(np.cumsum(np.isin(list(Phase), t.course.phases)) - 1, 0)
        for name in self.choices:
            values = list(range(slices[name].stop - slices[name].start))
            if name in MAY_BE_NONE:  # NONE comes first in the block, and last in a table
                values = [*values[1:], 0]
            tables.append(one_hot(place if name == "phase" else values))
        return [*tables, np.arange(2, dtype=np.uint64)]  # swapped

    def encode(
        self,
        view: PlayerView,
        out: NDArray[np.uint8] | None = None,
        arranged: Ints | None = None,
    ) -> NDArray[np.uint8]:
        """Return the observations (R, F), written into ``out`` if given.

        ``arranged`` saves time where the caller has asked for the ``arrangement`` already.
        """
        rows, s = len(view), self.layout.slices
        if out is None:
            out = np.empty((rows, self.layout.size), dtype=np.uint8)
        if arranged is None:
            arranged = self.arrangement(view)
        cards = bits_of_sets(self._words(view, arranged), self.game.tables.n_cards)
        start = cards.shape[1]
        out[:, :start] = cards
        _write_counts(out, start, self._counts(view))
        out[:, s["fell"]] = self._in_order(view.fell, arranged)
        if view.seats is not None:
            _write_counts(out, s["fell"].stop, self._seat_counts(view.seats))
        self._bits.write(out, self._values(view, arranged))
        return out

    def _counts(self, view: PlayerView) -> list[Ints]:
        """The counts that follow the cards, seats first, as the layout lists them."""
        least = self.game.tables.match.least
        score = np.clip(view.score - least, 0, 255) if least else view.score
        counts = [view.points.T, view.tricks.T, score.T, view.pile[None]]
        if "ties" in self.layout.slices:
            counts.append(np.minimum(view.ties, MOST_TIES)[None])
        return counts

    def _seat_counts(self, seats: SeatView) -> list[Ints]:
        """The counts of games in which seats may be out, seats first, as the layout lists them."""
        counts = (
            seats.active,
            seats.playing,
            np.minimum(seats.zeros, MOST_ZEROS),
            seats.melds // UNIT,
            *key_parts(seats.announced),
        )
        return [values.T for values in counts]

    def arrangement(self, view: PlayerView) -> Ints:
        """Return how the cards of each view are arranged (R,): 2 * mode, + 1 for swapped twins.

        Twin suits differ in name only.  Laying them out by what the viewer holds of them, and
        then by what is still out, makes one position of two that are the same.
        """
        plain = 2 * view.mode
        if self.order == "pack":
            return plain
        t = self.game.tables
        played = reduce(np.bitwise_or, view.played.T)
        words = np.stack([view.hand, self._full & ~(played | view.hand)])
        slots = self._to_slots(words, plain).astype(np.uint64)
        size = t.slots.twin_size[view.mode].astype(np.uint64)
        start = np.maximum(t.slots.twins[view.mode], 0).astype(np.uint64)
        ones = (np.uint64(1) << size) - np.uint64(1)
        held, out = ((slots >> start[:, i]) & ones for i in (0, 1))
        mine, other = (held[0] << size) | held[1], (out[0] << size) | out[1]
        return plain + (mine > other)

    def encode_oracle(self, view: PlayerView, hidden: Words) -> NDArray[np.uint8]:
        """Return observations followed by the hidden sets of cards: (R, F + hidden * N)."""
        arranged = self.arrangement(view)
        seen = self.encode(view, arranged=arranged)
        return np.concatenate([seen, self.hidden_bits(hidden, arranged)], axis=1)

    def hidden_bits(self, hidden: Words, arranged: Ints) -> NDArray[np.uint8]:
        """Return sets of hidden cards (R, hidden) as bits (R, hidden * N), cards as arranged."""
        return bits_of_sets(self._ordered(hidden.T, arranged), self.game.tables.n_cards)

    def encode_mask(self, mask: NDArray[np.int8], arranged: Ints) -> NDArray[np.int8]:
        """Return masks (R, A) of the game with their cards as ``arrangement`` has them."""
        if self.order == "pack":
            return mask
        out = mask.copy()
        for start in self.game.actions.card_starts:
            cards = slice(start, start + self.game.tables.n_cards)
            words = self._packed(mask[:, cards])
            out[:, cards] = self._unpack(self._to_slots(words, arranged))
        return out

    def _packed(self, bits: NDArray[np.int8]) -> Words:
        """Return bits (R, N) as words (R,)."""
        packed = np.packbits(bits.view(np.uint8), axis=1, bitorder="little")
        word = np.zeros((len(bits), self.game.tables.word_type.itemsize), dtype=np.uint8)
        word[:, : packed.shape[1]] = packed
        return word.view(self.game.tables.word_type)[:, 0]

    def decode_actions(self, actions: Ints, arranged: Ints) -> Ints:
        """Return the game's actions (R,) for actions in this encoder's order."""
        if self.order == "pack":
            return actions
        n, decoded = self.game.tables.n_cards, actions
        for start in self.game.actions.card_starts:
            slot = actions - start
            is_card = (slot >= 0) & (slot < n)
            card = self.game.tables.slots.card_at[arranged, np.where(is_card, slot, 0)]
            decoded = np.where(is_card, start + card, decoded)
        return decoded

    def _words(self, view: PlayerView, arranged: Ints) -> Words:
        """The sets of cards of an observation (4 + P + more, R), as the layout lists them."""
        seen = [view.hand, *view.played.T, *self._apart(view)]
        hand, *others = self._ordered(_stacked(seen), arranged)
        unseen = self._full & ~reduce(np.bitwise_or, others, hand)
        trick = self._bit[self._placed(view.trick.T, arranged)]  # (P, R) the card of each seat
        winning = trick.reshape(-1)[view.winner * len(view) + np.arange(len(view))]
        return _stacked([hand, unseen, reduce(np.bitwise_or, trick), winning, *others])

    def _apart(self, view: PlayerView) -> list[Words]:
        """Sets of cards (R,) that only some games have, as the layout lists them."""
        sets = [view.laid] if "laid" in self.layout.slices else []
        if "open" in self.layout.slices:
            sets += [*view.open.T, *view.covering.T]
        if view.seats is not None:
            seats = view.seats
            sets += [self._bit[seats.turned], seats.out, seats.aside, *seats.known.T]
        return sets

    def _ordered(self, words: Words, arranged: Ints) -> Words:
        """Words (sets, R) with their cards in this encoder's order."""
        return words if self.order == "pack" else self._to_slots(words, arranged)

    def _placed(self, cards: Ints, arranged: Ints) -> Ints:
        """Places of single cards (cards, R) in this encoder's order; NONE stays."""
        if self.order == "pack":
            return cards
        return np.where(cards == NONE, NONE, self.game.tables.slots.slot_of[arranged, cards])

    def _unpack(self, words: Words) -> NDArray[np.uint8]:
        """Return words (..., ) as bits (..., N)."""
        return self.game.unpack(words).view(np.uint8)

    def _to_slots(self, words: Words, arranged: Ints) -> Words:
        """Move the cards of words (sets, R) to their places in the order of strength."""
        table = self.game.tables.slots.to_slots
        n_bytes = table.shape[1]
        as_bytes = np.ascontiguousarray(words).view(np.uint8).reshape(*words.shape, n_bytes)
        first = arranged * (n_bytes * 256)
        moved = np.zeros_like(words)
        for i in range(n_bytes):
            moved |= table.reshape(-1)[first + (256 * i) + as_bytes[..., i]]
        return moved

    def _in_order(self, per_card: NDArray[np.uint8], arranged: Ints) -> NDArray[np.uint8]:
        if self.order == "pack":
            return per_card
        n = self.game.tables.n_cards
        at = self.game.tables.slots.card_at[arranged] + (np.arange(len(arranged)) * n)[:, None]
        return per_card.reshape(-1)[at]

    def _values(self, view: PlayerView, arranged: Ints) -> Iterator[Ints]:
        """What the bit items show (R,), in their order."""
        is_pack = self.order == "pack"
        for void in view.void.T:
            yield void if is_pack else self._void_places[arranged, void]
        if "calls" in self.layout.slices:
            yield from view.calls.T
        for name in self.choices:
            value = getattr(view.seats if name in SEAT_CHOICES else view, name)
            if name == "led" and not is_pack:
                value = self.game.tables.slots.class_place[arranged, value]
            yield value
        yield arranged & 1


def _stacked(sets: list[Words]) -> Words:
    """Return sets (R,) as one array (sets, R), as ``numpy.stack`` does, but faster."""
    return np.concatenate(sets).reshape(len(sets), len(sets[0]))


def _write_counts(out: NDArray[np.uint8], start: int, counts: list[Ints]) -> None:
    """Write numbers, each (P, R) or (1, R), from a column on: in one piece, which costs less."""
    together = np.concatenate(counts, dtype=np.uint8, casting="unsafe")
    out[:, start : start + len(together)] = together.T
