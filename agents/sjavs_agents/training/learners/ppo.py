"""Proximal policy optimisation: clipped policy gradient, oracle critic, entropy, slow copy.

The loss of a policy stands in ``surrogate``; that of the critic is half the squared error to the
advantages plus the old values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from torch import Tensor

from sjavs_agents.neural.backprop import backward, forward
from sjavs_agents.neural.policy import masked_log_probs
from sjavs_agents.training.advantages import joint_advantages
from sjavs_agents.training.collect import Rollout
from sjavs_agents.training.learners.base import (
    ActorCritic,
    Batch,
    explained_variance,
    shuffled,
    weighted_means,
)
from sjavs_agents.training.learners.schedule import Schedule
from sjavs_agents.training.learners.surrogate import Coefficients, surrogate

__all__ = ["Ppo"]


class Ppo(ActorCritic):
    """Several passes over the deals of an iteration, none far from the policy that played."""

    explained: ClassVar[Mapping[str, str]] = {
        "policy_{net}": "Clipped surrogate loss of the policy that plays cards (`play`) or "
        "bids and names trumps (`bid`).",
        "entropy_{net}": "Entropy of that policy in nats, over decisions with a choice.",
        "approx_kl_{net}": "Estimated divergence of the new policy from the one that played; "
        "0.002 to 0.01 is healthy.",
        "clip_fraction_{net}": "Share of decisions whose probability moved past the clip.",
        "magnet_kl_{net}": "Divergence from the slow copy (0 unless `learn.magnet` is set).",
        "value": "Mean squared error of the critic, in scaled game points.",
        "explained_variance": "Share of the variance of the returns that the critic explains; "
        "above 0.85 when all is well.",
    }

    def learn(
        self, rollout: Rollout, progress: float, rng: np.random.Generator
    ) -> dict[str, float]:
        """Improve policies and critic on one rollout; return mean losses and diagnostics."""
        schedule = Schedule.at(self.config, progress)
        self.set_step_size(schedule.learning_rate)
        values = self.values(rollout)
        advantages = joint_advantages(
            values, rollout.rewards * self.reward_scale, rollout.index, self.config.gae_lambda
        )
        batch = self.batch(rollout, values + advantages, advantages)
        found: list[tuple[dict[str, Tensor], int]] = []  # of each step, and its decisions
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
                        found.append((self.descend(kind, batch.at(part), schedule), len(part)))
                    self.step((kind, "critic"), len(part))
        self.move_average()
        mover = np.arange(len(rollout)), rollout.seat
        return weighted_means(found) | {
            "explained_variance": explained_variance(values[mover], (values + advantages)[mover]),
            "learning_rate": schedule.learning_rate,
            "entropy_bonus": schedule.entropy,
        }

    def descend(self, kind: str, part: Batch, schedule: Schedule) -> dict[str, Tensor]:
        """Set the gradients of a policy's and the critic's losses on some decisions.

        The numbers returned stay on the device: to ask for them would make it wait.
        """
        net = self.modules()[kind]
        everything = self.critic.scaled(part.counts, self.precision)
        seen = everything[:, : self.encoder.layout.size]  # a policy never gets the hidden hands
        answer = forward(net, seen, self.precision)
        magnet = None
        if self.config.magnet > 0:
            slow = forward(getattr(self.average, kind), seen, self.precision)
            magnet = masked_log_probs(slow.answer, part.mask)
        terms = surrogate(
            answer.answer, part.mask, part.action, part.log_prob, part.advantage,
            Coefficients(self.config.clip, schedule.entropy, self.config.magnet), magnet,
        )  # fmt: skip
        backward(net, answer, terms.slope)
        foreseen = forward(self.critic, everything, self.precision)
        error = foreseen.answer - part.target
        backward(self.critic, foreseen, error * (self.config.value_coefficient / error.numel()))
        return {
            f"policy_{kind}": terms.loss,
            f"entropy_{kind}": terms.entropy,
            f"approx_kl_{kind}": terms.approx_kl,
            f"clip_fraction_{kind}": terms.clip_fraction,
            f"magnet_kl_{kind}": terms.magnet_kl,
            "value": error.square().mean(),
        }
