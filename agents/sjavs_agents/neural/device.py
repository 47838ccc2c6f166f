"""The device that networks compute on: the processor, or an accelerator that PyTorch drives.

Deals, observations and results stay in NumPy arrays; they are moved where a network is asked
(``infer``) or learns, and nowhere else.
"""

from __future__ import annotations

import torch

__all__ = ["chosen_device", "device_name"]


def chosen_device(name: str, rank_here: int = 0, setting: str = "device") -> torch.device:
    """Return the device called ``name`` (one of ``DEVICES``) for a process of a machine.

    ``auto`` is a CUDA GPU where there is one and the processor elsewhere.  Of several GPUs,
    processes take one after the other.  ValueError, one line, for a device that is not there;
    it names the ``setting``.
    """
    n_gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    there = {"cpu": True, "cuda": n_gpus > 0, "mps": torch.backends.mps.is_available()}
    if name == "auto":
        name = "cuda" if there["cuda"] else "cpu"
    if not there.get(name, False):
        allowed = ", ".join(["auto", *(device for device, is_there in there.items() if is_there)])
        raise ValueError(f"{setting} is {name!r}; allowed on this machine: {allowed}")
    return torch.device(name, rank_here % n_gpus) if name == "cuda" else torch.device(name)


def device_name(device: torch.device) -> str:
    """Return what to call a device in a file: the product name of a GPU, else its type."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type
