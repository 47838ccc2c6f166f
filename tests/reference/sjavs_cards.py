"""Reference for the cards and tricks of every Sjavs with the 32-card pack (rules 1 and 4).

Cards are strings, rank before suit ("QC", "7H"). A trump suit of None means that no suit is
named, so that only the permanent trumps are trumps.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "CARD_POINTS",
    "PACK",
    "PERMANENTS",
    "SUITS",
    "beats",
    "best_card",
    "functional_suit",
    "is_trump",
    "legal_cards",
    "suit_length",
    "trump_order",
]

SUITS = "CSHD"
RANKS = "AKQJT987"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
PERMANENTS = ("QC", "QS", "JC", "JS", "JH", "JD")  # high to low, rules 1.3
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}  # rules 1.5


def is_trump(card: str, trump: str | None) -> bool:
    """Tell whether a card is a trump; the permanent trumps always are (rules 1.3)."""
    return card in PERMANENTS or card[1] == trump


def functional_suit(card: str, trump: str | None) -> str:
    """Give the suit a card belongs to in play: all trumps are one suit, "T" (rules 1.3, 4.1)."""
    return "T" if is_trump(card, trump) else card[1]


def trump_order(trump: str | None) -> list[str]:
    """List all trumps, high to low: the permanent ones, then the named suit (rules 1.3)."""
    named = [rank + trump for rank in RANKS] if trump else []
    return list(PERMANENTS) + [card for card in named if card not in PERMANENTS]


def beats(card: str, other: str, trump: str | None) -> bool:
    """Tell whether a card played later takes the trick from the card winning so far (rules 4.1)."""
    suit = functional_suit(card, trump)
    if suit != functional_suit(other, trump):
        return suit == "T"
    if suit == "T":
        order = trump_order(trump)
        return order.index(card) < order.index(other)
    return RANKS.index(card[0]) < RANKS.index(other[0])


def best_card(cards: Sequence[str], trump: str | None) -> str:
    """Find the card that wins the trick so far; the first card was led (rules 4.1)."""
    best = cards[0]
    for card in cards[1:]:
        if beats(card, best, trump):
            best = card
    return best


def legal_cards(
    hand: Sequence[str], trick: Sequence[str], trump: str | None, follow: str = "whist"
) -> list[str]:
    """List the cards of the hand that may be played to the trick (rules 4.1)."""
    if not trick:
        return list(hand)
    led = functional_suit(trick[0], trump)
    following = [card for card in hand if functional_suit(card, trump) == led]
    if following:
        return following
    best = best_card(trick, trump)
    if follow == "must_overtrump" and led != "T" and is_trump(best, trump):
        higher = [card for card in hand if beats(card, best, trump)]
        if higher:
            return higher
    return list(hand)


def suit_length(hand: Sequence[str], suit: str) -> int:
    """Count the trumps the hand would hold were this suit named (rules 3.1)."""
    return len([card for card in hand if is_trump(card, suit)])
