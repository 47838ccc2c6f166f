"""The reserve: each player in turn may give a hand for it, unseen and for good (rules 3.6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.course import enter_next, next_in
from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import NONE, Ints, Phase, RuleTables, Words

__all__ = ["apply_reserve", "legal_reserves"]


def legal_reserves(tables: RuleTables, state: GameState, rows: Ints) -> NDArray[np.int8]:
    """Return what the players may do (R, 2): take the reserve, keep their hand."""
    return np.ones((len(rows), 2), dtype=np.int8)


def apply_reserve(tables: RuleTables, state: GameState, rows: Ints, choice: Ints) -> Ints:
    """Take the reserve where ``choice`` (R,) is 0; else the next player is asked, if any."""
    seat = state.seat[rows]
    takes = choice == 0
    _take(tables, state, rows[takes])
    ends = takes | (seat == state.dealer[rows])
    others = rows[~ends]
    following = next_in(state.seat_state.active[others])
    state.seat[others] = following[np.arange(len(others)), seat[~ends]]
    enter_next(tables, state, rows[ends], Phase.RESERVE)
    return rows[:0]


def _take(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """The card on the table goes with the reserve if it is part of it."""
    seat, reserve = state.seat[rows], state.talon[rows]
    seats = state.seat_state
    lies = np.where(seats.on_table[rows] == NONE, 0, tables.cards.bit[seats.on_table[rows]])
    with_it = lies.astype(tables.word_type) & reserve
    state.laid[rows] = state.hand[rows, seat]
    state.hand[rows, seat] = state.dealt[rows, seat] = reserve
    state.talon[rows] = 0
    seats.gone[rows] |= seats.known[rows, seat]
    seats.known[rows, seat] = with_it | _proved(tables, state, rows)
    seats.on_table[rows[with_it != 0]] = NONE
    seats.taker[rows] = seat


def _proved(tables: RuleTables, state: GameState, rows: Ints) -> Words:
    """Return the lowest trump where it must be in the reserve (R,), else nothing.

    Any player who held it would have been asked before, and there is no dead hand.
    """
    seats = state.seat_state
    is_there = (seats.six_asked[rows] == 0) & (seats.dead[rows] == 0)
    is_there &= Phase.SIX in tables.seat_rules.course
    return np.where(is_there, tables.cards.low_trump[state.mode[rows]], tables.word_type.type(0))
