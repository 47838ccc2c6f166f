"""Who acts for a seat of one game: a function of its observation, or a player of views.

A function gets the observation of the seat (``envs.aec``) and a generator and returns an
action.  A player has a method ``act``: it gets what the seat may know as a ``PlayerView``, the
mask, and a generator, all for R games at once; in an environment R is 1.  Neither is ever shown
more than its own seat sees, and both draw from the generator they are handed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from sjavs_env.observation.views import PlayerView, view_of
from sjavs_env.rules.tables import Ints

if TYPE_CHECKING:
    from sjavs_env.envs.aec import Observation, SjavsEnv

__all__ = [
    "Policy",
    "SeatFunction",
    "ViewPolicy",
    "check_policy",
    "policy_action",
    "random_policy",
    "read_answer",
    "seat_view",
]

_ROW = np.array([0])


class ViewPolicy(Protocol):
    """A player of views; every agent that ``evaluate.py`` takes is one."""

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return legal actions (R,), ids of the game's action map, for R views.

        ``mask`` is (R, A), 1 = legal, cards in pack order.
        """
        ...


SeatFunction = Callable[["Observation", np.random.Generator], int]
Policy = SeatFunction | ViewPolicy


class _Wrapped(Protocol):
    """A PettingZoo environment of this game, wrapped or not."""

    @property
    def unwrapped(self) -> Any: ...


def random_policy(observation: Observation, rng: np.random.Generator) -> int:
    """Choose a legal action, each with the same chance; draws one number from ``rng``."""
    legal = np.flatnonzero(observation["action_mask"])
    return int(legal[rng.integers(len(legal))])


def check_policy(policy: object) -> Policy:
    """Return what can act for a seat; ValueError for all else, a class included."""
    if isinstance(policy, type) or not (_plays_views(policy) or callable(policy)):
        raise ValueError(
            f"policy is {policy!r}; allowed: a function of an observation and a generator, or an "
            "agent, whose act takes view, mask and generator"
        )
    return cast(Policy, policy)


def seat_view(env: _Wrapped, agent: str) -> PlayerView:
    """Return what an agent of an environment may know now, as the view (1,) of one game.

    It shows neither more nor less than ``observe(agent)``, and shares no memory with the game.
    """
    table: SjavsEnv = env.unwrapped
    names = table.possible_agents
    if agent not in names:
        raise ValueError(f"agent is {agent!r}; allowed: {', '.join(names)}")
    return view_of(table.game, table._state, _ROW, np.array([names.index(agent)]))


def policy_action(env: _Wrapped, policy: Policy, rng: np.random.Generator) -> int:
    """Return what ``policy`` does for the agent on turn; it draws from ``rng``.

    Players of views are not asked where only one action is legal, as in matches.  ValueError,
    one line, for an answer that is no legal action, or if nobody is on turn.
    """
    table: SjavsEnv = env.unwrapped
    agent = table.agent_selection
    seen = table.observe(agent)
    mask = seen["action_mask"]
    if not mask.any():
        raise ValueError("nobody is on turn; allowed: reset, or step(None) after the end")
    if not _plays_views(policy):
        action = table._action_id(cast(SeatFunction, policy)(seen, rng))
        if not table._legal >> action & 1:
            label = table.action_labels[action]
            raise ValueError(f"the policy chose {label!r} for {agent}: illegal")
        return action
    legal = np.flatnonzero(mask)
    if len(legal) == 1:
        return int(legal[0])
    rows = mask[None].copy()  # the player's to keep or change
    answer = policy.act(seat_view(table, agent), rows, rng)
    name = getattr(policy, "name", type(policy).__name__)
    try:
        return int(read_answer(answer, mask[None], table.action_labels)[0])
    except ValueError as error:
        raise ValueError(f"{name}, as {agent}, {error}") from None


def read_answer(answer: object, mask: NDArray[np.int8], labels: Sequence[str]) -> Ints:
    """Return the actions (R,) that a player answered; ``mask`` (R, A) says what is legal.

    ValueError, to be told of the player, for what has another shape, is not made of whole
    numbers, or is illegal: it names the first of these and what is allowed.
    """
    actions = np.asarray(answer)
    wanted = f"an array of {len(mask)} whole numbers, one for each row of the mask"
    if actions.shape != (len(mask),):
        is_plain = answer is None or isinstance(answer, (int, float, np.generic))
        alone = repr(answer) if is_plain else f"a {type(answer).__name__}"
        what = f"an array of shape {actions.shape}" if actions.ndim else alone
        raise ValueError(f"answered {what}; allowed: {wanted}")
    if actions.dtype.kind not in "iu":
        raise ValueError(f"answered an array of {actions.dtype}; allowed: {wanted}")
    outside = np.flatnonzero((actions < 0) | (actions >= len(labels)))
    if len(outside):
        raise ValueError(f"chose {actions[outside[0]]}; allowed: 0 to {len(labels) - 1}")
    illegal = np.flatnonzero(mask[np.arange(len(mask)), actions] == 0)
    if len(illegal):
        at = int(illegal[0])
        allowed = ", ".join(labels[a] for a in np.flatnonzero(mask[at]).tolist())
        raise ValueError(f"chose {labels[int(actions[at])]!r}; allowed: {allowed}")
    return actions.astype(np.intp, copy=False)


def _plays_views(policy: object) -> TypeGuard[ViewPolicy]:
    """Whether there is a method ``act``; a module of PyTorch is callable besides."""
    return callable(getattr(policy, "act", None))
