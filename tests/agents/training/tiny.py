"""A training run small enough for a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.training.config import (
    CollectConfig,
    EvalConfig,
    LearnConfig,
    PoolConfig,
    RunConfig,
    TrainConfig,
)


def tiny_config(folder: Path, rules: str = "faroese", **run: Any) -> TrainConfig:
    """Eight units, 32 deals, four iterations."""
    settings: dict[str, Any] = {"iterations": 4, "checkpoint_every": 2, "threads": 1}
    return TrainConfig(
        rules=rules,
        run=RunConfig(name="tiny", directory=str(folder), precision="float32",
                      **{**settings, **run}),
        network=NetworkConfig(16, 2, 16, 2, 16, 2),
        collect=CollectConfig(deals=32),
        learn=LearnConfig(epochs=2, minibatch=128, magnet=0.01),
        pool=PoolConfig(past_share=0.4, size=2, every=1, scripted_share=0.2, scripted="greedy"),
        evaluation=EvalConfig(every=2, boards=4, final_boards=6, yardsticks=["random"]),
    )  # fmt: skip


def tiny_args(folder: Path, **run: Any) -> list[str]:
    """The same run as a command line of ``train.py``."""
    settings = {
        "run.name": "tiny", "run.directory": folder, "run.iterations": 4, "run.threads": 1,
        "run.checkpoint_every": 1, "run.precision": "float32",
        "network.play_width": 16, "network.play_layers": 2, "network.bid_width": 16,
        "network.critic_width": 16, "network.critic_layers": 2, "collect.deals": 32,
        "learn.minibatch": 128, "pool.every": 1, "evaluation.every": 2, "evaluation.boards": 4,
        "evaluation.final_boards": 6, "evaluation.yardsticks": "[random]",
        **{f"run.{k}": v for k, v in run.items()},
    }  # fmt: skip
    return [part for key, value in settings.items() for part in (f"--{key}", str(value))]
