"""What a learning algorithm is to the trainer, and what most of them are made of.

The trainer plays deals with ``policies``, hands them to ``learn``, measures ``average`` and keeps
``arrays`` in its checkpoints; it knows no more of an algorithm than this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sjavs_agents.base import Ints
from sjavs_agents.neural.arrays import (
    load_module,
    load_optimizer,
    module_arrays,
    optimizer_arrays,
    under,
)
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
from sjavs_agents.training.collect import Rollout
from sjavs_agents.training.config import LearnConfig
from sjavs_agents.training.team import Team
from sjavs_env import Encoder

__all__ = [
    "ActorCritic",
    "Batch",
    "Learner",
    "Setup",
    "explained_variance",
    "shuffled",
    "weighted_means",
]

Arrays = Mapping[str, NDArray[Any]]
FUSED = ("cpu", "cuda", "mps")  # devices on which Adam takes a step as one kernel


@dataclass(frozen=True)
class Setup:
    """What a learner is made from."""

    encoder: Encoder
    network: NetworkConfig
    learn: LearnConfig
    reward_scale: float  # factor on game points
    precision: Precision
    seed: int
    team: Team = field(default_factory=Team)
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))  # of networks


class Learner(Protocol):
    """Improves policies by the deals that they have played.  It is made by ``Name(setup)``."""

    @property
    def explained(self) -> Mapping[str, str]:
        """What ``learn`` returns, with a sentence on each; a part in braces stands for a word."""
        ...

    @property
    def policies(self) -> Policies:
        """The policies that play and learn."""
        ...

    @property
    def average(self) -> Policies:
        """The policies that are measured, and saved as the player."""
        ...

    def learn(
        self, rollout: Rollout, progress: float, rng: np.random.Generator
    ) -> dict[str, float]:
        """Improve the policies when ``progress`` (0..1) of the run is done; return what to log.

        All that is random is drawn from ``rng``.  The others of the team do the same on rollouts
        of their own, and all hold the same weights afterwards.
        """
        ...

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything that the next iteration depends on, by name.

        The networks that are measured are ``average.*``: a checkpoint is a player as well.
        """
        ...

    def restore(self, arrays: Arrays) -> None:
        """Take over what ``arrays`` returned; ValueError for what does not fit."""
        ...

    def start_from(self, arrays: Arrays) -> None:
        """Take over the weights of a run or of a player; ValueError for what does not fit."""
        ...


class ActorCritic:
    """Policies, their slow copy, a critic that sees all hands, and an optimizer for each network.

    An algorithm adds ``explained`` and ``learn``.
    """

    def __init__(self, setup: Setup) -> None:
        encoder, network, config = setup.encoder, setup.network, setup.learn
        self.encoder = encoder
        self.config = config
        self.reward_scale = setup.reward_scale
        self.precision = setup.precision
        self.team = setup.team
        self.device = setup.device
        rng = torch.Generator().manual_seed(setup.seed)
        self.policies = Policies(encoder, network)
        self.critic = make_critic(encoder, network)
        initialise(self.policies, rng)
        initialise(self.critic, rng)
        self.policies.to(self.device)  # not before: all devices start with the same weights
        self.critic.to(self.device)
        self.average = Policies(encoder, network).requires_grad_(False).to(self.device)
        self.average.load_state_dict(self.policies.state_dict())
        self.optimizers = {name: self._adam(module) for name, module in self.modules().items()}

    def _adam(self, module: nn.Module) -> torch.optim.Adam:
        is_fused = self.device.type in FUSED
        rate = self.config.learning_rate
        return torch.optim.Adam(module.parameters(), lr=rate, eps=1e-5, fused=is_fused)

    def modules(self) -> dict[str, PolicyNet | Critic]:
        """Return the trained networks by name."""
        return {"play": self.policies.play, "bid": self.policies.bid, "critic": self.critic}

    @torch.inference_mode()
    def values(self, rollout: Rollout, chunk: int = 8192) -> NDArray[np.float32]:
        """Return the critic's values (D, P) by seat at the table."""
        counts = torch.from_numpy(rollout.counts)
        relative = [infer(self.critic, part, self.precision) for part in torch.split(counts, chunk)]
        n_players = rollout.rewards.shape[1]
        values = torch.cat(relative).numpy() if relative else np.zeros((0, n_players), np.float32)
        return np.take_along_axis(values, _to_table(rollout.seat, n_players), axis=1)

    def batch(
        self, rollout: Rollout, targets: NDArray[np.float32], advantages: NDArray[np.float32]
    ) -> Batch:
        """Return a rollout with targets and advantages (D, P) by seat at the table.

        It lies on the device of the networks; advantages are normalised over the team.
        """
        return Batch.of(rollout, targets, advantages, self.team, self.device)

    def set_step_size(self, rate: float) -> None:
        """Let all optimizers take steps of this size."""
        for optimizer in self.optimizers.values():
            optimizer.param_groups[0]["lr"] = rate

    def step(self, names: Iterable[str], rows: int) -> None:
        """Take a step of some networks along gradients that are means over ``rows`` decisions.

        The whole team calls it, also those that have no decisions and so no gradients.
        """
        modules = self.modules()
        chosen = list(names)
        self.team.average_gradients((modules[name] for name in chosen), rows)
        for name in chosen:
            parameters = modules[name].parameters()
            torch.nn.utils.clip_grad_norm_(parameters, self.config.max_grad_norm)
            self.optimizers[name].step()
            self.optimizers[name].zero_grad(set_to_none=True)

    @torch.no_grad()
    def move_average(self) -> None:
        """Move the slow copy towards the policies."""
        weight = 1 - self.config.average_decay
        for slow, new in zip(self.average.parameters(), self.policies.parameters(), strict=True):
            slow.lerp_(new, weight)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all networks and optimizers by name."""
        arrays = module_arrays(self.policies, "policies")
        arrays |= module_arrays(self.average, "average")
        arrays |= module_arrays(self.critic, "critic")
        for name, optimizer in self.optimizers.items():
            arrays |= optimizer_arrays(optimizer, f"optimizer.{name}")
        return arrays

    def restore(self, arrays: Arrays) -> None:
        """Take over what ``arrays`` returned; ValueError for what does not fit."""
        load_module(self.policies, arrays, "policies")
        load_module(self.average, arrays, "average")
        load_module(self.critic, arrays, "critic")
        for name, optimizer in self.optimizers.items():
            load_optimizer(optimizer, arrays, f"optimizer.{name}")

    def start_from(self, arrays: Arrays) -> None:
        """Take over weights; a player's file has those of the slow copy alone, and no critic."""
        load_module(self.policies, arrays, "policies" if under(arrays, "policies") else "average")
        load_module(self.average, arrays, "average")
        if under(arrays, "critic"):
            load_module(self.critic, arrays, "critic")


