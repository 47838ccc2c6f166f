"""The state of a batch of games, as named views of a few arrays.

Small integers are kept as ``intp`` so that they index other arrays without a cast, one row per
field, so that a whole group of fields is gathered or written at once.  Sets of cards are
words.  The engine steps in place; whoever needs the old state takes ``clone()``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_env.rules.tables import NO_LEAD, NONE, Ints, Phase, RuleTables, Words

__all__ = [
    "REDEAL",
    "SEATS_OF_GAME",
    "TRICK",
    "GameState",
    "Phase",
    "empty_state",
    "rows_of",
]

REDEAL = -2  # the outcome of a deal that nobody bid on; NONE while a deal is going on


# Fields of a game.  Groups that a kernel reads or writes together stand together.
SEATS_OF_GAME = ("dealer", "leader", "seat", "winner")
TRICK = ("seat", "winner", "trick_size", "led", "best_power", "pile")
_PER_GAME = (
    "dealer", "leader", *TRICK, "mode", "trick_number",
    "phase", "declarer", "best_bid", "taken", "gave_up", "ties", "cut", "outcome", "n_deals",
    "rubber_over",
)  # fmt: skip
# Fields of a seat; the first ones are public in a deal and shown to everybody.
_PER_SEAT = ("calls", "points", "tricks", "score", "void", "trick", "change", "crosses")
# What they are when a deal begins.
_FRESH_GAME = {
    "trick_size": 0, "mode": 0, "best_power": 0, "pile": 0, "trick_number": 0, "taken": 0,
    "gave_up": 0, "led": NO_LEAD, "best_bid": NONE, "declarer": NONE, "outcome": NONE,
}  # fmt: skip
_FRESH_SEAT = {"calls": 0, "points": 0, "tricks": 0, "void": 0, "change": 0, "trick": NONE}
_WORDS = ("dealt", "hand")
_PILES = ("talon", "laid")
_TABLE = ("face_up", "face_down")
_NUMBERS = ("seed", "number", "stride")
# Fields of games in which seats may be out; the others do not have them.
_DEAL = ("turned", "on_table", "six_by", "six_asked", "taker", "n_playing")  # one per game
_STANDING = ("active", "playing", "following", "zeros", "announced", "melds")  # one per seat
_APART = ("dead", "gone")  # sets of cards


class GameState:
    """Shapes: B games, P seats, N cards.  Assign into the fields, never to them."""

    # where the deal comes from
    seed: NDArray[np.uint64]  # (B,)
    number: NDArray[np.uint64]  # (B,) number of this deal
    stride: NDArray[np.uint64]  # (B,) distance to the number of the next deal
    dealer: Ints  # (B,)
    cut: Ints  # (B,) 1 the pack was cut, 0 knocked
    # cards
    dealt: Words  # (B, P) cards that a seat has had to play from: as dealt, exchanged, turned up
    hand: Words  # (B, P) those it still has
    talon: Words  # (B,) cards that lie aside
    laid: Words  # (B,) cards that the declarer has laid away
    aside: Ints  # (B, talon) the talon in the order of dealing
    face_up: Ints  # (B, P, columns) cards that lie open in front of a seat, part of its hand
    face_down: Ints  # (B, P, columns) the card below each, NONE once it is turned up
    # who decides
    phase: Ints  # (B,)
    seat: Ints  # (B,) to act
    # auction
    calls: Ints  # (B, P) 0 has not spoken, 1 passed, 2 + k said rung k
    best_bid: Ints  # (B,) rung that stands, NONE before the first bid
    declarer: Ints  # (B,) seat that holds the best bid, NONE before the first bid
    mode: Ints  # (B,) trump mode, 0 before a suit is named
    # exchange
    taken: Ints  # (B,) cards that the declarer has taken from the talon
    gave_up: Ints  # (B,) 1 when they gave up before the lead
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
    void: Ints  # (B, P) bit k: has shown to hold no card of class k (``void_excludes``)
    points: Ints  # (B, P) card points taken
    tricks: Ints  # (B, P) tricks taken
    # result of the deal
    outcome: Ints  # (B,) payoff row, REDEAL, or NONE while the deal goes on
    change: Ints  # (B, P) what the deal did to each score
    # rubber
    score: Ints  # (B, P) what each seat still needs; partners are equal
    ties: Ints  # (B,) ties not yet paid out
    crosses: Ints  # (B, P) crosses for rubbers won
    n_deals: Ints  # (B,) deals scored since the rubber began
    rubber_over: Ints  # (B,) 1 when the last deal ended the rubber

    # where seats may be out (``SeatTables.vary``)
    active: Ints  # (B, P) 1 still in the match
    playing: Ints  # (B, P) 1 takes part in this deal, so far
    following: Ints  # (B, P) who plays after each seat
    n_playing: Ints  # (B,) seats that take part
    turned: Ints  # (B,) card turned up for trumps
    on_table: Ints  # (B,) card that lies face up on the table, NONE if there is none
    six_by: Ints  # (B,) seat that has put the lowest trump in its place, or NONE
    six_asked: Ints  # (B,) 1 once the holder of the lowest trump has been asked
    taker: Ints  # (B,) seat that has taken the reserve, or NONE
    # The reserve is the talon, and what its taker gave for it is laid away.
    dead: Words  # (B,) the dead hand
    gone: Words  # (B,) cards out of play, not on the table, that all players know
    known: Words  # (B, P) cards that all players know to have been in a hand
    announced: Ints  # (B, P) key of the best meld a seat has announced, 0 for none so far
    melds: Ints  # (B, P) what it has scored for melds
    zeros: Ints  # (B, P) zeros outstanding

    __slots__ = (
        "game_fields", "seat_fields", "words", "numbers", "piles", "table", "more",
        *_PER_GAME, *_PER_SEAT, *_WORDS, *_NUMBERS, *_PILES, *_TABLE, "aside", "fell",
        *_DEAL, *_STANDING, *_APART, "known",
    )  # fmt: skip

    def __init__(
        self,
        game_fields: Ints,  # (G, B) one row per field of a game
        seat_fields: Ints,  # (S, B, P) one row per field of a seat
        words: Words,  # (2, B, P)
        numbers: NDArray[np.uint64],  # (3, B)
        piles: Words,  # (2, B)
        table: Ints,  # (2, B, P, columns)
        aside: Ints,  # (B, talon)
        fell: NDArray[np.uint8],  # (B, N)
        *more: NDArray[Any],  # where seats may be out: (6, B), (6, B, P), (2, B), (1, B, P)
    ) -> None:
        self.game_fields, self.seat_fields = game_fields, seat_fields
        self.words, self.numbers, self.piles, self.table = words, numbers, piles, table
        self.aside, self.fell, self.more = aside, fell, more
        for names, block in self._groups():
            for i, name in enumerate(names):
                setattr(self, name, block[i])

    def _groups(self) -> tuple[tuple[tuple[str, ...], NDArray[Any]], ...]:
        """The blocks whose rows are fields, with the names of these."""
        return (
            (_PER_GAME, self.game_fields), (_PER_SEAT, self.seat_fields), (_WORDS, self.words),
            (_NUMBERS, self.numbers), (_PILES, self.piles), (_TABLE, self.table),
            *zip(_MORE, self.more, strict=False),
        )  # fmt: skip

    def __len__(self) -> int:
        return self.game_fields.shape[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return GameState, self._blocks()

    def _blocks(self) -> tuple[Any, ...]:
        blocks = [block for _, block in self._groups()]
        return (*blocks[:_N_BLOCKS], self.aside, self.fell, *self.more)

    def clone(self) -> GameState:
        """Return an independent copy."""
        return GameState(*(block.copy() for block in self._blocks()))

    def select(self, rows: Ints | slice) -> GameState:
        """Return an independent copy of some games."""
        parts = [block[:, rows] for _, block in self._groups()]
        parts[_N_BLOCKS:_N_BLOCKS] = [self.aside[rows], self.fell[rows]]
        return GameState(*(np.array(p, order="C") for p in parts))

    @classmethod
    def joined(cls, parts: Sequence[GameState]) -> GameState:
        """Return the games of several states of one rule set, one after the other."""
        arrays = [part.arrays() for part in parts]
        return cls.from_arrays({k: np.concatenate([a[k] for a in arrays]) for k in arrays[0]})

    def clear_deal(self, rows: Ints) -> None:
        """Make some games (R,) forget their last deal; scores, dealer and cards stay."""
        at, values = _CLEARED_GAME
        self.game_fields[at, rows] = values
        at, values = _CLEARED_SEAT
        self.seat_fields[at, rows] = values[..., None]
        self.fell[rows] = 0

    def put(self, rows: Ints, other: GameState) -> None:
        """Overwrite some games with the games of another state."""
        for name, value in self.arrays().items():
            value[rows] = getattr(other, name)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all fields by name, games first: the whole state, ready for ``numpy.savez``."""
        names = FIELDS + MORE_FIELDS if self.more else FIELDS
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> GameState:
        """Rebuild a state from ``arrays()``; ValueError for missing or surplus names."""
        has_more = not set(MORE_FIELDS).isdisjoint(arrays)
        wanted = set(FIELDS + MORE_FIELDS if has_more else FIELDS)
        if set(arrays) != wanted:
            odd = ", ".join(sorted(set(arrays) ^ wanted))
            raise ValueError(f"these arrays make no game state; missing or surplus: {odd}")

        def block(*names: str) -> NDArray[Any]:
            return np.stack([arrays[name] for name in names])

        return cls(
            block(*_PER_GAME), block(*_PER_SEAT), block(*_WORDS), block(*_NUMBERS),
            block(*_PILES), block(*_TABLE), np.array(arrays["aside"]), np.array(arrays["fell"]),
            *(block(*names) for names in (_MORE if has_more else ())),
        )  # fmt: skip


