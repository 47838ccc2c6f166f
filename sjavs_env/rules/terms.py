"""The constants and array types that compiled tables, engine and views share."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "DECLARERS",
    "DEFENDERS",
    "GAVE_UP",
    "LONE",
    "NOBODY",
    "NONE",
    "NO_LEAD",
    "NO_SUIT",
    "N_CLASSES",
    "PLAYED",
    "THROWN_IN",
    "TRICKS_ALL",
    "TRICKS_ALL_BY_ONE",
    "TRICKS_NONE",
    "TRICKS_SOME",
    "TRUMP",
    "Bool",
    "Floats",
    "Ints",
    "Phase",
    "Words",
]

# arrays, here and everywhere
Ints = NDArray[np.intp]
Floats = NDArray[np.floating[Any]]
Bool = NDArray[np.bool_]
# sets of cards, uint32 for packs of up to 32 cards, else uint64
Words = NDArray[np.unsignedinteger[Any]]

NONE = -1
NO_SUIT = 0  # the mode in which no suit has been named
TRUMP = 4  # the class of trumps; classes 0-3 are the plain suits in the order of SUITS
N_CLASSES = 5
NO_LEAD = 5  # stands for the class led before a lead: any card follows it
DECLARERS, DEFENDERS, NOBODY = 0, 1, 2
PLAYED, LONE, THROWN_IN = range(3)  # outcomes of deals that are scored by rank
TRICKS_NONE, TRICKS_SOME, TRICKS_ALL, TRICKS_ALL_BY_ONE, GAVE_UP = range(5)


class Phase(IntEnum):
    """Moments of decision, in the order of a deal."""

    AUCTION = 0
    NAME_TRUMP = 1
    PLAY = 2
    OVER = 3  # the deal has a result; nobody is to act
    TAKE = 4  # the declarer takes the talon or leaves it
    LAY = 5  # they lay cards away, one at a time
    CONCEDE = 6  # they play on or give up
    SIX = 7  # the holder of the lowest trump takes the card turned up for it, or not
    RESERVE = 8  # each player in turn takes the reserve hand for their own, or not
    STAY = 9  # each player in turn stays in the deal or drops out
