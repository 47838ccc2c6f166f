"""The step size over a run, and runs that are made longer."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import train
from sjavs_agents.neural.checkpoint import checkpoint_files, read_checkpoint
from sjavs_agents.training.config import ConfigError, LearnConfig, load_config
from sjavs_agents.training.learners.schedule import Schedule
from tests.agents.training.tiny import tiny_args

LATE = ["--learn.decay", "wsd", "--learn.cooldown", "0.5", "--learn.warmup", "0.25"]


def test_the_step_size_rises_stays_and_falls() -> None:
    config = LearnConfig(
        learning_rate=1e-3, learning_rate_end=1e-5, decay="wsd", warmup=0.2, cooldown=0.4
    )
    at = [0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0]
    found = [Schedule.at(config, progress).learning_rate for progress in at]
    assert found == pytest.approx([1e-4, 5.5e-4, 1e-3, 1e-3, 1e-3, 5.05e-4, 1e-5])


@pytest.mark.parametrize(("warmup", "cooldown", "edge"), [(0.0, 0.5, 0.0), (0.5, 0.0, 1.0)])
def test_a_schedule_may_have_no_warmup_or_no_cooldown(
    warmup: float, cooldown: float, edge: float
) -> None:
    config = LearnConfig(learning_rate=1e-3, decay="wsd", warmup=warmup, cooldown=cooldown)
    assert Schedule.at(config, edge).learning_rate == pytest.approx(1e-3)


def test_warmup_and_cooldown_share_the_run() -> None:
    with pytest.raises(ConfigError, match=r"^learn\.warmup \+ learn\.cooldown is above 1; allowed"):
        load_config(["--learn.warmup", "0.6", "--learn.cooldown", "0.6"])


def names(folder: Path) -> list[int]:
    return sorted(int(p.stem[-8:]) for p in checkpoint_files(folder / "tiny" / "checkpoints"))


def test_a_longer_run_goes_on_from_where_the_step_size_began_to_fall(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is, bit for bit, the run that was meant to be as long from that point on."""
    short, straight = tmp_path / "short", tmp_path / "straight"
    assert train.main([*tiny_args(short, iterations=4, keep=1), *LATE]) == 0
    assert names(short) == [2, 4]  # one that is kept, and one to go on from
    shutil.copytree(short, straight)
    (straight / "tiny" / "checkpoints" / "iteration_00000004.safetensors").unlink()
    capsys.readouterr()
    for folder in (short, straight):
        assert train.main([*tiny_args(folder, iterations=8, keep=9), *LATE]) == 0
    assert "after iteration 2, from where the step size began to fall" in capsys.readouterr().out
    assert names(short) == [2, 3, 4, 5, 6, 7, 8]
    last = "tiny/checkpoints/iteration_00000008.safetensors"
    (ours, _), (theirs, _) = (read_checkpoint(folder / last) for folder in (short, straight))
    for name, value in ours.items():
        np.testing.assert_array_equal(value, theirs[name], err_msg=name)
    events = EventAccumulator(str(short / "tiny")).Reload()
    rates = [e.value for e in events.Scalars("charts/learning_rate")]
    full = LearnConfig().learning_rate
    assert rates[-8:-3] == pytest.approx([0.1 * full, full, full, full, full])
    assert full > rates[-3] > rates[-2] > rates[-1]


def test_a_run_that_is_resumed_while_it_falls_goes_on_falling(tmp_path: Path) -> None:
    assert train.main([*tiny_args(tmp_path, iterations=4, keep=9), *LATE]) == 0
    (tmp_path / "tiny" / "checkpoints" / "iteration_00000004.safetensors").unlink()
    assert train.main([*tiny_args(tmp_path, iterations=4, keep=9), *LATE]) == 0
    assert names(tmp_path) == [1, 2, 3, 4]
