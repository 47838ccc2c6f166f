"""Functions compiled to machine code by numba, with their types kept for the type checker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba

__all__ = ["compiled", "inlined", "spliced"]

F = TypeVar("F", bound=Callable[..., object])

_sources: set[Path] = set()  # modules with compiled functions, in the order of their imports


def compiled(function: F) -> F:
    """Compile at the first call; the result is cached on disk and runs without the GIL."""
    return _made(function)


def inlined(function: F) -> F:
    """Compile as a part of those that call it: for the innermost loops."""
    return _made(function, forceinline=True)


def spliced(function: F) -> F:
    """Put the code itself into its callers: passing many arrays would cost more than the call."""
    return _made(function, inline="always")


def _made(function: F, **options: Any) -> F:
    _drop_stale(cast(FunctionType, function))
    return cast(F, numba.njit(nogil=True, cache=True, error_model="numpy", **options)(function))


def _drop_stale(function: FunctionType) -> None:
    """Remove what was compiled before a module changed whose functions it may call.

    numba compares a cached function with its own file alone.
    """
    path = Path(function.__code__.co_filename)
    _sources.add(path)
    changed = max(source.stat().st_mtime_ns for source in _sources)
    for index in (path.parent / "__pycache__").glob(f"{path.stem}.{function.__name__}-*.nbi"):
        with suppress(OSError):  # another process has done it, or this one may not write
            if index.stat().st_mtime_ns < changed:
                index.unlink()
