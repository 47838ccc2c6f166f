"""The evaluation command."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from evaluate import main
from sjavs_agents.arena import command
from sjavs_agents.arena.match import play_match, seating
from sjavs_agents.arena.tournament.running import Tournament
from sjavs_agents.heuristic.greedy_agent import GreedyAgent
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_env import Game, read_records, rules_from_json, verify_file
from tests.engine.table import game_of

QUICK = ["--boards", "20", "--seed", "7"]


def written(path: Path, *argv: str) -> bytes:
    assert main([*argv, *QUICK, "--json", str(path)]) == 0
    return path.read_bytes()


@pytest.mark.parametrize(
    "rules", ["faroese_free", "faroese_3", "danish_4", "auction_sjavs", "handjass_alt"]
)
def test_the_same_command_writes_the_same_bytes(tmp_path: Path, rules: str) -> None:
    argv = ("rules", "random", "random-pass", "--rules", rules)
    assert written(tmp_path / "a.json", *argv) == written(tmp_path / "b.json", *argv)


def test_the_file_says_what_was_played_and_how_it_ended(tmp_path: Path) -> None:
    argv = ("rules", "greedy", "random", "--set", "tie=double", "--set", "payoff.vol=[10,14]")
    data = json.loads(written(tmp_path / "a.json", *argv))
    assert data["rules"]["name"] == "faroese"
    assert data["rules"]["overrides"] == {"payoff.vol": [10, 14], "tie": "double"}
    assert data["agents"] == ["rules", "greedy", "random"]
    assert (data["seed"], data["boards"], data["episode"]) == (7, 20, "deal")
    assert set(data["versions"]) == {"python", "sjavs", "numpy"}
    pairs = [pair["agents"] for pair in data["pairs"]]
    assert pairs == [["rules", "greedy"], ["rules", "random"], ["greedy", "random"]]
    first = data["pairs"][0]
    assert first["deals"] == 40
    for agent in first["by_agent"]:
        assert sum(agent["results"].values()) == agent["declared"] == sum(agent["bids"].values())
    assert "timings" not in data


def test_the_file_holds_the_numbers_of_the_match(tmp_path: Path) -> None:
    data = json.loads(written(tmp_path / "a.json", "rules", "greedy"))
    game = game_of()
    result = play_match(game, (RuleAgent(game), GreedyAgent(game)), 20, 7)
    found = data["pairs"][0]["estimates"]
    for name, estimate in result.estimates().items():
        assert found[name]["mean"] == estimate.mean
        assert found[name]["interval"] == [estimate.low, estimate.high]
    points = result.board_game_points
    swings = data["pairs"][0]["swings"]
    assert len(swings) == 10
    assert abs(swings[0]["game_points"]) == max(abs(points))
    for swing in swings:
        assert swing["game_points"] == points[swing["board"]]
        assert swing["dealer"] == swing["board"] % 4
        assert [n >> 16 for n in swing["last_deals"]] == [swing["board"]] * 2
    sizes = [abs(s["game_points"]) for s in swings]
    assert sizes == sorted(sizes, reverse=True)


def test_timings_are_written_when_asked_for(tmp_path: Path) -> None:
    data = json.loads(written(tmp_path / "a.json", "rules", "greedy", "--timings"))
    (pair,) = data["timings"]
    assert [row["agent"] for row in pair] == ["rules", "greedy"]
    assert all(row["decisions"] > 0 and row["ms_per_decision"] >= 0 for row in pair)


def test_rubbers_are_measured_in_rubbers(tmp_path: Path) -> None:
    data = json.loads(written(tmp_path / "a.json", "rules", "random", "--episode", "rubber"))
    assert set(data["pairs"][0]["estimates"]) == {
        "game_points", "card_points", "boards_won", "rubbers_won", "crosses",
    }  # fmt: skip


def test_an_agent_against_itself_and_a_single_board_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "rules", "--boards", "1", "--json", str(tmp_path / "a.json")]) == 0
    estimates = json.loads((tmp_path / "a.json").read_text())["pairs"][0]["estimates"]
    assert estimates["game_points"]["mean"] == 0
    assert estimates["game_points"]["interval"] is None
    out = capsys.readouterr().out
    assert out.startswith("faroese, 1 board of one deal, seed 0")
    assert "+0.00" in out


def test_the_table_is_plain_text_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "greedy", "random", *QUICK]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("faroese, 20 boards of one deal, seed 7")
    heads = re.split(" {2,}", lines[1].strip())
    assert heads[:2] == ["A", "B"]
    assert heads[-2:] == ["decisions/s A", "decisions/s B"]
    assert len(set(heads)) == len(heads)
    assert [line.split()[:2] for line in lines[2:5]] == [
        ["rules", "greedy"], ["rules", "random"], ["greedy", "random"],
    ]  # fmt: skip
    assert lines[5:7] == ["", "Game points/deal, row more than column"]


def test_on_a_terminal_the_table_has_a_frame(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "140")
    assert main(["rules", "random", *QUICK]) == 0
    assert "┃" in capsys.readouterr().out


def test_an_agent_of_your_own_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "from sjavs_agents.heuristic.greedy_agent import GreedyAgent\n\n"
        "class Own(GreedyAgent):\n    name = 'own'\n"
    )
    (tmp_path / "own_greedy.py").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    data = json.loads(written(tmp_path / "a.json", "own_greedy:Own", "greedy"))
    assert data["agents"] == ["own", "greedy"]
    assert data["pairs"][0]["estimates"]["game_points"]["mean"] == 0


RECORDED = [
    ("faroese_free", "deal", 2, 3),  # with deals that nobody bids on
    ("faroese_3", "rubber", 6, 3),  # with cards laid away
    ("handjass_swiss", "rubber", 8, 1),
]


@pytest.mark.parametrize(("rules", "episode", "tables", "boards"), RECORDED)
def test_all_games_are_recorded_when_asked_for(
    tmp_path: Path, rules: str, episode: str, tables: int, boards: int
) -> None:
    match = ["rules", "random-pass", "--rules", rules, "--episode", episode]
    argv = [*match, "--boards", str(boards)]
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in files:
        assert main([*argv, "--record", str(path), "--json", str(tmp_path / "a.json")]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    assert verify_file(files[0]) == boards * tables
    records = list(read_records(files[0]))
    (pair,) = json.loads((tmp_path / "a.json").read_text())["pairs"]
    played = [d for r in records for d in r["deals"] if d["result"]["kind"] == "played"]
    assert len(played) == pair["deals"]
    assert sum(len(record["deals"]) for record in records) == pair["deals"] + pair["redeals"]
    game = Game(rules_from_json(records[0]["rules"]))
    for record, agents in zip(records, [*seating(game)] * boards, strict=True):
        names = [pair["agents"][agent] for agent in agents]
        assert record["players"] == names
        assert record["deals"][-1]["result"]["rubber_over"] == 1 or episode == "deal"
    last = [[d["deal_number"] for d in record["deals"]][-1] for record in records]
    for swing in pair["swings"]:
        assert last[swing["board"] * tables :][:tables] == swing["last_deals"]


def test_records_and_results_are_two_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tournament, "play", pytest.fail)
    path = str(tmp_path / "a")
    assert main(["rules", "random", "--json", path, "--record", path]) == 2
    assert f"--record is {path!r}, as --json is; allowed: two files" in capsys.readouterr().err


BAD = [
    (["rules"], "agents is 'rules' alone; allowed: two or more"),
    ([], "the following arguments are required: AGENT"),
    (["rules", "club"], "there is no agent 'club'; allowed: random, "),
    (["rules", "nowhere:Player"], "agent 'nowhere:Player': there is no module 'nowhere'; allowed"),
    (["rules", "random:x=1"], "there is no option 'x'; allowed: none"),
    (["rules", "random", "--rules", "whist"], "there are no rules named 'whist'; allowed: "),
    (["rules", "random", "--set", "tie"], "--set is 'tie'; allowed: KEY=VALUE"),
    (["rules", "random", "--set", "tie=never"], "tie is 'never'; allowed: add_2, "),
    (["rules", "random", "--set", "colour=1"], "no parameter 'colour'; allowed: "),
    (["rules", "random", "--boards", "0"], "boards is 0; allowed: 1 to "),
    (["rules", "random", "--boards", "99999999999"], "boards is 99999999999; allowed: 1 to 16777"),
    (["rules", "random", "--boards", "few"], "invalid int value: 'few'"),
    (["rules", "random", "--seed", "-1"], "seed is -1; allowed: 0 to "),
    (["rules", "random", "--episode", "match"], "invalid choice: 'match'"),
    (["rules", "random", "--sed", "1", "--nope"], "unrecognized arguments"),
    (["rules", "nowhere.safetensors"], "nowhere.safetensors"),
]


@pytest.mark.parametrize(("argv", "message"), BAD, ids=[" ".join(argv) for argv, _ in BAD])
def test_bad_input_is_one_line_and_exit_status_2(
    argv: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Tournament, "play", pytest.fail)  # nothing is played
    try:
        status: object = main(argv)
    except SystemExit as stop:  # what argparse finds itself
        status = stop.code
    assert status == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("evaluate.py: error: ")
    assert message in err


@pytest.mark.parametrize("option", ["--json", "--record"])
def test_a_file_that_cannot_be_written_is_found_before_the_match(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    option: str,
) -> None:
    monkeypatch.setattr(Tournament, "play", pytest.fail)
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "no" / "a.json", tmp_path / "file" / "a.json"):
        assert main(["rules", "random", option, str(path)]) == 2
        err = capsys.readouterr().err
        assert str(path) in err
        assert err.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_a_match_that_fails_leaves_the_old_file_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sjavs_agents.arena.playing.MOST_PASSED", 10)
    path = tmp_path / "a.json"
    path.write_text("old")
    silent = "random-pass:chance=1"
    argv = [silent, silent, "--rules", "faroese_free", *QUICK, "--json", str(path)]
    assert main(argv) == 1
    assert "nobody bids" in capsys.readouterr().err
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


FAILING = """
from sjavs_agents.heuristic.random_agent import RandomAgent


