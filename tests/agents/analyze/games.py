"""Recorded games to be judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sjavs_env import Game, SjavsEnv, write_record
from tests.engine.table import game_of, seated
from tests.envs.play import play_on

__all__ = ["game_at", "record_of", "written"]


def record_of(rules: str, players: int = 0, seed: int = 1) -> dict[str, Any]:
    """Let chance play until a deal was played, and return the record."""
    options: dict[str, Any] = seated(rules, players) if players else {}
    env = SjavsEnv(rules, **options)
    env.reset(seed=seed)
    play_on(env, np.random.default_rng(seed), 10**6)
    record: dict[str, Any] = env.history.record()
    return record


def game_at(rules: str, players: int = 0) -> Game:
    """The game that such records are of."""
    return game_of(rules, **({"players": players} if players else {}))


def written(path: Path, *records: dict[str, Any]) -> Path:
    """Write records to a file and return its path."""
    for record in records:
        write_record(path, record)
    return path
