"""What a run leaves behind, and how it goes on from it."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from tensorboard.backend.event_processing.event_accumulator import (
    EventAccumulator,
)

import train
from sjavs_agents.neural.checkpoint import read_checkpoint
from sjavs_agents.stats.estimates import estimate_mean
from sjavs_agents.training.config import load_config
from sjavs_agents.training.run import Training
from tests.agents.training.tiny import tiny_args, tiny_config


def finished(tmp_path: Path, *more: str, **run: Any) -> Path:
    assert train.main([*tiny_args(tmp_path, **run), *more]) == 0
    return tmp_path / "tiny"


def test_a_run_folder_holds_every_setting_with_the_value_used(tmp_path: Path) -> None:
    folder = finished(tmp_path, "--rules", "klorsjavs")
    used = yaml.safe_load((folder / "config.yaml").read_text())
    assert used["collect"] == {"deals": 32, "explore": 0.5, "explore_end": 0.1, "reward_scale": 0.2}
    assert used["run"]["precision"] == "float32"
    config, _ = load_config(["--config", str(folder / "config.yaml")])
    assert config == Training(config).config
    _, meta = read_checkpoint(folder / "checkpoints" / "iteration_00000004.safetensors")
    assert meta["config"] == used


def test_a_run_folder_says_what_it_was_made_with(tmp_path: Path) -> None:
    folder = finished(tmp_path)
    (session,) = json.loads((folder / "versions.json").read_text())["sessions"]
    assert session["from_iteration"] == 0
    assert session["numpy"] == np.__version__
    assert session["rules"].startswith("faroese ")
    assert {"sjavs", "python", "torch", "observation"} < set(session)
    session["torch"] = "another"
    (folder / "versions.json").write_text(json.dumps({"sessions": [session]}))
    finished(tmp_path, iterations=5)
    sessions = json.loads((folder / "versions.json").read_text())["sessions"]
    assert [s["from_iteration"] for s in sessions] == [0, 4]


def test_the_intervals_of_a_result_can_be_made_again_from_its_boards(tmp_path: Path) -> None:
    folder = finished(tmp_path)
    result = json.loads((folder / "result.json").read_text())
    with (folder / "boards.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["board"]) for row in rows] == list(range(6))
    for name in ("game_points", "card_points"):
        again = estimate_mean(np.array([float(row[name]) for row in rows]))
        stored = result["against"]["random"][name]
        assert stored == {"mean": again.mean, "low": again.low, "high": again.high}


def test_every_point_logged_is_shown_whenever_a_run_was_resumed(tmp_path: Path) -> None:
    for iterations in (2, 3, 5):
        finished(tmp_path, iterations=iterations)
    log = EventAccumulator(str(tmp_path / "tiny"))
    log.Reload()
    assert len(log.Scalars("losses/value")) == 5
    assert len({event.step for event in log.Scalars("losses/value")}) == 5


def test_a_finished_run_is_continued_by_the_schedule_of_its_new_length(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = finished(tmp_path, iterations=2)
    first = json.loads((folder / "result.json").read_text())
    finished(tmp_path, iterations=4)
    assert "Resuming" in capsys.readouterr().out
    again = json.loads((folder / "result.json").read_text())
    assert again["decisions_trained"] > first["decisions_trained"]
    log = EventAccumulator(str(folder)).Reload()
    rates = [event.value for event in log.Scalars("charts/learning_rate")]
    start, end = 5e-4, 1e-5
    wanted = [start + (end - start) * share for share in (0, 1 / 2, 2 / 4, 3 / 4)]
    assert rates == pytest.approx(wanted)


def test_a_finished_run_says_so_and_tells_its_result_without_measuring_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    finished(tmp_path, iterations=2)
    table = capsys.readouterr().out.partition("Trained player")[2]
    monkeypatch.delattr("sjavs_agents.training.result.evaluate")
    folder = finished(tmp_path, iterations=2)
    line, _, again = capsys.readouterr().out.partition("\n")
    assert line == (
        f"The run {folder} is finished after iteration 2; a larger --run.iterations continues it, "
        "--fresh true starts over."
    )
    assert again.partition("Trained player")[2] == table != ""


def test_a_run_is_not_cut_shorter_than_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(tmp_path, iterations=3)
    assert train.main(tiny_args(tmp_path, iterations=2)) == 2
    err = capsys.readouterr().err
    assert "run.iterations is 2, and the run 'tiny' has done 3; allowed: 3 or more" in err
    assert err.count("\n") == 1


def test_what_may_change_in_a_run_is_told_with_what_may_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(tmp_path)
    args = [*tiny_args(tmp_path), "--learn.clip", "0.3", "--pool.size", "3"]
    assert train.main(args) == 2
    err = capsys.readouterr().err
    assert "was started with learn.clip 0.2, not 0.3, pool.size 8, not 3; allowed: the old" in err
    assert "what may change in a run: run.directory, run.iterations, " in err
    assert err.count("\n") == 1


def test_a_run_of_before_the_derived_settings_goes_on_with_its_own(tmp_path: Path) -> None:
    config = tiny_config(tmp_path, "klorsjavs")
    training = Training(config)
    arrays, meta = read_checkpoint(training.save())
    for section, name in (("run", "init"), ("learn", "name")):  # what it did not have
        del meta["config"][section][name]
    meta["config"]["collect"] = {"deals": 32, "explore": 0.0, "reward_scale": 0.3}
    del meta["versions"]
    resumed = Training.resume(config, arrays, {**meta, "torch": "2.6.0", "numpy": "2.0.0"})
    used = resumed.config.collect
    assert (used.explore, used.explore_end, used.reward_scale) == (0.0, 0.0, 0.3)


def weights(training: Training, part: str = "play.head.weight") -> Any:
    return training.arrays()[f"policies.{part}"]


@pytest.mark.parametrize("source", ["folder", "checkpoint", "player"])
def test_a_run_starts_from_the_weights_of_another(tmp_path: Path, source: str) -> None:
    folder = finished(tmp_path / "first")
    last = folder / "checkpoints" / "iteration_00000004.safetensors"
    path = {"folder": folder, "checkpoint": last, "player": folder / "agent.safetensors"}[source]
    config = tiny_config(tmp_path / "second", seed=5)
    config.run.init = str(path)
    config.network.critic_layers = 2
    training = Training.begin(config)
    arrays, _ = read_checkpoint(path if source != "folder" else last)
    prefix = "average" if source == "player" else "policies"
    np.testing.assert_array_equal(weights(training), arrays[f"{prefix}.play.head.weight"])
    np.testing.assert_array_equal(
        training.arrays()["average.bid.head.bias"], arrays["average.bid.head.bias"]
    )
    has_critic = "critic.head.weight" in arrays
    fresh = Training(tiny_config(tmp_path, seed=5)).arrays()["critic.head.weight"]
    np.testing.assert_array_equal(
        training.arrays()["critic.head.weight"],
        arrays["critic.head.weight"] if has_critic else fresh,
    )
    training.learn(training.collect())
    assert training.iteration == 1


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--run.init", "{}/nothing"], "there is no such checkpoint file"),
        (["--run.init", "{}/tiny", "--rules", "klorsjavs"], "trained on faroese for 4 players, "),
        (["--run.init", "{}/tiny", "--network.play_width", "24"],
         "its network.play_width is 16, not 24; allowed: the same"),
        (["--run.init", "{}/tiny/result.json"], "not a whole safetensors file"),
    ],
)  # fmt: skip
def test_weights_that_do_not_fit_are_refused_before_any_work(
    tmp_path: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(tmp_path)
    args = [*tiny_args(tmp_path / "second"), *(part.format(tmp_path) for part in more)]
    assert train.main(args) == 2
    err = capsys.readouterr().err
    assert "run.init: " in err
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "second").exists()


def test_a_fresh_start_deletes_what_the_run_wrote_and_nothing_else(tmp_path: Path) -> None:
    folder = finished(tmp_path)
    (folder / "notes.txt").write_text("mine")
    before = (folder / "versions.json").stat().st_mtime_ns
    finished(tmp_path, "--fresh", "true")
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "versions.json").stat().st_mtime_ns != before
    shutil.rmtree(folder)
