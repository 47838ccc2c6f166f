"""Functions compiled to machine code by numba, with their types kept for the type checker."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile at the first call; the result is cached on disk and runs without the GIL."""
    return cast(F, numba.njit(nogil=True, cache=True)(function))
