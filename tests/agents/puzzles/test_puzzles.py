"""Puzzles: the stored ones are right, wrong ones are found, and better players solve more."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sjavs_agents.puzzles.command import main
from sjavs_agents.puzzles.making import LEAST_CARDS, LEAST_POINTS, Maker
from sjavs_agents.puzzles.puzzle import Puzzle, ask, read_puzzles, write_puzzles
from sjavs_agents.puzzles.solving import problems, solve
from sjavs_agents.puzzles.stored import all_stored, file_of
from sjavs_agents.registry import make_agent
from sjavs_env import Game
from tests.engine.table import TABLES, game_of, table_of

# games that two sides play
GAMES = [t for t in TABLES if t[1] == 2 or not table_of(*t).tables.seats]
COUNT = 50
ASKED = 15  # of each game
PROVED = 3  # of each game whenever tests are run; the others where there is more time


@cache
def stored(preset: str, players: int) -> tuple[Game, tuple[Puzzle, ...]]:
    game, puzzles = read_puzzles(file_of(table_of(preset, players).rules))
    return game, tuple(puzzles)


def share(preset: str, players: int, agent: str) -> float:
    game, puzzles = stored(preset, players)
    return float(solve(game, puzzles[:ASKED], make_agent(agent, game)).solved.mean())


def test_every_game_of_two_sides_has_its_puzzles() -> None:
    files = {file_of(table_of(*table).rules).name for table in GAMES}
    assert {path.name for path in all_stored()} == files


@pytest.mark.parametrize("table", GAMES, ids=lambda t: f"{t[0]}-{t[1]}")
def test_puzzles_are_different_questions_with_several_answers(table: tuple[str, int]) -> None:
    game, puzzles = stored(*table)
    assert game.rules == table_of(*table).rules
    assert len(puzzles) == COUNT
    assert len({puzzle.deck for puzzle in puzzles}) == COUNT
    questions = ask(game, puzzles)
    assert (questions.mask.sum(axis=1) >= LEAST_CARDS).all()
    for puzzle, mask in zip(puzzles, questions.mask, strict=True):
        legal = {label for label, may in zip(game.actions.labels, mask, strict=True) if may}
        assert legal == set(puzzle.cards)
        assert puzzle.lead("points") >= LEAST_POINTS
        assert puzzle.lead("score") > 0


@pytest.mark.parametrize("table", GAMES, ids=lambda t: f"{t[0]}-{t[1]}")
def test_some_answers_are_proved_anew(table: tuple[str, int]) -> None:
    game, puzzles = stored(*table)
    quickest = sorted(puzzles, key=lambda puzzle: puzzle.worlds)[:PROVED]
    assert list(problems(game, quickest)) == []


@pytest.mark.slow
@pytest.mark.parametrize("table", GAMES, ids=lambda t: f"{t[0]}-{t[1]}")
def test_all_answers_are_proved_anew(table: tuple[str, int]) -> None:
    assert list(problems(*stored(*table))) == []


def test_wrong_puzzles_are_found() -> None:
    game, puzzles = stored("danish_4", 4)
    good = min(puzzles, key=lambda puzzle: puzzle.worlds)
    other = next(label for label in good.cards if label != good.answer)
    values = {**good.cards, other: {"score": 99.0, "points": 99.0}}
    nothing = {**good.cards, other: {"score": float("nan"), "points": 99.0}}
    for wrong, words in (
        (replace(good, answer=other), f"the answer is {other!r}; the best card is"),
        (replace(good, worlds=good.worlds + 1), f"{good.worlds + 1} worlds; there are"),
        (
            replace(good, worlds=good.worlds - 1),
            f"{good.worlds - 1} worlds; there are {good.worlds}",
        ),
        (replace(good, always=not good.always), "always is"),
        (replace(good, cards=values), f"score of {other!r} is 99.0; it is"),
        (replace(good, cards=nothing), f"score of {other!r} is nan; it is"),
    ):
        found = list(problems(game, [wrong]))
        assert any(text.startswith(f"puzzle 1: {words}") for text in found), found
    assert list(problems(game, [good, good])) == ["puzzle 2 is of the same deal as one before"]


def test_making_puzzles_again_makes_the_same(tmp_path: Path) -> None:
    game = game_of("danish_4")
    for name in ("a", "b"):
        maker = Maker(game, make_agent("rules", game), most_worlds=100)
        write_puzzles(tmp_path / name, list(maker.make(3, seed=9)))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    again, puzzles = read_puzzles(tmp_path / "a")
    assert list(problems(again, puzzles)) == []


@pytest.mark.slow
def test_better_players_solve_more() -> None:
    """Over all games, and searching against chance in each; the seeds are fixed."""
    shares = {
        agent: [share(*table, agent) for table in GAMES]
        for agent in ("random", "rules", "pimc:worlds=10")
    }
    chance, maxims, search = (sum(values) / len(values) for values in shares.values())
    assert chance + 0.2 < maxims
    assert maxims + 0.1 < search
    for by_chance, by_search in zip(shares["random"], shares["pimc:worlds=10"], strict=True):
        assert by_chance + 0.3 < by_search


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hello", "line 2: no JSON"),
        pytest.param("[" * 100_000, "line 2: no JSON", id="deep"),
        ("[]", "line 2: no puzzle; allowed: format 'sjavs-puzzle' version 1"),
        ('{"format":"sjavs-puzzle","version":1}', "line 2: missing or surplus: 'actions, always"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, words: str) -> None:
    first = file_of(game_of("faroese").rules).read_text("utf-8").splitlines()[0]
    (tmp_path / "x").write_text(f"{first}\n{line}\n")
    with pytest.raises(ValueError, match=words):
        read_puzzles(tmp_path / "x")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"actions": ["fly"]}, "'fly' is illegal for seat "),
        ({"actions": []}, "cards are play "),
        ({"deck": "QC"}, "the deck has 1 of 32 cards"),
        ({"dealer": 9}, "dealer is 9; allowed: 0 to 3"),
    ],
)
def test_a_puzzle_of_no_position_is_named_by_both_commands(
    tmp_path: Path, change: dict[str, object], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = file_of(game_of("faroese").rules).read_text("utf-8").splitlines()[:2]
    lines[1] = json.dumps({**json.loads(lines[1]), **change})
    path = tmp_path / "x"
    path.write_text("\n".join(lines))
    assert main(["solve", "rules", "--file", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"sjavs puzzles: error: {path}: puzzle 2: ")
    assert words in err
    assert err.count("\n") == 1
    assert main(["check", str(path)]) == 1
    out, err = capsys.readouterr()
    assert f"{path}: puzzle 2: " in out
    assert words in out
    assert err == ""


def test_a_card_that_is_not_legal_there_is_found() -> None:
    game, puzzles = stored("faroese", 4)
    earlier = replace(puzzles[0], actions=puzzles[0].actions[:-1])
    with pytest.raises(ValueError, match=r"puzzle 1: cards are .*; legal: play "):
        ask(game, [earlier])


@pytest.mark.parametrize("values", [3, {}, {"score": 1}, {"score": "x", "points": 1}])
def test_worths_that_are_no_numbers_are_refused(tmp_path: Path, values: object) -> None:
    first = json.loads(file_of(game_of("faroese").rules).read_text("utf-8").splitlines()[0])
    first["cards"][first["answer"]] = values
    (tmp_path / "x").write_text(json.dumps(first))
    with pytest.raises(ValueError, match=r"line 1: 'play .*; allowed: numbers for score and"):
        read_puzzles(tmp_path / "x")


@pytest.mark.parametrize(
    ("data", "words"), [(b"\xff", "holds no puzzles: 'utf-8'"), (b"", "holds no puzzle")]
)
def test_a_file_of_something_else_is_named(tmp_path: Path, data: bytes, words: str) -> None:
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(ValueError, match=f"x {words}"):
        read_puzzles(tmp_path / "x")


def test_puzzles_of_rules_that_have_changed_name_their_file(tmp_path: Path) -> None:
    first = json.loads(file_of(game_of("faroese").rules).read_text("utf-8").splitlines()[0])
    first["rules"]["version"] = 9
    (tmp_path / "x").write_text(json.dumps(first))
    with pytest.raises(ValueError, match=r"x: rules faroese have version 9"):
        read_puzzles(tmp_path / "x")


def test_a_file_that_cannot_be_written_is_found_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Maker, "make", pytest.fail)
    assert main(["make", "--out", str(tmp_path / "no" / "x")]) == 2
    error = capsys.readouterr().err
    assert "x cannot be written" in error
    assert error.count("\n") == 1


def test_values_of_another_kind_and_other_answers_are_refused(tmp_path: Path) -> None:
    first = file_of(game_of("faroese").rules).read_text("utf-8").splitlines()[0]
    for name, value in (("dealer", "3"), ("answer", "play 5C")):
        (tmp_path / "x").write_text(json.dumps({**json.loads(first), name: value}))
        with pytest.raises(ValueError, match=f"line 1: {name} is '{value}'; allowed: "):
            read_puzzles(tmp_path / "x")


def test_the_commands_make_check_and_solve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "x.jsonl")
    size = ["--count", "2", "--worlds", "50"]
    assert main(["make", "--rules", "danish_4", *size, "--out", out]) == 0
    assert main(["check", out]) == 0
    assert main(["solve", "random", "rules", "--rules", "danish_4", "--file", out]) == 0
    text = capsys.readouterr().out
    assert "2 puzzles, sound" in text
    assert "/2 " in text
    broken = Path(out).read_text("utf-8").replace('"always":true', '"always":false')
    broken = broken.replace('"worlds":', '"worlds":1', 1)
    Path(out).write_text(broken)
    assert main(["check", out]) == 1
    assert "2 puzzles, not sound" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["make", "--rules", "whist"], "'whist'"),
        (["make", "--count", "0"], "count is 0; allowed: 1 to 1000000"),
        (["make", "--count", "1000001"], "count is 1000001; allowed: 1 to 1000000"),
        (["make", "--seed", "-1"], "seed is -1; allowed: "),
        (["make", "--worlds", "1"], "worlds is 1; allowed: 2 to 1000000"),
        (["make", "--worlds", "99999999"], "worlds is 99999999; allowed: 2 to 1000000"),
        (["make", "--threads", "0"], "threads is 0; allowed: 1 to 256"),
        (["make", "--all"], "out is 'x' with --all; allowed: one of them"),
        (["make", "--all", "--rules", "suduroy"], "rules is 'suduroy' with --all"),
        (["make", "--all", "--set", "tie=double"], "with --all; allowed: one of them"),
        (["check", "--threads", "257"], "threads is 257; allowed: 1 to 256"),
        (
            ["solve", "rules", "--rules", "suduroy", "--file", str(file_of(game_of().rules))],
            "faroese.jsonl holds no puzzles of suduroy with these parameters; allowed: ",
        ),
        (["make", "--rules", "handjass"], "no game of two sides"),
        (["check", "missing"], "missing: No such file or directory"),
        (["make", "--agent", "cheater"], "'cheater' looks into all hands"),
        (
            ["solve", "rules", "--rules", "handjass"],
            "stored for handjass with 4 players; allowed: --players 2, or --file with",
        ),
        (["solve", "nobody"], "there is no agent 'nobody'"),
        (["solve", "cheater"], "'cheater' looks into all hands"),
        (["solve", "random", "--seed", "-1"], "seed is -1; allowed: a number from 0"),
        (["solve", "random", "--set", "tie=double"], "no puzzles of faroese with these parameters"),
    ],
)
def test_bad_input_is_told_in_one_line(
    argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*argv, *(["--out", "x"] if argv[0] == "make" else [])]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
