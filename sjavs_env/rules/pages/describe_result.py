"""The sections of a rule page on results: the deal, ties, the match."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from sjavs_env.cards import SUIT_SYMBOLS, SUITS
from sjavs_env.rules.pages.markdown import NOTHING, in_words, show_table
from sjavs_env.rules.pages.wording import NUMBERS, PAYING, ROW_WORDS, SEVERAL_CROSSES, spoken
from sjavs_env.rules.parts import FirstOutWins, FixedDeals, Payoff, PayoffRow
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.structure import expect
from sjavs_env.rules.tables import (
    DECLARERS,
    DEFENDERS,
    TRICKS_ALL,
    TRICKS_SOME,
    RuleTables,
)

__all__ = ["match", "results", "ties"]

NEVER = "never: earlier rows decide"


def results(rules: RuleSet, tables: RuleTables) -> str:
    """The table of results, and what counts in a deal without a bid."""
    payoff = expect(Payoff, rules.scoring)
    who = "declarers" if rules.side_size > 1 else "declarer"
    head = (
        "row",
        f"the {who} {'have' if rules.side_size > 1 else 'has'}",
        PAYING[rules.match.kind],
        *_columns(rules, tables),
    )
    rows = [
        (f"`{row.name}`", _condition(rules, tables, o), _payer(rules, row), *_amounts(payoff, row))
        for o, row in enumerate(payoff.rows)
    ]
    bidder = "the highest bidder" if len(tables.auction.bid_labels) > 1 else "the player who bid"
    is_who = f"are the side of {bidder}" if rules.side_size > 1 else f"is {bidder}"
    text = f"The {who} {is_who}. The first row that fits counts.\n\n{show_table(head, rows)}"
    return text if tables.auction.redeal_when_all_pass else f"{text}\n\n{_without_bid(tables)}"


def _party(rules: RuleSet, party: str) -> str:
    """One of the sides, as the players speak of it."""
    if rules.side_size > 1 or party == "nobody":
        return party
    alone = party == "declarers" or rules.players == 2
    return party.removesuffix("s") if alone else f"each {party.removesuffix('s')}"


def _payer(rules: RuleSet, row: PayoffRow) -> str:
    """Whose score a row changes: winners subtract, or else losers pay."""
    if isinstance(rules.match, FirstOutWins) or row.winner == "nobody":
        return _party(rules, row.winner)
    loser = "defenders" if row.winner == "declarers" else "declarers"
    pays = _party(rules, loser)
    return f"{pays} to {_party(rules, row.winner)}" if isinstance(rules.match, FixedDeals) else pays


def _without_bid(tables: RuleTables) -> str:
    outcome = tables.result.payoff_row[tables.result.no_bid_column, :, TRICKS_SOME]
    enough = int(np.argmax(tables.result.payoff_winner[outcome] == DECLARERS))
    amount = -int(
        tables.result.payoff_change[tables.result.no_bid_column, outcome[enough], DECLARERS]
    )
    return (
        f"In a deal without a bid the side with {enough} card points or more subtracts {amount}, "
        "whatever the margin; equal points are a tie."
    )


# payoff rows


def _columns(rules: RuleSet, tables: RuleTables) -> list[str]:
    """Headings of the payoff columns: contracts, or the suits that are trumps."""
    names = expect(Payoff, rules.scoring).payoff_columns
    if len(names) == 1:
        return ["how much"]
    if rules.contracts:
        return [
            in_words([spoken(k.name) for k in rules.contracts if k.column == column])
            for column in names
        ]
    return [
        f"{name} ({' '.join(SUIT_SYMBOLS[s] for s in _suits_of(tables, c))})"
        for c, name in enumerate(names)
    ]


def _suits_of(tables: RuleTables, column: int) -> list[str]:
    return [s for m, s in enumerate(SUITS, start=1) if tables.result.column_of[0, m] == column]


def _amounts(payoff: Payoff, row: PayoffRow) -> list[str]:
    """What a row pays in each payoff column."""
    paid = dict(zip(payoff.columns_of(row), map(str, row.amounts), strict=True))
    if row.winner == "nobody":
        paid = {}
    return [paid.get(column, NOTHING) for column in payoff.payoff_columns]


def _condition(rules: RuleSet, tables: RuleTables, o: int) -> str:
    """What the declarers must have, and the players' word for it."""
    name, needed = expect(Payoff, rules.scoring).rows[o].name, _needed(rules, tables, o)
    return f"{needed} ({ROW_WORDS[name]})" if name in ROW_WORDS and needed != NEVER else needed


def _needed(rules: RuleSet, tables: RuleTables, o: int) -> str:
    """What the declarers must have; the points are those that no earlier row has claimed."""
    payoff, total = expect(Payoff, rules.scoring), rules.total_points
    row = payoff.rows[o]
    every = f"all {tables.n_tricks} tricks"
    tricks = {
        "none": "no trick",
        "all": every,
        "all_by_one": f"{every}, won by one of them" if rules.side_size > 1 else every,
        "given_up": "given up before the first lead",
    }
    column = payoff.payoff_columns.index(payoff.columns_of(row)[0])
    decides = tables.result.payoff_row[column] == o
    if rules.side_size == 1:  # whoever takes all tricks alone is the one who does
        decides[:, TRICKS_ALL] = False
    if not decides.any():
        return NEVER
    if row.tricks != "any":
        wanted = "" if row.points == (0, total) else f" and {_span(*row.points, total)}"
        return tricks[row.tricks] + wanted
    points = np.flatnonzero(decides[:, TRICKS_SOME])
    runs = np.split(points, np.flatnonzero(np.diff(points) > 1) + 1)
    return " or ".join(_span(int(run[0]), int(run[-1]), total) for run in runs)


