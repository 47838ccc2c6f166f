"""The state of a batch of games, as named views of a few arrays.

Small integers are kept as ``intp`` so that they index other arrays without a cast, one row per
field, so that a whole group of fields is gathered or written at once.  Sets of cards are
words.  The engine steps in place; whoever needs the old state takes ``clone()``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sjavs_env.rules.structure import expect
from sjavs_env.rules.tables import NO_LEAD, NONE, Ints, Phase, RuleTables, Words

__all__ = [
    "BLOCKS",
    "ONLY_GAME",
    "REDEAL",
    "SEATS_OF_GAME",
    "TRICK",
    "Block",
    "GameState",
    "Phase",
    "SeatState",
    "empty_state",
    "names_of",
    "rows_of",
]

ONLY_GAME: Ints = np.array([0])  # the rows of a state that holds one game
ONLY_GAME.setflags(write=False)
REDEAL = -2  # the outcome of a deal that nobody bid on; NONE while a deal is going on


# Groups that a kernel reads or writes together stand together in their block.
SEATS_OF_GAME = ("dealer", "leader", "seat", "winner")
TRICK = ("seat", "winner", "trick_size", "led", "best_power", "pile")
KEPT = None  # instead of a fresh value: the field outlives a deal, or dealing writes it


class Block(NamedTuple):
    """An array whose first axis counts fields; each field is a row of it."""

    name: str
    shape: tuple[str, ...]  # what the axes of a field count
    dtype: str  # int, word (a set of cards), uint8 or uint64
    fields: Mapping[str, int | None]  # each with its value when a deal begins
    of_seats: bool = False  # only where seats may be out


BLOCKS = (
    Block("numbers", ("games",), "uint64", {"seed": KEPT, "number": KEPT, "stride": KEPT}),
    Block(
        "game_fields",
        ("games",),
        "int",
        {
            "dealer": KEPT, "leader": KEPT, "seat": KEPT, "winner": KEPT, "trick_size": 0,
            "led": NO_LEAD, "best_power": 0, "pile": 0, "mode": 0, "trick_number": 0,
            "phase": KEPT, "declarer": NONE, "best_bid": NONE, "taken": 0, "gave_up": 0,
            "ties": KEPT, "cut": KEPT, "outcome": NONE, "n_deals": KEPT, "rubber_over": KEPT,
        },
    ),
    Block("words", ("games", "seats"), "word", {"dealt": KEPT, "hand": KEPT}),
    Block("piles", ("games",), "word", {"talon": KEPT, "laid": KEPT}),
    Block("table", ("games", "seats", "columns"), "int", {"face_up": KEPT, "face_down": KEPT}),
    Block(
        "seat_fields",
        ("games", "seats"),
        "int",
        {
            # public in a deal and shown to everybody
            "calls": 0, "points": 0, "tricks": 0, "score": KEPT, "void": 0,
            "trick": NONE, "change": 0, "crosses": KEPT,
        },
    ),
    Block("talons", ("games", "talon"), "int", {"aside": KEPT}),
    Block("falls", ("games", "cards"), "uint8", {"fell": 0}),
    Block(
        "of_deal",
        ("games",),
        "int",
        dict.fromkeys(("turned", "on_table", "six_by", "six_asked", "taker", "n_playing"), KEPT),
        of_seats=True,
    ),
    Block(
        "standing",
        ("games", "seats"),
        "int",
        dict.fromkeys(("active", "playing", "following", "zeros", "announced", "melds"), KEPT),
        of_seats=True,
    ),
    Block("apart", ("games",), "word", {"dead": KEPT, "gone": KEPT}, of_seats=True),
    Block("known_cards", ("games", "seats"), "word", {"known": KEPT}, of_seats=True),
)  # fmt: skip
_COMMON = tuple(block for block in BLOCKS if not block.of_seats)
_OF_SEATS = tuple(block for block in BLOCKS if block.of_seats)


def names_of(specs: Iterable[Block]) -> list[str]:
    """Return the names of all fields of some blocks."""
    return [name for spec in specs for name in spec.fields]


def _slots(specs: Iterable[Block]) -> tuple[str, ...]:
    return tuple(name for spec in specs for name in (spec.name, *spec.fields))


class _Fields:
    """Arrays, one for each block, and the fields that are their rows."""

    __slots__ = ()
    specs: ClassVar[tuple[Block, ...]]
    _blocks_of: ClassVar[attrgetter[tuple[NDArray[Any], ...]]]
    _fields_of: ClassVar[attrgetter[tuple[NDArray[Any], ...]]]

    def __init_subclass__(cls) -> None:
        cls._blocks_of = attrgetter(*(spec.name for spec in cls.specs))
        cls._fields_of = attrgetter(*names_of(cls.specs))

    def _name_rows(self, blocks: Iterable[NDArray[Any]]) -> None:
        """Give the arrays of ``specs``, and each of their rows, its name."""
        for spec, block in zip(self.specs, blocks, strict=True):
            setattr(self, spec.name, block)
            for i, name in enumerate(spec.fields):
                setattr(self, name, block[i])

    def blocks(self) -> tuple[NDArray[Any], ...]:
        """Return the arrays of ``specs``."""
        return self._blocks_of(self)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all fields by name, games first."""
        return dict(zip(names_of(self.specs), self._fields_of(self), strict=True))


