"""Checkpoints that hold something else than a run needs."""

from __future__ import annotations

import json
import re
import resource
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.belief.learned_belief import load_belief
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
        (holding("config", 3), "config is 3"),
        *((holding("iteration", value), "iteration is") for value in ("x", None, -1, 1.5, True)),
        (holding("iteration", 10**9), "iteration is 1000000000 of 4"),
        (holding("decisions", "x"), "decisions is 'x'"),
        (holding("decisions", 10**400), "decisions is a whole number of 1329 bits"),
        (holding("deals", None), "deals is null"),
        (holding("strength", {"a": 1}), "strength.a is 1"),
        (holding("strength", {"a": {}}), "strength.a has no game points"),
        (holding("pool", {"names": ["a", "b"], "won": [0.5, 2]}), "pool.won.1 is 2"),
        (holding("pool", {"names": ["a", 3], "won": [0.5, 0.5]}), "pool.names.1 is 3"),
        (holding("precision", "float8"), "precision is 'float8'"),
        (holding("seconds", -1.0), "seconds is -1.0"),
        (holding("strength", 3), "strength is 3"),
        (holding("pool", {"names": ["a"], "won": []}), "1 copies in the pool, 0 results"),
        (holding("pool", {"names": ["a", "b", "c"], "won": [0.5] * 3}), "3 copies in the pool"),
        (lambda arrays, meta: arrays.clear(), "do not fit this network"),
        (array("policies.play.head.weight", lambda old: old > 0), "has type BOOL"),
        (array("critic.head.bias", lambda old: old.astype(np.float64)), "type float64"),
        (lambda arrays, meta: arrays.pop("optimizer.play.0.step"), "0.step"),
        (array("optimizer.play.0.exp_avg_sq", lambda old: old - 1), "is negative"),
        (array("optimizer.play.0.exp_avg", lambda old: old * np.nan), "not all finite"),
        (
            lambda arrays, meta: arrays.update(
                {"optimizer.play.-1.step": arrays["optimizer.play.0.step"]}
            ),
            "optimizer.play.-1.step belongs to no parameter",
        ),
        (array("games.score", lambda old: old.astype(np.float32)), "games.score has type float32"),
        (array("policies.play.head.weight", lambda old: old[:2]), "do not fit this network"),
        (array("average.play.head.bias", lambda old: old * np.nan), "not all finite"),
        (array("optimizer.play.0.exp_avg", lambda old: old[:2]), "has shape"),
        (array("games.phase", lambda old: old + 77), "out of range"),
        (array("games.seat", lambda old: old + 9), "out of range"),
        (array("games.trick", lambda old: old * 0 + 31), "a card is in the trick twice"),
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
    assert trouble.startswith(f"{last}: ")
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


# files made by hand: the header (a text or an object) and the bytes of the arrays


def raw(header: object, data: bytes = b"") -> bytes:
    text = header if isinstance(header, str) else json.dumps(header)
    encoded = text.encode()
    return len(encoded).to_bytes(8, "little") + encoded + data


def raw_array(dtype: str, shape: list[int], n_bytes: int, meta: str = "{}") -> bytes:
    entry = {"dtype": dtype, "shape": shape, "data_offsets": [0, n_bytes]}
    return raw({"__metadata__": {"sjavs": meta}, "x": entry}, bytes(n_bytes))


ABOUT = '"format": "sjavs-checkpoint", "version": 1'


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (raw("[" * 100_000), "nested too deeply"),
        (raw({"__metadata__": {"sjavs": "[" * 100_000}}), "nested too deeply"),
        (raw("[]"), "no JSON object"),
        (raw("{" * 3), "no JSON object"),
        (b"\xff" * 8 + bytes(64), "cut off"),
        (b"", "cut off"),
        *(
            (raw_array(dtype, [2], 2 * size), f"has type {dtype}; allowed: F16, F32, ")
            for dtype, size in (("BF16", 2), ("F8_E4M3", 1), ("C64", 8), ("BOOL", 1))
        ),
        (raw_array("F32", [3], 8), "another size than its shape"),
        (raw_array("F32", [2**40, 2**40, 2**40], 8), "another size than its shape"),
        (raw_array("F32", [-2], 8), "has no shape and place"),
        (raw({"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}), "outside the file"),
        (raw({"x": 3}), "has no type, shape and place"),
        (raw('{"x": 1, "x": 1}'), "has 'x' twice"),
        (raw_array("F32", [1], 4, f'{{{ABOUT}, "iteration": 1, "iteration": 2}}'), "twice"),
        (raw_array("F32", [1], 4, f'{{{ABOUT}, "pool": {{"won": [NaN]}}}}'), "holds NaN"),
        (raw_array("F32", [1], 4, f'{{{ABOUT}, "n": {"9" * 5000}}}'), "no JSON object"),
        (raw_array("F32", [1], 4, "{}"), "format None version None; this program reads"),
    ],
)  # fmt: skip
def test_a_file_of_weights_made_by_hand_is_refused_in_one_line_at_once(
    tmp_path: Path, data: bytes, why: str
) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(data)
    start = time.perf_counter()
    with pytest.raises(CheckpointError) as caught:
        read_checkpoint(path)
    assert time.perf_counter() - start < 5
    assert why in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
    game = Game(make_rules())
    for command in (make_agent, load_belief):  # the same door for players and beliefs
        with pytest.raises(ValueError, match=re.escape(why)):
            command(str(path), game)


@pytest.mark.parametrize("sizes", [{"play_layers": 2**31}, {"bid_layers": 10**5},
                                   {"play_width": 8192, "play_layers": 64}, {"depth": 3},
                                   {"play_width": 0}, {"play_width": True}])  # fmt: skip
def test_networks_of_sizes_that_the_file_has_not_take_no_memory(
    saved: Path, tmp_path: Path, sizes: dict[str, int]
) -> None:
    config, last = run_in(saved)
    arrays, meta = read_checkpoint(last)
    meta["config"]["network"] |= sizes
    path = tmp_path / "x.safetensors"
    write_checkpoint(path, arrays, meta)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match=r"x\.safetensors: the checkpoint is damaged"):
        make_agent(str(path), Game(make_rules(config.rules)))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kB


def test_a_player_from_a_folder_passes_over_a_checkpoint_that_makes_none(
    saved: Path, tmp_path: Path
) -> None:
    config, last = run_in(shutil.copytree(saved, tmp_path / "runs"))
    arrays, meta = read_checkpoint(last)
    arrays["average.play.head.bias"] = arrays["average.play.head.bias"] * np.nan
    write_checkpoint(last, arrays, meta)
    with pytest.warns(UserWarning, match=r"iteration_00000002.*not all finite.*older checkpoint"):
        make_agent(str(last.parents[1]), Game(make_rules(config.rules)))