def _span(low: int, high: int, total: int) -> str:
    if (low, high) == (0, total):
        return "anything else"
    if low == high:
        return f"{low} card points"
    if high == total:
        return f"{low} card points or more"
    return f"{high} card points or fewer" if low == 0 else f"{low} to {high} card points"


# ties and match


def ties(rules: RuleSet, tables: RuleTables) -> str:
    """What a tie adds to the next deal."""
    payoff = expect(Payoff, rules.scoring)
    if payoff.ties is None:
        return ""
    adds = tables.result.tie_stacks and tables.result.tie_factor == 1  # doubling never compounds
    repeated = "add up" if adds else "count as one"
    text = "In a tied deal nobody subtracts; the next decided deal is worth more. "
    if tables.result.tie_factor > 1:
        return f"{text}Its value is doubled. Ties in a row {repeated}."
    head = ["next deal won by", *_columns(rules, tables)]
    if not tables.auction.redeal_when_all_pass:
        head.append("without a bid")
    rows = [row[: len(head)] for row in _tie_rows(rules, tables)]
    return f"{text}Ties in a row {repeated}.\n\n{show_table(head, rows)}"


def _tie_rows(rules: RuleSet, tables: RuleTables) -> list[list[str]]:
    """What a tie adds in each column, the last of a deal without a bid, which has no declarers."""
    declarers, defenders = (
        [f"+{more}" for more in tables.result.tie_extra[:, party]]
        for party in (DECLARERS, DEFENDERS)
    )
    if declarers == defenders:
        return [["either side", *declarers]]
    rows = [
        [_party(rules, "declarers"), *declarers[:-1], NOTHING],
        [_party(rules, "defenders"), *defenders[:-1], NOTHING],
    ]
    if not tables.auction.redeal_when_all_pass:
        rows.append(["either side", *[NOTHING for _ in declarers[:-1]], declarers[-1]])
    return rows


def _rubber(rules: RuleSet, tables: RuleTables) -> str:
    """A rubber that is won at 0."""
    won, shut_out = tables.match.crosses
    start, beyond = tables.match.start, "points beyond 0 are worth nothing"
    if rules.side_size > 1:
        text = (
            f"The match is a rubber. Both sides start with {start} and subtract. A side that "
            f"comes to 0 or below has won it; {beyond}."
        )
        full = f"if the losers still have {start}"
    elif rules.players == 2:
        text = (
            f"The match is a rubber. Each player starts with {start} and subtracts. A player who "
            f"comes to 0 or below has won it; {beyond}."
        )
        full = f"if the other still has {start}"
    else:
        text = (
            f"The match is a rubber. Each player starts with {start} and subtracts. A player who "
            "comes to 0 or below has won it; if several do so in one deal, the one who is lowest "
            "has won, or all who are level as the lowest."
        )
        full = f"for a single winner if all others still have {start}"
    more = f", or {NUMBERS[shut_out]} {full}" if shut_out > won else ""
    get = NUMBERS[won] if won else "none"
    side = "side" if rules.side_size > 1 else "player"
    return (
        f"{text} A {side} with exactly 6 left is said to be on the hook. A cross is the mark for a "
        f"rubber that is won: the winners get {get}{more}."
    )


def _count_down(rules: RuleSet, tables: RuleTables) -> str:
    """A match that is lost at 0."""
    start = tables.match.start
    return (
        f"Each player starts with {start} and pays from it. A player who comes to 0 or below has "
        "lost the match. If several come to 0 or below in one deal, the one of them who had least "
        "before that deal has lost. If they had the same, all play on until a single player has "
        "least after a deal. For the program every player but the loser gets a cross, the mark "
        "for a match that is won."
    )


def _chips(rules: RuleSet, tables: RuleTables) -> str:
    """A match for chips."""
    deals = f"{tables.match.match_deals} deal{'s' if tables.match.match_deals > 1 else ''}"
    start = tables.match.start
    return (
        f"Each player starts with {start} chips, and may go below zero. A match is {deals}, "
        "not counting those in which all have passed. For the program the player with most chips "
        "at the end gets a cross, the mark for a match that is won; so does each of several who "
        "have equally many."
    )


# By how a match ends.
MATCHES: Mapping[str, Callable[[RuleSet, RuleTables], str]] = {
    "first_out_wins": _rubber,
    "first_out_loses": _count_down,
    "deals": _chips,
}


def match(rules: RuleSet, tables: RuleTables) -> str:
    """How long is played, and who has won."""
    return f"{MATCHES[rules.match.kind](rules, tables)} {SEVERAL_CROSSES}"
