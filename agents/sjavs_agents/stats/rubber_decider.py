"""The deals after which a match goes on though somebody is out: until one alone is lowest.

Scores then fall without bound, and only the distances between them count: how far each is above
the lowest.  States are all distances with at least two parties level at the bottom.  They lead to
one another in circles, so their values are solved together, as sparse linear equations.  The one
approximation is that a distance beyond ``FARTHEST`` units counts as that: whoever is so far ahead
hardly ever comes down to the others while these stay level, and the tests tell how little it
matters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sjavs_agents.stats.rubber_deals import Payoffs, RubberDeals
from sjavs_env.cli.extras import needing
from sjavs_env.rules.terms import Floats, Ints

__all__ = ["FARTHEST", "Decider"]

FARTHEST = 16  # units


@dataclass(frozen=True, eq=False)
class Decider:
    """The values of all states of a decider."""

    unit: int
    farthest: int
    place: Ints  # (distances, ...) number of a state by those in units, -1 where it is none
    solved: Floats  # (states, parties, payoffs) by the party that deals

    @classmethod
    def of(cls, deals: RubberDeals, payoffs: Payoffs, farthest: int = FARTHEST) -> Decider | None:
        """Solve the deciders of a game; ``None`` for one that has none.

        ValueError where ties add to the next deal, which no game with deciders has.  Needs the
        extra ``evaluate``.
        """
        if deals.kind == "first_out_wins":
            return None
        if deals.n_pending > 1:
            raise ValueError(
                "a deal is tied in a match with deciders; allowed: a game without ties"
            )
        grid = np.stack(np.meshgrid(*[np.arange(farthest + 1)] * deals.n, indexing="ij"), axis=-1)
        states = grid.reshape(-1, deals.n)
        states = states[(states == 0).sum(axis=1) > 1]
        place = np.full([farthest + 1] * deals.n, -1, dtype=np.intp)
        place[tuple(states.T)] = np.arange(len(states))
        solved = _solve_all(deals, payoffs, states, place, farthest)
        return cls(deals.unit, farthest, place, solved)

    def values(self, scores: Ints, dealer: int) -> Floats:
        """Return the values (R, payoffs) of scores (R, parties) that go on; ``dealer`` is next."""
        return self.solved[self.place[_distances(scores, self.unit, self.farthest)], dealer]


def _distances(scores: Ints, unit: int, farthest: int) -> tuple[Ints, ...]:
    """How far in units each party (R,) is above the lowest, as an index."""
    above = (scores - scores.min(axis=1, keepdims=True)) // unit
    return tuple(np.minimum(above, farthest).T)


def _solve_all(
    deals: RubberDeals, payoffs: Payoffs, states: Ints, place: Ints, farthest: int
) -> Floats:
    """Values (states, parties, payoffs) of distances (states, parties) in units."""
    with needing("evaluate"):
        from scipy.sparse import csc_array, eye_array
        from scipy.sparse.linalg import splu
    n, results, size = deals.n, len(deals.change), len(states) * deals.n
    before = np.repeat(states * deals.unit, results, axis=0)
    after = before + np.tile(deals.change[:, 0], (len(states), 1))
    over, won, crosses = deals.ends(before, after)
    origin = np.repeat(np.arange(len(states)), results)
    target = place[_distances(after[~over], deals.unit, farthest)]
    known, links = [], []
    for dealer in range(n):
        chance, then = np.tile(deals.chance[dealer], len(states)), (dealer + 1) % n
        ended = payoffs(won[over], crosses[over], np.full(int(over.sum()), then))
        sums = np.zeros((len(states), ended.shape[1]))
        np.add.at(sums, origin[over], chance[over, None] * ended)
        known.append(sums)
        links.append((chance[~over], origin[~over] * n + dealer, target * n + then))
    chances, rows, columns = (np.concatenate(part) for part in zip(*links, strict=True))
    leads = csc_array((chances, (rows, columns)), shape=(size, size))
    right = np.stack(known, axis=1).reshape(size, -1)
    solved = splu(csc_array(eye_array(size) - leads)).solve(right)
    return np.asarray(solved).reshape(len(states), n, -1)
