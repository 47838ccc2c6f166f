"""The state of a batch of games, as named views of a few arrays.

Small integers are kept as ``intp`` so that they index other arrays without a cast, one row per
field, so that a whole group of fields is gathered or written at once.  Sets of cards are
words.  The engine steps in place; whoever needs the old state takes ``copy()``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_env.rules.tables import NO_LEAD, NONE, Ints, RuleTables, Words

__all__ = [
    "REDEAL",
    "SEATS_OF_GAME",
    "TRICK",
    "GameState",
    "Phase",
    "card_problems",
    "empty_state",
    "rows_of",
]

REDEAL = -2  # the outcome of a deal that nobody bid on; NONE while a deal is going on


class Phase(IntEnum):
    """Moments of decision, in the order of a deal."""

    AUCTION = 0
    NAME_TRUMP = 1
    PLAY = 2
    OVER = 3  # the deal has a result; nobody is to act


# Fields of a game.  Groups that a kernel reads or writes together stand together.
SEATS_OF_GAME = ("dealer", "leader", "seat", "winner")
TRICK = ("seat", "winner", "trick_size", "led", "best_power", "pile")
_PER_GAME = (
    "dealer", "leader", *TRICK, "mode", "trick_number",
    "phase", "declarer", "best_bid", "ties", "cut", "outcome", "rubber_over",
)  # fmt: skip
# Fields of a seat; the first ones are public in a deal and shown to everybody.
_PER_SEAT = ("calls", "points", "tricks", "score", "void", "trick", "change", "crosses")
_WORDS = ("dealt", "hand")
_NUMBERS = ("seed", "number", "stride")


class GameState:
    """Shapes: B games, P seats, N cards.  Assign into the fields, never to them."""

    # where the deal comes from
    seed: NDArray[np.uint64]  # (B,)
    number: NDArray[np.uint64]  # (B,) number of this deal
    stride: NDArray[np.uint64]  # (B,) distance to the number of the next deal
    dealer: Ints  # (B,)
    cut: Ints  # (B,) 1 the pack was cut, 0 knocked
    # cards
    dealt: Words  # (B, P) hands as dealt
    hand: Words  # (B, P) cards still held
    # who decides
    phase: Ints  # (B,)
    seat: Ints  # (B,) to act
    # auction
    calls: Ints  # (B, P) 0 has not spoken, 1 passed, 2 + k said rung k
    best_bid: Ints  # (B,) rung that stands, NONE before the first bid
    declarer: Ints  # (B,) seat that holds the best bid, NONE before the first bid
    mode: Ints  # (B,) trump mode, 0 before a suit is named
    # play
    leader: Ints  # (B,) seat that led, or leads, the trick
    trick: Ints  # (B, P) card each seat has played to this trick, NONE before it
    trick_size: Ints  # (B,) cards in the trick
    led: Ints  # (B,) class led, NO_LEAD before the lead
    best_power: Ints  # (B,) strength of the card that is winning the trick
    winner: Ints  # (B,) seat that is winning the trick; the leader before the lead
    pile: Ints  # (B,) card points in the trick
    trick_number: Ints  # (B,) tricks completed
    fell: NDArray[np.uint8]  # (B, N) 1 + number of the trick in which a card was played, or 0
    void: Ints  # (B, P) bit k: has shown to hold no card of class k
    points: Ints  # (B, P) card points taken
    tricks: Ints  # (B, P) tricks taken
    # result of the deal
    outcome: Ints  # (B,) payoff row, REDEAL, or NONE while the deal goes on
    change: Ints  # (B, P) what the deal did to each score
    # rubber
    score: Ints  # (B, P) what each seat still needs; partners are equal
    ties: Ints  # (B,) ties not yet paid out
    crosses: Ints  # (B, P) crosses for rubbers won
    rubber_over: Ints  # (B,) 1 when the last deal ended the rubber

    __slots__ = (
        "game_fields", "seat_fields", "words", "numbers",
        *_PER_GAME, *_PER_SEAT, *_WORDS, *_NUMBERS, "fell",
    )  # fmt: skip

    def __init__(
        self,
        game_fields: Ints,  # (G, B) one row per field of a game
        seat_fields: Ints,  # (S, B, P) one row per field of a seat
        words: Words,  # (2, B, P)
        numbers: NDArray[np.uint64],  # (3, B)
        fell: NDArray[np.uint8],  # (B, N)
    ) -> None:
        self.game_fields, self.seat_fields = game_fields, seat_fields
        self.words, self.numbers, self.fell = words, numbers, fell
        groups = ((_PER_GAME, game_fields), (_PER_SEAT, seat_fields), (_WORDS, words),
                  (_NUMBERS, numbers))  # fmt: skip
        for names, block in groups:
            for i, name in enumerate(names):
                setattr(self, name, block[i])

    def __len__(self) -> int:
        return self.game_fields.shape[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return GameState, self._blocks()

    def _blocks(self) -> tuple[Any, ...]:
        return self.game_fields, self.seat_fields, self.words, self.numbers, self.fell

    def copy(self) -> GameState:
        """Return an independent copy."""
        return GameState(*(block.copy() for block in self._blocks()))

    def select(self, rows: Ints | slice) -> GameState:
        """Return an independent copy of some games."""
        g, s, w, n, fell = self._blocks()
        parts = (g[:, rows], s[:, rows], w[:, rows], n[:, rows], fell[rows])
        return GameState(*(np.array(part, order="C") for part in parts))

    def put(self, rows: Ints, other: GameState) -> None:
        """Overwrite some games with the games of another state."""
        for name, value in self.arrays().items():
            value[rows] = getattr(other, name)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all fields by name, games first: the whole state, ready for ``numpy.savez``."""
        names = (*_NUMBERS, *_PER_GAME, *_WORDS, *_PER_SEAT, "fell")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> GameState:
        """Rebuild a state from ``arrays()``; ValueError for missing or surplus names."""
        wanted = {*_NUMBERS, *_PER_GAME, *_WORDS, *_PER_SEAT, "fell"}
        if set(arrays) != wanted:
            odd = ", ".join(sorted(set(arrays) ^ wanted))
            raise ValueError(f"these arrays make no game state; missing or surplus: {odd}")
        groups = (_PER_GAME, _PER_SEAT, _WORDS, _NUMBERS)
        game, seat, words, numbers = (np.stack([arrays[n] for n in names]) for names in groups)
        return cls(game, seat, words, numbers, np.array(arrays["fell"]))


