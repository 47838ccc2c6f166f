"""Functions compiled to machine code by numba, with their types kept for the type checker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar, cast

import numba

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile at the first call; the result is cached on disk and runs without the GIL."""
    return cast(F, numba.njit(nogil=True, cache=True)(function))


def _drop_stale(folder: Path) -> None:
    """Remove what was compiled before a module changed.

    numba compares a cached function with its own file alone, not with those of the functions
    that it calls.
    """
    changed = max(path.stat().st_mtime_ns for path in folder.glob("*.py"))
    for index in (folder / "__pycache__").glob("*.nbi"):
        with suppress(OSError):  # another process has done it, or may not write
            if index.stat().st_mtime_ns < changed:
                index.unlink()


_drop_stale(Path(__file__).parent)
