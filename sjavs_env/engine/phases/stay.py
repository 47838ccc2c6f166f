"""Staying in a deal or dropping out of it, before the first lead (rules 3.7)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.course import enter_next, next_in
from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import Ints, Phase, RuleTables

__all__ = ["apply_stay", "legal_stays"]


def legal_stays(tables: RuleTables, state: GameState, rows: Ints) -> NDArray[np.int8]:
    """Return what the players may do (R, 2): stay, drop."""
    return np.ones((len(rows), 2), dtype=np.int8)


def apply_stay(tables: RuleTables, state: GameState, rows: Ints, choice: Ints) -> Ints:
    """Drop where ``choice`` (R,) is 1; return the games in which fewer than two play."""
    seat, dealer = state.seat[rows], state.dealer[rows]
    seats = state.seat_state
    seats.playing[rows, seat] = choice == 0
    at, following = np.arange(len(rows)), next_in(seats.active[rows])
    asked = following[at, seat]
    ends = seat == dealer
    if tables.seat_rules.taker_must_play:
        skips = asked == seats.taker[rows]
        ends |= skips & (asked == dealer)
        asked = np.where(skips, following[at, asked], asked)
    state.seat[rows[~ends]] = asked[~ends]
    done = rows[ends]
    seats.n_playing[done] = seats.playing[done].sum(axis=1)
    too_few = seats.n_playing[done] < 2
    enter_next(tables, state, done[~too_few], Phase.STAY)
    return done[too_few]
