"""How episodes end: matches to several crosses, and deals that everybody passes for ever."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sjavs_agents.arena import playing
from sjavs_env import BatchEnv, SjavsEnv, verify
from sjavs_env.envs.episode import MOST_PASSED
from tests.envs.play import choose

PASSING = ["faroese_free", "klorsjavs", "danish_4", "auction_sjavs", "auction_sjavs_clubs"]


def play_to_the_end(env: SjavsEnv, seed: int) -> None:
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    while not any(env.terminations.values()):
        env.step(choose(env.observe(env.agent_selection)["action_mask"], rng))


@pytest.mark.parametrize("rules", ["faroese", "faroese_3", "klorsjavs", "auction_sjavs"])
def test_a_match_to_three_crosses_ends_with_the_deal_that_brings_the_third(rules: str) -> None:
    short: dict[str, Any] = {"match_deals": 3} if rules == "auction_sjavs" else {"start": 8}
    env = SjavsEnv(rules, episode="rubber", crosses=3, **short)
    play_to_the_end(env, 5)
    results = [log.result or {} for log in env.history.deals]
    most = [max(result["crosses"]) for result in results]
    assert most[-1] >= 3
    assert all(count < 3 for count in most[:-1])
    assert sum(result["rubber_over"] for result in results) >= 2
    crosses = np.array(results[-1]["crosses"], dtype=np.float32)
    assert list(env.rewards.values()) == env.game.rewards(crosses[None])[0].tolist()
    verify(env.record())


def test_between_the_rubbers_of_a_match_scores_begin_anew_and_the_deal_passes_on() -> None:
    env = SjavsEnv(episode="rubber", crosses=3, start=8)
    play_to_the_end(env, 6)
    deals, rubbers = env.history.deals, 0
    for log, following in pairwise(deals):
        result = log.result or {}
        if result["rubber_over"]:
            rubbers += 1
            after = following.result or {}
            assert [a - b for a, b in zip(after["score"], after["score_change"], strict=True)] == (
                [8] * 4
            )
            assert following.dealer == (log.dealer + 1) % 4
    assert rubbers


def test_a_match_of_handjass_to_two_crosses_goes_on_when_one_has_lost_once() -> None:
    env = SjavsEnv("handjass", episode="rubber", crosses=2, players=2)
    play_to_the_end(env, 7)
    crosses = (env.last_result or {})["crosses"]
    assert min(crosses) == -2
    assert sum(bool((log.result or {})["rubber_over"]) for log in env.history.deals) in (2, 3)
    verify(env.record())


def test_the_batch_plays_the_same_matches_to_several_crosses() -> None:
    options: dict[str, Any] = {"episode": "rubber", "crosses": 2, "start": 6}
    batch, table = BatchEnv(num_games=1, seed=3, **options), SjavsEnv(**options)
    turn = batch.reset(seed=3)
    table.reset(seed=3, options={"dealer": 0})
    done, rng = np.array([False]), np.random.default_rng(0)
    while not done[0]:
        assert turn.seat[0] == int(table.agent_selection[-1])
        action = choose(turn.mask[0], rng)
        turn, reward, done = batch.step([action])
        table.step(action)
    assert reward[0].tolist() == list(table.rewards.values())
    assert max((table.last_result or {})["crosses"]) >= 2


@pytest.mark.parametrize("crosses", [0, -1, 101, 2.0, "3", True])
def test_a_number_of_crosses_is_a_whole_number(crosses: Any) -> None:
    for environment in (SjavsEnv, BatchEnv):
        with pytest.raises(ValueError, match=r"^crosses is .*; allowed: None, 1 to 100$"):
            environment(episode="rubber", crosses=crosses)


def test_crosses_are_for_rubbers() -> None:
    for environment in (SjavsEnv, BatchEnv):
        with pytest.raises(ValueError, match=r"^crosses is 2 with episode 'deal'; allowed: rubber"):
            environment(crosses=2)


@pytest.mark.parametrize("episode", ["deal", "rubber"])
@pytest.mark.parametrize("rules", PASSING)
def test_an_episode_that_everybody_passes_for_ever_ends_unpaid(
    rules: str, episode: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("episode", "many_games"):
        monkeypatch.setattr(f"sjavs_env.envs.{module}.MOST_PASSED", 5)
    env = SjavsEnv(rules, episode=episode)
    env.reset(seed=1)
    batch = BatchEnv(rules, 2, episode=episode)
    batch.reset()
    steps = 5 * env.game.tables.n_players
    for step in range(1, steps + 1):
        assert not any(env.terminations.values())
        env.step(env.action_of("pass"))
        _, reward, done = batch.step([batch.actions.parse("pass")] * 2)
        assert done.tolist() == [step == steps] * 2
        assert not reward.any()
    assert all(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}
    assert (env.last_result or {})["kind"] == "redeal"
    assert len(env.history.deals) == 5
    for _ in range(steps - 1):
        assert not batch.step([batch.actions.parse("pass")] * 2)[2].any()


def test_a_bid_begins_the_count_of_passed_deals_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sjavs_env.envs.episode.MOST_PASSED", 3)
    env, rng = SjavsEnv("faroese_free", episode="rubber"), np.random.default_rng(0)
    env.reset(seed=1)
    for deal in range(8):  # two passed, one played, two passed, one played, ...
        number = len(env.history.deals)
        while len(env.history.deals) == number and not any(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            say = env.action_of("pass")
            if mask[say] and deal % 3 < 2:
                env.step(say)
            elif mask[say]:
                mask[say] = 0
                env.step(choose(mask, rng) if mask.any() else say)
            else:
                env.step(choose(mask, rng))
    kinds = [(log.result or {"kind": ""})["kind"] for log in env.history.deals]
    assert kinds.count("redeal") > 3


def test_the_limit_is_that_of_matches_between_agents() -> None:
    assert vars(playing)["MOST_PASSED"] == MOST_PASSED
