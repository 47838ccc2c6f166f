"""The sizes of the networks: part of a training's settings, and kept with every player."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NetworkConfig"]


@dataclass
class NetworkConfig:
    """Sizes of the networks."""

    play_width: int = 256
    """Units in each hidden layer of the card-play policy."""
    play_layers: int = 3
    """Hidden layers of the card-play policy."""
    bid_width: int = 128
    """Units in each hidden layer of the policy for the auction and for naming trumps."""
    bid_layers: int = 2
    """Hidden layers of the bidding policy."""
    critic_width: int = 256
    """Units in each hidden layer of the critic, which sees all hands."""
    critic_layers: int = 3
    """Hidden layers of the critic."""
