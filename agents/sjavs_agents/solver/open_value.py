"""What a position is worth to each seat if all play on as well as open hands allow."""

from __future__ import annotations

import numpy as np

from sjavs_agents.base import Floats, Ints
from sjavs_agents.solver.from_state import allies
from sjavs_agents.solver.solver import Solver, Utility
from sjavs_env import Game, GameState
from sjavs_env.rules.tables import NONE

__all__ = ["OpenValue"]


class OpenValue:
    """Open-hand values in game points."""

    def __init__(self, game: Game, threads: int = 1, *, falls_back: bool = False) -> None:
        """``falls_back`` values in card points where game points fall as card points rise.

        ValueError for a game of more sides than two.
        """
        self.game = game
        self._solver = Solver(game, threads=threads)
        self._falls_back = falls_back
        self._utility: Utility = "score"

    def of_seats(self, state: GameState, rows: Ints) -> Floats:
        """Return the values (R, P) of games in which a card is to be played.

        ValueError for other games, and for game points that fall as card points rise.

        What each seat gains more than the mean of its opponents, which adds up to zero over the
        seats: within a side all gain alike.
        """
        if not len(rows):
            return np.zeros((0, self.game.tables.n_players))
        ally = allies(self.game, state, rows)
        declarer = state.declarer[rows]
        first = np.where(declarer == NONE, 0, declarer)
        cards = self._card_values(state, rows, first)
        is_ours = ally[np.arange(len(rows)), state.seat[rows]]
        held = np.where(is_ours, np.nanmax(cards, axis=1), np.nanmin(cards, axis=1))
        share = ally.sum(axis=1) / (~ally).sum(axis=1)
        return np.where(ally, held[:, None], (-held * share)[:, None])

    def _card_values(self, state: GameState, rows: Ints, seat: Ints) -> Floats:
        try:
            return self._solver.card_values(state, rows, self._utility, seat)
        except ValueError:
            if self._utility == "points" or not self._falls_back:
                raise
            self._utility = "points"
            return self._solver.card_values(state, rows, self._utility, seat)
