"""Champions by name: the file of the game that is played, wherever an agent is named."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from sjavs_agents.arena.match import play_match
from sjavs_agents.arena.tournament.entrants import fingerprint
from sjavs_agents.champion.champions_page import champions_page
from sjavs_agents.champion.command import main
from sjavs_agents.neural import shelf
from sjavs_agents.neural.checkpoint import read_checkpoint
from sjavs_agents.neural.shelf import champion_files
from sjavs_agents.registry import files_of, make_agent, searches, weights_path
from sjavs_agents.search.budgets import BUDGETS, USUAL_BUDGET, search_within
from sjavs_agents.training.run import Training
from sjavs_env import Game, SingleSeatEnv, make_rules, view_of
from tests.agents.champion.made import export, tiny_run
from tests.agents.solver.late import endings
from tests.agents.training.tiny import tiny_config


def game_of(rules: str, **more: int) -> Game:
    return Game(make_rules(rules, **more))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with champions of two games."""
    folder = tmp_path_factory.mktemp("shelf")
    for rules in ("faroese", "klorsjavs"):
        export(tiny_run(tmp_path_factory.mktemp("runs"), rules), folder)
    return folder


@pytest.fixture
def shelved(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same as all champions that there are."""
    monkeypatch.setattr(shelf, "own_shelf", lambda: made)
    return made


def test_a_champion_is_the_player_of_the_game_that_is_played(shelved: Path) -> None:
    for rules in ("faroese", "klorsjavs"):
        game = game_of(rules)
        (path,) = shelved.glob(f"{rules}-*.safetensors")
        agent, other = make_agent("champion", game), make_agent("greedy", game)
        assert agent.name == "champion"
        by_path = make_agent(str(path), game)
        ours, theirs = (play_match(game, (a, other), 4, seed=2) for a in (agent, by_path))
        np.testing.assert_array_equal(ours.tally.actions, theirs.tally.actions)


def test_a_champion_that_draws_says_so_in_its_name(shelved: Path) -> None:
    agent = make_agent("champion:temperature=1", game_of("faroese"))
    assert agent.name == "champion:temperature=1"
    assert getattr(agent, "temperature") == 1  # noqa: B009  # no attribute of all agents


@pytest.mark.parametrize("given", ["", "=0.2", "=50"])
def test_a_search_on_top_is_that_of_its_budget(given: str, shelved: Path) -> None:
    game, path = game_of("faroese"), str(shelved / "faroese-4.safetensors")
    settings = BUDGETS[given[1:] or USUAL_BUDGET].pimc
    written = ",".join(f"{name}={value}" for name, value in settings.items())
    state, rows = endings(game, 12, 3)
    view, mask = view_of(game, state, rows, state.seat[rows]), game.legal_actions(state, rows)
    names = (f"champion:search{given}", f"{path}:search={given[1:] or USUAL_BUDGET}",
             f"pimc:policy={path},{written}")  # fmt: skip
    agents = [make_agent(name, game) for name in names]
    assert [agent.name for agent in agents] == list(names)
    found = [agent.act(view, mask, np.random.default_rng(3)) for agent in agents]
    np.testing.assert_array_equal(found[0], found[2])
    np.testing.assert_array_equal(found[1], found[2])


def test_games_of_many_sides_are_searched_by_playing_on(tmp_path: Path) -> None:
    run = tiny_run(tmp_path, "handjass_schlaeger")
    game = game_of("handjass_schlaeger")
    agent = make_agent(f"{run}:search=0.2", game)
    result = play_match(game, (agent, make_agent("greedy", game)), 1, seed=1)
    assert result.tally.decisions[0] > 0


@pytest.mark.parametrize(("rules", "players"), [("faroese_2", 2), ("handjass", 2), ("handjass", 4),
                                                ("danish_4", 4), ("auction_sjavs", 3)])  # fmt: skip
@pytest.mark.parametrize("budget", BUDGETS)
def test_every_budget_suits_every_kind_of_game(rules: str, players: int, budget: str) -> None:
    """With a stand-in for trained weights: what is made is what a name would make."""
    game = game_of(rules, players=players)
    kind, settings = search_within(game, budget)
    written = ",".join(f"{name}={value}" for name, value in settings.items())
    assert make_agent(f"{kind}:{written},policy=greedy", game).name.startswith(kind)


def test_names_that_search_are_told_apart() -> None:
    assert all(map(searches, ["pimc", "rules||rollout", "champion:search", "runs/x:search=5"]))
    assert not any(map(searches, ["rules", "champion", "champion:temperature=1", "a:b|runs/x"]))


@pytest.mark.parametrize(
    ("name", "rules", "message"),
    [
        ("champion", "suduroy",
         "there is no champion of suduroy for 4; allowed: faroese for 4, klorsjavs for 3"),
        ("champion:search=1", "faroese", "search is '1'; allowed: 0.2, 5, 50"),
        ("champion:width=1", "faroese", "no option 'width'; allowed: temperature, device, search"),
        ("pimc:policy=champion", "handjass", "there is no champion of handjass for 4"),
    ],
)  # fmt: skip
def test_what_there_is_not_is_told_in_one_line(
    name: str, rules: str, message: str, shelved: Path
) -> None:
    with pytest.raises(ValueError, match=message) as error:
        make_agent(name, game_of(rules))
    assert "\n" not in str(error.value)


def test_rules_that_change_the_actions_have_no_champion(shelved: Path) -> None:
    make_agent("champion", Game(make_rules("faroese", tie="double")))
    with pytest.raises(ValueError, match="whose actions or observations differ"):
        make_agent("champion", Game(make_rules("faroese", min_bid=4)))


def test_without_the_package_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shelf, "own_shelf", lambda: tmp_path)
    monkeypatch.setattr(shelf, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"of faroese for 4: .*\(pip install sjavs-champions\)"):
        make_agent("champion", game_of("faroese"))
    assert main(["list"]) == 2
    assert "pip install sjavs-champions" in capsys.readouterr().err
    assert "None yet." in champions_page()


def test_an_installed_package_is_found_and_a_checkout_comes_first(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "sjavs_champions"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    for path in made.iterdir():
        (package / path.name).write_bytes(path.read_bytes())
    own = tmp_path / "own"
    own.mkdir()
    (own / "faroese-4.safetensors").write_bytes((made / "faroese-4.safetensors").read_bytes())
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.delitem(sys.modules, "sjavs_champions", raising=False)
    monkeypatch.setattr(shelf, "own_shelf", lambda: own)
    folders = {key: path.parent for key, path in champion_files().items()}
    assert folders == {"faroese-4": own, "klorsjavs-3": package}
    monkeypatch.setattr(shelf, "in_checkout", lambda: False)
    assert {path.parent for path in champion_files().values()} == {package}


def test_files_of_champions_are_known(shelved: Path) -> None:
    path = shelved / "faroese-4.safetensors"
    for name in ("champion", "champion:search=5", "rules|champion", "pimc:policy=champion"):
        assert path in files_of(name)
    assert fingerprint("champion") == fingerprint("champion:search=5") != ()
    assert weights_path("champion:temperature=1", game_of("faroese")) == path
    assert weights_path("champion|rules", game_of("faroese")) is None


def test_a_training_begins_with_the_weights_of_the_champion(shelved: Path, tmp_path: Path) -> None:
    run = Training.begin(tiny_config(tmp_path, init="champion"))
    arrays, _ = read_checkpoint(shelved / "faroese-4.safetensors")
    own = run.learner.arrays()
    for name, value in arrays.items():
        np.testing.assert_array_equal(own[name], value)
        np.testing.assert_array_equal(own[name.replace("average.", "policies.")], value)


def test_a_champion_sits_in_environments(shelved: Path) -> None:
    env = SingleSeatEnv("faroese", policy="champion")
    observation, _ = env.reset(seed=1)
    assert observation["action_mask"].any()


def test_the_list_and_the_page_show_every_card(
    shelved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["rules", "faroese", "klorsjavs"]
    page = champions_page()
    assert "| faroese | 4 |" in page
    for ms, budget in BUDGETS.items():
        assert f"`search={ms}` | `pimc:worlds={budget.pimc['worlds']}," in page
    assert main(["card", "--rules", "klorsjavs"]) == 0
    told = (shelved / "klorsjavs-3.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out == told
