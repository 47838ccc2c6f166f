from pathlib import Path

import numpy as np
import pytest
import torch

from sjavs_agents.neural.checkpoint import CheckpointError
from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.neural.network import Policies, Precision, initialise, make_critic
from sjavs_agents.neural.policy import masked_log_probs, require_same_game, sample_actions
from sjavs_agents.training.learners.base import explained_variance
from sjavs_env import (
    OBSERVATION_VERSION,
    Encoder,
    Game,
    hidden_hands,
    make_rules,
    rules_to_json,
    view_of,
)


def test_illegal_actions_have_no_probability_and_no_gradient() -> None:
    logits = torch.zeros(2, 4, requires_grad=True)
    mask = torch.tensor([[True, False, True, False], [False, False, False, True]])
    log_probs = masked_log_probs(logits, mask)
    wanted = torch.tensor([[0.5, 0, 0.5, 0], [0, 0, 0, 1]])
    torch.testing.assert_close(log_probs.exp().detach(), wanted)
    log_probs[0, 0].backward()
    assert logits.grad is not None
    torch.testing.assert_close(logits.grad, torch.tensor([[0.5, 0, -0.5, 0], [0, 0, 0, 0]]))


def test_huge_logits_of_illegal_actions_do_no_harm_in_bfloat16() -> None:
    logits = torch.tensor([[1e4, 0.0, 1.0]], dtype=torch.bfloat16)
    probs = masked_log_probs(logits, torch.tensor([[False, True, True]])).exp()
    np.testing.assert_allclose(probs.sum(), 1, rtol=1e-6)
    assert probs[0, 0] == 0


def test_samples_follow_the_distribution_and_are_legal() -> None:
    rng = np.random.default_rng(0)
    probs = np.array([0.0, 0.2, 0.0, 0.5, 0.3])
    log_probs = np.log(np.maximum(probs, 1e-30)).astype(np.float32)
    drawn = sample_actions(np.tile(log_probs, (20_000, 1)), rng)
    share = np.bincount(drawn, minlength=5) / 20_000
    np.testing.assert_allclose(share, probs, atol=0.015)
    assert share[0] == share[2] == 0


def test_explained_variance_of_a_perfect_and_of_a_constant_critic() -> None:
    targets = np.arange(6, dtype=np.float32)
    assert explained_variance(targets, targets) == 1
    assert explained_variance(np.zeros(6, np.float32), targets) == pytest.approx(0)


def test_policies_cannot_reach_hidden_hands_and_the_critic_does() -> None:
    game = Game(make_rules())
    encoder, sizes = Encoder(game, "trump"), NetworkConfig(16, 2, 16, 2, 16, 2)
    policies, critic = Policies(encoder, sizes), make_critic(encoder, sizes)
    for module in (policies, critic):
        initialise(module, torch.Generator().manual_seed(0))
    state = game.new_games(8)
    rows, seat = np.arange(8), state.seat.copy()
    hidden = hidden_hands(game, state, rows, seat)
    view = view_of(game, state, rows, seat)
    seen = torch.from_numpy(encoder.encode(view))
    assert policies.play.scale.shape == (encoder.layout.size,)
    full = torch.from_numpy(encoder.encode_oracle(view, hidden)).requires_grad_(False)
    swapped = torch.from_numpy(encoder.encode_oracle(view, hidden[:, ::-1].copy()))
    assert torch.equal(full[:, : encoder.layout.size], seen)
    assert torch.equal(swapped[:, : encoder.layout.size], seen)
    exact = Precision("float32")
    assert not torch.equal(critic(full, exact), critic(swapped, exact))


def test_weights_for_other_parameters_say_which_differ() -> None:
    meta = {"rules": rules_to_json(make_rules("klorsjavs")), "observation": OBSERVATION_VERSION}
    game = Game(make_rules("klorsjavs", start=50))
    wanted = (
        r"^x: trained on klorsjavs with start=\d+, whose actions or observations differ from those "
        r"of klorsjavs with start=50; its game is --rules klorsjavs$"
    )
    with pytest.raises(CheckpointError, match=wanted):
        require_same_game(Path("x"), meta, game)
