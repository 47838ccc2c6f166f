"""The policy of any agent as a table: what it does in every information set of a small game.

An agent that tells its probabilities is taken at its word.  One that draws nothing from its
generator always does the same, and is asked once.  Of one that draws and does not tell, the
probabilities can only be estimated, by asking often.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Floats, Ints, fair
from sjavs_agents.base.asking import ask, told
from sjavs_agents.exact.game_tree import GameTree
from sjavs_env import PlayerView, view_of
from sjavs_env.errors import shown

__all__ = ["Tabulated", "check_answers", "tabulate"]

AT_ONCE = 8192  # views shown together
PROBED = 256


@dataclass(frozen=True)
class Tabulated:
    """The policy of an agent in a tree."""

    policy: Floats  # (slots,)
    asked: int  # times that the agent was asked each question; 0 where it has told

    @property
    def is_estimated(self) -> bool:
        """The probabilities are shares of answers."""
        return self.asked > 1


def tabulate(tree: GameTree, agent: Agent, rng: np.random.Generator, asks: int = 0) -> Tabulated:
    """Return what an agent does in all information sets.

    One that draws without telling its probabilities is asked ``asks`` times.  ValueError if that
    is 0; for a cheat; and for probabilities that are none.  AgentError where it does not answer.
    """
    fair(agent)
    policy = np.zeros(tree.n_slots)
    asked = 0
    for first in range(0, tree.n_infosets, AT_ONCE):
        rows = np.arange(first, min(first + AT_ONCE, tree.n_infosets))
        found, times = _answers(tree, agent, rows, rng, asks)
        slots = slice(int(tree.first_slot[rows[0]]), int(tree.first_slot[rows[-1] + 1]))
        sizes = np.diff(tree.first_slot[rows[0] : rows[-1] + 2])
        policy[slots] = found[np.repeat(np.arange(len(rows)), sizes), tree.slot_action[slots]]
        asked = max(asked, times)
    return Tabulated(policy, asked)


def check_answers(tree: GameTree, agent: Agent, rng: np.random.Generator, asks: int) -> None:
    """Ask some questions only; raise what ``tabulate`` would, if these are enough to know."""
    fair(agent)
    step = 1 + tree.n_infosets // PROBED
    _answers(tree, agent, np.arange(0, tree.n_infosets, step), rng, asks)


def _answers(
    tree: GameTree, agent: Agent, rows: Ints, rng: np.random.Generator, asks: int
) -> tuple[Floats, int]:
    """Probabilities (R, A) in some information sets, and how often each question was put."""
    view = view_of(tree.game, tree.examples, rows, tree.infoset_seat[rows].astype(np.intp))
    mask = tree.game.legal_actions(tree.examples, rows)
    known = told(agent, view, mask)
    if known is not None:
        return known, 0
    everything = np.arange(len(rows))
    before = rng.bit_generator.state
    counts = np.zeros(mask.shape)
    counts[everything, _asked(tree, agent, view, mask, rng)] += 1
    if rng.bit_generator.state == before:
        return counts, 1
    if asks < 1:
        raise ValueError(
            f"agent {shown(agent.name)} draws lots and does not tell its probabilities; allowed: "
            "to estimate them by asking it several times (--asks)"
        )
    for _ in range(asks - 1):
        counts[everything, _asked(tree, agent, view, mask, rng)] += 1
    return counts / asks, asks


def _asked(
    tree: GameTree,
    agent: Agent,
    view: PlayerView,
    mask: NDArray[np.int8],
    rng: np.random.Generator,
) -> Ints:
    """Ask once; the agent may change what it is shown."""
    own = view.select(np.arange(len(view)))
    return ask(agent, own, mask, rng, tree.game.actions.labels)
