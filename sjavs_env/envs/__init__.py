"""Single-game environments: PettingZoo's AEC interface, and one seat for Gymnasium."""

from sjavs_env.envs.aec import SjavsEnv
from sjavs_env.envs.policies import policy_action, seat_view
from sjavs_env.envs.registry import register_envs
from sjavs_env.envs.single_seat import SingleSeatEnv

__all__ = ["SingleSeatEnv", "SjavsEnv", "policy_action", "register_envs", "seat_view"]

register_envs()
