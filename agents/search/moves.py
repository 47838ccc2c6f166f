"""Which cards a seat may play, and in which order to try them."""

from __future__ import annotations

from agents.search.memory import (
    BEST,
    CLASS_OF,
    CLASSES,
    CODE,
    COUNT,
    COVERED,
    FOLLOW,
    I64,
    LED,
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
from agents.search.position import beats
from agents.search.words import compiled, highest, lowest, up_to
from sjavs_env.rules.tables import NONE, TRUMP

__all__ = ["distinct", "find_moves", "legal"]

WHIST, MUST_OVERTRUMP, SIMPLE, STRICT = range(4)  # places in FOLLOW_WORDS
KNOWN_GOOD = 1 << 20


@compiled
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


@compiled
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


@compiled
def find_moves(w: I64, f: int, first: int) -> None:
    """List the moves of a frame, the likely best first; ``first`` is known to be good, or NONE."""
    cards = distinct(w, f, legal(w, f))
    moves, n = f + MOVES, 0
    while cards:
        card = highest(cards)
        cards ^= 1 << card
        if card == first:
            rate = KNOWN_GOOD
        elif w[f + SIZE] == 0:
            rate = _rate_lead(w, f, card)
        else:
            rate = _rate_reply(w, f, card)
        at = n
        while at > 0 and w[RATES + at - 1] < rate:
            w[RATES + at], w[moves + at] = w[RATES + at - 1], w[moves + at - 1]
            at -= 1
        w[RATES + at], w[moves + at] = rate, card
        n += 1
    w[f + COUNT] = n
    w[f + NEXT] = 0


@compiled
def _rate_lead(w: I64, f: int, card: int) -> int:
    """Rate a lead: sure winners first, then what partner can win, then cheap cards."""
    leader = w[f + SEAT]
    cls, worth, rem = w[CLASS_OF + card], w[WORTH + card], w[f + REM]
    above = rem & w[CLASSES + cls] & ~up_to(card)
    hostile, friendly, ruffed = 0, 0, False
    for seat in range(w[N_PLAYERS]):
        held = w[OWN + seat] & rem
        if w[SIDE + seat] != w[SIDE + leader]:
            hostile |= held & above
            ruffed |= not held & w[CLASSES + cls] and held & w[CLASSES + TRUMP] != 0
        elif seat != leader:
            friendly |= held & above
    if not hostile and not ruffed:
        return 200 + 4 * worth + card // 4
    if ruffed and cls != TRUMP:
        return 20 - 4 * worth
    if friendly:
        return 60 + worth
    return 40 - 4 * worth


@compiled
def _rate_reply(w: I64, f: int, card: int) -> int:
    """Rate a reply by who then seems to win the trick, and what is in it."""
    seat = w[f + SEAT]
    side, worth, n = w[SIDE + seat], w[WORTH + card], w[N_PLAYERS]
    takes = beats(w, card, w[f + BEST])
    best = card if takes else w[f + BEST]
    is_ours = takes or w[SIDE + w[f + WINNER]] == side
    is_safe = True
    for _ in range(w[f + SIZE] + 1, n):
        seat = (seat + 1) % n
        if (w[SIDE + seat] == side) != is_ours and _can_beat(w, f, seat, best):
            is_safe = False
    gain = w[f + PILE] + worth
    if is_safe:
        return 100 + 4 * gain - card // 8 if is_ours else 60 - 4 * worth - card // 8
    return 70 - 2 * worth - card // 8


@compiled
def _can_beat(w: I64, f: int, seat: int, best: int) -> bool:
    """Say whether a seat that is yet to play could beat a card, by the common rules."""
    held = w[OWN + seat] & w[f + REM] & ~w[f + COVERED]
    follow = held & w[CLASSES + w[f + LED]]
    if follow:
        return follow & w[CLASSES + w[CLASS_OF + best]] & ~up_to(best) != 0
    trumps = held & w[CLASSES + TRUMP]
    if w[CLASS_OF + best] == TRUMP:
        trumps &= ~up_to(best)
    return trumps != 0
