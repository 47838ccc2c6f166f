"""Worlds weighed by where a learned belief expects each hidden card.

The belief gives for each hidden card c and holder h a chance q(c, h); the exact chance, if every
deal that agrees with the view were as likely as any other, is p(c, h).  A world's weight is the
product over its hidden cards of q / p, tempered.  So a belief that has learned nothing, q = p,
leaves worlds as likely as they were.  Evidence counts as if it spoke of each card by itself: no
belief can say that two cards lie together.  A card that is more likely here makes others less
likely here, which is in q as well as in the number of worlds: hence the temper.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Floats
from sjavs_agents.worlds.sampler import Hands, Sampler
from sjavs_agents.worlds.weighted import WeightedWorlds
from sjavs_env import PlayerView

__all__ = ["BeliefWorlds", "CardBelief"]

# Of 0.3 to 1.5, true deals are likeliest with 0.8 to 1; the less, the more different worlds stay.
TEMPER = 0.8  # power of the weights


class CardBelief(Protocol):
    """Something that believes hidden cards with some holders rather than with others."""

    holders: tuple[str, ...]  # H places, as ``Sampler.holders`` lists them

    def log_ratios(self, view: PlayerView, exact: Floats) -> NDArray[np.float32]:
        """Return log(q / p) (R, H, N), given p (R, H, N); 0 where p is 0."""
        ...

    def chances(self, view: PlayerView, exact: Floats) -> Floats:
        """Return q (R, H, N), given p (R, H, N); 0 for cards that are not hidden."""
        ...


class BeliefWorlds(WeightedWorlds):
    """Draws worlds in which cards lie where the belief expects them."""

    def __init__(self, sampler: Sampler, belief: CardBelief) -> None:
        """ValueError for a belief about other holders than those of the game."""
        super().__init__(sampler)
        if belief.holders != sampler.holders:
            raise ValueError(
                f"the belief knows holders {', '.join(belief.holders)}; allowed: "
                f"{', '.join(sampler.holders)}"
            )
        self.belief = belief

    def weigh(self, view: PlayerView, drawn: Hands, rng: np.random.Generator) -> Floats:
        """Return the logs of the weights (W,) of worlds drawn for R views, W / R for each."""
        ratios = self.belief.log_ratios(view, self.sampler.chances(view))
        n_views, n_places = len(view), ratios.shape[1] * ratios.shape[2]
        n_worlds = len(drawn) // max(1, n_views)
        lies = self.game.unpack(drawn.holders).reshape(n_views, n_worlds, n_places)
        logs = np.matmul(lies.astype(np.float32), ratios.reshape(n_views, n_places, 1))
        return np.asarray(TEMPER * logs.reshape(-1), dtype=np.float64)
