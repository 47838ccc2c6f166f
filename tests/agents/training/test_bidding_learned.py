"""Where everybody may pass, players learn to bid all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sjavs_agents.arena.match import play_match
from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.registry import make_agent
from sjavs_agents.training.config import LearnConfig, RunConfig, TrainConfig
from sjavs_agents.training.run import Training


def small(folder: Path, rules: str, width: int, deals: int, iterations: int) -> TrainConfig:
    config = TrainConfig(
        rules=rules,
        run=RunConfig(directory=str(folder), iterations=iterations, precision="float32", threads=1),
        network=NetworkConfig(width, 2, width, 2, width, 2),
        learn=LearnConfig(minibatch=2 * deals, learning_rate=2e-3),
    )
    config.collect.deals = deals
    return config


@pytest.mark.parametrize(("explore", "is_settled"), [("auto", False), (0.0, True)])
def test_calls_drawn_evenly_keep_the_policy_from_settling_on_a_pass(
    tmp_path: Path, explore: Any, is_settled: bool
) -> None:
    config = small(tmp_path, "klorsjavs", 32, 256, 24)
    config.collect.explore = explore
    training = Training(config)
    while not training.is_finished:
        metrics = training.learn(training.collect())
    assert (metrics["entropy_bid"] < 0.01) == is_settled, metrics


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["klorsjavs", "danish_4", "auction_sjavs"])
def test_players_who_may_pass_learn_to_bid_by_the_derived_settings(
    tmp_path: Path, rules: str
) -> None:
    config = small(tmp_path, rules, 128, 2048, 40)
    training = Training(config)
    while not training.is_finished:
        training.learn(training.collect())
    player = training.agent()
    alone = play_match(training.game, (player, player), 200, seed=3).tally
    bid = 1 - alone.redeals / (alone.redeals + alone.outcomes.sum())
    greedy = make_agent("greedy", training.game)
    ahead = play_match(training.game, (player, greedy), 400, seed=5).estimates()["game_points"]
    assert bid > 0.02, (bid, ahead)  # rarely is enough: the cards are dealt again without one
    assert (ahead.low or 0) > 0, (bid, ahead)
