"""The search: whether side 0 takes so much more by best play from both sides.

A depth-first search with a null window: each question has a threshold, and a position is left
as soon as it is settled.  Values are *fail-soft* bounds: a value that reaches the threshold is a
lower bound of what side 0 takes from here on, another one an upper bound.  Both are kept in a
table of positions between tricks, so that questions with other thresholds and the other cards
at the root use them too.  The stack is explicit: compiled code that calls itself cannot be kept
on disk.
"""

from __future__ import annotations

from sjavs_agents.compiled.card_sets import popcount
from sjavs_agents.compiled.compiler import compiled, inlined
from sjavs_agents.solver.bounds import sure_bounds
from sjavs_agents.solver.memory import (
    BEST,
    CHOICE,
    CLASS_OF,
    COUNT,
    COVERED,
    FIRST,
    FRAME,
    FRAMES,
    GAIN,
    I64,
    LEADER,
    LED,
    MEASURE,
    MOVES,
    N_PLAYERS,
    NEED,
    NEXT,
    NODES,
    PER_TRICK,
    PILE,
    PLAYED,
    REM,
    REST,
    SEAT,
    SIDE,
    SIZE,
    STAMP,
    VALUE,
    WINNER,
    WORTH,
    Forms,
    Workspace,
)
from sjavs_agents.solver.moves import find_moves, place_of_lead
from sjavs_agents.solver.position import ALL_BY_ONE, beats, covered_cards, settled_form
from sjavs_env.rules.tables import NO_LEAD, NONE

__all__ = ["search"]

MOST = 1 << 20
OPENED = -1  # what ``_play`` returns when the position after a card is to be searched
NO_CARD = 63
BOUND_BITS = 16
BOUND = (1 << BOUND_BITS) - 1
SET_BITS = 36  # of a key; then come two bits for the leader and the stamp of the deal
SET = (1 << SET_BITS) - 1
SPREAD = 0x1E3779B97F4A7C15  # near 2**64 / golden ratio / 8: Fibonacci hashing


@compiled
def search(ws: Workspace, need: int) -> int:
    """Answer whether side 0 takes at least ``need`` from the root on, by the moves of frame 0.

    Returns a lower bound of what it takes if that reaches ``need``, else an upper bound.
    """
    w, forms, table = ws.memory, ws.forms, ws.table
    f = FRAMES
    _begin(w, f, need)
    while True:
        value, is_ours = w[f + VALUE], w[SIDE + w[f + SEAT]] == 0
        is_cut = value >= w[f + NEED] if is_ours else value < w[f + NEED]
        if is_cut or w[f + NEXT] == w[f + COUNT]:
            if f == FRAMES:
                return value
            if w[f + SIZE] == 0:
                _store(w, table, f)
                if is_cut:
                    w[place_of_lead(w, f)] = w[f + CHOICE]
            value += w[f + GAIN]
            f -= FRAME
        else:
            w[f + NEXT] += 1
            value = _play(w, forms, table, f, w[f + MOVES + w[f + NEXT] - 1])
            if value == OPENED:
                f += FRAME
                continue
        is_ours = w[SIDE + w[f + SEAT]] == 0
        if value > w[f + VALUE] if is_ours else value < w[f + VALUE]:
            w[f + VALUE] = value
            w[f + CHOICE] = w[f + MOVES + w[f + NEXT] - 1]


@inlined
def _begin(w: I64, f: int, need: int) -> None:
    w[f + NEED], w[f + NEXT], w[f + CHOICE] = need, 0, NO_CARD
    w[f + VALUE] = -1 if w[SIDE + w[f + SEAT]] == 0 else MOST
    w[NODES] += 1


