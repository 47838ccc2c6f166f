"""Which cards a seat may play, and in which order to try them."""

from __future__ import annotations

from sjavs_agents.compiled.card_sets import highest, lowest, popcount, up_to
from sjavs_agents.compiled.compiler import inlined
from sjavs_agents.solver.memory import (
    BEST,
    CARDS_OF,
    CLASS_OF,
    CLASSES,
    CODE,
    COUNT,
    COVERED,
    FOLLOW,
    GOOD_LEADS,
    I64,
    LED,
    MAX_SEATS,
    MOVES,
    N_PLAYERS,
    NEXT,
    OWN,
    PILE,
    PLAYED,
    RATES,
    REM,
    SEAT,
    SIDE,
    SIZE,
    TOP_TRUMP,
    WINNER,
    WORTH,
)
from sjavs_agents.solver.position import beats
from sjavs_env.rules.tables import NONE, TRUMP

__all__ = ["distinct", "find_moves", "legal", "place_of_lead"]

WHIST, MUST_OVERTRUMP, SIMPLE, STRICT = range(4)  # places in FOLLOW_WORDS
KNOWN_GOOD = 1 << 20


@inlined
def legal(w: I64, f: int) -> int:
    """Return the cards that the seat to act may play (``engine.tricks`` in other words)."""
    hand = w[OWN + w[f + SEAT]] & w[f + REM] & ~w[f + PLAYED] & ~w[f + COVERED]
    if w[f + SIZE] == 0:
        return hand
    led, best = w[f + LED], w[f + BEST]
    follow = hand & w[CLASSES + led]
    if w[FOLLOW] == WHIST:
        return follow if follow else hand
    trumps = hand & w[CLASSES + TRUMP]
    is_trumped = w[CLASS_OF + best] == TRUMP
    higher = trumps & ~up_to(best) if is_trumped else trumps
    if w[FOLLOW] == MUST_OVERTRUMP:
        if follow:
            return follow
        return higher if higher and is_trumped else hand
    if w[FOLLOW] == SIMPLE:
        if follow:
            can_beat = led == TRUMP or not is_trumped
            following = follow & ~up_to(best) if can_beat else 0
            return following if following else follow
        if trumps:
            return higher if higher else trumps
        return hand
    if led == TRUMP:
        return trumps if trumps & ~w[TOP_TRUMP] else hand
    plain = hand ^ trumps
    if not plain:
        return hand
    return (follow if follow else plain) | higher


@inlined
def distinct(w: I64, f: int, cards: int) -> int:
    """Leave out cards below one of the same worth and hand with none of another hand between.

    Cards of the trick that are beaten already lie between none.
    """
    live = w[f + REM] & ~w[f + PLAYED]
    if w[f + SIZE] > 0:
        live |= 1 << w[f + BEST]
    kept, rest = cards, cards
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        above = live & w[CLASSES + w[CLASS_OF + card]] & ~up_to(card)
        if above:
            other = lowest(above)
            if w[CODE + other] == w[CODE + card] and cards >> other & 1:
                kept ^= 1 << card
    return kept


@inlined
def find_moves(w: I64, f: int, first: int) -> None:
    """List the moves of a frame, the likely best first; ``first`` is known to be good, or NONE."""
    cards = distinct(w, f, legal(w, f))
    w[f + COUNT], w[f + NEXT] = popcount(cards), 0
    if w[f + SIZE] == 0:
        _rate_leads(w, f, cards)
    else:
        _rate_replies(w, f, cards)
    moves, n = f + MOVES, 0
    while cards:
        card = highest(cards)
        cards ^= 1 << card
        rate = KNOWN_GOOD if card == first else w[RATES + card]
        at = n
        while at > 0 and w[RATES + w[moves + at - 1]] < rate:
            w[moves + at] = w[moves + at - 1]
            at -= 1
        w[RATES + card] = rate
        w[moves + at] = card
        n += 1


@inlined
def _rate_leads(w: I64, f: int, cards: int) -> None:
    """Rate leads: sure winners first, then what partner can win, then cheap cards."""
    leader, rem = w[f + SEAT], w[f + REM]
    side = w[SIDE + leader]
    theirs = rem & w[CARDS_OF + 1 - side]
    friends = rem & w[CARDS_OF + side] & ~w[OWN + leader]
    ruffed = 0  # cards of classes that an opponent could trump
    for seat in range(w[N_PLAYERS]):
        held = w[OWN + seat] & rem
        if w[SIDE + seat] != side and held & w[CLASSES + TRUMP]:
            for cls in range(TRUMP):
                if not held & w[CLASSES + cls]:
                    ruffed |= w[CLASSES + cls]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        worth, above = w[WORTH + card], w[CLASSES + w[CLASS_OF + card]] & ~up_to(card)
        if ruffed >> card & 1:
            w[RATES + card] = 20 - 4 * worth
        elif not theirs & above:
            w[RATES + card] = 200 + 4 * worth + card // 4
        elif friends & above:
            w[RATES + card] = 60 + worth
        else:
            w[RATES + card] = 40 - 4 * worth
    good = w[place_of_lead(w, f)]
    if good != NONE:
        w[RATES + good] += 80


@inlined
def place_of_lead(w: I64, f: int) -> int:
    """Return where to keep a lead that was good in positions like this one."""
    return GOOD_LEADS + popcount(w[f + REM]) * MAX_SEATS + w[f + SEAT]


@inlined
def _rate_replies(w: I64, f: int, cards: int) -> None:
    """Rate replies by who then seems to win the trick, and what is in it."""
    seat, n, best = w[f + SEAT], w[N_PLAYERS], w[f + BEST]
    side = w[SIDE + seat]
    to_come, to_help = NONE, NONE  # the strongest answers of opponents and partners
    for _ in range(w[f + SIZE] + 1, n):
        seat = seat + 1 if seat + 1 < n else 0
        answer = _strongest(w, f, seat)
        if w[SIDE + seat] == side:
            to_help = max(to_help, answer)
        else:
            to_come = max(to_come, answer)
    holds = w[SIDE + w[f + WINNER]] == side
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        worth, low = w[WORTH + card], card // 8
        takes = beats(w, card, best)
        if (takes or holds) and to_come < (card if takes else best):
            w[RATES + card] = 100 + 4 * (w[f + PILE] + worth) - card
        elif not (takes or holds) and to_help < best:
            w[RATES + card] = 60 - 4 * worth - low
        else:
            w[RATES + card] = 70 - 2 * worth - low


@inlined
def _strongest(w: I64, f: int, seat: int) -> int:
    """Return the strongest card that a seat yet to play could put on the trick, or NONE."""
    held = w[OWN + seat] & w[f + REM] & ~w[f + COVERED]
    follow = held & w[CLASSES + w[f + LED]]
    cards = follow if follow else held & w[CLASSES + TRUMP]
    return highest(cards) if cards else NONE
