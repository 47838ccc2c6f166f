"""Beliefs read from files, for players and commands that start without torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sjavs_env import Game
from sjavs_env.cli.extras import needing

if TYPE_CHECKING:
    from sjavs_agents.belief.learned_belief import Belief

__all__ = ["read_belief"]


def read_belief(path: str, game: Game) -> Belief:
    """Return the belief in a file; ValueError, one line, for a file that cannot be used."""
    with needing("train"):  # here, so that only who uses networks needs torch
        from sjavs_agents.belief.learned_belief import load_belief
    return load_belief(path, game)
