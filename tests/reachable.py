"""Everything that can be got at from an object: what tests look through for secrets."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import numpy as np

__all__ = ["reachable", "whole_numbers"]

_PLAIN = (types.ModuleType, type, types.BuiltinFunctionType, types.CodeType, str, float, complex)


def reachable(*roots: Any) -> list[Any]:
    """Every object behind some others: attributes, slots, items, arrays and what they are part
    of, what functions close over or have as defaults, the objects of methods, and generators.

    Modules, classes and the globals of a function are program text and are passed over.
    """
    found: dict[int, Any] = {}
    left = list(roots)
    while left:
        one = left.pop()
        if one is None or id(one) in found or isinstance(one, _PLAIN):
            continue
        found[id(one)] = one
        left.extend(_parts(one))
    return list(found.values())


def _parts(one: Any) -> Iterator[Any]:
    if isinstance(one, (list, tuple, set, frozenset)):
        yield from one
    elif isinstance(one, dict):
        yield from one
        yield from one.values()
    elif isinstance(one, np.ndarray):
        yield one.base
        if one.dtype == object:
            yield from one.ravel().tolist()
    elif isinstance(one, types.FunctionType):
        yield from (cell.cell_contents for cell in one.__closure__ or ())
        yield from one.__defaults__ or ()
        yield from (one.__kwdefaults__ or {}).values()
    elif isinstance(one, types.MethodType):
        yield one.__self__
        yield one.__func__
    elif isinstance(one, (np.random.Generator, np.random.BitGenerator, np.random.SeedSequence)):
        names = ("bit_generator", "seed_seq", "state", "entropy", "spawn_key", "pool")
        yield from (getattr(one, name, None) for name in names)
    slots = [name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())]
    for name in [*slots, *getattr(one, "__dict__", {})]:
        yield getattr(one, name, None)


def whole_numbers(found: list[Any]) -> set[int]:
    """Every whole number among them, those in arrays too."""
    numbers: set[int] = set()
    for one in found:
        if isinstance(one, np.ndarray) and one.dtype.kind in "iu":
            numbers |= set(one.ravel().tolist())
        elif isinstance(one, (int, np.integer)):
            numbers.add(int(one))
    return numbers
