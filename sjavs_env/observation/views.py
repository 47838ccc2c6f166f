"""What a seat may know: the only module that decides which cards are hidden.

``view_of`` turns the full state into a ``PlayerView`` with seats counted from the viewer
(0 = the viewer, then in the direction of play).  Agents and encoders get views, never states.
``hidden_hands`` is the one way to the other hands, for the oracle critic and for ``state()``.
Every array of a view owns its memory and shows what it holds: none is a part of a larger one,
whose other parts (``base``) would be all hands.
(``encode_single`` shortens the way from state to numbers for one game; tests hold it equal.)
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.game import Game
from sjavs_env.engine.state import SEATS_OF_GAME, GameState, rows_of
from sjavs_env.rules.tables import NONE, Ints, Words

__all__ = ["PlayerView", "SeatView", "hidden_hands", "view_of"]

_SEAT_ROWS = rows_of(SEATS_OF_GAME)
_PUBLIC = ("calls", "points", "tricks", "score", "void", "trick")


@dataclass(eq=False, slots=True)
class SeatView:
    """What a seat knows besides in games in which seats may be out."""

    active: Ints  # (R, P) 1 still in the match
    playing: Ints  # (R, P) 1 takes part in this deal, so far
    zeros: Ints  # (R, P) zeros outstanding
    turned: Ints  # (R,) card turned up for trumps
    out: Words  # (R,) cards that all know to be in no hand: face up on the table, or given away
    aside: Words  # (R,) the hand that the viewer has given for the reserve
    known: Words  # (R, P) cards that all know each seat to hold
    six_by: Ints  # (R,) seat that has swapped the lowest trump, or NONE
    taker: Ints  # (R,) seat that has taken the reserve, or NONE
    announced: Ints  # (R, P) key of the best meld announced, 0 for none so far
    melds: Ints  # (R, P) what has been scored for melds

    def select(self, rows: Ints | NDArray[np.bool_]) -> SeatView:
        """Return the views of some games."""
        return SeatView(**{f.name: getattr(self, f.name)[rows] for f in fields(self)})


@dataclass(eq=False, slots=True)
class PlayerView:
    """Everything one seat knows in each of R games.  Seats are relative to the viewer.

    Arrays (R, P) are transposed in memory: one seat's values lie together.
    """

    seat: Ints  # (R,) the viewer's own seat at the table
    hand: Words  # (R,) cards held
    phase: Ints  # (R,)
    to_act: Ints  # (R,) seat that is to act
    dealer: Ints  # (R,)
    # auction
    calls: Ints  # (R, P) 0 has not spoken, 1 passed, 2 + k said rung k
    best_bid: Ints  # (R,) rung that stands, or NONE
    declarer: Ints  # (R,) or NONE
    mode: Ints  # (R,) trump mode, 0 before a suit is named
    # cards apart
    taken: Ints  # (R,) cards that the declarer has taken from the talon
    laid: Words  # (R,) cards that the viewer has laid away
    open: Words  # (R, P) cards that lie face up in front of each seat
    covering: Words  # (R, P) those of them that lie on a card face down
    # tricks
    leader: Ints  # (R,)
    trick: Ints  # (R, P) card of each seat in this trick, or NONE
    trick_size: Ints  # (R,)
    led: Ints  # (R,) class led, NO_LEAD before the lead
    best_power: Ints  # (R,) strength of the winning card
    winner: Ints  # (R,) seat winning the trick; the leader before the lead
    pile: Ints  # (R,) card points in the trick
    trick_number: Ints  # (R,)
    played: Words  # (R, P) all cards each seat has played
    fell: NDArray[np.uint8]  # (R, N) 1 + trick in which a card fell, or 0
    void: Ints  # (R, P) bit k: has shown to hold no card of class k (``void_excludes``)
    points: Ints  # (R, P)
    tricks: Ints  # (R, P)
    # rubber
    score: Ints  # (R, P)
    ties: Ints  # (R,)
    seats: SeatView | None = None  # None where all seats always take part

    def __len__(self) -> int:
        return len(self.seat)

    def select(self, rows: Ints | NDArray[np.bool_]) -> PlayerView:
        """Return the views of some games."""
        names = [f.name for f in fields(self) if f.name != "seats"]
        seats = None if self.seats is None else self.seats.select(rows)
        return PlayerView(**{name: getattr(self, name)[rows] for name in names}, seats=seats)


def view_of(game: Game, state: GameState, rows: Ints, viewer: Ints) -> PlayerView:
    """Return the views of the seats ``viewer`` (R,) in the games ``rows`` (R,)."""
    n = game.tables.n_players
    at = _around_table(n).take(viewer, axis=1) + rows * n  # (P, R) seats from the viewer
    dealt, hands = state.words.reshape(2, -1).take(at, axis=1)
    seats = state.seat_fields.reshape(len(state.seat_fields), -1)[: len(_PUBLIC)]
    public = {k: _own(v.T) for k, v in zip(_PUBLIC, seats.take(at, axis=1), strict=True)}
    seats_of_game = state.game_fields[_SEAT_ROWS].take(rows, axis=1)
    dealer, leader, to_act, winner = map(_own, _seats_from(viewer, seats_of_game, n))
    return PlayerView(
        seat=_own(viewer),
        hand=_own(hands[0]),
        phase=state.phase[rows],
        to_act=to_act,
        dealer=dealer,
        best_bid=state.best_bid[rows],
        declarer=_seat_or_none_from(viewer, state.declarer[rows], n),
        mode=state.mode[rows],
        leader=leader,
        trick_size=state.trick_size[rows],
        led=state.led[rows],
        best_power=state.best_power[rows],
        winner=winner,
        pile=state.pile[rows],
        trick_number=state.trick_number[rows],
        played=_own((dealt ^ hands).T),
        fell=state.fell.take(rows, axis=0),
        **_cards_apart(game, state, rows, viewer, at),
        ties=state.ties[rows],
        seats=_seat_view(game, state, rows, viewer, at) if game.tables.seats else None,
        **public,
    )


def _seat_view(game: Game, state: GameState, rows: Ints, viewer: Ints, at: Ints) -> SeatView:
    """Return who takes part and what is known of cards apart; ``at`` are the seats (P, R)."""
    seats = state.seat_state
    public = {
        name: _own(getattr(seats, name).reshape(-1)[at].T)
        for name in ("active", "playing", "zeros", "announced", "melds")
    }
    n, taker = game.tables.n_players, seats.taker[rows]
    nothing = game.tables.word_type.type(0)
    bit = np.append(game.tables.cards.bit, nothing)
    held = state.hand.reshape(-1)[at]
    return SeatView(
        **public,
        turned=seats.turned[rows],
        out=seats.gone[rows] | bit[seats.on_table[rows]],
        aside=np.where(taker == viewer, state.laid[rows], nothing),
        known=_own((seats.known.reshape(-1)[at] & held).T),
        six_by=_seat_or_none_from(viewer, seats.six_by[rows], n),
        taker=_seat_or_none_from(viewer, taker, n),
    )


def _cards_apart(
    game: Game, state: GameState, rows: Ints, viewer: Ints, at: Ints
) -> dict[str, NDArray[Any]]:
    """Return what a seat sees of talon and table; ``at`` (P, R) are the seats from the viewer."""
    t = game.tables
    if t.deal.n_talon:
        laid = np.where(state.declarer[rows] == viewer, state.laid[rows], 0)
        taken = state.taken[rows]
    else:
        laid, taken = _nothing(t.word_type, rows.shape), _nothing(np.dtype(np.intp), rows.shape)
    if t.deal.n_columns:
        held = state.hand.reshape(-1)[at]  # a card just played stays in its column until the end
        covers = np.where(state.face_down == NONE, NONE, state.face_up)
        table = [_set_of(game, cards).reshape(-1)[at] & held for cards in (state.face_up, covers)]
        lies_open, covering = (_own(cards.T) for cards in table)
    else:
        lies_open, covering = _nothing(t.word_type, at.T.shape), _nothing(t.word_type, at.T.shape)
    return {
        "laid": laid.astype(t.word_type, copy=False),
        "taken": taken,
        "open": lies_open,
        "covering": covering,
    }


def _set_of(game: Game, cards: Ints) -> Words:
    """Return sets (...,) of the cards (..., cards); NONE is no card."""
    bit = np.append(game.tables.cards.bit, game.tables.word_type.type(0))
    return np.asarray(np.bitwise_or.reduce(bit[cards], axis=-1))


def _nothing(kind: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    return np.zeros(shape, dtype=kind, order="F")


def _own(part: NDArray[Any]) -> NDArray[Any]:
    """Return a copy, laid out alike, that knows nothing of the array it was a part of."""
    return part.copy(order="K")


def hidden_hands(game: Game, state: GameState, rows: Ints, viewer: Ints) -> Words:
    """Return the sets of cards (R, hidden) that a seat does not see: for oracles only.

    The hands of the other seats, next seat first; in games that have them the cards face down
    of every seat, the viewer's first, and the cards aside (the talon, and what another seat has
    laid away; or the reserve, the hand that another seat has given for it, and the dead hand).
    """
    n, t = game.tables.n_players, game.tables
    at = _around_table(n)[viewer] + (rows * n)[:, None]
    hidden = [state.hand.reshape(-1)[at[:, 1:]]]
    if t.deal.n_columns:
        hidden.append(_set_of(game, state.face_down).reshape(-1)[at])
    if seats := state.seats:
        own, lies = seats.taker[rows] == viewer, _set_of(game, seats.on_table[rows][:, None])
        aside = np.where(own, t.word_type.type(0), state.laid[rows])
        hidden.append(
            np.stack([state.talon[rows] & ~lies, aside, seats.dead[rows] & ~lies], axis=1)
        )
    if t.deal.n_talon:
        own = state.declarer[rows] == viewer
        hidden.append((state.talon[rows] | np.where(own, 0, state.laid[rows]))[:, None])
    return np.concatenate(hidden, axis=1, dtype=t.word_type) if len(hidden) > 1 else hidden[0]


def _seats_from(viewer: Ints, seats: Ints, n: int) -> Ints:
    """Return seats (..., R) at a table of n as viewers (R,) count them, themselves being 0."""
    return _seats(n).take(seats - viewer, mode="wrap")  # modulo n, faster than a division


def _seat_or_none_from(viewer: Ints, seat: Ints, n: int) -> Ints:
    """The same of seats (R,) that may be NONE, which stays."""
    return np.where(seat == NONE, NONE, _seats_from(viewer, seat, n))


@cache
def _seats(n: int) -> Ints:
    """(P,) the seats of a table."""
    seats = np.arange(n)
    seats.setflags(write=False)
    return seats


@cache
def _around_table(n: int) -> Ints:
    """(P, P) seats in the order of play (axis 0) from each seat (axis 1)."""
    seats = np.arange(n)
    around = (seats[:, None] + seats) % n  # the same along either axis
    around.setflags(write=False)
    return around
