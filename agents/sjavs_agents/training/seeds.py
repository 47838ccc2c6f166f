"""Trainings that differ in their seeds alone, one after the other, and what they come to together.

Each is a run of its own, in its own folder, that goes on where it was stopped.  When all are
finished, their players are told as one: the interquartile mean over runs, with an interval that
leaves both seeds and boards to chance (``stats.bootstrap.runs_interval``).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch.distributed as dist
from rich.console import Console
from rich.table import Table

from sjavs_agents.stats.bootstrap import runs_interval
from sjavs_agents.training.arguments import TrainArguments
from sjavs_agents.training.config import TrainConfig, load_config
from sjavs_agents.training.session import failing, run_session
from sjavs_env.cli.atomic_files import check_writable, write_json
from sjavs_env.cli.command import BAD_INPUT, FAILED
from sjavs_env.cli.extras import needing
from sjavs_env.randomness import derived
from sjavs_env.rules.terms import Floats

__all__ = ["population_of", "run_seeds"]

MEASURES = ("game_points", "card_points")  # of which every board is kept


@dataclass(frozen=True)
class SeededRun:
    """One of the trainings."""

    seed: int
    arguments: TrainArguments
    config: TrainConfig

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return Path(self.config.run.directory) / self.config.run.name


def run_seeds(arguments: TrainArguments, program: str = "sjavs train") -> int:
    """Train with as many seeds as are asked for; return the exit status of the first that stops.

    SessionError says why one ends early, and refuses what cannot be used before the first begins.
    """
    with failing(BAD_INPUT, ValueError, OSError):
        if dist.is_torchelastic_launched():
            raise ValueError("seeds is given under torchrun; allowed: one training at a time there")
        with needing("evaluate"):
            import_module("scipy")  # before hours of work, not after
        runs = _runs(arguments)
        path = _result_path(runs[0])
        check_writable(path)
    for run in runs:
        status = run_session(run.arguments, program)
        if status:
            return status
    with failing(FAILED, ValueError, OSError):
        found = population_of([(run.seed, run.folder) for run in runs])
        write_json(path, found)
    Console(soft_wrap=True).print(_table(found, path))
    return 0


def _runs(arguments: TrainArguments) -> list[SeededRun]:
    """Return the trainings: seeds from that of the settings on, each in a folder named by it."""
    assert arguments.seeds is not None
    base, _ = load_config(arguments.settings)
    runs = []
    for seed in range(base.run.seed, base.run.seed + arguments.seeds):
        own = ["--run.seed", str(seed), "--run.name", f"{base.run.name}-{seed}"]
        given = replace(arguments, settings=[*arguments.settings, *own], seeds=None)
        runs.append(SeededRun(seed, given, load_config(given.settings)[0]))
    return runs


def _result_path(first: SeededRun) -> Path:
    name = first.config.run.name.removesuffix(f"-{first.seed}")
    return first.folder.parent / f"{name}-seeds.json"


def population_of(runs: Sequence[tuple[int, Path]]) -> dict[str, Any]:
    """Return, as JSON values, what finished runs (seed, folder) come to, one by one and together.

    ValueError for runs that were not measured on the same boards.
    """
    results = [json.loads((folder / "result.json").read_text("utf-8")) for _, folder in runs]
    if any(result["evaluation"] != results[0]["evaluation"] for result in results):
        raise ValueError("the runs were measured on different boards; allowed: the same")
    boards = [_boards(folder / "boards.csv") for _, folder in runs]
    against = {}
    for name in boards[0]:
        points = np.stack([of_run[name] for of_run in boards])  # (runs, boards, measures)
        band = runs_interval(points, derived(0, "seeds", name))
        against[name] = {
            measure: {"iqm": float(band.middle[i]), "low": float(band.low[i]),
                      "high": float(band.high[i]), "runs": points[:, :, i].mean(axis=1).tolist()}
            for i, measure in enumerate(MEASURES)
        }  # fmt: skip
    kept = ("decisions_trained", "deals_trained", "seconds", "against")
    return {
        "evaluation": results[0]["evaluation"],
        "boards": results[0]["boards"],
        "against": against,
        "runs": [
            {"seed": seed, "name": folder.name, **{key: result[key] for key in kept}}
            for (seed, folder), result in zip(runs, results, strict=True)
        ],
    }


def _boards(path: Path) -> dict[str, Floats]:
    """Return points (boards, measures) by opponent, as the run has written them."""
    found: dict[str, list[list[float]]] = {}
    for row in csv.DictReader(io.StringIO(path.read_text("utf-8"), newline="")):
        found.setdefault(row["against"], []).append([float(row[name]) for name in MEASURES])
    return {name: np.array(rows) for name, rows in found.items()}


def _table(found: dict[str, Any], path: Path) -> Table:
    """Return the results over runs as a table."""
    table = Table(
        title=f"{len(found['runs'])} seeds on {found['boards']:,} duplicate boards: "
        "interquartile means (95 % intervals over seeds and boards)",
        caption=f"saved as {path}", show_edge=False, pad_edge=False,
    )  # fmt: skip
    table.add_column("against")
    for heading in ("game points", "card points", "each seed"):
        table.add_column(heading, justify="right")
    for name, row in found["against"].items():
        cells = [f"{e['iqm']:+.2f} [{e['low']:.2f}, {e['high']:.2f}]" for e in row.values()]
        table.add_row(name, *cells, ", ".join(f"{x:+.2f}" for x in row["game_points"]["runs"]))
    return table
