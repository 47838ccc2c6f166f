"""Learners come nearer an equilibrium of a mini game, as exact NashConv has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.exact_games import SETTINGS, config_of, drawn, main, rows_of, train
from tests.agents.exact.slow_tree import mini_tree


def test_ppo_learns_what_an_opponent_who_knows_it_cannot_use() -> None:
    config = config_of("mini_8", "PPO, no entropy", 30, 512, seed=0)
    first, *_, last = train(config, mini_tree())
    assert first.nash_conv == pytest.approx(8.5, abs=0.2), "about that of uniform play"
    assert last.nash_conv < 6.5
    assert 50_000 < last.decisions < 100_000


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_comes_within_four_percent_of_the_range(setting: str) -> None:
    *_, last = train(config_of("mini_8", setting, 250, 2048, seed=1), mini_tree())
    assert last.nash_conv < 0.04 * mini_tree().score_range


def test_curves_are_kept_beside_those_of_other_games_and_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    path, picture = tmp_path / "curves.json", tmp_path / "curves.svg"
    other = {"score_range": 32.0, "curves": {"CFR+": {"decisions": [1, 2], "nash_conv": [4, 1]}}}
    path.write_text(json.dumps({"other": other}))
    argv = ["--only", "CFR", "--iterations", "4", "--json", str(path), "--svg", str(picture)]
    assert main(argv) == 0
    games = json.loads(path.read_text())
    assert games["other"] == other
    curve = games["mini_8"]["curves"]["CFR+"]
    assert curve["decisions"] == sorted(curve["decisions"])
    assert curve["nash_conv"][-1] < curve["nash_conv"][0]
    assert capsys.readouterr().out.count("mini_8  CFR+") == len(curve["decisions"])
    svg = picture.read_bytes()
    assert svg == drawn(games), "the same curves make the same picture"
    assert b"<svg" in svg
    assert b"http-equiv" not in svg


def test_the_page_shows_the_curves_that_are_stored() -> None:
    docs = Path(__file__).parents[2] / "docs"
    games = json.loads((docs / "exact_games.json").read_text("utf-8"))
    page = (docs / "exact.md").read_text("utf-8")
    for row in rows_of(games):
        assert row in page.splitlines()
    assert (docs / "exact_games.svg").read_bytes().startswith(b"<?xml")
    best = min(curve["nash_conv"][-1] for name, curve in games["mini_8"]["curves"].items()
               if name.startswith("PPO"))  # fmt: skip
    assert best < games["mini_8"]["score_range"] / 100, "as the page says"
