"""The clipped surrogate of PPO with its gradient in closed form.

Per decision, with pi = softmax(z) over the legal actions, rho = pi(a) / pi_old(a) and advantage A
(PPO, Schulman et al. 2017; magnet as in MMD, Sokota et al. 2023):

    L = -min(rho A, clip(rho, 1 - eps, 1 + eps) A) - c_e H(pi) + c_m KL(pi || slow)
    dL/dz = g (1_a - pi) + c_e pi (log pi + H) + c_m pi (log pi - log slow - KL)

with g = -rho A, or 0 where the clipped term is the smaller one.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from sjavs_agents.neural.policy import masked_logits

__all__ = ["Coefficients", "PolicyTerms", "surrogate"]


@dataclass(frozen=True)
class Coefficients:
    """What the parts of the loss are weighed with."""

    clip: float
    entropy: float = 0.0
    magnet: float = 0.0


@dataclass(frozen=True)
class PolicyTerms:
    """Means over R decisions (0-dimensional), and the gradient of the whole loss."""

    loss: Tensor
    entropy: Tensor
    approx_kl: Tensor
    clip_fraction: Tensor
    magnet_kl: Tensor
    slope: Tensor  # (R, A) by the logits


@torch.no_grad()
def surrogate(
    logits: Tensor,
    mask: Tensor,
    action: Tensor,
    old_log_prob: Tensor,
    advantage: Tensor,
    weigh: Coefficients,
    slow_log_probs: Tensor | None = None,
) -> PolicyTerms:
    """Return the loss of logits (R, A), float32, for decisions (R,), and its gradient.

    ``mask`` (R, A) is true for legal actions; all others count nowhere.  ``slow_log_probs``
    (R, A) are those of the magnet.
    """
    masked = masked_logits(logits, mask)
    log_probs, probs = torch.log_softmax(masked, dim=1), torch.softmax(masked, dim=1)
    log_ratio = log_probs.gather(1, action[:, None])[:, 0] - old_log_prob
    ratio = log_ratio.exp()
    free = ratio * advantage
    held = ratio.clamp(1 - weigh.clip, 1 + weigh.clip) * advantage
    entropy = -torch.linalg.vecdot(probs, log_probs)  # no chance of -1e9 is as good as 0 log 0
    pull = torch.where(free <= held, -free, 0.0)
    slope = (log_probs + entropy[:, None]).mul_(weigh.entropy)
    magnet = entropy.new_zeros(())
    if slow_log_probs is not None:
        apart = log_probs - slow_log_probs
        divergence = torch.linalg.vecdot(probs, apart)
        slope += apart.sub_(divergence[:, None]).mul_(weigh.magnet)
        magnet = divergence.mean()
    slope.sub_(pull[:, None]).mul_(probs).scatter_add_(1, action[:, None], pull[:, None])
    return PolicyTerms(
        loss=-torch.minimum(free, held).mean(),
        entropy=entropy.mean(),
        approx_kl=(ratio - 1 - log_ratio).mean(),  # Schulman's low-variance estimate
        clip_fraction=((ratio - 1).abs() > weigh.clip).float().mean(),
        magnet_kl=magnet,
        slope=slope.div_(len(slope)),
    )
