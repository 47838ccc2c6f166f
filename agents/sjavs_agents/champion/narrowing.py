"""Weights in 16 bits: half as large, and the same choices but for a few in a hundred thousand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, forced, open_decisions
from sjavs_env import Game, view_of
from sjavs_env.randomness import derived, derived_word

__all__ = ["count_same", "narrowed"]

LARGEST = float(np.finfo(np.float16).max)


def narrowed(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float16]]:
    """Return weights rounded to 16 bits; ValueError, one line, for one that is too large."""
    for name, value in weights.items():
        largest = float(np.abs(value).max(initial=0))
        if not largest <= LARGEST:
            raise ValueError(f"a weight of {name} is {largest:g}; allowed: up to {LARGEST:g}")
    return {name: value.astype(np.float16) for name, value in weights.items()}


def count_same(game: Game, player: Agent, other: Agent, deals: int, seed: int) -> tuple[int, int]:
    """Return how many decisions a player has in deals with itself, and in how many another agrees.

    Forced moves do not count.
    """
    rng = derived(seed, "champion", "agreement")
    state = game.new_games(deals, seed=derived_word(seed, "champion", "deals"))
    compared = same = 0
    for rows, mask in open_decisions(game, state):
        action, real = forced(mask)
        if len(real):
            view = view_of(game, state, rows[real], state.seat[rows[real]])
            action[real] = player.act(view, mask[real], rng)
            compared += len(real)
            same += int((other.act(view, mask[real], rng) == action[real]).sum())
        game.step(state, action, rows)
    return compared, same
