"""Generated pages of the documentation: write them, or name the stale ones.

Nothing is written unless it is asked for: the folder may be anybody's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

__all__ = ["add_page_arguments", "write_pages"]


def add_page_arguments(parser: argparse._ActionsContainer) -> None:
    """Declare ``--write`` and ``--check``, of which the caller allows one."""
    add = parser.add_argument
    add("--write", action="store_true", help="write the generated pages into the current folder")
    add("--check", action="store_true", help="write nothing; name stale pages")


def write_pages(pages: Mapping[str, Callable[[], str]], command: str, *, check: bool) -> int:
    """Write pages by path, relative to the current folder; return an exit status.

    With ``check`` nothing is written, stale pages are named, and the status is 1 if any are.
    """
    stamp = f"<!-- Written by `{command}`. -->\n\n"
    texts = {Path(path): stamp + page() for path, page in pages.items()}
    stale = [path for path, text in texts.items() if _stored(path) != text]
    for path in stale:
        if check:
            sys.stderr.write(f"{path} is stale; `{command}` writes it\n")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(texts[path], encoding="utf-8", newline="\n")
            sys.stdout.write(f"wrote {path}\n")
    return 1 if check and stale else 0


def _stored(path: Path) -> str | None:
    return path.read_bytes().decode("utf-8") if path.exists() else None
