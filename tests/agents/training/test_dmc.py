"""Deep Monte Carlo: the best action is played, and its value goes towards what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import train
from sjavs_agents.arena.match import play_match
from sjavs_agents.neural.checkpoint import read_checkpoint
from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.registry import make_agent
from sjavs_agents.training.collect import Choosing, Rollout
from sjavs_agents.training.config import LearnConfig, RunConfig, TrainConfig
from sjavs_agents.training.learners.dmc import Dmc
from sjavs_agents.training.run import Training
from tests.agents.training.tiny import tiny_args, tiny_config


def training_of(folder: Path, **learn: Any) -> Training:
    config = tiny_config(folder)
    config.learn = LearnConfig(name="dmc", epochs=1, minibatch=4096, **learn)
    return Training(config)


def answers(training: Training, rollout: Rollout, kind: str) -> tuple[Any, torch.Tensor]:
    """The decisions of a kind, and what the policies say of them, the slow way."""
    rows = np.flatnonzero(rollout.is_play == (kind == "play"))
    n_seen = training.encoder.layout.size
    net = getattr(training.learner.policies, kind)
    return rows, net(torch.from_numpy(rollout.counts[rows, :n_seen]), training.precision)


@pytest.mark.parametrize("epsilon", [0.0, 0.5])
def test_the_best_action_is_played_but_for_a_share(tmp_path: Path, epsilon: float) -> None:
    training = training_of(tmp_path, epsilon=epsilon)
    rollout = training.collect()
    best, expected = 0, 0.0
    for kind in ("play", "bid"):
        rows, logits = answers(training, rollout, kind)
        legal = torch.from_numpy(rollout.mask[rows]).bool()
        chosen = logits.masked_fill(~legal, -torch.inf).argmax(dim=1).numpy()
        best += int((chosen == rollout.action[rows]).sum())
        expected += float((1 - epsilon + epsilon / legal.sum(dim=1)).sum())
        chance = np.where(chosen == rollout.action[rows], 1 - epsilon, 0)
        chance = chance + epsilon / rollout.mask[rows].sum(axis=1)
        np.testing.assert_allclose(np.exp(rollout.log_prob[rows]), chance, rtol=1e-4)
    assert best / len(rollout) == pytest.approx(expected / len(rollout), abs=0.05 if epsilon else 0)


def test_each_decision_knows_its_deal(tmp_path: Path) -> None:
    rollout = training_of(tmp_path).collect()
    game_of = rollout.deals()
    for step in rollout.index:
        for game, decision in enumerate(step):
            assert decision < 0 or game_of[decision] == game


def test_the_gradient_is_that_of_the_squared_error_to_the_return(tmp_path: Path) -> None:
    training = training_of(tmp_path)
    learner, rollout = training.learner, training.collect()
    assert isinstance(learner, Dmc)
    returns = rollout.rewards[rollout.deals()] * learner.reward_scale
    batch = learner.batch(rollout, returns, returns)
    for kind in ("play", "bid"):
        rows, values = answers(training, rollout, kind)
        own = torch.from_numpy(returns[rows, rollout.seat[rows]])
        told = values[np.arange(len(rows)), rollout.action[rows]]
        loss = (told - own).square().mean()
        loss.backward()
        net = learner.modules()[kind]
        wanted = [p.grad for p in net.parameters()]
        net.zero_grad()
        found = learner.descend(kind, batch.at(rows))
        assert found[f"q_{kind}"].item() == pytest.approx(loss.item())
        for parameter, grad in zip(net.parameters(), wanted, strict=True):
            assert grad is not None
            torch.testing.assert_close(parameter.grad, grad, rtol=1e-4, atol=1e-7)


def test_stopping_and_resuming_changes_no_bit(tmp_path: Path) -> None:
    whole = training_of(tmp_path)
    whole.learn(whole.collect())
    resumed = Training.resume(whole.config, *read_checkpoint(whole.save()))
    for run in (whole, resumed):
        run.learn(run.collect())
    for name, value in whole.arrays().items():
        np.testing.assert_array_equal(value, resumed.arrays()[name], err_msg=name)


def test_it_is_chosen_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main([*tiny_args(tmp_path, iterations=2), "--learn.name", "dmc"]) == 0
    out = capsys.readouterr().out
    assert "Trained player" in out
    assert "does not explain" not in out


def test_other_learners_play_by_samples(tmp_path: Path) -> None:
    training = training_of(tmp_path)
    assert training.choosing == Choosing(greedy=True, epsilon=0.01)
    assert Training(tiny_config(tmp_path)).choosing == Choosing()


@pytest.mark.slow
def test_a_minute_of_it_beats_random_clearly(tmp_path: Path) -> None:
    config = TrainConfig(
        run=RunConfig(directory=str(tmp_path), iterations=60, precision="float32"),
        network=NetworkConfig(128, 2, 64, 2, 8, 1),
        learn=LearnConfig(name="dmc", minibatch=2048, learning_rate=2e-3),
    )
    config.collect.deals = 1024
    training = Training(config)
    while not training.is_finished:
        found = training.learn(training.collect())
    assert found["q_explained_play"] > 0.3
    opponent = make_agent("random", training.game)
    result = play_match(training.game, (training.agent(), opponent), 600, seed=5).estimates()
    assert (result["game_points"].low or 0) > 1.0
