"""Laying away: which cards serve the declarer better aside than in hand.

What lies aside counts to the declarer's card points in any case.  So points that would probably
be lost go there, and cards that stand in the way of a ruff; trumps and winners stay.  Maxims say
in card points what it is worth to lay each card away (R, N).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Floats, Ints
from sjavs_agents.heuristic.sight import Sight, TableReader
from sjavs_env import Phase, PlayerView

__all__ = ["discard_lowest", "discard_worthwhile"]

# Weights found by duplicate matches between players that differ in one of them.
VOID = 6.0  # what it is worth to be rid of a suit, shared among the cards of the suit
WINNER = 12.0  # what a card brings that nothing in its suit beats
TRUMP = 50.0  # more than anything else is worth
UNKNOWN = 3.0  # a card that is taken blindly in exchange
LOST_TRICK = 8.0  # a card that loses a trick where tricks alone count


def save_points(s: Sight) -> Floats:
    """Bring home points that higher cards would take; where only tricks count, any loser."""
    risk = s.stronger_out / (1 + s.stronger_out)
    return risk * np.where(s.points_matter, s.points, LOST_TRICK)


def make_voids(s: Sight) -> Floats:
    """Get rid of a whole suit that can be ruffed afterwards."""
    to_lay = s.reader.game.tables.exchange.most_laid - np.bitwise_count(s.view.laid)[:, None]
    ruffs = (s.held & s.is_trump).any(axis=1, keepdims=True)
    return VOID / np.maximum(s.length, 1) * ((s.length <= to_lay) & ruffs)


def keep_winners(s: Sight) -> Floats:
    """Keep the highest card of a plain suit."""
    return -WINNER * s.is_master


def keep_trumps(s: Sight) -> Floats:
    """Keep every trump, the highest above all."""
    return -(TRUMP + s.rank) * s.is_trump


def discard_low(s: Sight) -> Floats:
    """Among cards that do the same, lay the lower one away."""
    return -0.1 * s.rank


MAXIMS: tuple[Callable[[Sight], Floats], ...] = (
    save_points,
    make_voids,
    keep_winners,
    keep_trumps,
    discard_low,
)


def discard_worthwhile(reader: TableReader, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
    """Return the action (R,) that lays most worth away, or "done" where nothing is worth it.

    The views are of hands whose trump suit is known, or decided on.
    """
    sight, actions = _sight(reader, view, mask)
    worth = np.sum([maxim(sight) for maxim in MAXIMS], axis=0) + UNKNOWN
    return _best(worth, 0.0, mask[:, actions], actions.start)


def discard_lowest(reader: TableReader, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
    """Return the action (R,) that lays the lowest plain card away; "done" where it may stop."""
    sight, actions = _sight(reader, view, mask)
    return _best(-sight.rank, 1.0, mask[:, actions], actions.start)


def _sight(reader: TableReader, view: PlayerView, mask: NDArray[np.int8]) -> tuple[Sight, slice]:
    actions = reader.game.actions.slices[Phase.LAY]
    legal = mask[:, actions][:, : reader.game.tables.n_cards].astype(np.bool_)
    return Sight(reader, view, legal), actions


def _best(worth: Floats | Ints, of_done: float, legal: NDArray[np.int8], first: int) -> Ints:
    done = np.full((len(worth), 1), of_done)
    both = np.concatenate([worth, done], axis=1)
    return first + np.where(legal == 1, both, -np.inf).argmax(axis=1)
