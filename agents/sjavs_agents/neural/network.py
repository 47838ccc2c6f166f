"""The networks: two policies that see what a seat sees, one critic that sees all hands.

A policy maps an observation (R, F) to logits (R, A); which policy answers depends on the
phase: one plays cards, one bids and names trumps.  The critic maps the same observation
followed by the hidden hands to the expected return of every seat, viewer first.
"""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sjavs_agents.neural.config import NetworkConfig
from sjavs_env import Encoder

__all__ = [
    "BeliefNet",
    "Critic",
    "Policies",
    "PolicyNet",
    "Precision",
    "copy_of",
    "fastest_precision",
    "infer",
    "initialise",
    "make_critic",
    "round_rows",
]


@dataclass(frozen=True)
class Precision:
    """Number format of the matrix products."""

    name: str  # "float32" or "bfloat16"

    @property
    def dtype(self) -> torch.dtype:
        """Type that inputs are cast to."""
        return torch.bfloat16 if self.name == "bfloat16" else torch.float32

    def autocast(self, device: torch.device) -> AbstractContextManager[object]:
        """Return the context in which forward passes on a device run."""
        is_half = self.name == "bfloat16"
        return torch.autocast(device.type, torch.bfloat16) if is_half else nullcontext()


class _Scaled(nn.Module):
    """A ReLU perceptron on raw counts, which it first scales to 0..1."""

    scale: Tensor

    def __init__(self, scale: NDArray[np.float32], width: int, layers: int, out: int) -> None:
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(scale.copy()), persistent=False)
        sizes = [len(scale)] + [width] * layers
        hidden: list[nn.Module] = []
        for a, b in pairwise(sizes):
            hidden += [nn.Linear(a, b), nn.ReLU(inplace=True)]
        self.body = nn.Sequential(*hidden)
        self.head = nn.Linear(width, out)

    def scaled(self, counts: Tensor, precision: Precision) -> Tensor:
        """Return counts (R, in) as inputs between 0 and 1."""
        return counts.to(precision.dtype).mul_(self.scale.to(precision.dtype))

    def answer(self, inputs: Tensor, precision: Precision) -> Tensor:
        """Map scaled inputs (R, in) to float32 (R, out)."""
        with precision.autocast(inputs.device):
            out: Tensor = self.head(self.body(inputs))
        return out.float()

    def forward(self, counts: Tensor, precision: Precision) -> Tensor:
        """Map counts (R, in) of any type to float32 (R, out)."""
        return self.answer(self.scaled(counts, precision), precision)


class PolicyNet(_Scaled):
    """Observation (R, F) -> logits (R, A)."""


class Critic(_Scaled):
    """Oracle observation (R, F + (P - 1) * N) -> expected return (R, P) by relative seat."""


class BeliefNet(_Scaled):
    """Observation (R, F) -> logits (R, H * N) of each of H holders having each of N cards."""


class Policies(nn.Module):
    """The policy of an agent: one network for cards, one for calls and trump suits."""

    def __init__(self, encoder: Encoder, config: NetworkConfig) -> None:
        super().__init__()
        scale, actions = encoder.layout.scale, encoder.game.actions.size
        self.play = PolicyNet(scale, config.play_width, config.play_layers, actions)
        self.bid = PolicyNet(scale, config.bid_width, config.bid_layers, actions)


def round_rows(n: int, *, up: bool) -> int:
    """Round a number of rows to one of eight values per doubling.

    CPU kernels are compiled and kept for every shape they meet; were all sizes allowed, they
    would cost hundreds of megabytes and more time than the products themselves.
    """
    step = 1 << max(0, n.bit_length() - 4)
    return -(-n // step) * step if up else n // step * step


def infer(net: PolicyNet | Critic | BeliefNet, counts: Tensor, precision: Precision) -> Tensor:
    """Return ``net(counts)`` (R, out), computed on a rounded number of rows.

    Counts go to the device of the network, and the answer comes back to theirs.
    """
    n, home = len(counts), counts.device
    room = round_rows(n, up=True)
    if room > n:
        counts = torch.cat([counts, counts.new_zeros(room - n, counts.shape[1])])
    out: Tensor = net(counts.to(net.scale.device), precision)
    return out[:n].to(home)


def make_critic(encoder: Encoder, config: NetworkConfig) -> Critic:
    """Return the critic for an encoder; its extra inputs are the hidden hands."""
    extra = encoder.oracle_size - encoder.layout.size
    scale = np.concatenate([encoder.layout.scale, np.ones(extra, np.float32)])
    n_players = encoder.game.tables.n_players
    return Critic(scale, config.critic_width, config.critic_layers, n_players)


def initialise(module: nn.Module, rng: torch.Generator) -> None:
    """Draw orthogonal weights; heads start near zero, so that first play is near uniform."""
    for name, part in module.named_modules():
        if isinstance(part, nn.Linear):
            gain = 0.01 if name.endswith("head") else 2**0.5
            nn.init.orthogonal_(part.weight, gain, generator=rng)
            nn.init.zeros_(part.bias)


def copy_of(policies: Policies, encoder: Encoder, config: NetworkConfig) -> Policies:
    """Return a frozen copy of the policies, on the same device."""
    copy = Policies(encoder, config).to(policies.play.scale.device)
    copy.load_state_dict(policies.state_dict())
    return copy.requires_grad_(False)


def fastest_precision(
    encoder: Encoder, config: NetworkConfig, device: torch.device | None = None
) -> Precision:
    """Measure a training step of the play policy in both formats and return the faster one.

    bfloat16 is two to four times faster on CPUs with matrix units and slower on others.  On the
    device ``mps``, which has it in some systems alone, it is not tried.
    """
    if device is not None and device.type == "mps":
        return Precision("float32")
    seconds = {}
    for name in ("float32", "bfloat16"):
        precision = Precision(name)
        net = Policies(encoder, config).play.to(device)
        counts = torch.zeros(4096, encoder.layout.size, dtype=torch.uint8, device=device)
        best = float("inf")
        for _ in range(4):  # the first ones warm up
            start = time.perf_counter()
            gradients = torch.autograd.grad(net(counts, precision).sum(), [*net.parameters()])
            gradients[0].sum().item()  # an accelerator is not done before it can answer
            best = min(best, time.perf_counter() - start)
        seconds[name] = best
    return Precision(min(seconds, key=lambda name: seconds[name]))
