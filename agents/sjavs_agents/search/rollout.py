"""Search by playing on: imagine worlds, try the likely cards, let a policy finish each deal.

Every seat in a playout sees only its own cards, so the search does not believe that partners
know each other's hands, as one with open hands does (policy rollouts after Tesauro and Galperin
1996; in imagined worlds as in Furtak and Buro 2013).  In the last tricks, where little is hidden
any more, cards are judged with open hands, exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Floats
from sjavs_agents.search.card_search import CardSearch
from sjavs_agents.search.playouts import played_out
from sjavs_agents.solver.solver import Solver
from sjavs_agents.worlds.by_policy import Probable
from sjavs_agents.worlds.world_source import CardBelief, world_source
from sjavs_env import Game, GameState, PlayerView

__all__ = ["RolloutAgent"]

UNTRIED = -1e6  # worth of a card that was not tried; below every payoff


class RolloutAgent(CardSearch):
    """One step of improvement over a policy (by default the player by maxims).

    ``cards`` of the policy's likeliest cards are tried (0: all) in ``worlds`` worlds each.  A few
    worlds tell cards apart worse than a trained policy does: ``prior`` game points are added to a
    card's mean result for each nat of its log-probability, which makes the choice that of
    pi * exp(mean / prior), a step of policy improvement held near pi (Grill et al. 2020).
    With ``exact`` tricks to go the open-handed solver judges instead, if the game has two sides.
    ``infer="policy"`` prefers worlds in which the policy would have played as the others did,
    ``belief`` those that it holds for likely.  With ``tricks`` it searches only that many tricks,
    the last; before, the policy plays.
    """

    def __init__(
        self,
        game: Game,
        policy: Agent | None = None,
        worlds: int = 16,
        cards: int = 3,
        exact: int = 0,
        prior: float = 0.1,
        threads: int = 1,
        infer: str = "",
        belief: CardBelief | None = None,
        tricks: int = 0,
        name: str = "rollout",
    ) -> None:
        super().__init__(game, name, policy, tricks)
        self.worlds, self.cards, self.exact, self.prior = worlds, cards, exact, prior
        self.source = world_source(game, self.policy if infer else None, belief)
        self.solver = Solver(game, threads=threads) if exact else None

    def _worlds_per_view(self) -> int:
        return self.worlds * (self.cards or int(self.game.tables.n_tricks))

    def values(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Floats:
        """Return the mean result (R, N) after each card tried, far less for the others."""
        states = self.source.sample(view, self.worlds, rng)
        values = np.full((len(view), self.game.tables.n_cards), UNTRIED)
        late = view.trick_number >= self.game.tables.n_tricks - self.exact
        for rows, judge in ((late, self._solved), (~late, self._played_out)):
            at = np.flatnonzero(rows)
            if len(at):
                of_worlds = (at[:, None] * self.worlds + np.arange(self.worlds)).ravel()
                values[at] = judge(view.select(at), mask[at], states.select(of_worlds), rng)
        return values

    def _solved(
        self,
        view: PlayerView,
        mask: NDArray[np.int8],
        states: GameState,
        rng: np.random.Generator,
    ) -> Floats:
        assert self.solver is not None
        values = self.solver.card_values(states, np.arange(len(states)), "score")
        return values.reshape(len(view), self.worlds, -1).mean(axis=1)

    def _played_out(
        self,
        view: PlayerView,
        mask: NDArray[np.int8],
        states: GameState,
        rng: np.random.Generator,
    ) -> Floats:
        log_probs = self._log_probs(view, mask)
        row, card = np.nonzero(self._candidates(log_probs))  # the cards to try
        of_worlds = (row[:, None] * self.worlds + np.arange(self.worlds)).ravel()
        games = states.select(of_worlds)
        everywhere = np.arange(len(games))
        self.game.step(games, np.repeat(card, self.worlds), everywhere)
        rewards = played_out(self.game, games, self.policy, rng)
        own = rewards[everywhere, view.seat[row].repeat(self.worlds)]
        values = np.full(log_probs.shape, UNTRIED)
        values[row, card] = own.reshape(len(row), -1).mean(axis=1)
        values[row, card] += self.prior * log_probs[row, card]
        return values

    def _candidates(self, log_probs: Floats) -> NDArray[np.bool_]:
        """Mark the cards (R, N) worth a try: all, unless the policy tells them apart."""
        tried: NDArray[np.bool_] = log_probs > -np.inf
        if not self.cards or not isinstance(self.policy, Probable):
            return tried
        unlikely = np.argsort(-log_probs, axis=1, kind="stable")[:, self.cards :]
        np.put_along_axis(tried, unlikely, False, axis=1)
        return tried
