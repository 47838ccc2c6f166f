import numpy as np
import pytest
import torch

from sjavs_agents.heuristic.greedy_agent import GreedyAgent
from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.neural.network import Precision
from sjavs_agents.neural.policy import NeuralAgent
from sjavs_agents.training.collect import LEARNER, Collector, Rollout, Seating
from sjavs_agents.training.config import LearnConfig
from sjavs_agents.training.learners.base import Setup
from sjavs_agents.training.learners.ppo import Ppo
from sjavs_env import PRESETS, REDEAL, Encoder, Game, Phase, make_rules

SIZES = NetworkConfig(16, 2, 16, 2, 16, 2)
EXACT = Precision("float32")
GAMES = 48


def learner_of(game: Game) -> Ppo:
    return Ppo(Setup(Encoder(game, "trump"), SIZES, LearnConfig(minibatch=256), 0.2, EXACT, 0))


def play(rules: str, seating: Seating | None = None, games: int = GAMES) -> tuple[Game, Rollout]:
    game = Game(make_rules(rules))
    learner = learner_of(game)
    collector = Collector(game, learner.encoder, games, seed=3)
    seating = seating or Seating.all_learner(games, 4)
    rollout = collector.collect(learner.policies, EXACT, seating, np.random.default_rng(0))
    return game, rollout


@pytest.mark.parametrize("rules", list(PRESETS))
def test_every_deal_is_played_out_and_rewards_are_zero_sum(rules: str) -> None:
    game, rollout = play(rules)
    assert (rollout.state.phase == Phase.OVER).all()
    assert game.problems(rollout.state) == []
    np.testing.assert_allclose(rollout.rewards.sum(axis=1), 0, atol=1e-5)
    redealt = rollout.state.outcome == REDEAL
    assert (rollout.rewards[redealt] == 0).all()
    ties = rollout.state.change[~redealt].any(axis=1)
    assert (rollout.rewards[~redealt].any(axis=1) == ties).all()


def test_only_real_decisions_are_kept_and_each_action_is_legal() -> None:
    _, rollout = play("faroese")
    assert (rollout.mask.sum(axis=1) > 1).all()
    assert rollout.mask[np.arange(len(rollout)), rollout.action].all()
    kept = np.sort(rollout.index[rollout.index >= 0])
    np.testing.assert_array_equal(kept, np.arange(len(rollout)))


def test_the_acting_seat_of_every_decision_is_at_the_table() -> None:
    game, rollout = play("faroese")
    layout = Encoder(game, "trump").layout
    seen = rollout.counts[:, : layout.size]
    dealer = layout.read("dealer", seen).argmax(axis=1)  # relative to the viewer
    game_of = np.zeros(len(rollout), dtype=int)
    for row in rollout.index:
        game_of[row[row >= 0]] = np.flatnonzero(row >= 0)
    np.testing.assert_array_equal((rollout.seat + dealer) % 4, rollout.state.dealer[game_of])


def test_seats_of_opponents_leave_no_decisions() -> None:
    game = Game(make_rules("faroese"))
    player = np.tile([LEARNER, 0, LEARNER, 0], (GAMES, 1))
    _, rollout = play("faroese", Seating(player, [GreedyAgent(game)]))
    assert set(np.unique(rollout.seat)) == {0, 2}


def test_the_ratio_is_one_at_the_first_minibatch() -> None:
    game = Game(make_rules("faroese"))
    learner = learner_of(game)
    collector = Collector(game, learner.encoder, GAMES, seed=3)
    rng = np.random.default_rng(0)
    rollout = collector.collect(learner.policies, EXACT, Seating.all_learner(GAMES, 4), rng)
    learner.config.epochs = 1
    learner.config.minibatch = len(rollout)
    learner.config.learning_rate = 0.0
    metrics = learner.learn(rollout, 0.0, rng)
    assert metrics["approx_kl_play"] == pytest.approx(0, abs=1e-6)
    assert metrics["clip_fraction_play"] == 0


def test_rubber_scores_go_on_between_iterations() -> None:
    game = Game(make_rules("faroese"))
    learner = learner_of(game)
    collector = Collector(game, learner.encoder, GAMES, seed=3)
    rng = np.random.default_rng(0)
    seating = Seating.all_learner(GAMES, 4)
    for _ in range(4):
        rollout = collector.collect(learner.policies, EXACT, seating, rng)
    assert len(np.unique(rollout.state.score[:, 0])) > 3


def test_a_copy_of_the_learner_plays_like_it() -> None:
    game = Game(make_rules("faroese"))
    learner = learner_of(game)
    agent = NeuralAgent("copy", game, learner.policies, learner.encoder, EXACT, 1.0)
    collector = Collector(game, learner.encoder, GAMES, seed=3)
    seats = np.full((GAMES, 4), 0)
    collector.collect(learner.policies, EXACT, Seating(seats, [agent]), np.random.default_rng(0))
    other = Collector(game, learner.encoder, GAMES, seed=3)
    other.collect(learner.policies, EXACT, Seating.all_learner(GAMES, 4), np.random.default_rng(0))
    for name, value in collector.state.arrays().items():
        np.testing.assert_array_equal(value, other.state.arrays()[name], err_msg=name)


def test_calls_drawn_evenly_keep_the_chance_that_they_were_drawn_with() -> None:
    game = Game(make_rules("klorsjavs"))
    learner = learner_of(game)
    with torch.no_grad():  # a policy that never bids
        learner.policies.bid.head.bias[game.actions.pass_] = 30.0
    calls = {}
    for explore in (0.0, 0.5):
        collector = Collector(game, learner.encoder, 200, seed=3, explore=explore)
        seating = Seating.all_learner(200, 3)
        rollout = collector.collect(learner.policies, EXACT, seating, np.random.default_rng(0))
        assert rollout.mask[np.arange(len(rollout)), rollout.action].all()
        is_call = rollout.mask[:, game.actions.pass_] == 1
        bids = is_call & (rollout.action == game.actions.parse("play"))
        calls[explore] = bids.sum() / is_call.sum()
        if explore:
            np.testing.assert_allclose(np.exp(rollout.log_prob[bids]), 0.25, atol=1e-6)
            passes = is_call & ~bids
            np.testing.assert_allclose(np.exp(rollout.log_prob[passes]), 0.75, atol=1e-6)
    assert calls[0.0] == 0
    assert 0.2 < calls[0.5] < 0.3
