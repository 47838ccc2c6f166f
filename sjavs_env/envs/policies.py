"""Who acts for a seat of one game: a function of its observation, or a player of views.

A function gets the observation of the seat (``envs.aec``) and a generator and returns an
action.  A player has a method ``act``: it gets what the seat may know as a ``PlayerView``, the
mask, and a generator, all for R games at once; in an environment R is 1.  Neither is ever shown
more than its own seat sees, and both draw from the generator they are handed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.game import Game
from sjavs_env.errors import shown
from sjavs_env.observation.views import PlayerView
from sjavs_env.rules.tables import Ints

if TYPE_CHECKING:
    from sjavs_env.envs.aec import Observation, SjavsEnv

__all__ = [
    "Policy",
    "SeatFunction",
    "ViewPolicy",
    "plays_views",
    "policy_action",
    "policy_for",
    "random_policy",
    "read_answer",
    "seat_view",
]

AGENTS = "sjavs.agents"  # the group of entry points


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


def policy_for(policy: object, game: Game) -> Policy:
    """Return what can act for a seat, an agent of this game if its name is given.

    ValueError for all else, a class included.
    """
    if isinstance(policy, str):
        return _named(policy, game)
    if isinstance(policy, type) or not (plays_views(policy) or callable(policy)):
        raise ValueError(
            f"policy is {shown(policy)}; allowed: a function of an observation and a generator, "
            "an agent, whose act takes view, mask and generator, or the name of one"
        )
    return cast(Policy, policy)


def _named(name: str, game: Game) -> Policy:
    """Make an agent by its name."""
    make_agent = _maker()
    if make_agent is None:
        raise ValueError(
            f"policy is {shown(name)}, and there are no agents with names here; allowed: a "
            "function or an agent of your own, or pip install sjavs"
        )
    try:
        return make_agent(name, game)
    except ValueError as error:
        raise ValueError(f"policy is {shown(name)}; {error}") from None


@cache
def _maker() -> Callable[[str, Game], Policy] | None:
    """Return what makes agents by their names; they are imported only when one is wanted.

    They know the environments, not the other way round: the package says where they are.
    """
    found = entry_points(group=AGENTS, name="make_agent")
    return next((cast(Callable[[str, Game], Policy], entry.load()) for entry in found), None)


def seat_view(env: _Wrapped, agent: str) -> PlayerView:
    """Return what an agent of an environment may know now, as the view (1,) of one game.

    It shows neither more nor less than ``observe(agent)``, and shares no memory with the game.
    """
    view: PlayerView = env.unwrapped.view(agent)
    return view


def policy_action(env: _Wrapped, policy: Policy, rng: np.random.Generator) -> int:
    """Return what ``policy`` does for the agent on turn; it draws from ``rng``.

    Players of views are not asked where only one action is legal, as in matches.  ValueError,
    one line, for an answer that is no legal action, or if nobody is on turn.  ``rng`` is shown
    to the policy as it is: one made by ``randomness.derived`` does not give its seed away.
    """
    table: SjavsEnv = env.unwrapped
    agent, legal = table.agent_selection, table.legal()
    if not legal:
        raise ValueError("nobody is on turn; allowed: reset, or step(None) after the end")
    if policy is random_policy:  # the same draw; it looks at nothing but the mask
        return legal[int(rng.integers(len(legal)))]
    if not plays_views(policy):
        action = table.action_id(cast(SeatFunction, policy)(table.observe(agent), rng))
        if action not in legal:
            label = table.action_labels[action]
            raise ValueError(f"the policy chose {shown(label)} for {agent}: illegal")
        return action
    if len(legal) == 1:
        return legal[0]
    mask = np.zeros((1, len(table.action_labels)), dtype=np.int8)
    mask[0, legal] = 1
    answer = policy.act(table.view(agent), mask.copy(), rng)  # the player's to keep or change
    name = getattr(policy, "name", type(policy).__name__)
    try:
        return int(read_answer(answer, mask, table.action_labels)[0])
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
        raise ValueError(f"chose {shown(labels[int(actions[at])])}; allowed: {allowed}")
    return actions.astype(np.intp, copy=False)


def plays_views(policy: object) -> TypeGuard[ViewPolicy]:
    """Whether there is a method ``act``; a module of PyTorch is callable besides."""
    return callable(getattr(policy, "act", None))
