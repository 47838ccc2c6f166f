"""Results of a rule set as arrays: which payoff row a deal is, what it pays, how a match ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sjavs_env.cards import SUITS
from sjavs_env.rules.parts import (
    FirstOutWins,
    FixedDeals,
    LastOneLoses,
    MayBePlayed,
    Payoff,
    PayoffRow,
    Ranks,
)
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables.course_tables import rungs
from sjavs_env.rules.terms import (
    DECLARERS,
    DEFENDERS,
    GAVE_UP,
    LONE,
    NOBODY,
    PLAYED,
    THROWN_IN,
    TRICKS_ALL,
    TRICKS_ALL_BY_ONE,
    TRICKS_NONE,
    Bool,
    Ints,
)

__all__ = ["MatchTables", "ResultTables", "largest_gain", "match_tables", "result_tables"]

FEWER_THAN_NONE = -128  # the lowest score that is told from lower ones where there are any


@dataclass(frozen=True, eq=False)
class ResultTables:
    """What a deal is worth: the rule set's columns, then one for a deal played without a bid."""

    payoff_names: tuple[str, ...]
    payoff_winner: Ints  # (O,) DECLARERS, DEFENDERS or NOBODY
    payoff_row: Ints  # (C, points + 1, 5) row by column, declarers' points and tricks taken
    payoff_change: Ints  # (C, O, 2) change of a declarer's and of a defender's score
    column_of: Ints  # (K + 1, M) payoff column by bid and mode; the last row: no bid
    no_bid_column: int
    tie_extra: Ints  # (C, 3) added per pending tie by column and winning party
    tie_factor: int
    tie_stacks: bool
    ally: Bool  # (P + 1, P) side of the declarer; the last row stands for no declarer
    opponents: NDArray[np.float32]  # (P, P) 1 where two seats play against each other
    worst: int  # the largest reward of a deal without pending ties, won or lost


@dataclass(frozen=True, eq=False)
class MatchTables:
    """How scores run and a match ends."""

    kind: str  # how it ends, a word of the rule set
    start: int
    least: int  # the lowest score that an observation tells from lower ones
    match_deals: int
    gain_sign: int  # -1 where scores count down towards winning
    crosses: tuple[int, int]  # for a rubber won, and for one won against a full score
    worst_match: int  # the largest reward of a match, won or lost


def result_tables(rules: RuleSet) -> ResultTables:
    """Compile the table of results of a rule set, or the marks of one that has none."""
    if isinstance(rules.scoring, Payoff):
        return _payoff_tables(rules, rules.scoring)
    return _rank_tables(rules, rules.scoring)


