"""Coefficients that change over the run."""

from __future__ import annotations

from dataclasses import dataclass

from sjavs_agents.training.config import LearnConfig

__all__ = ["Schedule"]


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
        if config.decay == "geometric":
            rate = start * (end / start) ** progress if start > 0 else 0.0
        else:
            rate = mix(start, end)
        return cls(rate, mix(config.entropy, config.entropy_end))
