"""Who sits in the other seats of many games at once: one opponent for all, or a pool of them.

Opponents are what ``policies`` knows: functions of an observation, players of views, or names of
agents.  Players of views answer all games together; functions are asked game by game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.actions import sample_legal
from sjavs_env.engine.game import Game
from sjavs_env.engine.state import GameState
from sjavs_env.envs.policies import (
    Policy,
    SeatFunction,
    plays_views,
    policy_for,
    random_policy,
    read_answer,
)
from sjavs_env.errors import shown
from sjavs_env.observation.encode import Encoder
from sjavs_env.observation.views import PlayerView, view_of
from sjavs_env.rules.tables import Ints

__all__ = ["Opponents", "Others"]

Opponents = Policy | str | Sequence[Policy | str]


class Others:
    """The opponents of B games; each game has one of them in all seats but the learner's."""

    def __init__(self, opponents: Opponents, encoder: Encoder, n_games: int) -> None:
        """Make those that are named; ValueError for what cannot act, or an empty pool."""
        pool = [opponents] if isinstance(opponents, str) or callable(opponents) else opponents
        pool = [pool] if not isinstance(pool, Sequence) else pool
        if not pool:
            raise ValueError("opponents is empty; allowed: one or more of them")
        self.game: Game = encoder.game
        self.encoder = encoder
        self.pool = [policy_for(one, self.game) for one in pool]
        self.member = np.zeros(n_games, dtype=np.intp)  # (B,) who sits in each game

    def sit_down(self, rows: Ints, rng: np.random.Generator) -> None:
        """Draw who plays the next episodes of the games ``rows`` (R,)."""
        if len(self.pool) > 1:
            self.member[rows] = rng.integers(len(self.pool), size=len(rows))

    def answers(
        self, state: GameState, rows: Ints, mask: NDArray[np.int8], rng: np.random.Generator
    ) -> Ints:
        """Return legal actions (R,) of the seats to act in the games ``rows``.

        ``mask`` (R, A) is theirs.  ValueError, one line, names an opponent that answers otherwise.
        """
        if len(self.pool) == 1:
            return self._by(self.pool[0], state, rows, mask, rng)
        action = np.empty(len(rows), dtype=np.intp)
        for i, policy in enumerate(self.pool):
            at = np.flatnonzero(self.member[rows] == i)
            if len(at):
                action[at] = self._by(policy, state, rows[at], mask[at], rng)
        return action

    def _by(
        self,
        policy: Policy,
        state: GameState,
        rows: Ints,
        mask: NDArray[np.int8],
        rng: np.random.Generator,
    ) -> Ints:
        """Ask one opponent: players of views only where they have a choice, functions always.

        The one that plays at random needs no view.
        """
        if policy is random_policy:
            return sample_legal(mask, rng)
        action = mask.argmax(axis=1)
        count = mask.sum(axis=1, dtype=np.intp)
        real = np.flatnonzero(count > 1) if plays_views(policy) else np.arange(len(rows))
        if not len(real):
            return action
        view = view_of(self.game, state, rows[real], state.seat[rows[real]])
        wanted = mask[real]
        if plays_views(policy):
            answer: object = policy.act(view, wanted.copy(), rng)
        else:
            answer = self._one_by_one(cast(SeatFunction, policy), view, wanted, rng)
        try:
            action[real] = read_answer(answer, wanted, self.game.actions.labels)
        except ValueError as error:
            name = getattr(policy, "name", None) or getattr(policy, "__name__", "")
            raise ValueError(f"opponent {shown(name or type(policy).__name__)} {error}") from None
        return action

    def _one_by_one(
        self,
        policy: SeatFunction,
        view: PlayerView,
        mask: NDArray[np.int8],
        rng: np.random.Generator,
    ) -> list[int]:
        """Ask a function for each of the games, with an observation of its own."""
        seen = self.encoder.encode(view) * self.encoder.layout.scale
        return [
            policy({"observation": seen[i].copy(), "action_mask": mask[i].copy()}, rng)
            for i in range(len(mask))
        ]
