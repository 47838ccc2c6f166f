"""One seat for a single-agent learner."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sjavs_env
from sjavs_env import SingleSeatEnv, SjavsEnv
from tests.engine.kinds import EVERY_TRAIT
from tests.engine.table import seated
from tests.envs.play import choose


@pytest.mark.parametrize(("rules", "players"), EVERY_TRAIT)
@pytest.mark.parametrize("seat", [0, 1, "rotate"])
def test_gymnasium_accepts_the_environment(rules: str, players: int, seat: Any) -> None:
    # The checker samples without the mask, so illegal actions have to end the episode.
    env = gymnasium.make(
        "sjavs/SingleSeat-v0",
        rules=rules,
        seat=seat,
        illegal="terminate",
        render_mode="ansi",
        **seated(rules, players),
    )
    check_env(env.unwrapped, skip_render_check=True)


def test_an_episode_without_a_decision_of_the_learner_is_passed_over() -> None:
    def give_up(seen: Any, rng: np.random.Generator) -> int:
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        preferred = [env.table.action_of(label) for label in ("give up", "leave cat", "play")]
        return next((action for action in preferred if action in legal), legal[0])

    env = SingleSeatEnv("klorsjavs", seat=1, policy=give_up)
    for seed in range(6):
        env.reset(seed=seed, options={"dealer": 2})  # seat 0 speaks first, plays and gives up
        assert env.action_masks().any()
        assert env.table.agent_selection == "player_1"


def play(env: SingleSeatEnv, rng: np.random.Generator, **reset: Any) -> tuple[float, int]:
    """Play an episode; return the learner's reward and its number of decisions."""
    observation, info = env.reset(**reset)
    total, decisions, is_over = 0.0, 0, False
    while not is_over:
        masks = env.action_masks()
        assert masks.dtype == np.bool_
        assert masks.any()
        assert np.array_equal(masks, observation["action_mask"])
        assert np.array_equal(masks, info["action_mask"])
        observation, reward, is_over, truncated, info = env.step(choose(masks, rng))
        assert truncated is False
        assert type(reward) is float
        assert is_over or reward == 0.0
        total += reward
        decisions += 1
    assert not env.action_masks().any()
    return total, decisions


@pytest.mark.parametrize("seat", range(4))
def test_the_learner_gets_the_reward_of_its_seat(seat: int) -> None:
    env, rng = SingleSeatEnv(seat=seat), np.random.default_rng(1)
    for n in range(5):
        total, decisions = play(env, rng, **({"seed": 1} if n == 0 else {}))
        assert total == env.table.rewards[f"player_{seat}"]
        assert total != 0.0 or env.table.last_result["outcome"] == "tie"  # type: ignore[index]  # a deal has ended
        assert decisions >= 9  # a statement and eight cards at least


def test_the_learner_is_asked_only_for_decisions_of_its_seat() -> None:
    asked = set()

    def policy(observation: Any, rng: np.random.Generator) -> int:
        asked.add(env.table.agent_selection)
        return choose(observation["action_mask"], rng)

    env = SingleSeatEnv(seat=2, policy=policy)
    observation, _ = env.reset(seed=3)
    is_over = False
    while not is_over:
        assert env.table.agent_selection == "player_2"
        seen = env.table.observe("player_2")
        assert seen["observation"].tobytes() == observation["observation"].tobytes()
        observation, _, is_over, _, _ = env.step(choose(env.action_masks(), env.np_random))
    assert asked == {"player_0", "player_1", "player_3"}


def test_a_rotating_learner_takes_the_next_seat_with_every_episode() -> None:
    env, rng = SingleSeatEnv(seat="rotate"), np.random.default_rng(4)
    env.reset()
    seats = []
    for n in range(6):
        play(env, rng, **({"seed": 4} if n == 0 else {}))
        seats.append(env.seat)
    assert seats == [0, 1, 2, 3, 0, 1]


def test_a_seed_repeats_the_episode_with_the_others_play() -> None:
    env = SingleSeatEnv("suduroy", seat=1)
    runs = [play(env, np.random.default_rng(5), seed=5) for _ in range(2)]
    assert runs[0] == runs[1]


def test_a_policy_that_breaks_the_rules_is_named() -> None:
    def never_follows(observation: Any, rng: np.random.Generator) -> int:
        return int(np.argmin(observation["action_mask"]))

    env = SingleSeatEnv(policy=never_follows, illegal="terminate")
    message = "^the policy chose 'play AC' for player_1: illegal$"
    with pytest.raises(ValueError, match=message):
        env.reset(seed=1, options={"dealer": 0})


@pytest.mark.parametrize("seat", [4, -1, "north", True, None, np.array([1, 2])])
def test_a_wrong_seat_is_refused(seat: Any) -> None:
    with pytest.raises(ValueError, match=r"^seat is .*; allowed: rotate, 0 to 3$"):
        SingleSeatEnv(seat=seat)


def test_a_learner_who_is_out_of_the_match_is_refused() -> None:
    env = SingleSeatEnv("handjass", seat=2)
    env.reset(seed=1)
    before, target = env.table.get_state(), env.table.game.tables.seat_rules.target
    with pytest.raises(ValueError, match=rf"^scores is .*; allowed: seat 2, .* below {target}$"):
        env.reset(seed=2, options={"scores": [0, 0, target, 0]})
    assert env.table.get_state() == before
    env.reset(seed=2, options={"scores": [0, target, target - 1, 0]})
    assert env.table.get_state()["cards"]["score"] == [[0, target, target - 1, 0]]


def test_options_of_the_table_are_passed_on() -> None:
    env = SingleSeatEnv("suduroy", seat=3, tie="double", episode="rubber", render_mode="ansi")
    assert env.table.game.rules.value("tie") == "double"
    assert env.table.options["episode"] == "rubber"
    env.reset(seed=1, options={"dealer": 2})
    assert "seat 3 is to speak" in (env.render() or "")
    assert isinstance(env.table, SjavsEnv)


def test_the_learner_sees_no_more_than_its_seat() -> None:
    env = SingleSeatEnv(seat=1, render_mode="ansi", render_ascii=True)
    env.reset(seed=2)
    hands = env.table.get_state()["cards"]["hand"][0]
    text = env.render() or ""
    for seat, hand in enumerate(hands):
        assert all((card in text) == (seat == 1) for card in env.table.game.pack.names(hand))


def test_a_human_learner_is_never_shown_another_hand(capsys: pytest.CaptureFixture[str]) -> None:
    env = SingleSeatEnv(seat="rotate", render_mode="human", render_ascii=True)
    env.reset(seed=2)
    env.reset()
    capsys.readouterr()
    env.reset(options={"dealer": 2})  # the learner, now seat 2, speaks last: three others act
    shown = capsys.readouterr().out
    assert shown.count("seat 2: ") == shown.count("is to speak") == 4
    assert not any(f"seat {other}: " in shown for other in (0, 1, 3))


def test_importing_the_package_registers_the_environment() -> None:
    assert "sjavs/SingleSeat-v0" in gymnasium.registry
    sjavs_env.envs.register_envs()  # once more does no harm
