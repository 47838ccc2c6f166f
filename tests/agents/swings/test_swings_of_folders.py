"""Swings of the folders of evaluations: from the records in them, or from boards played again."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

import evaluate
from sjavs_agents.arena import kept_games
from sjavs_agents.arena.results_folder import load
from sjavs_agents.reporting.evaluation_file import read_folder
from sjavs_agents.reporting.population import measured
from sjavs_agents.reporting.swing_deals import swings
from sjavs_agents.swings.command import main
from sjavs_agents.swings.folder_games import largest_boards

SMALL = "tests.agents.arena.drawing:Small"  # draws; 8 boards are a shard
BOARDS = 12


@cache
def played(recorded: bool, seed: int = 3) -> Path:
    """A folder of three agents; the records of the first pair are beside it if it has any."""
    folder = Path(mkdtemp())
    argv = [SMALL, "greedy", "rules", "--rules", "handjass", "--players", "2", "--seed", str(seed)]
    argv += ["--boards", str(BOARDS), "--out", str(folder / "out")]
    assert evaluate.main(argv + recorded * ["--record", str(folder / "all.jsonl")]) == 0
    if recorded:
        lines = (folder / "all.jsonl").read_bytes().splitlines(keepends=True)
        (folder / "games.jsonl").write_bytes(b"".join(lines[: 2 * BOARDS]))
    return folder / "out"


def shown(source: Path, folder: Path, *more: str) -> tuple[list[dict[str, Any]], bytes]:
    """What the command says of the swings between the first two, and their records."""
    folder.mkdir(exist_ok=True)
    argv = [str(source), "--players", "greedy,small", "--count", "4", *more]
    argv += ["--json", str(folder / "s.json"), "--record", str(folder / "s.jsonl")]
    assert main(argv) == 0
    boards = json.loads((folder / "s.json").read_text("utf-8"))["boards"]
    return boards, (folder / "s.jsonl").read_bytes()


@pytest.mark.parametrize("recorded", [True, False])
def test_a_folder_shows_what_the_records_of_its_games_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recorded: bool
) -> None:
    played(recorded), played(True), capsys.readouterr()
    of_file, records = shown(played(True).parent / "games.jsonl", tmp_path / "file")
    told = capsys.readouterr().out.splitlines()
    of_folder, same = shown(played(recorded), tmp_path / "folder")
    assert same == records
    sign = 1 if of_folder[0]["game_points"] == of_file[0]["game_points"] else -1
    for one, other in zip(of_folder, of_file, strict=True):
        assert one["deal_number"] == other["deal_number"]
        assert one["game_points"] == sign * other["game_points"]
        assert [2 * one["board"] + table for table in one["tables"]] == other["lines"]
    found = capsys.readouterr().out.splitlines()
    assert len(found) == len(told)
    assert sum(x != y for x, y in zip(found, told, strict=True)) == 4  # their headlines
    assert found[0].startswith(f"1. deal {of_folder[0]['deal_number']}, board ")
    boards = largest_boards(load(played(recorded)).pairs[0], 4)
    assert sorted(one["board"] for one in of_folder) == sorted(boards)
    assert any(board >= 8 for board in boards)  # also of the last shard, which is cut


def test_nothing_in_the_folder_changes_when_boards_are_played_again(tmp_path: Path) -> None:
    folder = played(False)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    shown(folder, tmp_path)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def copied(recorded: bool, folder: Path) -> Path:
    shutil.copytree(played(recorded), folder / "out")
    return folder / "out"


def refused(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    capsys.readouterr()  # of the evaluations that were played
    assert main([str(folder), *(more or ("--players", "small,greedy"))]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told


def test_games_that_are_not_those_of_the_results_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(True, tmp_path)
    shutil.rmtree(folder / "shards")
    shutil.copytree(played(True, seed=4) / "shards", folder / "shards")
    assert "is not of the results beside it" in refused(folder, capsys)
    (folder / "shards" / "0-1" / "000000.npz").write_bytes(b"junk")
    assert "is damaged or incomplete" in refused(folder, capsys)


def test_agents_that_play_otherwise_than_they_did_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(False, tmp_path)
    asked = json.loads((folder / "match.json").read_text())
    for agents, files, told in (
        ([["random"], ["greedy"], ["rules"]], [[], [], []], "played again are others"),
        ([[SMALL], ["greedy"], ["rules"]], [["0"], [], []], "have changed since the start"),
        ([["nobody"], ["greedy"], ["rules"]], [[], [], []], "there is no agent 'nobody'"),
        ("x", [], "has no agents; allowed: lists of texts"),
        ([[SMALL]], [], "has no agents and files that go together"),
    ):
        (folder / "match.json").write_text(json.dumps({**asked, "agents": agents, "files": files}))
        assert told in refused(folder, capsys)


def test_of_several_pairs_one_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    for more in (["--count", "1"], ["--players", "small,nobody"]):
        told = refused(played(True), capsys, *more)
        assert "holds 3 pairs; allowed: one of small,greedy; small,rules; greedy,rules" in told


def test_a_report_tells_how_recorded_tables_parted() -> None:
    texts = {}
    for recorded in (True, False):
        evaluation = read_folder(played(recorded))
        section = swings(evaluation, measured(evaluation))
        texts[recorded] = [getattr(block, "text", "") for block in section.blocks]
    said = [text for text in texts[True] if "Alike at both tables: " in text]
    assert len(said) >= 4
    assert all(" Then seat " in text and " Table 2 (" in text for text in said)
    assert not any("not recorded" in text for text in texts[True])
    assert sum("was not recorded" in text for text in texts[False]) == len(said)


def test_records_that_are_cut_off_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_games, "MOST_BYTES", 100)
    match = load(played(True)).pairs[0]
    with pytest.raises(ValueError, match="cut off, or more than 100 bytes"):
        kept_games.kept_games(played(True), (0, 1), match, [0])
