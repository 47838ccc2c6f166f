"""What searching players take their worlds from, and which one their options ask for."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from sjavs_agents.base import Agent, fair
from sjavs_agents.worlds.by_belief import BeliefWorlds, CardBelief
from sjavs_agents.worlds.by_policy import PolicyInference
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, GameState, PlayerView

__all__ = ["CardBelief", "WorldSource", "world_source"]


class WorldSource(Protocol):
    """Something that draws worlds in which a seat may be."""

    def sample(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> GameState:
        """Return R * worlds games; game i * worlds + j is world j of view i (R,)."""
        ...


def world_source(
    game: Game, policy: Agent | None = None, belief: CardBelief | None = None
) -> WorldSource:
    """Return what draws worlds: evenly, as ``policy`` would have played, or as ``belief`` says.

    ValueError for a policy and a belief at once: both are drawn from the same cards played, which
    would count twice.
    """
    sampler = Sampler(game)
    if policy is not None and belief is not None:
        raise ValueError("infer and belief both weigh worlds by the cards played; allowed: one")
    if policy is not None:
        return PolicyInference(sampler, fair(policy))
    return sampler if belief is None else BeliefWorlds(sampler, belief)
