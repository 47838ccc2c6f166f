"""Cheap players, who decide each time as one of several agents, drawn anew.

One deal played by them often, with other draws, tells what its cards bring on average: what a
single player makes of a deal hangs on quirks that others do not share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Floats, Ints
from sjavs_agents.heuristic.greedy_agent import GreedyAgent
from sjavs_agents.heuristic.random_agent import RandomAgent
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_env import Game, PlayerView

__all__ = ["CrowdAgent", "club", "maxim_player", "noisy"]

NOISE = 0.3  # share of decisions that the noisy ones leave to chance


class CrowdAgent:
    """Each decision is made by one of several agents, drawn with given chances."""

    def __init__(self, name: str, agents: Sequence[Agent], chances: Sequence[float]) -> None:
        """``chances`` are of the agents, in their order; they add up to 1."""
        self.name = name
        self._agents = tuple(agents)
        self._below: Floats = np.cumsum(chances)[:-1]

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return actions (R,); one double is drawn for each row, then the agents draw."""
        who = np.searchsorted(self._below, rng.random(len(mask)), side="right")
        actions = np.empty(len(mask), dtype=np.intp)
        for i, agent in enumerate(self._agents):
            rows = np.flatnonzero(who == i)
            if len(rows):
                actions[rows] = agent.act(view.select(rows), mask[rows], rng)
        return actions


def maxim_player(game: Game) -> Agent:
    """Return the rule player, or the greedy one in games whose maxims nobody has written down."""
    return _club_players(game)[0]


def club(game: Game) -> CrowdAgent:
    """Return players who follow now one school, now another."""
    agents = _club_players(game)
    return CrowdAgent("club", agents, [1 / len(agents)] * len(agents))


def noisy(game: Game) -> CrowdAgent:
    """Return players who follow the maxims, but for a slip now and then."""
    return CrowdAgent("noisy", [maxim_player(game), RandomAgent()], [1 - NOISE, NOISE])


def _club_players(game: Game) -> list[Agent]:
    makers: tuple[Callable[[Game], Agent], ...] = (RuleAgent, RuleAgent.expert)
    return [*filter(None, (_known(make, game) for make in makers)), GreedyAgent(game)]


def _known(make: Callable[[Game], Agent], game: Game) -> Agent | None:
    """Return an agent, or None if it does not know the game."""
    try:
        return make(game)
    except ValueError:
        return None
