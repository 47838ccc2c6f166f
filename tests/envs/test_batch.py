"""The batch environment: autoreset, rewards, illegal actions, card orders, numbered deals."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from sjavs_env import BatchEnv, SjavsEnv, sample_legal
from sjavs_env.engine import Phase
from tests.engine.kinds import EVERY_PAIR, EVERY_TRAIT
from tests.engine.table import seated


def first(mask: np.ndarray) -> np.ndarray:
    return mask.argmax(axis=1)


def play(env: BatchEnv, steps: int, seed: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random legal play; rewards and ends of every step."""
    rng = np.random.default_rng(seed)
    turn, seen = env.turn(), []
    for _ in range(steps):
        turn, reward, done = env.step(sample_legal(turn.mask, rng))
        seen.append((reward, done))
    return seen


@pytest.mark.parametrize(("rules", "players"), EVERY_TRAIT)
@pytest.mark.parametrize("num_games", [1, 7])
def test_same_step_autoreset_shows_the_next_deal_at_once(
    rules: str, players: int, num_games: int
) -> None:
    env = BatchEnv(rules, num_games, seed=2, **seated(rules, players))
    rng = np.random.default_rng(0)
    turn = env.reset(seed=2)
    ends = 0
    for _ in range(90):
        turn, reward, done = env.step(sample_legal(turn.mask, rng))
        assert turn.mask.any(axis=1).all()
        assert (turn.seat >= 0).all()
        assert not reward[~done].any()
        np.testing.assert_allclose(reward.sum(axis=1), 0, atol=1e-5)
        fresh = env.layout.read("played", turn.observation).sum(axis=(1, 2))
        assert (fresh[done] == 0).all()
        ends += int(done.sum())
    assert ends >= num_games


def test_disabled_autoreset_leaves_finished_games_alone_until_they_are_reset() -> None:
    env = BatchEnv("faroese", 5, autoreset="disabled", seed=1)
    turn = env.reset(seed=1)
    ended = np.zeros(5, dtype=bool)
    for _ in range(80):
        actions = np.where(ended, -99, first(turn.mask))  # ignored where the game is over
        turn, reward, done = env.step(actions)
        assert not reward[ended].any()
        assert not done[ended].any()
        ended |= done
        assert (turn.seat[ended] == -1).all()
        assert not turn.mask[ended].any()
    assert ended.all()
    env.reset_games(np.array([1, 3]))
    assert (env.turn().seat >= 0).tolist() == [False, True, False, True, False]


def test_a_rubber_pays_crosses_at_its_end_and_starts_anew() -> None:
    env = BatchEnv("faroese", 16, episode="rubber", seed=4)
    ends = 0
    for reward, done in play(env, 900):
        assert not reward[~done].any()
        assert np.isin(np.abs(reward[done]), (1, 2)).all()
        assert (reward[done][:, 0] == reward[done][:, 2]).all()
        ends += int(done.sum())
    assert ends > 5
    assert (env.state.crosses <= 2).all()


@pytest.mark.parametrize(("actions", "message"), [
    ([0, 0, 99], "action 99 of game 2 is illegal"),
    ([-1, 0, 0], "action -1 of game 0 is illegal"),
    ([0, 0], r"shape \(2,\); allowed: \(3,\)"),
])  # fmt: skip
def test_an_illegal_action_is_named_and_nothing_is_played(actions: list[int], message: str) -> None:
    env = BatchEnv("faroese", 3)
    turn = env.reset(seed=0)
    legal = first(turn.mask)
    wrong = [a if a else int(legal[i]) for i, a in enumerate(actions)]
    before = {k: v.copy() for k, v in env.state.arrays().items()}
    with pytest.raises(ValueError, match=message):
        env.step(wrong)
    for name, value in env.state.arrays().items():
        np.testing.assert_array_equal(value, before[name])


def test_trump_order_is_the_same_game_in_another_order() -> None:
    pack, trump = (BatchEnv("faroese", 6, card_order=order) for order in ("pack", "trump"))
    turn, other = pack.reset(seed=5), trump.reset(seed=5)
    rng = np.random.default_rng(1)
    for _ in range(120):
        np.testing.assert_array_equal(turn.mask.sum(axis=1), other.mask.sum(axis=1))
        chosen = sample_legal(other.mask, rng)
        meant = trump.in_pack_order(chosen)
        other, reward, done = trump.step(chosen)
        turn, same_reward, same_done = pack.step(meant)
        np.testing.assert_array_equal(reward, same_reward)
        np.testing.assert_array_equal(done, same_done)
        for name in ("points", "score", "calls", "mode", "phase", "pile"):
            np.testing.assert_array_equal(
                pack.layout.read(name, turn.observation),
                trump.layout.read(name, other.observation),
            )


def test_trump_order_puts_the_highest_trump_last() -> None:
    env = BatchEnv("faroese", 64, card_order="trump")
    queen = env.game.pack.ids["QC"]
    assert (env.game.tables.slots.slot_of[:, queen] == len(env.game.pack) - 1).all()
    turn = env.reset(seed=3)
    holds = env.state.hand[np.arange(64), turn.seat] >> queen & 1
    np.testing.assert_array_equal(env.layout.read("hand", turn.observation)[:, -1], holds)


