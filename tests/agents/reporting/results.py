"""Small real results, made once by the commands that make them."""

from __future__ import annotations

import atexit
import csv
import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import train
from sjavs_agents.arena.command import main as evaluate
from sjavs_agents.reporting.command import main
from tests.agents.training.tiny import tiny_args

__all__ = ["changed", "evaluated", "kept_folder", "report", "tables_of", "trained"]

BOARDS, FEW = 40, 8  # of each pair: in the game that most is tested with, in others


def kept_folder() -> Path:
    """A folder for what tests share, which goes when they have all run."""
    folder = mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def evaluated(rules: str = "faroese", *more: str) -> Path:
    """The folder of three agents on a few boards, with times and records."""
    folder = kept_folder() / "out"
    boards = BOARDS if rules == "faroese" else FEW
    argv = ["rules", "greedy", "random", "--rules", rules, "--boards", str(boards), "--seed", "7",
            "--timings", "--record", str(folder.parent / "games.jsonl"), *more]  # fmt: skip
    assert evaluate([*argv, "--out", str(folder)]) == 0
    return folder


@cache
def trained(seed: int) -> Path:
    """The folder of a training of a few deals."""
    folder = kept_folder()
    argv = [*tiny_args(folder, seed=seed), "--evaluation.every", "1"]
    assert train.main(argv) == 0
    return folder / "tiny"


def report(folder: Path, *results: Path, title: str = "Evaluation") -> str:
    """The page of these results; Markdown and CSV lie beside it."""
    argv = ["--out", str(folder / "r.html"), "--markdown", str(folder / "r.md"),
            "--csv", str(folder / "csv"), "--title", title]  # fmt: skip
    assert main([*map(str, results), *argv]) == 0
    return (folder / "r.html").read_text("utf-8")


def tables_of(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of a table that was written as CSV."""
    (path,) = (folder / "csv").glob(f"*_{name}.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def changed(path: Path, folder: Path, **values: Any) -> Path:
    """A file of results in which some values are others."""
    data = json.loads(path.read_text("utf-8")) | values
    found = folder / "changed.json"
    found.write_text(json.dumps(data), encoding="utf-8")
    return found
