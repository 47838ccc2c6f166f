"""The tables that costly tests are run with show what all tables show."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from tests.engine.kinds import EVERY_PAIR, EVERY_TRAIT, as_one, covering, traits
from tests.engine.table import SJAVS, TABLES


def kept(tables: list[Any]) -> set[tuple[str, int]]:
    return {table.values for table in tables if not table.marks}


@pytest.mark.parametrize(("tables", "together"), [(EVERY_TRAIT, 1), (EVERY_PAIR, 2)])
def test_no_traits_go_together_that_no_kept_table_shows(tables: list[Any], together: int) -> None:
    def sets(table: tuple[str, int]) -> set[tuple[Any, ...]]:
        return set(combinations(sorted(traits(*table), key=repr), together))

    seen = set().union(*(sets(table) for table in kept(tables)))
    assert [table for table in TABLES if not sets(table) <= seen] == []


def test_most_tables_are_left_out_and_none_is_lost() -> None:
    for tables, most in ((EVERY_TRAIT, 12), (EVERY_PAIR, 20)):
        assert [table.values for table in tables] == TABLES
        assert [table.values[0] for table in as_one(tables)] == TABLES
        assert 1 < len(kept(tables)) <= most
        assert TABLES[0] in kept(tables)


def test_every_number_of_players_and_both_families_are_kept() -> None:
    for together in (1, 2):
        assert {players for _, players in covering(together)} == {2, 3, 4}
        assert {name in SJAVS for name, _ in covering(together)} == {True, False}
