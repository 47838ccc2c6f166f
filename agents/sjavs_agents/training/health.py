"""Signs that a training goes wrong: noticed while it happens, and told with what to change.

A sign counts when it has been there for ``PATIENCE`` iterations in a row.  It is told once, and
again only after it was gone for as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sjavs_agents.training.config import TrainConfig

__all__ = ["PATIENCE", "SIGNS", "Sign", "Watch"]

PATIENCE = 5  # iterations
STAYED_OUT = 0.95  # share of deals that nobody plays
SETTLED = 1e-4  # nats: the least likely of two calls has a chance of 1 in 100,000
EXPLAINED = 0.1  # a critic that has learned something is above it within a few iterations
LARGE_STEP = 0.1  # ten times what is healthy

Values = Mapping[str, float]


@dataclass(frozen=True)
class Sign:
    """Something that is wrong: when, and what to say of it."""

    is_there: Callable[[Values, TrainConfig], bool]
    told: Callable[[Values, TrainConfig], str]
    explained: str  # for the page of metrics


def _stayed_out(values: Values) -> float:
    """Return the share of deals that were passed out, or in which all but one dropped out."""
    passed = values.get("contracts/redealt", 0.0)
    return passed + (1 - passed) * values.get("contracts/lone", 0.0)


def _explored(config: TrainConfig) -> str:
    """Return the share of calls that is drawn evenly, as it changes."""
    start, end = config.collect.explore, config.collect.explore_end
    return f"{start}" if start == end else f"{start} to {end}"


def _step(values: Values, config: TrainConfig) -> float:
    """Return the larger divergence of the two policies, in nats.

    That of calls is no measure where some are drawn evenly: they were not the policy's.
    """
    explores = config.collect.explore or config.collect.explore_end
    names = ["play"] if explores else ["play", "bid"]
    return max(values.get(f"losses/approx_kl_{name}", 0.0) for name in names)


SIGNS: dict[str, Sign] = {
    "stayed_out": Sign(
        lambda values, config: _stayed_out(values) > STAYED_OUT,
        lambda values, config: (
            f"{_stayed_out(values):.0%} of the deals are passed out or dropped: the players have "
            f"learned to stay out; raise collect.explore (now {_explored(config)})"
        ),
        f"1 when more than {STAYED_OUT:.0%} of the deals are passed out or dropped by all but one.",
    ),
    "calls_settled": Sign(
        lambda values, config: values.get("losses/entropy_bid", 1.0) < SETTLED,
        lambda values, config: (
            f"the entropy of calls is {values['losses/entropy_bid']:.0e}: nothing else is tried "
            f"any more; raise collect.explore (now {_explored(config)}) or learn.entropy "
            f"(now {config.learn.entropy})"
        ),
        f"1 when the entropy of the policy that bids is below {SETTLED:g} nats.",
    ),
    "critic_blind": Sign(
        lambda values, config: values.get("losses/explained_variance", 1.0) < EXPLAINED,
        lambda values, config: (
            f"the critic explains {values['losses/explained_variance']:.0%} of the returns: what "
            "is learned is noise; change collect.reward_scale (now "
            f"{config.collect.reward_scale}), raise collect.deals (now {config.collect.deals}) or "
            f"change learn.learning_rate (now {config.learn.learning_rate})"
        ),
        f"1 when the critic explains less than {EXPLAINED:.0%} of the variance of the returns.",
    ),
    "steps_too_large": Sign(
        lambda values, config: _step(values, config) > LARGE_STEP,
        lambda values, config: (
            f"the policy moves by {_step(values, config):.2f} nats in one iteration: its steps "
            f"are too large; lower learn.learning_rate (now {config.learn.learning_rate}) or "
            f"learn.epochs (now {config.learn.epochs})"
        ),
        f"1 when the policy moves by more than {LARGE_STEP:g} nats in one iteration.",
    ),
}


class Watch:
    """Looks at the numbers of every iteration of a session."""

    def __init__(self, config: TrainConfig) -> None:
        self.config = config
        self._there = dict.fromkeys(SIGNS, 0)  # iterations in a row with a sign
        self._gone = dict.fromkeys(SIGNS, PATIENCE)  # and without it
        self._told: set[str] = set()

    def look(self, values: Values) -> tuple[dict[str, float], list[str]]:
        """Return what is to be logged of an iteration, and what is to be said now."""
        said: list[str] = []
        for name, sign in SIGNS.items():
            is_there = sign.is_there(values, self.config)
            self._there[name] = self._there[name] + 1 if is_there else 0
            self._gone[name] = 0 if is_there else self._gone[name] + 1
            if self._gone[name] >= PATIENCE:
                self._told.discard(name)
            if self._there[name] >= PATIENCE and name not in self._told:
                self._told.add(name)
                said.append(sign.told(values, self.config))
        flags = {f"health/{name}": float(self._there[name] >= PATIENCE) for name in SIGNS}
        return flags, said
