"""Information-set Monte Carlo tree search: one tree over what the seat cannot tell apart.

Each iteration draws a world, walks down the tree by the cards that are legal there, adds one
node, plays on at random and credits the result (single-observer ISMCTS, Cowling, Powley and
Whitehouse 2012).  A node remembers how often each of its cards was available, which replaces
the parent's count in the UCB formula ``mean + c sqrt(ln(available) / visits)``.

The trees of all views grow together: in each iteration their games are stepped as one batch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Floats, Ints, open_decisions
from sjavs_agents.search.card_search import CardSearch
from sjavs_agents.worlds.world_source import CardBelief, world_source
from sjavs_env import Game, GameState, Phase, PlayerView, sample_legal

__all__ = ["IsmctsAgent"]

ROOT = 0
DRAWN_AT_ONCE = 32  # worlds of each view drawn in one go


class _Trees:
    """R trees of at most X nodes; node 0 is the root.  A node is reached by a card."""

    def __init__(self, n_trees: int, n_nodes: int, n_cards: int, n_players: int) -> None:
        self.child = np.zeros((n_trees, n_nodes, n_cards), np.int32)  # 0: none yet
        self.available = np.zeros((n_trees, n_nodes, n_cards), np.int32)
        self.visits = np.zeros((n_trees, n_nodes), np.int32)
        self.total = np.zeros((n_trees, n_nodes, n_players), np.float32)
        self.size = np.ones(n_trees, np.intp)

    def choose(
        self, trees: Ints, node: Ints, legal: NDArray[np.bool_], seat: Ints, c: float,
        rng: np.random.Generator,
    ) -> tuple[Ints, NDArray[np.bool_]]:  # fmt: skip
        """Return a card for each tree (R,), and where it leads to no node yet."""
        self.available[trees, node] += legal
        child = self.child[trees, node]  # (R, N)
        untried = legal & (child == 0)
        is_new = untried.any(axis=1)
        visits = np.maximum(self.visits[trees[:, None], child], 1)
        mean = self.total[trees[:, None], child, seat[:, None]] / visits
        seen = np.maximum(self.available[trees, node], 1)
        bound = mean + c * np.sqrt(np.log(seen) / visits)
        worth = np.where(is_new[:, None], rng.random(legal.shape), bound)
        open_to = np.where(is_new[:, None], untried, legal)
        return np.where(open_to, worth, -np.inf).argmax(axis=1), is_new

    def grow(self, trees: Ints, node: Ints, card: Ints) -> Ints:
        """Add a node to each of these trees; return it (R,)."""
        new = self.size[trees]
        self.child[trees, node, card] = new
        self.size[trees] += 1
        return new


class IsmctsAgent(CardSearch):
    """Plays the card of the root that was visited most."""

    def __init__(
        self,
        game: Game,
        iterations: int = 1000,
        c: float = 0.7,
        belief: CardBelief | None = None,
        policy: Agent | None = None,
        tricks: int = 0,
        name: str = "ismcts",
    ) -> None:
        """``c`` is the weight of exploration, in units of the spread of a deal's results.

        Worlds that ``belief`` holds for likely are drawn more often.  ``policy`` makes the calls;
        with ``tricks`` it plays all cards but those of that many tricks, the last.
        """
        super().__init__(game, name, policy, tricks)
        self.iterations, self.c = iterations, c
        self.source = world_source(game, belief=belief)

    def _worlds_per_view(self) -> int:
        return max(self.iterations // 4, DRAWN_AT_ONCE)  # what bounds memory are the trees

    def values(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Floats:
        """Return how often (R, N) each card of the root was tried."""
        t = self.game.tables
        trees = _Trees(len(view), self.iterations + 1, t.n_cards, t.n_players)
        done = 0
        while done < self.iterations:
            n = min(DRAWN_AT_ONCE, self.iterations - done)
            worlds = self.source.sample(view, n, rng)
            for i in range(n):
                self._iterate(trees, worlds.select(np.arange(len(view)) * n + i), rng)
            done += n
        root = trees.child[:, ROOT]
        return np.where(root > 0, np.take_along_axis(trees.visits, root, axis=1), 0).astype(float)

    def _iterate(self, trees: _Trees, games: GameState, rng: np.random.Generator) -> None:
        """Draw one path in each tree, play its deal out and credit the result."""
        path = self._descend(trees, games, rng)
        self._play_out(games, rng)
        everywhere = np.arange(len(games))
        taking_part = self.game.taking_part(games, everywhere)
        rewards = (
            self.game.rewards(self.game.gains(games), taking_part) / self.game.tables.result.worst
        )
        for rows, node in path:
            trees.visits[rows, node] += 1
            trees.total[rows, node] += rewards[rows]

    def _descend(
        self, trees: _Trees, games: GameState, rng: np.random.Generator
    ) -> list[tuple[Ints, Ints]]:
        """Step the games down to a new node each; return the nodes passed, by tree."""
        n_cards = self.game.tables.n_cards
        rows, node = np.arange(len(games)), np.zeros(len(games), np.intp)
        path: list[tuple[Ints, Ints]] = []
        while len(rows):
            legal = self.game.legal_actions(games, rows)[:, :n_cards].astype(np.bool_)
            seat = games.seat[rows]
            card, is_new = trees.choose(rows, node, legal, seat, self.c, rng)
            following = trees.child[rows, node, card].astype(np.intp)
            following[is_new] = trees.grow(rows[is_new], node[is_new], card[is_new])
            path.append((rows, following))
            self.game.step(games, card, rows)
            on = ~is_new & (games.phase[rows] == Phase.PLAY)
            rows, node = rows[on], following[on]
        return path

    def _play_out(self, games: GameState, rng: np.random.Generator) -> None:
        for rows, mask in open_decisions(self.game, games):
            self.game.step(games, sample_legal(mask, rng), rows)
