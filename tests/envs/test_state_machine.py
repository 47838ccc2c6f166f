"""An environment under any order of calls, and saved games with anything in them changed.

What the machine may do: reset, with or without a seed, step, clone, save, load and copy by
pickle.  A twin that was loaded from the saved game follows every step.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sjavs_env import BatchEnv, SjavsEnv, verify
from tests.engine.table import TABLES, seated

FEW = settings(max_examples=5, stateful_step_count=15, deadline=None)
OPTIONS: list[dict[str, Any]] = [
    {},
    {"episode": "rubber"},
    {"episode": "rubber", "crosses": 2},
    {"redeal": "end", "illegal": "terminate"},
]


class AnyOrder(RuleBasedStateMachine):
    """Calls in any order leave the environment and its twin alike, and sound."""

    @initialize(
        table=st.sampled_from(TABLES),
        options=st.sampled_from(OPTIONS),
        seed=st.integers(0, 2**64 - 1),
    )
    def begin(self, table: tuple[str, int], options: dict[str, Any], seed: int) -> None:
        rules, n = table
        self.env = SjavsEnv(rules, **options, **seated(rules, n))
        self.env.reset(seed=seed)
        self.twin = self.env.clone()

    @rule(seed=st.none() | st.integers(0, 2**64 - 1), dealer=st.none() | st.integers(0, 1))
    def reset(self, seed: int | None, dealer: int | None) -> None:
        for env in (self.env, self.twin):
            env.reset(seed=seed, options={"dealer": dealer})

    @precondition(lambda self: bool(self.env.agents))
    @rule(choice=st.integers(0, 10**6), times=st.integers(1, 30))
    def step(self, choice: int, times: int) -> None:
        for _ in range(times):
            legal = self.env.legal()
            action = legal[choice % len(legal)] if legal else None
            for env in (self.env, self.twin):
                if env.agents:
                    env.step(action)

    @rule()
    def load(self) -> None:
        options: dict[str, Any] = dict(self.env.options)
        other = SjavsEnv(self.env.game.rules, **options)
        other.set_state(json.loads(json.dumps(self.env.get_state())))
        self.twin = other

    @rule(way=st.sampled_from(["clone", "pickle"]))
    def copy(self, way: str) -> None:
        self.twin = self.env.clone() if way == "clone" else pickle.loads(pickle.dumps(self.env))

    @rule(key=st.sampled_from(["agents", "seed", "cards", "history"]))
    def refuse(self, key: str) -> None:
        damaged = {**self.env.get_state(), key: None if key != "seed" else -1}
        with pytest.raises(ValueError, match=r"^the state is damaged: .*; allowed: what get"):
            self.env.set_state(damaged)

    @invariant()
    def twins_are_alike(self) -> None:
        if hasattr(self, "env"):
            assert self.env.get_state() == self.twin.get_state()
            assert self.env.agent_selection == self.twin.agent_selection

    @invariant()
    def the_game_is_sound(self) -> None:
        if hasattr(self, "env"):
            assert self.env.game.problems(self.env.snapshot().cards) == []
            legal = self.env.legal()
            mask = self.env.observe(self.env.agent_selection)["action_mask"]
            assert np.flatnonzero(mask).tolist() == legal
            assert bool(legal) == (
                bool(self.env.agents) and not any(self.env.terminations.values())
            )

    def teardown(self) -> None:
        if hasattr(self, "env") and self.env.history.deals[-1].result is not None:
            verify(self.env.record())


AnyOrder.TestCase.settings = FEW
TestAnyOrder = AnyOrder.TestCase


# A saved game with one thing changed


SOME = [("faroese", 4), ("faroese_2", 2), ("klorsjavs", 4), ("handjass", 3), ("handjass_strict", 2)]


@cache
def dealt(rules: str, n: int, episode: Any) -> SjavsEnv:
    """An environment to take copies of."""
    env = SjavsEnv(rules, episode=episode, **seated(rules, n))
    env.reset(seed=11)
    return env


@cache
def saved(rules: str, n: int, steps: int, episode: str) -> str:
    env, rng = dealt(rules, n, episode).clone(), np.random.default_rng(steps)
    for _ in range(steps):
        if legal := env.legal():
            env.step(int(rng.choice(legal)))
    return json.dumps(env.get_state())


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in nested values."""
    found = [path] if path else []
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(part, (*path, key))
    return found


