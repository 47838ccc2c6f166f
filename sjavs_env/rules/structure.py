"""How a rule set is built of parts, read from its types.

A *part* is a field that holds a record of its own, of one *kind* or another, or None where a
game has no such thing; every other field is a *leaf*.  Each name stands in one place alone, so
that a plain name is enough to find a value, to cite it and to override it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from sjavs_env.errors import shown

__all__ = ["NO_RULE", "Entry", "built", "entries", "expect", "values_of"]

NO_RULE = {"is_rule": False}  # metadata of a field that says something about the rules, none itself

T = TypeVar("T")


class Entry(NamedTuple):
    """A part or a leaf of a rule set."""

    name: str
    value: Any  # of a part its kind, None if the game lacks it
    hint: Any  # the type of a leaf that a game has
    field: Field[Any]
    is_part: bool


def expect(kind: type[T], part: object) -> T:
    """Return a part that must be of this kind, where behaviour is bound to it."""
    if not isinstance(part, kind):
        raise TypeError(f"the part is {shown(part)}; allowed: {kind.__name__}")
    return part


def entries(part: Any) -> Iterator[Entry]:
    """Yield the parts and leaves of a rule set, each part before what it holds."""
    for field, hint, kinds in _fields(cast(Any, type(part))):
        value = getattr(part, field.name)
        if not kinds:
            yield Entry(field.name, value, hint, field, is_part=False)
            continue
        if value is None:
            yield Entry(field.name, None, hint, field, is_part=True)
        else:
            yield Entry(field.name, type(value), hint, field, is_part=True)
            yield from entries(value)


def values_of(part: object) -> dict[str, Any]:
    """Return all that a rule set is built of, by name: values, and the kinds of its parts."""
    return {entry.name: entry.value for entry in entries(part)}


def built(kind: type[T], values: Mapping[str, Any], **others: Any) -> T:
    """Build a record of a kind from values and kinds by name; names without use are left.

    A part that is always of one kind need not be named.  ``others`` are fields that are no rules.
    """
    made, record = dict(others), cast(Any, kind)
    for field, hint, kinds in _fields(record):
        if hint in kinds:
            made[field.name] = built(hint, values)
        elif field.name in values:  # else it has a default, or the record says that it is missing
            value = values[field.name]
            if kinds and value is not None:
                if value not in kinds:
                    allowed = ", ".join(k.__name__ for k in kinds)
                    raise TypeError(f"{field.name} is {shown(value)}; allowed: {allowed}")
                value = built(value, values)
            made[field.name] = value
    return kind(**made)


@cache
def _fields(kind: Any) -> tuple[tuple[Field[Any], Any, tuple[type[Any], ...]], ...]:
    """The fields of a record that are rules, each with its type and the kinds it may be of."""
    hints = get_type_hints(kind)
    return tuple(
        (field, *_without_none(hints[field.name]))
        for field in fields(kind)
        if field.metadata.get("is_rule", True)
    )


def _without_none(hint: Any) -> tuple[Any, tuple[type[Any], ...]]:
    """A type without the None of what a game may lack, and the kinds among its alternatives."""
    is_union = get_origin(hint) in (Union, UnionType)
    some = [a for a in get_args(hint) if a is not NoneType] if is_union else [hint]
    kinds = tuple(a for a in some if isinstance(a, type) and is_dataclass(a))
    return some[0] if len(some) == 1 and not kinds else hint, kinds
