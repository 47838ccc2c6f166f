"""How likely each result of a forced auction is, counted and not sampled.

Such an auction is won by the longest length that any player holds.  So its results follow from
how many deals there are in which each hand meets a condition.  Those are counted by the numbers
of cards that each hand has of five classes: the permanent trumps and what is left of each suit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

__all__ = ["MIN_BID", "choice_share", "length_shares", "within"]

# permanent trumps, then the other clubs, spades, hearts and diamonds of the 32 cards
CLASSES = (6, 6, 6, 7, 7)
MIN_BID = 5

Hand = tuple[int, ...]  # its cards of each class
Condition = Callable[[list[int]], bool]  # on the lengths of the four suits


@cache
def length_shares(players: int, cards: int) -> Mapping[int, float]:
    """Return the share of deals, of 1, that each length wins; 0 stands for all pass.

    Each of the players counts so many cards.
    """
    lengths = range(MIN_BID - 1, cards + 1)
    none_longer = {n: _deals(cards, [_at_most(n)] * players) for n in lengths}
    every = none_longer[cards]
    assert every == _all_deals(players, cards)
    won = {n: none_longer[n] - none_longer[n - 1] for n in range(MIN_BID, cards + 1)}
    return {n: deals / every for n, deals in {0: none_longer[MIN_BID - 1], **won}.items()}


@cache
def choice_share(players: int, cards: int) -> float:
    """Return the share of deals, of 1, in which the winner may name one of several suits.

    That is the first player with the longest length, if it is that of two suits, clubs not
    among them, and if no later player says "better".
    """
    deals = 0
    for n in range(MIN_BID, cards + 1):
        for earlier in range(players):
            later = players - 1 - earlier
            conditions = [_at_most(n - 1)] * earlier + [_two_of(n)] + [_no_clubs_of(n)] * later
            deals += _deals(cards, conditions)
    return deals / _all_deals(players, cards)


def within(share: float, deals: int) -> float:
    """Four standard errors of the share found in so many random deals."""
    return 4 * float(share * (1 - share) / deals) ** 0.5


def _at_most(n: int) -> Condition:
    return lambda lengths: max(lengths) <= n


def _two_of(n: int) -> Condition:
    return lambda lengths: max(lengths) == n > lengths[0] and lengths.count(n) > 1


def _no_clubs_of(n: int) -> Condition:
    return lambda lengths: max(lengths) <= n and lengths[0] < n


def _all_deals(players: int, cards: int) -> int:
    return prod(comb(sum(CLASSES) - cards * player, cards) for player in range(players))


def _deals(cards: int, conditions: Sequence[Condition]) -> int:
    """Count the deals in which each player's hand meets the condition for it."""
    ways = np.zeros([n + 1 for n in CLASSES], dtype=np.int64)  # by the cards that are dealt
    ways[0, 0, 0, 0, 0] = 1
    for condition in conditions:
        dealt, ways = ways, np.zeros_like(ways)
        for hand in _hands(cards):
            if condition([hand[0] + others for others in hand[1:]]):
                after = tuple(slice(k, None) for k in hand)
                before = tuple(slice(0, n + 1 - k) for k, n in zip(hand, CLASSES, strict=True))
                ways[after] += dealt[before] * _choices(hand)
    return int(ways.sum())


@cache
def _hands(cards: int) -> list[Hand]:
    return [hand for hand in product(*(range(n + 1) for n in CLASSES)) if sum(hand) == cards]


@cache
def _choices(hand: Hand) -> NDArray[np.int64]:
    """In how many ways a hand can be taken, by the cards of each class that are gone already."""
    ways = np.ones((), dtype=np.int64)
    for k, n in zip(hand, CLASSES, strict=True):
        of_class = [comb(n - gone, k) for gone in range(n + 1 - k)]
        ways = np.multiply.outer(ways, np.array(of_class, dtype=np.int64))
    return ways
