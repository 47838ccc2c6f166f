"""What version 0.1.0 has written still loads: runs, players, beliefs, records, states of games.

The files in ``tests/golden/before`` were written by that version and are never written again.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import train
from sjavs_agents.arena.match import play_match
from sjavs_agents.belief.reading import read_belief
from sjavs_agents.neural.checkpoint import read_checkpoint
from sjavs_agents.registry import make_agent
from sjavs_env import Game, make_rules, read_records, sjavs_v0, verify_file
from tests.golden_files import GOLDEN

BEFORE = GOLDEN / "before"
STATES = json.loads((BEFORE / "states.json").read_text("utf-8"))
SETTINGS = {
    "run.name": "run", "run.iterations": 6, "run.processes": 1, "run.threads": 1,
    "run.checkpoint_every": 1, "run.precision": "float32", "run.keep": 6,
    "network.play_width": 2, "network.bid_width": 2, "network.critic_width": 2,
    "network.play_layers": 1, "network.bid_layers": 1, "network.critic_layers": 1,
    "collect.deals": 8, "learn.minibatch": 64, "pool.every": 2, "pool.size": 2,
    "evaluation.boards": 2, "evaluation.final_boards": 4,
}  # fmt: skip


def run_of_before(folder: Path) -> list[str]:
    """Copy the run to a folder; return the command line that it was started with."""
    shutil.copytree(BEFORE / "run", folder / "run")
    given = ["--config", "configs/quickstart.yaml", "--rules", "klorsjavs"]
    for name, value in {**SETTINGS, "run.directory": folder}.items():
        given += [f"--{name}", str(value)]
    return given


def test_a_run_goes_on_from_its_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = run_of_before(tmp_path)
    for name in ("checkpoints/iteration_00000006.safetensors", "agent.safetensors", "result.json"):
        (tmp_path / "run" / name).unlink()
    assert train.main(given) == 0
    assert "after iteration 4" in capsys.readouterr().out
    _, then = read_checkpoint(BEFORE / "run/checkpoints/iteration_00000006.safetensors")
    _, now = read_checkpoint(tmp_path / "run/checkpoints/iteration_00000006.safetensors")
    assert now["iteration"] == then["iteration"] == 6
    assert now["deals"] == then["deals"] == 48
    assert now["rules"] == then["rules"]


def test_a_finished_run_shows_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = run_of_before(tmp_path)
    assert train.main(given) == 0
    assert "-3.17" in capsys.readouterr().out
    assert (tmp_path / "run/result.json").read_bytes() == (BEFORE / "run/result.json").read_bytes()


def test_a_trained_player_plays() -> None:
    game = Game(make_rules("klorsjavs"))
    player = make_agent(str(BEFORE / "run/agent.safetensors"), game)
    result = play_match(game, (player, make_agent("random", game)), 4, 0)
    assert len(result.boards) == 4


def test_a_belief_is_read() -> None:
    game = Game(make_rules("faroese"))
    assert read_belief(str(BEFORE / "belief.safetensors"), game) is not None


@pytest.mark.parametrize("name", ["rubber.jsonl", "handjass.jsonl"])
def test_records_are_read_and_verified(name: str) -> None:
    assert len(list(read_records(BEFORE / name))) == verify_file(BEFORE / name) > 0


@pytest.mark.parametrize("saved", STATES, ids=lambda saved: saved["rules"])
def test_a_saved_game_looks_the_same(saved: dict[str, Any]) -> None:
    env = sjavs_v0.env(rules=saved["rules"], episode="rubber")
    env.reset(seed=0)
    env.unwrapped.set_state(saved["state"])
    assert env.agent_selection == saved["seat"]
    observation = env.last()[0]
    np.testing.assert_array_equal(observation["action_mask"], saved["mask"])
    seen = np.array(saved["observation"], dtype=np.float32)
    np.testing.assert_array_equal(observation["observation"], seen)