class Failing(RandomAgent):
    name = "failing"

    def __init__(self, game):
        pass

    def act(self, view, mask, rng):
        raise SystemExit(0)
"""


def test_pairs_that_were_played_before_an_agent_fails_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_failing.py").write_text(FAILING)
    monkeypatch.syspath_prepend(tmp_path)
    path, record = tmp_path / "a.json", tmp_path / "r.jsonl"
    argv = ["greedy", "random", "own_failing:Failing", *QUICK]
    assert main([*argv, "--json", str(path), "--record", str(record)]) == 1
    out, err = capsys.readouterr()
    assert err.startswith(
        "evaluate.py: error: failing raised SystemExit: 0, own_failing.py line 12"
    )
    assert err.count("\n") == 1
    assert "greedy  random" in out
    data = json.loads(path.read_text())
    assert [pair["agents"] for pair in data["pairs"]] == [["greedy", "random"]]
    assert data["stopped"] == err.removeprefix("evaluate.py: error: ").strip()
    assert verify_file(record) == 40


def test_the_file_is_written_though_nobody_reads_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(*shown: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(command, "_show", leave)
    path = tmp_path / "a.json"
    with pytest.raises(BrokenPipeError):
        main(["rules", "random", *QUICK, "--json", str(path)])
    assert json.loads(path.read_text())["pairs"]


def test_the_table_is_shown_though_the_file_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*written: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(command, "write_all", fail)
    with pytest.raises(OSError, match="no space left"):
        main(["rules", "random", *QUICK, "--json", str(tmp_path / "a.json")])
    assert "rules  random" in capsys.readouterr().out
