"""Who sits at the table of PettingZoo: agents, their spaces, whose turn it is, what they get.

The part of the environment that knows no rules.  ``envs.aec`` plays the game on top of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]  # PettingZoo ships no types

from sjavs_env.envs.options import whole_number
from sjavs_env.errors import shown

__all__ = ["Seats"]


class Seats(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """Agents ``player_0`` ... and their turns; actions are whole numbers with a label each."""

    def __init__(self, n_players: int, labels: Sequence[str], n_features: int) -> None:
        """Lay out agents and spaces; nobody has sat down yet."""
        self.action_labels: tuple[str, ...] = tuple(labels)
        self.possible_agents = [f"player_{seat}" for seat in range(n_players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        n_actions = len(self.action_labels)
        self._observation_space = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (n_features,), np.float32),
                    "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_space = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}
        self.agent_selection = self.possible_agents[0]
        self._sit_down([])

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations, always the same object."""
        return self._observation_space[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions, always the same object."""
        return self._action_space[agent]

    def legal(self) -> list[int]:
        """Return the legal actions of the agent on turn; none when nobody is."""
        return [action for action in range(len(self.action_labels)) if self._legal >> action & 1]

    def action_id(self, action: object) -> int:
        """Return an action as a whole number; ValueError if there is no such action."""
        chosen = whole_number(action)
        if chosen is None or not 0 <= chosen < len(self.action_labels):
            allowed = f"0 to {len(self.action_labels) - 1}"
            raise ValueError(f"action {shown(action)} is not an action; allowed: {allowed}")
        return chosen

    def seat_number(self, agent: str) -> int:
        """Return the seat of an agent; ValueError if there is no such agent."""
        if agent not in self._seat_of:
            raise ValueError(f"agent is {shown(agent)}; allowed: {', '.join(self.possible_agents)}")
        return self._seat_of[agent]

    def _sit_down(self, agents: Sequence[str]) -> None:
        """Begin an episode with these agents; nobody is on turn yet."""
        self.agents = list(agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self._nobody_acts()

    def _nobody_acts(self) -> None:
        self._acting: str | None = None
        self._legal = 0  # a set of actions, bit a for action a
        self.infos = {agent: {"action_mask": self.action_mask(agent)} for agent in self.agents}

    def _give_turn(self, seat: int, legal: int) -> None:
        """Let a seat act, with its mask; the others' masks are zero."""
        before, self._acting = self._acting, self.possible_agents[seat]
        self._legal, self.agent_selection = legal, self._acting
        for agent in (before, self._acting):
            if agent is not None:
                self.infos[agent] = {"action_mask": self.action_mask(agent)}

    def action_mask(self, agent: str) -> NDArray[np.int8]:
        """Return the mask (A,) of what an agent may do now, all zero off turn."""
        mask = np.zeros(len(self.action_labels), dtype=np.int8)
        if agent == self._acting:
            mask[self.legal()] = 1
        return mask

    def _leave(self, rewards: Sequence[float]) -> None:
        """Pay every seat and end the episode for all."""
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._nobody_acts()
        self._accumulate_rewards()
        self._deads_step_first()

    def _clear_rewards(self) -> None:
        """As in PettingZoo, which would turn rewards into whole numbers here."""
        self.rewards = dict.fromkeys(self.rewards, 0.0)
