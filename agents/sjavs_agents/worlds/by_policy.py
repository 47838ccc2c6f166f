"""Worlds weighed by how well they explain what the others have said and played.

A world's weight is the product, over the calls and cards of the other seats, of the probability
that a given policy chooses them there, seeing what they saw (policy inference, Rebstock et al.
2019).  What the rules leave no choice about says nothing beyond what it proves.  Weights are
tempered, and the policy is mixed with an even one, so that a single odd card does not rule out
the true world.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Floats, Ints
from sjavs_agents.worlds.rewind import before_calls, rewound
from sjavs_agents.worlds.sampler import Hands, Sampler
from sjavs_agents.worlds.weighted import WeightedWorlds
from sjavs_env import GameState, Phase, PlayerView, view_of

__all__ = ["PolicyInference", "Probable"]

AT_ONCE = 8192  # states in memory while worlds are weighed
FLOOR = 0.02  # share of even play mixed into the policy
TEMPER = 0.6  # power of the likelihood


@runtime_checkable
class Probable(Protocol):
    """An agent that can say how likely its actions are."""

    def action_log_probs(self, view: PlayerView, mask: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return log-probabilities (R, A) of the game's actions; very low for illegal ones."""
        ...


class PolicyInference(WeightedWorlds):
    """Draws worlds in which what the others said and played is likely."""

    power = TEMPER
    lost = -np.inf  # a log weight from which on a world is not weighed any further

    def __init__(self, sampler: Sampler, policy: Agent) -> None:
        """ValueError for games whose past cannot be told from what lies on the table."""
        super().__init__(sampler)
        t = self.game.tables
        if t.deal.n_columns or t.seats:
            raise ValueError(
                f"infer does not know {self.game.rules.name}; allowed: games without cards on "
                "the table, in which all seats always take part"
            )
        self.policy = policy
        self._has_calls = Phase.AUCTION in t.course.phases

    def weigh(self, view: PlayerView, drawn: Hands, rng: np.random.Generator) -> Floats:
        """Return the logs of the weights (W,) of worlds drawn for R views, W / R for each."""
        row = np.repeat(np.arange(len(view)), len(drawn) // max(1, len(view)))
        weights = np.zeros(len(drawn))
        for start in range(0, len(drawn), AT_ONCE):
            at = np.arange(start, min(start + AT_ONCE, len(drawn)))
            states = self.sampler.build(view.select(row[at]), drawn.select(at), rng)
            weights[at] = self.power * self.log_weights(states, view.seat[row[at]], rng)
        return weights

    def log_weights(self, state: GameState, viewer: Ints, rng: np.random.Generator) -> Floats:
        """Return the log-likelihood (B,) of what others than ``viewer`` have said and played."""
        total = np.zeros(len(state))
        if self._has_calls:
            self._add_calls(total, state, viewer, rng)
        self._add_cards(total, state, viewer, rng)
        return total

    def _add_calls(
        self, total: Floats, state: GameState, viewer: Ints, rng: np.random.Generator
    ) -> None:
        """Add up over the calls, and over the suit named if that comes next."""
        game, past = self.game, before_calls(self.game, state)
        n = game.tables.n_players
        for away in range(1, n + 1):
            seat = (state.dealer + away) % n
            call = state.calls[np.arange(len(state)), seat]
            rows = np.flatnonzero((call > 0) & (total > self.lost))
            action = game.actions.pass_ + call[rows] - 1
            total[rows] += self._evidence(past, rows, action, viewer, rng)
            game.step(past, action, rows)
        naming = (past.phase == Phase.NAME_TRUMP) & (state.mode > 0)
        rows = np.flatnonzero(naming & (total > self.lost))
        if len(rows):
            action = game.actions.name + state.mode[rows] - 1
            total[rows] += self._evidence(past, rows, action, viewer, rng)

    def _add_cards(
        self, total: Floats, state: GameState, viewer: Ints, rng: np.random.Generator
    ) -> None:
        game, past = self.game, rewound(self.game, state)
        played = state.dealt ^ state.hand
        rows = np.arange(len(state))
        while True:
            goes_on = (played[rows] != (past.dealt ^ past.hand)[rows]).any(axis=1)
            rows = rows[goes_on & (total[rows] > self.lost)]
            if not len(rows):
                return
            own = game.unpack(played[rows, past.seat[rows]]).astype(np.bool_)
            card = (own & (state.fell[rows] == past.trick_number[rows, None] + 1)).argmax(axis=1)
            total[rows] += self._evidence(past, rows, card, viewer, rng)
            game.step(past, card, rows)

    def _evidence(
        self, past: GameState, rows: Ints, action: Ints, viewer: Ints, rng: np.random.Generator
    ) -> Floats:
        """Return the log-likelihood (R,) of actions in games: 0 if forced or the viewer's own."""
        found, seat = np.zeros(len(rows)), past.seat[rows]
        mask = self.game.legal_actions(past, rows)
        told = np.flatnonzero((seat != viewer[rows]) & (mask.sum(axis=1, dtype=np.intp) > 1))
        if len(told):
            view = view_of(self.game, past, rows[told], seat[told])
            found[told] = self._log_likelihood(view, mask[told], action[told], rng)
        return found

    def _log_likelihood(
        self, view: PlayerView, mask: NDArray[np.int8], action: Ints, rng: np.random.Generator
    ) -> Floats:
        if isinstance(self.policy, Probable):
            log_probs = self.policy.action_log_probs(view, mask)
            p = np.exp(log_probs[np.arange(len(action)), action].astype(np.float64))
        else:  # it knows one action for certain
            p = (self.policy.act(view, mask, rng) == action).astype(np.float64)
        return np.asarray(np.log((1 - FLOOR) * p + FLOOR / mask.sum(axis=1)))
