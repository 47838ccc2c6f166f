"""The deals of a rubber as steps from score to score, bound to the rules that the engine plays by.

How a rubber ends and what pending ties add is computed by the engine itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np

from sjavs_agents.stats.deal_results import DealResults, n_parties, parties
from sjavs_env import Game
from sjavs_env.engine.results.payoff import tie_bonus
from sjavs_env.engine.results.rubber import ENDS
from sjavs_env.rules.terms import DECLARERS, DEFENDERS, NOBODY, Bool, Floats, Ints

__all__ = ["KINDS", "Payoffs", "RubberDeals"]

KINDS = ("first_out_wins", "first_out_loses")  # of matches that end at 0, as rule sets name them
# What finished rubbers are worth (R, payoffs), by the parties that won (R, parties), the crosses
# (R, parties) that they got and the party that deals next (R,).
Payoffs = Callable[[Bool, Ints, Ints], Floats]


class RubberDeals:
    """What a deal of a rubber can come to: parties, kinds of results, and how many ties pend.

    ValueError for a game whose match does not end at 0, and for results that are not there.
    """

    def __init__(self, game: Game, results: DealResults) -> None:
        self.tables, self.n, self.kind = game.tables, n_parties(game), game.tables.match.kind
        if self.kind not in KINDS:
            raise ValueError(
                f"{game.rules.name} has no rubber that ends at 0; allowed: a game whose match is "
                f"{' or '.join(KINDS)}"
            )
        self.party_of = parties(game)
        self.sure = replace(
            game.tables, match=replace(game.tables.match, crosses=(1, 1))
        )  # crosses mark the winners
        self.declarer, self.column, self.row = np.nonzero(results.counts.sum(axis=0))
        counts = results.counts[:, self.declarer, self.column, self.row]
        totals = counts.sum(axis=1, keepdims=True)
        if not (totals > 0).all():
            party = int(np.flatnonzero(totals[:, 0] == 0)[0])
            raise ValueError(f"results lack deals dealt by party {party}; allowed: some of each")
        self.chance = counts / totals  # (parties, results)
        self.winner = self.tables.result.payoff_winner[self.row]
        self.n_pending = self._saturated() + 1

    def _saturated(self) -> int:
        """Pending ties of which more change nothing."""
        result = self.tables.result
        if not (self.winner == NOBODY).any():
            return 0
        if not result.tie_stacks:
            return 1
        most = 1
        for c, o, w in zip(self.column, self.row, self.winner, strict=True):
            if w != NOBODY and (extra := int(result.tie_extra[c, w])):
                own = abs(
                    int(result.payoff_change[c, o, DECLARERS if w == DECLARERS else DEFENDERS])
                )
                most = max(most, -((own - self.tables.match.start) // extra))
        return most

    @cached_property
    def change(self) -> Ints:
        """Change of each party's score (results, pending, parties), in game points."""
        result, n = self.tables.result, self.n
        seats = len(self.party_of)
        ally = result.ally[self.declarer]  # party i holds seat i
        paid = result.payoff_change[self.column, self.row]
        change = np.where(ally, paid[:, :1], paid[:, 1:])
        by_ties = [
            change + tie_bonus(
                self.tables, np.full(len(change), ties), self.column, self.winner, ally, change
            )
            for ties in range(self.n_pending)
        ]  # fmt: skip
        return np.stack(by_ties, axis=1).reshape(-1, self.n_pending, seats)[..., :n]

    @cached_property
    def pending_after(self) -> Ints:
        """Pending ties after each result (results, pending)."""
        more = np.arange(1, self.n_pending + 1).clip(max=self.n_pending - 1)
        if not self.tables.result.tie_stacks:
            more = np.full(self.n_pending, min(1, self.n_pending - 1))
        is_tie = (self.winner == NOBODY)[:, None]
        return np.where(is_tie, more, 0)

    @cached_property
    def within(self) -> Bool:
        """Results (results, pending) that leave all scores as they are."""
        return np.asarray((self.change == 0).all(axis=2))

    @cached_property
    def unit(self) -> int:
        """What all scores that can occur are multiples of."""
        return int(np.gcd.reduce([self.tables.match.start, *np.abs(self.change).ravel()]))

    def ends(self, before: Ints, after: Ints) -> tuple[Bool, Bool, Ints]:
        """Return which deals end the rubber (R,), who wins (R, parties), and the crosses they get.

        By the scores (R, parties) before and after.
        """
        seats = before[:, self.party_of], after[:, self.party_of]
        deals = np.ones(len(before), dtype=np.intp)
        over, crosses = ENDS[self.kind](self.tables, deals, *seats)
        _, marks = ENDS[self.kind](self.sure, deals, *seats)
        return over, marks[:, : self.n] > 0, crosses[:, : self.n]
