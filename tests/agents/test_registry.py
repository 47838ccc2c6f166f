"""Agents by name."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from agents.random_agent import RandomAgent
from agents.registry import AGENTS, make_agent
from sjavs_env import Game
from tests.engine.table import game_of


@pytest.mark.parametrize("name", ["random", "greedy", "rules", "rules:bidding=longest",
                                  "random-pass:chance=0.9"])  # fmt: skip
def test_the_name_of_an_agent_says_what_it_is(name: str) -> None:
    assert make_agent(name, game_of()).name == name


def test_an_agent_that_draws_says_so_in_its_name() -> None:
    assert make_agent("random-pass", game_of()).name == "random-pass:chance=0.8"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("club", "there is no agent 'club'; allowed: random, random-pass, greedy, rules, "),
        ("", "there is no agent ''"),
        (":temperature=1", "there is no agent"),
        ("greedy:speed=2", "agent 'greedy:speed=2': there is no option 'speed'; allowed: none"),
        ("rules:temperature=1", "there is no option 'temperature'; allowed: bidding"),
        ("rules:bidding=", "bidding is ''; allowed: worthwhile, longest"),
        ("rules:bidding=a,b", "bidding is 'a'; allowed|there is no option 'b'"),
        ("random-pass:chance=often", "chance is 'often'; allowed: a number from 0"),
        ("random-pass:chance=nan", "chance is 'nan'"),
        ("random-pass:chance=1.5", "chance is 1.5; allowed: 0 to 1"),
        ("random-pass:chance=0.5,chance=0.6", "chance is given twice; allowed: once"),
        ("nowhere.safetensors", "nowhere.safetensors"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_line(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        make_agent(name, game_of())
    assert "\n" not in str(error.value)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, float]]]:
    """Stand in for the module that loads weights; collects what it is asked for."""
    asked: list[tuple[str, dict[str, float]]] = []

    def load_agent(path: str, game: Game, **options: float) -> RandomAgent:
        asked.append((path, options))
        return RandomAgent()

    module = ModuleType("agents.neural.policy")
    module.load_agent = load_agent  # type: ignore[attr-defined]  # a stand-in
    monkeypatch.setitem(sys.modules, "agents.neural.policy", module)
    return asked


def test_a_path_is_a_checkpoint(tmp_path: Path, loaded: list[tuple[str, dict[str, float]]]) -> None:
    make_agent(str(tmp_path), game_of())
    make_agent(f"{tmp_path}:temperature=0.5", game_of())
    make_agent("runs/a:b/agent.safetensors", game_of())
    make_agent("runs/a:b/agent.safetensors:temperature=1", game_of())
    assert loaded == [
        (str(tmp_path), {}),
        (str(tmp_path), {"temperature": 0.5}),
        ("runs/a:b/agent.safetensors", {}),
        ("runs/a:b/agent.safetensors", {"temperature": 1.0}),
    ]


def test_without_torch_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "agents.neural.policy", None)
    with pytest.raises(ValueError, match=r"pip install 'sjavs\[train\]'"):
        make_agent(str(tmp_path), game_of())


def test_an_agent_called_like_a_folder_is_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in AGENTS:
        (tmp_path / name).mkdir()
        assert make_agent(name, game_of()).name.startswith(name)
