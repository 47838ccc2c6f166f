"""The numbered sections of the rule pages: the same number is the same topic on every page.

Code and tests cite them, as in "rules 3.1".  A page leaves out sections for what its game does
not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["CHAPTERS", "TITLES", "heading"]

CHAPTERS: Mapping[str, str] = MappingProxyType(
    {
        "1": "Players and cards",
        "2": "The deal",
        "3": "Before the first lead",
        "4": "Play",
        "5": "Results",
        "6": "About these rules",
    }
)
TITLES: Mapping[str, str] = MappingProxyType(
    {
        "1.1": "Players",
        "1.2": "Pack",
        "1.3": "Trumps",
        "1.4": "Plain suits",
        "1.5": "Card points",
        "2.1": "Who deals",
        "2.2": "Dealing the cards",
        "3.1": "Auction",
        "3.2": "Naming trumps",
        "3.3": "Exchange",
        "3.4": "Giving up",
        "3.5": "The lowest trump",
        "3.6": "The reserve",
        "3.7": "Staying or dropping out",
        "4.1": "Tricks",
        "4.2": "Melds",
        "4.3": "What plays show",
        "5.1": "Result of a deal",
        "5.2": "Ties",
        "5.3": "Match",
        "6.1": "Notes on the sources",
        "6.2": "Parameters",
        "6.3": "Sources",
    }
)


def heading(number: str) -> str:
    """The heading of a chapter or section, with its number."""
    if number in CHAPTERS:
        return f"## {number} {CHAPTERS[number]}"
    return f"### {number} {TITLES[number]}"
