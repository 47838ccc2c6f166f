"""The names under which Gymnasium and PettingZoo find the environments.

Gymnasium expects of an environment that any action of its space can be taken, so an illegal one
ends the episode there (``illegal="terminate"``) unless ``make`` is told otherwise.
"""

from __future__ import annotations

import gymnasium

__all__ = ["AEC_ID", "SINGLE_SEAT_ID", "register_envs"]

SINGLE_SEAT_ID = "sjavs/SingleSeat-v0"
AEC_ID = "sjavs/sjavs-v0"


def register_envs() -> None:
    """Register the environments where that has not been done; importing the package calls this."""
    if SINGLE_SEAT_ID not in gymnasium.registry:
        gymnasium.register(
            SINGLE_SEAT_ID,
            entry_point="sjavs_env.envs.single_seat:SingleSeatEnv",
            vector_entry_point="sjavs_env.envs.vector:SingleSeatVectorEnv",
            kwargs={"illegal": "terminate"},
        )
    try:
        from pettingzoo import (  # type: ignore[import-untyped]  # PettingZoo ships no types
            aec_registry,
            register,
        )
    except ImportError:  # PettingZoo has a registry from 1.27 on
        return
    if AEC_ID not in aec_registry:
        register("aec", AEC_ID, entry_point="sjavs_env.sjavs_v0:env")
