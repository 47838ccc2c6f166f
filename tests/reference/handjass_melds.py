"""Reference for the melds of Handjass (rules 4.2).

A meld is the tuple of its cards: a run from its top card down, four cards of one rank, or the
marriage of the trump king and queen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .handjass_cards import RANKS, SUITS

__all__ = [
    "best_melds",
    "best_owner",
    "best_single",
    "marriage",
    "meld_points",
    "meld_rank",
    "meld_value",
    "score_melds",
]

Params = Mapping[str, Any]
Meld = tuple[str, ...]

SMALL_RUNS = {3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 100, 9: 100}
LARGE_RUNS = {3: 20, 4: 50, 5: 100, 6: 150, 7: 200, 8: 250, 9: 300}
SMALL_FOURS = {"J": 200, "9": 150, "A": 100, "K": 100, "Q": 100, "T": 100}
LARGE_FOURS = {**SMALL_FOURS, "8": 100, "7": 100, "6": 100}


# Finding melds


def runs(hand: Sequence[str]) -> list[Meld]:
    """List every run of three or more cards in the hand, parts of longer runs too."""
    found = []
    for suit in SUITS:
        for top in range(len(RANKS)):
            for end in range(len(RANKS), top + 2, -1):
                run = tuple(rank + suit for rank in RANKS[top:end])
                if all(card in hand for card in run):
                    found.append(run)
    return found


def longest_runs(hand: Sequence[str]) -> list[Meld]:
    """List the runs that are no part of a longer one."""
    found = runs(hand)
    return [run for run in found if not any(set(run) < set(other) for other in found)]


def fours(hand: Sequence[str], params: Params) -> list[Meld]:
    """List the four alike of the hand, of the ranks that count."""
    values = LARGE_FOURS if params["weis"] == "large" else SMALL_FOURS
    found = [tuple(rank + suit for suit in SUITS) for rank in RANKS if rank in values]
    return [four for four in found if all(card in hand for card in four)]


def marriage(hand: Sequence[str], trump: str) -> Meld:
    """Give the trump king and queen if the hand has both, else the empty tuple."""
    pair = ("K" + trump, "Q" + trump)
    return pair if pair[0] in hand and pair[1] in hand else ()


# What a meld is worth


def is_marriage(meld: Meld) -> bool:
    """Tell whether the meld is king and queen: no other meld has two cards."""
    return len(meld) == 2


def meld_value(meld: Meld, params: Params) -> int:
    """Give the points of one meld."""
    large = params["weis"] == "large"
    if is_marriage(meld):
        return 20
    if meld[0][0] == meld[1][0]:
        return (LARGE_FOURS if large else SMALL_FOURS)[meld[0][0]]
    return (LARGE_RUNS if large else SMALL_RUNS)[len(meld)]


def meld_rank(meld: Meld, trump: str, params: Params) -> tuple[int, int, int, bool]:
    """Rank a meld for comparisons; the greater tuple is the better meld.

    Points, cards, where the preset says so the top card, then trumps. The trump among four alike
    does not make them trumps (resolved here: every four alike has one).
    """
    top = -RANKS.index(meld[0][0]) if params["meld_compare_rank"] else 0
    one_suit = meld[0][1] == meld[1][1]
    return meld_value(meld, params), len(meld), top, one_suit and meld[0][1] == trump


# Choosing among overlapping melds


def disjoint_sets(melds: Sequence[Meld]) -> list[list[Meld]]:
    """List every set of these melds, the empty one too, in which no card is used twice."""
    if not melds:
        return [[]]
    first = melds[0]
    apart = [meld for meld in melds[1:] if not set(meld) & set(first)]
    return [[first, *others] for others in disjoint_sets(apart)] + disjoint_sets(melds[1:])


def choose_max_total(hand: Sequence[str], trump: str, params: Params) -> list[Meld]:
    """Choose the largest total, then the highest best single meld, then the fewest melds.

    Resolved here: sets still equal then score and compare alike, so the first one found is taken.
    """

    def key(chosen: list[Meld]) -> tuple[int, list[tuple[int, int, int, bool]], int]:
        total = sum(meld_value(meld, params) for meld in chosen)
        ranks = sorted(meld_rank(meld, trump, params) for meld in chosen)
        return total, ranks[-1:], -len(chosen)

    return max(disjoint_sets(runs(hand) + fours(hand, params)), key=key)


def choose_best_first(hand: Sequence[str], trump: str, params: Params) -> list[Meld]:
    """Take the highest-ranking single meld, then the highest of the cards left, and so on.

    Resolved here: "the best of the rest" is found in the same way, one meld at a time.
    """
    rest = list(hand)
    chosen: list[Meld] = []
    while melds := runs(rest) + fours(rest, params):
        best = max(melds, key=lambda meld: meld_rank(meld, trump, params))
        chosen.append(best)
        rest = [card for card in rest if card not in best]
    return chosen


def best_melds(hand: Sequence[str], trump: str, params: Params) -> list[Meld]:
    """List the melds that the hand declares; the marriage, which may overlap, comes last.

    Resolved here: with the large values each longest run and each four alike counts, whatever
    cards they have in common.
    """
    if params["weis"] == "large":
        chosen = longest_runs(hand) + fours(hand, params)
    elif params["meld_selection"] == "best_first":
        chosen = choose_best_first(hand, trump, params)
    else:
        chosen = choose_max_total(hand, trump, params)
    pair = marriage(hand, trump)
    return [*chosen, pair] if pair else chosen


def meld_points(hand: Sequence[str], trump: str, params: Params) -> int:
    """Give what all melds of the hand, marriage included, are worth if they score."""
    return sum(meld_value(meld, params) for meld in best_melds(hand, trump, params))


# Who scores


def best_single(hand: Sequence[str], trump: str, params: Params) -> Meld:
    """Give the meld with which the hand enters the comparison, or the empty tuple.

    An independent marriage is no part of the comparison.
    """
    melds = best_melds(hand, trump, params)
    if params["stock"] == "independent":
        melds = [meld for meld in melds if not is_marriage(meld)]
    return max(melds, key=lambda meld: meld_rank(meld, trump, params), default=())


def best_owner(hands: Sequence[Sequence[str]], trump: str, params: Params) -> int | None:
    """Find which of the hands, listed as they announce, has the best single meld.

    Of equal melds the one announced earlier is the better.
    """
    owner: int | None = None
    best: Meld = ()
    for place, hand in enumerate(hands):
        single = best_single(hand, trump, params)
        if not single:
            continue
        if not best or meld_rank(single, trump, params) > meld_rank(best, trump, params):
            owner, best = place, single
    return owner


def score_melds(hands: Sequence[Sequence[str]], trump: str, params: Params) -> list[int]:
    """Give what each hand, listed as they announce, scores for melds.

    The owner of the best single meld scores all of his, and an independent marriage is scored by
    whoever holds it.
    """
    owner = best_owner(hands, trump, params)
    scores = []
    for place, hand in enumerate(hands):
        if place == owner:
            scores.append(meld_points(hand, trump, params))
        elif params["stock"] == "independent" and marriage(hand, trump):
            scores.append(20)
        else:
            scores.append(0)
    return scores
