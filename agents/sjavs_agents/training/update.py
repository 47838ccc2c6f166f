"""The learner: clipped policy gradient, oracle critic, entropy, slow copy.

Loss of a policy (PPO, Schulman et al. 2017), per decision:
``-min(rho A, clip(rho, 1 - eps, 1 + eps) A) - c_e H(pi) + c_m KL(pi || slow copy)``; of the
critic: half the squared error to the advantages plus the old values.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sjavs_agents.base import Ints
from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.neural.network import (
    Critic,
    Policies,
    PolicyNet,
    Precision,
    infer,
    initialise,
    make_critic,
    round_rows,
)
from sjavs_agents.neural.policy import masked_log_probs
from sjavs_agents.training.advantages import joint_advantages
from sjavs_agents.training.collect import Rollout
from sjavs_agents.training.config import LearnConfig
from sjavs_agents.training.team import Team
from sjavs_env import Encoder

__all__ = ["Learner", "Schedule", "explained_variance", "policy_loss"]


@dataclass(frozen=True)
class Schedule:
    """Coefficients that change over the run."""

    learning_rate: float
    entropy: float

    @classmethod
    def at(cls, config: LearnConfig, progress: float) -> Schedule:
        """Return the coefficients when ``progress`` (0..1) of the run is done."""

        def mix(start: float, end: float) -> float:
            return start + (end - start) * progress

        start, end = config.learning_rate, config.learning_rate_end
        if config.decay == "geometric":
            rate = start * (end / start) ** progress if start > 0 else 0.0
        else:
            rate = mix(start, end)
        return cls(rate, mix(config.entropy, config.entropy_end))


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
    magnet = torch.zeros(())
    if magnet_log_probs is not None:
        apart = probs * (log_probs - magnet_log_probs)
        magnet = apart.masked_fill(~mask, 0).sum(dim=1).mean()
    with torch.no_grad():
        approx_kl = (ratio - 1 - log_ratio).mean()  # Schulman's low-variance estimate
        clip_fraction = ((ratio - 1).abs() > clip).float().mean()
    return PolicyTerms(-gain.mean(), entropy, approx_kl, clip_fraction, magnet)


def explained_variance(values: NDArray[np.float32], targets: NDArray[np.float32]) -> float:
    """Return 1 - Var(target - value) / Var(target); 1 is a perfect critic, 0 a constant one."""
    spread = float(targets.var())
    return 1 - float((targets - values).var()) / spread if spread > 0 else 0.0


class Learner:
    """Policies, slow copy, critic and their optimizers."""

    def __init__(
        self,
        encoder: Encoder,
        network: NetworkConfig,
        update: LearnConfig,
        precision: Precision,
        seed: int,
        team: Team | None = None,
    ) -> None:
        self.encoder = encoder
        self.config = update
        self.precision = precision
        self.team = team or Team()
        rng = torch.Generator().manual_seed(seed)
        self.policies = Policies(encoder, network)
        self.critic = make_critic(encoder, network)
        initialise(self.policies, rng)
        initialise(self.critic, rng)
        self.average = Policies(encoder, network).requires_grad_(False)
        self.average.load_state_dict(self.policies.state_dict())
        self.optimizers = {
            name: torch.optim.Adam(
                module.parameters(), lr=update.learning_rate, eps=1e-5, fused=True
            )
            for name, module in self.modules().items()
        }

    def modules(self) -> dict[str, PolicyNet | Critic]:
        """Return the trained networks by name."""
        return {"play": self.policies.play, "bid": self.policies.bid, "critic": self.critic}

    @torch.inference_mode()
    def values(self, rollout: Rollout, chunk: int = 8192) -> NDArray[np.float32]:
        """Return the critic's values (n, P) by seat at the table."""
        counts = torch.from_numpy(rollout.counts)
        relative = [infer(self.critic, part, self.precision) for part in torch.split(counts, chunk)]
        values = torch.cat(relative).numpy() if relative else np.zeros((0, 0), np.float32)
        return np.take_along_axis(values, _to_table(rollout.seat, values.shape[1]), axis=1)

    def learn(
        self, rollout: Rollout, scale: float, schedule: Schedule, rng: np.random.Generator
    ) -> dict[str, float]:
        """Improve policies and critic on one rollout; return mean losses and diagnostics.

        The others of the team do the same on rollouts of their own, in as many steps.
        """
        for optimizer in self.optimizers.values():
            optimizer.param_groups[0]["lr"] = schedule.learning_rate
        values = self.values(rollout)
        advantages = joint_advantages(
            values, rollout.rewards * scale, rollout.index, self.config.gae_lambda
        )
        batch = _Batch.of(rollout, values + advantages, advantages, self.team)
        sums: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
        kinds = {
            "play": np.flatnonzero(rollout.is_play),
            "bid": np.flatnonzero(~rollout.is_play),
        }
        rows_of_all = self.team.total(np.array([len(rows) for rows in kinds.values()]))
        steps = np.ceil(rows_of_all / self.config.minibatch).astype(int)
        for _ in range(self.config.epochs):
            for (kind, rows), n_parts in zip(kinds.items(), steps, strict=True):
                for part in _shuffled(rows, n_parts, rng):
                    for name, value in self._step(kind, batch, part, schedule).items():
                        sums[name].append((value, len(part)))
        self._follow()
        metrics = {
            name: sum(v * n for v, n in pairs) / sum(n for _, n in pairs)
            for name, pairs in sums.items()
        }
        mover = np.arange(len(rollout)), rollout.seat
        targets = values + advantages
        metrics["explained_variance"] = explained_variance(values[mover], targets[mover])
        return metrics

    def _step(self, kind: str, batch: _Batch, rows: Ints, schedule: Schedule) -> dict[str, float]:
        """Take one gradient step of a policy and of the critic on some decisions."""
        names, metrics = (kind, "critic"), {}
        for name in names:
            self.optimizers[name].zero_grad(set_to_none=True)
        if len(rows):
            metrics = self._descend(kind, batch, rows, schedule)
        modules = self.modules()
        self.team.average_gradients((modules[name] for name in names), len(rows))
        for name in names:
            parameters = modules[name].parameters()
            torch.nn.utils.clip_grad_norm_(parameters, self.config.max_grad_norm)
            self.optimizers[name].step()
        return metrics

    def _descend(
        self, kind: str, batch: _Batch, rows: Ints, schedule: Schedule
    ) -> dict[str, float]:
        """Add the gradients of a policy's and the critic's losses on some decisions."""
        at = torch.from_numpy(rows)
        mask = batch.mask.index_select(0, at)
        everything = self.critic.scaled(batch.counts.index_select(0, at), self.precision)
        seen = everything[:, : self.encoder.layout.size]  # a policy never gets the hidden hands
        log_probs = masked_log_probs(self.modules()[kind].answer(seen, self.precision), mask)
        magnet = None
        if self.config.magnet > 0:
            with torch.no_grad():
                slow: PolicyNet = getattr(self.average, kind)
                magnet = masked_log_probs(slow.answer(seen, self.precision), mask)
        terms = policy_loss(
            log_probs, batch.action[at], batch.log_prob[at], batch.advantage[at], mask,
            self.config.clip, magnet,
        )  # fmt: skip
        objective = (
            terms.loss - schedule.entropy * terms.entropy + self.config.magnet * terms.magnet_kl
        )
        error = (self.critic.answer(everything, self.precision) - batch.target[at]).square().mean()
        loss = objective + self.config.value_coefficient * 0.5 * error
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves backward untyped
        return {
            f"policy_{kind}": terms.loss.item(),
            f"entropy_{kind}": terms.entropy.item(),
            f"approx_kl_{kind}": terms.approx_kl.item(),
            f"clip_fraction_{kind}": terms.clip_fraction.item(),
            f"magnet_kl_{kind}": terms.magnet_kl.item(),
            "value": error.item(),
        }

    @torch.no_grad()
    def _follow(self) -> None:
        """Move the slow copy towards the policies."""
        weight = 1 - self.config.average_decay
        for slow, new in zip(self.average.parameters(), self.policies.parameters(), strict=True):
            slow.lerp_(new, weight)


