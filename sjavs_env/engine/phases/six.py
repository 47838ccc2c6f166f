"""The six: its holder may put it in the place of the card turned up (rules 3.5)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.course import enter_next
from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import Ints, Phase, RuleTables, Words

__all__ = ["apply_six", "legal_sixes"]


def legal_sixes(tables: RuleTables, state: GameState, rows: Ints) -> NDArray[np.int8]:
    """Return what the holders may do (R, 2): swap the six, keep it."""
    return np.ones((len(rows), 2), dtype=np.int8)


def apply_six(tables: RuleTables, state: GameState, rows: Ints, choice: Ints) -> Ints:
    """Swap the six where ``choice`` (R,) is 0; all know that who is asked has it."""
    low = tables.cards.low_trump[state.mode[rows]]
    state.seat_state.six_asked[rows] = 1
    swaps = choice == 0
    _swap(tables, state, rows[swaps], low[swaps])
    if tables.seat_rules.asks_late:
        state.phase[rows] = Phase.PLAY
    else:
        enter_next(tables, state, rows, Phase.SIX)
    return rows[:0]


def _swap(tables: RuleTables, state: GameState, rows: Ints, low: Words) -> None:
    """The six lies on the table from now on; with three players it is part of the reserve."""
    seats = state.seat_state
    seat, taken = state.seat[rows], tables.cards.bit[seats.on_table[rows]]
    both = taken | low
    for cards in (state.hand, state.dealt):
        cards[rows, seat] ^= both
    in_reserve = (state.talon[rows] & taken) != 0
    state.talon[rows[in_reserve]] ^= both[in_reserve]
    seats.dead[rows[~in_reserve]] ^= both[~in_reserve]
    seats.known[rows, seat] ^= both
    seats.on_table[rows] = (tables.cards.bit == low[:, None]).argmax(axis=1)
    seats.six_by[rows] = seat
