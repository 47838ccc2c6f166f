"""What a report is made of, whatever it is written as: sections of text, tables and figures.

Texts are plain; who writes them as HTML or Markdown escapes them, all and in one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Block", "Cell", "Deal", "Figure", "Missing", "Raw", "Section", "Table", "Text"]

Raw = list[list[str | int | float | None]]  # rows of a table for programs, the head first


@dataclass(frozen=True)
class Cell:
    """A cell of a table.  ``shade`` from -3 to 3 colours it: lost by much to won by much."""

    text: str
    shade: int = 0


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Missing:
    """One line in place of a section whose data there is none of: what it would take."""

    text: str


@dataclass(frozen=True)
class Table:
    """A table; the first ``heads`` cells of each row are its heading.

    ``raw`` are the same numbers in full, for programs; without it the cells are written as they
    are shown.
    """

    name: str  # of the file that it is written to
    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    heads: int = 1
    raw: Raw | None = None


@dataclass(frozen=True)
class Figure:
    """A picture as SVG, without a name of its own for anything it holds; ``alt`` tells it."""

    svg: str
    alt: str
    caption: str


@dataclass(frozen=True)
class Deal:
    """Hands of cards, open: of each place its label and its cards (suit symbol, ranks)."""

    caption: str
    hands: Sequence[tuple[str, Sequence[tuple[str, str]]]]


Block = Text | Missing | Table | Figure | Deal


@dataclass(frozen=True)
class Section:
    """A heading, what stands under it, and the sections within."""

    title: str
    blocks: Sequence[Block] = ()
    parts: Sequence[Section] = field(default_factory=tuple)
