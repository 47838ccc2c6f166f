"""The ladders of all games as one report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.all_ladders import ladder_of, main, put
from benchmarks.every_game import GAMES
from sjavs_agents.reporting.ladder_page import game_of_entry, ladder_page

pytest.importorskip("numba")


def test_ladders_are_kept_gone_on_with_and_written_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = ["--games", "handjass/3", "handjass/4", "--agents", "greedy", "random",
            "pimc", "--boards", "6", "--folder", str(tmp_path / "kept"),
            "--out", str(tmp_path / "r.html"), "--json", str(tmp_path / "l.json")]  # fmt: skip
    assert main(argv) == 0
    data = (tmp_path / "l.json").read_bytes()
    first = (tmp_path / "r.html").read_bytes()
    told = capsys.readouterr().out
    assert told.count("without pimc: ") == 2
    assert "without g" not in told
    for words in (b"Ladders of 2 games", b"Overview", b"handjass, 3 players: 6 boards",
                  b"handjass, 4 players: 6 boards", b"Cost of a decision"):  # fmt: skip
        assert words in first
    monkeypatch.delattr("sjavs_agents.arena.tournament.player.play_shard")  # nothing is played
    assert main(argv) == 0
    assert (tmp_path / "r.html").read_bytes() == first
    assert (tmp_path / "l.json").read_bytes() == data
    check_entries(json.loads(data)["games"], tmp_path / "kept")


def check_entries(games: list[dict[str, Any]], kept: Path) -> None:
    assert [game_of_entry(game) for game in games] == ["handjass/4", "handjass/3"]  # as listed
    for game in games:
        folder = kept / game_of_entry(game).replace("/", "_")
        (pair,) = json.loads((folder / "results.json").read_text("utf-8"))["pairs"]
        assert game["agents"] == pair["agents"] == ["greedy", "random"]
        assert game["pairs"][0]["at"] == [0, 1]
        assert game["pairs"][0]["mean"] == pytest.approx(pair["estimates"]["game_points"]["mean"])
        assert len(game["milliseconds"]) == 2


def test_ladders_are_put_in_place_of_those_of_the_same_game(tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    klorsjavs, first, second = (
        {"rules": {"name": name}, "players": 3, "boards": boards}
        for name, boards in (("klorsjavs", 1), ("handjass", 1), ("handjass", 2))
    )
    put(path, [first, klorsjavs])
    put(path, [second])
    assert json.loads(path.read_text("utf-8"))["games"] == [klorsjavs, second]


@pytest.mark.parametrize(
    ("game", "searching"),
    [("faroese/4", "pimc:worlds=20,tricks=12"), ("handjass/2", "pimc:worlds=20,tricks=12"),
     ("handjass/4", "rollout:policy=rules,worlds=8")],
)  # fmt: skip
def test_a_ladder_ends_with_the_first_that_can_search(game: str, searching: str) -> None:
    assert ladder_of(game, None) == ["random", "greedy", "rules", searching]


def test_the_page_shows_every_number_of_its_data() -> None:
    docs = Path(__file__).parents[2] / "docs"
    games, page = json.loads((docs / "ladders.json").read_text("utf-8"))["games"], ladder_page()
    assert (docs / "ladders.md").read_text("utf-8").endswith(page)
    assert {game_of_entry(game) for game in games} == set(GAMES)
    for section, game in zip(page.split("\n## ")[2:], games, strict=True):
        assert section.startswith(game["rules"]["name"])
        rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
        assert {row[0] for row in rows} == {f"| `{agent}`" for agent in game["agents"]}
        ratings = [float(row[1].split()[0].replace("\N{MINUS SIGN}", "-")) for row in rows]
        assert ratings == sorted(ratings, reverse=True)
        assert sum(ratings) == pytest.approx(0, abs=0.03)
        order = [game["agents"].index(row[0].strip("| `")) for row in rows]
        for pair in game["pairs"]:
            i, j = (order.index(place) for place in pair["at"])
            for row, column, sign in ((i, j, 1), (j, i, -1)):
                shown = rows[row][2 + column].split()[0].replace("\N{MINUS SIGN}", "-")
                assert float(shown) == pytest.approx(sign * pair["mean"], abs=0.006)


def test_a_game_that_is_not_there_is_refused_and_so_are_agents_who_cannot_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more, message in (
        (["--games", "whist/4"], "whist/4"),
        (["--games", "faroese/4", "--agents", "random"], "fewer than two in every game"),
    ):
        with pytest.raises(SystemExit):
            main([*more, "--folder", str(tmp_path), "--out", str(tmp_path / "r.html")])
        assert message in capsys.readouterr().err
