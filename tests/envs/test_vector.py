"""One seat of many games at once: the same game as one by one, as Gymnasium wants its vectors."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

from sjavs_agents.registry import make_agent
from sjavs_env import Game, SingleSeatEnv, SingleSeatVectorEnv, make_rules, sample_legal
from sjavs_env.envs.policies import random_policy
from tests.engine.kinds import EVERY_TRAIT
from tests.engine.table import seated
from tests.envs.test_nothing_leaks import SECRET, SEED
from tests.reachable import reachable, whole_numbers

MODES = list(AutoresetMode)


class InTurn(SingleSeatEnv):
    """The single seat, where the deal goes round as it does in a batch, from seat 0 on."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        last = self.table.last_result
        dealer = 0 if last is None or seed is not None else (last["dealer"] + 1) % self.n
        return super().reset(seed=seed, options={"dealer": dealer})

    @property
    def n(self) -> int:
        return len(self.table.possible_agents)


def first_legal(seen: Any, rng: np.random.Generator) -> int:
    """A function that draws nothing."""
    return int(seen["action_mask"].argmax())


def assert_same(ours: Any, theirs: Any, at: str = "") -> None:
    """Both hold the same numbers of the same types, however they are nested."""
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), at
        for key, value in theirs.items():
            assert_same(ours[key], value, f"{at}.{key}")
    elif theirs is None or not isinstance(theirs, np.ndarray):
        assert ours == theirs, at
    elif theirs.dtype == object:
        for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, other, f"{at}[{i}]")
    else:
        assert ours.dtype == theirs.dtype, at
        np.testing.assert_array_equal(ours, theirs, at)


def without_masks_of_the_end(shown: Any, over: bool) -> Any:
    """An observation or infos but for masks that nothing hangs on: ours are ones, theirs zeros."""
    drop = ("action_mask", "_action_mask") if over else ()
    return {k: v for k, v in shown.items() if k not in drop}


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize(("rules", "players"), EVERY_TRAIT)
def test_a_vector_of_one_is_that_of_gymnasium_around_the_single_seat(
    rules: str, players: int, mode: AutoresetMode
) -> None:
    options: dict[str, Any] = {"episode": "rubber" if mode is MODES[1] else "deal"}
    options |= {"seat": players - 1, **seated(rules, players)}
    ours = SingleSeatVectorEnv(rules, 1, opponents="rules", autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: InTurn(rules, policy="rules", **options)], autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
    rng, over = np.random.default_rng(3), False
    seen, info = ours.reset(seed=7)
    other, other_info = theirs.reset(seed=7)
    for _ in range(60):
        shows_end = over and mode is not AutoresetMode.SAME_STEP
        for one, two in ((seen, other), (info, other_info)):
            assert_same(*(without_masks_of_the_end(x, shows_end) for x in (one, two)))
        assert ours.observation_space.contains(seen)
        if shows_end:
            assert seen["action_mask"].all()
        if shows_end and mode is AutoresetMode.DISABLED:
            seen, info = ours.reset(options={"reset_mask": np.array([True])})
            other, other_info = theirs.reset(options={"reset_mask": np.array([True])})
            over = False
            continue
        action = sample_legal(info["action_mask"], rng)
        seen, reward, terminated, truncated, info = ours.step(action)
        other, *others, other_info = theirs.step(action)
        assert_same(reward, np.asarray(others[0]))
        assert_same(terminated, others[1])
        assert_same(truncated, others[2])
        over = bool(terminated[0])
        if over and mode is AutoresetMode.SAME_STEP:
            for known in (info["final_obs"][0], info["final_info"]):
                assert known.pop("action_mask").all()
            for known in (other_info["final_obs"][0], other_info["final_info"]):
                known.pop("action_mask")


def stepped(env: SingleSeatVectorEnv, steps: int, seed: int = 5) -> list[Any]:
    """What an environment returns for random play."""
    rng = np.random.default_rng(seed)
    found: list[Any] = [env.reset(seed=seed)]
    for _ in range(steps):
        found.append(env.step(sample_legal(found[-1][-1]["action_mask"], rng)))
    return found


