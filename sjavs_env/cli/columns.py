"""Tables as plain text, for consoles and files."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["column_widths", "in_columns"]


def column_widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return how wide the widest cell of each column is."""
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def in_columns(
    rows: Sequence[Sequence[str]], widths: Sequence[int] | None = None, gap: str = "  "
) -> list[str]:
    """Return rows of cells as lines; cells are cut to ``widths``, by default of the widest."""
    if widths is None:
        widths = column_widths(rows)
    return [
        gap.join(
            cell[:width].ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
