"""What a side takes for sure, without search."""

from __future__ import annotations

from agents.search.memory import (
    CARDS_OF,
    CLASSES,
    COVERS,
    I64,
    N_PLAYERS,
    OWN,
    PER_TRICK,
    SIDE,
    WORTH,
)
from agents.search.words import compiled, inlined, highest, popcount, up_to
from sjavs_env.rules.tables import TRUMP

__all__ = ["sure_gain", "sure_run"]


@inlined
def sure_gain(w: I64, rem: int, side: int) -> int:
    """Return what a side takes with the highest trumps, as long as these are its own.

    Each of them wins whatever trick it is played to, unless a higher one of the same side is in
    it: all their points are the side's.  Those of one hand win as many tricks.
    """
    trumps, gain, most = rem & w[CLASSES + TRUMP], 0, 0
    theirs = trumps & w[CARDS_OF + 1 - side]
    top = trumps & ~up_to(highest(theirs)) if theirs else trumps
    rest = top
    while rest:
        gain += w[WORTH + highest(rest)]
        rest ^= 1 << highest(rest)
    if w[PER_TRICK]:
        for seat in range(w[N_PLAYERS]):
            if w[SIDE + seat] == side:
                most = max(most, popcount(w[OWN + seat] & top))
    return gain + most * w[PER_TRICK]


@inlined
def sure_run(w: I64, rem: int, leader: int) -> int:
    """Return what the leader takes by playing his highest trumps and then his best plain cards.

    The plain cards count only if nobody has a trump by then.
    """
    own, n = w[OWN + leader] & rem, w[N_PLAYERS]
    trumps = rem & w[CLASSES + TRUMP]
    others = trumps & ~own
    top = own & trumps
    if others:
        top &= ~up_to(highest(others))
    n_top, longest = popcount(top), 0
    for seat in range(n):
        if seat != leader:
            longest = max(longest, popcount(w[OWN + seat] & trumps))
    run = top
    if longest <= n_top:
        run |= own & trumps
        for cls in range(TRUMP):
            suit = rem & w[CLASSES + cls]
            others = suit & ~own
            mine = suit & own
            if others:
                mine &= ~up_to(highest(others))
            run |= mine
    count = popcount(run)
    gain = count * w[PER_TRICK]
    if count == popcount(own):
        return -1
    while run:
        gain += w[WORTH + highest(run)]
        run ^= 1 << highest(run)
    return gain
