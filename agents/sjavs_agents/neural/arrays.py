"""Networks and optimizers to and from flat dictionaries of arrays, for checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

__all__ = [
    "check_weights",
    "load_module",
    "load_optimizer",
    "module_arrays",
    "optimizer_arrays",
    "under",
]

MOMENTS = ("step", "exp_avg", "exp_avg_sq")  # what Adam keeps of a parameter


def under(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """Return the entries below a prefix, without it."""
    start = prefix + "."
    return {k.removeprefix(start): v for k, v in arrays.items() if k.startswith(start)}


def module_arrays(module: nn.Module, prefix: str) -> dict[str, NDArray[Any]]:
    """Return the weights of a network below a prefix."""
    return {f"{prefix}.{k}": v.detach().cpu().numpy() for k, v in module.state_dict().items()}


def load_module(module: nn.Module, arrays: Mapping[str, NDArray[Any]], prefix: str) -> None:
    """Load weights written by ``module_arrays``; ValueError if they do not fit."""
    check_weights(module, arrays, prefix)
    own = under(arrays, prefix)
    module.load_state_dict({name: torch.from_numpy(own[name].copy()) for name in own})


def check_weights(module: nn.Module, arrays: Mapping[str, NDArray[Any]], prefix: str) -> None:
    """ValueError unless weights are those of a network, which may be on the device ``meta``."""
    own, wanted = under(arrays, prefix), module.state_dict()
    odd = sorted(own.keys() ^ wanted.keys())
    odd += [name for name in own if name in wanted and own[name].shape != wanted[name].shape]
    if odd:
        raise ValueError(f"weights {prefix!r} do not fit this network: {odd[0][:100]}")
    for name, value in own.items():
        _check_floats(f"weights {prefix!r}", name, value)


def _check_floats(what: str, name: str, value: NDArray[Any]) -> None:
    if value.dtype != np.float32:
        raise ValueError(f"{what} have type {value.dtype} in {name}; allowed: float32")
    if not np.isfinite(value).all():
        raise ValueError(f"{what} are not all finite: {name}")


def optimizer_arrays(optimizer: torch.optim.Optimizer, prefix: str) -> dict[str, NDArray[Any]]:
    """Return the moments and step counts of an optimizer below a prefix."""
    state = optimizer.state_dict()["state"]
    return {
        f"{prefix}.{i}.{name}": torch.as_tensor(value).cpu().numpy()
        for i, entry in state.items()
        for name, value in entry.items()
    }


def load_optimizer(
    optimizer: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]], prefix: str
) -> None:
    """Load what ``optimizer_arrays`` wrote; the settings stay those of ``optimizer``.

    ValueError for moments of another shape than their parameter: PyTorch would not look.
    """
    own = under(arrays, prefix)
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    state: dict[int, dict[str, torch.Tensor]] = {}
    for i, parameter in enumerate(parameters):
        if not any(name.startswith(f"{i}.") for name in own):
            continue  # no step was taken yet
        for name in MOMENTS:
            value = own.pop(f"{i}.{name}")
            fits = value.size == 1 if name == "step" else value.shape == parameter.shape
            if not fits:
                raise ValueError(f"{prefix}.{i}.{name} has shape {value.shape}")
            _check_floats(prefix, f"{i}.{name}", value)
            if name != "exp_avg" and (value < 0).any():
                raise ValueError(f"{prefix}.{i}.{name} is negative")
            state.setdefault(i, {})[name] = torch.from_numpy(value.copy())
    if own:
        raise ValueError(f"{prefix}.{min(own)[:100]} belongs to no parameter")
    settings = optimizer.state_dict()
    optimizer.load_state_dict({"state": state, "param_groups": settings["param_groups"]})
