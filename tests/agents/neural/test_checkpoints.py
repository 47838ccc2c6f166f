"""Checkpoints that hold something else than a run needs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.neural.checkpoint import (
    CheckpointError,
    checkpoint_files,
    read_checkpoint,
    write_checkpoint,
)
from sjavs_agents.registry import make_agent
from sjavs_agents.training.config import TrainConfig
from sjavs_agents.training.run import Training
from sjavs_env import Game, make_rules
from tests.agents.training.tiny import tiny_config

Arrays = dict[str, NDArray[Any]]
Meta = dict[str, Any]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of runs, one in it, with checkpoints of two iterations."""
    folder = tmp_path_factory.mktemp("runs")
    training = Training(tiny_config(folder))
    for _ in range(2):
        training.learn(training.collect())
        training.save()
    return folder


def run_in(folder: Path) -> tuple[TrainConfig, Path]:
    """Return the configuration of the run in a folder and its newest checkpoint."""
    config = tiny_config(folder)
    return config, checkpoint_files(folder / config.run.name / "checkpoints")[0]


def without(name: str) -> Callable[[Arrays, Meta], object]:
    return lambda arrays, meta: meta.pop(name)


def holding(name: str, value: object) -> Callable[[Arrays, Meta], object]:
    return lambda arrays, meta: meta.update({name: value})


def array(name: str, value: Any) -> Callable[[Arrays, Meta], object]:
    return lambda arrays, meta: arrays.update({name: value(arrays[name])})


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        *((without(name), name) for name in ("config", "rules", "observation", "precision", "pool",
                                             "iteration", "decisions", "seconds", "strength")),
        (holding("config", 3), "items"),
        *((holding("iteration", value), "iteration is") for value in ("x", None, -1, 1.5, True)),
        (holding("decisions", "x"), "decisions is 'x'"),
        (holding("deals", None), "deals is None"),
        (holding("seconds", -1.0), "seconds is -1.0"),
        (holding("strength", 3), "strength is 3"),
        (holding("pool", {"names": ["a"], "won": []}), "1 copies in the pool, 0 results"),
        (holding("pool", {"names": ["a", "b", "c"], "won": [0.5] * 3}), "pool.2"),
        (lambda arrays, meta: arrays.clear(), "do not fit this network"),
        (array("policies.play.head.weight", lambda old: old[:2]), "do not fit this network"),
        (array("average.play.head.bias", lambda old: old * np.nan), "not all finite"),
        (array("optimizer.play.0.exp_avg", lambda old: old[:2]), "has shape"),
        (array("games.phase", lambda old: old + 77), "out of range"),
        (array("games.seat", lambda old: old + 9), "out of range"),
        (array("games.dealt", lambda old: old[:5]), "same shape"),
        (lambda arrays, meta: arrays.pop("games.dealer"), "dealer"),
    ],
)  # fmt: skip
def test_a_checkpoint_that_makes_no_run_is_named_and_the_one_before_it_used(
    saved: Path, tmp_path: Path, spoil: Callable[[Arrays, Meta], object], why: str
) -> None:
    config, last = run_in(shutil.copytree(saved, tmp_path / "runs"))
    arrays, meta = read_checkpoint(last)
    spoil(arrays, meta)
    write_checkpoint(last, arrays, meta)
    found = Training.resume_newest(config, last.parent)
    assert found is not None
    run, path, (trouble,) = found
    assert (run.iteration, path.name) == (1, "iteration_00000001.safetensors")
    assert trouble.startswith(f"{last}: the checkpoint is damaged or incomplete: ")
    assert why in trouble
    assert "\n" not in trouble


def test_a_folder_without_a_whole_checkpoint_makes_no_run(saved: Path, tmp_path: Path) -> None:
    config, last = run_in(shutil.copytree(saved, tmp_path / "runs"))
    found = checkpoint_files(last.parent)
    for path in found:
        path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(CheckpointError) as caught:
        Training.resume_newest(config, last.parent)
    assert all(str(path) in str(caught.value) for path in found)
    for path in found:
        path.unlink()
    assert Training.resume_newest(config, last.parent) is None


def test_settings_that_cannot_be_used_are_not_blamed_on_the_checkpoint(tmp_path: Path) -> None:
    config = tiny_config(tmp_path)
    folder = Training(config).save().parent
    config.evaluation.yardsticks = ["nobody"]
    with pytest.raises(ValueError, match="there is no agent 'nobody'") as caught:
        Training.resume_newest(config, folder)
    assert not isinstance(caught.value, CheckpointError)


def test_a_run_is_not_resumed_by_rules_of_another_version(tmp_path: Path) -> None:
    config = tiny_config(tmp_path)
    arrays, meta = read_checkpoint(Training(config).save())
    meta["rules"]["version"] += 1
    with pytest.raises(CheckpointError, match=r"'version': 2.*; allowed: another run\.name"):
        Training.resume(config, arrays, meta)


def test_a_player_from_a_folder_with_a_damaged_checkpoint_warns_of_it(
    saved: Path, tmp_path: Path
) -> None:
    config, last = run_in(shutil.copytree(saved, tmp_path / "runs"))
    last.write_bytes(last.read_bytes()[:1000])
    game = Game(make_rules(config.rules))
    with pytest.warns(UserWarning, match=r"iteration_00000002.*using an older checkpoint"):
        player: Any = make_agent(str(last.parents[1]), game)
    older, _ = read_checkpoint(last.with_name("iteration_00000001.safetensors"))
    np.testing.assert_array_equal(
        player.policies.state_dict()["play.head.weight"], older["average.play.head.weight"]
    )


def test_a_player_whose_weights_are_no_numbers_is_refused(saved: Path, tmp_path: Path) -> None:
    config, last = run_in(saved)
    arrays, meta = read_checkpoint(last)
    arrays["average.bid.head.bias"] = arrays["average.bid.head.bias"] + np.inf
    path = tmp_path / "x.safetensors"
    write_checkpoint(path, arrays, meta)
    with pytest.raises(ValueError, match=r"x\.safetensors.*not all finite"):
        make_agent(str(path), Game(make_rules(config.rules)))
