"""Reference for the cards and tricks of Handjass (rules 1 and 4).

Cards are strings, rank before suit ("QC", "6H"). A trick is the list of its cards, the card led
first.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["PACK", "RANKS", "SUITS", "beats", "card_points", "legal_cards", "trick_winner"]

SUITS = "CSHD"
RANKS = "AKQJT9876"  # the natural order, which is the order of a plain suit, rules 1.4
TRUMP_RANKS = "J9AKQT876"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0, "6": 0}
TRUMP_POINTS = {**PLAIN_POINTS, "J": 20, "9": 14}


def card_points(card: str, trump: str) -> int:
    """Give what a card counts in a trick (rules 1.5)."""
    return TRUMP_POINTS[card[0]] if card[1] == trump else PLAIN_POINTS[card[0]]


def beats(card: str, other: str, trump: str) -> bool:
    """Tell whether a card played later takes the trick from the card winning so far (rules 4.1)."""
    if card[1] != other[1]:
        return card[1] == trump
    order = TRUMP_RANKS if card[1] == trump else RANKS
    return order.index(card[0]) < order.index(other[0])


def trick_winner(trick: Sequence[str], trump: str) -> int:
    """Find the place in the trick, 0 for the card led, of the card that wins so far."""
    best = 0
    for place in range(1, len(trick)):
        if beats(trick[place], trick[best], trump):
            best = place
    return best


def legal_cards(
    hand: Sequence[str], trick: Sequence[str], trump: str, trick_rules: str
) -> list[str]:
    """List the cards of the hand that may be played to the trick (rules 4.1)."""
    if not trick:
        return list(hand)
    if trick_rules == "simple":
        return simple_cards(hand, trick, trump)
    if trick_rules == "strict":
        return strict_cards(hand, trick, trump)
    raise ValueError(f"no trick rules {trick_rules!r}")


def simple_cards(hand: Sequence[str], trick: Sequence[str], trump: str) -> list[str]:
    """Follow suit, else trump, and beat the trick while doing either if able (rules 4.1)."""
    best = trick[trick_winner(trick, trump)]
    for suit in (trick[0][1], trump):
        cards = [card for card in hand if card[1] == suit]
        if cards:
            higher = [card for card in cards if beats(card, best, trump)]
            return higher or cards
    return list(hand)


def strict_cards(hand: Sequence[str], trick: Sequence[str], trump: str) -> list[str]:
    """Follow or trump, but do not trump lower; the lone Jass need not be played (rules 4.1)."""
    trumps = [card for card in hand if card[1] == trump]
    if trick[0][1] == trump:
        if trumps in ([], ["J" + trump]):
            return list(hand)
        return trumps
    if len(trumps) == len(hand):
        return trumps
    best = trick[trick_winner(trick, trump)]  # the highest trump of the trick if there is one
    following = [card for card in hand if card[1] == trick[0][1]]
    plain = following or [card for card in hand if card[1] != trump]
    higher = [card for card in trumps if beats(card, best, trump)]
    return [card for card in hand if card in plain or card in higher]
