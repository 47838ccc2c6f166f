"""Agents by name."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from sjavs_agents.heuristic.random_agent import RandomAgent
from sjavs_agents.registry import AGENTS, files_of, make_agent
from sjavs_env import Game
from tests.agents.seats import game_for
from tests.engine.table import game_of


@pytest.mark.parametrize("name", ["random", "greedy", "rules", "rules:bidding=longest",
                                  "random-pass:chance=0.9"])  # fmt: skip
def test_the_name_of_an_agent_says_what_it_is(name: str) -> None:
    assert make_agent(name, game_of()).name == name


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_of_the_list_can_be_made(name: str) -> None:
    assert make_agent(name, game_for(name)).name.startswith(name)


def test_an_agent_that_draws_says_so_in_its_name() -> None:
    assert make_agent("random-pass", game_of()).name == "random-pass:chance=0.8"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "club",
            f"there is no agent 'club'; allowed: {', '.join(AGENTS)}, champion, the path of a ",
        ),
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
        ("|".join(["rules"] * 1200), r"^agent is 'rules.*; allowed: up to 8 bars in a name$"),
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

    module = ModuleType("sjavs_agents.neural.policy")
    module.load_agent = load_agent  # type: ignore[attr-defined]  # a stand-in
    monkeypatch.setitem(sys.modules, "sjavs_agents.neural.policy", module)
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
    monkeypatch.setitem(sys.modules, "sjavs_agents.neural.policy", None)
    with pytest.raises(ValueError, match=r"pip install 'sjavs\[train\]'"):
        make_agent(str(tmp_path), game_of())


def test_an_agent_called_like_a_folder_is_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in AGENTS:
        (tmp_path / name).mkdir()
        assert make_agent(name, game_for(name)).name.startswith(name)


OWN = """
from sjavs_agents.heuristic.random_agent import RandomAgent

limit = 3


class Mine(RandomAgent):
    name = "mine"

    def __init__(self, game):
        self.game = game


class NoGame(RandomAgent):
    def __init__(self):
        pass


def deep(game, depth):
    return Mine(game)


def of_class(game):
    return Mine


def nameless(game):
    return object()


def mute(game):
    agent = Mine(game)
    agent.act = lambda view: None
    return agent


def choosy(game):
    raise ValueError("this game is not for me")


def leaving(game):
    raise SystemExit


def unwritable(game):
    agent = Mine(game)
    agent.name = "a\\ud800"
    return agent


def shy(game):
    class Shy(Mine):
        @property
        def name(self):
            raise OSError("not telling")

    return Shy(game)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to work in that holds modules with agents."""
    (tmp_path / "own_players").mkdir()
    (tmp_path / "own_players" / "club.py").write_text(OWN, "utf-8")
    (tmp_path / "own_gone.py").write_text("raise SystemExit(0)", "utf-8")
    (tmp_path / "own_odd.py").write_text("def (", "utf-8")
    (tmp_path / "own_needy.py").write_text("import own_nowhere", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("own_players", "own_players.club", "own_needy"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.usefixtures("own")
def test_an_agent_of_your_own_is_made_for_the_game() -> None:
    agent = make_agent("own_players.club:Mine", game_of("klorsjavs"))
    assert agent.name == "mine"
    assert agent.game is game_of("klorsjavs")  # type: ignore[attr-defined]  # of this agent
    assert make_agent("own_players.club:Mine||rules", game_of()).name == "mine||rules"


CLUB = "own_players.club:"


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own_nowhere:Mine", "there is no module 'own_nowhere'; allowed: one that is installed or"),
        ("own_players.bar:Mine", "there is no module 'own_players.bar'; allowed: "),
        ("own_needy:Mine", "module 'own_needy' needs 'own_nowhere', which is not there"),
        (f"{CLUB}Yours", "has no 'Yours'; allowed: RandomAgent, Mine, NoGame, deep, of_class, "),
        (f"{CLUB}limit", "limit is 3; allowed: a class or a function of a game"),
        (f"{CLUB}NoGame", "NoGame cannot be called with the game: too many positional arguments"),
        (f"{CLUB}deep", "deep cannot be called with the game: missing a required argument"),
        (
            f"{CLUB}of_class",
            "of_class returned 'type'; allowed: an agent, with a name .text. and act",
        ),
        (f"{CLUB}nameless", "nameless returned 'object'; allowed: an agent, with a name"),
        (f"{CLUB}mute", "act of mute cannot be called with view, mask, rng: too many"),
        (f"{CLUB}choosy", "agent 'own_players.club:choosy': this game is not for me"),
        (f"{CLUB}leaving", "leaving raised SystemExit, club.py line "),
        (f"{CLUB}unwritable", r"unwritable is named 'a.ud800'; allowed: one line of at most"),
        (f"{CLUB}shy", "shy raised OSError: not telling, club.py line "),
        (f"{CLUB}__class__", "module 'own_players.club' has no '__class__'; allowed: "),
        ("own_gone:Mine", "module 'own_gone' raised SystemExit: 0, own_gone.py line 1"),
        ("own_odd:Mine", "module 'own_odd' raised SyntaxError"),
        (f"{CLUB}Mine:depth=3", "there is no option 'depth'; allowed: none"),
        ("own_players.club", "there is no agent 'own_players.club'; allowed: .*module:Class"),
    ],
)
def test_what_is_no_agent_of_your_own_is_refused_in_one_line(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        make_agent(name, game_of())
    assert "\n" not in str(error.value)


def test_the_files_of_an_agent_are_found_in_its_options_parts_and_folders(tmp_path: Path) -> None:
    run = tmp_path / "lr=0.1,b"
    (run / "checkpoints").mkdir(parents=True)
    old = run / "checkpoints" / "iteration_1.safetensors"
    old.touch()
    assert {run / "agent.safetensors", old} <= set(files_of(f"{run}:temperature=1"))
    for name in (
        "a/b.safetensors",
        "rules|a/b.safetensors",
        "a/b.safetensors:temperature=1||rules",
        "pimc:worlds=3,belief=a/b.safetensors",
        "rules|pimc:infer=rollout:policy=a/b.safetensors:temperature=1",
    ):
        assert Path("a/b.safetensors") in files_of(name), name


def test_the_files_of_an_agent_of_ones_own_are_those_of_its_module() -> None:
    here = Path.cwd()
    assert {here / "mine.py", here / "mine" / "__init__.py"} <= set(files_of("mine:Player"))
    assert here / "ours" / "mine.py" in set(files_of("rules|ours.mine:Player"))
