"""What an agent is: something that chooses actions for a batch of views.

An agent sees only what its seats may know (``PlayerView``) and the masks of legal actions; it
draws randomness only from the generator it is handed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sjavs_env import GameState, PlayerView
from sjavs_env.envs.policies import ViewPolicy
from sjavs_env.errors import shown
from sjavs_env.rules.terms import Bool, Floats, Ints, Words

__all__ = [
    "MOST_AT_ONCE",
    "Agent",
    "Bool",
    "Floats",
    "Ints",
    "OpenHandedAgent",
    "TellingAgent",
    "Words",
    "boards_at_once",
    "fair",
    "known_probabilities",
]


USUAL_AT_ONCE = 1024  # boards; fewer cost time in NumPy's calls, more in the cache
MOST_AT_ONCE = 2**16


class Agent(ViewPolicy, Protocol):
    """A player of one game, batched.  ``name`` says everything that shapes its play."""

    name: str


@runtime_checkable
class OpenHandedAgent(Agent, Protocol):
    """A cheat: it is shown all hands.  A yardstick and a ceiling, never an opponent to learn from.

    Only the arena, which asks for it by this name, gives it what it wants.
    """

    def act_open(
        self, state: GameState, rows: Ints, mask: NDArray[np.int8], rng: np.random.Generator
    ) -> Ints:
        """Return legal actions (R,) in the games ``rows``; it changes nothing in ``state``."""
        ...


@runtime_checkable
class TellingAgent(Protocol):
    """An agent that can tell how likely it is to do what."""

    def probabilities(self, view: PlayerView, mask: NDArray[np.int8]) -> Floats | None:
        """Return the probabilities (R, A) by which ``act`` draws; None if it does not know them."""
        ...


def known_probabilities(agent: Agent, view: PlayerView, mask: NDArray[np.int8]) -> Floats | None:
    """Return the probabilities (R, A) by which an agent draws, or None if it does not tell."""
    return agent.probabilities(view, mask) if isinstance(agent, TellingAgent) else None


def fair(agent: Agent) -> Agent:
    """Return an agent that plays by what a seat knows; ValueError, one line, for a cheat."""
    if isinstance(agent, OpenHandedAgent):
        raise ValueError(
            f"agent {agent.name!r} looks into all hands; allowed: agents that play by what a seat "
            "knows"
        )
    return agent


def boards_at_once(agents: Iterable[Agent]) -> int:
    """Return how many boards these agents play together; ValueError if one asks for nonsense.

    An agent for which a board is much work says so by an attribute ``boards_at_once``, a number
    that depends on nothing but its name: the results of agents that draw depend on it.
    """
    found = []
    for agent in agents:
        wanted = getattr(agent, "boards_at_once", USUAL_AT_ONCE)
        if type(wanted) is not int or not 1 <= wanted <= MOST_AT_ONCE:
            raise ValueError(
                f"boards_at_once of {agent.name} is {shown(wanted)}; allowed: 1 to {MOST_AT_ONCE}"
            )
        found.append(wanted)
    return min(found)
