"""Counterfactual regret minimisation plus: an average policy that comes near an equilibrium.

CFR+ after Tammelin 2014 ("Solving Large Imperfect Information Games Using CFR+"): regrets are never
kept below 0, the players are updated in turn, and later policies count more in the average.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sjavs_agents.base import Floats
from sjavs_agents.exact.game_tree import GameTree
from sjavs_agents.exact.valuation import action_values, others_reach, own_reach

__all__ = ["CfrPlus", "normalised"]


@dataclass
class CfrPlus:
    """A solver of one tree; nothing in it is random."""

    tree: GameTree

    def __post_init__(self) -> None:
        self.iterations = 0
        self.regrets = np.zeros(self.tree.n_slots)
        self._sums = np.zeros(self.tree.n_slots)
        self._edge_seat = np.full(len(self.tree.edge_slot), -1, dtype=np.int8)
        of_slots = self.tree.slot_seat[self.tree.edge_slot[self.tree.n_deals :]]
        self._edge_seat[self.tree.n_deals :] = of_slots
        self._own = [np.flatnonzero(self._edge_seat == seat) for seat in (0, 1)]

    @property
    def decisions(self) -> int:
        """Nodes of either player that have been looked at so far, once for each update."""
        return 2 * self.iterations * self.tree.n_nodes

    def current(self) -> Floats:
        """Return the policy (slots,) of the regrets so far: regret matching."""
        return normalised(self.tree, self.regrets)

    def average(self) -> Floats:
        """Return the average policy (slots,) so far, which comes near an equilibrium."""
        return normalised(self.tree, self._sums)

    def step(self) -> None:
        """Update both players once."""
        self.iterations += 1
        for seat in (0, 1):
            self._update(seat)

    def run(self, iterations: int) -> Iterator[int]:
        """Update both players so many times more; yield the number of each iteration."""
        for _ in range(iterations):
            self.step()
            yield self.iterations

    def _update(self, seat: int) -> None:
        tree, policy, own = self.tree, self.current(), self._own[seat]
        sign = 1.0 if seat == 0 else -1.0
        worth = action_values(tree, policy)[own] * others_reach(tree, policy, seat)[own]
        of_slot = sign * np.bincount(tree.edge_slot[own], worth, minlength=tree.n_slots)
        mean = tree.spread(np.add.reduceat(of_slot * policy, tree.first_slot[:-1]))
        mine = tree.slot_seat == seat
        gained = np.maximum(self.regrets + of_slot - mean, 0)
        self.regrets = np.where(mine, gained, self.regrets)
        reach = tree.spread(own_reach(tree, policy)) * policy
        self._sums += np.where(mine, self.iterations * reach, 0)


def normalised(tree: GameTree, weights: Floats) -> Floats:
    """Return weights (slots,) that are not negative as a policy, uniform where all are 0."""
    total = tree.spread(np.add.reduceat(weights, tree.first_slot[:-1]))
    known = total > 0
    return np.where(known, weights / np.where(known, total, 1), tree.uniform())