@pytest.mark.parametrize("sizes", [(1, 4), (3, 12)])
def test_the_cards_of_a_numbered_deal_do_not_depend_on_the_batch(sizes: tuple[int, int]) -> None:
    hands: dict[int, set[tuple[int, ...]]] = {}
    for size in sizes:
        env = BatchEnv("faroese", size)
        env.reset(seed=11)
        for _ in range(160):
            for number, dealer, dealt in zip(env.state.number, env.state.dealer, env.state.dealt,
                                             strict=True):  # fmt: skip
                from_forehand = np.roll(dealt, -(int(dealer) + 1))
                hands.setdefault(int(number), set()).add(tuple(map(int, from_forehand)))
            env.step(first(env.turn().mask))
    assert len(hands) > 3
    assert all(len(found) == 1 for found in hands.values())


def test_reset_without_a_seed_goes_on_and_with_one_starts_over() -> None:
    env = BatchEnv("faroese", 4)
    start = env.reset(seed=8).observation.copy()
    on = env.reset().observation.copy()
    assert (start != on).any()
    np.testing.assert_array_equal(env.reset(seed=8).observation, start)
    np.testing.assert_array_equal(env.reset().observation, on)


@pytest.mark.parametrize(("options", "message"), [
    ({"num_games": 0}, "num_games is 0; allowed: 1 to 10000000"),
    ({"num_games": 10**9}, "num_games is 1000000000; allowed: 1 to 10000000"),
    ({"episode": np.array([1, 2])}, "episode is array([1, 2]); allowed: deal, rubber"),
    ({"episode": np.array(["deal"])}, "episode is array(['deal'], dtype='<U4'); allowed: deal, "),
    ({"autoreset": np.array([1, 2])}, "autoreset is array([1, 2]); allowed: same_step, "),
    ({"card_order": np.array([1, 2])}, "card order is array([1, 2]); allowed: pack, trump"),
    ({"tie": np.array([1, 2])}, "tie is array([1, 2]); allowed: add_2, "),
    ({"episode": "match"}, "episode is 'match'; allowed: deal, rubber"),
    ({"autoreset": "next"}, "autoreset is 'next'; allowed: same_step, disabled"),
    ({"card_order": "suit"}, "card order is 'suit'; allowed: pack, trump"),
    ({"rules": "skat"}, "no rules named 'skat'"),
    ({"follow": "never"}, "follow is 'never'"),
])  # fmt: skip
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        BatchEnv(**options)


def test_the_state_is_sound_all_the_time() -> None:
    env = BatchEnv("faroese_wiki", 32, episode="rubber", seed=6)
    rng = np.random.default_rng(2)
    turn = env.reset(seed=6)
    for _ in range(150):
        turn, _, _ = env.step(sample_legal(turn.mask, rng))
        assert env.game.problems(env.state) == []
        assert (env.state.phase != Phase.OVER).all()


@pytest.mark.parametrize("written", [0, 1])
def test_what_a_caller_writes_into_a_mask_changes_nothing(written: int) -> None:
    env = BatchEnv("faroese", 2)
    turn = env.reset(seed=1)
    legal = first(turn.mask)
    turn.mask[:] = written
    with pytest.raises(ValueError, match="action 0 of game 0 is illegal"):
        env.step([0, 0])
    env.step(legal)


@pytest.mark.parametrize("actions", [[0.5, 1.0], ["32", "32"], [None, None]])
def test_actions_are_whole_numbers(actions: list[Any]) -> None:
    env = BatchEnv("faroese", 2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="allowed: whole numbers"):
        env.step(actions)


@pytest.mark.parametrize("rows", [[2], [-1], [0.0], [[0]], None])
def test_rows_to_reset_are_checked_before_anything_changes(rows: Any) -> None:
    env = BatchEnv("faroese", 2)
    env.reset(seed=1)
    before = env.state.clone()
    with pytest.raises(ValueError, match="allowed: numbers from 0 to 1, or one bool"):
        env.reset_games(rows)
    np.testing.assert_array_equal(before.score, env.state.score)
    np.testing.assert_array_equal(before.number, env.state.number)


def test_games_to_reset_can_be_given_as_one_bool_each() -> None:
    env = BatchEnv("faroese", 3)
    env.reset(seed=1)
    number = env.state.number.copy()
    env.reset_games(np.array([True, False, True]))
    assert (env.state.number != number).tolist() == [True, False, True]


@pytest.mark.parametrize(("rules", "players"), EVERY_PAIR)
def test_no_deal_costs_more_than_an_illegal_action(rules: str, players: int) -> None:
    seats, rng = seated(rules, players), np.random.default_rng(4)
    env, lowest = BatchEnv(rules, 64, **seats), 0.0
    turn = env.reset(seed=4)
    for _ in range(150):
        turn, reward, _ = env.step(sample_legal(turn.mask, rng))
        lowest = min(lowest, float(reward.min()))
    assert -SjavsEnv(rules, **seats).illegal_penalty <= lowest < 0


def test_no_match_for_chips_costs_more_than_an_illegal_action() -> None:
    env, rng, lowest = (
        BatchEnv("auction_sjavs", 32, episode="rubber"),
        np.random.default_rng(5),
        0.0,
    )
    penalty = SjavsEnv("auction_sjavs", episode="rubber").illegal_penalty
    assert penalty == env.game.tables.match.match_deals * 45
    turn = env.reset(seed=5)
    for _ in range(900):
        turn, reward, _ = env.step(sample_legal(turn.mask, rng))
        lowest = min(lowest, float(reward.min()))
    assert -penalty <= lowest < -45
