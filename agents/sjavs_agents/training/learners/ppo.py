"""Proximal policy optimisation: clipped policy gradient, oracle critic, entropy, slow copy.

Loss of a policy (PPO, Schulman et al. 2017), per decision:
``-min(rho A, clip(rho, 1 - eps, 1 + eps) A) - c_e H(pi) + c_m KL(pi || slow copy)``; of the
critic: half the squared error to the advantages plus the old values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from sjavs_agents.neural.network import PolicyNet
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

__all__ = ["Ppo", "policy_loss"]


@dataclass(frozen=True)
class PolicyTerms:
    """Parts of the loss of one minibatch."""

    loss: Tensor
    entropy: Tensor
    approx_kl: Tensor
    clip_fraction: Tensor
    magnet_kl: Tensor


def policy_loss(
    log_probs: Tensor,
    action: Tensor,
    old_log_prob: Tensor,
    advantage: Tensor,
    mask: Tensor,
    clip: float,
    magnet_log_probs: Tensor | None = None,
) -> PolicyTerms:
    """Return the clipped surrogate and its diagnostics for one minibatch (R,) of decisions.

    ``log_probs`` (R, A) must be masked; illegal actions count neither in the entropy nor in
    the divergence.
    """
    log_prob = log_probs.gather(1, action[:, None])[:, 0]
    log_ratio = log_prob - old_log_prob
    ratio = log_ratio.exp()
    gain = torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)
    probs = log_probs.exp()
    entropy = -(probs * log_probs).masked_fill(~mask, 0).sum(dim=1).mean()
    magnet = log_probs.new_zeros(())
    if magnet_log_probs is not None:
        apart = probs * (log_probs - magnet_log_probs)
        magnet = apart.masked_fill(~mask, 0).sum(dim=1).mean()
    with torch.no_grad():
        approx_kl = (ratio - 1 - log_ratio).mean()  # Schulman's low-variance estimate
        clip_fraction = ((ratio - 1).abs() > clip).float().mean()
    return PolicyTerms(-gain.mean(), entropy, approx_kl, clip_fraction, magnet)


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
        """Add the gradients of a policy's and the critic's losses on some decisions.

        The numbers returned stay on the device: to ask for them would make it wait.
        """
        mask = part.mask
        everything = self.critic.scaled(part.counts, self.precision)
        seen = everything[:, : self.encoder.layout.size]  # a policy never gets the hidden hands
        log_probs = masked_log_probs(self.modules()[kind].answer(seen, self.precision), mask)
        magnet = None
        if self.config.magnet > 0:
            with torch.no_grad():
                slow: PolicyNet = getattr(self.average, kind)
                magnet = masked_log_probs(slow.answer(seen, self.precision), mask)
        terms = policy_loss(
            log_probs, part.action, part.log_prob, part.advantage, mask, self.config.clip, magnet
        )
        objective = (
            terms.loss - schedule.entropy * terms.entropy + self.config.magnet * terms.magnet_kl
        )
        error = (self.critic.answer(everything, self.precision) - part.target).square().mean()
        loss = objective + self.config.value_coefficient * 0.5 * error
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves backward untyped
        return {
            f"policy_{kind}": terms.loss.detach(),
            f"entropy_{kind}": terms.entropy.detach(),
            f"approx_kl_{kind}": terms.approx_kl.detach(),
            f"clip_fraction_{kind}": terms.clip_fraction.detach(),
            f"magnet_kl_{kind}": terms.magnet_kl.detach(),
            "value": error.detach(),
        }
