"""Who takes part: names, and patterns of files that stand for several; and what files they are.

A name is not all there is to an agent that is read from a file.  So that a tournament does not go
on with other weights under the same name, it remembers a digest of the files.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from glob import glob, has_magic
from hashlib import blake2b
from pathlib import Path

from sjavs_agents.own_code import module_of
from sjavs_agents.registry import files_of, parts_of
from sjavs_env.errors import shown

__all__ = ["entrants", "fingerprint"]

MOST = 1000  # agents; every two of them are a match
_BLOCK = 1 << 20


def entrants(names: Iterable[str]) -> list[str]:
    """Return the names of all agents, patterns such as ``runs/*/checkpoints/*`` written out.

    The files of a pattern come in the order of the numbers in their names.  ValueError, one
    line, for a pattern that fits nothing that an agent can be read from.
    """
    found = [name for given in names for name in _written_out(given)]
    if len(found) > MOST:
        raise ValueError(f"there are {len(found)} agents; allowed: up to {MOST}")
    return found


def _written_out(name: str) -> list[str]:
    path, colon, options = name.rpartition(":") if "=" in name else (name, "", "")
    if not has_magic(path) or os.path.exists(path) or "|" in name or "\0" in name:
        return [name]
    matching = sorted(glob(path), key=_natural)
    fitting = [p for p in matching if p.endswith(".safetensors") or os.path.isdir(p)]
    if not fitting:
        kind = "files like it" if not matching else "checkpoints (.safetensors files or folders)"
        raise ValueError(f"agent is {shown(name)}, and there are no {kind}; allowed: one or more")
    return [f"{p}{colon}{options}" for p in fitting]


def _natural(text: str) -> list[tuple[int, str]]:
    """Order by the numbers in a text: 2 before 10."""
    return [(int(w), "") if w.isdecimal() else (-1, w) for w in re.split(r"(\d+)", text)]


def fingerprint(*names: str) -> tuple[str, ...]:
    """Return digests of the files that agents of these names are read from; often none."""
    paths = {path for name in names for path in _read_from(name)}
    return tuple(_digest(path) for path in sorted(paths))


def _read_from(name: str) -> Iterator[Path]:
    """Yield the files of an agent: of a run the finished player or else the newest checkpoint."""
    found: dict[Path, list[Path]] = {}
    for path in files_of(name):
        if _is_file(path) and path.suffix != ".py":
            found.setdefault(path.parent, []).append(path)
    finished = {folder for folder, paths in found.items() if folder / "agent.safetensors" in paths}
    for folder, paths in found.items():
        saved = sorted(p for p in paths if p.name.startswith("iteration_"))
        yield from set(paths) - set(saved)
        if saved and not {folder, folder.parent} & finished:
            yield saved[-1]
    for part in parts_of(name):  # a module is the one that was imported
        module = sys.modules.get(module_of(part) or "")
        if module is not None and getattr(module, "__file__", None):
            yield Path(str(module.__file__))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no name of a file
        return False


def _digest(path: Path) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