def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not() -> None:
    def play(seed: int) -> list[Any]:
        pool: Any = [random_policy, "rules"]
        return stepped(SingleSeatVectorEnv("klorsjavs", 6, opponents=pool, seat="draw"), 40, seed)

    for one, two in zip(play(5), play(5), strict=True):
        for ours, theirs in zip(one, two, strict=True):
            assert_same(ours, theirs)
    assert not np.array_equal(play(5)[0][0]["observation"], play(6)[0][0]["observation"])


def test_resets_without_a_seed_deal_on_and_the_seed_begins_anew() -> None:
    env = SingleSeatVectorEnv("faroese", 4)
    first, _ = env.reset(seed=1)
    second, _ = env.reset()
    third, _ = env.reset(seed=1)
    assert not np.array_equal(first["observation"], second["observation"])
    np.testing.assert_array_equal(first["observation"], third["observation"])


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_seats_rotate_with_every_episode_or_are_drawn(mode: AutoresetMode) -> None:
    rotating = SingleSeatVectorEnv("faroese_3", 6, seat="rotate", autoreset_mode=mode)
    rng, (_, info) = np.random.default_rng(0), rotating.reset(seed=2)
    assert info["seat"].tolist() == [0, 1, 2, 0, 1, 2]
    before, again = info["seat"], np.zeros(6, dtype=np.bool_)
    for _ in range(60):
        _, _, over, _, info = rotating.step(sample_legal(info["action_mask"], rng))
        taken = over if mode is AutoresetMode.SAME_STEP else again
        np.testing.assert_array_equal(info["seat"], np.where(taken, (before + 1) % 3, before))
        before, again = info["seat"], over
        if mode is AutoresetMode.DISABLED and over.any():
            _, info = rotating.reset(options={"reset_mask": over})
            np.testing.assert_array_equal(info["seat"], np.where(over, (before + 1) % 3, before))
            before, again = info["seat"], np.zeros(6, dtype=np.bool_)
    drawn = SingleSeatVectorEnv("faroese", 400, seat="draw").reset(seed=2)[1]["seat"]
    assert (np.bincount(drawn, minlength=4) > 60).all()


def test_forced_turns_are_played_and_nothing_else_changes() -> None:
    """Followed by an agent that draws nothing, both ways come to the same rewards."""
    totals = []
    for skips in (False, True):
        env = SingleSeatVectorEnv(
            "faroese", 8, opponents="rules", skip_forced=skips, autoreset_mode="SAME_STEP"
        )
        _, info = env.reset(seed=4)
        rewards: list[list[float]] = [[] for _ in range(8)]
        while min(map(len, rewards)) < 4:
            if skips:
                assert (info["action_mask"].sum(axis=1) > 1).all()
            _, reward, over, _, info = env.step(info["action_mask"].argmax(axis=1))
            for b in np.flatnonzero(over):
                rewards[b].append(float(reward[b]))
        totals.append([found[:4] for found in rewards])
    assert totals[0] == totals[1]


class Spy:
    """Plays at random and keeps what it has been handed."""

    name = "spy"

    def __init__(self) -> None:
        self.handed: list[Any] = []

    def act(self, view: Any, mask: NDArray[np.int8], rng: np.random.Generator) -> Any:
        self.handed = [view, mask, rng]
        assert (mask.sum(axis=1) > 1).all()
        return sample_legal(mask, rng)

    def answer(self, seen: Any, rng: np.random.Generator) -> int:
        self.handed = [seen, rng]
        return int(sample_legal(seen["action_mask"][None], rng)[0])


@pytest.mark.parametrize("way", ["act", "answer"])
def test_opponents_are_handed_nothing_that_leads_to_a_secret(way: str) -> None:
    spy = Spy()
    env = SingleSeatVectorEnv("klorsjavs", 5, opponents=spy if way == "act" else spy.answer)
    _, info = env.reset(seed=SEED)
    for _ in range(30):
        returned = env.step(info["action_mask"].argmax(axis=1))
        info = returned[-1]
        found = reachable([spy.handed, returned])
        assert spy.handed
        assert not [one for one in found if isinstance(one, SECRET)]
        assert SEED not in whole_numbers(found)


