"""A match that players leave one after the other: whoever has enough is out, the last one loses.

What ``rubber`` is to matches in which all play to the end (rules 5.3).
"""

from __future__ import annotations

import numpy as np

from sjavs_env.engine.course import in_order, next_in
from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import Ints, RuleTables

__all__ = ["leave_and_pass_on", "let_out", "seat_players", "start_matches"]


def let_out(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Enter scored deals; let out all who have reached the target.

    If nobody would be left, the loser is who has least, then whose total in this deal was
    lowest, then who came latest in it.
    """
    state.n_deals[rows] += 1
    seats = state.seat_state
    active = seats.active[rows] == 1
    score = state.score[rows] = state.score[rows] + state.change[rows]
    stays = active & (score < tables.seat_rules.target)
    nobody = np.flatnonzero(~stays.any(axis=1))
    if len(nobody):
        stays[nobody, _last_of_all(state, rows[nobody])] = True
    seats.active[rows] = stays
    over = stays.sum(axis=1) == 1
    state.rubber_over[rows] = over
    state.crosses[rows] -= stays & over[:, None]


def _last_of_all(state: GameState, rows: Ints) -> Ints:
    """Who loses when all would leave (rules 5.3)."""
    order, _ = in_order(state, rows)
    seats = state.seat_state
    late, totals = -np.argsort(order, axis=1), state.points[rows] + seats.melds[rows]
    out = np.where(seats.active[rows] == 1, 0, 1)
    return np.asarray(np.lexsort((late, totals, state.score[rows], out))[:, 0])


def start_matches(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Begin anew with all seats; crosses are kept."""
    state.score[rows] = tables.match.start
    seats = state.seat_state
    for array in (seats.zeros, state.ties, state.n_deals, state.rubber_over):
        array[rows] = 0
    seats.active[rows] = 1


def leave_and_pass_on(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """The deal passes to the next player still in the match, after its end to the next seat."""
    among = np.where(state.rubber_over[rows][:, None] == 1, 1, state.seat_state.active[rows])
    state.dealer[rows] = next_in(among)[np.arange(len(rows)), state.dealer[rows]]


def seat_players(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Let only those be in the match whose scores say so; the dealer is one of them."""
    active: Ints = (state.score[rows] < tables.seat_rules.target).astype(np.intp)
    state.seat_state.active[rows] = active
    dealer = state.dealer[rows]
    at = np.arange(len(rows))
    state.dealer[rows] = np.where(active[at, dealer] == 1, dealer, next_in(active)[at, dealer])
