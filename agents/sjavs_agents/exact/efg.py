"""A tree in the format of Gambit (``.efg``), which other programs read, OpenSpiel among them.

Players are 1, forehand, and 2, the dealer.  A node is written before what follows it, with its
actions in the order of slots; information sets are numbered from 1 for each player in the order of
the tree, and named by the hand that was dealt.  (OpenSpiel numbers actions by where their names
first stand in a file, and sorts those of a node: the first legal action is the first here, whatever
its name.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sjavs_agents.base import Ints
from sjavs_agents.exact.game_tree import GameTree

__all__ = ["efg_lines", "infoset_numbers"]


def infoset_numbers(tree: GameTree) -> Ints:
    """Return the number (infosets,) that each information set has among those of its player."""
    seat = tree.infoset_seat
    return np.where(seat == 0, np.cumsum(seat == 0), np.cumsum(seat == 1))


def efg_lines(tree: GameTree) -> Iterator[str]:
    """Yield the lines of the file."""
    deals = " ".join(f'"{name}" 1/{tree.n_deals}' for name in _deal_names(tree))
    yield f'EFG 2 R "{tree.game.rules.title}" {{ "forehand" "dealer" }}'
    yield '"One deal, in game points: what a player gains less what the other does."'
    yield ""
    yield f'c "" 1 "deal" {{ {deals} }} 0'
    nodes, ends = _nodes(tree), _ends(tree)
    node_at, end_at = _by_edge(tree)
    todo = list(range(tree.n_deals))[::-1]  # edges; the next one comes last
    while todo:
        edge = todo.pop()
        node = node_at[edge]
        if node < 0:
            yield ends[end_at[edge]]
        else:
            yield nodes[tree.node_infoset[node]]
            todo += range(int(tree.first_edge[node + 1]) - 1, int(tree.first_edge[node]) - 1, -1)


def _by_edge(tree: GameTree) -> tuple[Ints, Ints]:
    """The node (edges,) that an edge leads to, and the place of its value; -1 where it has none."""
    node_at, end_at = np.full((2, len(tree.edge_slot)), -1)
    node_at[tree.node_into] = np.arange(tree.n_nodes)
    end_at[tree.ends] = np.unique(tree.end_value, return_inverse=True)[1]
    return node_at, end_at


def _deal_names(tree: GameTree) -> Iterator[str]:
    names, deal = tree.game.pack.cards, tree.game.tables.deal
    for deck in tree.decks:
        hands = [sorted(deck[deal.hand[0, seat]]) for seat in (0, 1)]
        yield " / ".join(" ".join(names[card] for card in hand) for hand in hands)


def _nodes(tree: GameTree) -> list[str]:
    """The line of every node of an information set."""
    labels, pack = tree.game.actions.labels, tree.game.pack
    numbers, dealt = infoset_numbers(tree), tree.examples.dealt
    lines = []
    for i, seat in enumerate(tree.infoset_seat):
        slots = slice(int(tree.first_slot[i]), int(tree.first_slot[i + 1]))
        actions = " ".join(f'"{labels[a]}"' for a in tree.slot_action[slots])
        hand = " ".join(pack.names(int(dealt[i, seat])))
        lines.append(f'p "" {seat + 1} {numbers[i]} "{hand}" {{ {actions} }} 0')
    return lines


def _ends(tree: GameTree) -> list[str]:
    """The line of every value that a deal can have."""
    values = np.unique(tree.end_value)
    return [
        f't "" {number} "{value:+g}" {{ {value:.17g} {-value + 0.0:.17g} }}'
        for number, value in enumerate(values, start=1)
    ]
