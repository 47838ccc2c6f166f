"""Random endings, and their values found the slow way: by playing on in every way there is.

The engine plays and scores; nothing of the solver is used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sjavs_env import Game, GameState, Phase, sample_legal
from sjavs_env.rules.tables import Ints

__all__ = ["Exact", "brute_force", "positions"]


def positions(
    game: Game, n: int, tricks_left: int, seed: int, cards_in_trick: int | None = 0
) -> GameState:
    """Return ``n`` games that chance has played up to their last tricks.

    So many cards are in the trick, or any number if it is None.
    """
    rng = np.random.default_rng(seed)
    t = game.tables
    state = game.new_games(n, seed=seed, dealer=rng.integers(t.n_players, size=n))
    size = rng.integers(t.n_players, size=n) if cards_in_trick is None else cards_in_trick
    ties = rng.integers(2, size=n)
    start = t.n_tricks - tricks_left
    while True:
        game.next_deal(state, np.flatnonzero(state.phase == Phase.OVER))
        state.ties[:] = ties  # each result may find one pending
        is_there = (state.trick_number >= start) & (state.trick_size >= size)
        rows = np.flatnonzero(~is_there | (state.phase != Phase.PLAY))
        if not len(rows):
            return state
        game.step(state, sample_legal(game.legal_actions(state, rows), rng), rows)


@dataclass(frozen=True)
class Exact:
    """What side 0 gets by each card (R, N), nan where it is illegal."""

    points: NDArray[np.float64]  # its card points less those of the others
    score: NDArray[np.float64]  # the reward of its first seat
    tricks: NDArray[np.float64]  # its tricks


def brute_force(game: Game, state: GameState) -> Exact:
    """Play every game to its end in every way and choose backwards what is best."""
    ally = game.tables.result.ally[state.declarer]  # (R, P)
    nobody = np.zeros(0, dtype=np.intp)
    layers: list[tuple[GameState, Ints, Ints, Ints]] = []  # state, root, parent, action
    layer = (state.clone(), np.arange(len(state)), nobody, nobody)
    while len(layer[0]):
        layers.append(layer)
        at, action = np.nonzero(game.legal_actions(layer[0]))
        following = layer[0].select(at)
        game.step(following, action)
        layer = (following, layer[1][at], at, action)
    values: NDArray[np.float64] = np.zeros((0, 3))
    for (now, root, _, _), (_, _, parent, _) in zip(
        reversed(layers), [layer, *reversed(layers[1:])], strict=True
    ):
        after = values
        mine = ally[root, now.seat]
        best = np.where(mine[:, None], -np.inf, np.inf) * np.ones(3)
        np.maximum.at(best, parent[mine[parent]], after[mine[parent]])
        np.minimum.at(best, parent[~mine[parent]], after[~mine[parent]])
        is_over = (now.phase == Phase.OVER)[:, None]
        values = np.where(is_over, _results(game, now, ally[root]), best)
    of_cards = np.full((len(state), game.tables.n_cards, 3), np.nan)
    _, _, parent, action = layers[1]
    of_cards[parent, action] = after
    return Exact(*np.moveaxis(of_cards, 2, 0))


def _results(game: Game, state: GameState, ally: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Points, score and tricks (R, 3) of side 0, where the deal is over."""
    rows = np.arange(len(state))
    points = np.where(ally, state.points, -state.points).sum(axis=1)
    if game.tables.deal.n_talon:
        points = points + game.unpack(state.talon | state.laid) @ game.tables.cards.points
    rewards = game.rewards(game.gains(state), game.taking_part(state, rows))
    score = rewards[rows, ally.argmax(axis=1)]
    return np.stack([points, score, (state.tricks * ally).sum(axis=1)], axis=1)
