"""The player who looks into all hands: no fair opponent, but a ceiling for all others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.search.card_search import best_cards
from sjavs_agents.solver.solver import Solver, Utility
from sjavs_env import Game, GameState, Phase, PlayerView, view_of

__all__ = ["CheatingAgent"]


class CheatingAgent:
    """Knows every card and plays as if all others did, too; calls as the player by maxims."""

    boards_at_once = 32  # a second of work

    def __init__(
        self, game: Game, utility: Utility = "score", threads: int = 1, name: str = "cheater"
    ) -> None:
        self.game = game
        self.name = name
        self.utility = utility
        self.solver = Solver(game, threads=threads)
        self.adviser = RuleAgent(game)

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """ValueError: from what a seat sees it cannot play."""
        raise ValueError(f"{self.name} has to see all hands; allowed: matches in the arena")

    def act_open(
        self, state: GameState, rows: Ints, mask: NDArray[np.int8], rng: np.random.Generator
    ) -> Ints:
        """Return legal actions (R,) of the seats to act in the games ``rows``."""
        view = view_of(self.game, state, rows, state.seat[rows])
        actions = self.adviser.act(view, mask, rng)
        playing = np.flatnonzero(view.phase == Phase.PLAY)
        if len(playing):
            legal = mask[playing, : self.game.tables.n_cards].astype(np.bool_)
            values = self.solver.card_values(state, rows[playing], self.utility)
            actions[playing] = best_cards(values, legal, actions[playing])
        return actions
