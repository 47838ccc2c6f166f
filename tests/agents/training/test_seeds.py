"""Several seeds in one command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import trim_mean

import train
from sjavs_agents.training import seeds
from sjavs_env.cli.command import INTERRUPTED
from tests.agents.training.tiny import tiny_args


def test_seeds_are_trained_one_by_one_and_told_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = [*tiny_args(tmp_path, iterations=1, seed=5), "--seeds", "4"]
    assert train.main(args) == 0
    assert "4 seeds on 6 duplicate boards" in capsys.readouterr().out
    found = json.loads((tmp_path / "tiny-seeds.json").read_text())
    runs = [json.loads((tmp_path / f"tiny-{s}" / "result.json").read_text()) for s in range(5, 9)]
    assert [(run["seed"], run["name"]) for run in found["runs"]] == [
        (seed, f"tiny-{seed}") for seed in range(5, 9)
    ]
    means = [run["against"]["random"]["game_points"]["mean"] for run in runs]
    assert len(set(means)) > 1
    told = found["against"]["random"]["game_points"]
    np.testing.assert_allclose(told["runs"], means)
    assert told["iqm"] == pytest.approx(trim_mean(means, 0.25))
    assert told["low"] < told["iqm"] < told["high"]
    before = (tmp_path / "tiny-seeds.json").read_bytes()
    assert train.main(args) == 0  # all are finished: nothing is trained or measured again
    assert (tmp_path / "tiny-seeds.json").read_bytes() == before


def test_a_training_that_stops_stops_the_command_before_the_next_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def stopped(arguments: object, program: str) -> int:
        asked.append(arguments)
        return INTERRUPTED

    monkeypatch.setattr(seeds, "run_session", stopped)
    assert train.main([*tiny_args(tmp_path), "--seeds", "3"]) == INTERRUPTED
    assert len(asked) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("given", "message"), [
    ("1", "--seeds is 1; allowed: 2 to 1000"), ("2000", "--seeds is 2000; allowed: 2 to 1000"),
    ("x", "--seeds is 'x'; allowed: a whole number"),
])  # fmt: skip
def test_a_number_of_seeds_that_says_nothing_is_refused(
    tmp_path: Path, given: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train.main([*tiny_args(tmp_path), "--seeds", given]) == 2
    assert capsys.readouterr().err == f"train.py: error: {message}\n"


def test_seeds_are_refused_under_torchrun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "1")
    assert train.main([*tiny_args(tmp_path), "--seeds", "2"]) == 2
    assert "seeds is given under torchrun; allowed: " in capsys.readouterr().err


def test_runs_on_different_boards_are_no_population(tmp_path: Path) -> None:
    for seed in (0, 1):
        folder = tmp_path / f"tiny-{seed}"
        folder.mkdir()
        (folder / "result.json").write_text(json.dumps({"evaluation": {"seed": seed}}))
    with pytest.raises(ValueError, match="measured on different boards"):
        seeds.population_of([(seed, tmp_path / f"tiny-{seed}") for seed in (0, 1)])
