"""One seat for a single-agent learner: a Gymnasium environment with the others inside.

The learner meets only its own decisions; between them the other seats act by ``policy``, a
function or an agent (``envs.policies``), which draws from a generator made from the seed that does
not give the seed away (``randomness``).  The observation is that of ``envs.aec``, mask included,
and ``action_masks()`` returns the mask as sb3-contrib wants it.  The reward is that of the
learner's seat.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sjavs_env.envs.aec import Observation, SjavsEnv
from sjavs_env.envs.options import OPTIONS, check_dealt_to, check_keywords
from sjavs_env.envs.policies import Policy, policy_action, policy_for, random_policy
from sjavs_env.errors import is_one_of, shown
from sjavs_env.randomness import derived
from sjavs_env.rules.ruleset import RuleSet

__all__ = ["SingleSeatEnv"]


class SingleSeatEnv(gymnasium.Env[Observation, Any]):  # any integer is an action
    """One seat of a game of Sjavs; the other seats act by a policy."""

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}  # noqa: RUF012  # Gymnasium's way

    def __init__(
        self,
        rules: str | RuleSet = "faroese",
        *,
        seat: int | Literal["rotate"] = 0,
        policy: Policy | str = random_policy,
        render_mode: Literal["ansi", "human"] | None = None,
        **options: Any,
    ) -> None:
        """Set the table; ``options`` are those of ``SjavsEnv``.  ValueError for a wrong one.

        ``seat="rotate"`` takes the next seat with every episode, beginning with seat 0 after a
        seeded reset.  ``policy`` gets the observation of the seat to act and a generator, and
        returns a legal action; or it is an agent, which gets the view of that seat, its mask,
        and the generator (``envs.policies``); or the name of one, such as ``"rules"``, for which
        the agents have to be installed.  The picture is the learner's view unless
        ``render_view`` says otherwise.
        """
        check_keywords(type(self), options, also=OPTIONS)
        self._keeps_view = "render_view" in options
        self.table = SjavsEnv(rules, render_mode=render_mode, **options)
        n_players = len(self.table.possible_agents)
        self._rotates = is_one_of(seat, ("rotate",))
        if not self._rotates and (type(seat) is not int or not 0 <= seat < n_players):
            raise ValueError(f"seat is {shown(seat)}; allowed: rotate, 0 to {n_players - 1}")
        self.seat = n_players - 1 if seat == "rotate" else seat
        self.policy = policy_for(policy, self.table.game)
        self._policy_rng: np.random.Generator | None = None  # None until the first reset
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = self.table.observation_space("player_0")
        self.action_space: spaces.Space[Any] = self.table.action_space("player_0")

    @property
    def agent(self) -> str:
        """The learner's name at the table."""
        return self.table.possible_agents[self.seat]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode and play up to the learner's first turn; options as in ``SjavsEnv``.

        Episodes that end before it (a declarer gives up) are passed over; what comes after them
        is dealt as if there were no options.  ValueError for scores by which the learner is out.
        """
        seat = self.seat
        if self._rotates:
            seat = 0 if seed is not None else (seat + 1) % len(self.table.possible_agents)
        check_dealt_to(self.table.game, options, seat)
        super().reset(seed=seed)
        if not self._keeps_view:
            self.table.look_from(seat)
        self.table.reset(seed=seed, options=options)
        if seed is not None or self._policy_rng is None:
            self._policy_rng = derived(self.table.deal_seed or 0, "policy")
        self.seat = seat
        self._play_others()
        while self.table.terminations[self.agent]:
            self.table.reset()
            self._play_others()
        seen = self.table.observe(self.agent)
        return seen, self._info(seen)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act for the learner and play on to its next turn, or to the end."""
        if self.table.terminations.get(self.agent):
            raise ValueError("the episode has ended; allowed: reset")
        if self.table.agent_selection != self.agent:  # a policy failed in the last step
            raise ValueError(f"{self.table.agent_selection} is to act; allowed: reset")
        self.table.step(action)
        self._play_others()
        agent, table = self.agent, self.table
        is_over = table.terminations[agent]
        reward = table.rewards[agent] if is_over else 0.0
        seen = table.observe(agent)
        return seen, reward, is_over, False, self._info(seen)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask (A,) of the learner's legal actions; all False after the end."""
        return self.table.action_mask(self.agent).astype(np.bool_)

    def render(self) -> str | None:
        """Return the table as text (``"ansi"``) or write it (``"human"``)."""
        return self.table.render()

    def _info(self, seen: Observation) -> dict[str, Any]:
        return {"action_mask": seen["action_mask"].copy(), "seat": self.seat}

    def _play_others(self) -> None:
        table, learner, rng = self.table, self.agent, self._policy_rng
        if rng is None:
            raise ValueError("no episode has begun; allowed: reset")
        while table.agent_selection != learner and not table.terminations[learner]:
            table.step(policy_action(table, self.policy, rng))
