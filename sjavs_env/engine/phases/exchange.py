"""The exchange: the declarer takes the talon or leaves it, and lays cards away (rules 3.3).

Cards are laid away one at a time: a choice among the cards held, made as often as needed,
can be learned like the choice of a card to play, where every pair would be an action of its
own.  What lies aside in the end counts to the declarer's card points (see ``results.payoff``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.course import go_on
from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import Ints, Phase, RuleTables

__all__ = ["apply_lay", "apply_take", "legal_lays", "legal_takes"]


def legal_takes(tables: RuleTables, state: GameState, rows: Ints) -> NDArray[np.int8]:
    """Return what the declarers may do with the talon (R, 2): take it, leave it."""
    return np.ones((len(rows), 2), dtype=np.int8)


def apply_take(tables: RuleTables, state: GameState, rows: Ints, choice: Ints) -> Ints:
    """Take the talon where ``choice`` (R,) is 0; where it is 1 there is nothing to lay away."""
    takes = rows[choice == 0]
    _take(tables, state, takes, np.full(len(takes), tables.deal.n_talon))
    go_on(tables, state, takes, Phase.TAKE)
    go_on(tables, state, rows[choice == 1], Phase.LAY)
    return rows[:0]


def legal_lays(tables: RuleTables, state: GameState, rows: Ints) -> NDArray[np.int8]:
    """Return what the declarers may lay away (R, N + 1); the last action is to stop."""
    hand = state.hand[rows, state.seat[rows]]
    legal = np.empty((len(rows), tables.n_cards + 1), dtype=np.int8)
    legal[:, :-1] = (hand[:, None] & tables.cards.bit) != 0
    legal[:, -1] = tables.exchange.lays_blind
    return legal


def apply_lay(tables: RuleTables, state: GameState, rows: Ints, choice: Ints) -> Ints:
    """Lay a card away, or stop; blindly exchanged cards are taken when all are laid away."""
    lays = choice < tables.n_cards
    some, bit = rows[lays], tables.cards.bit[choice[lays]]
    seat = state.seat[some]
    state.hand[some, seat] ^= bit
    state.dealt[some, seat] ^= bit
    state.laid[some] |= bit
    count = np.bitwise_count(state.laid[rows]).astype(np.intp)
    ends = ~lays | (count == tables.exchange.most_laid)
    if tables.exchange.lays_blind:
        _take(tables, state, rows[ends], count[ends])
    go_on(tables, state, rows[ends], Phase.LAY)
    return rows[:0]


def _take(tables: RuleTables, state: GameState, rows: Ints, count: Ints) -> None:
    """Take the first ``count`` (R,) cards of the talon into the declarer's hand."""
    bits = tables.cards.bit[state.aside[rows]]  # (R, talon)
    bits[np.arange(tables.deal.n_talon) >= count[:, None]] = 0
    taken = np.bitwise_or.reduce(bits, axis=1)
    seat = state.declarer[rows]
    state.hand[rows, seat] |= taken
    state.dealt[rows, seat] |= taken
    state.talon[rows] ^= taken
    state.taken[rows] = count
