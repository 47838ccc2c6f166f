"""Learning curves rise: long tests on small runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from sjavs_agents.arena.match import play_match
from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.registry import make_agent
from sjavs_agents.training.config import LearnConfig, RunConfig, TrainConfig
from sjavs_agents.training.run import Training


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["faroese", "faroese_free"])
def test_a_minute_of_training_beats_random_clearly(tmp_path: Path, rules: str) -> None:
    config = TrainConfig(
        rules=rules,
        run=RunConfig(directory=str(tmp_path), iterations=60, precision="float32"),
        network=NetworkConfig(128, 2, 64, 2, 128, 2),
        learn=LearnConfig(minibatch=2048, learning_rate=2e-3),
    )
    config.collect.deals = 1024
    training = Training(config)
    explained = []
    while not training.is_finished:
        explained.append(training.learn(training.collect())["explained_variance"])
    assert explained[-1] > 0.75
    opponent = make_agent("random", training.game)
    found = play_match(training.game, (training.agent(), opponent), 600, seed=5).estimates()
    assert (found["game_points"].low or 0) > 1.5
    assert (found["card_points"].low or 0) > 15
