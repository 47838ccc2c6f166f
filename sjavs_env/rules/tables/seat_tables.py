"""Games that seats leave, a match or a deal at a time, as arrays.

An axis of P + 1 counts players still in the match: it has a place for each number from none on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sjavs_env.cards import SUITS
from sjavs_env.rules.packets import deal_places
from sjavs_env.rules.parts import LastOneLoses, Melds, Ranks, Seats
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.structure import expect
from sjavs_env.rules.tables.meld_tables import MeldTables, meld_tables
from sjavs_env.rules.tables.result_tables import largest_gain
from sjavs_env.rules.terms import Bool, Ints, Phase

__all__ = ["NO_PILE", "PILES", "SeatTables", "seat_tables"]

PILES = 4  # hands that are dealt: those of the players, the reserve, the dead hand
NO_PILE = PILES  # stands for a pile that is not dealt


@dataclass(frozen=True, eq=False)
class SeatTables:
    """What a game needs in which seats may be out."""

    # deal
    piles: Ints  # (2, P + 1, 4, hand) places in the deck by way of dealing
    reserve: Ints  # (P + 1,) the pile that is the reserve hand, or NO_PILE
    dead: Ints  # (P + 1,) the pile that is the dead hand, or NO_PILE
    turned: Ints  # (P + 1,) place in the deck of the card turned up for trumps
    on_table: Bool  # (P + 1,) it lies on the table, not in the dealer's hand
    suit_mode: Ints  # (N,) trump mode that a card makes when it is turned up
    # course
    course: tuple[Phase, ...]  # moments of decision before the play, each where it applies
    asks_late: bool  # the holder of the lowest trump is asked before their first card
    taker_must_play: bool  # who has the reserve is not asked whether they stay
    may_drop: bool
    melds: MeldTables
    last_trick: int  # card points for it
    # result
    limit: int
    marks: Ints  # (P + 1,) how many get a rank mark
    mark_worth: Ints  # (P + 1,) and what it is worth
    sole_mark: int  # what it is worth if a single player reaches the limit
    lone_mark: int
    rank_tie: str
    bag: str
    target: int
    highest: int  # the highest score that can come up


def seat_tables(rules: RuleSet, word: Any) -> SeatTables | None:
    """Compile what concerns the seats of a game; None where all play all the time."""
    if rules.seats is None:
        return None
    seats, ranks = rules.seats, expect(Ranks, rules.scoring)
    match, melds = expect(LastOneLoses, rules.match), expect(Melds, rules.melds)
    by_count = {dealing.players: dealing for dealing in seats.dealings}
    counts = range(1 + rules.players)
    texts = (rules.deal.deal_knock, rules.deal.deal_cut)
    piles = [[_piles(rules, seats, text, c) for c in counts] for text in texts]
    extra = [range(c, PILES) if c in by_count else range(0) for c in counts]
    marks = {4 - i: number for i, number in enumerate(ranks.rank_marks)}
    worth = [ranks.two_hand_mark if c == 2 else 1 for c in counts]
    suits = [1 + SUITS.index(card[1]) for card in rules.pack.cards]
    return SeatTables(
        piles=np.array(piles, dtype=np.intp),
        reserve=np.array([[*e, NO_PILE][0] for e in extra], dtype=np.intp),
        dead=np.array([[*e, NO_PILE, NO_PILE][1] for e in extra], dtype=np.intp),
        turned=np.array([by_count[c].turned if c in by_count else 0 for c in counts], np.intp),
        on_table=np.array([c in by_count and by_count[c].on_table for c in counts], np.bool_),
        suit_mode=np.array(suits, dtype=np.intp),
        course=_course(seats),
        asks_late=seats.six_timing == "after",
        taker_must_play=seats.taker_must_play,
        may_drop=seats.may_drop,
        melds=meld_tables(rules, melds, word),
        last_trick=rules.cards.last_trick or 0,
        limit=ranks.limit,
        marks=np.array([marks.get(c, 0) for c in counts], dtype=np.intp),
        mark_worth=np.array(worth, dtype=np.intp),
        sole_mark=ranks.sole_mark,
        lone_mark=ranks.lone_mark,
        rank_tie=ranks.rank_tie,
        bag=ranks.bag,
        target=match.target,
        highest=match.target - 1 + largest_gain(rules.players, ranks),
    )


def _course(seats: Seats) -> tuple[Phase, ...]:
    first = [Phase.SIX] if seats.six_timing == "before" else []
    last = [Phase.STAY] if seats.may_drop else []
    return (*first, Phase.RESERVE, *last)


def _piles(rules: RuleSet, seats: Seats, text: str, players: int) -> list[list[int]]:
    """Places in the deck of the four hands, those of the players first."""
    hands = next((d.hands for d in seats.dealings if d.players == players), PILES)
    places = deal_places(text, hands)
    piles = [[i for i, place in enumerate(places) if place.seat == hand] for hand in range(hands)]
    return [*piles, list(range(len(places), len(rules.pack)))][:PILES]
