"""Sjavs for PettingZoo: ``from sjavs_env import sjavs_v0; env = sjavs_v0.env()``.

``env`` checks that methods are called in order; ``raw_env`` does without.  What they take, and
what observations, actions and rewards are, stands in ``envs.aec``.

Version history: v0, the first.
"""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.wrappers import (  # type: ignore[import-untyped]  # PettingZoo ships no types
    OrderEnforcingWrapper,
)

from sjavs_env.envs.aec import Observation
from sjavs_env.envs.aec import SjavsEnv as raw_env  # noqa: N813  # the name PettingZoo looks for

__all__ = ["env", "raw_env"]


class _InOrder(OrderEnforcingWrapper):  # type: ignore[misc]  # PettingZoo ships no types
    """Order enforcing without detours for what is asked at every step, at half its cost."""

    @property
    def agents(self) -> list[str]:
        """Agents that have not left."""
        return self._at_the_table("agents")

    @property
    def agent_selection(self) -> str:
        """The agent on turn."""
        return self._at_the_table("agent_selection")

    def _at_the_table(self, name: str) -> Any:
        if not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return getattr(self.env, name)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, Any]:
        """Return observation, reward, termination, truncation and info of the agent on turn."""
        last = self.env.last if self._has_reset else super().last
        answer: tuple[Observation | None, float, bool, bool, Any] = last(observe)
        return answer

    def __str__(self) -> str:
        return str(self.env)


def env(*args: Any, **kwargs: Any) -> OrderEnforcingWrapper:
    """Return the environment, guarded against calls out of order.

    Takes what ``raw_env`` takes.  Neither ``TerminateIllegalWrapper`` nor
    ``AssertOutOfBoundsWrapper`` is put around it: the game itself answers illegal actions as
    ``illegal`` says, and names the action and the legal ones.
    """
    return _InOrder(raw_env(*args, **kwargs))
