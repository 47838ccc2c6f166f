"""The tree of a small game: every deal, every history, and what the players can tell apart.

It is grown on the batch engine, breadth first: all histories of one length are stepped together.
A *node* is a history in which somebody has a choice; where there is none, play goes on.  *Edges*
lead to nodes or to the end of a deal: the first are the deals, then come the choices of each node,
side by side.  An *information set* holds the nodes that their player cannot tell apart; a *slot* is
one of its actions, and a policy is one number for each slot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Floats, Ints
from sjavs_agents.exact.information import Keys
from sjavs_env import Game, GameState

__all__ = ["GameTree", "Ply"]

Index = NDArray[np.int32]  # of nodes, edges and slots, of which there are many


@dataclass(frozen=True)
class Ply:
    """All nodes whose histories have one length, and what belongs to them, as ranges."""

    nodes: slice
    edges: slice
    infosets: slice
    slots: slice


@dataclass(frozen=True, eq=False)
class GameTree:
    """Deals, nodes, edges (deals first), information sets and their slots, all in order of plies.

    The value of a deal is what seat 0, forehand, gains, less what seat 1 does, in game points.
    """

    game: Game
    decks: Ints  # (deals, cards) each as likely as the others
    n_positions: int  # histories of all deals, those without a choice and the ends as well
    node_into: Index  # (nodes,) the edge that leads to a node
    node_infoset: Index  # (nodes,)
    first_edge: Index  # (nodes + 1,) the edges of a node, and the end of all
    edge_slot: Index  # (edges,) the slot that an edge is a choice of; -1 for deals
    ends: Index  # (ends,) edges to the end of a deal
    end_value: Floats  # (ends,) what they are worth
    infoset_seat: NDArray[np.int8]  # (infosets,)
    infoset_key: Keys  # (infosets,) of what their player sees
    first_slot: Index  # (infosets + 1,)
    parent_slot: Index  # (infosets,) the last choice of their player before it; -1 for none
    slot_action: Index  # (slots,) as the game numbers actions
    first_node_of_ply: Ints  # (plies + 1,)
    first_infoset_of_ply: Ints  # (plies + 1,)
    examples: GameState  # (infosets,) one history of each information set

    @property
    def n_deals(self) -> int:
        """Number of deals."""
        return len(self.decks)

    @property
    def n_nodes(self) -> int:
        """Number of histories with a choice."""
        return len(self.node_into)

    @property
    def n_infosets(self) -> int:
        """Number of information sets, of both players."""
        return len(self.infoset_key)

    @property
    def n_slots(self) -> int:
        """Length of a policy."""
        return len(self.slot_action)

    @cached_property
    def plies(self) -> tuple[Ply, ...]:
        """The nodes by length of their histories, shortest first."""

        def ranges(first: Ints, within: Index | None = None) -> Iterator[slice]:
            at = first if within is None else within[first]
            yield from (slice(int(a), int(b)) for a, b in pairwise(at))

        nodes, infosets = self.first_node_of_ply, self.first_infoset_of_ply
        return tuple(
            Ply(*parts)
            for parts in zip(
                ranges(nodes),
                ranges(nodes, self.first_edge),
                ranges(infosets),
                ranges(infosets, self.first_slot),
                strict=True,
            )
        )

    @cached_property
    def slot_seat(self) -> NDArray[np.int8]:
        """The player (slots,) whose choice a slot is."""
        return np.repeat(self.infoset_seat, np.diff(self.first_slot))

    @cached_property
    def score_range(self) -> float:
        """The largest value of a deal less the smallest one."""
        return float(np.ptp(self.end_value))

    def spread(self, per_infoset: Floats) -> Floats:
        """Return values of information sets (infosets,) as values of their slots (slots,)."""
        return np.repeat(per_infoset, np.diff(self.first_slot))

    def uniform(self) -> Floats:
        """Return the policy (slots,) by which all legal actions are equally likely."""
        return self.spread(1 / np.diff(self.first_slot))
