"""What one seat of one game sees, as numbers, without what NumPy costs for a batch of one.

The vectorized ``views.view_of`` and ``encode.Encoder`` are the reference: they decide what a
seat may know and what the numbers mean.  This is their batch-of-one shortcut in pack order,
held equal by tests (``tests/engine/test_single.py``).
"""

from __future__ import annotations

from operator import itemgetter, lshift, xor

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.state import ONLY_GAME, SEATS_OF_GAME, GameState, rows_of
from sjavs_env.observation.encode import MOST_TIES, Encoder
from sjavs_env.observation.views import view_of
from sjavs_env.rules.tables import N_CLASSES

__all__ = ["SingleEncoder"]

_DIGITS = bytes.maketrans(b"01", b"\0\1")


class SingleEncoder:
    """Masks and observations of one game; these are the blocks of the layout as bytes, joined."""

    def __init__(self, encoder: Encoder) -> None:
        """Prepare for the layout of ``encoder``; ValueError unless it is in pack order."""
        if encoder.order != "pack":
            raise ValueError(f"card order is {encoder.order!r}; allowed: pack")
        t, self._n_actions = encoder.game.tables, encoder.game.actions.size
        self._encoder = encoder
        self._is_plain = not (t.deal.n_talon or t.deal.n_columns or t.match.least or t.seats)
        if self._is_plain:
            self._prepare(encoder)

    def _prepare(self, encoder: Encoder) -> None:
        """Write down the blocks of every value."""
        t, width = encoder.game.tables, {b.name: b.shape[-1] for b in encoder.layout.blocks}
        n = t.n_players
        # for each viewer: the values of all seats, its own first, then in the order of play
        self._around = [itemgetter(*((v + i) % n for i in range(n))) for v in range(n)]
        self._full = sum(t.cards.bit.tolist())
        self._bit = [*t.cards.bit.tolist(), 0]  # NONE -> no card
        sets = encoder.layout.slices["played"].stop // t.n_cards  # sets of cards come first
        self._shifts = [i * t.n_cards for i in range(sets)]
        self._n_card_bits = sets * t.n_cards
        self._void = [_bits(classes, N_CLASSES) for classes in range(1 << N_CLASSES)]
        self._call = _one_hot(width["calls"])
        self._not_swapped = bytes(width["swapped"])  # pack order never swaps suits
        self._pile, self._ties, self._winner = map(_place, ("pile", "ties", "winner"))
        # for each viewer: where a choice stands in the state, and its block for each value
        self._choices = [
            [(_place(name), _choice(name, width[name], v, n)) for name in encoder.choices]
            for v in range(n)
        ]

    def encode(self, state: GameState, viewer: int) -> NDArray[np.uint8]:
        """Return the observation (F,) of a seat, read-only."""
        if not self._is_plain:
            view = view_of(self._encoder.game, state, ONLY_GAME, np.array([viewer]))
            counts = self._encoder.encode(view)[0]
            counts.setflags(write=False)
            return counts
        around, bit = self._around[viewer], self._bit
        game = state.game_fields[:, 0].tolist()
        calls, points, tricks, score, void, trick, *_ = state.seat_fields[:, 0].tolist()
        dealt, held = state.words[:, 0].tolist()
        hand, played = held[viewer], around([*map(xor, dealt, held)])
        # Hands and cards played have no card in common, so their sum is their union.
        words = (
            hand,
            self._full & ~(hand + sum(played)),
            sum([bit[card] for card in trick]),
            bit[trick[game[self._winner]]],
            *played,
        )
        ties = min(game[self._ties], MOST_TIES)
        blocks = [
            _bits(sum(map(lshift, words, self._shifts)), self._n_card_bits),
            bytes((*around(points), *around(tricks), *around(score), game[self._pile], ties)),
            state.fell.tobytes(),
        ]
        blocks += [self._void[classes] for classes in around(void)]
        blocks += [self._call[call] for call in around(calls)]
        blocks += [choice[game[at]] for at, choice in self._choices[viewer]]
        blocks.append(self._not_swapped)
        return np.frombuffer(b"".join(blocks), np.uint8)

    def mask(self, actions: int) -> NDArray[np.int8]:
        """Return a set of actions of ``SingleGame`` as a new mask (A,)."""
        return np.frombuffer(bytearray(_bits(actions, self._n_actions)), np.int8)


def _bits(number: int, width: int) -> bytes:
    """Return the bits of a number as bytes 0 and 1, the lowest first."""
    return format(number, f"0{width}b")[::-1].encode().translate(_DIGITS)


def _place(name: str) -> int:
    return rows_of((name,)).start


def _one_hot(size: int) -> list[bytes]:
    return [_bits(1 << k, size) for k in range(size)]


def _choice(name: str, size: int, viewer: int, n_players: int) -> list[bytes]:
    """The block of a choice for each of its values in the state."""
    hot = _one_hot(size)
    away = [(seat - viewer) % n_players for seat in range(n_players)]
    if name == "declarer":  # NONE comes first in the block, and last in a list
        return [*(hot[1 + seats] for seats in away), hot[0]]
    return [hot[seats] for seats in away] if name in SEATS_OF_GAME else hot
