"""The luck of draws has no mean, whatever actions are thought to be worth; and it is luck."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.arena.match import play_match
from sjavs_agents.arena.recording import records_bytes
from sjavs_agents.base import Agent, Floats, Ints, known_probabilities
from sjavs_agents.luck import deal_values, drawn_actions
from sjavs_agents.luck.command import main
from sjavs_agents.luck.crowd import club, noisy
from sjavs_agents.luck.drawn_actions import DrawLuck, Draws, draws_of, luck_of_draws
from sjavs_agents.luck.fitting import numbered_deals, play_deals
from sjavs_agents.luck.outcomes import UNITS, first_states, margins
from sjavs_agents.registry import make_agent
from sjavs_env import Game, Phase, PlayerView, view_of
from tests.agents.exploit.weak import Lowest
from tests.engine.table import game_of, table_of

DEALS = 12


class Uneven:
    """Draws by chances from a hundredth on, which hang on what it sees."""

    name = "uneven"

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        cumulative = np.cumsum(self.probabilities(view, mask), axis=1)
        return np.argmax(cumulative > rng.random(len(mask))[:, None], axis=1)

    def probabilities(self, view: PlayerView, mask: NDArray[np.int8]) -> Floats:
        wish = (np.arange(mask.shape[1]) * 7 + view.seat[:, None] * 3) % 5
        weight = mask * np.where(wish == 0, 0.01, wish)
        return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def nonsense(game: Game, crew: Agent, before: Any, action: Ints, rng: Any) -> dict[str, Floats]:
    """Values that have nothing to do with the game, though one action always has the same."""
    last = before.number * 31 + before.seat * 17 + before.trick_number * 5 + action * 71
    one = 100.0 * np.sin(np.asarray(last, dtype=np.float64))
    return {unit: np.outer(one + i, [1.0, -3.0]) for i, unit in enumerate(UNITS)}


def every_history(game: Game, agent: Uneven, crew: Agent) -> dict[str, list[Floats]]:
    """Chances, results and luck of all that can happen in some deals, by walking through it."""
    state = first_states(game, numbered_deals(game, DEALS, seed=5))
    chance: Floats = np.full(DEALS, 1 / DEALS)
    luck: dict[str, Floats] = {unit: np.zeros((DEALS, 2)) for unit in UNITS}
    found: dict[str, list[Floats]] = {"chance": []}
    rng = np.random.default_rng(0)
    while len(state):
        over = state.phase == Phase.OVER
        found["chance"].append(chance[over])
        for unit, result in margins(game, state).items():
            found.setdefault(unit, []).append(result[over])
            found.setdefault(f"{unit} luck", []).append(luck[unit][over])
        state, chance = state.select(np.flatnonzero(~over)), chance[~over]
        luck = {unit: values[~over] for unit, values in luck.items()}
        if not len(state):
            break
        every = np.arange(len(state))
        mask = game.legal_actions(state, every)
        likely = agent.probabilities(view_of(game, state, every, state.seat), mask)
        row, action = np.nonzero(mask)
        drawn = {unit: values[row] for unit, values in luck.items()}
        draws = draws_of(state, row, likely[row], action, np.arange(len(row)))
        if draws is not None:
            for unit, more in luck_of_draws(game, crew, draws, rng).items():
                np.add.at(drawn[unit], draws.deal, more)
        state, chance, luck = state.select(row), chance[row] * likely[row, action], drawn
        game.step(state, action, np.arange(len(row)))
    return found


@pytest.mark.parametrize("wrong", [False, True])
def test_over_all_that_can_happen_the_luck_of_draws_adds_up_to_nothing(
    wrong: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of("mini_8")
    if wrong:
        monkeypatch.setattr(drawn_actions, "_worth", nonsense)
    found = every_history(game, Uneven(), Lowest(game))
    chance = np.concatenate(found["chance"])
    assert chance.sum() == pytest.approx(1)
    assert len(chance) > 500
    for unit in UNITS:
        result, luck = (np.concatenate(found[name]) for name in (unit, f"{unit} luck"))
        assert np.abs(luck).max() > 0.1
        np.testing.assert_allclose(chance @ luck, 0, atol=1e-9)
        np.testing.assert_allclose(chance @ (result - luck), chance @ result, atol=1e-9)


class Weighing(Uneven):
    """Values actions by what would really come of them: all that can happen, weighed."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def worth(self, state: Any) -> dict[str, Floats]:
        """What one game is worth to each seat if all go on like this."""
        if state.phase[0] == Phase.OVER:
            return {unit: one[0] for unit, one in margins(self.game, state).items()}
        mask = self.game.legal_actions(state, np.array([0]))
        likely = self.probabilities(view_of(self.game, state, np.array([0]), state.seat), mask)[0]
        total: dict[str, Floats] = {unit: np.zeros(2) for unit in UNITS}
        for action in np.flatnonzero(mask[0]):
            after = state.clone()
            self.game.step(after, [action])
            for unit, one in self.worth(after).items():
                total[unit] = total[unit] + likely[action] * one
        return total