def _payoff_tables(rules: RuleSet, payoff: Payoff) -> ResultTables:
    total = rules.total_points
    columns = len(payoff.payoff_columns)
    won_no_bid = total // 2 + 1
    unpaid = (0,) * columns
    no_bid = [
        PayoffRow("no_bid_win", "declarers", (won_no_bid, total), "any", unpaid, unpaid),
        PayoffRow("no_bid_tie", "nobody", (total // 2, total // 2), "any", unpaid, unpaid),
        PayoffRow("no_bid_lose", "defenders", (0, won_no_bid - 2), "any", unpaid, unpaid),
    ]
    own_rows = payoff.rows
    rows = [*own_rows, *no_bid]
    change = np.zeros((columns + 1, len(rows), 2), dtype=np.intp)
    for o, row in enumerate(own_rows):
        own = [payoff.payoff_columns.index(name) for name in payoff.columns_of(row)]
        change[own, o, DECLARERS] = row.declarers
        change[own, o, DEFENDERS] = row.defenders
    no_bid_value = _no_bid_value(rules)
    change[columns, len(own_rows), DECLARERS] = -no_bid_value
    change[columns, len(own_rows) + 2, DEFENDERS] = -no_bid_value
    row_of = np.zeros((columns + 1, total + 1, GAVE_UP + 1), dtype=np.intp)
    for points in range(total + 1):
        for taken in range(GAVE_UP + 1):
            for c, name in enumerate(payoff.payoff_columns):
                row_of[c, points, taken] = _first_row(own_rows, points, taken, name)
            found = _first_row(tuple(no_bid), points, taken, "")
            row_of[columns, points, taken] = len(own_rows) + found
    parties = ("declarers", "defenders", "nobody")
    return ResultTables(
        payoff_names=tuple(row.name for row in rows),
        payoff_winner=np.array([parties.index(row.winner) for row in rows], dtype=np.intp),
        payoff_row=row_of,
        payoff_change=change,
        column_of=_columns(rules, payoff),
        no_bid_column=columns,
        tie_extra=_tie_extra(payoff),
        tie_factor=2 if payoff.ties and payoff.ties.tie == "double" else 1,
        tie_stacks=bool(payoff.ties and payoff.ties.tie_stacks),
        ally=_allies(rules),
        opponents=_opponents(rules),
        worst=int(np.abs(np.diff(change, axis=2)).max()),
    )


def _no_bid_value(rules: RuleSet) -> int:
    no_bid = rules.auction.no_bid if rules.auction else None
    return no_bid.no_bid_value if isinstance(no_bid, MayBePlayed) else 0


def largest_gain(players: int, ranks: Ranks) -> int:
    """Most game points that a deal can bring where the best totals get a mark."""
    of_bag = players - 1 if ranks.bag == "zero" else 0  # all others may be in it
    return max(max(ranks.two_hand_mark, ranks.sole_mark) + of_bag, ranks.lone_mark)


def _rank_tables(rules: RuleSet, ranks: Ranks) -> ResultTables:
    """Games without such a table: names for the ways in which a deal can end, and no amounts."""
    names = {PLAYED: "played", LONE: "lone", THROWN_IN: "thrown_in"}
    return ResultTables(
        payoff_names=tuple(names[o] for o in range(len(names))),
        payoff_winner=np.full(len(names), NOBODY, dtype=np.intp),
        payoff_row=np.zeros((1, 1, GAVE_UP + 1), dtype=np.intp),
        payoff_change=np.zeros((1, len(names), 2), dtype=np.intp),
        column_of=np.zeros((1, 1 + len(SUITS)), dtype=np.intp),
        no_bid_column=0,
        tie_extra=np.zeros((1, 3), dtype=np.intp),
        tie_factor=1,
        tie_stacks=False,
        ally=_allies(rules),
        opponents=_opponents(rules),
        # the others may lose one each
        worst=largest_gain(rules.players, ranks) + (ranks.bag == "minus"),
    )


def _columns(rules: RuleSet, payoff: Payoff) -> Ints:
    """Payoff column (K + 1, M) by bid and trump mode."""
    names = payoff.payoff_columns
    if rules.contracts:
        by_bid = [[names.index(contract.column)] * (1 + len(SUITS)) for contract in rules.contracts]
    else:
        of_suit = [names.index("clubs" if suit == "C" else "plain") for suit in SUITS]
        by_bid = [[len(names), *of_suit]] * len(rungs(rules))
    return np.array([*by_bid, [len(names)] * (1 + len(SUITS))], dtype=np.intp)


def _first_row(rows: tuple[PayoffRow, ...], points: int, taken: int, column: str) -> int:
    """The first row that fits; 0 where none does, which the rules must not let happen."""
    fits = {
        "any": taken != GAVE_UP,
        "none": taken == TRICKS_NONE,
        "all": taken in (TRICKS_ALL, TRICKS_ALL_BY_ONE),
        "all_by_one": taken == TRICKS_ALL_BY_ONE,
        "given_up": taken == GAVE_UP,
    }
    for i, row in enumerate(rows):
        in_column = not row.only or column in row.only
        if in_column and fits[row.tricks] and row.points[0] <= points <= row.points[1]:
            return i
    return 0


def _allies(rules: RuleSet) -> Bool:
    """Who plays with the declarer; without one, the side of seat 0 stands in for them."""
    seats = np.arange(rules.players)
    if rules.sides == "partners":
        together = (seats[:, None] + seats[None, :]) % 2 == 0
    else:
        together = seats[:, None] == seats[None, :]
    return np.concatenate([together, together[:1]])


def _opponents(rules: RuleSet) -> NDArray[np.float32]:
    """1 where two seats (P, P) play against each other."""
    return (~_allies(rules)[: rules.players]).astype(np.float32)


def _tie_extra(payoff: Payoff) -> Ints:
    """What a pending tie adds (C, 3) by column and winning party."""
    columns = len(payoff.payoff_columns)
    clubs = np.array([name == "clubs" for name in payoff.payoff_columns] + [False])
    extra = np.zeros((columns + 1, 3), dtype=np.intp)
    tie = payoff.ties.tie if payoff.ties else None
    if tie not in (None, "double"):
        extra[:, :NOBODY] = 2
    if tie == "add_2_plain_4_clubs":
        extra[clubs, :NOBODY] = 4
    if tie == "add_2_declarers_4_defenders":
        extra[:columns, DEFENDERS] = 4
    return extra


def match_tables(rules: RuleSet, worst: int) -> MatchTables:
    """Compile the match of a rule set, given the largest reward of a deal."""
    match = rules.match
    crosses, may_lack = (1, 1), True
    if isinstance(match, FirstOutWins):
        only_full = match.cross_rule == "shutout_only"
        crosses, may_lack = (0, 1) if only_full else (1, 1 + match.double_at_start), False
    if isinstance(rules.scoring, Ranks):
        may_lack = rules.scoring.bag == "minus"
    deals = match.match_deals if isinstance(match, FixedDeals) else None
    return MatchTables(
        kind=match.kind,
        start=0 if isinstance(match, LastOneLoses) else match.start,
        least=FEWER_THAN_NONE if may_lack else 0,
        match_deals=deals or 1,
        gain_sign=-1 if isinstance(match, FirstOutWins) else 1,
        crosses=crosses,
        worst_match=deals * worst if deals else max(crosses),
    )
