"""Agents at the table of an environment: they play as in matches, and see their own seat alone."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_agents.registry import make_agent
from sjavs_env import (
    GameState,
    Phase,
    PlayerView,
    SingleSeatEnv,
    SjavsEnv,
    policy_action,
    seat_view,
    sjavs_v0,
    view_of,
)
from tests.engine.kinds import EVERY_TRAIT
from tests.engine.table import seated, table_of
from tests.envs.play import choose

ROW = np.array([0])


class Own:
    """Answers what it was made with, or draws; keeps what it was shown."""

    name = "own"

    def __init__(self, answer: Any = ...) -> None:
        self.answer = answer
        self.shown: list[tuple[PlayerView, NDArray[np.int8]]] = []

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        self.shown.append((view, mask.copy()))
        action = np.array([choose(row, rng) for row in mask])
        mask[:] = 0  # spoils what is its own
        return action if self.answer is ... else self.answer


def by_the_engine(state: GameState, rules: str, players: int, name: str) -> list[int]:
    """The actions of a deal in which an agent acts for all seats, without an environment."""
    game, rng = table_of(rules, players), np.random.default_rng(3)
    agent, actions = make_agent(name, game), []
    while state.phase[0] != Phase.OVER:
        mask = game.legal_actions(state, ROW)
        action = mask.argmax(axis=1)
        if mask.sum() > 1:
            action = agent.act(view_of(game, state, ROW, state.seat[ROW]), mask, rng)
        actions.append(int(action[0]))
        game.step(state, action)
    return actions


@pytest.mark.parametrize("name", ["rules", "random"])
@pytest.mark.parametrize(("rules", "players"), EVERY_TRAIT)
def test_an_agent_plays_in_an_environment_as_it_plays_elsewhere(
    rules: str, players: int, name: str
) -> None:
    env = sjavs_v0.env(rules, redeal="end", **seated(rules, players))
    agent, rng = make_agent(name, env.unwrapped.game), np.random.default_rng(3)
    env.reset(seed=11, options={"dealer": players - 1})
    actions = []
    for _ in env.agent_iter():
        if env.last()[2]:
            env.step(None)
            continue
        actions.append(policy_action(env, agent, rng))
        env.step(actions[-1])
    game = table_of(rules, players)
    dealt = game.new_games(1, seed=11, numbers=0, dealer=players - 1)
    assert actions == by_the_engine(dealt, rules, players, name)


@pytest.mark.parametrize(("rules", "players"), EVERY_TRAIT)
def test_agents_sit_around_a_single_learner(rules: str, players: int) -> None:
    episodes = []
    for _ in range(2):
        game, agent = table_of(rules, players), Own()
        env: Any = gymnasium.make(
            "sjavs/SingleSeat-v0", rules=game.rules, policy=agent, seat=players - 1
        )
        rng, rewards, over = np.random.default_rng(5), [], False
        _, info = env.reset(seed=5)
        while not over:
            _, reward, over, _, info = env.step(choose(info["action_mask"], rng))
            rewards.append(reward)
        seats = {int(view.seat[0]) for view, _ in agent.shown}
        assert seats == set(range(players - 1))
        assert all(view.to_act[0] == 0 for view, _ in agent.shown)
        assert all(mask.shape == (1, game.actions.size) for _, mask in agent.shown)
        assert all(mask.sum() > 1 for _, mask in agent.shown), "not asked without a choice"
        episodes.append((rewards, [mask.tobytes() for _, mask in agent.shown]))
    assert episodes[0] == episodes[1]


def test_a_view_is_that_of_one_seat_and_a_copy() -> None:
    env = SjavsEnv("faroese_3")
    env.reset(seed=2)
    before = env.get_state()
    for seat, agent in enumerate(env.possible_agents):
        view = seat_view(env, agent)
        assert (len(view), view.seat.tolist()) == (1, [seat])
        assert view.hand[0] == before["cards"]["hand"][0][seat]
        for f in fields(view):
            array = getattr(view, f.name)
            if isinstance(array, np.ndarray) and array.flags.writeable:
                array[...] = 1
    assert env.get_state() == before
    assert seat_view(env, "player_0").seat.tolist() == [0]


def test_an_unknown_seat_has_no_view() -> None:
    env = SjavsEnv("faroese_2")
    env.reset(seed=2)
    with pytest.raises(ValueError, match=r"^agent is 'player_2'; allowed: player_0, player_1$"):
        seat_view(env, "player_2")


WRONG: list[tuple[Any, str]] = [
    (3, "answered 3; allowed: an array of 1 whole numbers, one for each row of the mask"),
    (None, "answered None; allowed: an array of 1"),
    (np.int64(3), r"answered .*3.*; allowed: an array of 1"),
    ({}, "answered a dict; allowed: an array of 1"),
    (np.array([3, 4]), r"answered an array of shape \(2,\); allowed: an array of 1"),
    (np.array([[3]]), r"answered an array of shape \(1, 1\); allowed: an array of 1"),
    (np.array([True]), "answered an array of bool; allowed: an array of 1 whole numbers"),
    (np.array([3.0]), "answered an array of float64; allowed: an array of 1 whole numbers"),
    (np.array([-1]), "chose -1; allowed: 0 to 44"),
    (np.array([45]), "chose 45; allowed: 0 to 44"),
    (np.array([0]), "chose 'play AC'; allowed: "),
]


@pytest.mark.parametrize(("answer", "message"), WRONG, ids=[str(a) for a, _ in WRONG])
def test_a_wrong_answer_is_named_in_one_line(answer: Any, message: str) -> None:
    agent = Own(answer)
    env = SingleSeatEnv("faroese_free", policy=agent, illegal="terminate")
    assert env.table.game.actions.size == 45
    with pytest.raises(ValueError, match=f"^own, as player_[123], {message}") as error:
        env.reset(seed=1, options={"dealer": 0})
    assert "\n" not in str(error.value)


def test_a_list_of_whole_numbers_is_an_answer() -> None:
    class Lists(Own):
        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Any:
            return super().act(view, mask, rng).tolist()

    env = SingleSeatEnv(policy=Lists())
    env.reset(seed=1)
    assert env.action_masks().any()


def test_a_class_is_no_agent_yet() -> None:
    with pytest.raises(ValueError, match=r"policy is <class '.*Own'>; allowed: a function of "):
        SingleSeatEnv(policy=Own)  # type: ignore[arg-type]  # the mistake


def test_a_cheat_is_not_shown_what_it_asks_for() -> None:
    game = table_of("faroese_free", 4)
    env = SingleSeatEnv(game.rules, policy=make_agent("cheater", game))
    with pytest.raises(ValueError, match="cheater has to see all hands"):
        env.reset(seed=1, options={"dealer": 0})


def test_nobody_is_asked_after_the_end() -> None:
    env, rng = sjavs_v0.env("klorsjavs"), np.random.default_rng(0)
    env.reset(seed=1)
    agent = make_agent("rules", env.unwrapped.game)
    while not any(env.terminations.values()):
        env.step(policy_action(env, agent, rng))
    with pytest.raises(ValueError, match="nobody is on turn; allowed: reset"):
        policy_action(env, agent, rng)
