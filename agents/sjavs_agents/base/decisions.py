"""Deals that are played out: which decisions are open, and which of them are none.

The one loop by which agents play, in matches, training and playouts alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base.agent import Bool, Ints
from sjavs_env import Game, GameState, Phase

__all__ = ["forced", "open_decisions"]


def open_decisions(
    game: Game, state: GameState, going: Bool | None = None
) -> Iterator[tuple[Ints, NDArray[np.int8]]]:
    """Yield the games (R,) whose deals go on, and what may be done in them (R, A), until all end.

    Whoever asks steps each of these games before they ask again::

        for rows, mask in open_decisions(game, state):
            game.step(state, sample_legal(mask, rng), rows)

    They may deal games on that are over, and take games out early that they clear in ``going``
    (B,).
    """
    while True:
        is_open = state.phase != Phase.OVER
        rows = np.flatnonzero(is_open if going is None else is_open & going)
        if not len(rows):
            return
        yield rows, game.legal_actions(state, rows)


def forced(mask: NDArray[np.int8]) -> tuple[Ints, Ints]:
    """Return actions (R,) for masks (R, A), and which rows have a choice besides."""
    return mask.argmax(axis=1), np.flatnonzero(mask.sum(axis=1, dtype=np.intp) > 1)
