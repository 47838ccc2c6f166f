"""What deals of a game come to: who declares, by which column of its table, and which row.

Parties are the sides of a game with partners, the even seats and the odd ones, and else its seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sjavs_env import Game, GameState
from sjavs_env.errors import shown
from sjavs_env.rules.terms import Ints

__all__ = ["DealResults", "n_parties", "parties"]

MOST_DEALS = 2**53  # counts beyond are no exact floats


def n_parties(game: Game) -> int:
    """Return how many parties a game has: 2 where there are partners, else its players."""
    return 2 if game.rules.sides == "partners" else game.tables.n_players


def parties(game: Game) -> Ints:
    """Return the party of each seat (P,)."""
    return np.arange(game.tables.n_players) % n_parties(game)


@dataclass(frozen=True, eq=False)
class DealResults:
    """How often deals came to what; redeals, which change nothing, are left out.

    ``counts`` (parties, parties, C, O) are deals by the party that deals, the party that
    declares, the payoff column and the payoff row (``ResultTables``).  In a deal that is played
    without a bid the party of seat 0 stands for the declarers.
    """

    counts: Ints  # (parties, parties, C, O)

    @classmethod
    def empty(cls, game: Game) -> DealResults:
        """Return the counts of no deal; ValueError for a game whose deals have no such results."""
        if not game.rules.payoff:
            raise ValueError(f"{game.rules.name} has no table of results; allowed: a game with one")
        n, (columns, rows) = n_parties(game), game.tables.result.payoff_change.shape[:2]
        return cls(np.zeros((n, n, columns, rows), dtype=np.intp))

    def add(self, game: Game, state: GameState, rows: Ints) -> None:
        """Enter deals that have been played out."""
        party, result = parties(game), game.tables.result
        column = result.column_of[state.best_bid[rows], state.mode[rows]]
        declarer = party[np.maximum(state.declarer[rows], 0)]
        where = party[state.dealer[rows]], declarer, column, state.outcome[rows]
        np.add.at(self.counts, where, 1)

    def of_equals(self) -> DealResults:
        """Return the same deals as if each party played like any other: by place from the dealer.

        What one party did as dealer then counts for all of them.
        """
        n = len(self.counts)
        by_place = sum(np.roll(self.counts[dealer], -dealer, axis=0) for dealer in range(n))
        return DealResults(np.array([np.roll(by_place, dealer, axis=0) for dealer in range(n)]))

    def to_json(self, game: Game) -> list[list[dict[str, dict[str, int]]]]:
        """Return the counts above 0 as JSON values: by dealer, declarer, column and row."""
        names, columns = game.tables.result.payoff_names, _columns(game)

        def rows_of(counts: Ints) -> dict[str, int]:
            return {names[o]: int(counts[o]) for o in np.flatnonzero(counts)}

        return [
            [{columns[c]: rows_of(by_row[c]) for c in np.flatnonzero(by_row.any(axis=1))}
             for by_row in by_declarer]
            for by_declarer in self.counts
        ]  # fmt: skip

    @classmethod
    def from_json(cls, game: Game, data: Any) -> DealResults:
        """Return the counts that ``to_json`` has written; ValueError for what is none."""
        found, columns = cls.empty(game), _columns(game)
        names, n = game.tables.result.payoff_names, len(found.counts)
        if not _is_square(data, n):
            raise ValueError(f"results are {shown(data)}; allowed: {n} lists of {n} mappings")
        for d, q in np.ndindex(n, n):
            for column, rows in data[d][q].items():
                if column not in columns or not isinstance(rows, Mapping):
                    raise ValueError(f"column is {shown(column)}; allowed: {', '.join(columns)}")
                for row, deals in rows.items():
                    if row not in names:
                        raise ValueError(f"result is {shown(row)}; allowed: {', '.join(names)}")
                    if type(deals) is not int or not 0 <= deals <= MOST_DEALS:
                        raise ValueError(f"deals is {shown(deals)}; allowed: 0 to {MOST_DEALS}")
                    found.counts[d, q, columns.index(column), names.index(row)] = deals
        return found


def _columns(game: Game) -> list[str]:
    return [*getattr(game.rules.scoring, "payoff_columns", ()), "no bid"]


def _is_square(data: Any, n: int) -> bool:
    """Lists of lists of mappings, as many as there are parties."""
    return (
        isinstance(data, list)
        and len(data) == n
        and all(isinstance(row, list) and len(row) == n for row in data)
        and all(isinstance(cell, Mapping) for row in data for cell in row)
    )
