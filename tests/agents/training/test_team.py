"""Several processes train as one would."""

import json
import pickle
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import train
from sjavs_agents.neural.checkpoint import read_checkpoint
from sjavs_agents.neural.network import Precision
from sjavs_agents.training.config import TrainConfig
from sjavs_agents.training.processes import run_team
from sjavs_agents.training.run import Training
from sjavs_agents.training.team import Team
from sjavs_env.cli.command import INTERRUPTED
from tests.agents.training.tiny import tiny_args, tiny_config

pytestmark = pytest.mark.usefixtures("signals_as_in_a_terminal")

ROWS = np.random.default_rng(0).normal(size=(7, 3)).astype(np.float32)


def regression() -> nn.Linear:
    torch.manual_seed(0)
    return nn.Linear(3, 1)


def answers(team: Team, _: Any) -> dict[str, Any]:
    """Ask a team everything there is to ask."""
    net = regression()
    own = ROWS[2:] if team.leads else ROWS[:2]  # shares of different size
    net(torch.from_numpy(own)).square().mean().backward()
    team.average_gradients([net], len(own))
    assert net.weight.grad is not None
    idle = regression()  # one that has had no rows
    if team.leads:
        idle(torch.from_numpy(own)).square().mean().backward()
    team.average_gradients([idle], len(own) if team.leads else 0)
    assert idle.weight.grad is not None
    return {
        "share": [list(team.share(5)), list(team.share(1))],
        "total": team.total(np.array([team.rank, 1.5])).tolist(),
        "any": [team.any(not team.leads), team.any(False)],
        "everyone": team.everyone(f"rank {team.rank}"),
        "told": team.told("lead" if team.leads else "follow"),
        "mean": team.mean({"a": team.rank} | ({"b": 3.0} if team.leads else {})),
        "gradients": [net.weight.grad.numpy(), idle.weight.grad.numpy()],
    }


def in_turn(team: Team, task: tuple[TrainConfig, Path]) -> int:
    """All that the tests below look at, by processes that are started once."""
    config, path = task
    found = answers(team, None), train_a_little(team, config)
    if team.leads:
        path.write_bytes(pickle.dumps(found))
    return 7


@pytest.fixture(scope="module")
def by_two(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], list[Any]]:
    """What two processes answer, and what each of them has trained."""
    folder = tmp_path_factory.mktemp("two")
    path = folder / "found"
    assert run_team(2, in_turn, (tiny_config(folder), path)) == 7
    found: tuple[dict[str, Any], list[Any]] = pickle.loads(path.read_bytes())
    return found


def test_two_answer_as_one(by_two: Any) -> None:
    found = dict(by_two[0])
    whole = regression()
    whole(torch.from_numpy(ROWS)).square().mean().backward()
    busy = regression()
    busy(torch.from_numpy(ROWS[2:])).square().mean().backward()
    for ours, net in zip(found.pop("gradients"), (whole, busy), strict=True):
        assert net.weight.grad is not None
        np.testing.assert_allclose(ours, net.weight.grad.numpy(), rtol=1e-5)
    assert found == {
        "share": [[0, 1], []],
        "total": [1.0, 3.0],
        "any": [True, False],
        "everyone": ["rank 0", "rank 1"],
        "told": "lead",
        "mean": {"a": 0.5, "b": 3.0},
    }


def test_one_is_a_team_of_its_own() -> None:
    team = Team()
    assert list(team.share(5)) == [0, 1, 2, 3, 4]
    assert team.total(np.array([2.0])) == 2.0
    assert team.everyone("x") == ["x"]
    assert team.told("x") == "x"
    assert (team.any(True), team.any(False)) == (True, False)


def train_a_little(team: Team, config: TrainConfig) -> list[Any]:
    training = Training(config, Precision("float32"), team)
    for _ in range(3):
        training.learn(training.collect())
    weights = {k: v for k, v in training.arrays().items() if not k.startswith("games.")}
    dealt = training.collector.state.number.copy()
    return team.everyone((weights, dealt, training.pool.won, training.decisions))


def test_all_ranks_hold_the_same_weights_and_play_different_deals(
    by_two: Any, tmp_path: Path
) -> None:
    ours, theirs = by_two[1]
    assert ours[0].keys() == theirs[0].keys()
    for name, value in ours[0].items():
        np.testing.assert_array_equal(value, theirs[0][name], err_msg=name)
    np.testing.assert_array_equal(ours[2], theirs[2])
    assert ours[3] == theirs[3]
    alone = Training(tiny_config(tmp_path / "alone"))
    alone.learn(alone.collect())
    alone.learn(alone.collect())
    alone.collect()
    together = np.concatenate([ours[1], theirs[1]])
    np.testing.assert_array_equal(together, alone.collector.state.number)


@pytest.mark.slow
def test_two_processes_resume_without_changing_a_bit(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert train.main(tiny_args(whole, processes=2, keep=9)) == 0
    middle = "tiny/checkpoints/iteration_00000002.safetensors"
    (broken / middle).parent.mkdir(parents=True)
    shutil.copy(whole / middle, broken / middle)
    assert train.main(tiny_args(broken, processes=2, keep=9)) == 0
    last = middle.replace("2.safe", "4.safe")
    (ours, meta), (theirs, _) = (read_checkpoint(folder / last) for folder in (whole, broken))
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        np.testing.assert_array_equal(value, theirs[name], err_msg=name)
    assert len(ours["games.number"]) == meta["config"]["collect"]["deals"]
    results = [json.loads((f / "tiny" / "result.json").read_text()) for f in (whole, broken)]
    assert results[0]["against"] == results[1]["against"]


@pytest.mark.slow
def test_a_polite_kill_of_the_leader_stops_and_saves_them_all(tmp_path: Path) -> None:
    args = tiny_args(tmp_path, iterations=100_000, checkpoint_every=50_000, processes=2)
    child = subprocess.Popen([sys.executable, "-u", train.__file__, *args],
                             stdout=subprocess.PIPE, text=True)  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline()
    child.send_signal(signal.SIGTERM)
    out, _ = child.communicate(timeout=60)
    assert child.returncode == INTERRUPTED
    assert "goes on" in out
    assert len(list((tmp_path / "tiny" / "checkpoints").iterdir())) == 1


def test_more_processes_than_deals_are_refused(tmp_path: Path) -> None:
    config = tiny_config(tmp_path)
    few = replace(config, collect=replace(config.collect, deals=1))
    Training(few, team=Team(0, 1))
    with pytest.raises(ValueError, match=r"^collect\.deals is 1; allowed: 2 or more"):
        Training(few, team=Team(0, 2))


@pytest.mark.slow
def test_more_processes_than_deals_are_refused_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    args = [*tiny_args(tmp_path, processes=2), "--collect.deals", "1"]
    assert train.main(args) == 2
    assert "collect.deals is 1; allowed: 2 or more" in capfd.readouterr().err
