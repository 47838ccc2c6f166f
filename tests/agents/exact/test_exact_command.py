"""``sjavs exact``: what it prints and writes, and what it refuses before any work."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_agents.exact import session
from sjavs_agents.exact.cfr import CfrPlus
from sjavs_agents.exact.command import main
from sjavs_agents.exact.game_tree import GameTree
from sjavs_agents.neural.checkpoint import read_checkpoint
from sjavs_env import Game, PlayerView, sample_legal
from tests.agents.exact.efg_reader import read_efg
from tests.agents.exact.slow_tree import mini_tree, tree_of_six


@pytest.fixture(autouse=True)
def _grown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree of the mini game is grown once for all tests."""

    def grow(game: Game) -> GameTree:
        assert game.rules == mini_tree().game.rules
        return mini_tree()

    monkeypatch.setattr(session, "grow_tree", grow)


def test_size_tells_how_large_a_game_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["size"]) == 0
    lines = dict(line.rsplit("  ", 1) for line in capsys.readouterr().out.splitlines())
    found = {name.strip(): value.strip() for name, value in lines.items()}
    assert found["deals"] == "560"
    assert found["positions, ends and those without a choice included"] == "224,896"
    assert found["smallest and largest result"] == "-16, +16"


def test_solve_goes_on_until_it_is_near_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mini.safetensors"
    assert main(["solve", "--rules", "mini_8", "--out", str(out), "--until", "0.2"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-1] == f"{out}: forehand gains {_meta(out)['value']:+.4f} game points per deal"
    nash_conv = [float(line.split()[3].strip(",")) for line in told[:-1]]
    assert nash_conv[-1] <= 0.2 < nash_conv[-2]
    assert _meta(out)["nash_conv"] == pytest.approx(nash_conv[-1], abs=1e-6)
    assert main(["measure", str(out), "--json", str(tmp_path / "m.json")]) == 0
    (measured,) = json.loads((tmp_path / "m.json").read_text())["agents"]
    assert measured["nash_conv"] == pytest.approx(_meta(out)["nash_conv"], abs=1e-9)


def _meta(path: Path) -> dict[str, float]:
    _, meta = read_checkpoint(path)
    return meta


def test_solve_stops_after_so_many_iterations(tmp_path: Path) -> None:
    out = tmp_path / "mini.safetensors"
    assert main(["solve", "--out", str(out), "--iterations", "3", "--until", "0"]) == 0
    assert _meta(out)["iterations"] == 3


def test_a_signal_ends_solving_and_what_was_reached_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = CfrPlus.step

    def interrupted(solver: CfrPlus) -> None:
        step(solver)
        if solver.iterations == 5:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(CfrPlus, "step", interrupted)
    out = tmp_path / "mini.safetensors"
    assert main(["solve", "--out", str(out), "--until", "0"]) == 130
    assert _meta(out)["iterations"] == 5


def test_measure_says_what_each_agent_loses_and_how_it_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["measure", "random", "greedy", "--json", str(tmp_path / "m.json")]
    assert main(argv) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "mini_8: what best responses gain, in game points per deal"
    assert out[1].split()[:2] == ["agent", "policy"]
    assert out[2].split()[:3] == ["random", "told", "8.5356"]
    assert out[3].split()[:3] == ["greedy", "never", "draws"]
    data = json.loads((tmp_path / "m.json").read_text())
    assert data["rules"] == {"name": "mini_8", "version": 1, "overrides": {}}
    uniform, greedy = data["agents"]
    assert uniform["policy"] == {"asked": 0, "is_estimated": False}
    assert greedy["policy"] == {"asked": 1, "is_estimated": False}
    for agent in (uniform, greedy):
        assert agent["nash_conv"] == pytest.approx(sum(agent["gained"].values()))
        assert agent["of_range"] == agent["nash_conv"] / 32
    before = (tmp_path / "m.json").read_bytes()
    assert main(argv) == 0
    assert (tmp_path / "m.json").read_bytes() == before


def test_estimates_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", f"{__name__}:Silent", "--asks", "2"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[2].split()[:3] == ["silent", "estimated,", "2"]
    assert out[-1].startswith("estimated: best responses also profit from what chance did")


class Silent:
    """An agent that draws lots without telling how."""

    name = "silent"

    def __init__(self, game: Game) -> None:
        """Any game will do."""

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        return sample_legal(mask, rng)


def test_export_writes_what_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "grow_tree", lambda game: tree_of_six())
    assert main(["export", "--out", str(tmp_path / "six.efg")]) == 0
    assert capsys.readouterr().out.endswith("six.efg: 90 deals, 648 nodes, 762 ends\n")
    assert len(read_efg((tmp_path / "six.efg").read_text())) == 90


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["solve", "--out", "x.npz"], "out is 'x.npz'; allowed: a name that ends in .safetensors"),
        (
            ["solve", "--out", "no/x.safetensors"],
            "no/x.safetensors cannot be written: No such",
        ),
        (["solve", "--out", "x.safetensors", "--until", "nan"], "until is nan; allowed: a number"),
        (["solve", "--out", "x.safetensors", "--iterations", "0"], "iterations is 0; allowed: 1"),
        (["measure", "rules", "--asks", "-1"], "asks is -1; allowed: 0 to 1000000"),
        (["measure", "rules", "--seed", "-1"], "seed is -1; allowed: a number from 0"),
        (["measure", "club"], "there is no agent 'club'; allowed: "),
        (["measure", "rules", "--rules", "mini"], "there are no rules named 'mini'; allowed: "),
        (["measure", f"{__name__}:Silent"], "agent 'silent' draws lots and does not tell"),
        (["measure", "random", f"{__name__}:Silent"], "agent 'silent' draws lots and does not"),
        (["export", "--out", "."], ". is a folder; allowed: the name of a file"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line_before_any_work(
    argv: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert err.startswith("sjavs exact: error: ")
    assert message in err
    assert err.count("\n") == 1
    assert out == ""
    assert not list(tmp_path.iterdir())


def test_results_do_not_overwrite_a_player_that_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mini.safetensors"
    path.write_bytes(b"x")
    assert main(["measure", str(path), "--json", str(path)]) == 2
    assert "which is read; allowed: another file" in capsys.readouterr().err
    assert path.read_bytes() == b"x"


def test_large_games_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    assert main(["size", "--rules", "faroese"]) == 2
    assert "faroese has 4 players; allowed: games of two sides of one" in capsys.readouterr().err
