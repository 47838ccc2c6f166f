"""Who plays whom: pairs, one against all, partners, and a different agent in every seat."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluate import main
from sjavs_agents.arena.evidence import correct_pairs, to_quote
from sjavs_agents.arena.match import play_match
from sjavs_agents.arena.results_folder import load
from sjavs_agents.arena.seating import mixed_seating, pair_seating
from sjavs_agents.arena.team_agent import TeamAgent
from sjavs_agents.arena.tournament.bout import fresh_seed, looks
from sjavs_agents.arena.tournament.entrants import entrants
from sjavs_agents.base import Ints
from sjavs_agents.heuristic.greedy_agent import GreedyAgent
from sjavs_agents.heuristic.random_agent import RandomAgent
from sjavs_agents.registry import make_agent
from sjavs_agents.stats.sequential import SequentialPlan, SequentialTest
from sjavs_agents.stats.significance import holm
from sjavs_env import PlayerView, read_records
from tests.engine.table import game_of

SMALL = "tests.agents.arena.drawing:Small"
MIDDLING = "tests.agents.arena.drawing:Middling"


def results(tmp_path: Path, *argv: str) -> dict[str, Any]:
    path = tmp_path / "a.json"
    assert main([*argv, "--json", str(path)]) == 0
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def pairs(data: dict[str, Any]) -> list[list[str]]:
    return [pair["agents"] for pair in data["pairs"]]


def test_a_gauntlet_is_run_by_the_first(tmp_path: Path) -> None:
    data = results(tmp_path, "greedy", "random", SMALL, "--gauntlet", "--boards", "8")
    assert pairs(data) == [["greedy", "random"], ["greedy", "small"]]


def test_the_crosstable_has_every_pair_from_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["greedy", "random", SMALL, "--boards", "8"]) == 0
    lines = capsys.readouterr().out.splitlines()
    cross = [line.split("  ") for line in lines[lines.index("") + 3 :]]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in cross]
    assert [row[0] for row in cells] == ["1 greedy", "2 random", "3 small"]
    ahead, behind = cells[0][1], cells[1][1]  # greedy against random, and random against greedy
    assert ahead[1:] == behind[1:]
    assert {ahead[0], behind[0]} == {"+", "-"}
    of_pair = next(line for line in lines if line.startswith("greedy  random"))
    assert ahead in of_pair
    mean = np.mean([float(cell.split()[0]) for cell in cells[0][1:3]])
    assert float(cells[0][3]) == pytest.approx(mean, abs=0.011)


# Partners


class Seen(RandomAgent):
    """Remembers the seats that it was asked for, relative to the dealer and as they are."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seats: Counter[int] = Counter()

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        self.seats.update(view.seat.tolist())
        return super().act(view, mask, rng)


def test_partners_share_every_side() -> None:
    game = game_of()
    first, second, other = Seen("x"), Seen("y"), Seen("z")
    team = TeamAgent(first, second, game)
    assert team.name == "x & y"
    play_match(game, (team, other), 8)
    assert set(first.seats) == {0, 1}
    assert set(second.seats) == {2, 3}
    assert set(other.seats) == {0, 1, 2, 3}
    sides = pair_seating(game).agent_at
    for table in (0, 1):
        assert sorted(np.flatnonzero(sides[table] == 0) >= 2) == [False, True]


def test_an_agent_is_its_own_partner() -> None:
    game = game_of("faroese_free")
    rules, greedy = make_agent("rules", game), GreedyAgent(game)
    team = play_match(game, (TeamAgent(rules, rules, game), greedy), 40, 3)
    alone = play_match(game, (rules, greedy), 40, 3)
    np.testing.assert_array_equal(team.game_points, alone.game_points)


def test_every_two_agents_are_partners_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["greedy", "random", "--partners", "--against", SMALL, "--boards", "16"]
    data = results(tmp_path, *argv)
    assert pairs(data) == [
        ["greedy", "small"], ["greedy & random", "small"], ["random", "small"],
    ]  # fmt: skip
    game = game_of()
    team = TeamAgent(GreedyAgent(game), RandomAgent(), game)
    played = play_match(game, (team, make_agent(SMALL, game)), 16)
    mean = data["pairs"][1]["estimates"]["game_points"]["mean"]
    assert mean == played.estimates()["game_points"].mean
    lines = capsys.readouterr().out.splitlines()
    assert "Game points/deal of partners, row and column, against small twice" in lines
    rows = [line.split("  ") for line in lines[-2:]]
    assert rows[0][-1].strip() == rows[1][1].strip()  # it does not matter whose partner one is


