"""Games that seats leave, a match or a deal at a time, as arrays; empty for all others.

C counts players still in the match: such an axis has a place for each number from none on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sjavs_env.cards import SUITS
from sjavs_env.rules.packets import deal_places
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables.melds import MeldTables, meld_tables
from sjavs_env.rules.tables.results import largest_gain
from sjavs_env.rules.terms import Bool, Ints, Phase

__all__ = ["NO_PILE", "PILES", "SeatTables", "seat_tables"]

PILES = 4  # hands that are dealt: those of the players, the reserve, the dead hand
NO_PILE = PILES  # stands for a pile that is not dealt


@dataclass(frozen=True, eq=False)
class SeatTables:
    """What a game needs in which seats may be out."""

    vary: bool  # False: all seats play all the time, and nothing else here counts
    # deal
    piles: Ints  # (2, C, 4, hand) places in the deck by way of dealing
    reserve: Ints  # (C,) the pile that is the reserve hand, or NO_PILE
    dead: Ints  # (C,) the pile that is the dead hand, or NO_PILE
    turned: Ints  # (C,) place in the deck of the card turned up for trumps
    on_table: Bool  # (C,) it lies on the table, not in the dealer's hand
    suit_mode: Ints  # (N,) trump mode that a card makes when it is turned up
    # course
    course: tuple[Phase, ...]  # moments of decision before the play, each where it applies
    asks_late: bool  # the holder of the lowest trump is asked before his first card
    taker_must_play: bool  # who has the reserve is not asked whether he stays
    may_drop: bool
    melds: MeldTables
    last_trick: int  # card points for it
    # result
    limit: int
    marks: Ints  # (C,) how many get a rank mark
    mark_worth: Ints  # (C,) and what it is worth
    sole_mark: int  # what it is worth if a single player reaches the limit
    lone_mark: int
    rank_tie: str
    bag: str
    target: int
    highest: int  # the highest score that can come up


def seat_tables(rules: RuleSet, word: Any) -> SeatTables:
    """Compile what concerns the seats of a game."""
    by_count = {dealing.players: dealing for dealing in rules.dealings}
    counts = range(1 + rules.players if by_count else 0)
    ways = [[_piles(rules, text, c) for c in counts] for text in (rules.deal_knock, rules.deal_cut)]
    extra = [range(c, PILES) if c in by_count else range(0) for c in counts]
    marks = {4 - i: number for i, number in enumerate(rules.rank_marks)}
    worth = [rules.two_hand_mark if c == 2 else 1 for c in counts]
    suits = [1 + SUITS.index(card[1]) for card in rules.pack.cards]
    return SeatTables(
        vary=bool(by_count),
        piles=np.array(ways, dtype=np.intp),
        reserve=np.array([[*e, NO_PILE][0] for e in extra], dtype=np.intp),
        dead=np.array([[*e, NO_PILE, NO_PILE][1] for e in extra], dtype=np.intp),
        turned=np.array([by_count[c].turned if c in by_count else 0 for c in counts], np.intp),
        on_table=np.array([c in by_count and by_count[c].on_table for c in counts], np.bool_),
        suit_mode=np.array(suits, dtype=np.intp),
        course=_course(rules),
        asks_late=rules.six_timing == "after",
        taker_must_play=rules.taker_must_play,
        may_drop=rules.may_drop,
        melds=meld_tables(rules, word),
        last_trick=rules.last_trick,
        limit=rules.limit,
        marks=np.array([marks.get(c, 0) for c in counts], dtype=np.intp),
        mark_worth=np.array(worth, dtype=np.intp),
        sole_mark=rules.sole_mark,
        lone_mark=rules.lone_mark,
        rank_tie=rules.rank_tie,
        bag=rules.bag,
        target=rules.target,
        highest=rules.target - 1 + largest_gain(rules),
    )


def _course(rules: RuleSet) -> tuple[Phase, ...]:
    first = [Phase.SIX] if rules.six_timing == "before" else []
    last = [Phase.STAY] if rules.may_drop else []
    return (*first, Phase.RESERVE, *last)


def _piles(rules: RuleSet, text: str, players: int) -> list[list[int]]:
    """Places in the deck of the four hands, those of the players first."""
    hands = next((d.hands for d in rules.dealings if d.players == players), PILES)
    places = deal_places(text, hands)
    piles = [[i for i, place in enumerate(places) if place.seat == hand] for hand in range(hands)]
    return [*piles, list(range(len(places), len(rules.pack)))][:PILES]
