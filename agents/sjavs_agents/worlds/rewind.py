"""Deals as they stood earlier, told from how they stand now."""

from __future__ import annotations

import numpy as np

from sjavs_env import Game, GameState
from sjavs_env.rules.tables import NO_LEAD, NONE

__all__ = ["before_calls", "rewound"]


def rewound(game: Game, state: GameState) -> GameState:
    """Return the same deals as they stood before the first card was led."""
    past = state.clone()
    past.hand[:] = past.dealt
    past.trick[:] = NONE
    past.led[:] = NO_LEAD
    for field in (past.trick_size, past.best_power, past.pile, past.trick_number):
        field[:] = 0
    for field in (past.points, past.tricks, past.void):
        field[:] = 0
    past.fell[:] = 0
    forehand = (past.dealer + 1) % game.tables.n_players
    past.leader[:] = past.seat[:] = past.winner[:] = forehand
    return past


def before_calls(game: Game, state: GameState) -> GameState:
    """Return the same deals as they stood before anybody spoke; for games with an auction."""
    t, past = game.tables, state.clone()
    rows = np.arange(len(past))
    past.clear_deal(rows)
    if t.deal.n_talon:
        is_taken = np.arange(t.deal.n_talon) < state.taken[:, None]
        cards = np.where(is_taken, t.cards.bit[state.aside], t.word_type.type(0))
        taken = np.bitwise_or.reduce(cards, axis=1)
        declarer = np.maximum(state.declarer, 0)
        past.dealt[rows, declarer] = (past.dealt[rows, declarer] | state.laid) & ~taken
        past.talon[:], past.laid[:] = state.talon | taken, 0
    past.hand[:] = past.dealt
    past.phase[:] = t.course.phases[0]
    past.leader[:] = past.seat[:] = past.winner[:] = (past.dealer + 1) % t.n_players
    return past
