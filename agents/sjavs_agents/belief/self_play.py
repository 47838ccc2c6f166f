"""Self-play, asked at every decision who holds each of the cards that are hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Ints, open_decisions
from sjavs_agents.base.asking import ask
from sjavs_env import Game, GameState, PlayerView, hidden_hands, view_of
from sjavs_env.randomness import derived
from sjavs_env.rules.tables import NONE, Bool, Words

__all__ = ["Moment", "SelfPlay", "true_holders"]


def true_holders(game: Game, state: GameState, rows: Ints, viewer: Ints) -> Words:
    """Return what each holder has in truth (R, H), as the sampler lists them."""
    hidden = hidden_hands(game, state, rows, viewer)
    if not game.tables.deal.n_talon:
        return hidden
    own = state.declarer[rows] == viewer
    laid = np.where(own, 0, state.laid[rows]).astype(hidden.dtype)
    return np.concatenate([hidden[:, :-1], state.talon[rows][:, None], laid[:, None]], axis=1)


@dataclass(frozen=True)
class Moment:
    """Decisions in R games that go on, as those who decide see them."""

    rows: Ints  # (R,) the games
    view: PlayerView  # (R,)
    mask: NDArray[np.int8]  # (R, A) what they may do
    true: Words  # (R, H) what each holder has

    def __len__(self) -> int:
        return len(self.rows)

    def select(self, at: Ints | Bool) -> Moment:
        """Return some of the decisions."""
        return Moment(self.rows[at], self.view.select(at), self.mask[at], self.true[at])

    def holder(self, game: Game, hidden: Bool) -> Ints:
        """Return who has each hidden card (R, N); NONE for the cards that are not ``hidden``."""
        return np.where(hidden, game.unpack(self.true).argmax(axis=1), NONE)


class SelfPlay:
    """Games in which one agent plays all seats, deal by deal; rubbers and matches go on."""

    def __init__(self, game: Game, agent: Agent, n_games: int, seed: int) -> None:
        """The games play deals of the stream ``seed``; so do all choices that are drawn."""
        self.game, self.agent = game, agent
        self._rng = derived(seed, "self-play")
        everywhere = np.arange(n_games)
        self._state = game.new_games(n_games, seed=seed, stride=n_games, dealer=everywhere)
        self._is_first = True

    def deal(self) -> Iterator[Moment]:
        """Play the next deal of every game, and yield all decisions in it."""
        game, state = self.game, self._state
        if not self._is_first:
            game.next_deal(state, np.arange(len(state)))
        self._is_first = False
        for rows, mask in open_decisions(game, state):
            seat = state.seat[rows]
            view = view_of(game, state, rows, seat)
            yield Moment(rows, view, mask, true_holders(game, state, rows, seat))
            game.step(state, ask(self.agent, view, mask, self._rng, game.actions.labels), rows)
