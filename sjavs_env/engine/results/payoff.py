"""The result of a deal: who took what, which row that is, what it changes (rules 5.1, 5.2)."""

from __future__ import annotations

import numpy as np

from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import DECLARERS, GAVE_UP, NOBODY, Ints, Phase, RuleTables, Words

__all__ = ["points_in", "score_deals", "tie_bonus"]


def score_deals(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Write outcome and score change of deals that are played out."""
    ally = tables.result.ally[state.declarer[rows]]  # no declarer: NONE picks the last row
    column = tables.result.column_of[state.best_bid[rows], state.mode[rows]]
    points = (state.points[rows] * ally).sum(axis=1)
    taken = _tricks_taken(tables, state.tricks[rows], ally)
    if tables.deal.n_talon:
        points += points_in(tables, state.talon[rows] | state.laid[rows])
        taken[state.gave_up[rows] == 1] = GAVE_UP
    outcome = tables.result.payoff_row[column, points, taken]
    winner = tables.result.payoff_winner[outcome]
    paid = tables.result.payoff_change[column, outcome]  # (R, 2)
    change = np.where(ally, paid[:, :1], paid[:, 1:])
    state.change[rows] = change + tie_bonus(tables, state.ties[rows], column, winner, ally, change)
    state.outcome[rows] = outcome
    state.phase[rows] = Phase.OVER


def points_in(tables: RuleTables, words: Words) -> Ints:
    """Return the card points in sets of cards (R,): what lies aside is the declarer's."""
    return np.asarray(((words[:, None] & tables.cards.bit) != 0) @ tables.cards.points)


def _tricks_taken(tables: RuleTables, tricks: Ints, ally: np.ndarray) -> Ints:
    """Classify the declarers' tricks (R,): 0 none, 1 some, 2 all, 3 all by one hand."""
    mine = tricks * ally
    total = mine.sum(axis=1)
    is_all = total == tables.n_tricks
    by_one = (mine == tables.n_tricks).any(axis=1)
    return np.asarray((total > 0).astype(np.intp) + is_all + by_one)


def tie_bonus(
    tables: RuleTables, ties: Ints, column: Ints, winner: Ints, ally: np.ndarray, change: Ints
) -> Ints:
    """Return what pending ties (R,) add to the winners' change (R, P).

    Scores count down, so it is negative.
    """
    extra = tables.result.tie_extra[column, winner] * ties
    doubled = change * (tables.result.tie_factor - 1) * (ties > 0)[:, None]  # never compounds
    wins = (ally == (winner == DECLARERS)[:, None]) & (winner != NOBODY)[:, None]
    return np.asarray(doubled - extra[:, None] * wins)