@dataclass(frozen=True)
class _Batch:
    """A rollout as tensors, with what to learn from it."""

    counts: Tensor  # (n, F + hidden) uint8
    mask: Tensor  # (n, A) bool
    action: Tensor  # (n,)
    log_prob: Tensor  # (n,)
    advantage: Tensor  # (n,) of the mover, normalised
    target: Tensor  # (n, P) of every seat, mover first

    @classmethod
    def of(
        cls,
        rollout: Rollout,
        targets: NDArray[np.float32],
        advantages: NDArray[np.float32],
        team: Team,
    ) -> _Batch:
        n_players = targets.shape[1]
        mover = advantages[np.arange(len(rollout)), rollout.seat]
        normal = _normalised(mover, team)
        from_mover = (rollout.seat[:, None] + np.arange(n_players)) % n_players
        return cls(
            torch.from_numpy(rollout.counts),
            torch.from_numpy(rollout.mask).bool(),
            torch.from_numpy(rollout.action),
            torch.from_numpy(rollout.log_prob),
            torch.from_numpy(normal),
            torch.from_numpy(np.take_along_axis(targets, from_mover, axis=1)),
        )


def _to_table(seat: Ints, n_players: int) -> Ints:
    """Places (n, P) of the seats at the table in an order that starts with ``seat`` (n,)."""
    return (np.arange(n_players) - seat[:, None]) % n_players


def _normalised(values: NDArray[np.float32], team: Team) -> NDArray[np.float32]:
    """Shift and scale values (n,) so that those of the whole team have mean 0 and spread 1."""
    n, total = team.total(np.array([len(values), values.sum(dtype=np.float64)]))
    mean = total / n
    squares = np.square(values - mean, dtype=np.float64).sum()
    spread = (team.total(np.array([squares]))[0] / n) ** 0.5
    return ((values - mean) / (spread + 1e-8)).astype(np.float32)


def _shuffled(rows: Ints, n_parts: int, rng: np.random.Generator) -> list[Ints]:
    """Split rows into shuffled minibatches of about equal size.

    Sizes are rounded down, so a few decisions sit out an epoch, others each time.
    """
    parts = np.array_split(rng.permutation(rows), n_parts) if n_parts else []
    return [part[: round_rows(len(part), up=False)] for part in parts]
