"""The rubber: running scores, pending ties, crosses, the next dealer (rules 4.7, 4.8)."""

from __future__ import annotations

import numpy as np

from sjavs_env.engine.state import REDEAL, GameState
from sjavs_env.rules.tables import NOBODY, Ints, RuleTables

__all__ = ["pass_deal_on", "record_deals", "start_rubbers"]


def record_deals(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Enter played deals in the rubber: scores count down and stop at 0."""
    before = state.score[rows]
    after = np.maximum(before + state.change[rows], 0)
    state.score[rows] = after
    is_tie = tables.payoff_winner[state.outcome[rows]] == NOBODY
    pending = state.ties[rows] + 1
    state.ties[rows] = np.where(is_tie, pending if tables.tie_stacks else 1, 0)
    wins = after == 0
    over = wins.any(axis=1)
    if over.any():
        _give_crosses(tables, state, rows[over], wins[over], before[over])
    state.rubber_over[rows] = over


def _give_crosses(
    tables: RuleTables, state: GameState, rows: Ints, wins: np.ndarray, before: Ints
) -> None:
    """Give crosses for rubbers won; more if the losers are still on the full score (rules 4.8)."""
    shut_out = ((before == tables.start) | wins).all(axis=1)
    value = np.array(tables.crosses)[shut_out.astype(np.intp)]
    state.crosses[rows] += wins * value[:, None]


def start_rubbers(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Put scores back to the start; crosses are kept."""
    state.score[rows] = tables.start
    state.ties[rows] = 0
    state.rubber_over[rows] = 0


def pass_deal_on(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """The deal passes to the next player after a played deal; a redeal stays."""
    played = state.outcome[rows] != REDEAL
    state.dealer[rows] = (state.dealer[rows] + played) % tables.n_players