@dataclass(frozen=True)
class Batch:
    """Decisions as tensors on one device, with what to learn from them."""

    counts: Tensor  # (D, F + hidden) uint8
    mask: Tensor  # (D, A) bool
    action: Tensor  # (D,)
    log_prob: Tensor  # (D,)
    advantage: Tensor  # (D,) of the mover, normalised over the team
    target: Tensor  # (D, P) of every seat, mover first

    @classmethod
    def of(
        cls,
        rollout: Rollout,
        targets: NDArray[np.float32],
        advantages: NDArray[np.float32],
        team: Team,
        device: torch.device | None = None,
    ) -> Batch:
        """Return a rollout with targets and advantages (D, P) by seat at the table, on a device."""
        n_players = targets.shape[1]
        mover = advantages[np.arange(len(rollout)), rollout.seat]
        normal = _normalised(mover, team)
        from_mover = (rollout.seat[:, None] + np.arange(n_players)) % n_players
        arrays = (
            rollout.counts, rollout.mask.view(np.bool_), rollout.action, rollout.log_prob, normal,
            np.take_along_axis(targets, from_mover, axis=1),
        )  # fmt: skip
        return cls(*(torch.from_numpy(array).to(device) for array in arrays))

    def at(self, rows: Ints) -> Batch:
        """Return some of the decisions, in this order."""
        places = torch.from_numpy(rows).to(self.action.device)
        return Batch(*(value.index_select(0, places) for value in vars(self).values()))


def explained_variance(values: NDArray[np.float32], targets: NDArray[np.float32]) -> float:
    """Return 1 - Var(target - value) / Var(target); 1 is a perfect critic, 0 a constant one."""
    spread = float(targets.var()) if len(targets) else 0.0
    return 1 - float((targets - values).var()) / spread if spread > 0 else 0.0


def weighted_means(found: Sequence[tuple[Mapping[str, Tensor], int]]) -> dict[str, float]:
    """Return the mean of each named number (0-dimensional), weighed by rows; one transfer."""
    if not found:
        return {}
    told = torch.stack([value for metrics, _ in found for value in metrics.values()]).tolist()
    names = [(name, n) for metrics, n in found for name in metrics]
    sums: dict[str, float] = {}
    rows: dict[str, int] = {}
    for (name, n), value in zip(names, told, strict=True):
        sums[name] = sums.get(name, 0.0) + value * n
        rows[name] = rows.get(name, 0) + n
    return {name: total / rows[name] for name, total in sums.items()}


def shuffled(rows: Ints, n_parts: int, rng: np.random.Generator) -> list[Ints]:
    """Split rows into shuffled minibatches of about equal size.

    Sizes are rounded down, so a few decisions sit out an epoch, others each time.
    """
    parts = np.array_split(rng.permutation(rows), n_parts) if n_parts else []
    return [part[: round_rows(len(part), up=False)] for part in parts]


def _to_table(seat: Ints, n_players: int) -> Ints:
    """Places (D, P) of the seats at the table in an order that starts with ``seat`` (D,)."""
    return (np.arange(n_players) - seat[:, None]) % n_players


def _normalised(values: NDArray[np.float32], team: Team) -> NDArray[np.float32]:
    """Shift and scale values (D,) so that those of the whole team have mean 0 and spread 1."""
    n, total = team.total(np.array([len(values), values.sum(dtype=np.float64)]))
    if n == 0:
        return values
    mean = total / n
    squares = np.square(values - mean, dtype=np.float64).sum()
    spread = (team.total(np.array([squares]))[0] / n) ** 0.5
    return ((values - mean) / (spread + 1e-8)).astype(np.float32)