class SeatState(_Fields):
    """What there is only in games in which seats may be out, with the shapes of ``GameState``."""

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

    __slots__ = _slots(_OF_SEATS)
    specs = _OF_SEATS

    def __init__(self, *blocks: NDArray[Any]) -> None:
        """Take the arrays of the blocks of seats."""
        self._name_rows(blocks)


class GameState(_Fields):
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

    seats: SeatState | None  # None where all seats always take part

    __slots__ = (*_slots(_COMMON), "seats")
    specs = _COMMON

    # the blocks of which these are the rows, as far as code takes whole blocks
    game_fields: Ints  # (fields, B)
    seat_fields: Ints  # (fields_of_seats, B, P)
    words: Words  # (2, B, P)
    piles: Words  # (2, B)
    table: Ints  # (2, B, P, columns)

    def __init__(self, *blocks: NDArray[Any]) -> None:
        """Take the arrays of ``BLOCKS``; those of seats only where seats may be out."""
        n_common = len(_COMMON)
        self._name_rows(blocks[:n_common])
        self.seats = SeatState(*blocks[n_common:]) if len(blocks) > n_common else None

    @property
    def seat_state(self) -> SeatState:
        """What ``seats`` holds, for behaviour bound to games in which seats may be out."""
        return expect(SeatState, self.seats)

    def __len__(self) -> int:
        return self.game_fields.shape[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return GameState, self.blocks()

    def blocks(self) -> tuple[NDArray[Any], ...]:
        """Return the arrays of ``BLOCKS``, as far as these games have them."""
        common = super().blocks()
        return (*common, *self.seats.blocks()) if self.seats else common

    def clone(self) -> GameState:
        """Return an independent copy."""
        return GameState(*(block.copy() for block in self.blocks()))

    def select(self, rows: Ints | slice) -> GameState:
        """Return an independent copy of some games."""
        return GameState(*(np.array(block[:, rows], order="C") for block in self.blocks()))

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
        for mine, theirs in zip(self.blocks(), other.blocks(), strict=True):
            mine[:, rows] = theirs

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all fields by name, games first: the whole state, ready for ``numpy.savez``.

        Those of seats stand beside the others; names are the same in every game.
        """
        arrays = super().arrays()
        if self.seats:
            arrays |= self.seats.arrays()
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> GameState:
        """Rebuild a state from ``arrays()``; ValueError for missing or surplus names."""
        has_seats = not set(names_of(_OF_SEATS)).isdisjoint(arrays)
        specs = BLOCKS if has_seats else _COMMON
        wanted = set(names_of(specs))
        if set(arrays) != wanted:
            odd = ", ".join(sorted(set(arrays) ^ wanted))
            raise ValueError(f"these arrays make no game state; missing or surplus: {odd}")
        return cls(*(np.stack([arrays[name] for name in spec.fields]) for spec in specs))


def _block(name: str) -> Block:
    return next(block for block in BLOCKS if block.name == name)


def rows_of(names: tuple[str, ...]) -> slice:
    """Return where fields of a game that stand together are in ``game_fields``."""
    all_names = tuple(_block("game_fields").fields)
    start = all_names.index(names[0])
    assert all_names[start : start + len(names)] == names
    return slice(start, start + len(names))


def _fresh(spec: Block) -> tuple[Ints, Ints]:
    """Which rows of a block a new deal clears, and their values, both (rows, 1)."""
    fresh = [(i, x) for i, x in enumerate(spec.fields.values()) if x is not KEPT]
    return np.array([[i] for i, _ in fresh]), np.array([[x] for _, x in fresh])


_CLEARED_GAME, _CLEARED_SEAT = _fresh(_block("game_fields")), _fresh(_block("seat_fields"))


def empty_state(tables: RuleTables, n_games: int) -> GameState:
    """Return ``n_games`` games before their first deal, scores at the start."""
    sizes = {
        "games": n_games,
        "seats": tables.n_players,
        "cards": tables.n_cards,
        "columns": tables.deal.n_columns,
        "talon": tables.deal.n_talon,
    }
    types = {"int": np.intp, "word": tables.word_type, "uint8": np.uint8, "uint64": np.uint64}
    state = GameState(
        *(
            np.zeros((len(spec.fields), *map(sizes.__getitem__, spec.shape)), types[spec.dtype])
            for spec in (BLOCKS if tables.seats else _COMMON)
        )
    )
    if seats := state.seats:
        seats.active[:] = seats.playing[:] = 1
        for array in (seats.turned, seats.on_table, seats.six_by, seats.taker):
            array[:] = NONE
    state.score[:] = tables.match.start
    state.outcome[:] = NONE
    state.phase[:] = Phase.OVER
    state.led[:] = NO_LEAD
    return state