def test_each_episode_draws_one_opponent_for_all_other_seats() -> None:
    asked: list[set[int]] = [set(), set()]

    class Half(Spy):
        def __init__(self, number: int) -> None:
            self.number = number

        def act(self, view: Any, mask: NDArray[np.int8], rng: np.random.Generator) -> Any:
            asked[self.number] |= set(view.seat.tolist())
            return sample_legal(mask, rng)

    env = SingleSeatVectorEnv("faroese", 64, opponents=[Half(0), Half(1)])
    stepped(env, 30)
    assert asked == [{1, 2, 3}, {1, 2, 3}]
    assert 10 < env.others.member.sum() < 54


def test_functions_and_agents_of_the_project_sit_in_the_other_seats() -> None:
    game = Game(make_rules("faroese"))
    tried: list[Any] = [first_legal, "greedy", make_agent("expert", game), [first_legal, "rules"]]
    for opponents in tried:
        env = SingleSeatVectorEnv(game.rules, 3, opponents=opponents)
        rewards = [found[1] for found in stepped(env, 40)[1:]]
        assert np.any(rewards)


@pytest.mark.parametrize(("rules", "players"), EVERY_TRAIT)
def test_an_illegal_action_costs_what_it_costs_the_single_seat(rules: str, players: int) -> None:
    options: Any = {"illegal": "terminate", **seated(rules, players)}
    ours = SingleSeatVectorEnv(rules, 1, opponents=first_legal, **options)
    theirs = InTurn(rules, policy=first_legal, **options)
    _, info = ours.reset(seed=3)
    theirs.reset(seed=3)
    wrong = info["action_mask"].argmin(axis=1)
    _, reward, over, _, info = ours.step(wrong)
    assert over.all()
    assert reward[0] == theirs.step(int(wrong[0]))[1] < 0
    _, reward, over, _, info = ours.step(wrong)  # ignored: the next episode begins
    assert not over.any()
    assert reward[0] == 0


