"""Deals played to their ends, many at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Ints
from sjavs_env import Game, GameState, Phase

__all__ = ["open_decisions"]


def open_decisions(game: Game, state: GameState) -> Iterator[tuple[Ints, NDArray[np.int8]]]:
    """Yield the games (R,) whose deals go on, and what may be done in them (R, A), until all end.

    Whoever asks steps each of these games before they ask again::

        for rows, mask in open_decisions(game, state):
            game.step(state, sample_legal(mask, rng), rows)
    """
    while len(rows := np.flatnonzero(state.phase != Phase.OVER)):
        yield rows, game.legal_actions(state, rows)
