"""The pages on how to add something: their examples run, and what they name is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sjavs_agents.arena.match import play_match
from sjavs_agents.registry import AGENTS, make_agent
from sjavs_env import Game, RuleSet
from sjavs_env.rules.pages.describe import describe
from tests.engine.table import game_of

ROOT = Path(__file__).parents[2]
RULE_SET = (ROOT / "docs" / "add_a_rule_set.md").read_text("utf-8")
AGENT = (ROOT / "docs" / "add_an_agent.md").read_text("utf-8")
FOLDERS = ("", "sjavs_env/", "sjavs_env/rules/", "sjavs_env/rules/games/", "sjavs_env/engine/",
           "sjavs_env/engine/phases/", "agents/", "agents/sjavs_agents/", "tests/")  # fmt: skip


def examples(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def run(page: str) -> dict[str, Any]:
    """What the examples of a page define, one after the other."""
    space: dict[str, Any] = {}
    for block in examples(page):
        exec(compile(block, "page", "exec"), space)
    return space


def test_the_rule_set_of_the_page_is_played_and_described(
    capsys: pytest.CaptureFixture[str],
) -> None:
    space = run(RULE_SET)
    club = space["CLUB"]
    assert isinstance(club, RuleSet)
    assert Game(club).rules.name == "club"
    assert "12" in describe(club)
    assert club.notes == game_of("faroese").rules.notes
    assert space["rubbers"] > 100
    told = capsys.readouterr().out.splitlines()
    assert "the short rubber of a club" in told[0]
    assert told[-1].startswith("rules club: start is 0; allowed: ")


def test_the_command_of_the_page_says_the_same_in_python() -> None:
    (settings,) = re.findall(r"rules faroese --set (.+)", RULE_SET)
    assert settings.split() == ["start=12", "tie=double", "payoff.vol=10,14"]
    rules = game_of("faroese", start=12, tie="double", **{"payoff.vol": (10, 14)}).rules
    assert rules != game_of("faroese").rules


def test_the_agent_of_the_page_beats_the_random_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    space = run(AGENT)
    assert space["gain"].low > 0.5
    assert re.search(r"\+\d\.\d\d \[\+", capsys.readouterr().out)
    (tmp_path / "feeder.py").write_text(examples(AGENT)[0], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    game = game_of("faroese")
    by_name = make_agent("feeder:Feeder", game)
    played = [play_match(game, (a, make_agent("greedy", game)), 20) for a in
              (by_name, space["Feeder"](game))]  # fmt: skip
    assert played[0].game_points.tolist() == played[1].game_points.tolist()
    with pytest.raises(ValueError, match="rules are 'klorsjavs'; allowed: games of partners"):
        make_agent("feeder:Feeder", game_of("klorsjavs"))


def test_its_recipe_is_of_the_form_that_the_registry_has() -> None:
    assert 'Recipe(Feeder, {"chance": _number})' in AGENT
    assert list(AGENTS["random-pass"].options) == ["chance"]


@pytest.mark.parametrize("page", [RULE_SET, AGENT], ids=["rule set", "agent"])
def test_every_file_that_a_page_names_exists(page: str) -> None:
    named = re.findall(r"`((?:[\w.]+/)*[\w.]+\.py|(?:\w+/)+)`", page)
    assert len(named) > 3
    for name in set(named) - {"feeder.py"}:
        assert any((ROOT / folder / name).exists() for folder in FOLDERS), name
    for target in re.findall(r"\]\((?!http)([^)#]+)", page):
        assert (ROOT / "docs" / target).exists(), target
