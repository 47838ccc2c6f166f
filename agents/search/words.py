"""Sets of cards as whole numbers in compiled code, and how code is compiled.

Compiled functions are kept in ``__pycache__`` beside their module, so that the compiler runs
once after an installation or a change.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.extending import intrinsic

__all__ = ["compiled", "highest", "inlined", "lowest", "popcount", "up_to"]

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
Function = TypeVar("Function", bound=Callable[..., Any])


def _drop_outdated(folder: Path) -> None:
    """Remove compiled functions older than any module of this package.

    Numba itself looks only at the file of the function that is called from Python, and would
    go on with an old version of what that function calls.
    """
    newest = max(path.stat().st_mtime for path in folder.glob("*.py"))
    for index in (folder / "__pycache__").glob("*.nbi"):
        with suppress(FileNotFoundError):  # another process may be doing the same
            if index.stat().st_mtime < newest:
                index.unlink()


_drop_outdated(Path(__file__).parent)


def compiled(function: Function) -> Function:
    """Compile a function when it is first called; it runs without the interpreter's lock."""
    return cast(Function, numba.njit(**OPTIONS)(function))


def inlined(function: Function) -> Function:
    """Compile a function as a part of those that call it: for the innermost loops."""
    return cast(Function, numba.njit(**OPTIONS, forceinline=True)(function))


def _popcount(typing_context: Any, cards: Any) -> Any:
    return types.int64(types.int64), lambda _, builder, __, args: builder.ctpop(args[0])


def _lowest(typing_context: Any, cards: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


def _leading_zeros(typing_context: Any, cards: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


# the number of cards in a set, and the places of its lowest and highest if it is not empty
popcount = cast("Callable[[int], int]", intrinsic(_popcount))
lowest = cast("Callable[[int], int]", intrinsic(_lowest))
leading_zeros = cast("Callable[[int], int]", intrinsic(_leading_zeros))


@inlined
def highest(cards: int) -> int:
    """Return the place of the highest card of a set that is not empty."""
    return 63 - leading_zeros(cards)


@inlined
def up_to(place: int) -> int:
    """Return the set of all cards up to a place, this one included."""
    return (2 << place) - 1