def test_partners_play_against_the_first_if_nobody_is_named(tmp_path: Path) -> None:
    data = results(tmp_path, "greedy", "random", "--partners", "--boards", "8")
    assert {pair[1] for pair in pairs(data)} == {"greedy"}


def test_a_team_knows_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["greedy", "random", "--partners", "--rules", "faroese_3"]) == 2
    assert "allowed: games of two against two" in capsys.readouterr().err


# A different agent in every seat


@pytest.mark.parametrize(("rules", "seats"), [("faroese", 4), ("faroese_3", 3), ("handjass", 4)])
def test_everybody_has_every_seat_and_neighbour_equally_often(rules: str, seats: int) -> None:
    game = game_of(rules)
    seating = mixed_seating(game)
    n = game.tables.n_players
    assert n == seats
    assert sorted(map(tuple, seating.agent_at.tolist())) == sorted(permutations(range(n)))
    for agent in range(n):
        for table, at in enumerate(seating.agent_at):
            seat = int(np.flatnonzero(at == agent)[0])
            own = {seat, (seat + 2) % 4} if rules == "faroese" else {seat}
            assert set(np.flatnonzero(seating.parties[agent, table])) == own


def test_results_of_a_table_are_those_of_its_records(tmp_path: Path) -> None:
    """What the games say, added up by hand: the score is counted down, by sides."""
    agents = ["rules", "greedy", "random", SMALL]
    record = tmp_path / "a.jsonl"
    argv = [
        *agents,
        "--table",
        "--boards",
        "6",
        "--record",
        str(record),
        "--out",
        str(tmp_path / "o"),
    ]
    data = results(tmp_path, *argv)
    won: dict[str, list[float]] = defaultdict(list)
    for game in read_records(record):
        change = game["deals"][-1]["result"]["score_change"]
        for seat, name in enumerate(game["players"]):
            won[name].append(change[(seat + 1) % 4] - change[seat])
    assert data["pairs"] == []
    table = data["table"]
    assert (table["boards"], table["deals"]) == (6, 6 * 24)
    found = load(tmp_path / "o").table
    for one, result in zip(table["by_agent"], found, strict=True):
        boards = np.reshape(won[one["agent"]], (6, 24)).mean(axis=1)
        assert one["estimates"]["game_points"]["mean"] == pytest.approx(boards.mean())
        np.testing.assert_allclose(result.board_game_points, boards)
        spread = one["estimates"]["game_points"]["spread"]
        assert spread == pytest.approx(boards.std(ddof=1))
    assert [one["agent"] for one in table["by_agent"]] == ["rules", "greedy", "random", "small"]
    assert sum(one["estimates"]["game_points"]["mean"] for one in table["by_agent"]) == (
        pytest.approx(0)
    )


def test_two_at_a_table_are_a_match(tmp_path: Path) -> None:
    argv = ["rules", "greedy", "--rules", "handjass", "--players", "2", "--boards", "20"]
    mixed = results(tmp_path, *argv, "--table")["table"]["by_agent"]
    (pair,) = results(tmp_path, *argv)["pairs"]
    assert mixed[0]["estimates"] == pair["estimates"]
    means = [one["estimates"]["game_points"]["mean"] for one in mixed]
    assert means[0] == -means[1] != 0


# Patterns of files


@pytest.mark.parametrize(
    "pattern", ["run/checkpoints/*", "ru*/checkpoints/iteration_*.safetensors"]
)
def test_a_pattern_is_its_files_in_the_order_of_their_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "run" / "checkpoints"
    folder.mkdir(parents=True)
    for n in (10, 9, 100):
        (folder / f"iteration_{n}.safetensors").touch()
    (folder / "notes.txt").touch()
    (folder / ".sjavs-00000000.tmp").touch()
    found = entrants(["rules", pattern, f"{pattern}:temperature=1"])
    files = [f"run/checkpoints/iteration_{n}.safetensors" for n in (9, 10, 100)]
    assert [name.replace("\\", "/") for name in found] == [
        "rules", *files, *(f"{name}:temperature=1" for name in files),
    ]  # fmt: skip


def test_a_pattern_that_fits_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").touch()
    with pytest.raises(ValueError, match=r"agent is 'no/\*', and there are no files like it"):
        entrants(["no/*"])
    with pytest.raises(ValueError, match="there are no checkpoints"):
        entrants(["*.txt"])


# Until it is sure


