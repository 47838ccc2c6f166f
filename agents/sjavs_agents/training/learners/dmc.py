"""Deep Monte Carlo: what actions bring on average, as in DouZero (Zha et al., ICML 2021).

The heads of the policies are read as Q(s, a), the expected return of the mover's side in scaled
game points.  Deals are played by the best action, or, in a share ``epsilon`` of the decisions, by
any.  The loss of a decision is the squared error of Q of what was done to what the deal brought:
no critic, no bootstrapping, and nothing is divided by the chance of an action.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from torch import Tensor

from sjavs_agents.neural.backprop import backward, forward
from sjavs_agents.training.collect import Choosing, Rollout
from sjavs_agents.training.learners.base import ActorCritic, Batch, shuffled, weighted_means
from sjavs_agents.training.learners.schedule import Schedule

__all__ = ["Dmc"]


class Dmc(ActorCritic):
    """Several passes over the deals of an iteration, each decision towards its deal's result."""

    explained: ClassVar[Mapping[str, str]] = {
        "q_{net}": "Mean squared error of the returns that the player of cards (`play`) or of "
        "calls (`bid`) expects of what it does, in scaled game points (`learn.name: dmc`).",
        "q_explained_{net}": "Share of the variance of the returns that it foresees.",
    }

    @property
    def choosing(self) -> Choosing:
        """Deals are played by the best action, now and then by any."""
        return Choosing(greedy=True, epsilon=self.config.epsilon)

    def learn(
        self, rollout: Rollout, progress: float, rng: np.random.Generator
    ) -> dict[str, float]:
        """Move Q of all that was done towards the returns; return errors."""
        schedule = Schedule.at(self.config, progress)
        self.set_step_size(schedule.learning_rate)
        returns = rollout.rewards[rollout.deals()] * self.reward_scale
        batch = self.batch(rollout, returns, returns)
        found: list[tuple[dict[str, Tensor], int]] = []
        kinds = {
            "play": np.flatnonzero(rollout.is_play),
            "bid": np.flatnonzero(~rollout.is_play),
        }
        rows_of_all = self.team.total(np.array([len(rows) for rows in kinds.values()]))
        steps = np.ceil(rows_of_all / self.config.minibatch).astype(int)
        for _ in range(self.config.epochs):
            for (kind, rows), n_parts in zip(kinds.items(), steps, strict=True):
                for part in shuffled(rows, n_parts, rng):
                    if len(part):
                        found.append((self.descend(kind, batch.at(part)), len(part)))
                    self.step((kind,), len(part))
        self.move_average()
        told = weighted_means(found)
        own = returns[np.arange(len(rollout)), rollout.seat]
        for kind, rows in kinds.items():
            spread = float(own[rows].var()) if len(rows) else 0.0
            if spread > 0 and f"q_{kind}" in told:
                told[f"q_explained_{kind}"] = 1 - told[f"q_{kind}"] / spread
        return told | {"learning_rate": schedule.learning_rate}

    def descend(self, kind: str, part: Batch) -> dict[str, Tensor]:
        """Set the gradients of the squared error of some decisions."""
        net = self.modules()[kind]
        counts = part.counts[:, : self.encoder.layout.size]  # never the hidden hands
        done = forward(net, net.scaled(counts, self.precision), self.precision)
        action = part.action[:, None]
        error = done.answer.gather(1, action) - part.target[:, :1]
        slope = done.answer.new_zeros(done.answer.shape).scatter_(1, action, 2 * error / len(error))
        backward(net, done, slope)
        return {f"q_{kind}": error.square().mean()}
