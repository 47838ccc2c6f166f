"""Bad input to environments and records: one clear error, and nothing half done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_env import (
    BatchEnv,
    Game,
    SingleSeatEnv,
    SjavsEnv,
    read_records,
    sample_legal,
    sjavs_v0,
    verify_file,
    write_record,
)


def played(steps: int) -> Any:
    env = sjavs_v0.raw_env()
    env.reset(seed=3)
    for _ in range(steps):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    return env


def finished() -> Any:
    env = played(0)
    while env.agents:
        mask = env.last()[0]["action_mask"]
        env.step(int(np.flatnonzero(mask)[0]) if mask.any() else None)
    return env


@pytest.mark.parametrize("wrong", [None, 3, {}, {"cards": {}}])
def test_a_damaged_state_is_refused_and_the_old_one_stays(wrong: Any) -> None:
    env = played(9)
    before = env.get_state()
    with pytest.raises(ValueError, match=r"allowed|state"):
        env.set_state(wrong)
    assert env.get_state() == before


def test_a_state_with_a_part_missing_changes_nothing() -> None:
    env, good = played(9), played(14).get_state()
    before = env.get_state()
    for key in good:
        damaged = {k: v for k, v in good.items() if k != key}
        with pytest.raises(ValueError, match=r"allowed|state"):
            env.set_state(damaged)
        assert env.get_state() == before, key


def ended() -> Any:
    """A game that is over, which the agents have not left."""
    env = played(0)
    while not any(env.terminations.values()):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    return env


def nested() -> Any:
    value: Any = {}
    for _ in range(5000):
        value = {"kind": value}
    return value


@pytest.mark.parametrize("make", [lambda: played(9), ended])
@pytest.mark.parametrize(
    ("name", "wrong"),
    [("generator", nested()), ("last_result", nested()), ("last_result", {})]
    + [(name, {f"player_{seat}": paid for seat in range(4)})
       for name in ("rewards", "cumulative_rewards") for paid in (10**30, 1e30, float("nan"))],
)  # fmt: skip
def test_no_game_comes_to_such_a_state(make: Any, name: str, wrong: Any) -> None:
    state, env = make().get_state(), played(5)
    before = env.get_state()
    with pytest.raises(ValueError, match=r"^the state is damaged: ") as caught:
        env.set_state({**state, name: wrong})
    assert "\n" not in str(caught.value)
    assert env.get_state() == before


def test_nobody_has_been_paid_while_the_episode_goes_on() -> None:
    state, env = played(9).get_state(), played(5)
    for name in ("rewards", "cumulative_rewards"):
        with pytest.raises(ValueError, match=rf"{name} is .* though the episode goes on"):
            env.set_state({**state, name: {**state[name], "player_1": 1}})


def test_a_result_of_the_episode_before_is_restored() -> None:
    env, other = finished(), played(5)
    env.reset()
    state = json.loads(json.dumps(env.get_state()))
    assert state["last_result"]["kind"]
    other.set_state(state)
    assert other.get_state() == env.get_state()


def test_a_record_is_a_copy() -> None:
    env = finished()
    record = env.record()
    record["start"]["ties"] = 99
    record["deals"].clear()
    assert env.record()["start"]["ties"] == 0
    assert env.record()["deals"]


def test_a_record_after_a_line_that_was_cut_off_is_on_a_line_of_its_own(tmp_path: Path) -> None:
    path, env = tmp_path / "games.jsonl", finished()
    write_record(path, env.record())
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:40])  # killed while writing
    write_record(path, env.record())
    lines = path.read_text().splitlines()
    assert len(lines) == 3
    assert json.loads(lines[2]) == json.loads(lines[0])


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"[" * 100_000, b"{}\n"])
def test_a_file_of_something_else_is_named_with_its_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(data)
    for read in (verify_file, lambda p: list(read_records(p))):
        with pytest.raises(ValueError, match=r"games\.jsonl, line 1") as caught:
            read(path)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("answer", [999, 33.0, "x", None, True, -1])
def test_a_policy_that_answers_nonsense_is_named(answer: Any) -> None:
    env = SingleSeatEnv(policy=lambda observation, rng: answer, seat=0)

    def fail() -> None:
        for seed in range(20):
            env.reset(seed=seed)
            env.step(int(np.flatnonzero(env.action_masks())[0]))

    with pytest.raises(ValueError, match=r"allowed|illegal|policy"):
        fail()


def test_the_learner_cannot_act_for_a_seat_whose_policy_failed() -> None:
    env = SingleSeatEnv(policy=lambda observation, rng: 999, seat=0)

    def fail() -> None:
        for seed in range(20):
            env.reset(seed=seed)
            env.step(int(np.flatnonzero(env.action_masks())[0]))

    with pytest.raises(ValueError, match="999"):
        fail()
    with pytest.raises(ValueError, match="is to act; allowed: reset"):
        env.step(0)


@pytest.mark.parametrize("overrides", [3, ["tie"], {"rules": "suduroy"}, {"tie": "triple"}])
def test_overrides_are_a_mapping_of_parameters(overrides: Any) -> None:
    with pytest.raises(ValueError, match="allowed"):
        sjavs_v0.env(overrides=overrides)


NO_NUMBERS: list[Any] = [
    True,
    np.True_,
    1.0,
    np.float32(1),
    np.nan,
    "1",
    b"1",
    [1],
    np.array([1]),
    {},
]


@pytest.mark.parametrize("action", [*NO_NUMBERS, None, -1, 999, 10**30], ids=repr)
@pytest.mark.parametrize("illegal", ["raise", "terminate"])
def test_what_is_no_action_is_refused_and_nothing_has_happened(action: Any, illegal: Any) -> None:
    for env in (sjavs_v0.raw_env(illegal=illegal), sjavs_v0.env(illegal=illegal)):
        env.reset(seed=3)
        before = env.unwrapped.get_state()
        with pytest.raises(ValueError, match=r"is not an action; allowed: 0 to 44"):
            env.step(action)
        assert env.unwrapped.get_state() == before


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.intp, np.array])
def test_whole_numbers_of_numpy_are_actions_seeds_and_options(kind: Any) -> None:
    env, twin = sjavs_v0.raw_env(), sjavs_v0.raw_env()
    env.reset(seed=kind(3), options={"dealer": kind(2)})
    twin.reset(seed=3, options={"dealer": 2})
    action = int(np.flatnonzero(env.last()[0]["action_mask"])[0])
    env.step(kind(action))
    twin.step(action)
    assert env.get_state() == twin.get_state()


@pytest.mark.parametrize("seed", [*NO_NUMBERS, -1, 2**64], ids=repr)
def test_what_is_no_seed_is_refused_and_nothing_has_happened(seed: Any) -> None:
    env = played(5)
    before = env.get_state()
    with pytest.raises(ValueError, match=r"seed is .*; allowed: 0 to"):
        env.reset(seed=seed)
    assert env.get_state() == before


@pytest.mark.parametrize("options", [3, "dealer", ["dealer"], []])
def test_options_of_a_reset_are_a_mapping(options: Any) -> None:
    env = played(5)
    before = env.get_state()
    with pytest.raises(ValueError, match=r"options is .*; allowed: a mapping, or None"):
        env.reset(options=options)
    assert env.get_state() == before


WRONG: dict[str, list[Any]] = {
    "dealer": [*NO_NUMBERS, -1, 4],
    "deal_number": [True, 1.0, "1", -1, 2**64],
    "ties": [True, 1.0, -1, 99],
    "cut": [1, 0, "yes", []],
    "scores": [3, "24", [1], [1.0, 2.0], [True, 2], {0: 1}, [25, 1]],
    "zeros": [3, "junk", [0], [1, 0, 0, 0], [0.0] * 4, [False] * 4],
    "deck": [3, "", "QC", [1, 2], b"QC", np.arange(32), ["QC"] * 200_000],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_a_wrong_option_of_a_reset_is_named_in_one_line(name: str, value: Any) -> None:
    env = played(5)
    before = env.get_state()
    with pytest.raises(ValueError, match=rf"{name} is ") as caught:
        env.reset(options={name: value})
    assert "\n" not in str(caught.value)
    assert env.get_state() == before


def test_lists_of_numpy_are_lists() -> None:
    env, twin = sjavs_v0.raw_env(), sjavs_v0.raw_env()
    deck = np.random.default_rng(0).permutation(env.game.pack.cards)
    env.reset(seed=1, options={"deck": deck, "scores": np.array([5, 9]), "cut": np.False_})
    twin.reset(seed=1, options={"deck": " ".join(deck), "scores": [5, 9], "cut": False})
    assert env.get_state() == twin.get_state()


def test_two_numbers_of_players_are_refused() -> None:
    with pytest.raises(ValueError, match=r"players is 2 with num_players 3; allowed: one of them"):
        sjavs_v0.env("handjass", num_players=3, players=2)
    assert sjavs_v0.env("handjass", num_players=3, players=3).unwrapped.game.rules.players == 3


@pytest.mark.parametrize("environment", [SjavsEnv, SingleSeatEnv])
def test_players_do_not_silently_replace_those_of_the_overrides(environment: Any) -> None:
    message = r"^players is 4 with an override to 2; allowed: one of them$"
    with pytest.raises(ValueError, match=message):
        environment("handjass", overrides={"players": 2}, players=4)
    assert environment("handjass", overrides={"players": 3}, players=3)


def test_a_game_is_made_of_rules_not_of_their_name() -> None:
    with pytest.raises(TypeError, match=r"^rules is 'klorsjavs'; allowed: a RuleSet, as make_"):
        Game("klorsjavs")  # type: ignore[arg-type]  # the mistake


@pytest.mark.parametrize("environment", [SjavsEnv, SingleSeatEnv, BatchEnv])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("seed_of_deals", ""),
        ("trumps", "; did you mean 'trump'?"),
        ("epsiode", "; did you mean 'episode'?"),
    ],
)
def test_a_keyword_that_nobody_knows_is_a_type_error(
    environment: Any, name: str, hint: str
) -> None:
    with pytest.raises(TypeError) as error:
        environment(**{name: 3})
    message = f"got an unexpected keyword argument '{name}'{hint}"
    assert str(error.value) == f"{environment.__name__}.__init__() {message}"


def test_a_step_that_answers_no_turn_says_what_to_call_first() -> None:
    env = BatchEnv(num_games=2, autoreset="disabled")
    message = (
        r"^action 32 of game 0 answers no turn; call reset\(\), or turn\(\) after reset_games\(\)"
    )
    with pytest.raises(ValueError, match=message):
        env.step(np.full(2, 32))
    turn, done = env.reset(), np.zeros(2, dtype=np.bool_)
    while not done.all():
        turn, _, over = env.step(turn.mask.argmax(axis=1))
        done |= over
    env.reset_games([0])
    with pytest.raises(ValueError, match=message):
        env.step(np.full(2, 32))
    env.step(env.turn().mask.argmax(axis=1))


@pytest.mark.parametrize("policy", [None, 3, SingleSeatEnv])
def test_a_policy_is_a_function(policy: Any) -> None:
    with pytest.raises(ValueError, match=r"policy is .*; allowed: a function"):
        SingleSeatEnv(policy=policy)


@pytest.mark.parametrize("action", [0, None])
def test_after_its_end_a_single_seat_waits_for_a_reset(action: Any) -> None:
    env = SingleSeatEnv(illegal="terminate")
    env.reset(seed=1)
    _, _, over, _, _ = env.step(int(np.flatnonzero(~env.action_masks())[0]))
    assert over
    for _ in range(2):
        with pytest.raises(ValueError, match="the episode has ended; allowed: reset"):
            env.step(action)
    env.reset()
    env.step(int(np.flatnonzero(env.action_masks())[0]))


def test_a_mask_alone_is_no_batch_of_masks() -> None:
    with pytest.raises(ValueError, match=r"the mask has shape \(5,\); allowed: \(R, A\)"):
        sample_legal(np.ones(5, np.int8), np.random.default_rng(0))
