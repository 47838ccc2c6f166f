"""What a player is handed leads to no hidden card, no seed and no game, however far one looks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sjavs_env import (
    BatchEnv,
    Game,
    GameState,
    History,
    SingleSeatEnv,
    SjavsEnv,
    policy_action,
    record_so_far,
    seat_view,
    sjavs_v0,
)
from sjavs_env.randomness import derived
from tests.engine.kinds import EVERY_PAIR
from tests.engine.table import seated
from tests.envs.play import choose
from tests.reachable import reachable, whole_numbers

SEED = 0x1234_5678_9ABC_DEF
SECRET = (Game, GameState, History, SjavsEnv, BatchEnv)


def hidden_sets(env: SjavsEnv, viewer: int) -> set[int]:
    """Sets of two cards or more that a seat does not see."""
    cards = env.get_state()["cards"]
    hands = zip(cards["hand"][0], cards["dealt"][0], strict=True)
    others = [pair for seat, pair in enumerate(hands) if seat != viewer]
    held = [held for held, _ in others]
    dealt = [dealt for held, dealt in others if held]  # all have seen a hand that is played out
    apart = list(cards["talon"]) + list(cards.get("dead", []))
    if cards["declarer"][0] != viewer and cards.get("taker", [viewer])[0] != viewer:
        apart += cards["laid"]
    open_ = [sum(1 << c for c in column if c >= 0) for column in cards["face_up"][0]]
    known = [k & h for k, h in zip(cards.get("known", [[]])[0], cards["hand"][0], strict=False)]
    sets = {*held, *dealt, *apart} - {*open_, *known}
    return {word for word in sets if word.bit_count() > 1 and word > 255}


def check(handed: Any, env: SjavsEnv, viewer: int) -> None:
    """Nothing that is handed to a seat leads to what it may not know."""
    found = reachable(handed)
    assert not [one for one in found if isinstance(one, SECRET)]
    numbers = whole_numbers(found)
    assert SEED not in numbers
    words = [one for one in found if not isinstance(one, np.ndarray) or one.dtype.kind == "u"]
    assert not whole_numbers(words) & hidden_sets(env, viewer)
    for one in found:
        if isinstance(one, np.ndarray) and isinstance(one.base, np.ndarray):
            assert one.base.nbytes == one.nbytes, "a part of a larger array"


def played(rules: str, n: int, steps: int = 60, **options: Any) -> Iterator[SjavsEnv]:
    """Positions of a random game."""
    env, rng = SjavsEnv(rules, **seated(rules, n), **options), np.random.default_rng(3)
    env.reset(seed=SEED)
    for _ in range(steps):
        yield env
        if not env.agents or env.terminations[env.agent_selection]:
            return
        env.step(choose(env.observe(env.agent_selection)["action_mask"], rng))


@pytest.mark.parametrize(("rules", "n"), EVERY_PAIR)
def test_views_observations_and_records_of_a_seat_lead_to_no_secret(rules: str, n: int) -> None:
    for step, env in enumerate(played(rules, n, episode="rubber")):
        viewer = step % n
        agent = f"player_{viewer}"
        check(seat_view(env, agent), env, viewer)
        check(seat_view(env, agent).select(np.array([0])), env, viewer)
        check([env.observe(agent), env.infos[agent], env.last_result], env, viewer)
        if step % 10 == 0:
            check(record_so_far(env, viewer), env, viewer)
        if env.agent_selection == agent:
            check(env.last(), env, viewer)


def test_the_walk_finds_a_hand_in_the_base_of_an_array() -> None:
    env = next(played("faroese", 4))
    view, hands = seat_view(env, "player_0"), np.array(env.get_state()["cards"]["hand"])
    view.hand = hands[:, 0]
    with pytest.raises(AssertionError):
        check(view, env, 0)


class Spy:
    """Plays at random and keeps what it has been handed."""

    name = "spy"

    def __init__(self) -> None:
        self.handed: list[Any] = []

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        self.handed = [view, mask, rng]
        return np.array([choose(mask[0], rng)])

    def answer(self, observation: Any, rng: Any) -> int:
        self.handed = [observation, rng]
        return choose(observation["action_mask"], rng)


@pytest.mark.parametrize("way", ["player", "function"])
@pytest.mark.parametrize(("rules", "n"), EVERY_PAIR)
def test_what_other_seats_are_handed_leads_to_no_secret(rules: str, n: int, way: str) -> None:
    spy = Spy()
    policy: Any = spy if way == "player" else spy.answer
    env = SingleSeatEnv(rules, policy=policy, **seated(rules, n))
    observation, info = env.reset(seed=SEED)
    over, told = False, 0
    while not over:
        check([observation, info, env.action_masks()], env.table, env.seat)
        if spy.handed:
            viewer = int(spy.handed[0].seat[0]) if way == "player" else NONE
            assert SEED not in whole_numbers(reachable(spy.handed))
            assert not [one for one in reachable(spy.handed) if isinstance(one, SECRET)]
            told += viewer != env.seat
        action = int(np.flatnonzero(info["action_mask"])[0])
        observation, _, over, _, info = env.step(action)
    assert told


NONE = -1


def test_policies_are_handed_the_generator_that_they_are_given_and_no_more() -> None:
    env, spy, rng = sjavs_v0.env(), Spy(), derived(SEED, "policy")
    env.reset(seed=SEED)
    for _ in range(20):
        viewer = int(env.agent_selection[-1])
        action = policy_action(env, spy, rng)
        if spy.handed:
            check(spy.handed[:2], env.unwrapped, viewer)
        assert SEED not in whole_numbers(reachable(spy.handed))
        env.step(action)


def test_turns_of_a_batch_are_the_callers_and_no_part_of_anything() -> None:
    env, rng = BatchEnv(num_games=3, seed=SEED), np.random.default_rng(0)
    turn = env.reset()
    for _ in range(20):
        found = reachable(turn)
        assert not [one for one in found if isinstance(one, SECRET)]
        for one in found:
            if isinstance(one, np.ndarray) and isinstance(one.base, np.ndarray):
                assert one.base.nbytes == one.nbytes
        before: list[Any] = [turn.observation.copy(), turn.mask.copy(), turn.seat.copy()]
        following, _, _ = env.step([choose(mask, rng) for mask in turn.mask])
        kept: list[Any] = [turn.observation, turn.mask, turn.seat]
        assert all(np.array_equal(a, b) for a, b in zip(before, kept, strict=True))
        following.observation[:], following.seat[:] = 255, 0
        assert np.array_equal(env.turn().mask, following.mask)
        turn = env.turn()


def test_what_is_handed_out_can_be_changed_without_harm() -> None:
    env, twin = SjavsEnv("handjass"), SjavsEnv("handjass")
    for one in (env, twin):
        one.reset(seed=5)
    rng = np.random.default_rng(1)
    while not any(env.terminations.values()):
        agent = env.agent_selection
        view, seen = seat_view(env, agent), env.observe(agent)
        arrays = [one for one in reachable(view, seen, env.infos) if isinstance(one, np.ndarray)]
        action = choose(twin.observe(agent)["action_mask"], rng)
        for array in arrays:
            array[...] = 1
        for one in (env, twin):
            one.step(action)
        assert env.get_state() == twin.get_state()
        assert (env.infos[agent]["action_mask"] == twin.infos[agent]["action_mask"]).all()
