"""Bounds of settings, kept with the field itself, so that none is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from sjavs_env.errors import shown

__all__ = ["HUGE", "LARGE", "Bounds", "bound_problems", "bounded", "bounds_of", "leaves"]

LARGE = 2**31 - 1  # of whole numbers that nothing else bounds
HUGE = 1e30  # of other numbers: networks count in single precision, to 3e38
KEY = "bounds"


@dataclass(frozen=True)
class Bounds:
    """What a number may be: from ``least`` to ``most``, or one of some words."""

    least: float
    most: float
    words: tuple[str, ...] = ()

    def problem(self, path: str, value: Any) -> str | None:
        """Return what is wrong with a value, if anything is."""
        if value is None:
            return f"{path} is null; allowed: a value, or leave it out"
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if is_number and self.least <= value <= self.most:
            return None
        if isinstance(value, str) and value in self.words:
            return None
        return f"{path} is {shown(value)}; allowed: {self}"

    def __str__(self) -> str:
        return ", ".join([f"{self.least} to {self.most}", *self.words])


def bounded(default: Any, least: float, most: float = HUGE, *words: str) -> Any:
    """Return a field of a dataclass with a default and bounds."""
    return field(default=default, metadata={KEY: Bounds(least, most, words)})


def bounds_of(kind: type[Any]) -> dict[str, Bounds]:
    """Return the bounds of a dataclass by field."""
    return {f.name: f.metadata[KEY] for f in fields(kind) if KEY in f.metadata}


def leaves(node: Any, prefix: str = "") -> Iterator[tuple[str, Any, Bounds | None]]:
    """Yield every setting in nested dataclasses: its dotted name, its value, its bounds."""
    for f in fields(node):
        value, path = getattr(node, f.name), prefix + f.name
        if is_dataclass(value):
            yield from leaves(value, path + ".")
        else:
            yield path, value, f.metadata.get(KEY)


def bound_problems(node: Any, prefix: str = "") -> list[str]:
    """Name every setting in nested dataclasses that is out of bounds or missing."""
    found: list[str] = []
    for path, value, bounds in leaves(node, prefix):
        if bounds is not None:
            found += filter(None, [bounds.problem(path, value)])
        elif value is None:
            found.append(f"{path} is null; allowed: a value, or leave it out")
    return found
