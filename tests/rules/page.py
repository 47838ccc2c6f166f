"""Looking things up on a printed page."""

from __future__ import annotations

__all__ = ["cells", "section"]


def cells(page: str, first: str) -> list[str]:
    """Return the other cells of the table row that begins with ``first``."""
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line[:1] == "|"]
    found = [row[1:] for row in rows if row[0] == first]
    assert len(found) == 1, f"{len(found)} rows begin with {first}"
    return found[0]


def section(page: str, title: str) -> str:
    """Return the text under a title."""
    return page.split(f"## {title}\n")[1].split("\n## ")[0]