def rows_of(names: tuple[str, ...]) -> slice:
    """Return where fields of a game that stand together are in ``game_fields``."""
    start = _PER_GAME.index(names[0])
    assert _PER_GAME[start : start + len(names)] == names
    return slice(start, start + len(names))


def empty_state(tables: RuleTables, n_games: int) -> GameState:
    """Return ``n_games`` games before their first deal, scores at the start."""
    state = GameState(
        np.zeros((len(_PER_GAME), n_games), dtype=np.intp),
        np.zeros((len(_PER_SEAT), n_games, tables.n_players), dtype=np.intp),
        np.zeros((len(_WORDS), n_games, tables.n_players), dtype=tables.word_type),
        np.zeros((len(_NUMBERS), n_games), dtype=np.uint64),
        np.zeros((n_games, tables.n_cards), dtype=np.uint8),
    )
    state.score[:] = tables.start
    state.outcome[:] = NONE
    state.phase[:] = Phase.OVER
    state.led[:] = NO_LEAD
    return state


def card_problems(tables: RuleTables, state: GameState) -> list[str]:
    """Name every broken invariant about the cards, with the first game that breaks it."""
    found = []
    pack = np.bitwise_or.reduce(tables.bit)
    count = np.bitwise_count(state.dealt).astype(np.intp)
    checks = {
        "the hands dealt do not make the pack": np.bitwise_or.reduce(state.dealt, axis=1) != pack,
        "a card was dealt twice": count.sum(axis=1) != tables.n_cards,
        "a hand holds cards that were not dealt to it": (state.hand & ~state.dealt).any(axis=1),
        "cards played and cards logged differ": (
            np.bitwise_count(state.dealt ^ state.hand).sum(axis=1, dtype=np.intp)
            != (state.fell > 0).sum(axis=1, dtype=np.intp)
        ),
        "tricks, cards in the trick and cards played differ": (
            state.trick_number * tables.n_players + state.trick_size
            != (state.fell > 0).sum(axis=1, dtype=np.intp)
        ),
    }
    for text, broken in checks.items():
        if broken.any():
            found.append(f"game {int(np.flatnonzero(broken)[0])}: {text}")
    return found
