"""What a seat may know: the only module that decides which cards are hidden.

``view_of`` turns the full state into a ``PlayerView`` with seats counted from the viewer
(0 = himself, then in the direction of play).  Agents and encoders get views, never states.
``hidden_hands`` is the one way to the other hands, for the oracle critic and for ``state()``.
(``encode_single`` shortens the way from state to numbers for one game; tests hold it equal.)
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.game import Game
from sjavs_env.engine.state import SEATS_OF_GAME, GameState, rows_of
from sjavs_env.rules.tables import NONE, Ints, Words

__all__ = ["PlayerView", "hidden_hands", "view_of"]

_SEAT_ROWS = rows_of(SEATS_OF_GAME)
_PUBLIC = ("calls", "points", "tricks", "score", "void", "trick")


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
    void: Ints  # (R, P) bit k: has shown to hold no card of class k
    points: Ints  # (R, P)
    tricks: Ints  # (R, P)
    # rubber
    score: Ints  # (R, P)
    ties: Ints  # (R,)

    def __len__(self) -> int:
        return len(self.seat)

    def select(self, rows: Ints | NDArray[np.bool_]) -> PlayerView:
        """Return the views of some games."""
        return PlayerView(**{f.name: getattr(self, f.name)[rows] for f in fields(self)})


def view_of(game: Game, state: GameState, rows: Ints, viewer: Ints) -> PlayerView:
    """Return the views of the seats ``viewer`` (R,) in the games ``rows`` (R,)."""
    n = game.tables.n_players
    at = _around_table(n).take(viewer, axis=1) + rows * n  # (P, R) seats from the viewer
    dealt, hand = state.words.reshape(2, -1).take(at, axis=1)
    seats = state.seat_fields.reshape(len(state.seat_fields), -1)[: len(_PUBLIC)]
    public = {k: v.T for k, v in zip(_PUBLIC, seats.take(at, axis=1), strict=True)}
    away = _seats_away(n)  # a negative index counts from the end: modulo P
    dealer, leader, to_act, winner = away[state.game_fields[_SEAT_ROWS].take(rows, axis=1) - viewer]
    declarer = state.declarer[rows]
    return PlayerView(
        seat=viewer,
        hand=hand[0],
        phase=state.phase[rows],
        to_act=to_act,
        dealer=dealer,
        best_bid=state.best_bid[rows],
        declarer=np.where(declarer == NONE, NONE, away[np.maximum(declarer, 0) - viewer]),
        mode=state.mode[rows],
        leader=leader,
        trick_size=state.trick_size[rows],
        led=state.led[rows],
        best_power=state.best_power[rows],
        winner=winner,
        pile=state.pile[rows],
        trick_number=state.trick_number[rows],
        played=(dealt ^ hand).T,
        fell=state.fell.take(rows, axis=0),
        ties=state.ties[rows],
        **public,
    )


def hidden_hands(game: Game, state: GameState, rows: Ints, viewer: Ints) -> Words:
    """Return the hands (R, P - 1) of the other seats, next seat first: for oracles only."""
    n = game.tables.n_players
    at = _around_table(n)[viewer, 1:] + (rows * n)[:, None]
    return state.hand.reshape(-1)[at]


@cache
def _seats_away(n: int) -> Ints:
    """(P,) seats from the viewer by difference of seats; a negative one counts from the end."""
    away = np.arange(n)
    away.setflags(write=False)
    return away


@cache
def _around_table(n: int) -> Ints:
    """(P, P) seats in the order of play (axis 0) from each seat (axis 1)."""
    seats = np.arange(n)
    around = (seats[:, None] + seats) % n  # the same along either axis
    around.setflags(write=False)
    return around
