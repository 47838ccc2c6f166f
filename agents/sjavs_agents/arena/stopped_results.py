"""Where the results of a stopped evaluation go: never over what they do not hold.

Whoever stops an evaluation, or whose agent fails, has results of some boards; a file of the same
name may hold those of all of them, or of something else that took hours.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from sjavs_agents.arena.results_folder import FolderError, read_object

__all__ = ["begins_with", "holds_stopped", "place_for"]

_SAME = ("versions", "rules", "agents", "episode", "seed")  # of evaluations with the same boards
_LONGEST = 255  # bytes of a name


def holds_stopped(new: Mapping[str, Any], path: Path) -> bool:
    """Return whether a file has results of a stopped evaluation that are all in these as well.

    Both as JSON values; they are if they have as many boards of the same matches.
    """
    try:
        old = read_object(path)
        is_same = set(old) <= set(new) and all(old.get(key) == new.get(key) for key in _SAME)
        boards = _boards(new)
        is_less = all(boards.get(match, 0) >= n for match, n in _boards(old).items())
        return "stopped" in old and is_same and is_less
    except (FolderError, KeyError, TypeError, AttributeError):
        return False


def _boards(data: Mapping[str, Any]) -> dict[str, int]:
    """How many boards of each match are in results."""
    found = {"table": data["table"]["boards"]} if "table" in data else {}
    for i, pair in enumerate(data["pairs"]):
        found[f"pair {i}"] = pair["boards"]
        if "fresh" in pair:
            found[f"fresh {i}"] = pair["fresh"]["boards"]
    return found


def begins_with(new: Iterable[bytes], path: Path) -> bool:
    """Return whether a text in parts begins with what a file holds."""
    with path.open("rb") as file:
        for part in new:
            old = file.read(len(part))
            if old != part[: len(old)]:
                return False
            if len(old) < len(part):
                return True
        return not file.read(1)


def place_for(path: Path, is_ours: Callable[[Path], bool]) -> Path:
    """Return this path or the first beside it where nothing is lost: ``a.stopped.json``.

    That is where there is no file, or one that holds nothing but what ``is_ours``.
    """
    found, number = path, 0
    while os.path.lexists(found) and not (found.is_file() and is_ours(found)):
        number += 1
        mark = ".stopped" if number == 1 else f".stopped-{number}"
        found = path.with_name(f"{path.stem}{mark}{path.suffix}")
        if len(os.fsencode(found.name)) > _LONGEST:
            found = path.with_name(f"{path.stem[:40]}{mark}{path.suffix[:10]}")
    return found
