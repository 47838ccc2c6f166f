"""One deal as the search sees it: cards still in play, renumbered by strength.

Cards are renumbered at the root: plain suits in blocks, trumps last, each weakest first, without
gaps.  A card beats a lower one of its class, and a trump beats every plain card.  Two sets of
remaining cards are *alike* if in every class the same owners hold cards of the same worth in the
same order; then play goes the same way.  ``settled_form`` gives the one set that stands for all
sets alike, so that the search meets it once.
"""

from __future__ import annotations

from typing import NamedTuple

from sjavs_agents.compiled.card_sets import highest, lowest, popcount
from sjavs_agents.compiled.compiler import compiled, inlined
from sjavs_agents.solver.memory import (
    BEST,
    CARD,
    CARDS_OF,
    CLASS_FIRST,
    CLASS_OF,
    CLASSES,
    CODE,
    COVERED,
    COVERS,
    DOWN,
    FIRST,
    FOLLOW,
    FORM_AT,
    FRAMES,
    GAIN,
    GOOD_LEADS,
    I64,
    LEADER,
    LED,
    MEASURE,
    N_PLAYERS,
    OWN,
    PER_DEAL,
    PER_TRICK,
    PILE,
    PLACE,
    PLAYED,
    REM,
    REST,
    SEAT,
    SIDE,
    SIZE,
    STAMP,
    TOP_TRUMP,
    UP,
    WINNER,
    WORTH,
    Forms,
    Workspace,
)
from sjavs_env.rules.tables import N_CLASSES, NO_LEAD, NONE, TRUMP

__all__ = [
    "ALL_BY_ONE",
    "FOLLOW_WORDS",
    "POINTS",
    "TRICKS",
    "Deals",
    "Deck",
    "beats",
    "covered_cards",
    "load_deal",
    "open_root",
    "settled_form",
]

# What side 0 is to take: card points, tricks, or tricks all won by the same hand.
POINTS, TRICKS, ALL_BY_ONE = range(3)
FOLLOW_WORDS = ("whist", "must_overtrump", "simple", "strict")
MOST_STAMPS = 1 << 24


class Deck(NamedTuple):
    """The cards of a rule set in every trump mode; shapes as in ``sjavs_env.rules.tables``."""

    card_at: I64  # (M, N) place in order of strength -> card
    class_of: I64  # (M, N)
    worth: I64  # (M, N) card points
    top_trump: I64  # (M,) the highest trump
    n_players: int
    follow: int  # place in FOLLOW_WORDS
    last_trick: int  # card points for it


class Deals(NamedTuple):
    """Positions to search.  Side 0 is the declarer's, or that of seat 0 where there is none."""

    own: I64  # (R, P) sets: cards that a seat holds, has just played or will turn up
    mode: I64  # (R,)
    leader: I64  # (R,)
    trick: I64  # (R, P) cards in the trick in the order of play, NONE after them
    side: I64  # (R, P) 0 or 1
    points: I64  # (R,) card points that side 0 has
    tricks: I64  # (R,) tricks that side 0 has
    alone: I64  # (R,) tricks of the leader, if of side 0, else NONE
    number: I64  # (R,) tricks completed
    up: I64  # (R, covers) cards on the table that lie on another one, or NONE
    down: I64  # (R, covers) the cards below them, or NONE


@compiled
def load_deal(ws: Workspace, deck: Deck, deals: Deals, row: int, measure: int) -> None:
    """Load a deal for questions of one measure; the table forgets the one before."""
    w = ws.memory
    w[N_PLAYERS], w[FOLLOW], w[MEASURE] = deck.n_players, deck.follow, measure
    w[PER_TRICK] = 0 if measure == POINTS else 1
    w[PER_DEAL] = deck.last_trick if measure == POINTS else 0
    w[STAMP] += 1
    if w[STAMP] == MOST_STAMPS:
        ws.table[:] = 0
        w[STAMP] = 1
    for seat in range(deck.n_players):
        w[SIDE + seat] = deals.side[row, seat]
    w[GOOD_LEADS:FRAMES] = NONE
    _renumber(w, deck, deals, row)
    _load_covers(w, deals, row)
    for cls in range(N_CLASSES):
        _find_forms(w, ws.forms, cls)


