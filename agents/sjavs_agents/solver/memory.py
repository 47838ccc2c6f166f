"""Where the search keeps what: one row of numbers, and names for the places in it.

Compiled code gets one array instead of dozens, which would all have to be handed from function
to function.  Sets of cards are numbers as well: no pack has more than 36 cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Workspace", "make_workspace"]

I64 = NDArray[np.int64]
Forms = NDArray[np.uint16]

MAX_CARDS, MAX_SEATS, MAX_COVERS, MAX_MOVES, MAX_PLIES = 40, 4, 16, 20, 40

# the deal now loaded
(N_PLAYERS, FOLLOW, PER_TRICK, PER_DEAL, MEASURE, STAMP, NODES, COVERS) = range(8)
TOP_TRUMP = 8  # the highest trump, as a set
FIRST = 9  # all cards if no trick is over at the root, else none
OWN = 12  # cards of each seat
SIDE = OWN + MAX_SEATS
CARDS_OF = SIDE + MAX_SEATS  # cards of each side
CLASSES = CARDS_OF + 2  # cards of each class
CLASS_FIRST = CLASSES + 6  # where each class begins
FORM_AT = CLASS_FIRST + 6  # where its forms begin
UP = FORM_AT + 6  # each card on the table that lies on another one, as a set
DOWN = UP + MAX_COVERS  # the cards below them
CLASS_OF = DOWN + MAX_COVERS  # of each card
CODE = CLASS_OF + MAX_CARDS  # equal for cards of one owner, class and worth
WORTH = CODE + MAX_CARDS  # what the card adds to the measure
CARD = WORTH + MAX_CARDS  # which card of the pack it is
PLACE = CARD + MAX_CARDS  # card of the pack -> here
RATES = PLACE + MAX_CARDS  # how good each of the moves being listed looks
GOOD_LEADS = RATES + MAX_CARDS  # the last lead that settled a position, by cards left and leader
FRAMES = GOOD_LEADS + MAX_CARDS * MAX_SEATS

# A frame is a position in which a seat is to play; frame d begins at FRAMES + d * FRAME.
(
    SEAT,
    LEADER,
    SIZE,  # cards in the trick
    LED,  # class led
    BEST,  # card that is winning the trick
    WINNER,  # who played it
    PILE,  # what is in the trick
    REST,  # what is still to come, this trick included
    NEED,  # what side 0 has to get of it
    VALUE,  # the best result so far, for the seat to act
    CHOICE,  # the card that gave it
    GAIN,  # what side 0 got with the trick before
    NEXT,  # the next move to try
    COUNT,  # number of moves
    REM,  # cards in play before the trick
    PLAYED,  # those of them in the trick
    COVERED,  # those face down
    MOVES,
) = range(18)
FRAME = MOVES + MAX_MOVES
SIZE_OF_ALL = FRAMES + MAX_PLIES * FRAME
MAX_FORMS = 1 << 15


class Workspace(NamedTuple):
    """What one search at a time needs."""

    memory: I64  # (SIZE_OF_ALL,)
    forms: Forms  # (MAX_FORMS,) see ``position``
    table: I64  # (4 * buckets,) two entries of key and data in each bucket


def make_workspace(table_bits: int) -> Workspace:
    """Return an empty workspace; its table has 2**table_bits entries of 16 bytes."""
    return Workspace(
        memory=np.zeros(SIZE_OF_ALL, np.int64),
        forms=np.zeros(MAX_FORMS, np.uint16),
        table=np.zeros(2 << table_bits, np.int64),
    )
