"""The question how hidden cards may lie, as whole numbers for compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["GROUPS", "MOST_CARDS", "SUITS", "Int64", "Problems"]

Int64 = NDArray[np.int64]

GROUPS = 5  # permanent trumps and the rest of each suit: what suit lengths are made of
SUITS = GROUPS - 1
MOST_CARDS = 48


class Problems(NamedTuple):
    """Q times the question how cards may lie.  S seats whose lengths may be bounded.

    Sets are whole numbers with bit k for card k.
    """

    place: Int64  # (Q,) cards to be placed
    may: Int64  # (Q, piles) those that each pile may take
    size: Int64  # (Q, piles) cards that each pile takes
    counts_for: Int64  # (Q, piles) seat for whose lengths the pile counts, or NONE
    base: Int64  # (Q, S, GROUPS) known cards that count besides
    low: Int64  # (Q, S, SUITS) bounds of each suit length
    high: Int64  # (Q, S, SUITS)
    need: Int64  # (Q, S) what the longest suit has at least
    groups: Int64  # (GROUPS,) cards of each group
