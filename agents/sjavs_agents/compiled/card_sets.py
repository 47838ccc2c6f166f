"""Sets of cards in compiled code: whole numbers in which bit k stands for card k."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from numba import types
from numba.extending import intrinsic

from sjavs_agents.compiled.compiler import inlined

__all__ = ["highest", "lowest", "popcount", "up_to"]


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
