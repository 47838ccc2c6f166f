"""A report as Markdown, for a page among others: tables and text; figures are told in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sjavs_agents.reporting.blocks import (
    Block,
    Cell,
    Deal,
    Figure,
    Missing,
    Section,
    Table,
    Text,
)

__all__ = ["markdown_page"]


def markdown_page(title: str, sections: Sequence[Section]) -> str:
    """Return the page."""
    lines = [f"# {_plain(title)}"]
    for section in sections:
        lines += _section(section, 2)
    return "\n\n".join(lines) + "\n"


def _section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * min(6, level)} {_plain(section.title)}"
    for block in section.blocks:
        yield _block(block)
    for part in section.parts:
        yield from _section(part, level + 1)


def _block(block: Block) -> str:
    match block:
        case Text() | Missing():
            return _plain(block.text)
        case Table():
            return f"{_plain(block.caption)}:\n\n{_table(block)}"
        case Figure():
            return f"*Figure: {_plain(block.alt)}.*"
        case Deal():
            return f"{_plain(block.caption)}:\n\n{_deal(block)}"


def _table(table: Table) -> str:
    marks = ["---" if i < table.heads else "---:" for i in range(len(table.head))]
    rows = [[_plain(_words(cell)) for cell in row] for row in [table.head, *table.rows]]
    lines = [_line(rows[0]), _line(marks), *map(_line, rows[1:])]
    return "\n".join(lines)


def _deal(deal: Deal) -> str:
    hands = [
        f"- {_plain(label)}: {'  '.join(f'{suit}{ranks}' for suit, ranks in suits)}"
        for label, suits in deal.hands
    ]
    return "\n".join(hands)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _words(cell: str | Cell) -> str:
    return cell.text if isinstance(cell, Cell) else cell


def _plain(text: str) -> str:
    """Return text that means nothing to Markdown, nor to the HTML that it may hold."""
    line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}"
                   for c in " ".join(text.split()))  # fmt: skip
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = re.sub(r"([\\`*\[\]|~!$])", r"\\\1", line)
    return re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", line)
