"""The course of a deal: which moment of decision comes after which.

It may depend on the bid: under some contracts the talon stays where it is.  Where seats may be
out, a moment comes only in the deals that have something to decide there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import NONE, Bool, Ints, Phase, RuleTables

__all__ = ["ask_late", "can_swap", "enter_next", "go_on", "in_order", "next_in", "open_deal"]


def go_on(tables: RuleTables, state: GameState, rows: Ints, done: Phase) -> None:
    """Leave the phase ``done``: forehand leads, or else the declarer decides next."""
    following = tables.course.phase_after[state.best_bid[rows], done]
    state.phase[rows] = following
    leads = following == Phase.PLAY
    state.seat[rows] = np.where(leads, state.leader[rows], state.declarer[rows])


# Where seats may be out


def in_order(state: GameState, rows: Ints) -> tuple[Ints, Ints]:
    """Return the seats (R, P) from the eldest to the dealer, then those out of the match.

    And how many are in it (R,).
    """
    is_active = state.seat_state.active
    n = is_active.shape[1]
    around = (state.dealer[rows][:, None] + np.arange(1, n + 1)) % n
    active = is_active[rows[:, None], around]
    order = np.take_along_axis(around, np.argsort(-active, axis=1, kind="stable"), axis=1)
    return order, active.sum(axis=1, dtype=np.intp)


def next_in(among: Ints) -> Ints:
    """Return for each seat the next one that is among the seats (R, P) marked 1."""
    n = among.shape[1]
    after = (np.arange(n)[:, None] + np.arange(1, n + 1)) % n  # (P, P) the seats after each
    return np.asarray(
        np.take_along_axis(after[None], among[:, after].argmax(axis=2)[..., None], axis=2)[..., 0]
    )


def open_deal(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Come to the first moment of decision of deals just dealt."""
    _enter_first(tables, state, rows, tables.seat_rules.course)


def enter_next(tables: RuleTables, state: GameState, rows: Ints, done: Phase) -> None:
    """Leave the phase ``done`` for the next one that has something to decide."""
    course = tables.seat_rules.course
    _enter_first(tables, state, rows, course[course.index(done) + 1 :])


def _enter_first(
    tables: RuleTables, state: GameState, rows: Ints, phases: tuple[Phase, ...]
) -> None:
    for phase in phases:
        if not len(rows):
            return
        seat = FIRST_ASKED[phase](tables, state, rows)
        is_asked = seat != NONE
        asked = rows[is_asked]
        state.phase[asked], state.seat[asked] = phase, seat[is_asked]
        if phase == Phase.SIX:
            _tell_holder(tables, state, asked)
        rows = rows[~is_asked]
    _start_play(tables, state, rows)


def _holder(tables: RuleTables, state: GameState, rows: Ints) -> Ints:
    """The seat that may exchange the lowest trump."""
    may = can_swap(tables, state, rows)
    return np.where(may.any(axis=1), may.argmax(axis=1), NONE)


def _eldest_with_reserve(tables: RuleTables, state: GameState, rows: Ints) -> Ints:
    order, _ = in_order(state, rows)
    return np.where(state.talon[rows] != 0, order[:, 0], NONE)


def _first_to_stay(tables: RuleTables, state: GameState, rows: Ints) -> Ints:
    order, _ = in_order(state, rows)
    if not tables.seat_rules.taker_must_play:
        return order[:, 0]
    return np.where(order[:, 0] == state.seat_state.taker[rows], order[:, 1], order[:, 0])


def _tell_holder(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Nobody else is asked, so all know who holds the lowest trump."""
    seat, low = state.seat[rows], tables.cards.low_trump[state.mode[rows]]
    state.seat_state.known[rows, seat] |= low


# Whom a phase asks first (R,); NONE where there is nothing to decide.
FIRST_ASKED: dict[Phase, Callable[[RuleTables, GameState, Ints], Ints]] = {
    Phase.SIX: _holder,
    Phase.RESERVE: _eldest_with_reserve,
    Phase.STAY: _first_to_stay,
}


def can_swap(tables: RuleTables, state: GameState, rows: Ints) -> Bool:
    """Return which seats (R, P) could swap the lowest trump for the card turned up (rules 3.5)."""
    low = tables.cards.low_trump[state.mode[rows]]
    lies = state.seat_state.on_table[rows]
    is_other = (lies != NONE) & (tables.cards.bit[lies] != low)
    return np.asarray(((state.hand[rows] & low[:, None]) != 0) & is_other[:, None])


def _start_play(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """The first playing seat from the eldest leads (rules 2.1, 3.7)."""
    seats = state.seat_state
    playing = seats.playing[rows]
    seats.n_playing[rows] = playing.sum(axis=1)
    following = seats.following[rows] = next_in(playing)
    first = following[np.arange(len(rows)), state.dealer[rows]]
    state.seat[rows] = state.leader[rows] = state.winner[rows] = first
    state.phase[rows] = Phase.PLAY
    if tables.seat_rules.asks_late:
        ask_late(tables, state, rows)


def ask_late(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Before its first card, ask the seat to act for the lowest trump it holds (rules 3.5)."""
    seat = state.seat[rows]
    may = can_swap(tables, state, rows)[np.arange(len(rows)), seat]
    is_asked = may & (state.trick_number[rows] == 0) & (state.seat_state.six_asked[rows] == 0)
    state.phase[rows[is_asked]] = Phase.SIX
    _tell_holder(tables, state, rows[is_asked])
