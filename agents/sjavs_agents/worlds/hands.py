"""The cards of all holders in worlds drawn evenly: how many of each case, and in which ways.

Where melds were announced, worlds are drawn with what ``meld_facts`` says of them, and drawn
again in place of those that it does not keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sjavs_agents.worlds.constraints import Constraints
from sjavs_agents.worlds.counting import count_ways
from sjavs_agents.worlds.drawing import draw_ways
from sjavs_agents.worlds.meld_facts import MeldFacts
from sjavs_env import PlayerView
from sjavs_env.rules.tables import Ints, Words

__all__ = ["HandDrawer", "Hands"]

GROWTH = 32.0  # so many times the worlds still missing are drawn at once at most
MOST_DRAWN = 2**24  # worlds of a view drawn without finding enough before giving up
MOST_IN_VAIN = 2**19  # the same without finding any: no game shows such a view


@dataclass(frozen=True, slots=True)
class Hands:
    """All that is drawn of W worlds: some bytes each, where a whole state takes hundreds."""

    holders: Words  # (W, H) what each holder has, known cards included
    later: Words  # (W,) what of it came from the talon into another seat's hand, where known

    def __len__(self) -> int:
        return len(self.later)

    @classmethod
    def joined(cls, parts: Sequence[Hands]) -> Hands:
        """Return the worlds of all parts, one after the other."""
        holders = np.concatenate([part.holders for part in parts])
        return cls(holders, np.concatenate([part.later for part in parts]))

    def select(self, at: Ints) -> Hands:
        """Return some of the worlds."""
        return Hands(self.holders[at], self.later[at])


class HandDrawer:
    """Draws the hands of worlds of one game."""

    def __init__(self, constraints: Constraints, melds: MeldFacts | None) -> None:
        """``melds`` only in games that have them."""
        self._constraints, self._melds = constraints, melds

    def draw_hands(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> Hands:
        """Return R * worlds worlds; world i * worlds + j is world j of view i.

        Draws from ``rng`` as ``Sampler.draw`` says; ValueError for fewer than one world, for a
        deal that is over and where no deal agrees with a view.
        """
        if worlds < 1:
            raise ValueError(f"worlds is {worlds}; allowed: a number from 1")
        source = _Worlds(self._constraints, self._melds, view, rng)
        if self._melds is None:
            return Hands(*source.draw_evenly(np.full(len(view), worlds)))
        return self._draw_until(source, self._melds, view, worlds, rng)

    def _draw_until(
        self,
        source: _Worlds,
        melds: MeldFacts,
        view: PlayerView,
        worlds: int,
        rng: np.random.Generator,
    ) -> Hands:
        """Draw until as many worlds of each view are kept as are wanted."""
        parts, taken = [], [np.zeros(0, dtype=np.intp)]
        missing, drawn, kept = np.full(len(view), worlds), np.ones(len(view)), np.ones(len(view))
        while missing.any():
            most = np.where(kept > 1, MOST_DRAWN, MOST_IN_VAIN)
            if (drawn * (missing > 0) > most).any():
                raise ValueError(
                    f"no deal agrees with view {int((missing * (drawn > most)).argmax())}"
                )
            number = np.ceil(missing * np.minimum(drawn / kept, GROWTH)).astype(np.intp)
            row = np.repeat(np.arange(len(view)), number)
            words, _ = source.draw_evenly(number)
            keep = melds.keep(view.select(row), words[:, : view.calls.shape[1] - 1], rng)
            at = np.flatnonzero(keep)
            drawn += number
            np.add.at(kept, row[at], 1)
            rank = np.arange(len(at)) - np.searchsorted(row[at], row[at])
            at = at[rank < missing[row[at]]]
            np.subtract.at(missing, row[at], 1)
            parts.append(words[at])
            taken.append(row[at])
        order = np.argsort(np.concatenate(taken), kind="stable")
        found = np.concatenate(parts)[order]
        return Hands(found, np.zeros(len(found), dtype=found.dtype))


class _Worlds:
    """The worlds of some views, before melds are looked at: drawn as often as need be."""

    def __init__(
        self,
        constraints: Constraints,
        melds: MeldFacts | None,
        view: PlayerView,
        rng: np.random.Generator,
    ) -> None:
        self._known, self._view, self._rng = constraints, view, rng
        cases = constraints.cases(view)
        self._cases = melds.explain(cases, view) if melds else cases
        self._problems, self._space = constraints.problems(view, self._cases)
        self._one_each = np.array_equal(self._cases.row, np.arange(len(view)))
        if not self._one_each:
            self._counts = count_ways(self._problems, self._space)
            self._total = constraints.sum_by_view(view, self._cases, self._counts)

    def draw_evenly(self, number: Ints) -> tuple[Words, Words]:
        """Return ``number`` (R,) worlds of each view: holders (sum, H), what came later (sum,)."""
        row = np.repeat(np.arange(len(number)), number)
        seeds = self._rng.integers(2**64, size=len(row), dtype=np.uint64)
        if self._one_each:
            start = np.concatenate([[0], np.cumsum(number)])
            piles, counts = draw_ways(self._problems, start, seeds, self._space)
            counts[number == 0] = 1  # not looked at
            self._known.sum_by_view(self._view, self._cases, counts)
            return self._known.fill_holders(self._view, self._cases, row, piles)
        case = self._choose_cases(number)
        order = np.argsort(case, kind="stable")
        start = np.searchsorted(case[order], np.arange(len(self._cases.row) + 1))
        drawn, _ = draw_ways(self._problems, start, seeds[order], self._space)
        piles = np.empty_like(drawn)
        piles[order] = drawn
        return self._known.fill_holders(self._view, self._cases, case, piles)

    def _choose_cases(self, number: Ints) -> Ints:
        """Choose the case of each world by the number of its ways."""
        chosen = self._rng.integers(np.repeat(self._total, number))
        ends, begins = np.cumsum(number), np.searchsorted(self._cases.row, np.arange(len(number)))
        case = np.empty(len(chosen), dtype=np.intp)
        for r in np.flatnonzero(number):  # totals may be too large to be added over views
            mine = slice(ends[r] - number[r], ends[r])
            counts = self._counts[self._cases.row == r]
            case[mine] = begins[r] + np.searchsorted(np.cumsum(counts), chosen[mine], "right")
        return case
