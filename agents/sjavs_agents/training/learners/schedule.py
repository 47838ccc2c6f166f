"""Coefficients that change over the run."""

from __future__ import annotations

from dataclasses import dataclass

from sjavs_agents.training.config import LearnConfig, TrainConfig

__all__ = ["Schedule", "stable_until"]

FIRST = 0.1  # of the step size, with which a warmup begins


@dataclass(frozen=True)
class Schedule:
    """Step size and entropy bonus at one moment of the run."""

    learning_rate: float
    entropy: float

    @classmethod
    def at(cls, config: LearnConfig, progress: float) -> Schedule:
        """Return the coefficients when ``progress`` (0..1) of the run is done."""

        def mix(start: float, end: float) -> float:
            return start + (end - start) * progress

        start, end = config.learning_rate, config.learning_rate_end
        if config.decay == "wsd":
            rate = start * _risen(config, progress) + (end - start) * _fallen(config, progress)
        elif config.decay == "geometric":
            rate = start * (end / start) ** progress if start > 0 else 0.0
        else:
            rate = mix(start, end)
        return cls(rate, mix(config.entropy, config.entropy_end))


def _risen(config: LearnConfig, progress: float) -> float:
    """Return the share of the step size that a warmup has reached."""
    if progress >= config.warmup:
        return 1.0
    return FIRST + (1 - FIRST) * progress / config.warmup


def _fallen(config: LearnConfig, progress: float) -> float:
    """Return the share of the cooldown that is done."""
    done = progress - (1 - config.cooldown)
    return max(0.0, done / config.cooldown) if config.cooldown > 0 else 0.0


def stable_until(config: TrainConfig, iterations: int | None = None) -> int | None:
    """Return the iteration after which the step size begins to fall, in a run of so many.

    None if it falls all along.
    """
    if config.learn.decay != "wsd":
        return None
    n = config.run.iterations if iterations is None else iterations
    return int(n * (1 - config.learn.cooldown) + 1e-9)
