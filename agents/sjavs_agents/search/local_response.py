"""A local best response: one step better than a known policy, against that policy.

It knows by which policy its partner and its opponents play.  Before each decision it draws worlds
from its exact posterior, lets the policy finish each of them after each legal action, and takes
the action with the best mean result (local best response, Lisy and Bowling 2017, with rollouts
by the policy itself).  What it wins against the policy bounds the exploitability from below.

With the true means of all actions it cannot do worse than the policy, as long as it alone
deviates: its own later decisions only add to what a rollout promises.  Two of them on a side have
no such guarantee, since each takes the other for the policy.  A few worlds give noisy means, and
the largest of noisy means flatters: an action other than the policy's is taken only if it is
better by ``caution`` standard errors of the difference, world by world.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Floats, Ints
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.search.card_search import AT_ONCE, EQUAL
from sjavs_agents.search.playouts import played_out
from sjavs_agents.worlds.posterior import PosteriorWorlds
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, PlayerView

__all__ = ["LocalResponseAgent"]


class LocalResponseAgent:
    """Plays against, and beside, a policy that it knows: by default the player by maxims."""

    boards_at_once = 10  # a second of work each

    def __init__(
        self,
        game: Game,
        policy: Agent | None = None,
        worlds: int = 32,
        caution: float = 1.0,
        name: str = "lbr",
    ) -> None:
        """ValueError, one line, for games and policies that leave no exact posterior.

        That is games whose past cannot be told from what lies on the table, and policies that see
        all hands or do not tell how likely their actions are.
        """
        self.game, self.name = game, name
        self.policy = policy or RuleAgent(game)
        self.worlds, self.caution = worlds, caution
        self.source = PosteriorWorlds(Sampler(game), self.policy)

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return legal actions (R,); draws from ``rng``."""
        actions = self.policy.act(view, mask, rng)
        most = int(mask.sum(axis=1, dtype=np.intp).max(initial=1))
        at_once = max(1, AT_ONCE // (self.worlds * most))
        for start in range(0, len(view), at_once):
            part = np.arange(start, min(start + at_once, len(view)))
            actions[part] = self._improved(view.select(part), mask[part], actions[part], rng)
        return actions

    def _improved(
        self, view: PlayerView, mask: NDArray[np.int8], own: Ints, rng: np.random.Generator
    ) -> Ints:
        """Return what to do (R,) instead of what the policy does, or the same."""
        row, action = np.nonzero(mask)
        results = self._results(view, row, action, rng)
        of_own = np.zeros(len(view), dtype=np.intp)
        is_own = action == own[row]
        of_own[row[is_own]] = np.flatnonzero(is_own)
        better = np.full(mask.shape, -np.inf)
        better[row, action] = surplus(results - results[of_own[row]], self.caution)
        best = better.argmax(axis=1)
        return np.where(better[np.arange(len(own)), best] > EQUAL, best, own)

    def _results(
        self, view: PlayerView, row: Ints, action: Ints, rng: np.random.Generator
    ) -> Floats:
        """Return the reward (actions, worlds) after each action, in the worlds of its row."""
        worlds = self.source.sample(view, self.worlds, rng)
        of_worlds = (row[:, None] * self.worlds + np.arange(self.worlds)).ravel()
        games = worlds.select(of_worlds)
        everywhere = np.arange(len(games))
        self.game.step(games, np.repeat(action, self.worlds), everywhere)
        rewards = played_out(self.game, games, self.policy, rng)
        own = rewards[everywhere, np.repeat(view.seat[row], self.worlds)]
        return own.reshape(len(row), self.worlds).astype(np.float64)


def surplus(differences: Floats, caution: float) -> Floats:
    """Return means (actions,) of differences (actions, worlds) less ``caution`` standard errors."""
    n = differences.shape[1]
    error = differences.std(axis=1, ddof=1) / sqrt(n) if n > 1 else 0.0
    return np.asarray(differences.mean(axis=1) - caution * error)
