"""The auction: one round, each player speaks once, the highest rung of the ladder holds.

What a player may say depends on the rung that stands, their longest length and their clubs
(rules 3.1), so the compiler has already written it down; this module looks it up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.course import go_on
from sjavs_env.engine.state import REDEAL, GameState
from sjavs_env.rules.tables import NONE, Ints, Phase, RuleTables, Words

__all__ = ["apply_call", "legal_calls", "suit_lengths"]

CLUBS = 0


def suit_lengths(tables: RuleTables, hands: Words) -> Ints:
    """Return the length of each suit (R, 4) in hands (R,): permanent trumps count in all."""
    return np.bitwise_count(hands[:, None] & tables.cards.length_set).astype(np.intp)


def legal_calls(tables: RuleTables, state: GameState, rows: Ints) -> NDArray[np.int8]:
    """Return what the seats to act may say (R, 1 + K): pass, then the rungs."""
    lengths = suit_lengths(tables, state.hand[rows, state.seat[rows]])
    return tables.auction.legal_calls[
        state.best_bid[rows] + 1, lengths.max(axis=1), lengths[:, CLUBS]
    ]


def apply_call(tables: RuleTables, state: GameState, rows: Ints, call: Ints) -> Ints:
    """Speak: ``call`` (R,) is 0 for pass, 1 + k for rung k."""
    seat = state.seat[rows]
    state.calls[rows, seat] = call + 1
    is_bid = call > 0
    bidders = rows[is_bid]
    state.best_bid[bidders] = call[is_bid] - 1
    state.declarer[bidders] = state.seat[bidders]
    ends = seat == state.dealer[rows]
    if tables.auction.first_bid_ends:
        ends |= is_bid
    state.seat[rows] = (seat + 1) % tables.n_players
    if ends.any():
        _close(tables, state, rows[ends])
    return rows[:0]


def _close(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """All have spoken: the holder of the best bid decides next, or nobody has bid."""
    has_bid = state.declarer[rows] != NONE
    if tables.auction.redeal_when_all_pass:
        passed = rows[~has_bid]
        state.phase[passed] = Phase.OVER
        state.outcome[passed] = REDEAL
        rows = rows[has_bid]  # else it is played with the permanent trumps alone (rules 3.1)
    state.mode[rows] = tables.course.fixed_mode * (state.declarer[rows] != NONE)
    go_on(tables, state, rows, Phase.AUCTION)
