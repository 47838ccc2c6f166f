"""Cards, suits, lists and tables as markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sjavs_env.cards import SUIT_NAMES, SUIT_SYMBOLS

__all__ = ["NOTHING", "bullets", "in_words", "show_cards", "show_suit", "show_table"]

NOTHING = "–"


def show_cards(names: Iterable[str]) -> str:
    """Card names with the symbols of their suits."""
    return " ".join(name[0] + SUIT_SYMBOLS[name[1]] for name in names)


def show_suit(suit: str) -> str:
    """A suit's symbol and name."""
    return f"{SUIT_SYMBOLS[suit]} {SUIT_NAMES[suit]}"


def in_words(parts: Sequence[str], before_last: str = "and") -> str:
    """``a, b and c``."""
    *others, last = parts
    return f"{', '.join(others)} {before_last} {last}" if others else last


def bullets(lines: Iterable[str]) -> str:
    """A list with one line for each point."""
    return "\n".join(f"- {line}" for line in lines)


def show_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
