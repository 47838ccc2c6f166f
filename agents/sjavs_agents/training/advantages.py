"""Advantages over the joint sequence of decisions of a deal, whoever makes them.

With V_t the critic's values of all seats before decision t and r the rewards at the end,
``delta_t = V_{t+1} - V_t`` (``r - V_t`` for the last decision) and
``A_t = delta_t + lambda * A_{t+1}``, seat by seat (generalized advantage estimation,
Schulman et al. 2016, with discount 1).  The mover's own component drives the policy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Ints

__all__ = ["joint_advantages"]


def joint_advantages(
    values: NDArray[np.float32], rewards: NDArray[np.float32], index: Ints, gae_lambda: float
) -> NDArray[np.float32]:
    """Return advantages (D, P) of D decisions for every seat at the table.

    ``values`` (D, P) by seat at the table; ``rewards`` (B, P); ``index`` (T, B) holds the decision
    that game b made at step t, or -1 where it made none.
    """
    advantages = np.zeros_like(values)
    next_value = rewards.astype(np.float32)
    next_advantage = np.zeros_like(next_value)
    for decision in index[::-1]:
        games = np.flatnonzero(decision >= 0)
        rows = decision[games]
        delta = next_value[games] - values[rows]
        advantage = delta + gae_lambda * next_advantage[games]
        advantages[rows] = advantage
        next_advantage[games] = advantage
        next_value[games] = values[rows]
    return advantages
