"""Skill points per deal of recorded games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_agents.arena.match import play_match
from sjavs_agents.arena.recording import records_bytes
from sjavs_agents.luck import deal_values
from sjavs_agents.luck.command import main
from sjavs_agents.luck.crowd import club, noisy
from sjavs_agents.luck.deal_values import DealValues
from sjavs_agents.luck.fitting import fit_model
from sjavs_agents.luck.luck_model import LuckModel, read_model
from sjavs_agents.luck.recorded_results import read_episodes
from sjavs_agents.luck.skill import measure_skill
from sjavs_agents.registry import make_agent
from sjavs_env import Game
from tests.engine.table import game_of, table_of

pytest.importorskip("numba")


@pytest.fixture(autouse=True)
def _few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_values, "PLAYED", {"club": (club, 2), "noisy": (noisy, 1)})
    monkeypatch.setattr(deal_values, "_open_hand_solver", lambda _: None)


def recorded(path: Path, game: Game, boards: int, episode: Any = "deal") -> list[dict[str, Any]]:
    """Let rules and greedy play boards, write the records and return them."""
    records: list[dict[str, Any]] = []
    agents = make_agent("rules", game), make_agent("greedy", game)
    play_match(game, agents, boards, seed=6, episode=episode, keep=records.extend)
    path.write_bytes(records_bytes(records))
    return records


@pytest.fixture(scope="module")
def model() -> LuckModel:
    game = table_of("handjass", 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deal_values, "PLAYED", {"club": (club, 2), "noisy": (noisy, 1)})
        return fit_model(game, [make_agent("greedy", game)], 200, seed=1)


def test_on_whole_duplicate_boards_luck_cancels(tmp_path: Path, model: LuckModel) -> None:
    """Each player has held every hand of the deal: nothing is left to take out."""
    path = tmp_path / "games.jsonl"
    recorded(path, table_of("handjass", 3), 3)
    found = measure_skill(read_episodes(path), model, DealValues(table_of("handjass", 3)))
    assert [one.player for one in found] == ["rules", "greedy"]
    for one in found:
        assert one.deals == 3 * 6
        for unit in one.plain:
            assert one.skill[unit].mean == pytest.approx(one.plain[unit].mean, abs=1e-4)
            assert one.gain(unit) == pytest.approx(1, abs=1e-3)


def test_one_table_alone_is_corrected_deal_by_deal(tmp_path: Path, model: LuckModel) -> None:
    game, path = table_of("handjass", 3), tmp_path / "games.jsonl"
    records = recorded(path, game, 40)[::6]  # rules alone in seat 0
    path.write_bytes(records_bytes(records))
    episodes, values = read_episodes(path), DealValues(game)
    rules, greedy = measure_skill(episodes, model, values)
    gained = [r["deals"][-1]["result"] for r in records]
    plain = [
        x["score_change"][0] - np.mean(x["score_change"][1:]) for x in gained
    ]  # what is added to their marks, each against the mean of the two others
    sign = game.tables.match.gain_sign
    assert rules.plain["game_points"].mean == pytest.approx(sign * np.mean(plain), abs=1e-5)
    assert greedy.plain["game_points"].mean == pytest.approx(-rules.plain["game_points"].mean / 2)
    gain = rules.gain("card_points")
    assert gain is not None
    assert gain > 1.5


def test_deals_that_nobody_bid_on_count_with_their_luck(tmp_path: Path) -> None:
    game, path = game_of("faroese"), tmp_path / "games.jsonl"
    records = recorded(path, game, 24)
    passed = [len(r["deals"]) - 1 for r in records]
    assert max(passed) > 0
    episodes = read_episodes(path)
    assert len(episodes.played) == sum(passed) + len(records)
    assert sum(one.counts for one in episodes.played) == len(records)
    assert not any(m.any() for o in episodes.played if not o.counts for m in o.margin.values())
    assert len(set(episodes.boards)) == 24


def test_a_rubber_is_one_unit(tmp_path: Path, model: LuckModel) -> None:
    game, path = table_of("handjass", 3), tmp_path / "games.jsonl"
    records = recorded(path, game, 2, "rubber")
    found = measure_skill(read_episodes(path), model, DealValues(game))
    deals = sum(len(r["deals"]) for r in records)
    assert deals > 2 * 6
    assert all(one.deals <= deals for one in found)
    assert all(one.skill["game_points"].low is not None for one in found)  # two boards
    path.write_bytes(records_bytes(records[:1]))
    found = measure_skill(read_episodes(path), model, DealValues(game))
    assert all(one.skill["game_points"].low is None for one in found)


def test_the_command_prints_and_writes_the_same_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, path = game_of("klorsjavs"), tmp_path / "games.jsonl"
    recorded(path, game, 6)
    fitted, out = tmp_path / "model.json", tmp_path / "skill.json"
    argv = ["fit", "--rules", "klorsjavs", "--deals", "60", "--seed", "1"]
    assert main([*argv, "--out", str(fitted)]) == 0
    assert "explains, on deals left out: " in capsys.readouterr().out
    assert read_model(fitted)[1].made == {
        "agents": ["rules", "expert", "greedy"], "deals": 60, "seed": 1,
    }  # fmt: skip
    written = []
    for _ in range(2):
        argv = ["measure", str(path), "--model", str(fitted), "--json", str(out)]
        assert main(argv) == 0
        written.append(out.read_bytes())
    assert written[0] == written[1]
    data = json.loads(written[0])
    assert [one["player"] for one in data["players"]] == ["rules", "greedy"]
    assert data["games"] == 36
    low, high = data["players"][0]["skill"]["game_points"]["interval"]
    assert low < data["players"][0]["skill"]["game_points"]["mean"] < high
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:3] == ["player", "deals", "game"]
    assert lines[2].split()[0] == "rules"


def test_bad_input_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    three, two = tmp_path / "three.jsonl", tmp_path / "two.jsonl"
    recorded(three, table_of("handjass", 3), 1)
    recorded(two, table_of("handjass", 2), 1)
    both = tmp_path / "both.jsonl"
    both.write_bytes(three.read_bytes() + two.read_bytes())
    changed, empty = tmp_path / "changed.jsonl", tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    fitted = Path(deal_values.__file__).parent / "fitted" / "handjass_3.json"
    for argv, words in (
        (["measure", str(both)], "records of one game"),
        (["measure", str(empty)], "holds no record"),
        (["measure", str(changed)], "No such file"),
        (["measure", str(two), "--model", str(fitted)], "the records are of"),
        (["measure", str(two), "--json", str(two)], "which is read"),
        (["measure", str(two), "--seed", "-1"], "seed is -1"),
        (["fit", "--deals", "3", "--rules", "handjass", "--out", str(changed)], "deals is 3"),
        (["fit", "--all", "--rules", "faroese"], "rules is 'faroese' with --all"),
        (["fit", "--agents", "cheater", "--out", str(changed)], "looks into all hands"),
    ):
        assert main(argv) == 2
        err = capsys.readouterr().err
        assert words in err
        assert err.count("\n") == 1
