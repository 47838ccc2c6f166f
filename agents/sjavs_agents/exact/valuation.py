"""What policies are worth, exactly: values, best responses and the distance from equilibrium."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sjavs_agents.base import Floats
from sjavs_agents.exact.game_tree import GameTree, Ply

__all__ = [
    "Exploitability",
    "action_values",
    "best_response",
    "exploitability",
    "game_value",
    "others_reach",
    "own_reach",
]


@dataclass(frozen=True)
class Exploitability:
    """How far the two seats of a policy are from an equilibrium, in game points per deal."""

    value: float  # what seat 0 gains, less seat 1, when both play the policy
    against: tuple[float, float]  # what a best response in each seat gains more than it

    @property
    def nash_conv(self) -> float:
        """What the two best responses gain together; 0 in an equilibrium alone."""
        return sum(self.against)


def exploitability(tree: GameTree, policy: Floats) -> Exploitability:
    """Return the exploitability of a policy (slots,), which plays both seats.

    ``nash_conv`` is that of Lanctot et al. 2017 ("A Unified Game-Theoretic Approach to Multiagent
    Reinforcement Learning"): the sum over players of what deviating alone can gain.
    """
    value = game_value(tree, policy)
    gains = [
        best_response(tree, policy, seat)[0] - sign * value for seat, sign in ((0, 1), (1, -1))
    ]
    return Exploitability(value, (gains[0], gains[1]))


def game_value(tree: GameTree, policy: Floats) -> float:
    """Return what forehand gains per deal, less the dealer, when both play ``policy`` (slots,)."""
    return float(action_values(tree, policy)[: tree.n_deals].mean())


def others_reach(tree: GameTree, policy: Floats, seat: int) -> Floats:
    """Return the chance (edges,) that deal and opponent come along, if ``seat`` wants to."""
    factor = np.where(tree.slot_seat == seat, 1.0, policy)
    reach = np.full(len(tree.edge_slot), 1 / tree.n_deals)
    for ply in tree.plies:
        reach[ply.edges] = _on_edges(tree, ply, reach[tree.node_into[ply.nodes]])
        reach[ply.edges] *= factor[tree.edge_slot[ply.edges]]
    return reach


def own_reach(tree: GameTree, policy: Floats) -> Floats:
    """Return the chance (infosets,) that each information set's player does what leads to it.

    It is the same in all of its nodes, for players remember what they did.
    """
    reach = np.ones(tree.n_infosets)
    by_slot = np.empty(tree.n_slots)
    for ply in tree.plies:
        parent = tree.parent_slot[ply.infosets]
        reach[ply.infosets] = np.where(parent < 0, 1.0, by_slot[parent])
        sizes = np.diff(tree.first_slot[ply.infosets.start : ply.infosets.stop + 1])
        by_slot[ply.slots] = np.repeat(reach[ply.infosets], sizes) * policy[ply.slots]
    return reach


def action_values(tree: GameTree, policy: Floats) -> Floats:
    """Return the value (edges,) of going along each edge, for seat 0, when both play ``policy``."""
    values = _end_values(tree)
    for ply in reversed(tree.plies):
        weighted = values[ply.edges] * policy[tree.edge_slot[ply.edges]]
        values[tree.node_into[ply.nodes]] = _sums(tree, ply, weighted)
    return values


def best_response(tree: GameTree, policy: Floats, seat: int) -> tuple[float, Floats]:
    """Return what the best answer to a policy (slots,) gains per deal in a seat, and the answer.

    The other seat plays ``policy``.  In the answer one action of each information set has
    probability 1, the first of the best; for the other seat it is the policy that is answered.
    """
    sign = 1.0 if seat == 0 else -1.0
    reach, values = others_reach(tree, policy, seat), _end_values(tree)
    answer = policy.astype(np.float64)
    for ply in reversed(tree.plies):
        slots = tree.edge_slot[ply.edges] - ply.slots.start
        worth = sign * values[ply.edges] * reach[ply.edges]
        n_slots = ply.slots.stop - ply.slots.start
        of_slot: Floats = np.bincount(slots, worth, minlength=n_slots).astype(np.float64)
        own = tree.slot_seat[ply.slots] == seat
        answer[ply.slots] = np.where(own, _best_of_each(tree, ply, of_slot), policy[ply.slots])
        weighted = values[ply.edges] * answer[tree.edge_slot[ply.edges]]
        values[tree.node_into[ply.nodes]] = _sums(tree, ply, weighted)
    return sign * float(values[: tree.n_deals].mean()), answer


def _end_values(tree: GameTree) -> Floats:
    values = np.empty(len(tree.edge_slot))
    values[tree.ends] = tree.end_value
    return values


def _on_edges(tree: GameTree, ply: Ply, of_nodes: Floats) -> Floats:
    """Values of the nodes of a ply as values of their edges."""
    first = tree.first_edge[ply.nodes.start : ply.nodes.stop + 1]
    return np.repeat(of_nodes, np.diff(first))


def _sums(tree: GameTree, ply: Ply, of_edges: Floats) -> Floats:
    """Sums over the edges of each node of a ply."""
    return np.add.reduceat(of_edges, tree.first_edge[ply.nodes] - ply.edges.start)


def _best_of_each(tree: GameTree, ply: Ply, of_slot: Floats) -> Floats:
    """1 at the first greatest slot of each information set of a ply, else 0."""
    first = tree.first_slot[ply.infosets] - ply.slots.start
    sizes = np.diff(tree.first_slot[ply.infosets.start : ply.infosets.stop + 1])
    is_best = of_slot == np.repeat(np.maximum.reduceat(of_slot, first), sizes)
    places = np.where(is_best, np.arange(len(of_slot)), len(of_slot))
    chosen = np.zeros(len(of_slot))
    chosen[np.minimum.reduceat(places, first)] = 1
    return chosen
