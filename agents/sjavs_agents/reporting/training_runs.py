"""The folder of a training run as a record: its settings, its curves, its results by board."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sjavs_agents.reporting.checked import Checked, digest_of, read_bounded
from sjavs_agents.reporting.log_file import check_log
from sjavs_env.cli.command import reason
from sjavs_env.cli.extras import needing
from sjavs_env.errors import shown
from sjavs_env.rules.terms import Floats, Ints

__all__ = ["SETTINGS", "Series", "TrainingRun", "read_run"]

SETTINGS, BOARDS, VERSIONS = "config.yaml", "boards.csv", "versions.json"
MOST_LOGGED = 2**28  # bytes of a TensorBoard log
MOST_ROWS = 2**22  # of results by board
# settings that make no other training of it: who it is, and on what it ran
_NO_MATTER = {"run": ("name", "directory", "seed", "processes", "threads", "checkpoint_every",
                      "keep")}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Series:
    """A logged number: (points,) each."""

    decisions: Ints  # learned from so far
    values: Floats


@dataclass(frozen=True, eq=False)
class TrainingRun:
    """One training."""

    source: str
    digests: Mapping[str, str]  # SHA-256 by file
    versions: Mapping[str, str]
    settings: Mapping[str, str]  # by dotted name, without what makes no other training
    seed: str
    logged: Mapping[str, Series]  # by tag
    boards: Mapping[str, Floats]  # game points per deal (boards,) by opponent, of the final player


def read_run(folder: Path) -> TrainingRun:
    """Return what a run has left; ValueError or OSError, one line, if that is not sound.

    A run that has not finished has no results by board yet.  Needs the extra ``train``.
    """
    with needing("train"):
        import yaml

        from sjavs_agents.training.config_files import check_plain
    data, digest = read_bounded(folder / SETTINGS)
    digests = {SETTINGS: digest}
    try:
        text = data.decode("utf-8")
        check_plain(text)
        settings = Checked(yaml.safe_load(text), str(folder / SETTINGS))
    except (ValueError, yaml.YAMLError) as error:
        raise ValueError(f"{folder / SETTINGS} is no file of settings: {reason(error)}") from None
    seed = settings["run"]["seed"].count(2**64)
    return TrainingRun(
        source=str(folder), digests=digests, versions=_versions(folder, digests),
        settings=dict(_flat(settings)), seed=str(seed), logged=_logged(folder, digests),
        boards=_boards(folder, digests),
    )  # fmt: skip


def _flat(settings: Checked) -> list[tuple[str, str]]:
    """Return settings by dotted name, in their order."""
    found = []
    for name, value in settings.members():
        if isinstance(value.value, dict) and name != "overrides":
            left_out = _NO_MATTER.get(name, ())
            found += [(f"{name}.{k}", _plain(v.value)) for k, v in value.members()
                      if k not in left_out]  # fmt: skip
        else:
            found.append((name, _plain(value.value)))
    return found


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _versions(folder: Path, digests: dict[str, str]) -> dict[str, str]:
    """Return the versions that the run ended with; none if they were not kept."""
    path = folder / VERSIONS
    if not path.is_file():
        return {}
    data, digests[VERSIONS] = read_bounded(path)
    try:
        last = Checked(json.loads(data.decode("utf-8")), str(path))["sessions"].items(1)[-1]
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is no JSON: {reason(error)}") from None
    return {k: v.text() for k, v in last.members() if k in ("sjavs", "python", "torch", "numpy")}


def _logged(folder: Path, digests: dict[str, str]) -> dict[str, Series]:
    """Return the numbers of the TensorBoard log; none if there is no log."""
    paths = sorted(folder.glob("events.out.tfevents.*"))
    size = sum(path.stat().st_size for path in paths)
    if size > MOST_LOGGED:
        raise ValueError(f"the log in {folder} has {size} bytes; allowed: {MOST_LOGGED}")
    if not paths:
        return {}
    for path in paths:
        digests[path.name] = digest_of(path)
    with needing("train"):
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    for path in paths:
        check_log(path)
    try:
        log = EventAccumulator(str(folder), size_guidance={"scalars": 0}).Reload()
        found = {tag: log.Scalars(tag) for tag in log.Tags()["scalars"]}
    except Exception as error:  # junk fails in as many ways as there are parsers below it
        raise ValueError(f"the log in {folder} is damaged: {reason(error)}") from None
    return {
        tag: Series(np.array([e.step for e in events]), np.array([e.value for e in events]))
        for tag, events in sorted(found.items())
        if np.isfinite([e.value for e in events]).all()
    }


def _boards(folder: Path, digests: dict[str, str]) -> dict[str, Floats]:
    """Return the results of the final player by opponent; none if they were not kept."""
    path = folder / BOARDS
    if not path.is_file():
        return {}
    data, digests[BOARDS] = read_bounded(path)
    found: dict[str, list[float]] = {}
    try:
        for i, row in enumerate(csv.DictReader(io.StringIO(data.decode("utf-8"), newline=""))):
            if i >= MOST_ROWS:
                raise ValueError(f"more than {MOST_ROWS} boards")
            points = found.setdefault(row["against"], [])
            value = float(row["game_points"])
            if row["board"] != str(len(points)) or not np.isfinite(value):
                raise ValueError(
                    f"line {i + 2} is board {shown(row['board'])} with "
                    f"{shown(row['game_points'])}; allowed: boards 0, 1, ..."
                )
            points.append(value)
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        raise ValueError(f"{path} holds no results by board: {reason(error)}") from None
    return {name: np.array(values) for name, values in found.items()}
