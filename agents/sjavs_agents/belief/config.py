"""How large a network of beliefs is."""

from __future__ import annotations

from dataclasses import dataclass

from sjavs_agents.neural.config import MOST_LAYERS, MOST_WIDTH
from sjavs_agents.neural.setting_bounds import bounded

__all__ = ["BeliefConfig"]


@dataclass(frozen=True)
class BeliefConfig:
    """Size of the network."""

    width: int = bounded(256, 1, MOST_WIDTH)  # units in each hidden layer
    layers: int = bounded(2, 1, MOST_LAYERS)  # hidden layers
