"""What a champion is made from: the newest checkpoint of a run, and the runs that it began from."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.champion.model_card import read_card
from sjavs_agents.neural.checkpoint import (
    DamagedError,
    newest_checkpoint,
    read_checkpoint,
    require,
    require_content,
)
from sjavs_agents.neural.policy import require_same_game
from sjavs_agents.neural.shelf import CHAMPION, champion_file
from sjavs_agents.training.continuing import RUN
from sjavs_env import Game, rules_from_json
from sjavs_env.errors import shown

__all__ = ["Origin", "read_origin", "sittings", "told_settings"]

PLAYER = "average."  # the slow copy of the policies, which is what is measured
MOST_SITTINGS = 100


@dataclass(frozen=True)
class Origin:
    """A checkpoint of a run."""

    source: Path
    weights: Mapping[str, NDArray[np.float32]]  # of the player, and nothing else
    meta: Mapping[str, Any]

    @property
    def game(self) -> Game:
        """The game it was trained on."""
        return Game(rules_from_json(self.meta["rules"]))


def read_origin(path: Path) -> Origin:
    """Return the newest sound checkpoint of a run, or the one in a file.

    CheckpointError or ValueError, one line, for anything else, and for a run with parameters of its
    own: a champion is the player of a rule set as it stands.
    """

    def use(source: Path, arrays: Any, meta: dict[str, Any]) -> Origin:
        require_content(source, meta, "agent")
        require(RUN, meta)
        weights = {name: value for name, value in arrays.items() if name.startswith(PLAYER)}
        return Origin(source, weights, meta)

    found = _newest(path, use) if path.is_dir() else _of_file(path, use)
    require_same_game(found.source, found.meta, found.game)
    others = sorted(set(found.meta["rules"].get("overrides") or {}) - {"players"})
    if others:
        raise ValueError(
            f"{path} was trained with {others[0]} set; allowed: a rule set as it stands"
        )
    return found


def _newest(path: Path, use: Any) -> Origin:
    for folder in (path / "checkpoints", path):
        found = newest_checkpoint(folder, use)
        if found is not None:
            origin: Origin = found[0]
            return origin
    raise ValueError(f"{path}: there is no checkpoint in this folder; allowed: that of a run")


def _of_file(path: Path, use: Any) -> Origin:
    try:
        origin: Origin = use(path, *read_checkpoint(path))
    except DamagedError as error:
        said = str(error)
        raise ValueError(said if str(path) in said else f"{path}: {said}") from None
    return origin


def sittings(origin: Origin) -> list[dict[str, Any]]:
    """Return how long the weights were trained: the run itself last, before it what it began from.

    ValueError or OSError, one line, where a run that it began from is not there any more.
    """
    found: list[dict[str, Any]] = []
    here: Origin | None = origin
    while here is not None:
        meta = here.meta
        run = meta["config"]["run"]
        found.insert(0, {
            "run": run["name"], "seed": run["seed"], "iterations": meta["iteration"],
            "decisions": meta["decisions"], "deals": meta["deals"],
            "hours": round(meta["seconds"] / 3600, 4), "versions": meta.get("versions", {}),
        })  # fmt: skip
        before = run.get("init", "")
        if before.partition(":")[0] == CHAMPION:
            of_card: list[dict[str, Any]] = read_card(champion_file(here.game.rules))["training"][
                "sittings"
            ]
            return of_card + found
        if len(found) == MOST_SITTINGS:
            raise ValueError(f"run.init leads on from run to run; allowed: {MOST_SITTINGS} runs")
        here = _before(before) if before else None
    return found


def _before(init: str) -> Origin:
    try:
        return read_origin(Path(init))
    except (ValueError, OSError) as error:
        raise ValueError(
            f"run.init is {shown(init)}, of which a card has to tell: {error}"
        ) from None


def told_settings(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a run as a card shows them: without the places of a machine."""
    config = deepcopy(dict(meta["config"]))
    run = config["run"] = dict(config["run"])
    run.pop("directory", None)
    run["init"] = PurePath(run.get("init", "")).name
    return config
