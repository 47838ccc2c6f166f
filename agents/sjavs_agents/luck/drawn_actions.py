"""The luck of agents that draw: what their draws brought, by what each action was worth.

Where an agent does a with a known probability π(a), and b(a) says what the deal is worth after a,
b(done) - Σ π(a) b(a) has mean zero, whatever b says, as long as b is not chosen by what was done:
the action corrections of AIVAT (Burch et al. 2018, "AIVAT: A New Variance Reduction Technique for
Agent Evaluation in Imperfect Information Games", arXiv 1612.06915).  Here b is the mean of deals
that one agent, the crew, finishes from the real hands in all seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sjavs_agents.base import Agent, Bool, Floats, Ints
from sjavs_agents.luck.outcomes import UNITS, margins
from sjavs_agents.search.playouts import played_out
from sjavs_env import Game, GameState
from sjavs_env.randomness import derived

__all__ = ["DrawLuck", "Draws", "draws_of", "luck_of_draws"]

TIMES = 8  # deals finished after each action
LEAST = 0.02  # actions less likely are not looked into; the mean of the others stands for them
AT_ONCE = 512  # decisions whose actions are looked into together


@dataclass(frozen=True)
class Draws:
    """Decisions (R,) of agents that draw, in which more than one action was likely."""

    state: GameState  # (R,) games before the action
    probabilities: Floats  # (R, A)
    done: Ints  # (R,)
    deal: Ints  # (R,) whatever number the deal has for those who ask

    def __len__(self) -> int:
        return len(self.done)


def draws_of(
    state: GameState, rows: Ints, probabilities: Floats, done: Ints, deal: Ints
) -> Draws | None:
    """Return those of some decisions (R,) in the games ``rows`` (R,) in which luck has a say.

    Which they are does not depend on what was ``done`` (R,), or the rest would have a mean.
    """
    kept = np.flatnonzero((probabilities >= LEAST).sum(axis=1) > 1)
    if not len(kept):
        return None
    return Draws(state.select(rows[kept]), probabilities[kept], done[kept], deal[kept])


def luck_of_draws(
    game: Game, crew: Agent, draws: Draws, rng: np.random.Generator
) -> dict[str, Floats]:
    """Return by unit what its draw brought each seat (R, P), less what draws bring on average."""
    likely: Bool = draws.probabilities >= LEAST
    decision, action = np.nonzero(likely)
    worth = _worth(game, crew, draws.state.select(decision), action, rng)
    found = {}
    for unit in UNITS:
        values = np.zeros((*likely.shape, game.tables.n_players))
        values[decision, action] = worth[unit]
        weight = draws.probabilities * likely
        mean = np.einsum("ra,rap->rp", weight, values) / weight.sum(axis=1, keepdims=True)
        at = np.arange(len(draws)), draws.done
        found[unit] = np.where(likely[at][:, None], values[at] - mean, 0.0)
    return found


def _worth(
    game: Game, crew: Agent, before: GameState, action: Ints, rng: np.random.Generator
) -> Mapping[str, Floats]:
    """Return by unit what games (S,) are worth to each seat (S, P) after an action (S,) in each."""
    after = before.select(np.tile(np.arange(len(before)), TIMES))
    game.step(after, np.tile(action, TIMES), np.arange(len(after)))
    played_out(game, after, crew, rng)
    results = margins(game, after)
    return {unit: results[unit].reshape(TIMES, len(before), -1).mean(axis=0) for unit in UNITS}


class DrawLuck:
    """Adds up the luck of draws, deal by deal, without keeping the decisions."""

    def __init__(self, game: Game, crew: Agent, seed: int) -> None:
        """The crew draws from streams of ``seed``."""
        self.game, self.crew, self.seed = game, crew, seed
        self._waiting: list[Draws] = []
        self._chunks = 0
        self._luck: dict[str, dict[int, Floats]] = {unit: {} for unit in UNITS}

    def add(self, draws: Draws | None) -> None:
        """Enter decisions."""
        if draws is not None:
            self._waiting.append(draws)
        if sum(map(len, self._waiting)) >= AT_ONCE:
            self._look_into()

    def of(self, deals: int) -> dict[str, Floats]:
        """Return by unit what their draws brought each seat (deals, P) in deals 0, 1, ..."""
        self._look_into()
        shape = (deals, self.game.tables.n_players)
        found: dict[str, Floats] = {unit: np.zeros(shape) for unit in UNITS}
        for unit in UNITS:
            for deal, luck in self._luck[unit].items():
                found[unit][deal] = luck
        return found

    def _look_into(self) -> None:
        if not self._waiting:
            return
        draws = Draws(
            GameState.joined([one.state for one in self._waiting]),
            *(np.concatenate([getattr(one, name) for one in self._waiting])
              for name in ("probabilities", "done", "deal")),
        )  # fmt: skip
        self._waiting.clear()
        rng = derived(self.seed, "luck of draws", self._chunks)
        self._chunks += 1
        for unit, luck in luck_of_draws(self.game, self.crew, draws, rng).items():
            total = self._luck[unit]
            for deal, one in zip(draws.deal.tolist(), luck, strict=True):
                total[deal] = total.get(deal, 0.0) + one