def changed(state: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> None:
    *outer, last = path
    for key in outer:
        state = state[key]
    state[last] = change(state[last])


NUMBERS = st.sampled_from([-(2**70), -129, -2, -1, 0, 1, 2, 3, 4, 5, 7, 31, 32, 99, 2**32, 2**64])
WRONG = st.one_of(NUMBERS, st.none(), st.booleans(), st.sampled_from(["", "player_1", 0.5, [], {}]))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(SOME),
    st.sampled_from([0, 3, 17, 30, 80]),
    st.sampled_from(["deal", "rubber"]),
    st.data(),
)
def test_a_changed_state_is_refused_in_one_line_or_plays_to_the_end(
    table: tuple[str, int], steps: int, episode: Any, data: st.DataObject
) -> None:
    rules, n = table
    state, env = json.loads(saved(rules, n, steps, episode)), dealt(rules, n, episode).clone()
    path = data.draw(st.sampled_from(places(state)))
    wrong = data.draw(WRONG)
    changed(state, path, lambda old: wrong)
    before = env.get_state()
    said = refusal(env, state)
    if said is None:
        play_to_the_end(env)
        return
    assert "\n" not in said
    assert len(said) < 1000
    assert env.get_state() == before


def refusal(env: SjavsEnv, state: Any) -> str | None:
    """What a ValueError says of a state, None if it is accepted; no other error is one."""
    try:
        env.set_state(state)
    except ValueError as error:
        return str(error)
    return None


def play_to_the_end(env: SjavsEnv) -> None:
    """Whatever can be asked of an environment on the way can be."""
    rng = np.random.default_rng(0)
    steps = 0
    while env.agents and steps < MOST_STEPS:
        for agent in env.possible_agents if steps % 9 == 0 else ():
            env.observe(agent)
            env.view(agent)
        legal, steps = env.legal(), steps + 1
        env.step(int(rng.choice(legal)) if legal else None)
    env.state()
    if env.history.deals and env.history.deals[-1].result is not None:
        verify(env.record())
    env.reset()
    assert env.legal()


MOST_STEPS = 150  # more than any deal has; of rubbers, the deals that follow

FIELDS = (
    "calls", "declarer", "leader", "led", "trick", "void", "taken", "cut", "mode", "best_bid",
    "dealer", "seat", "phase", "winner", "outcome", "trick_size",
)  # fmt: skip
MORE_FIELDS = ("taker", "active", "playing", "on_table", "turned", "six_by", "following")


@pytest.mark.parametrize("wrong", [-3, 99])
@pytest.mark.parametrize("field", FIELDS + MORE_FIELDS)
def test_a_number_out_of_range_is_named(field: str, wrong: int) -> None:
    rules, n = ("handjass", 3) if field in MORE_FIELDS else ("faroese", 4)
    env = SjavsEnv(rules, **seated(rules, n))
    state = json.loads(saved(rules, n, 12, "deal"))
    cards = state["cards"][field]
    state["cards"][field] = [[wrong] * len(cards[0])] if isinstance(cards[0], list) else [wrong]
    with pytest.raises(
        ValueError, match=r"^the state is damaged: .*; allowed: what get_state"
    ) as e:
        env.set_state(state)
    assert "\n" not in str(e.value)
    assert field in str(e.value) or "seat, dealer or phase is out of range" in str(e.value)


# The batch


@settings(max_examples=8, deadline=None)
@given(
    st.sampled_from(TABLES),
    st.integers(1, 5),
    st.integers(0, 2**64 - 1),
    st.sampled_from(["same_step", "disabled"]),
    st.integers(0, 2**32),
)
def test_a_batch_of_games_is_as_many_games_alone(
    table: tuple[str, int], games: int, seed: int, autoreset: Any, choices: int
) -> None:
    rules, n = table
    batch = BatchEnv(rules, games, seed=seed, autoreset=autoreset, **seated(rules, n))
    twin = BatchEnv(rules, games, seed=seed, autoreset=autoreset, **seated(rules, n))
    rng = np.random.default_rng(choices)
    for _ in range(12):
        turn, _ = batch.turn(), twin.turn()
        actions = [int(rng.choice(np.flatnonzero(m))) if m.any() else 0 for m in turn.mask]
        (_, reward, done), (_, same, again) = batch.step(actions), twin.step(actions)
        assert reward.tobytes() == same.tobytes()
        assert done.tobytes() == again.tobytes()
        assert batch.game.problems(batch.state) == []
        assert np.allclose(reward.sum(axis=1), 0, atol=1e-4)
