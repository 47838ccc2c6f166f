"""Gradients in closed form are those that autograd finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from sjavs_agents.neural.backprop import backward, forward
from sjavs_agents.neural.network import PolicyNet, Precision, initialise
from sjavs_agents.neural.policy import masked_log_probs
from sjavs_agents.training.learners.surrogate import Coefficients, surrogate
from tests.agents.training.slow_ppo import policy_loss

ALL = torch.ones(1, 2, dtype=torch.bool)
NO_BONUS = Coefficients(clip=0.2)


def drawn(rows: int = 200, actions: int = 7) -> dict[str, Any]:
    """Random decisions, of which many are past the clip, with one to all actions legal."""
    rng = torch.Generator().manual_seed(0)
    logits = torch.randn(rows, actions, generator=rng) * 2
    mask = torch.rand(rows, actions, generator=rng) < 0.5
    action = torch.randint(actions, (rows,), generator=rng)
    mask[torch.arange(rows), action] = True
    log_probs = masked_log_probs(logits, mask)
    moved = torch.randn(rows, generator=rng) * 0.3
    old = log_probs.gather(1, action[:, None])[:, 0] - moved
    slow = masked_log_probs(logits + torch.randn(rows, actions, generator=rng), mask)
    advantage = torch.randn(rows, generator=rng)
    return {"logits": logits, "mask": mask, "action": action, "old_log_prob": old,
            "advantage": advantage, "slow_log_probs": slow}  # fmt: skip


@pytest.mark.parametrize("weigh", [
    NO_BONUS, Coefficients(0.2, entropy=0.7), Coefficients(0.1, magnet=0.9),
    Coefficients(0.2, entropy=0.05, magnet=0.3),
])  # fmt: skip
def test_the_gradient_of_the_loss_is_that_of_autograd(weigh: Coefficients) -> None:
    given = drawn()
    logits = given["logits"].double().requires_grad_()
    loss = policy_loss(**{**given, "logits": logits}, weigh=weigh)
    loss.backward()
    terms = surrogate(**given, weigh=weigh)
    whole = terms.loss - weigh.entropy * terms.entropy + weigh.magnet * terms.magnet_kl
    assert whole.item() == pytest.approx(loss.item(), rel=1e-5)
    torch.testing.assert_close(terms.slope.double(), logits.grad, rtol=1e-4, atol=1e-8)
    assert 0.2 < terms.clip_fraction.item() < 0.9


def one(ratio: float, advantage: float) -> torch.Tensor:
    logits = torch.zeros(1, 2)
    old = torch.full((1,), np.log(0.5) - np.log(ratio))
    terms = surrogate(logits, ALL, torch.tensor([0]), old, torch.tensor([advantage]), NO_BONUS)
    return terms.slope[0]


@pytest.mark.parametrize(("advantage", "moves_up"), [(1.0, True), (-1.0, False)])
def test_the_gradient_raises_good_actions_and_lowers_bad_ones(
    advantage: float, moves_up: bool
) -> None:
    assert (one(1.0, advantage)[0] < 0) == moves_up


@pytest.mark.parametrize(("ratio", "advantage", "is_flat"), [
    (1.5, 1.0, True), (1.5, -1.0, False), (0.5, -1.0, True), (0.5, 1.0, False),
])  # fmt: skip
def test_moving_past_the_clip_is_not_rewarded(
    ratio: float, advantage: float, is_flat: bool
) -> None:
    assert (one(ratio, advantage).abs().sum() == 0) == is_flat


def test_entropy_counts_legal_actions_only() -> None:
    mask = torch.tensor([[True, True, False]])
    old = torch.full((1,), float(np.log(0.5)))
    terms = surrogate(
        torch.zeros(1, 3), mask, torch.tensor([0]), old, torch.ones(1), Coefficients(0.2, 0.5)
    )
    assert terms.entropy.item() == pytest.approx(np.log(2), rel=1e-6)
    assert terms.approx_kl.item() == pytest.approx(0, abs=1e-7)
    assert terms.clip_fraction.item() == 0
    assert terms.slope[0, 2] == 0


def test_huge_logits_give_no_gradient_that_is_no_number() -> None:
    logits = torch.tensor([[1e4, -1e4, 3e4]])
    mask = torch.tensor([[True, True, False]])
    terms = surrogate(
        logits, mask, torch.tensor([1]), torch.tensor([-1.0]), torch.ones(1),
        Coefficients(0.2, 0.1, 0.1), masked_log_probs(-logits, mask),
    )  # fmt: skip
    assert terms.slope.isfinite().all()


@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-5), ("bfloat16", 3e-2)])
@pytest.mark.parametrize("layers", [1, 3])
def test_a_perceptron_forwards_and_backwards_is_that_of_autograd(
    precision: str, tolerance: float, layers: int
) -> None:
    scale = np.linspace(0.1, 1, 20, dtype=np.float32)
    net, exact = PolicyNet(scale, 32, layers, 5), Precision(precision)
    initialise(net, torch.Generator().manual_seed(0))
    counts = torch.randint(4, (64, 20), generator=torch.Generator().manual_seed(1))
    inputs = net.scaled(counts, exact)
    slope = torch.randn(64, 5, generator=torch.Generator().manual_seed(2))
    answer = net.answer(inputs, exact)
    answer.backward(slope)
    wanted = [p.grad for p in net.parameters()]
    net.zero_grad()
    done = forward(net, inputs, exact)
    torch.testing.assert_close(done.answer, answer.detach(), rtol=tolerance, atol=tolerance / 30)
    backward(net, done, slope)
    for parameter, grad in zip(net.parameters(), wanted, strict=True):
        assert grad is not None
        assert parameter.grad is not None
        assert parameter.grad.dtype == torch.float32
        size = float(grad.abs().max())
        torch.testing.assert_close(parameter.grad, grad, rtol=0, atol=tolerance * size)
