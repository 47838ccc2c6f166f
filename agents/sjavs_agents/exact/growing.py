"""Growing the tree of a game ply by ply on the batch engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_agents.exact.every_deal import count_deals, deal_all
from sjavs_agents.exact.game_tree import GameTree
from sjavs_agents.exact.information import Reader, Sights, seen_by
from sjavs_env import Game, GameState, Phase, view_of

__all__ = ["MOST_DEALS", "MOST_POSITIONS", "grow_tree"]

MOST_DEALS = 20_000
MOST_POSITIONS = 10**7  # about 5 GB while they are grown
NO_ONE = -1  # no edge, slot or action


def grow_tree(game: Game, most_positions: int = MOST_POSITIONS) -> GameTree:
    """Return the tree of one deal of a game, both seats at the scores of a match that begins.

    Forehand is seat 0.  ValueError, one line, for a game that is no game of two players, or too
    large, or whose players do not see all that they have done.
    """
    _check_game(game)
    decks = deal_all(game)
    state = game.new_games(len(decks), dealer=-1, cut=0)
    game.deal_deck(state, np.arange(len(decks)), decks)
    frontier = _Frontier(state, np.arange(len(decks), dtype=np.int32))
    growth = _Growth(game, len(decks), most_positions)
    while len(frontier.state):
        frontier = growth.grow(frontier)
    return growth.tree(decks)


def _check_game(game: Game) -> None:
    name, rules = game.rules.name, game.rules
    if rules.players != 2 or rules.seats:
        raise ValueError(f"{name} has {rules.players} players; allowed: games of two sides of one")
    if rules.deal.table_columns:
        raise ValueError(f"{name} is dealt on the table; allowed: games held in the hand")
    n_deals = count_deals(game)
    if n_deals > MOST_DEALS:
        raise ValueError(f"{name} has {n_deals:,} deals; allowed: up to {MOST_DEALS:,}")


@dataclass
class _Frontier:
    """Histories of one length, and the edge (R,) that each of them lies on."""

    state: GameState
    into: NDArray[np.int32]


@dataclass
class _Parts:
    """The arrays of a tree, in pieces of one ply each."""

    pieces: dict[str, list[NDArray[Any]]] = field(default_factory=dict)

    def add(self, **pieces: NDArray[Any]) -> None:
        for name, piece in pieces.items():
            self.pieces.setdefault(name, []).append(piece)

    def joined(self, name: str, kind: Any = np.int32) -> NDArray[Any]:
        return np.concatenate([np.zeros(0, kind), *self.pieces.get(name, [])], dtype=kind)


class _Growth:
    """What has been grown so far."""

    def __init__(self, game: Game, n_deals: int, most_positions: int) -> None:
        self.game, self.most_positions = game, most_positions
        self.reader = Reader(game)
        self.parts = _Parts()
        self.parts.add(edge_slot=np.full(n_deals, NO_ONE, dtype=np.int32))
        self.n_edges, self.n_slots, self.n_positions = n_deals, 0, 0
        self.first_node, self.first_infoset = [0], [0]
        self.last_slot = np.full((2, n_deals), NO_ONE, np.int32)  # of each player, by edge
        self.examples: list[GameState] = []

    def grow(self, frontier: _Frontier) -> _Frontier:
        """Add one ply; return the histories that are longer by one action."""
        game, state = self.game, frontier.state
        self.n_positions += len(state)
        if self.n_positions > self.most_positions:
            raise ValueError(
                f"{game.rules.name} has more than {self.most_positions:,} positions; allowed: up "
                f"to {self.most_positions:,}"
            )
        over = state.phase == Phase.OVER
        self._end(state, frontier.into, np.flatnonzero(over))
        going = np.flatnonzero(~over)
        mask = game.legal_actions(state, going)
        row, action = np.nonzero(mask)
        has_choice = mask.sum(axis=1, dtype=np.intp) > 1
        into = frontier.into[going][row]
        if has_choice.any():
            chosen = has_choice[row]
            rows = going[has_choice]
            first = self.n_edges
            self._branch(state, rows, mask[has_choice], frontier.into[rows])
            into[chosen] = np.arange(first, self.n_edges)
        longer = state.select(going[row])
        game.step(longer, action)
        return _Frontier(longer, into)

    def _end(self, state: GameState, into: NDArray[np.int32], rows: Ints) -> None:
        rewards = self.game.rewards(self.game.gains(state, rows))
        self.parts.add(ends=into[rows], end_value=rewards[:, 0].astype(np.float64))

    def _branch(
        self, state: GameState, rows: Ints, mask: NDArray[np.int8], into: NDArray[np.int32]
    ) -> None:
        """Add the nodes of a ply with their edges."""
        seat = state.seat[rows]
        sights = self.reader.sights(view_of(self.game, state, rows, seat))
        keys, example, member = _told_apart(sights, seat, mask)
        counts = mask.sum(axis=1, dtype=np.intp)
        first_slot = self.n_slots + np.cumsum(counts[example]) - counts[example]
        nth = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        slots = (np.repeat(first_slot[member], counts) + nth).astype(np.int32)
        before = self.last_slot[seat, into]
        if (before != before[example][member]).any():
            raise ValueError(
                f"{self.game.rules.name} lets players forget what they did; allowed: games in "
                "which they see all of it"
            )
        after = np.repeat(self.last_slot[:, into], counts, axis=1)
        after[np.repeat(seat, counts), np.arange(len(slots))] = slots
        self.last_slot = np.concatenate([self.last_slot, after], axis=1)
        self.parts.add(
            node_into=into,
            node_infoset=self.first_infoset[-1] + member,
            node_edges=counts,
            edge_slot=slots,
            infoset_seat=seat[example],
            infoset_key=keys,
            infoset_slots=counts[example],
            parent_slot=before[example],
            slot_action=np.nonzero(mask[example])[1],
        )
        self.examples.append(state.select(rows[example]))
        self.n_edges += len(slots)
        self.n_slots += int(counts[example].sum())
        self.first_node.append(self.first_node[-1] + len(rows))
        self.first_infoset.append(self.first_infoset[-1] + len(example))

    def tree(self, decks: Ints) -> GameTree:
        """Return what has been grown."""
        joined = self.parts.joined
        keys = joined("infoset_key", np.uint64)
        if len(np.unique(keys)) < len(keys):  # one in 10**9 games of a million information sets
            raise ValueError(f"{self.game.rules.name} has two views of one key")
        n_deals = len(decks)
        return GameTree(
            game=self.game,
            decks=decks,
            n_positions=self.n_positions,
            node_into=joined("node_into"),
            node_infoset=joined("node_infoset"),
            first_edge=_starts(joined("node_edges"), n_deals),
            edge_slot=joined("edge_slot"),
            ends=joined("ends"),
            end_value=joined("end_value", np.float64),
            infoset_seat=joined("infoset_seat", np.int8),
            infoset_key=keys,
            first_slot=_starts(joined("infoset_slots"), 0),
            parent_slot=joined("parent_slot"),
            slot_action=joined("slot_action"),
            first_node_of_ply=np.array(self.first_node),
            first_infoset_of_ply=np.array(self.first_infoset),
            examples=GameState.joined(self.examples),
        )


def _starts(counts: NDArray[Any], first: int) -> NDArray[np.int32]:
    """Where each of some runs begins, and where the last one ends."""
    return (first + np.concatenate([[0], np.cumsum(counts)])).astype(np.int32)


def _told_apart(
    sights: Sights, seat: Ints, mask: NDArray[np.int8]
) -> tuple[NDArray[np.uint64], Ints, Ints]:
    """Return the keys (infosets,) of what is seen, a row that shows each, and which (R,) a row is.

    Rows of one key have been compared: they show the same, and the same can be done.
    """
    keys, example, member = np.unique(seen_by(sights), return_index=True, return_inverse=True)
    alike = [(array == array[example][member]).all() for array in (sights, mask, seat)]
    if not all(alike):
        raise ValueError("two views of one ply have one key")
    return keys, example, member
