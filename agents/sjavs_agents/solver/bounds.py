"""What the sides take for sure from a position between tricks on, without search."""

from __future__ import annotations

from sjavs_agents.compiled.card_sets import highest, popcount, up_to
from sjavs_agents.compiled.compiler import inlined
from sjavs_agents.solver.memory import (
    CARDS_OF,
    CLASSES,
    COVERS,
    I64,
    MEASURE,
    N_PLAYERS,
    OWN,
    PER_TRICK,
    SIDE,
    WORTH,
)
from sjavs_agents.solver.position import ALL_BY_ONE
from sjavs_env.rules.tables import TRUMP

__all__ = ["sure_bounds"]


@inlined
def sure_bounds(w: I64, rem: int, rest: int, leader: int) -> tuple[int, int]:
    """Return a lower and an upper bound of what side 0 takes of the ``rest``."""
    ours, theirs = _with_top_trumps(w, rem, 0), _with_top_trumps(w, rem, 1)
    if w[COVERS] == 0:  # a card turned up could be a trump
        run = _with_a_run(w, rem, rest, leader)
        if w[SIDE + leader] == 0:
            ours = max(ours, run)
        else:
            theirs = max(theirs, run)
    if w[MEASURE] == ALL_BY_ONE:  # all is not by one hand for sure, but a trick lost is lost
        ours = 0
    return ours, rest - theirs


@inlined
def _with_top_trumps(w: I64, rem: int, side: int) -> int:
    """Return what a side takes with the highest trumps, as long as these are its own.

    Each wins the trick it is played to, unless a higher one of the same side is in it: all their
    points are the side's, and those of one hand win as many tricks.
    """
    trumps = rem & w[CLASSES + TRUMP]
    top, gain, most = _above(trumps, trumps & w[CARDS_OF + 1 - side]), 0, 0
    if w[PER_TRICK]:
        for seat in range(w[N_PLAYERS]):
            if w[SIDE + seat] == side:
                most = max(most, popcount(w[OWN + seat] & top))
    while top:
        card = highest(top)
        gain += w[WORTH + card]
        top ^= 1 << card
    return gain + most * w[PER_TRICK]


@inlined
def _with_a_run(w: I64, rem: int, rest: int, leader: int) -> int:
    """Return what the leader takes by playing the highest trumps and then the highest plain cards.

    These count if no other hand has a trump by then.  A run of the whole hand takes all.
    """
    own, trumps = w[OWN + leader] & rem, rem & w[CLASSES + TRUMP]
    run, longest = _above(own & trumps, trumps & ~own), 0
    for seat in range(w[N_PLAYERS]):
        if seat != leader:
            longest = max(longest, popcount(w[OWN + seat] & trumps))
    if longest <= popcount(run):
        run |= own & trumps
        for cls in range(TRUMP):
            suit = rem & w[CLASSES + cls]
            run |= _above(suit & own, suit & ~own)
    if run == own:
        return rest
    gain = popcount(run) * w[PER_TRICK]
    while run:
        card = highest(run)
        gain += w[WORTH + card]
        run ^= 1 << card
    return gain


@inlined
def _above(cards: int, others: int) -> int:
    """Return the cards that are higher than all others."""
    return cards & ~up_to(highest(others)) if others else cards
