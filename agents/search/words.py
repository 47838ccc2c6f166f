"""Sets of cards as whole numbers in compiled code, and how code is compiled.

Compiled functions are kept in ``__pycache__`` beside their module, so that the compiler runs
once after an installation or a change.  It looks only at the file of the function that is
called from Python: after a change of a function that others call, delete ``__pycache__``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.extending import intrinsic

__all__ = ["compiled", "highest", "inlined", "lowest", "popcount", "up_to"]

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function when it is first called; it runs without the interpreter's lock."""
    return cast(Function, numba.njit(**OPTIONS)(function))


def inlined(function: Function) -> Function:
    """Compile a function as a part of those that call it: for the innermost loops."""
    return cast(Function, numba.njit(**OPTIONS, forceinline=True)(function))


@intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
def popcount(typing_context: Any, cards: Any) -> Any:
    """Return the number of cards in a set."""
    return types.int64(types.int64), lambda _, builder, __, args: builder.ctpop(args[0])


@intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
def lowest(typing_context: Any, cards: Any) -> Any:
    """Return the place of the lowest card of a set that is not empty."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
def _leading_zeros(typing_context: Any, cards: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@inlined
def highest(cards: int) -> int:
    """Return the place of the highest card of a set that is not empty."""
    return 63 - _leading_zeros(cards)


@inlined
def up_to(place: int) -> int:
    """Return the set of all cards up to a place, this one included."""
    return (2 << place) - 1
