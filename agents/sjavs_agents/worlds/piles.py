"""Where hidden cards may be (*piles*), and which cards each of these places may take (*cases*)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_env.rules.tables import Bool, Ints, RuleTables, Words

__all__ = ["LATER", "Cases", "Piles", "count_bits"]

LATER = "came later"  # cards of a seat that it had not been dealt when it spoke


def count_bits(words: NDArray[Any]) -> Ints:
    """Return the number of cards in sets (...,)."""
    return np.bitwise_count(words).astype(np.intp)


@dataclass(frozen=True)
class Piles:
    """Where hidden cards may be, in a fixed order for each game."""

    names: tuple[str, ...]
    n_public: int  # the first ones are holders; the others only tell cards of one apart

    @classmethod
    def of(cls, tables: RuleTables, lengths_count: bool) -> Piles:
        """Return the piles of a game, in which calls prove something about lengths or not."""
        seats = range(tables.n_players)
        names = [f"hand {p}" for p in seats[1:]]
        if tables.deal.n_columns:
            names += [f"face down {p}" for p in seats]
        if tables.seats:
            names += ["reserve", "given", "dead"]
        if tables.deal.n_talon:
            names += ["talon", "laid"]
        inner = [LATER] if lengths_count and (tables.deal.n_talon or tables.deal.n_columns) else []
        return cls(tuple(names + inner), len(names))

    def at(self, name: str) -> int:
        """Place of a pile."""
        return self.names.index(name)


@dataclass(eq=False, slots=True)
class Cases:
    """Ways in which views may be: how many cards lie where, and which ones may.

    Q cases, S seats other than the viewer.
    """

    row: Ints  # (Q,) the view that each is a case of
    place: Words  # (Q,) cards to be placed
    may: Words  # (Q, piles) those that each pile may take
    size: Ints  # (Q, piles) cards that it takes
    held: Words  # (Q, piles) cards known to lie there besides
    counts_for: Ints  # (Q, piles) other seat for whose lengths it counts, or NONE
    base: Words  # (Q, S) known cards that count for the lengths of each seat

    def select(self, at: Ints | Bool) -> Cases:
        """Return some of the cases."""
        return Cases(*(getattr(self, f.name)[at] for f in fields(self)))
