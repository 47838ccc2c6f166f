"""Files that version 0.1.0 wrote before the learner had a name are read as they are."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import train
from sjavs_agents.belief.learned_belief import load_belief
from sjavs_agents.neural.checkpoint import read_checkpoint
from sjavs_agents.registry import make_agent
from sjavs_agents.training.config import TrainConfig, load_config
from sjavs_agents.training.run import Training
from sjavs_env import Game, make_rules

OLD = Path(__file__).parent / "old"
KLORSJAVS = Game(make_rules("klorsjavs"))


def args(folder: Path) -> list[str]:
    """The command line that they were made with; nothing in it is derived from the rules."""
    settings = {
        "rules": "klorsjavs", "run.name": "old", "run.directory": folder, "run.iterations": 3,
        "run.precision": "float32", "network.play_width": 2, "network.play_layers": 1,
        "network.bid_width": 2, "network.bid_layers": 1, "network.critic_width": 2,
        "network.critic_layers": 1, "collect.deals": 4, "pool.every": 1, "pool.size": 1,
        "evaluation.yardsticks": "[random]", "evaluation.final_boards": 4,
    }  # fmt: skip
    return [part for key, value in settings.items() for part in (f"--{key}", str(value))]


def old_run(folder: Path) -> TrainConfig:
    path = folder / "old" / "checkpoints"
    path.mkdir(parents=True)
    shutil.copy(OLD / "iteration_00000002.safetensors", path)
    return load_config(args(folder))[0]


def test_an_old_checkpoint_gives_back_all_its_arrays(tmp_path: Path) -> None:
    config = old_run(tmp_path)
    found = Training.resume_newest(config, tmp_path / "old" / "checkpoints")
    assert found is not None
    run, path, troubles = found
    assert troubles == []
    stored, _ = read_checkpoint(path)
    again, _ = read_checkpoint(run.save())
    assert stored.keys() == again.keys()
    for name, value in stored.items():
        np.testing.assert_array_equal(again[name], value, err_msg=name)
    assert (run.iteration, run.config.collect.explore) == (2, 0.0)


def test_an_old_run_is_finished_by_the_command_that_it_was_begun_with(tmp_path: Path) -> None:
    old_run(tmp_path)
    assert train.main(args(tmp_path)) == 0
    assert (tmp_path / "old" / "agent.safetensors").exists()


def test_an_old_player_and_an_old_belief_are_read(tmp_path: Path) -> None:
    player: Any = make_agent(str(OLD / "agent.safetensors"), KLORSJAVS)
    arrays, _ = read_checkpoint(OLD / "agent.safetensors")
    np.testing.assert_array_equal(
        player.policies.state_dict()["play.head.bias"], arrays["average.play.head.bias"]
    )
    assert load_belief(str(OLD / "belief.safetensors"), KLORSJAVS).holders == (
        "left",
        "right",
        "talon",
    )


def error_of(call: Callable[[], object]) -> str | None:
    """What a call says that refuses what it is given; None if it does not."""
    try:
        call()
    except ValueError as error:
        return str(error)
    return None


@given(
    cuts=st.lists(st.tuples(st.integers(0, 6000), st.binary(min_size=1, max_size=6)), max_size=3),
    keep=st.integers(0, 7000),
)
def test_whatever_happens_to_the_bytes_of_a_player_is_told_in_one_line(
    cuts: list[tuple[int, bytes]], keep: int
) -> None:
    data = bytearray((OLD / "agent.safetensors").read_bytes()[:keep])
    for at, new in cuts:
        data[at : at + len(new)] = new
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.safetensors"
        path.write_bytes(data)
        said = error_of(lambda: make_agent(str(path), KLORSJAVS))
    assert said is None or ("x.safetensors" in said and "\n" not in said and len(said) < 1000)


LEAF = st.none() | st.booleans() | st.integers(-3, 2**70) | st.floats(allow_nan=False)
TEXT = st.text(max_size=4)
VALUES = st.recursive(
    LEAF | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@given(data=st.data())
def test_whatever_a_checkpoint_says_of_itself_a_run_is_made_of_it_or_one_line(
    data: st.DataObject,
) -> None:
    arrays, meta = read_checkpoint(OLD / "iteration_00000002.safetensors")
    place = meta
    while True:  # down to some member, whose value is replaced
        key = data.draw(st.sampled_from(sorted(place)))
        if not isinstance(place[key], dict) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(VALUES)
    config = load_config(args(Path("nowhere")))[0]
    said = error_of(lambda: Training.resume(config, arrays, meta))
    assert said is None or ("\n" not in said and len(said) < 2000)