@compiled
def _renumber(w: I64, deck: Deck, deals: Deals, row: int) -> None:
    mode, n = deals.mode[row], 0
    w[OWN : OWN + deck.n_players] = 0
    w[CLASSES : CLASSES + N_CLASSES + 1] = 0
    w[CARDS_OF] = w[CARDS_OF + 1] = w[TOP_TRUMP] = 0
    for slot in range(deck.card_at.shape[1]):
        card = deck.card_at[mode, slot]
        w[PLACE + card] = NONE
        for seat in range(deck.n_players):
            if deals.own[row, seat] >> card & 1:
                worth = deck.worth[mode, card] if w[MEASURE] == POINTS else 0
                cls = deck.class_of[mode, card]
                w[OWN + seat] |= 1 << n
                w[CARDS_OF + w[SIDE + seat]] |= 1 << n
                w[CLASSES + cls] |= 1 << n
                w[CLASS_OF + n], w[WORTH + n] = cls, worth
                w[CODE + n] = worth * 4 + seat
                w[CARD + n], w[PLACE + card] = card, n
                if card == deck.top_trump[mode]:
                    w[TOP_TRUMP] = 1 << n
                    w[CODE + n] += 1 << 20  # the strict rules know it by name
                n += 1
    for cls in range(N_CLASSES):
        cards = w[CLASSES + cls]
        w[CLASS_FIRST + cls] = lowest(cards) if cards else 0


@compiled
def _load_covers(w: I64, deals: Deals, row: int) -> None:
    """Note which card lies on which; none of these is like another."""
    n = 0
    for i in range(deals.up.shape[1]):
        if deals.down[row, i] != NONE:
            up, down = w[PLACE + deals.up[row, i]], w[PLACE + deals.down[row, i]]
            w[UP + n], w[DOWN + n] = 1 << up, 1 << down
            n += 1
            w[CODE + up] += n << 21
            w[CODE + down] += n << 26
    w[COVERS] = n


@compiled
def _find_forms(w: I64, forms: Forms, cls: int) -> None:
    """Find the settled form of every subset of a class: each card as low as it can go.

    Going through the cards of a subset from the weakest, each becomes the first one with its code
    above the card before it.  What comes out depends on the sequence of codes alone.
    """
    at = 0 if cls == 0 else w[FORM_AT + cls - 1] + (1 << popcount(w[CLASSES + cls - 1]))
    w[FORM_AT + cls] = at
    code = CODE + w[CLASS_FIRST + cls]
    forms[at] = 0
    for subset in range(1, 1 << popcount(w[CLASSES + cls])):
        top = highest(subset)
        rest = int(forms[at + (subset ^ 1 << top)])
        place = highest(rest) + 1 if rest else 0
        while w[code + place] != w[code + top]:
            place += 1
        forms[at + subset] = rest | 1 << place


@inlined
def settled_form(w: I64, forms: Forms, rem: int) -> int:
    """Return the set that stands for all sets of remaining cards like this one."""
    form = 0
    for cls in range(N_CLASSES):
        first = w[CLASS_FIRST + cls]
        subset = (rem & w[CLASSES + cls]) >> first
        form |= int(forms[w[FORM_AT + cls] + subset]) << first
    return form


@inlined
def covered_cards(w: I64, rem: int) -> int:
    """Return the cards that lie face down."""
    covered = 0
    for i in range(w[COVERS]):
        if rem & w[UP + i]:
            covered |= w[DOWN + i]
    return covered


@inlined
def beats(w: I64, card: int, other: int) -> bool:
    """Say whether a card beats the one that is winning the trick."""
    cls = w[CLASS_OF + card]
    return card > other and (cls == TRUMP or cls == w[CLASS_OF + other])


@compiled
def open_root(w: I64, deals: Deals, row: int) -> None:
    """Set up frame 0 without its moves: the trick so far, and what is still to come."""
    f, n = FRAMES, w[N_PLAYERS]
    rem = 0
    for owner in range(n):
        rem |= w[OWN + owner]
    rest = w[PER_DEAL] + w[PER_TRICK] * (popcount(rem) // n)
    for card in range(popcount(rem)):
        rest += w[WORTH + card]
    seat = w[f + LEADER] = w[f + WINNER] = deals.leader[row]
    w[f + SIZE] = w[f + PILE] = w[f + GAIN] = w[f + PLAYED] = 0
    w[f + BEST], w[f + LED] = NONE, NO_LEAD
    w[f + REST], w[f + REM], w[f + COVERED] = rest, rem, covered_cards(w, rem)
    w[FIRST] = rem if deals.number[row] == 0 else 0
    for i in range(n):
        if deals.trick[row, i] != NONE:
            card = w[PLACE + deals.trick[row, i]]
            if i == 0:
                w[f + LED] = w[CLASS_OF + card]
            if i == 0 or beats(w, card, w[f + BEST]):
                w[f + BEST], w[f + WINNER] = card, seat
            w[f + PILE] += w[WORTH + card]
            w[f + SIZE] += 1
            w[f + PLAYED] |= 1 << card
            seat = (seat + 1) % n
    w[f + SEAT] = seat
