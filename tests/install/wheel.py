"""The wheel of this checkout, and a folder of a user who has files of the same names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

__all__ = ["ROOT", "built", "users_folder"]

ROOT = Path(__file__).parents[2]

CONSUMER = """
from sjavs_agents.registry import make_agent
from sjavs_env import Game, SingleSeatEnv, __version__, make_rules

version: str = __version__
game: Game = Game(make_rules("klorsjavs"))
learner = SingleSeatEnv(game.rules, policy=make_agent("rules", game))
name: str = make_agent("expert", game).name
"""  # what a type checker has to follow


def built(folder: Path, kind: str = "wheel") -> Path:
    """Build the wheel, or the sdist, without a network, and return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.iterdir()
    return path


def users_folder(folder: Path) -> Path:
    """Make a project with a package ``agents`` and a script ``train.py`` of its own."""
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "__init__.py").write_text("whose = 'the user'\n", encoding="utf-8")
    for name in ("train", "evaluate"):
        (folder / f"{name}.py").write_text(f"print('{name} of the user')\n", encoding="utf-8")
    (folder / "consumer.py").write_text(CONSUMER, encoding="utf-8")
    return folder
