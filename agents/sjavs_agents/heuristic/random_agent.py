"""Players without judgement: any legal action, or mostly "pass"."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Bool, Floats, Ints
from sjavs_env import Game, Phase, PlayerView, sample_legal

__all__ = ["PassingAgent", "RandomAgent"]


class RandomAgent:
    """Every legal action is as likely as any other."""

    name = "random"

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Draw one double for each row."""
        return sample_legal(mask, rng)

    def probabilities(self, view: PlayerView, mask: NDArray[np.int8]) -> Floats:
        """Return the probabilities (R, A) of actions."""
        return _evenly(mask)


class PassingAgent:
    """Where it may bid or pass, it passes with a fixed chance; otherwise random.

    Players who choose uniformly among their bids end at the top of the ladder most of the time,
    so their contracts tell nothing; this one leaves contracts that are worth playing.
    """

    def __init__(self, game: Game, chance: float = 0.8) -> None:
        """``chance`` is that of passing; ValueError outside 0 to 1."""
        if not 0 <= chance <= 1:
            raise ValueError(f"chance is {chance}; allowed: 0 to 1")
        self.name = f"random-pass:chance={chance:g}"
        self.chance = chance
        self._pass = game.actions.pass_ if Phase.AUCTION in game.actions.slices else None

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Draw two doubles for each row, where there is an auction, else one."""
        if self._pass is None:
            return sample_legal(mask, rng)
        chooses, bids = _choices(mask, self._pass)
        passes = chooses & (rng.random(len(mask)) < self.chance)
        return np.where(passes, self._pass, sample_legal(bids, rng))

    def probabilities(self, view: PlayerView, mask: NDArray[np.int8]) -> Floats:
        """Return the probabilities (R, A) of actions."""
        if self._pass is None:
            return _evenly(mask)
        chooses, bids = _choices(mask, self._pass)
        passing = np.where(chooses, self.chance, 0.0)
        found = _evenly(bids) * (1 - passing)[:, None]
        found[:, self._pass] += passing
        return found


def _choices(mask: NDArray[np.int8], pass_: int) -> tuple[Bool, NDArray[np.int8]]:
    """Where one may bid or pass (R,), and what else may be done there (R, A)."""
    chooses: Bool = (mask[:, pass_] == 1) & mask[:, pass_ + 1 :].any(axis=1)
    bids = mask.copy()
    bids[chooses, pass_] = 0
    return chooses, bids


def _evenly(mask: NDArray[np.int8]) -> Floats:
    return mask / mask.sum(axis=1, keepdims=True, dtype=np.float64)
