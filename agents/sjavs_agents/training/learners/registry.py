"""Learners by name, and ``module:Class`` for one of your own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sjavs_agents.own_code import made_by, own_callable
from sjavs_agents.training.learners.base import Learner, Setup
from sjavs_agents.training.learners.dmc import Dmc
from sjavs_agents.training.learners.guarded import GuardedLearner
from sjavs_agents.training.learners.ppo import Ppo
from sjavs_env.errors import shown

__all__ = ["LEARNERS", "learner_named", "make_learner"]

# A new algorithm is one more line here.
LEARNERS: dict[str, Callable[[Setup], Learner]] = {"ppo": Ppo, "dmc": Dmc}
_PARTS = ("explained", "policies", "average", "learn", "arrays", "restore", "start_from")


def learner_named(name: str) -> Callable[[Setup], Learner]:
    """Return what makes a learner; ValueError, one line, for a name that nothing has."""
    found = LEARNERS.get(name) or own_callable(name)
    if found is None:
        allowed = ", ".join([*LEARNERS, "module:Class for one of your own"])
        raise ValueError(f"learn.name is {name!r}; allowed: {allowed}")
    return found


def make_learner(name: str, setup: Setup) -> Learner:
    """Return the learner called ``name``; ValueError for none, or one that lacks a part."""
    if name in LEARNERS:
        return LEARNERS[name](setup)
    learner: Learner = made_by(learner_named(name), f"learner {name!r}", setup, "the setup")
    lacking = [part for part in _PARTS if not hasattr(learner, part)]
    if lacking:
        raise ValueError(f"learner {name!r} lacks {', '.join(lacking)}; allowed: a Learner")
    explained: object = learner.explained
    if not isinstance(explained, Mapping) or not all(isinstance(key, str) for key in explained):
        raise ValueError(
            f"learner {name!r} has explained {shown(explained)}; allowed: sentences by name"
        )
    return GuardedLearner(name, learner)