def test_an_illegal_action_is_refused_before_anything_is_played() -> None:
    env = SingleSeatVectorEnv("faroese", 3)
    _, info = env.reset(seed=1)
    action = info["action_mask"].argmax(axis=1)
    action[1] = info["action_mask"][1].argmin()
    with pytest.raises(ValueError, match=r"is illegal in game 1; legal: \w+"):
        env.step(action)
    action[1] = info["action_mask"][1].argmax()
    env.step(action)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 0], r"actions have shape \(2,\) and type int64; allowed: whole numbers \(3,\)"),
        ([0.0, 0, 0], r"actions have shape \(3,\) and type float64; allowed: whole"),
        ([0, 0, 999], r"action of game 2 is 999; allowed: 0 to \d+"),
        ([-1, 0, 0], r"action of game 0 is -1; allowed: 0 to \d+"),
        (None, r"actions have shape \(\) and type object; allowed: whole"),
    ],
)
def test_what_is_no_action_is_refused(actions: Any, message: str) -> None:
    env = SingleSeatVectorEnv("faroese", 3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=f"^{message}"):
        env.step(actions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs is 0; allowed: 1 to 10000000"),
        ({"num_envs": True}, "num_envs is True; allowed"),
        ({"seat": 4}, "seat is 4; allowed: rotate, draw, 0 to 3"),
        ({"seat": "next"}, "seat is 'next'; allowed: rotate, draw, 0 to 3"),
        ({"opponents": []}, "opponents is empty; allowed: one or more of them"),
        ({"opponents": "nobody"}, "policy is 'nobody'; "),
        ({"opponents": 3}, "policy is 3; allowed: a function"),
        ({"episode": "day"}, "episode is 'day'; allowed: deal, rubber"),
        ({"illegal": "ignore"}, "illegal is 'ignore'; allowed: raise, terminate"),
        ({"skip_forced": 2}, "skip_forced is 2; allowed: False, True"),
        ({"mask_in": "both"}, "mask_in is 'both'; allowed: observation, info"),
        ({"autoreset_mode": "now"}, "autoreset_mode is 'now'; allowed: NEXT_STEP, SAME_STEP, DIS"),
    ],
    ids=str,
)
def test_a_wrong_option_is_named_with_what_is_allowed(options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        SingleSeatVectorEnv("faroese", **options)


def test_an_unknown_keyword_is_a_type_error_as_in_python() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'oponents'; did you mean"):
        SingleSeatVectorEnv("faroese", 2, oponents="rules")


@pytest.mark.parametrize(
    ("reset", "message"),
    [
        ({"seed": [1, 2, 3]}, r"seed is \[1, 2, 3\]; allowed: None, or one number from 0 on"),
        ({"seed": -1}, "seed is -1; allowed"),
        ({"seed": 2**64}, "seed is 18446744073709551616; allowed"),
        ({"options": {"deck": "QC"}}, "options is {'deck': 'QC'}; allowed: None, or a reset_mask"),
        ({"options": {"reset_mask": np.array([True])}}, "reset_mask is .*; allowed: one bool"),
        ({"options": {"reset_mask": np.zeros(3, bool)}}, "reset_mask is .*; allowed: one bool"),
        ({"seed": 1, "options": {"reset_mask": np.ones(3, bool)}}, "there are a seed and a res"),
    ],
    ids=str,
)
def test_a_wrong_reset_is_named_with_what_is_allowed(reset: Any, message: str) -> None:
    env = SingleSeatVectorEnv("faroese", 3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=f"^{message}"):
        env.reset(**reset)


def test_what_waits_for_a_reset_is_named() -> None:
    env = SingleSeatVectorEnv("faroese", 3, illegal="terminate", autoreset_mode="Disabled")
    with pytest.raises(ValueError, match="no episode has begun; allowed: reset"):
        env.step(np.zeros(3, dtype=int))
    with pytest.raises(ValueError, match="allowed: reset them all first"):
        env.reset(options={"reset_mask": np.ones(3, dtype=np.bool_)})
    _, info = env.reset(seed=1)
    action = info["action_mask"].argmax(axis=1)
    action[2] = info["action_mask"][2].argmin()
    env.step(action)
    with pytest.raises(ValueError, match="the episode of game 2 has ended; allowed: reset with"):
        env.step(action)


def test_an_opponent_that_answers_wrongly_is_named() -> None:
    class Wrong(Spy):
        name = "wrong"

        def act(self, view: Any, mask: NDArray[np.int8], rng: np.random.Generator) -> Any:
            return mask.argmin(axis=1)

    env = SingleSeatVectorEnv("faroese", 3, opponents=Wrong(), seat=3)
    with pytest.raises(ValueError, match=r"^opponent 'wrong' chose '.*'; allowed: "):
        stepped(env, 8)


def test_masks_may_stand_in_the_infos_alone() -> None:
    env = SingleSeatVectorEnv("faroese", 3, mask_in="info", autoreset_mode="SameStep")
    for seen, *_, info in stepped(env, 20):
        assert env.observation_space.contains(seen)
        assert info["action_mask"].shape == (3, env.single_action_space.n)  # type: ignore[attr-defined]  # Discrete
        for last in info.get("final_obs", ()):
            assert last is None or env.single_observation_space.contains(last)


def test_it_is_made_by_name_and_wrapped_by_gymnasium() -> None:
    made = gymnasium.make_vec("sjavs/SingleSeat-v0", num_envs=16, opponents="greedy", seat="rotate")
    env = RecordEpisodeStatistics(made)
    _, info = env.reset(seed=1)
    rng, lengths = np.random.default_rng(1), []
    for _ in range(60):
        _, _, over, _, info = env.step(sample_legal(info["action_mask"], rng))
        if "episode" in info:
            lengths += info["episode"]["l"][over].tolist()
    assert min(lengths) >= 8  # a statement of eight cards or a forced one, and the cards
    done = env.step(env.action_space.sample())  # illegal actions end episodes here
    assert done[2].any()
