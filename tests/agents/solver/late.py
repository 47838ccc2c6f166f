"""Games that maxims have played up to the last tricks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_env import Game, GameState, Phase, view_of

__all__ = ["endings", "legal_cards"]


def endings(game: Game, n_games: int, tricks_left: int, seed: int = 1) -> tuple[GameState, Ints]:
    """Return games played by maxims up to the last tricks, those with a choice to make."""
    state = game.new_games(n_games, seed=seed, dealer=np.arange(n_games))
    player, rng = RuleAgent(game), np.random.default_rng(seed)
    while True:
        started = state.trick_number >= game.tables.n_tricks - tricks_left
        rows = np.flatnonzero((state.phase != Phase.OVER) & ~started)
        if not len(rows):
            break
        mask = game.legal_actions(state, rows)
        view = view_of(game, state, rows, state.seat[rows])
        game.step(state, player.act(view, mask, rng), rows)
    there = np.flatnonzero(state.phase == Phase.PLAY)
    choice = game.legal_actions(state, there).sum(axis=1) > 1
    return state, there[choice]


def legal_cards(game: Game, state: GameState, rows: Ints) -> NDArray[np.bool_]:
    return game.legal_actions(state, rows)[:, : game.tables.n_cards].astype(np.bool_)