def test_with_true_values_nothing_but_the_deal_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("mini_8")
    agent = Weighing(game)

    def true(_: Game, crew: Agent, before: Any, action: Ints, rng: Any) -> dict[str, Floats]:
        worth = []
        for i, one in enumerate(action):
            after = before.select(np.array([i]))
            game.step(after, [one])
            worth.append(agent.worth(after))
        return {unit: np.array([one[unit] for one in worth]) for unit in UNITS}

    monkeypatch.setattr(drawn_actions, "_worth", true)
    monkeypatch.setattr(drawn_actions, "LEAST", 1e-9)
    dealt = numbered_deals(game, 4, seed=1)
    luck = DrawLuck(game, agent, seed=0)
    results = play_deals(game, [agent], dealt, seed=2, luck=luck)
    drawn = luck.of(4)
    for i in range(4):
        worth = agent.worth(first_states(game, dealt).select(np.array([i])))
        for unit in UNITS:
            np.testing.assert_allclose(results[unit][i] - drawn[unit][i], worth[unit], atol=1e-5)


def test_which_decisions_count_hangs_on_the_chances_alone() -> None:
    game = game_of("mini_8")
    state = first_states(game, numbered_deals(game, 3, seed=1))
    likely = np.array([[0.985, 0.015, 0], [0.5, 0.49, 0.01], [1, 0, 0]])
    for done in ([0, 0, 0], [1, 2, 0]):
        found = draws_of(state, np.arange(3), likely, np.array(done), np.array([7, 8, 9]))
        assert isinstance(found, Draws)
        assert found.deal.tolist() == [8]
    assert draws_of(state, np.arange(3), np.eye(3), np.zeros(3, int), np.arange(3)) is None


@pytest.fixture
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_values, "PLAYED", {"club": (club, 1), "noisy": (noisy, 1)})
    monkeypatch.setattr(deal_values, "_open_hand_solver", lambda _: None)
    monkeypatch.setattr(deal_values, "CREW_TIMES", 4)


def recorded(path: Path, game: Game, names: tuple[str, str], boards: int) -> None:
    """Let agents play boards and write down the first table of each."""
    records: list[dict[str, Any]] = []
    agents = tuple(make_agent(name, game) for name in names)
    play_match(game, (agents[0], agents[1]), boards, seed=6, keep=records.extend)
    path.write_bytes(records_bytes(records[::2]))


@pytest.mark.usefixtures("_cheap")
def test_players_who_are_known_are_measured_with_less_noise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, path = table_of("handjass", 2), tmp_path / "games.jsonl"
    recorded(path, game, ("random", "greedy"), 90)
    model, out = tmp_path / "model.json", tmp_path / "skill.json"
    fit = ["fit", "--rules", "handjass", "--players", "2", "--deals", "120", "--seed", "1"]
    assert (
        main([*fit, "--agents", "random", "greedy", "--crew", "random", "--out", str(model)]) == 0
    )
    assert json.loads(model.read_text("utf-8"))["made"]["crew"] == "random"
    argv = ["measure", str(path), "--model", str(model), "--crew", "random", "--json", str(out)]
    saves = []
    for known in ([], ["--known", "random", "random"]):
        assert main([*argv, *known]) == 0
        saves.append(json.loads(out.read_text("utf-8"))["players"][0]["saves"])
    for unit in UNITS:
        assert saves[1][unit] > 1.1 * saves[0][unit]
    written = out.read_bytes()
    assert main([*argv, *known]) == 0
    assert out.read_bytes() == written


@pytest.mark.usefixtures("_cheap")
def test_what_cannot_be_known_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, path = game_of("klorsjavs"), tmp_path / "games.jsonl"
    recorded(path, game, ("random", "greedy"), 2)
    model = tmp_path / "model.json"
    fit = ["fit", "--rules", "klorsjavs", "--deals", "60", "--agents", "random", "greedy"]
    assert main([*fit, "--crew", "random", "--out", str(model)]) == 0
    of_crew = ["--model", str(model), "--crew", "random"]
    never = "random-pass:chance=1"
    for argv, words in (
        (["--model", str(model)], "the luck model allows --crew random"),
        (["--crew", "random"], "the luck model allows no --crew"),
        (["--known", "random", "random"], "the model values no actions"),
        ([*of_crew, "--known", "greedy", "greedy"], "does not tell its probabilities"),
        ([*of_crew, "--known", "random", never], f"which '{never}' never does"),
        ([*of_crew, "--known", "random", "cheater"], "looks into all hands"),
        ([*of_crew, "--known", "me", "random"], "known is 'me'; allowed: random, greedy"),
    ):
        capsys.readouterr()
        assert main(["measure", str(path), *argv]) == 2, argv
        err = capsys.readouterr().err
        assert words in err, err
        assert err.count("\n") == 1


def test_an_agent_tells_what_it_draws_by() -> None:
    game = game_of("mini_8")
    state = first_states(game, numbered_deals(game, 1, seed=5))
    mask = game.legal_actions(state)
    view = view_of(game, state, np.array([0]), state.seat)
    likely = known_probabilities(Uneven(), view, mask)
    assert likely is not None
    drawn = [Uneven().act(view, mask, np.random.default_rng(i))[0] for i in range(400)]
    share = np.bincount(drawn, minlength=mask.shape[1]) / 400
    np.testing.assert_allclose(share, likely[0], atol=0.1)
