"""A learner of somebody's own: whatever it does instead of its work is told in one line.

It may raise what it likes, leave the program, or return what is no report and nothing to keep;
none of that may pass for a fault of the program, or for a training that is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base.asking import what_was_raised
from sjavs_agents.neural.container import DTYPES
from sjavs_agents.neural.network import Policies
from sjavs_agents.training.collect import Choosing, Rollout
from sjavs_agents.training.learners.base import Arrays, Learner
from sjavs_agents.training.team import TeamError
from sjavs_env.errors import shown

__all__ = ["GuardedLearner", "LearnerError"]

MOST_NAMED = 100  # characters of the name of a metric or an array
_KEPT = {f"{name[0].lower()}{size}" for name, size in DTYPES.items()}  # as NumPy writes them
_MISFITS = (AttributeError, LookupError, ValueError, RuntimeError)  # of what is restored


class LearnerError(Exception):
    """A learner has failed, or what it returned cannot be logged or kept; the message names it."""


class GuardedLearner:
    """Does what its learner does; LearnerError, one line, where that one fails."""

    def __init__(self, name: str, own: Learner) -> None:
        self.explained: Mapping[str, str] = own.explained
        self._called = f"learner {shown(name)}"
        self._own = own

    @property
    def policies(self) -> Policies:
        """The policies that play and learn."""
        with self._asked("policies"):
            return self._own.policies

    @property
    def choosing(self) -> Choosing:
        """How it wants its deals to be played."""
        with self._asked("choosing"):
            found: object = getattr(self._own, "choosing", Choosing())
        if not isinstance(found, Choosing):
            raise LearnerError(
                f"{self._called} has choosing {shown(found)}; allowed: a Choosing, or none"
            )
        return found

    @property
    def average(self) -> Policies:
        """The policies that are measured, and saved as the player."""
        with self._asked("average"):
            return self._own.average

    def learn(
        self, rollout: Rollout, progress: float, rng: np.random.Generator
    ) -> dict[str, float]:
        """Improve the policies; return what to log, which is numbers by printable names."""
        with self._asked("learn"):
            returned: object = self._own.learn(rollout, progress, rng)
        numbers = _numbers(returned)
        if numbers is None:
            raise LearnerError(
                f"{self._called} returned {shown(returned)}; allowed: a dict of numbers by name "
                f"(text of at most {MOST_NAMED} characters that can be printed)"
            )
        return numbers

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything that the next iteration depends on, by name."""
        with self._asked("arrays"):
            kept: object = self._own.arrays()
        if not isinstance(kept, dict):
            raise LearnerError(
                f"{self._called} keeps {shown(kept)}; allowed: a dict of arrays by name (arrays)"
            )
        for name, value in kept.items():
            if not _is_name(name):
                raise LearnerError(
                    f"{self._called} keeps an array named {shown(name)}; allowed: text of at most "
                    f"{MOST_NAMED} characters that can be printed (arrays)"
                )
            if not isinstance(value, np.ndarray) or value.dtype.str[1:] not in _KEPT:
                sort = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
                raise LearnerError(
                    f"{self._called} keeps {shown(name)} of type {sort}; allowed: NumPy arrays of "
                    f"{', '.join(DTYPES)} (arrays)"
                )
        return dict(kept)

    def restore(self, arrays: Arrays) -> None:
        """Take over what ``arrays`` returned; ValueError, or its like, for what does not fit."""
        with self._asked("restore", *_MISFITS):
            self._own.restore(arrays)

    def start_from(self, arrays: Arrays) -> None:
        """Take over the weights of a run or of a player; ValueError for what does not fit."""
        with self._asked("start_from", *_MISFITS):
            self._own.start_from(arrays)

    @contextmanager
    def _asked(self, part: str, *passed: type[BaseException]) -> Iterator[None]:
        """Tell in one line what a part of the learner raises; Ctrl-C and ``passed`` go on."""
        try:
            yield
        except BaseException as error:  # anything, SystemExit as well
            if isinstance(error, (KeyboardInterrupt, TeamError, *passed)):
                raise
            raise LearnerError(f"{self._called} {what_was_raised(error)} ({part})") from error


def _numbers(returned: Any) -> dict[str, float] | None:
    """Return what a learner reports; None if it is not numbers by name."""
    try:
        numbers = {name: float(value) for name, value in returned.items()}
    except KeyboardInterrupt:
        raise
    except BaseException:  # numbers, as well, may be of anybody's class
        return None
    return numbers if all(map(_is_name, numbers)) else None


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name.isprintable() and 0 < len(name) <= MOST_NAMED