@inlined
def _play(w: I64, forms: Forms, table: I64, f: int, card: int) -> int:
    """Play a card: return what side 0 takes with it if that is settled, or open a frame."""
    best, winner = w[f + BEST], w[f + WINNER]
    if w[f + SIZE] == 0 or beats(w, card, best):
        best, winner = card, w[f + SEAT]
    pile = w[f + PILE] + w[WORTH + card]
    played = w[f + PLAYED] | 1 << card
    if w[f + SIZE] + 1 == w[N_PLAYERS]:
        return _take_trick(w, forms, table, f, winner, pile, w[f + REM] & ~played)
    g = f + FRAME
    seat = w[f + SEAT] + 1
    w[g + SEAT] = 0 if seat == w[N_PLAYERS] else seat
    w[g + LEADER], w[g + SIZE] = w[f + LEADER], w[f + SIZE] + 1
    w[g + LED] = w[CLASS_OF + card] if w[f + SIZE] == 0 else w[f + LED]
    w[g + BEST], w[g + WINNER], w[g + PILE] = best, winner, pile
    w[g + REST], w[g + GAIN] = w[f + REST], 0
    w[g + REM], w[g + PLAYED], w[g + COVERED] = w[f + REM], played, w[f + COVERED]
    _begin(w, g, w[f + NEED])
    find_moves(w, g, NONE)
    return OPENED


@inlined
def _take_trick(w: I64, forms: Forms, table: I64, f: int, winner: int, pile: int, rem: int) -> int:
    """End a trick: settle the position if bounds or the table can, or open the next one."""
    gain = pile + w[PER_TRICK]
    rest = w[f + REST] - gain
    counts = w[SIDE + winner] == 0
    if w[MEASURE] == ALL_BY_ONE and w[f + REM] != w[FIRST]:
        counts &= winner == w[f + LEADER]
    if not rem:
        return w[f + REST] if counts else 0
    if not counts:
        gain = 0
    need = w[f + NEED] - gain
    if need <= 0:
        return gain
    if need > rest:
        return gain + rest
    rem = settled_form(w, forms, rem)
    first = NONE
    at = _find(w, table, rem, winner)
    if at >= 0:
        data = table[at + 1]
        lower, upper = data & BOUND, data >> BOUND_BITS & BOUND
        if lower >= need:
            return gain + lower
        if upper < need:
            return gain + upper
        first = data >> 2 * BOUND_BITS
    else:
        lower, upper = sure_bounds(w, rem, rest, winner)
        if lower >= need:
            return gain + lower
        if upper < need:
            return gain + upper
    g = f + FRAME
    w[g + SEAT] = w[g + LEADER] = w[g + WINNER] = winner
    w[g + SIZE] = w[g + PILE] = w[g + PLAYED] = 0
    w[g + LED], w[g + BEST] = NO_LEAD, NONE
    w[g + REST], w[g + GAIN] = rest, gain
    w[g + REM], w[g + COVERED] = rem, covered_cards(w, rem)
    _begin(w, g, need)
    find_moves(w, g, first)
    return OPENED


@inlined
def _key(w: I64, rem: int, leader: int) -> int:
    return (w[STAMP] << 2 | leader) << SET_BITS | rem


@inlined
def _bucket(table: I64, key: int) -> int:
    """Return where the two entries of a key are."""
    mixed = (key ^ key >> 29) * SPREAD
    return (mixed >> 24 & (len(table) >> 2) - 1) << 2


@inlined
def _find(w: I64, table: I64, rem: int, leader: int) -> int:
    key = _key(w, rem, leader)
    at = _bucket(table, key)
    if table[at] == key:
        return at
    if table[at + 2] == key:
        return at + 2
    return NONE


@inlined
def _store(w: I64, table: I64, f: int) -> None:
    """Enter the bound found for a position between tricks.

    Of two entries the first keeps the position with more cards, unless it is of another deal.
    """
    rem = w[f + REM]
    key = _key(w, rem, w[f + LEADER])
    at = _bucket(table, key)
    lower, upper = 0, w[f + REST]
    if table[at] == key or table[at + 2] == key:
        at = at if table[at] == key else at + 2
        data = table[at + 1]
        lower, upper = data & BOUND, data >> BOUND_BITS & BOUND
    elif table[at] >> SET_BITS + 2 == w[STAMP] and popcount(table[at] & SET) > popcount(rem):
        at += 2
    if w[f + VALUE] >= w[f + NEED]:
        lower = max(lower, w[f + VALUE])
    else:
        upper = min(upper, w[f + VALUE])
    table[at] = key
    table[at + 1] = lower | upper << BOUND_BITS | w[f + CHOICE] << 2 * BOUND_BITS
