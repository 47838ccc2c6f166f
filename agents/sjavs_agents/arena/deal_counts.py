"""What deals come to among players of one kind: the distribution that rubbers are reckoned from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sjavs_agents.base import Agent, forced, open_decisions
from sjavs_agents.base.asking import ask
from sjavs_agents.stats.deal_results import DealResults
from sjavs_env import REDEAL, Game, view_of
from sjavs_env.randomness import derived

__all__ = ["DealCounts", "count_deals"]

CHUNK = 4096  # deals stepped together


@dataclass(frozen=True, eq=False)
class DealCounts:
    """Numbered deals that an agent played in all seats."""

    results: DealResults
    redeals: int  # of these deals, those that nobody bid on


def count_deals(game: Game, agent: Agent, deals: int, seed: int = 0) -> DealCounts:
    """Let an agent play the deals 0, 1, ... of a seed in all seats; deal b is dealt by b mod P.

    All deals begin a rubber.  ValueError for a game without a table of results, AgentError if the
    agent fails.
    """
    results, redeals = DealResults.empty(game), 0
    for start in range(0, deals, CHUNK):
        numbers = np.arange(start, min(start + CHUNK, deals))
        rng = derived(seed, "deal counts", start)
        state = game.new_games(len(numbers), seed=seed, numbers=numbers, dealer=numbers)
        for rows, mask in open_decisions(game, state):
            action, choices = forced(mask)
            if len(choices):
                at = rows[choices]
                view = view_of(game, state, at, state.seat[at])
                action[choices] = ask(agent, view, mask[choices], rng, game.actions.labels)
            game.step(state, action, rows)
        played = np.flatnonzero(state.outcome != REDEAL)
        redeals += len(numbers) - len(played)
        results.add(game, state, played)
    return DealCounts(results, redeals)
