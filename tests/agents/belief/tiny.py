"""Beliefs small enough for a test."""

from __future__ import annotations

from pathlib import Path

import torch

from sjavs_agents.belief.learned_belief import Belief, BeliefConfig, BeliefLearner, save_belief
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game

__all__ = ["opinionated", "written_belief"]


def opinionated(game: Game, seed: int = 0) -> Belief:
    """A network of random weights, whose corrections are far from none."""
    belief = Belief("chance", game, Sampler(game).holders, BeliefConfig(width=8, layers=1))
    BeliefLearner(belief, seed)
    with torch.no_grad():
        belief.net.head.weight.mul_(300)
    return belief


def written_belief(path: Path, game: Game, seed: int = 0) -> Path:
    """Write such a belief to a file and return its path."""
    save_belief(path, opinionated(game, seed), {"agent": "nobody", "deals": 0, "seed": seed})
    return path
