"""The versions of what trains here: a result is repeated with the same ones alone."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import torch

from sjavs_agents.neural.device import device_name
from sjavs_env import OBSERVATION_VERSION

__all__ = ["versions"]


def versions(device: torch.device) -> dict[str, str]:
    """Return the versions of what trains here, and the device that it trains on."""
    try:
        own = version("sjavs")
    except PackageNotFoundError:  # run from its source, not installed
        own = "unknown"
    return {
        "sjavs": own,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": np.__version__,
        "observation": str(OBSERVATION_VERSION),
        "device": device_name(device),
    }
