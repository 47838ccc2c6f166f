"""The same seed and actions give the same game here and in the batch environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sjavs_env import BatchEnv, SjavsEnv, sample_legal
from tests.engine.kinds import EVERY_TRAIT
from tests.engine.table import seated


def compare(env: SjavsEnv, batch: BatchEnv, turn: Any, b: int) -> None:
    """The seat to act sees the same in both."""
    agent = env.agent_selection
    assert agent == f"player_{turn.seat[b]}"
    observation = env.observe(agent)
    wanted = turn.observation[b] * batch.layout.scale
    assert observation["observation"].tobytes() == wanted.tobytes()
    assert observation["action_mask"].tobytes() == turn.mask[b].tobytes()


@pytest.mark.parametrize(("rules", "players"), EVERY_TRAIT)
@pytest.mark.parametrize("episode", ["deal", "rubber"])
def test_a_batch_of_one_plays_the_same_stream_of_deals(
    rules: str, players: int, episode: Any
) -> None:
    seats = seated(rules, players)
    batch = BatchEnv(rules, 1, episode=episode, seed=21, **seats)
    env, rng = SjavsEnv(rules, episode=episode, **seats), np.random.default_rng(21)
    turn, episodes = batch.turn(), 0
    env.reset(seed=21, options={"dealer": 0})
    while episodes < (6 if episode == "deal" else 1):
        compare(env, batch, turn, 0)
        action = sample_legal(turn.mask, rng)
        turn, reward, done = batch.step(action)
        env.step(int(action[0]))
        assert list(env.rewards.values()) == reward[0].tolist()
        assert all(env.terminations.values()) == bool(done[0])
        if done[0]:
            episodes += 1
            dealer = (env.last_result or {})["dealer"]
            env.reset(options={"dealer": (dealer + 1) % batch.game.rules.players})


def test_every_game_of_a_batch_is_a_game_of_its_own_numbers() -> None:
    n = 5
    batch, rng = BatchEnv("faroese", n, seed=23), np.random.default_rng(23)
    envs = [SjavsEnv(redeal="end") for _ in range(n)]
    numbers, dealers = list(range(n)), [b % 4 for b in range(n)]
    for b, env in enumerate(envs):
        env.reset(seed=23, options={"deal_number": b, "dealer": dealers[b]})
    turn, redeals = batch.turn(), 0
    for _ in range(260):
        for b, env in enumerate(envs):
            compare(env, batch, turn, b)
        actions = sample_legal(turn.mask, rng)
        turn, reward, done = batch.step(actions)
        for b, env in enumerate(envs):
            env.step(int(actions[b]))
            assert list(env.rewards.values()) == reward[b].tolist()
            if all(env.terminations.values()):
                numbers[b] += n
                redealt = (env.last_result or {})["kind"] == "redeal"
                redeals += redealt
                assert redealt != bool(done[b])
                dealers[b] = (dealers[b] + (not redealt)) % 4
                env.reset(options={"deal_number": numbers[b], "dealer": dealers[b]})
    assert redeals > 0
