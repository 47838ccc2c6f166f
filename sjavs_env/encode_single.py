"""What one seat of one game sees, as numbers, without NumPy's cost for a batch of one.

The vectorized ``views.view_of`` and ``encode.Encoder`` are the reference: they decide what a
seat may know and what the numbers mean.  This is their batch-of-one shortcut in pack order,
held equal by tests (``tests/engine/test_single.py``).
"""

from __future__ import annotations

from functools import reduce
from operator import or_, xor

import numpy as np
from numpy.typing import NDArray

from sjavs_env.encode import CHOICES, MOST_TIES, Encoder
from sjavs_env.engine.single import bits_of
from sjavs_env.engine.state import SEATS_OF_GAME, GameState, rows_of
from sjavs_env.rules.tables import N_CLASSES

__all__ = ["SingleEncoder"]


class SingleEncoder:
    """Observations of one game: the bytes of the layout's blocks, joined in its order."""

    def __init__(self, encoder: Encoder) -> None:
        """Prepare for the layout of ``encoder``; ValueError unless it is in pack order."""
        if encoder.order != "pack":
            raise ValueError(f"card order is {encoder.order!r}; allowed: pack")
        t, sizes = encoder.game.tables, {b.name: b.shape[-1] for b in encoder.layout.blocks}
        n = t.n_players
        self._around = [(np.arange(n) + viewer) % n for viewer in range(n)]
        self._full = reduce(or_, t.bit.tolist())
        self._bit = [*t.bit.tolist(), 0]  # NONE -> no card
        self._n_cards = t.n_cards
        self._cards_size = (4 + n) * t.n_cards
        self._call = _one_hot(sizes["calls"])
        self._void = [bytes(v >> k & 1 for k in range(N_CLASSES)) for v in range(1 << N_CLASSES)]
        self._pile, self._ties = rows_of(("pile",)).start, rows_of(("ties",)).start
        self._winner = rows_of(("winner",)).start
        # for each viewer: where a choice stands in the state, and its block for each value
        self._choices = [
            [(rows_of((c,)).start, _choice(c, sizes[c], viewer, n)) for c in CHOICES]
            for viewer in range(n)
        ]

    def encode(self, state: GameState, viewer: int) -> NDArray[np.uint8]:
        """Return the observation (F,) of a seat, read-only."""
        around, bit = self._around[viewer], self._bit
        game = state.game_fields[:, 0].tolist()
        calls, points, tricks, score, void, trick, *_ = (
            state.seat_fields[:, 0].take(around, 1).tolist()  # seats from the viewer
        )
        dealt, held = state.words[:, 0].take(around, 1).tolist()
        hand, played = held[0], list(map(xor, dealt, held))
        winning = trick[game[self._winner] - viewer]  # a negative place counts from the end
        unseen = self._full & ~reduce(or_, played, hand)
        on_table = reduce(or_, [bit[card] for card in trick])
        cards, shift = 0, self._n_cards
        for word in (*reversed(played), bit[winning], on_table, unseen, hand):
            cards = cards << shift | word
        blocks = (
            bits_of(cards, self._cards_size),
            bytes(points),
            bytes(tricks),
            bytes(score),
            bytes((game[self._pile], min(game[self._ties], MOST_TIES))),
            state.fell.tobytes(),
            *[self._void[classes] for classes in void],
            *[self._call[call] for call in calls],
            *[blocks[game[at]] for at, blocks in self._choices[viewer]],
        )
        return np.frombuffer(b"".join(blocks), np.uint8)


def _one_hot(size: int) -> list[bytes]:
    return [bytes(i == k for i in range(size)) for k in range(size)]


def _choice(name: str, size: int, viewer: int, n_players: int) -> list[bytes]:
    """The block of a choice for each of its values in the state."""
    hot = _one_hot(size)
    away = [(seat - viewer) % n_players for seat in range(n_players)]
    if name == "declarer":  # NONE comes first in the block, and last in a list
        return [*(hot[1 + seat] for seat in away), hot[0]]
    return [hot[seat] for seat in away] if name in SEATS_OF_GAME else hot
