"""What a report is made from, by what lies at each path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sjavs_agents.arena.results_folder import RESULTS
from sjavs_agents.reporting.evaluation_file import Evaluation, read_evaluation, read_folder
from sjavs_agents.reporting.recorded_bids import RecordedBids, holds_records, read_bids
from sjavs_agents.reporting.training_runs import SETTINGS, TrainingRun, read_run
from sjavs_env.cli.readable import check_readable
from sjavs_env.errors import shown

__all__ = ["Inputs", "read_inputs"]

MOST_INPUTS = 500


@dataclass(frozen=True)
class Inputs:
    """All that was read."""

    evaluations: tuple[Evaluation, ...]
    runs: tuple[TrainingRun, ...]
    bids: tuple[RecordedBids, ...]
    read: tuple[Path, ...]  # files


def read_inputs(paths: Sequence[Path]) -> Inputs:
    """Return what lies at paths; ValueError or OSError, one line, for what is none of it."""
    if len(paths) > MOST_INPUTS:
        raise ValueError(f"results are {len(paths)}; allowed: 1 to {MOST_INPUTS}")
    evaluations, runs = [], []
    bids: list[RecordedBids] = []
    read: list[Path] = []
    for path in paths:
        check_readable(path, again=True)
        if (path / SETTINGS).is_file():
            run = read_run(path)
            runs.append(run)
            read += [path / name for name in run.digests]
        elif (path / RESULTS).is_file():
            evaluation = read_folder(path)
            evaluations.append(evaluation)
            read += [path / name for name in evaluation.digests]
        elif path.is_dir():
            raise ValueError(
                f"{shown(str(path))} is a folder without {RESULTS} and {SETTINGS}; allowed: the "
                "folder of `sjavs evaluate --out` or of a run"
            )
        elif holds_records(path):
            bids += read_bids(path)
            read.append(path)
        else:
            evaluations.append(read_evaluation(path))
            read.append(path)
    return Inputs(tuple(evaluations), tuple(runs), tuple(bids), tuple(read))
