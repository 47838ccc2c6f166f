"""Nash averaging: rate agents against the mix of them that nobody in the population beats.

Copies of an agent, and weak agents that one of them happens to crush, then move no rating
(Balduzzi et al., *Re-evaluating evaluation*, NeurIPS, 2018).  Margins are taken as exact here;
which agents the mix holds can turn on their noise, so draw boards anew before you rely on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sjavs_env.cli.extras import needing
from sjavs_env.rules.terms import Bool, Floats

__all__ = ["NashAverage", "nash_average"]

_TOLERANCE = 1e-6  # of the margins, relative to the largest


@dataclass(frozen=True, eq=False)
class NashAverage:
    """The mix and what each agent gains against it."""

    mix: Floats  # (agents,) shares of the agents
    ratings: Floats  # (agents,) mean margin against the mix; 0 for agents in it, none above 0


def nash_average(margins: Floats) -> NashAverage:
    """Return the Nash equilibrium of most entropy of the game "choose an agent" (agents, agents).

    Margins are antisymmetric, so equilibria are the mixes p with sum_i p_i M_ij >= 0 for all j:
    a polytope, and only its point of most entropy treats copies of an agent alike.  It is found
    in two steps.  A linear program tells which agents any equilibrium holds: among vectors q >= 0
    with the same inequalities, of which mixes are the ones of sum 1, the largest sum of min(1, q).
    Among the mixes of these agents the entropy is maximised by its dual, which is convex, smooth
    and has an optimum, since a mix of all of them exists: p_i ~ exp(sum_j M_ij x_j), with x_j >= 0
    for agents outside.

    ValueError for a matrix with unplayed pairs (NaN) or that is not antisymmetric; RuntimeError
    if an agent gains against the mix found.  Needs the extra ``evaluate``.
    """
    _check(margins)
    scale = float(np.abs(margins).max()) or 1.0
    scaled = margins / scale
    inside = _support(scaled)
    mix = np.zeros(len(margins))
    mix[inside] = _most_entropy(scaled[inside], inside)
    gains = scaled @ mix
    if gains.max() > _TOLERANCE:
        raise RuntimeError(f"an agent gains {gains.max() * scale} against the mix found")
    return NashAverage(mix, np.minimum(gains, 0.0) * scale)


def _check(margins: Floats) -> None:
    if margins.ndim != 2 or margins.shape[0] != margins.shape[1] or not margins.size:
        raise ValueError(f"margins have shape {margins.shape}; allowed: (agents, agents)")
    if np.isnan(margins).any():
        pairs = [f"{i} and {j}" for i, j in np.argwhere(np.isnan(margins)) if i < j]
        raise ValueError(f"margins lack {', '.join(pairs)}; allowed: all pairs played")
    if not np.allclose(margins, -margins.T, rtol=0, atol=1e-9 * np.abs(margins).max()):
        raise ValueError("margins are not antisymmetric; allowed: M[i, j] = -M[j, i]")


def _support(margins: Floats) -> Bool:
    """Which agents (agents,) some equilibrium holds."""
    with needing("evaluate"):
        from scipy.optimize import linprog
    n = len(margins)
    eye, zero = np.eye(n), np.zeros((n, n))
    found = linprog(
        np.concatenate([np.zeros(n), -np.ones(n)]),  # of q, and of min(1, q)
        A_ub=np.block([[-margins.T, zero], [-eye, eye]]),
        b_ub=np.zeros(2 * n),
        bounds=[(0, None)] * n + [(0, 1)] * n,
        method="highs-ds",
    )
    if found.x is None:
        raise RuntimeError(f"no equilibrium was found: {found.message}")
    return np.asarray(found.x[n:] > 0.5)  # each is 0 or 1: what is positive can be scaled up


def _most_entropy(margins: Floats, inside: Bool) -> Floats:
    """The mix (inside,) of most entropy of the agents in the support; margins (inside, agents)."""
    with needing("evaluate"):
        from scipy.optimize import minimize

    def dual(x: Floats) -> tuple[float, Floats]:
        mix, log_sum = _softmax(margins @ x)
        return log_sum, mix @ margins

    bounds = [(None, None) if is_in else (0, None) for is_in in inside]
    found = minimize(
        dual, np.zeros(len(inside)), jac=True, bounds=bounds, method="L-BFGS-B",
        options={"maxiter": 100_000, "maxfun": 1_000_000, "ftol": 0.0, "gtol": 1e-10},
    )  # fmt: skip
    return _softmax(margins @ found.x)[0]


def _softmax(logits: Floats) -> tuple[Floats, float]:
    top = float(logits.max())
    raised = np.exp(logits - top)
    return raised / raised.sum(), top + float(np.log(raised.sum()))
