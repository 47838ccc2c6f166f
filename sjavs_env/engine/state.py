"""The state of a batch of games: one struct of arrays, games on axis 0.

Small integers are kept as ``intp`` so that they index other arrays without a cast; sets of
cards are words.  The engine steps in place; whoever needs the old state takes ``copy()``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_env.rules.tables import NONE, Ints, RuleTables, Words

__all__ = ["REDEAL", "GameState", "Phase", "card_problems", "empty_state"]

REDEAL = -2  # the outcome of a deal that nobody bid on; NONE while a deal is going on


class Phase(IntEnum):
    """Moments of decision, in the order of a deal."""

    AUCTION = 0
    NAME_TRUMP = 1
    PLAY = 2
    OVER = 3  # the deal has a result; nobody is to act


@dataclass(eq=False)
class GameState:
    """Shapes: B games, P seats, N cards."""

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
    led: Ints  # (B,) class led, 0 before the lead
    best_power: Ints  # (B,) strength of the card that is winning the trick
    winner: Ints  # (B,) seat that is winning the trick
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

    def __len__(self) -> int:
        return len(self.phase)

    def copy(self) -> GameState:
        """Return an independent copy."""
        return GameState(**{k: v.copy() for k, v in self.arrays().items()})

    def select(self, rows: Ints | slice) -> GameState:
        """Return an independent copy of some games."""
        return GameState(**{k: np.array(v[rows]) for k, v in self.arrays().items()})

    def put(self, rows: Ints, other: GameState) -> None:
        """Overwrite some games with the games of another state."""
        for name, value in self.arrays().items():
            value[rows] = getattr(other, name)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays by name: the whole state, ready for ``numpy.savez``."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> GameState:
        """Rebuild a state from ``arrays()``; ValueError for missing or surplus names."""
        wanted = {f.name for f in fields(cls)}
        if set(arrays) != wanted:
            odd = ", ".join(sorted(set(arrays) ^ wanted))
            raise ValueError(f"these arrays make no game state; missing or surplus: {odd}")
        return cls(**{k: np.array(v) for k, v in arrays.items()})


_PER_SEAT = ("calls", "trick", "void", "points", "tricks", "change", "score", "crosses")
_WORDS = ("dealt", "hand")
_NUMBERS = ("seed", "number", "stride")


def empty_state(tables: RuleTables, n_games: int) -> GameState:
    """Return ``n_games`` games before their first deal, scores at the start."""
    shape_of = dict.fromkeys((*_PER_SEAT, *_WORDS), (n_games, tables.n_players))
    kinds: dict[str, Any] = dict.fromkeys(_WORDS, tables.word_type)
    kinds |= dict.fromkeys(_NUMBERS, np.uint64)
    arrays = {
        f.name: np.zeros(shape_of.get(f.name, (n_games,)), dtype=kinds.get(f.name, np.intp))
        for f in fields(GameState)
        if f.name != "fell"
    }
    state = GameState(**arrays, fell=np.zeros((n_games, tables.n_cards), dtype=np.uint8))
    state.score[:] = tables.start
    state.outcome[:] = NONE
    state.phase[:] = Phase.OVER
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
