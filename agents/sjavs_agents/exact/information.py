"""What a seat may know of a deal, as one number.

The number is made of the observation that everybody learns from, scores of the match left out:
whoever sees the same has the same number, so that a table found by it can play.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env import Encoder, Game, PlayerView
from sjavs_env.randomness import GOLDEN, MIX_FACTORS, MIX_SHIFTS

__all__ = ["Keys", "Sights", "seen_by"]

Sights = NDArray[np.uint8]  # (R, F) what is seen of the deal
Keys = NDArray[np.uint64]  # (R,)

OF_THE_MATCH = ("score", "ties")  # no part of a deal


class Reader:
    """Reads views of one game."""

    def __init__(self, game: Game) -> None:
        self._encoder = Encoder(game)
        blocks = [b.name for b in self._encoder.layout.blocks if b.name not in OF_THE_MATCH]
        slices = self._encoder.layout.slices
        self._columns = np.concatenate([np.r_[slices[name]] for name in blocks])

    def sights(self, view: PlayerView) -> Sights:
        """Return what viewers see of their deals."""
        return self._encoder.encode(view)[:, self._columns]


def seen_by(sights: Sights) -> Keys:
    """Return one number for each row (R, F); those of different rows differ but by a rare chance.

    Every 64-bit word is scrambled by the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
    """
    rows, size = sights.shape
    padded = np.zeros((rows, -(-size // 8) * 8), dtype=np.uint8)
    padded[:, :size] = sights
    keys = np.full(rows, size, dtype=np.uint64)
    factors = [np.uint64(f) for f in MIX_FACTORS]
    shifts = [np.uint64(s) for s in MIX_SHIFTS]
    for word in padded.view("<u8").T:
        keys = (keys ^ word) + np.uint64(GOLDEN)
        keys = (keys ^ (keys >> shifts[0])) * factors[0]
        keys = (keys ^ (keys >> shifts[1])) * factors[1]
        keys ^= keys >> shifts[2]
    return keys
