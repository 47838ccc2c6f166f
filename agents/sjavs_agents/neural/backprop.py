"""Gradients of a perceptron, written out.

What autograd would record and replay of ``net.answer``, in fewer passes over memory: nothing is
recorded, no activation is copied, and the ReLU of 16-bit numbers is done on their bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from sjavs_agents.neural.network import BeliefNet, Critic, PolicyNet, Precision

__all__ = ["Pass", "backward", "forward"]

Net = PolicyNet | Critic | BeliefNet


@dataclass(frozen=True)
class Pass:
    """What a network answered, and what its gradients are made of."""

    answer: Tensor  # (R, out) float32
    inputs: list[Tensor]  # of each layer (R, in), in the format of the products
    weights: list[Tensor]  # of each layer (out, in), in the same


def forward(net: Net, inputs: Tensor, precision: Precision) -> Pass:
    """Return what ``net.answer`` makes of scaled inputs (R, in), and what ``backward`` needs."""
    layers = _layers(net)
    with torch.no_grad():
        passed, weights = [inputs.to(precision.dtype)], []
        for at, layer in enumerate(layers):
            weights.append(layer.weight.to(precision.dtype))
            out = torch.addmm(layer.bias.to(precision.dtype), passed[-1], weights[-1].t())
            if at + 1 < len(layers):
                passed.append(_rectified(out))
    return Pass(out.float(), passed, weights)


def backward(net: Net, done: Pass, slope: Tensor) -> None:
    """Set the gradients of all parameters, given those of a loss by the answer (R, out).

    It overwrites what ``done`` holds, so that it can be called once.
    """
    with torch.no_grad():
        pulled = slope.to(done.inputs[0].dtype)
        for at, layer in reversed([*enumerate(_layers(net))]):
            layer.weight.grad = (pulled.t() @ done.inputs[at]).float()
            layer.bias.grad = pulled.sum(dim=0).float()
            if at:
                pulled = _through_relu(pulled @ done.weights[at], done.inputs[at])


def _layers(net: Net) -> list[nn.Linear]:
    return [*(part for part in net.body if isinstance(part, nn.Linear)), net.head]


def _rectified(values: Tensor) -> Tensor:
    """Set values below zero to zero, in place; as whole numbers, those are below zero as well."""
    if values.dtype == torch.bfloat16:
        values.view(torch.int16).clamp_min_(0)
        return values
    return values.relu_()


def _through_relu(slope: Tensor, rectified: Tensor) -> Tensor:
    """Return gradients by what went into a ReLU, given those by what came out; both are spent."""
    if slope.dtype == torch.bfloat16:  # the bits of a number times 1 or 0
        slope.view(torch.int16).mul_(rectified.view(torch.int16).clamp_max_(1))
        return slope
    return torch.ops.aten.threshold_backward(slope, rectified, 0)
