"""What a rubber is worth at every score: exact, by backward induction from the results of deals.

The chance to win depends on both scores, on the ties that are pending and on who deals.  Scores
only fall, so the values of all scores of one sum follow from those of lower sums.  What leaves
the scores as they are, a tie above all, leads from one pending number and dealer to another of
the same scores: these few values are solved together, as linear equations.  Redeals change
nothing at all and are left out.  More pending ties than win the rubber at once are worth the same
as so many, so the number of states is finite where ties add up without end.

Deals are taken to come to the same whatever the score, as they do for players who look at nothing
but their cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sjavs_agents.stats.deal_results import DealResults
from sjavs_agents.stats.rubber_deals import Payoffs, RubberDeals
from sjavs_agents.stats.rubber_decider import Decider
from sjavs_env import Game
from sjavs_env.rules.terms import Bool, Floats, Ints

__all__ = ["RubberEquity", "match_equity"]


@dataclass(frozen=True, eq=False)
class RubberEquity:
    """Chances to win a rubber, and crosses to expect, from every state of it.

    Arrays are indexed by the party that deals, the score of each party in units (0 to the start;
    where one is 0 the rubber is over and the value without meaning), the ties pending, and last
    the party whose value it is.  Where several parties win together, each of them wins.
    """

    unit: int  # all scores that can occur are multiples of it
    wins: Floats  # (parties, scores, ..., scores, pending, parties)
    crosses: Floats  # (parties, scores, ..., scores, pending, parties)

    @classmethod
    def of(cls, game: Game, results: DealResults) -> RubberEquity:
        """Solve the rubber of a game; ValueError for a game that has none."""
        deals = RubberDeals(game, results)
        values = _solve(deals, lambda won, crosses, _: np.hstack([won, crosses]))
        return cls(deals.unit, values[..., : deals.n], values[..., deals.n :])

    @property
    def start(self) -> int:
        """The score that all begin with."""
        return (self.wins.shape[1] - 1) * self.unit

    @property
    def most_pending(self) -> int:
        """Pending ties of which more are worth the same."""
        return self.wins.shape[-2] - 1

    def win(self, ours: int, theirs: int, pending: int = 0, we_deal: bool | None = None) -> float:
        """Return W(ours, theirs, pending): the chance to win of one of two parties.

        ``we_deal`` tells who deals next, by default either with equal chance.  ValueError for
        what is no score, and for a game of more than two parties.
        """
        return self._mean(self.wins, ours, theirs, pending, we_deal)

    def gain(self, ours: int, theirs: int, pending: int = 0, we_deal: bool | None = None) -> float:
        """Return our expected crosses less theirs; otherwise as ``win``."""
        ahead = self.crosses[..., :1] - self.crosses[..., 1:2]
        return self._mean(ahead, ours, theirs, pending, we_deal)

    def _mean(
        self, values: Floats, ours: int, theirs: int, pending: int, we_deal: bool | None
    ) -> float:
        if self.wins.shape[0] != 2:
            raise ValueError(f"the rubber is played by {len(self.wins)} parties; allowed: 2")
        for name, score in (("ours", ours), ("theirs", theirs)):
            if not 1 <= score <= self.start or score % self.unit:
                raise ValueError(f"{name} is {score}; allowed: multiples of {self.unit} up to "
                                 f"{self.start}")  # fmt: skip
        if pending < 0:
            raise ValueError(f"pending is {pending}; allowed: 0 or more")
        dealers = [0, 1] if we_deal is None else [0 if we_deal else 1]
        at = ours // self.unit, theirs // self.unit, min(pending, self.most_pending), 0
        found = values[(dealers, *at)]
        return float(found.mean())


def match_equity(game: Game, results: DealResults, crosses: int) -> Floats:
    """Return the chances (crosses + 1, crosses + 1, 2, 2) to be first with so many crosses.

    In a match of rubbers, by the crosses that two parties lack (from 1; 0 is without meaning), the
    party that deals the first deal of the next rubber, and the party whose chance it is.
    ValueError as for ``RubberEquity.of``, and for more than two parties.
    """
    deals = RubberDeals(game, results)
    if deals.n != 2:
        raise ValueError(f"{game.rules.name} is played by {deals.n} parties; allowed: 2")
    kinds = sorted({0, *game.tables.match.crosses})
    ends = [(party, value) for party in range(2) for value in kinds]

    def which(won: Bool, got: Ints, dealer: Ints) -> Floats:
        """How the rubber ended and who deals next, as one of all possible ends."""
        marks = [won[:, [p]] & (got[:, [p]] == v) & (dealer[:, None] == d)
                 for d in range(2) for p, v in ends]  # fmt: skip
        return np.hstack(marks).astype(np.float64)

    from_start = _solve(deals, which)[:, -1, -1, 0]
    chances = from_start.reshape(2, 2, len(ends))  # by dealer, next dealer and end
    found = np.zeros((crosses + 1, crosses + 1, 2, 2))
    for lacking in sorted(np.ndindex(crosses, crosses), key=sum):
        a, b = lacking[0] + 1, lacking[1] + 1
        stays, known = np.zeros((2, 2)), np.zeros((2, 2))
        for e, (party, value) in enumerate(ends):
            left = (a - value, b) if party == 0 else (a, b - value)
            if value == 0:
                stays += chances[:, :, e]
            elif min(left) <= 0:
                known[:, party] += chances[:, :, e].sum(axis=1)
            else:
                known += chances[:, :, e] @ found[left]
        found[a, b] = np.linalg.solve(np.eye(2) - stays, known)
    return found


def _solve(deals: RubberDeals, payoffs: Payoffs) -> Floats:
    """Return the expected payoffs by party that deals, scores in units, and ties."""
    start, n = deals.tables.match.start // deals.unit, deals.n
    scores = np.stack(np.meshgrid(*[np.arange(1, start + 1)] * n, indexing="ij"), axis=-1)
    scores = scores.reshape(-1, n)
    sums, loops, decider = scores.sum(axis=1), _loops(deals), Decider.of(deals, payoffs)
    values: Floats = np.zeros(0)
    for total in range(n, n * start + 1):
        at = scores[sums == total]
        known = _known(deals, payoffs, decider, at, values)
        if not values.size:
            values = np.zeros((n, *[start + 1] * n, deals.n_pending, known.shape[-1]))
        solved = loops @ known.reshape(len(at), n * deals.n_pending, -1)
        for dealer in range(n):
            part = solved.reshape(len(at), n, deals.n_pending, -1)[:, dealer]
            values[(dealer, *at.T)] = part
    return values


def _loops(deals: RubberDeals) -> Floats:
    """Sums of all ways through states of the same scores: (I - A)^-1, dealer by pending."""
    n, t = deals.n, deals.n_pending
    stays = np.zeros((n, t, n, t))
    for dealer in range(n):
        for e, ties in np.argwhere(deals.within):
            where = dealer, ties, (dealer + 1) % n, deals.pending_after[e, ties]
            stays[where] += deals.chance[dealer, e]
    matrix = np.eye(n * t) - stays.reshape(n * t, n * t)
    if np.linalg.matrix_rank(matrix) < n * t:
        raise ValueError("results decide no deal; allowed: some that change a score")
    return np.asarray(np.linalg.inv(matrix))


def _known(
    deals: RubberDeals, payoffs: Payoffs, decider: Decider | None, at: Ints, values: Floats
) -> Floats:
    """Expected payoffs (positions, parties, pending, payoffs) through what comes next.

    That is lower scores, a decider, or the end.
    """
    n, (e, t, _) = deals.n, deals.change.shape
    before = np.broadcast_to(at[:, None, None], (len(at), e, t, n)).reshape(-1, n) * deals.unit
    after = before + np.broadcast_to(deals.change, (len(at), e, t, n)).reshape(-1, n)
    over, won, crosses = deals.ends(before, after)
    goes_on = ~over & ~np.broadcast_to(deals.within, (len(at), e, t)).ravel()
    is_out = (after <= 0).any(axis=1)
    lower, level = goes_on & ~is_out, goes_on & is_out
    pending = np.broadcast_to(deals.pending_after, (len(at), e, t)).ravel()
    found = []
    for dealer in range(n):
        then = (dealer + 1) % n
        ended = payoffs(won[over], crosses[over], np.full(int(over.sum()), then))
        value = np.zeros((len(before), ended.shape[1]))
        value[over] = ended
        if values.size:
            value[lower] = values[(then, *after[lower].T // deals.unit, pending[lower])]
        if decider is not None and level.any():
            value[level] = decider.values(after[level], then)
        by_result = value.reshape(len(at), e, t, -1)
        found.append(np.einsum("e,vetk->vtk", deals.chance[dealer], by_result))
    return np.stack(found, axis=1)
