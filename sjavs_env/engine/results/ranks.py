"""The result of a deal in which the best totals get a mark (rules 5.1).

A total is what a player has won in tricks and scored for melds; whoever has less than the limit
is in the bag.
"""

from __future__ import annotations

import numpy as np

from sjavs_env.engine.course import in_order
from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import LONE, PLAYED, THROWN_IN, Bool, Ints, Phase, RuleTables

__all__ = ["score_marks"]


def score_marks(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Write outcome, score change and zeros of deals that have ended."""
    playing = state.seat_state.playing[rows] == 1
    count = playing.sum(axis=1)
    outcome = np.where(count > 1, PLAYED, np.where(count == 1, LONE, THROWN_IN))
    state.outcome[rows] = outcome
    state.change[rows] = tables.seat_rules.lone_mark * (playing & (outcome == LONE)[:, None])
    state.phase[rows] = Phase.OVER
    played = outcome == PLAYED
    _settle(tables, state, rows[played], playing[played])


def _settle(tables: RuleTables, state: GameState, rows: Ints, playing: Bool) -> None:
    """Give marks, and note who is in the bag."""
    rules = tables.seat_rules
    seats = state.seat_state
    total = state.points[rows] + seats.melds[rows]
    able = playing & (total >= rules.limit)
    in_bag = playing & ~able
    n_active = seats.active[rows].sum(axis=1)
    worth = rules.mark_worth[n_active]
    worth = np.where(able.sum(axis=1) == 1, np.maximum(worth, rules.sole_mark), worth)
    marked = _marked(tables, state, rows, np.where(able, total, -1), rules.marks[n_active])
    owes = seats.zeros[rows] > 0
    change = worth[:, None] * (marked & ~owes)
    if rules.bag == "zero":
        change += in_bag.sum(axis=1)[:, None] * able
        seats.zeros[rows] += in_bag.astype(np.intp) - (marked & owes)
    else:
        change -= in_bag
    state.change[rows] = change


def _marked(tables: RuleTables, state: GameState, rows: Ints, total: Ints, marks: Ints) -> Bool:
    """Who gets a rank mark (R, P); a total of -1 is out of the question."""
    is_able = total >= 0
    higher = (total[:, None, :] > total[:, :, None]).sum(axis=2)  # seats above each
    if tables.seat_rules.rank_tie == "all":
        return np.asarray(is_able & (higher < marks[:, None]))
    if tables.seat_rules.rank_tie == "none":
        level = (total[:, None, :] >= total[:, :, None]).sum(axis=2)  # above or equal, oneself too
        return np.asarray(is_able & (level <= marks[:, None]))
    order, _ = in_order(state, rows)
    place = np.argsort(order, axis=1)
    before = total[:, None, :] == total[:, :, None]
    before &= place[:, None, :] < place[:, :, None]
    return np.asarray(is_able & (higher + before.sum(axis=2) < marks[:, None]))
