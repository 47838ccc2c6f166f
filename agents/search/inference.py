"""Worlds weighed by how well they explain the cards that the others have played.

A world's weight is the product, over the cards that the other seats have played in it, of the
probability that a given policy plays them there, seeing what they saw (policy inference,
Rebstock et al. 2019).  Weights are tempered, and the policy is mixed with an even one, so that a
single odd card does not rule out the true world.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, Ints, fair
from agents.card_sense import Floats
from agents.search.worlds.resampling import resample
from agents.search.worlds.sampler import Sampler
from sjavs_env import Game, GameState, PlayerView, view_of
from sjavs_env.rules.tables import NO_LEAD, NONE

__all__ = ["PolicyInference", "Probable", "rewound", "world_source"]

OVERSAMPLE = 8  # worlds drawn for each one kept
FLOOR = 0.02  # share of even play mixed into the policy
TEMPER = 0.6  # power of the likelihood


@runtime_checkable
class Probable(Protocol):
    """An agent that can say how likely its actions are."""

    def action_log_probs(self, view: PlayerView, mask: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return log-probabilities (R, A) of the game's actions; very low for illegal ones."""
        ...


def rewound(game: Game, state: GameState) -> GameState:
    """Return the same deals as they stood before the first card was led."""
    past = state.clone()
    past.hand[:] = past.dealt
    past.trick[:] = NONE
    past.led[:] = NO_LEAD
    for field in (past.trick_size, past.best_power, past.pile, past.trick_number):
        field[:] = 0
    for field in (past.points, past.tricks, past.void):
        field[:] = 0
    past.fell[:] = 0
    forehand = (past.dealer + 1) % game.tables.n_players
    past.leader[:] = past.seat[:] = past.winner[:] = forehand
    return past


def world_source(game: Game, policy: Agent | None) -> Sampler | PolicyInference:
    """Return what draws worlds: evenly, or as likely as ``policy`` makes the cards played."""
    sampler = Sampler(game)
    return sampler if policy is None else PolicyInference(game, sampler, fair(policy))


class PolicyInference:
    """Draws worlds in which the others' cards are likely ones."""

    def __init__(self, game: Game, sampler: Sampler, policy: Agent) -> None:
        """ValueError for games whose past cannot be told from what lies on the table."""
        t = game.tables
        if t.n_columns or t.seats.vary:
            raise ValueError(
                f"infer does not know {game.rules.name}; allowed: games without cards on the "
                "table, in which all seats always take part"
            )
        self.game = game
        self.sampler = sampler
        self.policy = policy

    def sample(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> GameState:
        """Return R * worlds games as ``Sampler.sample`` does, likely ones more often."""
        n = OVERSAMPLE * worlds
        states = self.sampler.sample(view, n, rng)
        weights = self.log_weights(states, np.repeat(view.seat, n), rng)
        chosen = resample(TEMPER * weights.reshape(-1, n), worlds, rng)
        return states.select((chosen + n * np.arange(len(view))[:, None]).ravel())

    def log_weights(self, state: GameState, viewer: Ints, rng: np.random.Generator) -> Floats:
        """Return the log-likelihood (B,) of the cards that others than ``viewer`` have played."""
        game, past = self.game, rewound(self.game, state)
        played = state.dealt ^ state.hand
        total = np.zeros(len(state))
        rows = np.arange(len(state))
        while True:
            rows = rows[(played[rows] != (past.dealt ^ past.hand)[rows]).any(axis=1)]
            if not len(rows):
                return total
            seat = past.seat[rows]
            own = game.unpack(played[rows, seat]).astype(np.bool_)
            card = (own & (state.fell[rows] == past.trick_number[rows, None] + 1)).argmax(axis=1)
            mask = game.legal_actions(past, rows)
            told = np.flatnonzero((seat != viewer[rows]) & (mask.sum(axis=1, dtype=np.intp) > 1))
            if len(told):
                view = view_of(game, past, rows[told], seat[told])
                total[rows[told]] += self._log_likelihood(view, mask[told], card[told], rng)
            game.step(past, card, rows)

    def _log_likelihood(
        self, view: PlayerView, mask: NDArray[np.int8], card: Ints, rng: np.random.Generator
    ) -> Floats:
        if isinstance(self.policy, Probable):
            log_probs = self.policy.action_log_probs(view, mask)
            p = np.exp(log_probs[np.arange(len(card)), card].astype(np.float64))
        else:  # it plays one card for certain
            p = (self.policy.act(view, mask, rng) == card).astype(np.float64)
        return np.asarray(np.log((1 - FLOOR) * p + FLOOR / mask.sum(axis=1)))
