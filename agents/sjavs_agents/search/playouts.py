"""Deals that a policy finishes, from all seats, each seeing its own cards only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, forced, open_decisions
from sjavs_env import REDEAL, Game, GameState, view_of

__all__ = ["played_out"]


def played_out(
    game: Game, games: GameState, policy: Agent, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Let a policy finish all deals; return the zero-sum rewards (B, P) in game points.

    A deal that nobody bids on is worth nothing: it is dealt again, to everybody alike.
    """
    for rows, mask in open_decisions(game, games):
        action, real = forced(mask)
        if len(real):
            view = view_of(game, games, rows[real], games.seat[rows[real]])
            action[real] = policy.act(view, mask[real], rng)
        game.step(games, action, rows)
    gains = game.gains(games) * (games.outcome != REDEAL)[:, None]
    return game.rewards(gains, game.taking_part(games, np.arange(len(games))))
