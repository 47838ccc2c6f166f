"""Cards and packs: names, ids and sets of cards as bit words.

A card is a rank letter and a suit letter, ``QC`` = queen of clubs, ``TD`` = ten of
diamonds.  A pack lists its cards in a fixed order; a card's *id* is its place in that
list, and a set of cards is an unsigned word with bit ``id`` set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from sjavs_env.errors import shown

__all__ = ["RANKS", "SUITS", "SUIT_NAMES", "SUIT_SYMBOLS", "Pack", "card_names"]

SUITS = "CSHD"
RANKS = "AKQJT98765"
SUIT_NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
SUIT_SYMBOLS = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}


def card_names(text: str | Iterable[str]) -> tuple[str, ...]:
    """Split ``"QC 8C AH"`` (or any iterable of names) into card names, checking each.

    Raises ValueError naming the first word that is no card.
    """
    words = tuple(text.split()) if isinstance(text, str) else tuple(text)
    for word in words:
        if len(word) != 2 or word[0] not in RANKS or word[1] not in SUITS:
            raise ValueError(
                f"{shown(word)} is not a card; a card is one rank of {RANKS} and one suit of "
                f"{SUITS}"
            )
    return words


@dataclass(frozen=True)
class Pack:
    """The cards of one game, in id order (suit by suit, high ranks first)."""

    cards: tuple[str, ...]

    @classmethod
    def of(cls, ranks: str, without: Iterable[str] = ()) -> Pack:
        """Return the pack of all ``ranks`` in four suits, less the cards ``without``."""
        gone = set(without)
        return cls(tuple(r + s for s in SUITS for r in ranks if r + s not in gone))

    @cached_property
    def ids(self) -> dict[str, int]:
        """Card name -> id."""
        return {name: i for i, name in enumerate(self.cards)}

    def __len__(self) -> int:
        return len(self.cards)

    def parse(self, text: str | Iterable[str]) -> list[int]:
        """Return the ids of the named cards; ValueError for a card not in this pack."""
        names = card_names(text)
        foreign = [name for name in names if name not in self.ids]
        if foreign:
            raise ValueError(f"{foreign[0]} is not in this pack of {len(self)} cards")
        return [self.ids[name] for name in names]

    def parse_deck(self, text: str | Iterable[str]) -> list[int]:
        """Return the ids of a whole pack in dealing order; each card exactly once."""
        ids = self.parse(text)
        doubled = sorted(self.cards[i] for i, n in Counter(ids).items() if n > 1)
        if doubled:
            raise ValueError(f"the deck holds {', '.join(doubled)} more than once")
        if len(ids) != len(self):
            missing = " ".join(c for i, c in enumerate(self.cards) if i not in ids)
            raise ValueError(f"the deck has {len(ids)} of {len(self)} cards; missing: {missing}")
        return ids

    def word(self, text: str | Iterable[str]) -> int:
        """Return the set of the named cards as a bit word."""
        return sum(1 << i for i in set(self.parse(text)))

    def names(self, word: int) -> list[str]:
        """Return the names of the cards in a bit word, in id order."""
        return [name for i, name in enumerate(self.cards) if word >> i & 1]
