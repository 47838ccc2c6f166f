"""Reference for Handjass: presets, scoring and the match (rules 5).

A deal is in handjass_deal.py, its cards and melds in handjass_cards.py and handjass_melds.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .handjass_cards import legal_cards, trick_winner
from .handjass_deal import Deal, seats_in_order
from .handjass_melds import best_melds, meld_points

__all__ = [
    "PRESETS",
    "Deal",
    "Match",
    "best_melds",
    "legal_cards",
    "mark_worth",
    "meld_points",
    "rank_marks",
    "settle",
    "trick_winner",
]

Params = Mapping[str, Any]

HANDJASS: dict[str, object] = {
    "trick_rules": "simple",
    "last_trick": 5,
    "limit": 21,
    "rank_marks": {4: 2, 3: 2, 2: 1},  # by the number of players still in the match
    "two_hand_mark": 1,  # what a rank mark is worth with two still in the match
    "sole_mark": 1,  # what it is worth if only one player reaches the limit
    "lone_mark": 0,  # what the only one who stays in a deal gets
    "bag": "zero",  # "zero": a zero, and 1 to each of the others; "minus": loses 1
    "target": 5,
    "may_drop": False,
    "taker_must_play": False,
    "six_timing": "before",
    "stock": "meld",
    "meld_compare_rank": False,
    "weis": "small",
    "meld_selection": "max_total",
    "rank_tie": "all",
}

ALT: dict[str, object] = {
    **HANDJASS,
    "trick_rules": "strict",
    "rank_marks": {4: 1, 3: 1, 2: 1},
    "lone_mark": 1,
    "bag": "minus",
    "target": 7,
    "may_drop": True,
}

SWISS: dict[str, object] = {
    **HANDJASS,
    "trick_rules": "strict",
    "two_hand_mark": 2,
    "sole_mark": 2,
    "lone_mark": 2,
    "bag": "minus",
    "target": 7,
    "may_drop": True,
    "taker_must_play": True,
    "six_timing": "after",
    "stock": "independent",
    "meld_compare_rank": True,
}

PRESETS: dict[str, dict[str, object]] = {
    "handjass": dict(HANDJASS),
    "handjass_strict": {**HANDJASS, "trick_rules": "strict"},
    "handjass_alt": ALT,
    "handjass_swiss": SWISS,
    # resolved here: "as swiss" also for the worth of a mark with two players, and of a sole mark
    "handjass_schlaeger": {**SWISS, "limit": 26, "rank_marks": {4: 3, 3: 2, 2: 1}},
}


# Scoring of a deal


def rank_marks(params: Params, totals: Mapping[int, int], active: int) -> list[int]:
    """List the seats that get a rank mark (rules 5.1).

    Totals are those of the playing seats, in playing order. A player below the limit never gets
    a mark; how many marks there are depends on how many are still in the match.
    """
    marks = params["rank_marks"][active]
    able = [seat for seat in totals if totals[seat] >= params["limit"]]
    ranked = sorted(able, key=lambda seat: -totals[seat])  # equal totals keep the playing order
    if len(ranked) <= marks or params["rank_tie"] == "earliest":
        return ranked[:marks]
    last = totals[ranked[marks - 1]]
    if params["rank_tie"] == "all":
        return [seat for seat in ranked if totals[seat] >= last]
    if totals[ranked[marks]] == last:  # "none": those tied for the last mark go without
        return [seat for seat in ranked if totals[seat] > last]
    return ranked[:marks]


def mark_worth(params: Params, totals: Mapping[int, int], active: int) -> int:
    """Give what a rank mark is worth in this deal (rules 5.1).

    Resolved here: one who is both the winner of two and the only one to reach the limit gets the
    greater worth, not their sum.
    """
    worth = 1
    if active == 2:
        worth = max(worth, params["two_hand_mark"])
    if len([seat for seat in totals if totals[seat] >= params["limit"]]) == 1:
        worth = max(worth, params["sole_mark"])
    return worth


def settle(
    params: Params, totals: Mapping[int, int], active: int, zeros: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Give the change of game points and the zeros then outstanding, by seat (rules 5.1).

    Totals are those of the playing seats, in playing order; active counts the players still in
    the match; zeros are those outstanding before the deal.
    """
    change = [0] * len(zeros)
    left = list(zeros)
    worth = mark_worth(params, totals, active)
    for seat in rank_marks(params, totals, active):
        if left[seat] > 0:
            left[seat] -= 1
        else:
            change[seat] += worth
    bag = [seat for seat in totals if totals[seat] < params["limit"]]
    for seat in totals:
        if params["bag"] == "minus":
            change[seat] -= 1 if seat in bag else 0
        elif seat in bag:
            left[seat] += 1
        else:
            change[seat] += len(bag)
    return change, left


# Match


class Match:
    """Game points, zeros, dealer and who is still in, over a sequence of deals (rules 5).

    Attributes:
        score: Game points of each seat; net strokes where a zero is a minus stroke.
        zeros: Outstanding zeros of each seat; always 0 where a zero is a minus stroke.
        active: Whether each seat is still in the match. The loser is the last one in, so he stays
            so even when all reach the target in one deal.
        dealer: Who deals next; once the match is over, who dealt last.
        over: Whether the match is over.
        loser: The seat that lost, None before the end.

    """

    def __init__(self, params: Params, players: int, dealer: int) -> None:
        """All start with no game points (rules 5.3)."""
        self.params = params
        self.dealer = dealer
        self.score = [0] * players
        self.zeros = [0] * players
        self.active = [True] * players
        self.over = False
        self.loser: int | None = None

    def record(self, deal: Deal) -> list[int]:
        """Enter a finished deal; give the change of each seat's game points."""
        if self.over or deal.phase != "over":
            raise ValueError("only a finished deal, in a match that is not over")
        if deal.dealer != self.dealer or deal.active != self.active:
            raise ValueError("only a deal of this dealer among those still in the match")
        change = self._enter(deal)
        for seat in deal.order:
            self.score[seat] += change[seat]
        self._let_out(deal)
        if not self.over:
            self.dealer = seats_in_order(self.dealer, self.active)[0]
        return change

    def _enter(self, deal: Deal) -> list[int]:
        """Work out the change; nobody scores in a deal that is thrown in (rules 3.7)."""
        change = [0] * len(self.score)
        if deal.outcome == "played":
            playing = [seat for seat in deal.order if deal.playing[seat]]
            totals = {seat: deal.totals[seat] for seat in playing}
            change, self.zeros = settle(self.params, totals, len(deal.order), self.zeros)
        elif deal.outcome == "lone":
            change[deal.playing.index(True)] = self.params["lone_mark"]
        return change

    def _let_out(self, deal: Deal) -> None:
        """Let out all who have reached the target; the last one in loses (rules 5.3)."""
        target = self.params["target"]
        staying = [seat for seat in deal.order if self.score[seat] < target]
        if not staying:
            staying = [self._last_of_all(deal)]
        self.active = [seat in staying for seat in range(len(self.score))]
        if len(staying) == 1:
            self.over = True
            self.loser = staying[0]

    def _last_of_all(self, deal: Deal) -> int:
        """Find who loses when all would leave together: the tie-break of rules 5.3."""

        def standing(seat: int) -> tuple[int, int, int]:
            return self.score[seat], deal.totals[seat], -deal.order.index(seat)

        return min(deal.order, key=standing)
