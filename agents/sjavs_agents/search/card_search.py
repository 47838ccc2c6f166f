"""What all searching players share: they search for cards and leave the rest to another agent."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Floats, Ints, boards_at_once, fair
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.worlds.by_policy import Probable
from sjavs_env import Game, Phase, PlayerView

__all__ = ["CardSearch", "best_cards"]

AT_ONCE = 8192  # worlds in memory at a time
BOARDS = 16  # played together: seconds of work; batches of 4 take twice as long for each
FEW_TRICKS = 6  # where no more are searched, boards are quick
MORE_BOARDS = 64  # then larger batches pay: fewer calls of the policy
EQUAL = 1e-9  # values that differ by less are equal; sums of floats differ that much


def best_cards(values: Floats, legal: NDArray[np.bool_], favourite: Ints) -> Ints:
    """Return the cards (R,) of the highest values (R, N), the favourite (R,) among equals."""
    masked = np.where(legal, values, -np.inf)
    best = masked >= masked.max(axis=1, keepdims=True) - EQUAL
    is_best = best[np.arange(len(best)), favourite]
    return np.where(is_best, favourite, best.argmax(axis=1))


class CardSearch(ABC):
    """Chooses cards by search; bids, exchanges and so on as ``policy`` does.

    Among cards that the search finds equal it plays the policy's, if that is one of them.
    """

    def __init__(self, game: Game, name: str, policy: Agent | None = None, tricks: int = 0) -> None:
        """``policy`` defaults to the player by maxims.

        It plays the cards before the last ``tricks`` tricks, too; 0 means that all are searched.
        """
        self.game = game
        self.name = name
        self.policy = fair(policy or RuleAgent(game))
        self._first_trick = game.tables.n_tricks - tricks if tricks else 0
        own = MORE_BOARDS if 0 < tricks <= FEW_TRICKS else BOARDS
        self.boards_at_once = min(own, boards_at_once([self.policy]))

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return legal actions (R,); draws from ``rng``."""
        actions = self.policy.act(view, mask, rng)
        is_searched = (view.phase == Phase.PLAY) & (view.trick_number >= self._first_trick)
        playing = np.flatnonzero(is_searched)
        for part in np.split(playing, range(self._at_once(), len(playing), self._at_once())):
            if len(part):
                values = self.values(view.select(part), mask[part], rng)
                legal = mask[part, : values.shape[1]].astype(np.bool_)
                actions[part] = best_cards(values, legal, actions[part])
        return actions

    def _log_probs(self, view: PlayerView, mask: NDArray[np.int8]) -> Floats:
        """Return the policy's log-probability of each card (R, N), -inf for illegal ones.

        A policy that does not say how likely its cards are has 0 for all legal ones.
        """
        legal = mask[:, : self.game.tables.n_cards].astype(np.bool_)
        if not isinstance(self.policy, Probable):
            return np.where(legal, 0.0, -np.inf)
        found = self.policy.action_log_probs(view, mask)[:, : legal.shape[1]]
        return np.where(legal, found.astype(np.float64), -np.inf)

    @abstractmethod
    def values(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Floats:
        """Return the worth (R, N) of each legal card, higher is better."""

    @abstractmethod
    def _worlds_per_view(self) -> int:
        """Return how many worlds of a view are in memory at a time."""

    def _at_once(self) -> int:
        return max(1, AT_ONCE // self._worlds_per_view())
