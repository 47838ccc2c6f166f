"""A champion made from a tiny run, measured in a few boards."""

from __future__ import annotations

from pathlib import Path

from sjavs_agents.champion.session import Export, export_champion
from sjavs_agents.champion.yardsticks import Yardsticks
from sjavs_agents.training.run import Training
from tests.agents.training.tiny import tiny_config

__all__ = ["BOARDS", "export", "tiny_run"]

BOARDS = 4


def tiny_run(folder: Path, rules: str = "faroese", init: str = "", name: str = "tiny") -> Path:
    """Train two iterations and keep a checkpoint; return the folder of the run."""
    config = tiny_config(folder, rules, init=init)
    config.run.name = name
    training = Training.begin(config)
    for _ in range(2):
        training.learn(training.collect())
    training.save()
    return training.folder


def export(run: Path, out: Path, *, replace: bool = False, against: str = "greedy") -> Path:
    """Make the champion; return the file of its weights."""
    yardsticks = Yardsticks(against.split(), BOARDS, 2, 3, "1")
    wanted = Export(run, out, replace, yardsticks, strict=True, compared=30)
    return export_champion(wanted, lambda _: None)
