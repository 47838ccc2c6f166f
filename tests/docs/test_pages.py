"""The pages on environments and evaluation say what is so, and their examples run."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluate import main as evaluate
from sjavs_agents.arena.match import play_match, seating
from sjavs_agents.arena.report import match_report
from sjavs_agents.arena.tally import STANDINGS
from sjavs_agents.registry import make_agent
from sjavs_env import BatchEnv, SingleSeatEnv, SjavsEnv, sample_legal, verify_file
from sjavs_env.envs.options import read_options
from sjavs_env.rules import PRESETS
from tests.engine.table import TABLES, game_of, seated, table_of

DOCS = Path(__file__).parents[2] / "docs"
ENVIRONMENT = (DOCS / "environment.md").read_text("utf-8")
EVALUATION = (DOCS / "evaluation.md").read_text("utf-8")
EXACT = (DOCS / "exact.md").read_text("utf-8")
BY_GAME = {  # how a row of a table names games -> a few of them
    "partners": ["faroese", "suduroy"],
    "two players": ["faroese_2", "handjass 2"],
    "three, each alone": ["faroese_3", "klorsjavs", "auction_sjavs", "handjass 3"],
    "four, each alone": ["danish_4", "handjass_swiss 4"],
}


def section(page: str, title: str) -> str:
    """The text under a heading."""
    return page.split(f"## {title}\n")[1].split("\n## ")[0]


def table(text: str, head: str) -> dict[str, list[str]]:
    """The rows of the table with this first heading, by the names in the first column."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {head} |"))
    rows: dict[str, list[str]] = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        first, *rest = [cell.strip() for cell in line.strip("|").split(" | ")]
        for name in first.split(", "):
            rows[name.strip("`")] = rest
    return rows


def named_game(words: str) -> Any:
    name, _, players = words.partition(" ")
    return table_of(name, int(players)) if players else game_of(name)