FIELDS = (*_NUMBERS, *_PER_GAME, *_WORDS, *_PILES, *_TABLE, *_PER_SEAT, "aside", "fell")
_MORE = (_DEAL, _STANDING, _APART, ("known",))
MORE_FIELDS = tuple(name for names in _MORE for name in names)
_N_BLOCKS = 6  # blocks of fields that every game has


def rows_of(names: tuple[str, ...]) -> slice:
    """Return where fields of a game that stand together are in ``game_fields``."""
    start = _PER_GAME.index(names[0])
    assert _PER_GAME[start : start + len(names)] == names
    return slice(start, start + len(names))


def _columns(fresh: Mapping[str, int], names: tuple[str, ...]) -> tuple[Ints, Ints]:
    """Where fields are among others, and their values, both (X, 1)."""
    at = [[names.index(name)] for name in fresh]
    return np.array(at), np.array([[value] for value in fresh.values()])


_CLEARED_GAME = _columns(_FRESH_GAME, _PER_GAME)
_CLEARED_SEAT = _columns(_FRESH_SEAT, _PER_SEAT)


def empty_state(tables: RuleTables, n_games: int) -> GameState:
    """Return ``n_games`` games before their first deal, scores at the start."""
    n, word = tables.n_players, tables.word_type
    state = GameState(
        np.zeros((len(_PER_GAME), n_games), dtype=np.intp),
        np.zeros((len(_PER_SEAT), n_games, n), dtype=np.intp),
        np.zeros((len(_WORDS), n_games, n), dtype=word),
        np.zeros((len(_NUMBERS), n_games), dtype=np.uint64),
        np.zeros((len(_PILES), n_games), dtype=word),
        np.zeros((len(_TABLE), n_games, n, tables.deal.n_columns), dtype=np.intp),
        np.zeros((n_games, tables.deal.n_talon), dtype=np.intp),
        np.zeros((n_games, tables.n_cards), dtype=np.uint8),
        *(_more_blocks(tables, n_games) if tables.seats else ()),
    )
    if tables.seats:
        state.active[:] = state.playing[:] = 1
        for array in (state.turned, state.on_table, state.six_by, state.taker):
            array[:] = NONE
    state.score[:] = tables.match.start
    state.outcome[:] = NONE
    state.phase[:] = Phase.OVER
    state.led[:] = NO_LEAD
    return state


def _more_blocks(tables: RuleTables, n_games: int) -> list[NDArray[Any]]:
    n, word = tables.n_players, tables.word_type
    return [
        np.zeros((len(_DEAL), n_games), dtype=np.intp),
        np.zeros((len(_STANDING), n_games, n), dtype=np.intp),
        np.zeros((len(_APART), n_games), dtype=word),
        np.zeros((1, n_games, n), dtype=word),
    ]
