"""Naming the trump suit: after the auction, before the first lead (rules 3.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.course import go_on
from sjavs_env.engine.phases.auction import CLUBS, suit_lengths
from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import Ints, Phase, RuleTables

__all__ = ["apply_name", "legal_names", "suits_to_name"]


def legal_names(tables: RuleTables, state: GameState, rows: Ints) -> NDArray[np.int8]:
    """Return the suits (R, 4) that the holders may name."""
    lengths = suit_lengths(tables, state.hand[rows, state.seat[rows]])
    return suits_to_name(tables, state.best_bid[rows], lengths)


def suits_to_name(tables: RuleTables, bid: Ints, lengths: Ints) -> NDArray[np.int8]:
    """Return the suits (R, 4) that hands of these lengths (R, 4) may name under their bids (R,)."""
    announced = tables.auction.bid_length[bid][:, None]
    allowed = lengths == announced if tables.auction.name_exact else lengths >= announced
    must_be_clubs = tables.auction.bid_better[bid]
    if tables.auction.name_clubs_first:
        must_be_clubs = must_be_clubs | allowed[:, CLUBS]
    allowed[must_be_clubs] = False
    allowed[must_be_clubs, CLUBS] = True
    return allowed.astype(np.int8)


def apply_name(tables: RuleTables, state: GameState, rows: Ints, suit: Ints) -> Ints:
    """Name the trump suit (R,), 0-3 in the order of the suits."""
    state.mode[rows] = 1 + suit
    go_on(tables, state, rows, Phase.NAME_TRUMP)
    return rows[:0]
