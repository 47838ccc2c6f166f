"""Which seats the learner holds against a frozen player, told from the actions recorded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_agents.heuristic.greedy_agent import GreedyAgent
from sjavs_agents.neural.arrays import module_arrays
from sjavs_agents.neural.network import Precision, copy_of
from sjavs_agents.neural.policy import NeuralAgent
from sjavs_agents.training.collect import LEARNER
from sjavs_agents.training.config import ConfigError, PoolConfig, load_config
from sjavs_agents.training.run import Training
from sjavs_env import Game, GameState, PlayerView
from tests.agents.training.tiny import tiny_config


class Recording:
    """Plays as ``greedy`` and notes how often it is asked from each seat."""

    name = "recording"

    def __init__(self, game: Game) -> None:
        self._player = GreedyAgent(game)
        self.asked = np.zeros(game.tables.n_players, dtype=int)

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        np.add.at(self.asked, view.seat, 1)
        return self._player.act(view, mask, rng)


def against_one_player(folder: Path, rules: str, seats: Any) -> Training:
    """A run whose every deal is against one scripted player."""
    pool = PoolConfig(past_share=0, scripted_share=1, scripted="greedy", learner_seats=seats)
    return Training(replace(tiny_config(folder, rules), pool=pool))


@pytest.mark.parametrize("rules", ["faroese", "klorsjavs", "faroese_2", "danish_4"])
@pytest.mark.parametrize("seats", ["side", "one"])
def test_the_learner_decides_in_its_seats_and_the_frozen_player_in_all_others(
    tmp_path: Path, rules: str, seats: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = against_one_player(tmp_path, rules, seats)
    game, state = training.game, training.collector.state
    training.pool.scripted = recording = Recording(game)
    seating = training.pool.seat(32, np.random.default_rng(0))
    open_to = np.zeros((32, game.tables.n_players), dtype=int)  # decisions with a choice
    step = game.step

    def noted(of: GameState, action: Ints, rows: Ints) -> None:
        has_choice = game.legal_actions(of, rows).sum(axis=1) > 1
        np.add.at(open_to, (rows[has_choice], of.seat[rows[has_choice]]), 1)
        step(of, action, rows)

    monkeypatch.setattr(game, "step", noted)
    rollout = training.collector.collect(
        training.learner.policies, training.precision, seating, np.random.default_rng(1)
    )
    assert training.collector.state is state
    learned = np.zeros_like(open_to)
    for decisions in rollout.index:
        games = np.flatnonzero(decisions >= 0)
        np.add.at(learned, (games, rollout.seat[decisions[games]]), 1)
    is_learner = seating.player == LEARNER
    np.testing.assert_array_equal(learned, np.where(is_learner, open_to, 0))
    np.testing.assert_array_equal(recording.asked, np.where(is_learner, 0, open_to).sum(axis=0))
    has_partner = game.rules.sides == "partners"
    assert (is_learner.sum(axis=1) == (2 if has_partner and seats == "side" else 1)).all()
    assert is_learner.any(axis=0).all()
    if has_partner and seats == "side":
        np.testing.assert_array_equal(is_learner[:, :2], is_learner[:, 2:])


def test_a_frozen_copy_of_the_learner_does_not_learn(tmp_path: Path) -> None:
    """Not even where it plays beside the learner, with the same networks to begin with."""
    training = against_one_player(tmp_path, "faroese", "one")
    policies = copy_of(training.learner.policies, training.encoder, training.config.network)
    before = {k: v.copy() for k, v in module_arrays(policies, "").items()}
    exact = Precision("float32")
    training.pool.scripted = NeuralAgent(
        "frozen", training.game, policies, training.encoder, exact, 1.0
    )
    for _ in range(2):
        training.learn(training.collect())
    after, learned = module_arrays(policies, ""), module_arrays(training.learner.policies, "")
    for name, value in before.items():
        np.testing.assert_array_equal(value, after[name])
    assert any((learned[name] != value).any() for name, value in before.items())


def test_other_seats_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"pool\.learner_seats"):
        load_config(["--pool.learner_seats", "two"])
