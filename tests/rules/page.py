"""Looking things up on a printed page."""

from __future__ import annotations

import re

__all__ = ["cells", "section"]


def cells(page: str, first: str) -> list[str]:
    """Return the other cells of the table row that begins with ``first``."""
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line[:1] == "|"]
    found = [row[1:] for row in rows if row[0] == first]
    assert len(found) == 1, f"{len(found)} rows begin with {first}"
    return found[0]


def section(page: str, title: str) -> str:
    """Return the text of a numbered section, by its title."""
    head = re.compile(rf"^### \d\.\d {re.escape(title)}\n", re.MULTILINE)
    (_, text) = head.split(page)
    return text.split("\n##")[0]
