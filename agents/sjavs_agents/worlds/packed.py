"""How many cards each pile gets, packed into one whole number.

Eight bits for each pile, the first pile in the lowest ones::

    pile         2         1         0
    cards        1         0         3
    packed   00000001  00000000  00000011

So one addition adds for all piles, and one subtraction compares all of them.  For that the top
bit of every field of the larger number is set (``guarded``): a field that would fall below zero
takes its own top bit away, and borrows from no other.
"""

from __future__ import annotations

from sjavs_agents.compiled.compiler import inlined

__all__ = ["FIELD", "MOST_PILES", "fits", "guarded", "share"]

FIELD = 8
MOST_PILES = 7  # so that packed numbers stay positive
ONE_FIELD = (1 << FIELD) - 1
GUARD = sum(1 << (FIELD * pile + FIELD - 1) for pile in range(MOST_PILES))


@inlined
def share(packed: int, pile: int) -> int:
    """Return what one pile gets."""
    return packed >> FIELD * pile & ONE_FIELD


@inlined
def guarded(packed: int) -> int:
    """Return a packed number that others can be compared with."""
    return packed | GUARD


@inlined
def fits(packed: int, room: int) -> bool:
    """Say whether no pile gets more than its share of ``room``, which is guarded."""
    return (room - packed) & GUARD == GUARD
