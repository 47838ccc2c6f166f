"""Fewer tables for costly tests: those that between them show all that the code asks about.

Presets differ in numbers, which the engine looks up, and in traits: flags, words, phases, arrays
that are empty or wide.  On traits code branches, so a table whose traits are all seen elsewhere
can find little more.  A test of one thing at a time runs with tables that show ``EVERY_TRAIT``,
one of things that meet (hidden cards, drawn worlds) with those that show ``EVERY_PAIR`` of traits;
``make test-slow`` runs the other tables.  What the numbers say is tested for every preset
elsewhere: by the slow players of ``tests/reference``, perft counts and recorded games.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tests.engine.table import TABLES, VARYING, table_of

__all__ = ["EVERY_PAIR", "EVERY_PAIR_VARYING", "EVERY_TRAIT", "as_one", "covering", "traits"]

Trait = tuple[str, object]


@cache
def traits(preset: str, players: int) -> frozenset[Trait]:
    """What can make the code go another way at a table."""
    return frozenset(_traits(table_of(preset, players).tables, ""))


def _traits(value: Any, path: str) -> Iterator[Trait]:
    if is_dataclass(value):
        for field in fields(value):
            yield from _traits(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, np.ndarray):
        yield path, (value.dtype.str, value.size == 0)
    elif path.endswith(".n_players") or value is None or isinstance(value, (bool, str, Enum)):
        yield path, value
    elif isinstance(value, (int, np.integer)):
        yield path, int(np.sign(value))
    elif isinstance(value, tuple):
        yield from ((path, word) for word in value if isinstance(word, Enum))


@cache
def covering(together: int) -> tuple[tuple[str, int], ...]:
    """The first table, and the others that show most, until each set of traits has been seen.

    A set is of so many traits that some table has together.
    """
    common = frozenset.intersection(*(traits(*table) for table in TABLES))
    sets = {
        table: set(combinations(sorted(traits(*table) - common, key=repr), together))
        for table in TABLES
    }
    unseen = set().union(*sets.values()) - sets[TABLES[0]]
    kept = [TABLES[0]]
    while unseen:
        kept.append(max(TABLES, key=lambda table: len(sets[table] & unseen)))
        unseen -= sets[kept[-1]]
    return tuple(kept)


def _others_slow(kept: tuple[tuple[str, int], ...]) -> list[Any]:
    """All tables as parameters; those that are not kept are for ``make test-slow``."""
    marks = {table: () if table in kept else pytest.mark.slow for table in TABLES}
    return [
        pytest.param(*table, marks=marks[table], id=f"{table[0]}-{table[1]}") for table in TABLES
    ]


def as_one(tables: list[Any]) -> list[Any]:
    """The same parameters for a test, or a fixture, that takes a table as one value."""
    return [pytest.param(table.values, marks=table.marks, id=table.id) for table in tables]


EVERY_TRAIT = _others_slow(covering(1))
EVERY_PAIR = _others_slow(covering(2))
EVERY_PAIR_VARYING = [table for table in EVERY_PAIR if table.values[0] in VARYING]