def test_a_test_stops_where_it_would_with_all_boards_at_hand(tmp_path: Path) -> None:
    argv = ["greedy", MIDDLING, "--boards", "900", "--until-sure", "0,0.8", "--seed", "4"]
    data = results(tmp_path, *argv, "--out", str(tmp_path / "out"))
    (pair,) = data["pairs"]
    test, fresh = pair["test"], pair["fresh"]
    game = game_of()
    agents = GreedyAgent(game), make_agent(MIDDLING, game)
    known = SequentialTest(SequentialPlan(0.0, 0.8, cap=900))
    known.feed(play_match(game, agents, 900, 4).board_game_points)
    assert (test["verdict"], test["boards"]) == (known.verdict, known.boards)
    assert test["log_likelihood_ratio"] == known.llr
    assert pair["boards"] == test["boards"] < 900
    anew = play_match(game, agents, test["boards"], fresh["seed"])
    assert fresh["boards"] == test["boards"]
    assert fresh["estimates"]["game_points"]["mean"] == anew.estimates()["game_points"].mean
    folder = load(tmp_path / "out")
    assert folder.fresh[0] is not None
    np.testing.assert_array_equal(folder.fresh[0].game_points, anew.game_points)
    assert (folder.pairs[0].seed, folder.fresh[0].seed) == (4, fresh_seed(4))


def test_two_processes_stop_at_the_same_board(tmp_path: Path) -> None:
    argv = ["greedy", MIDDLING, "random", "--boards", "300", "--until-sure", "0,1"]
    one, two = (results(tmp_path, *argv, "--processes", n) for n in ("1", "2"))
    assert one == two
    for pair in one["pairs"]:
        for name, estimate in pair["estimates"].items():
            fresh = pair["fresh"]["estimates"][name]
            assert (estimate["biased"], fresh["biased"]) == (True, False)
            assert "p_holm" not in estimate
            assert ("p_holm" in fresh) == ("p_value" in fresh)
    p_values = [pair["fresh"]["estimates"]["game_points"]["p_value"] for pair in one["pairs"]]
    corrected = [pair["fresh"]["estimates"]["game_points"]["p_holm"] for pair in one["pairs"]]
    assert corrected == holm(p_values)


def test_nothing_is_quoted_of_a_test_before_its_fresh_boards() -> None:
    pair = {"estimates": {"game_points": {"p_value": 0.01, "sign_flip_p": 0.01}}}
    tested = {"estimates": {"game_points": {"p_value": 0.01, "sign_flip_p": 0.01}}, "test": {}}
    assert to_quote(tested) is None
    first, second = correct_pairs([pair, tested])
    assert first["estimates"]["game_points"]["p_holm"] == 0.01
    assert "p_holm" not in second["estimates"]["game_points"]


@pytest.mark.parametrize(
    ("size", "every", "least"), [(4, 64, 256), (48, 96, 288), (1024, 1024, 1024)]
)
def test_looks_are_at_the_ends_of_shards(size: int, every: int, least: int) -> None:
    plan = looks(SequentialPlan(cap=10_000), size)
    assert (plan.every, plan.least, plan.cap) == (every, least, 10_000)
    assert plan.every % size == plan.least % size == 0


def test_a_cap_below_the_first_look_is_the_only_look() -> None:
    assert looks(SequentialPlan(cap=300), 1024).least == 300


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--until-sure", "0.1,0"], "delta1 is 0.0; allowed: more than delta0 = 0.1"),
        (["--until-sure=-1"], "delta1 is -1.0; allowed: more than delta0 = 0.0"),
        (["--until-sure", "nan"], "delta1 is nan; allowed: a finite number"),
        (["--until-sure", "x"], "--until-sure is 'x'; allowed: a difference, or two as in 0,0.05"),
        (["--until-sure", "--boards", "255"], "boards is 255 with --until-sure; allowed: 256"),
        (["--table"], "--table has 2 agents; allowed: 4, one for each seat"),
        (["--table", "--partners"], "not allowed with argument"),
        (["--against", "greedy"], "--against is 'greedy'; allowed: with --partners alone"),
        (["--processes", "0"], "--processes is '0'; allowed: auto, 1 to 1024"),
        (["--processes", "two"], "--processes is 'two'; allowed: auto, 1 to 1024"),
        (["--partners", "--against", "nobody"], "there is no agent 'nobody'"),
    ],
)
def test_what_makes_no_evaluation_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], argv: list[str], told: str
) -> None:
    try:
        status: object = main(["rules", "random", *argv])
    except SystemExit as stop:
        status = stop.code
    assert status == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
