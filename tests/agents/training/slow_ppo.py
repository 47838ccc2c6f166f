"""The loss of PPO as the paper writes it, for autograd to derive: slow, and obvious."""

from __future__ import annotations

import torch
from torch import Tensor

from sjavs_agents.training.learners.surrogate import Coefficients

__all__ = ["policy_loss"]


def policy_loss(
    logits: Tensor,
    mask: Tensor,
    action: Tensor,
    old_log_prob: Tensor,
    advantage: Tensor,
    weigh: Coefficients,
    slow_log_probs: Tensor,
) -> Tensor:
    """Return the mean loss of decisions (R,), one after the other, over legal actions alone."""
    losses = []
    for row in range(len(logits)):
        legal = mask[row]
        log_probs = torch.log_softmax(logits[row][legal], dim=0)
        chosen = log_probs[int(legal[: action[row]].sum())]
        ratio = torch.exp(chosen - old_log_prob[row])
        clipped = torch.clamp(ratio, 1 - weigh.clip, 1 + weigh.clip)
        gain = torch.minimum(ratio * advantage[row], clipped * advantage[row])
        entropy = torch.distributions.Categorical(logits=logits[row][legal]).entropy()
        apart = log_probs - slow_log_probs[row][legal]
        divergence = (log_probs.exp() * apart).sum()
        losses.append(-gain - weigh.entropy * entropy + weigh.magnet * divergence)
    return torch.stack(losses).mean()
