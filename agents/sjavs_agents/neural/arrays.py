"""Networks and optimizers to and from flat dictionaries of arrays, for checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import NDArray
from torch import nn

__all__ = ["load_module", "load_optimizer", "module_arrays", "optimizer_arrays", "under"]


def under(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """Return the entries below a prefix, without it."""
    start = prefix + "."
    return {k.removeprefix(start): v for k, v in arrays.items() if k.startswith(start)}


def module_arrays(module: nn.Module, prefix: str) -> dict[str, NDArray[Any]]:
    """Return the weights of a network below a prefix."""
    return {f"{prefix}.{k}": v.detach().numpy() for k, v in module.state_dict().items()}


def load_module(module: nn.Module, arrays: Mapping[str, NDArray[Any]], prefix: str) -> None:
    """Load weights written by ``module_arrays``; ValueError if they do not fit."""
    state = {k: torch.from_numpy(v.copy()) for k, v in under(arrays, prefix).items()}
    if not all(bool(value.isfinite().all()) for value in state.values()):
        raise ValueError(f"weights {prefix!r} are not all finite")
    try:
        module.load_state_dict(state)
    except RuntimeError as error:
        why = " ".join(str(error).split())
        raise ValueError(f"weights {prefix!r} do not fit this network: {why}") from None


def optimizer_arrays(optimizer: torch.optim.Optimizer, prefix: str) -> dict[str, NDArray[Any]]:
    """Return the moments and step counts of an optimizer below a prefix."""
    state = optimizer.state_dict()["state"]
    return {
        f"{prefix}.{i}.{name}": torch.as_tensor(value).numpy()
        for i, entry in state.items()
        for name, value in entry.items()
    }


def load_optimizer(
    optimizer: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]], prefix: str
) -> None:
    """Load what ``optimizer_arrays`` wrote; the settings stay those of ``optimizer``.

    ValueError for moments of another shape than their parameter: PyTorch would not look.
    """
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in under(arrays, prefix).items():
        i, name = key.split(".", 1)
        if name != "step" and value.shape != parameters[int(i)].shape:
            raise ValueError(f"{prefix}.{key} has shape {value.shape}")
        state.setdefault(int(i), {})[name] = torch.from_numpy(value.copy())
    settings = optimizer.state_dict()
    optimizer.load_state_dict({"state": state, "param_groups": settings["param_groups"]})
