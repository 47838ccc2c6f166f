"""Copies of a game in progress: clone, deepcopy, pickle, saved state; all alike, independent."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sjavs_env import SjavsEnv, sjavs_v0
from tests.envs.play import choose, play_on

Copier = Callable[[Any], Any]


def from_saved_state(env: Any) -> SjavsEnv:
    raw = env.unwrapped
    twin = SjavsEnv(raw.game.rules, **raw.options)
    twin.set_state(json.loads(json.dumps(raw.get_state())))
    return twin


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


def cloned(env: Any) -> SjavsEnv:
    twin: SjavsEnv = env.unwrapped.clone()
    return twin


every_copy = pytest.mark.parametrize("copier", [copy.deepcopy, pickled, cloned, from_saved_state])


def story(env: Any, seed: int, episodes: int = 2) -> list[Any]:
    """All that can be seen while this and further episodes are played."""
    rng = np.random.default_rng(seed)
    seen: list[Any] = []
    for _ in range(episodes):
        for agent in env.agent_iter():
            observation, reward, over, truncated, info = env.last()
            raw = env.unwrapped
            seen.append(
                (agent, observation["observation"].tobytes(), observation["action_mask"].tobytes())
            )
            seen.append((reward, over, truncated, info["action_mask"].tobytes(), list(env.agents)))
            seen.append((raw.last_result, raw.state().tobytes(), dict(env.rewards)))
            env.step(None if over else choose(observation["action_mask"], rng))
        seen.append(env.unwrapped.record())
        env.reset()  # the next deals, and the dealer drawn, go on alike as well
    return seen


@every_copy
@pytest.mark.parametrize("steps", [0, 2, 9, 30, 36, 10**6])
def test_a_copy_goes_on_as_the_original_does(copier: Copier, steps: int) -> None:
    env = SjavsEnv()
    env.reset(seed=11)
    play_on(env, np.random.default_rng(11), steps)
    twin = copier(env)
    assert story(twin, 12) == story(env, 12)


@every_copy
def test_a_copy_in_the_middle_of_a_rubber_goes_on(copier: Copier) -> None:
    env = SjavsEnv(episode="rubber")
    env.reset(seed=11)
    play_on(env, np.random.default_rng(11), 50)
    twin = copier(env)
    assert story(twin, 12, episodes=1) == story(env, 12, episodes=1)
    assert twin.get_state() == env.get_state()


@every_copy
@pytest.mark.parametrize("render_mode", [None, "ansi", "human"])
def test_the_wrapped_environment_is_copied_with_rendering_on(
    copier: Copier, render_mode: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    env = sjavs_v0.env("suduroy", render_mode=render_mode, illegal="terminate")
    env.reset(seed=13)
    play_on(env, np.random.default_rng(13), 7)
    twin = copier(env)
    assert twin.render_mode == render_mode
    assert render_mode is None or twin.render() == env.render()
    assert story(twin, 14) == story(env, 14)
    capsys.readouterr()


@every_copy
def test_a_copy_in_the_middle_of_the_farewell_goes_on(copier: Copier) -> None:
    env = SjavsEnv()
    env.reset(seed=15)
    play_on(env, np.random.default_rng(15), 10**6)
    env.step(None)
    twin = copier(env)
    assert twin.agents == env.agents == env.possible_agents[1:]
    assert story(twin, 16) == story(env, 16)


@every_copy
def test_playing_a_copy_leaves_the_original_alone(copier: Copier) -> None:
    env = SjavsEnv(episode="rubber")
    env.reset(seed=17)
    play_on(env, np.random.default_rng(17), 50)
    before, last = env.get_state(), env.last()[0]["observation"].tobytes()
    twin = copier(env)
    play_on(twin, np.random.default_rng(18), 60)
    twin.reset()
    assert env.get_state() == before
    assert env.last()[0]["observation"].tobytes() == last
    state = twin.get_state()
    play_on(env, np.random.default_rng(19), 60)
    assert twin.get_state() == state


@pytest.mark.parametrize("copier", [copy.deepcopy, pickled, cloned])
def test_action_spaces_of_copies_draw_alike_and_independently(copier: Copier) -> None:
    env = SjavsEnv()
    env.reset(seed=1)
    env.action_space("player_0").seed(3)
    env.action_space("player_0").sample()
    twin = copier(env)
    drawn = [int(twin.action_space("player_0").sample()) for _ in range(9)]
    assert [int(env.action_space("player_0").sample()) for _ in range(9)] == drawn


def test_all_options_survive_resets_and_copies() -> None:
    options: dict[str, Any] = {
        "episode": "rubber", "render_mode": "ansi", "illegal": "terminate", "redeal": "end",
        "render_view": 2, "render_ascii": True, "crosses": 2,
    }  # fmt: skip
    env = SjavsEnv("suduroy", tie="double", overrides={"payoff.vol": (10, 14)}, **options)
    rules = env.game.rules
    env.reset(seed=1)
    env.reset()
    env.reset(seed=2, options={"dealer": 1})
    for twin in (env, copy.deepcopy(env), pickled(env), cloned(env), from_saved_state(env)):
        assert twin.options == options
        assert twin.game.rules == rules
        twin.reset(seed=3)
        assert twin.options == options
        assert twin.game.rules == rules
        assert twin.render_mode == "ansi"


def test_a_state_of_other_rules_or_another_version_is_refused() -> None:
    env, other = SjavsEnv(), SjavsEnv(tie="double")
    env.reset(seed=1)
    other.reset(seed=1)
    before = other.get_state()
    with pytest.raises(ValueError, match=r"^the state has rules 'faroese \w+'; allowed: 'faroese"):
        other.set_state(env.get_state())
    with pytest.raises(ValueError, match=r"^the state has version 0; allowed: 1$"):
        other.set_state({**before, "version": 0})
    assert other.get_state() == before


def test_a_copy_before_the_first_reset_can_be_reset() -> None:
    env = SjavsEnv()
    twin = pickled(env)
    env.reset(seed=1)
    twin.reset(seed=1)
    assert twin.get_state() == env.get_state()


def test_a_saved_state_is_not_touched_by_what_follows() -> None:
    env = SjavsEnv(episode="rubber")
    env.reset(seed=20)
    play_on(env, np.random.default_rng(20), 45)
    state = env.get_state()
    kept = copy.deepcopy(state)
    play_on(env, np.random.default_rng(21), 45)
    env.set_state(state)
    play_on(env, np.random.default_rng(21), 45)
    assert state == kept
