"""Perfect-information Monte Carlo: solve each card in imagined worlds, play the best on average.

Worlds are drawn evenly from all deals that agree with what the seat knows, or by how likely
they are: with ``infer``, how likely the others' calls and cards would have been there if they
did as some agent does; with ``belief``, by where a network that has watched such play expects each
card.  The hands of a world are open to all in it, which is the method's known fault: it never
plays to find something out, and it believes that partners see each other's cards (strategy
fusion; Frank and Basin 1998, Long et al. 2010).
"""

from __future__ import annotations

from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Floats
from sjavs_agents.search.card_search import CardSearch
from sjavs_agents.solver.solver import Solver, Utility
from sjavs_agents.worlds.world_source import CardBelief, world_source
from sjavs_env import Game, PlayerView

__all__ = ["PimcAgent"]

ROUND = 4  # worlds between two looks at the clock


class PimcAgent(CardSearch):
    """Plays the card that is best on average over open-handed worlds.

    ``utility`` is ``"score"`` (what the deal pays) or ``"points"`` (card points).  With ``ms`` it
    goes on drawing worlds, ``worlds`` at most, for that many milliseconds per decision: how many
    that are differs from run to run, and so may its play.

    ``policy`` (by default the player by maxims) makes the calls and decides between cards that the
    search finds equal.  With ``tricks`` the search plays only that many tricks, the last, and the
    policy those before: where hands are long the first ones take most of the time, and a trained
    policy plays them better than it counts endings.  ``prior`` game points (card points with
    ``utility="points"``) are added to a card's worth for each nat of the policy's log-probability,
    as in ``rollout``.  ``infer="policy"`` weighs worlds by the policy.
    """

    def __init__(
        self,
        game: Game,
        worlds: int = 20,
        utility: Utility = "score",
        threads: int = 1,
        ms: float = 0.0,
        tricks: int = 0,
        infer: Agent | Literal["policy"] | None = None,
        belief: CardBelief | None = None,
        policy: Agent | None = None,
        prior: float = 0.0,
        name: str = "pimc",
    ) -> None:
        super().__init__(game, name, policy, tricks)
        self.worlds, self.utility, self.ms, self.prior = worlds, utility, ms, prior
        self.source = world_source(game, self.policy if infer == "policy" else infer, belief)
        self.solver = Solver(game, threads=threads)

    def _worlds_per_view(self) -> int:
        return self.worlds

    def values(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Floats:
        """Return what each card (R, N) is worth: its mean over worlds, and what the prior adds."""
        found = self._searched(view, rng)
        return found + self.prior * self._log_probs(view, mask) if self.prior else found

    def _searched(self, view: PlayerView, rng: np.random.Generator) -> Floats:
        """Return the mean (R, N) over worlds of what the deal brings after each card."""
        if self.ms == 0:
            return self._mean_values(view, self.worlds, rng)
        total: Floats = np.zeros(1)
        n, start = 0, perf_counter()
        while n < self.worlds:
            more = min(ROUND, self.worlds - n)
            total = total + more * self._mean_values(view, more, rng)
            n += more
            if perf_counter() - start >= self.ms / 1000 * len(view):
                break
        return np.asarray(total / n)

    def _mean_values(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> Floats:
        states = self.source.sample(view, worlds, rng)
        values = self.solver.card_values(states, np.arange(len(states)), self.utility)
        return values.reshape(len(view), worlds, -1).mean(axis=1)
