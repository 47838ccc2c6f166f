"""The boards that moved most, against the match that they come from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_agents.arena.match import MatchResult, play_match
from sjavs_agents.arena.recording import records_bytes
from sjavs_agents.registry import make_agent
from sjavs_agents.swings.command import main
from sjavs_agents.swings.side_by_side import WIDTH, board_lines
from sjavs_agents.swings.swung_boards import largest_swings
from sjavs_env import Game, read_records, verify_file
from tests.engine.table import game_of, table_of

GAMES = {"faroese": game_of("faroese"), "klorsjavs": game_of("klorsjavs"),
         "handjass 2": table_of("handjass", 2)}  # fmt: skip


def played(
    path: Path, game: Game, boards: int = 6, names: tuple[str, str] = ("rules", "greedy")
) -> tuple[MatchResult, list[dict[str, Any]]]:
    records: list[dict[str, Any]] = []
    agents = make_agent(names[0], game), make_agent(names[1], game)
    result = play_match(game, agents, boards, seed=3, keep=records.extend)
    path.write_bytes(records_bytes(records))
    return result, records


@pytest.mark.parametrize("name", GAMES)
def test_boards_come_in_the_order_of_the_match(name: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    result, records = played(path, GAMES[name])
    _, players, swings = largest_swings(path, 6)
    assert set(players) == {"rules", "greedy"}
    sign = 1 if players[0] == "rules" else -1
    tables = len(records) // 6
    boards = [swing.lines[0] // tables for swing in swings]
    assert len(set(boards)) == 6
    np.testing.assert_allclose(
        [sign * s.game_points for s in swings], result.board_game_points[boards], atol=1e-4
    )
    np.testing.assert_allclose(
        [sign * s.card_points for s in swings], result.board_card_points[boards], atol=1e-4
    )
    sizes = np.abs([s.game_points for s in swings])
    assert (np.diff(sizes) <= 1e-6).all()
    for swing in swings:
        first, second = (records[line]["players"] for line in swing.lines)
        assert all(x != y for x, y in zip(first, second, strict=True))


@pytest.mark.parametrize("name", GAMES)
def test_the_tables_are_shown_where_they_part(name: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    _, records = played(path, GAMES[name])
    _, _, swings = largest_swings(path, 3)
    for swing in swings:
        first, second = records[swing.lines[0]], records[swing.lines[1]]
        lines = board_lines(GAMES[name], (first, second), plain=True)
        heads = next(i for i, line in enumerate(lines) if line.startswith("0 ") and "  |  " in line)
        told = lines[heads:-2]
        here, there = first["deals"][0]["actions"], second["deals"][0]["actions"]
        parting = next(i for i, (x, y) in enumerate(zip(here, there, strict=False)) if x != y)
        assert here[parting] in told[1].split("  |  ")[0]
        assert there[parting] in told[1].split("  |  ")[1]
        assert len(told) - 1 == max(len(here), len(there)) - parting
        assert all(len(line) <= WIDTH for line in lines[:1])
        assert not any("is over" in line for line in lines)


def test_tables_that_were_played_alike_are_said_to_be(tmp_path: Path) -> None:
    _, records = played(tmp_path / "x.jsonl", GAMES["faroese"], 1)
    assert board_lines(GAMES["faroese"], (records[0], records[0])) == ["both tables played alike"]


def test_the_command_writes_records_that_can_be_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, chosen, out = (tmp_path / name for name in ("games.jsonl", "swings.jsonl", "swings.json"))
    _, records = played(path, GAMES["klorsjavs"])
    argv = [str(path), "--count", "2", "--record", str(chosen), "--json", str(out), "--plain"]
    assert main(argv) == 0
    assert verify_file(chosen) == 4
    boards = json.loads(out.read_text("utf-8"))["boards"]
    lines = [line for board in boards for line in board["lines"]]
    assert list(read_records(chosen)) == [records[line - 1] for line in lines]
    text = capsys.readouterr().out
    assert text.startswith("1. deal ")
    assert "\n2. deal " in text
    assert text.isascii()


def test_two_of_several_players_are_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    parts = []
    for pair in (("rules", "greedy"), ("rules", "random")):
        played(path, GAMES["handjass 2"], 4, pair)
        parts.append(path.read_bytes())
    path.write_bytes(b"".join(parts))
    assert main([str(path), "--players", "random,rules", "--count", "1"]) == 0
    assert "random" in capsys.readouterr().out
    one_table = tmp_path / "one.jsonl"
    one_table.write_bytes(parts[0].splitlines(keepends=True)[0])
    for argv, words in (
        ([str(path)], "allowed: two of"),
        ([str(path), "--players", "rules,rules"], "allowed: two of"),
        ([str(path), "--players", "rules,greedy", "--count", "0"], "count is 0"),
        ([str(one_table)], "with their seats exchanged"),
        ([str(path), "--record", str(path)], "which is read"),
        ([str(path), "--record", str(one_table), "--json", str(one_table)], "two files"),
    ):
        assert main(argv) == 2
        err = capsys.readouterr().err
        assert words in err
        assert err.count("\n") == 1
