"""What the JSON part of a file may hold: checks made of smaller checks.

A check is a function of a value and of its dotted place; it returns what is wrong with the first
thing that is, in a few words, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sjavs_agents.neural.setting_bounds import Bounds, bounds_of
from sjavs_env.errors import shown

__all__ = ["Check", "each", "mapping", "number", "one_of", "record", "sizes", "text", "whole"]

Check = Callable[[Any, str], "str | None"]


def whole(least: int = 0, most: int = 2**62) -> Check:
    """A whole number in bounds."""
    bounds = Bounds(least, most)

    def check(value: Any, at: str) -> str | None:
        if value is not None and type(value) is not int:
            return f"{at} is {shown(value)}; allowed: {bounds}"
        return bounds.problem(at, value)

    return check


def number(least: float = -1e18, most: float = 1e18) -> Check:
    """A finite number in bounds."""
    bounds = Bounds(least, most)
    return lambda value, at: bounds.problem(at, value)


def text(most: int = 1000) -> Check:
    """A text that is not too long."""

    def check(value: Any, at: str) -> str | None:
        fits = isinstance(value, str) and len(value) <= most
        return None if fits else f"{at} is {shown(value)}; allowed: a text"

    return check


def one_of(*values: Any) -> Check:
    """One of some values, of the same type."""

    def check(value: Any, at: str) -> str | None:
        fits = any(type(value) is type(v) and value == v for v in values)
        allowed = ", ".join(map(str, values))
        return None if fits else f"{at} is {shown(value)}; allowed: {allowed}"

    return check


def each(of: Check, most: int = 10_000) -> Check:
    """A list of things of one kind."""

    def check(value: Any, at: str) -> str | None:
        if not isinstance(value, list) or len(value) > most:
            return f"{at} is {shown(value)}; allowed: a list of up to {most}"
        return _first(of(member, f"{at}.{i}") for i, member in enumerate(value))

    return check


def mapping(of: Check | None = None, most: int = 10_000) -> Check:
    """A mapping of names to things of one kind, or to anything."""

    def check(value: Any, at: str) -> str | None:
        if not isinstance(value, dict) or len(value) > most:
            return f"{at} is {shown(value)}; allowed: a mapping of up to {most}"
        members = value.items() if of else ()
        return _first(of(member, f"{at}.{name[:100]}") for name, member in members if of)

    return check


def record(needed: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """A mapping with these names at least, each of its own kind."""
    known = {**needed, **(optional or {})}

    def check(value: Any, at: str) -> str | None:
        if not isinstance(value, dict):
            return f"{at or 'the header'} is {shown(value)}; allowed: a mapping"
        start = f"{at}." if at else ""
        lacking = [name for name in needed if name not in value]
        if lacking:
            return f"{start}{lacking[0]} is missing"
        given = ((name, of) for name, of in known.items() if name in value)
        return _first(of(value[name], start + name) for name, of in given)

    return check


def sizes(kind: type[Any]) -> Check:
    """The whole numbers of a dataclass with bounds, no more and no less."""
    bounds = {name: whole(int(b.least), int(b.most)) for name, b in bounds_of(kind).items()}
    inner = record(bounds)

    def check(value: Any, at: str) -> str | None:
        more = sorted(set(value) - set(bounds)) if isinstance(value, dict) else []
        return f"{at}.{more[0][:100]} is unknown" if more else inner(value, at)

    return check


def _first(found: Any) -> str | None:
    return next(filter(None, found), None)
