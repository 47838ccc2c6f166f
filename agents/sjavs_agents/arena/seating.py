"""Who sits where at the tables of a board, and whose result is measured against whose.

A board is played once at each table of a seating, so that the cards fall to every side alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from sjavs_agents.base import Bool, Floats, Ints
from sjavs_env import Game

__all__ = ["Seating", "mean_weights", "mixed_seating", "pair_seating", "seating"]


@dataclass(frozen=True, eq=False)
class Seating:
    """The tables of a board, and parties whose results are measured, each against the rest."""

    agent_at: Ints  # (tables, P) which agent sits there
    parties: Bool  # (parties, tables, P) the seats of a party
    of_sides: bool  # parties are whole sides, so that card points are those of sides


def mean_weights(ours: Bool, part: Bool | None = None) -> Floats:
    """Return weights that give the mean of ``ours`` less the mean of the other seats.

    Both (..., P), among the seats that take part, by default all; 0 where one has none of them.
    """
    takes_part = np.ones(ours.shape, dtype=np.bool_) if part is None else part
    is_a, is_b = takes_part & ours, takes_part & ~ours
    by_a, by_b = is_a.sum(axis=-1, keepdims=True), is_b.sum(axis=-1, keepdims=True)
    counts = (by_a > 0) & (by_b > 0)
    return np.asarray(counts * (is_a / np.maximum(by_a, 1) - is_b / np.maximum(by_b, 1)))


def _partners(game: Game) -> Ints:
    """The side of seat 0 for one agent, the other side for the other; then exchanged."""
    of_seat_0 = game.tables.result.ally[0].astype(np.intp)
    return np.stack([1 - of_seat_0, of_seat_0])


def _alone(game: Game) -> Ints:
    """One agent alone in each seat against the other in all others; then exchanged.

    Of two players each is alone: there the exchange is the other seat.
    """
    alone = 1 - np.eye(game.tables.n_players, dtype=np.intp)
    return alone if len(alone) == 2 else np.concatenate([alone, 1 - alone[::-1]])


# How agents are seated depends on who plays with whom; games with other sides add a line.
_SEATINGS: dict[str, Callable[[Game], Ints]] = {"partners": _partners, "alone": _alone}


def seating(game: Game) -> Ints:
    """Return which agent sits where (tables, P): 0 for A, 1 for B, at each table of a board."""
    return _SEATINGS[game.rules.sides](game)


def pair_seating(game: Game) -> Seating:
    """Return the seating of a match of A against B, seen from A's side."""
    agent_at = seating(game)
    return Seating(agent_at, (agent_at == 0)[None], game.rules.sides == "partners")


def mixed_seating(game: Game) -> Seating:
    """Return the seating of a different agent in every seat: all orders of them, P! tables.

    So every agent has every seat, every neighbour and every partner equally often on the same
    cards.  The party of an agent is its side where there are partners, else its own seat.
    """
    n = game.tables.n_players
    agent_at = np.array(list(permutations(range(n))), dtype=np.intp)
    own = agent_at == np.arange(n)[:, None, None]
    if game.rules.sides != "partners":
        return Seating(agent_at, own, False)
    side = game.tables.result.ally[:n].astype(np.bool_)  # (P, P) seats of one side
    return Seating(agent_at, (own[..., None] & side).any(axis=2), True)
