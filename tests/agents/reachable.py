"""Everything that can be reached from an object: attributes, slots, array bases, closures."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import numpy as np

__all__ = ["numbers_in", "reachable"]

_PLAIN = (str, bytes, int, float, complex, bool, type(None), type, types.ModuleType, np.dtype)


def reachable(*roots: object) -> list[Any]:
    """Return all objects that a stranger could walk to; modules and classes are no way."""
    seen: dict[int, Any] = {}
    todo = list(roots)
    while todo:
        thing = todo.pop()
        if id(thing) not in seen:
            seen[id(thing)] = thing
            todo.extend(_next(thing))
    return list(seen.values())


def numbers_in(things: list[Any]) -> set[int]:
    """Return every whole number in these things, those in arrays included."""
    found: set[int] = set()
    for thing in things:
        if isinstance(thing, np.ndarray) and thing.dtype.kind in "iu":
            found.update(int(x) for x in np.unique(thing))
        elif isinstance(thing, (int, np.integer)):
            found.add(int(thing))
    return found


def _next(thing: Any) -> Iterator[Any]:
    if isinstance(thing, np.ndarray):
        yield thing.base
        if thing.dtype == object:
            yield from thing.ravel().tolist()
        return
    if isinstance(thing, _PLAIN):
        return
    if isinstance(thing, dict):
        yield from thing.keys()
        yield from thing.values()
    elif isinstance(thing, (list, tuple, set, frozenset)):
        yield from thing
    elif isinstance(thing, memoryview):
        yield thing.obj
    elif isinstance(thing, types.FunctionType):
        yield from (cell.cell_contents for cell in thing.__closure__ or ())
        yield thing.__defaults__
        yield thing.__kwdefaults__
    elif isinstance(thing, types.MethodType):
        yield thing.__self__
        yield thing.__func__
    elif isinstance(thing, np.random.Generator):
        yield thing.bit_generator
    elif isinstance(thing, np.random.BitGenerator):
        yield thing.seed_seq
        yield thing.state
    elif isinstance(thing, np.random.SeedSequence):
        yield thing.state
        yield thing.pool
    yield getattr(thing, "__dict__", None)
    for kind in type(thing).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            yield getattr(thing, name, None)