@pytest.mark.parametrize(
    "page", [ENVIRONMENT, EVALUATION, EXACT], ids=["environment", "evaluation", "exact"]
)
def test_the_examples_run_as_written(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert blocks
    space: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs", "exec"), space)
    if page is ENVIRONMENT:
        assert verify_file(tmp_path / "games.jsonl") == 1
        agent = space["Generous"](game_of("klorsjavs"))
        won = play_match(game_of("klorsjavs"), (agent, make_agent("random", game_of())), 20)
        assert won.agents == ("generous", "random")


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md")))
def test_every_page_and_heading_it_names_exists(page: str) -> None:
    for target in re.findall(r"\]\((?!http)([^)]+)\)", (DOCS / page).read_text("utf-8")):
        name, _, anchor = target.partition("#")
        assert (DOCS / name).exists(), target
        if anchor:
            text = (DOCS / name).read_text("utf-8").lower().replace(" ", "-")
            assert f"#-{anchor}\n" in text, target


def test_every_option_of_the_environments_is_told() -> None:
    text = section(ENVIRONMENT, "Options of the constructor")
    told = table(text, "option")
    for kind in (SjavsEnv, SingleSeatEnv, BatchEnv):
        for name, parameter in inspect.signature(kind).parameters.items():
            assert parameter.kind is parameter.VAR_KEYWORD or f"`{name}`" in text, name
    assert set(told) == {n for n in inspect.signature(SjavsEnv).parameters if "more" not in n}
    for head, kind in (("option", SjavsEnv), ("of `SingleSeatEnv`", SingleSeatEnv),
                       ("of `BatchEnv`", BatchEnv)):  # fmt: skip
        for name, (_, default, *_) in table(text, head).items():
            parameter = inspect.signature(kind).parameters[name]
            assert default == f"`{as_written(parameter.default)}`", name
    for name in ("illegal", "redeal", "render_mode", "render_ascii", "episode"):
        values = [None if v == "None" else json.loads(v.lower()) for v in words(told[name][0])]
        for value in values:
            option: dict[str, Any] = {name: value}
            assert SjavsEnv(**option).options[name] == value
        wrong: dict[str, Any] = {name: 7}
        with pytest.raises(ValueError, match=f"^{name} is 7; allowed: ") as error:
            SjavsEnv(**wrong)
        assert str(error.value).count(",") + 1 == len(values)


def as_written(default: Any) -> str:
    """A default as a reader of the page would type it."""
    if callable(default):
        return str(default.__name__)
    return json.dumps(default) if isinstance(default, str) else repr(default)


def test_a_batch_takes_the_values_that_it_is_told_to() -> None:
    told = table(section(ENVIRONMENT, "Options of the constructor"), "of `BatchEnv`")
    for name in ("autoreset", "card_order"):
        values = [json.loads(v) for v in words(told[name][0])]
        for value in values:
            BatchEnv(num_games=1, **{name: value})
        with pytest.raises(ValueError, match=f"{name.replace('_', '.')} is 7; allowed: ") as error:
            BatchEnv(num_games=1, **{name: 7})  # type: ignore[arg-type]  # a wrong one on purpose
        assert str(error.value).rpartition("allowed: ")[2].split(", ") == values


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_option_of_a_reset_is_told() -> None:
    with pytest.raises(ValueError, match=r"'score'.*; allowed: ") as error:
        read_options(game_of(), {"score": [1, 2]})
    allowed = str(error.value).rpartition("allowed: ")[2].split(", ")
    assert list(table(section(ENVIRONMENT, "Options of a reset"), "option")) == allowed


def test_steps_without_a_choice_are_as_frequent_as_it_says() -> None:
    least, most = map(int, re.search(r"(\d+) to (\d+) %, by game", ENVIRONMENT).groups())  # type: ignore[union-attr]  # it is there
    shares = []
    for rules, players in TABLES:
        env = BatchEnv(rules, num_games=128, seed=1, **seated(rules, players))
        turn, rng, forced = env.turn(), np.random.default_rng(1), 0
        for _ in range(80):
            forced += int((turn.mask.sum(axis=1) == 1).sum())
            turn, _, _ = env.step(sample_legal(turn.mask, rng))
        shares.append(100 * forced / (80 * env.num_games))
    assert min(shares) == pytest.approx(least, abs=1)
    assert max(shares) == pytest.approx(most, abs=1)


def test_boards_have_so_many_tables() -> None:
    text = section(EVALUATION, "Boards")
    for kind, games in BY_GAME.items():
        (count,) = re.findall(rf"^\| {kind} \| (\d+):", text, re.MULTILINE)
        for game in map(named_game, games):
            assert len(seating(game)) == int(count)
    boards, deals = re.search(r"So (\d+) boards of `klorsjavs` are ([\d,]+) deals", text).groups()  # type: ignore[union-attr]  # it is there
    assert int(boards) * len(seating(game_of("klorsjavs"))) == int(deals.replace(",", ""))


def test_every_game_is_told_what_a_rubber_is_about() -> None:
    text = section(ENVIRONMENT, "Episodes and what they pay")
    units = {"first_out_wins": "crosses of the winner", "deals": "chips won",
             "first_out_loses": "a cross for everyone but the loser",
             "last_one_loses": "a cross for the loser, which counts −1"}  # fmt: skip
    for name, rules in PRESETS.items():
        family = "faroese` and its variants" if rules.sides == "partners" else f"`{name}`"
        named = "| Handjass |" if rules.seats else family
        (row,) = [line for line in text.splitlines() if line.startswith("|") and named in line]
        assert units[rules.match.kind] in row, name
        assert ("the other side" in row) == (rules.sides == "partners")


@pytest.mark.parametrize("rules", ["faroese", "handjass_alt"])
def test_every_field_of_the_file_is_told(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    argv = ["rules", "greedy", "--rules", rules, "--boards", "4", "--timings", "--json", str(path)]
    assert evaluate(argv) == 0
    data: Mapping[str, Any] = json.loads(path.read_text())
    text = section(EVALUATION, "The file")
    file, pair, agent = (table(part, "field") for part in tables(text))
    assert set(data) == set(file)
    assert set(data["pairs"][0]) == set(pair)
    mine = data["pairs"][0]["by_agent"][0]
    contracts = {"declared", "suits", "bids", "results", "roles"}
    hidden = contracts if rules != "faroese" else {"standings"}
    assert set(mine) == set(agent) - hidden
    for nested in (
        data["pairs"][0]["swings"][0],
        mine["seats"][0],
        *mine.get("roles", {}).values(),
    ):
        assert all(f"`{name}`" in text for name in nested)
    assert all(f"`{name}`" in text for name in STANDINGS)
    estimates = table(section(EVALUATION, "Boards"), "estimate")
    assert set(data["pairs"][0]["estimates"]) <= set(estimates)


def tables(text: str) -> list[str]:
    """The tables of fields in a text, one after the other."""
    return ["| field |" + part for part in text.split("| field |")[1:]]


def test_the_estimates_of_rubbers_are_told() -> None:
    game = game_of("klorsjavs")
    pair = make_agent("greedy", game), make_agent("random", game)
    result = play_match(game, pair, 1, episode="rubber")
    told = table(section(EVALUATION, "Boards"), "estimate")
    assert set(match_report(result)["estimates"]) == set(told)
