"""Files that come with the program and are found by name: configurations, puzzles, pages.

In a checkout they lie where people look for them; installed they lie inside the package.
"""

from __future__ import annotations

from pathlib import Path

from sjavs_env.errors import shown

__all__ = ["IN_CHECKOUT", "in_checkout", "shared_file", "shared_folder", "shared_names"]

IN_CHECKOUT = {"configs": "configs", "puzzles": "benchmarks/puzzles", "docs": "docs"}
_ONE = {"configs": "configuration", "puzzles": "file of puzzles", "docs": "page"}

_PACKAGE = Path(__file__).parents[1]


def in_checkout() -> bool:
    """Return whether the program runs from its sources, where shared files may be rewritten."""
    return not (_PACKAGE / "data").is_dir()


def shared_folder(kind: str) -> Path:
    """Return the folder of one kind of files, a key of ``IN_CHECKOUT``."""
    return _PACKAGE.parent / IN_CHECKOUT[kind] if in_checkout() else _PACKAGE / "data" / kind


def shared_names(kind: str, suffix: str) -> list[str]:
    """Return the names of all files of a kind, by their paths without the suffix."""
    folder = shared_folder(kind)
    paths = (path.relative_to(folder).as_posix() for path in folder.rglob(f"*{suffix}"))
    return sorted(path.removesuffix(suffix) for path in paths)


def shared_file(kind: str, name: str, suffix: str) -> Path:
    """Return a file by name; ValueError, one line, if there is none of this name."""
    names = shared_names(kind, suffix)
    if name not in names:
        raise ValueError(f"there is no {_ONE[kind]} {shown(name)}; allowed: {', '.join(names)}")
    return shared_folder(kind) / f"{name}{suffix}"
