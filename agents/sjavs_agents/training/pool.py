"""Opponents for self-play: older copies of the learner and, if asked for, scripted players.

Every deal is either the learner against itself or the learner on one side, or in one seat,
against one opponent who has all others, bound for the whole deal.  Copies that the learner beats
least are met most: weight ``(1 - w)^2`` for a share w of deals won against a copy (prioritised
fictitious self-play, as in AlphaStar).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent
from sjavs_agents.training.collect import LEARNER, Seating
from sjavs_agents.training.config import PoolConfig

__all__ = ["Pool"]

PER_ITERATION = 2  # older copies met in one iteration: few, so that batches stay large
MEMORY = 0.9  # share of the old estimate of w that stays when a copy is met again


class Pool:
    """Older copies (as agents) and how well the learner does against each."""

    def __init__(
        self, config: PoolConfig, sides: NDArray[np.bool_], scripted: Agent | None
    ) -> None:
        """``sides`` (P, P): who plays with whom."""
        self.config = config
        is_whole = config.learner_seats == "side"
        self.held = sides if is_whole else np.eye(len(sides), dtype=np.bool_)  # (P, P), from each
        self.scripted = scripted
        self.members: list[Agent] = []
        self.won = np.zeros(0)  # share of deals won against each member

    def add(self, agent: Agent) -> None:
        """Take in a copy; when the pool is full, the second oldest goes, the oldest stays."""
        if len(self.members) == self.config.size:
            gone = min(1, len(self.members) - 1)
            del self.members[gone]
            self.won = np.delete(self.won, gone)
        self.members.append(agent)
        self.won = np.append(self.won, 0.5)

    def seat(self, n_games: int, rng: np.random.Generator) -> Seating:
        """Seat the learner and the opponents of one iteration; draws from ``rng``."""
        n_players = len(self.held)
        player = np.full((n_games, n_players), LEARNER)
        opponents, shares = self._opponents(rng)
        if not opponents:
            return Seating(player)
        edges = np.cumsum([0.0, *shares])
        point = rng.random(n_games)
        learner_seat = rng.integers(n_players, size=n_games)
        for i in range(len(opponents)):
            games = np.flatnonzero((point >= edges[i]) & (point < edges[i + 1]))
            theirs = ~self.held[learner_seat[games]]
            player[games] = np.where(theirs, i, LEARNER)
        return Seating(player, opponents)

    def _opponents(self, rng: np.random.Generator) -> tuple[Sequence[Agent], list[float]]:
        """Choose whom to meet in this iteration, with their shares of the deals."""
        chosen: list[Agent] = []
        shares: list[float] = []
        if self.members and self.config.past_share > 0:
            n = min(PER_ITERATION, len(self.members))
            weight = (1 - self.won) ** 2 + 1e-3
            at = rng.choice(len(self.members), size=n, replace=False, p=weight / weight.sum())
            chosen += [self.members[i] for i in at]
            shares += [self.config.past_share / n] * n
        if self.scripted is not None and self.config.scripted_share > 0:
            chosen.append(self.scripted)
            shares.append(self.config.scripted_share)
        return chosen, shares

    def met(self, seating: Seating, rewards: NDArray[np.float32]) -> NDArray[np.float64]:
        """Count the deals (members, 2) that the learner won against each, and those it played.

        ``rewards`` (B, P); a draw is half a deal won.
        """
        counts = np.zeros((len(self.members), 2))
        for i, opponent in enumerate(seating.opponents):
            theirs = seating.player == i
            games = theirs.any(axis=1)
            if opponent in self.members:
                lost = np.sign(np.where(theirs, rewards, 0).sum(axis=1))[games]
                won = (lost < 0).sum() + 0.5 * (lost == 0).sum()
                counts[self.members.index(opponent)] += won, len(lost)
        return counts

    def record(self, met: NDArray[np.float64]) -> None:
        """Note how the learner did in an iteration: counts (members, 2) as ``met`` gives them."""
        for at in np.flatnonzero(met[:, 1]):
            share = met[at, 0] / met[at, 1]
            self.won[at] = MEMORY * self.won[at] + (1 - MEMORY) * share
