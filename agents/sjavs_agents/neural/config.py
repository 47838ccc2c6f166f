"""The sizes of the networks: part of a training's settings, and kept with every player."""

from __future__ import annotations

from dataclasses import dataclass

from sjavs_agents.neural.setting_bounds import bounded

__all__ = ["DEVICES", "MOST_LAYERS", "MOST_WIDTH", "NetworkConfig"]

DEVICES = ("auto", "cpu", "cuda", "mps")  # that networks may compute on

MOST_WIDTH, MOST_LAYERS = 8192, 64  # far above what is of use; more would not fit into memory


@dataclass
class NetworkConfig:
    """Sizes of the networks."""

    play_width: int = bounded(256, 1, MOST_WIDTH)
    """Units in each hidden layer of the card-play policy."""
    play_layers: int = bounded(3, 1, MOST_LAYERS)
    """Hidden layers of the card-play policy."""
    bid_width: int = bounded(128, 1, MOST_WIDTH)
    """Units in each hidden layer of the policy for the auction and for naming trumps."""
    bid_layers: int = bounded(2, 1, MOST_LAYERS)
    """Hidden layers of the bidding policy."""
    critic_width: int = bounded(256, 1, MOST_WIDTH)
    """Units in each hidden layer of the critic, which sees all hands."""
    critic_layers: int = bounded(3, 1, MOST_LAYERS)
    """Hidden layers of the critic."""
