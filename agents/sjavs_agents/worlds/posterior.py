"""Worlds as they are for a seat that knows the policy of all others: Bayes' rule, nothing mixed in.

A world's weight is its likelihood, the product of the probabilities with which the policy chooses
what the others have said and played in it.  Where the policy does not draw, that is 1 or 0, and
few of the worlds drawn evenly may have a weight at all.  Then more and more are drawn, and where
none of them explains everything, worlds drawn by the softer ``PolicyInference`` stand in.

The belief is exact but for the number of worlds, with one exception: which cards a declarer laid
away is not weighed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import (
    Agent,
    Bool,
    Floats,
    Ints,
    fair,
    forced,
    known_probabilities,
    open_decisions,
)
from sjavs_agents.worlds.by_policy import PolicyInference
from sjavs_agents.worlds.resampling import resample
from sjavs_agents.worlds.sampler import Hands, Sampler
from sjavs_agents.worlds.weighted import OVERSAMPLE
from sjavs_env import Game, GameState, PlayerView, view_of

__all__ = ["PosteriorWorlds", "require_known"]

BATCHES = (1, 1, 2, 4, 8)  # of worlds, drawn one after the other while too few have a weight
ENOUGH = 0.5  # worlds of equal weight, for each one wanted
UNEXPLAINED = -1e6  # log weight of an action of probability 0; below that of any whole deal


class PosteriorWorlds(PolicyInference):
    """Draws worlds from the posterior of a seat whose partner and opponents play by ``policy``."""

    power = 1.0
    lost = UNEXPLAINED / 2

    def __init__(self, sampler: Sampler, policy: Agent) -> None:
        """ValueError for games whose past cannot be told, and as ``require_known`` has it."""
        super().__init__(sampler, fair(policy))
        require_known(self.game, policy)
        self._soft = PolicyInference(sampler, policy)
        self.asked = 0  # views that worlds were drawn for, so far
        self.unexplained = 0  # those of them in which no world drawn explains all actions

    def sample(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> GameState:
        """Return R * worlds games as ``Sampler.sample`` does, one of them perhaps repeatedly."""
        found = _Drawn(len(view))
        going, n = np.arange(len(view)), OVERSAMPLE * worlds
        for batch in BATCHES:
            self._draw(found, view, going, batch * n, rng, self)
            going = np.flatnonzero(found.effective() < ENOUGH * worlds)
            if not len(going):
                break
        odd = np.flatnonzero(~found.explains())
        if len(odd):
            found.forget(odd)
            self._draw(found, view, odd, n, rng, self._soft)
        self.asked += len(view)
        self.unexplained += len(odd)
        kept = found.kept(worlds, rng)
        return self.sampler.build(view.select(np.repeat(np.arange(len(view)), worlds)), kept, rng)

    def _draw(
        self,
        found: _Drawn,
        view: PlayerView,
        rows: Ints,
        n: int,
        rng: np.random.Generator,
        judge: PolicyInference,
    ) -> None:
        """Add n worlds for each of these rows, weighed by ``judge``."""
        hands = self.sampler.draw(view.select(rows), n, rng)
        found.add(rows, hands, judge.weigh(view.select(rows), hands, rng))

    def _log_likelihood(
        self, view: PlayerView, mask: NDArray[np.int8], action: Ints, rng: np.random.Generator
    ) -> Floats:
        told = known_probabilities(self.policy, view, mask)
        if told is None:  # it does one thing for certain
            return np.where(self.policy.act(view, mask, rng) == action, 0.0, UNEXPLAINED)
        p = told[np.arange(len(action)), action]
        return np.where(p > 0, np.log(np.maximum(p, np.finfo(np.float64).tiny)), UNEXPLAINED)


class _Drawn:
    """Worlds drawn for R views, not equally many for each, and the logs of their weights."""

    def __init__(self, n_views: int) -> None:
        self.n_views = n_views
        self.hands: list[Hands] = []
        self.places: list[Ints] = []  # (R, worlds) in all hands
        self.weights: list[Floats] = []  # (R, worlds), -inf where there is no world

    def add(self, rows: Ints, hands: Hands, log_weights: Floats) -> None:
        """Add worlds (R' * n,) of some rows (R',)."""
        n = len(hands) // len(rows)
        places = np.zeros((self.n_views, n), dtype=np.intp)
        places[rows] = (sum(map(len, self.hands)) + np.arange(len(hands))).reshape(-1, n)
        weights = np.full(places.shape, -np.inf)
        weights[rows] = log_weights.reshape(-1, n)
        self.hands.append(hands)
        self.places.append(places)
        self.weights.append(weights)

    def forget(self, rows: Ints) -> None:
        """Take the worlds of these rows out."""
        for weights in self.weights:
            weights[rows] = -np.inf

    def explains(self) -> Bool:
        """Return for which views (R,) some world leaves no action unexplained."""
        return np.asarray(np.concatenate(self.weights, axis=1).max(axis=1) > UNEXPLAINED / 2)

    def effective(self) -> Floats:
        """Return the effective number of worlds (R,): (sum w)^2 / sum w^2.

        0 where none explains all actions.  Kong, Liu and Wong, J. Am. Stat. Assoc. 89, 1994.
        """
        logs = np.concatenate(self.weights, axis=1)
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        found = weights.sum(axis=1) ** 2 / np.square(weights).sum(axis=1)
        return np.where(self.explains(), found, 0.0)

    def kept(self, worlds: int, rng: np.random.Generator) -> Hands:
        """Return R * worlds of them, in proportion to their weights."""
        chosen = resample(np.concatenate(self.weights, axis=1), worlds, rng)
        places = np.take_along_axis(np.concatenate(self.places, axis=1), chosen, axis=1)
        return Hands.joined(self.hands).select(places.ravel())


def require_known(game: Game, policy: Agent) -> None:
    """ValueError, one line, for a policy that draws its actions and does not tell how likely.

    It plays a deal.  Who draws nothing from the generator does one thing for certain.
    """
    rng = np.random.default_rng(0)
    state = game.new_games(1, seed=0)
    for rows, mask in open_decisions(game, state):
        action, real = forced(mask)
        if len(real):
            view = view_of(game, state, rows, state.seat[rows])
            before = rng.bit_generator.state
            action = policy.act(view, mask, rng)
            is_drawn = rng.bit_generator.state != before
            if is_drawn and known_probabilities(policy, view, mask) is None:
                raise ValueError(
                    f"agent {policy.name!r} draws its actions and does not tell how likely they "
                    "are; allowed: agents that tell it (probabilities), or draw nothing"
                )
        game.step(state, action, rows)
