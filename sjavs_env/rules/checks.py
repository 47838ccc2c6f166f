"""What makes a rule set unplayable, as lines that name the value and what is allowed."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from sjavs_env.errors import is_one_of, shown
from sjavs_env.rules.packets import packet_problem
from sjavs_env.rules.parts import (
    LastOneLoses,
    LengthAuction,
    MayBePlayed,
    Payoff,
    PayoffRow,
    Ranks,
)
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.structure import entries

__all__ = ["rule_problems", "type_problem"]

_MARKS = 3  # with four, three and two players in the match


def rule_problems(rules: RuleSet) -> list[str]:
    """Name everything that makes a rule set unplayable; empty when it is sound."""
    leaves = [e for e in entries(rules) if not e.is_part and e.value is not None]
    found = [p for e in leaves if (p := type_problem(e.name, e.value, e.hint))]
    if found:
        return found
    deal = rules.deal
    held = rules.hand_size - deal.table_columns
    for name in ("deal_cut", "deal_knock"):
        text = getattr(deal, name)
        wrong = packet_problem(text, rules.players, held, deal.talon, deal.table_columns)
        found += [f"{name} is {wrong}"] if wrong else []
    if isinstance(rules.auction, LengthAuction):
        least = rules.auction.min_bid
        wrong_bid = not 1 <= least <= rules.hand_size
        found += [f"min_bid is {least}; allowed: 1 to {rules.hand_size}"] if wrong_bid else []
    for e in leaves:
        low, high = e.field.metadata.get("bounds", (e.value, e.value))
        if not low <= e.value <= high:
            found.append(f"{e.name} is {e.value}; allowed: {low} to {high}")
    return found + _seat_problems(rules) + _course_problems(rules) + _payoff_problems(rules)


def type_problem(name: str, value: object, hint: Any) -> str | None:
    """Say what is wrong with the type of a value, if anything."""
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        return (
            None
            if is_one_of(value, allowed)
            else f"{name} is {shown(value)}; allowed: {', '.join(allowed)}"
        )
    if hint in (int, bool, str) and type(value) is not hint:
        return f"{name} is {shown(value)}; allowed: a value of type {hint.__name__}"
    return None


def _seat_problems(rules: RuleSet) -> list[str]:
    """Values of games in which seats may be out."""
    scoring = rules.scoring
    by_rank = isinstance(scoring, Ranks)
    if not by_rank == bool(rules.seats) == isinstance(rules.match, LastOneLoses):
        return [
            f"scoring is {shown(scoring.kind)}; allowed: ranks, in a match that the last one loses"
        ]
    if not isinstance(scoring, Ranks):
        return []
    found = []
    if rules.players not in rules.player_counts:
        allowed = ", ".join(map(str, sorted(rules.player_counts)))
        found.append(f"players is {rules.players}; allowed: {allowed}")
    found += [
        f"dealings turns up card {dealing.turned} with {dealing.players} players; allowed: 0 to "
        f"{len(rules.pack) - 1}"
        for dealing in (rules.seats.dealings if rules.seats else ())
        if not 0 <= dealing.turned < len(rules.pack)
    ]
    marks = scoring.rank_marks
    is_list = isinstance(marks, tuple) and len(marks) == _MARKS
    if not is_list or any(type(x) is not int or not 1 <= x <= _MARKS + 1 for x in marks):
        found.append(
            f"rank_marks is {shown(marks)}; allowed: {_MARKS} whole numbers from 1 to "
            f"{_MARKS + 1}, "
            "with four, three and two players in the match"
        )
    return found


def _course_problems(rules: RuleSet) -> list[str]:
    """Choices that contradict each other."""
    found = []
    if rules.exchange and not rules.deal.talon:
        found.append(f"exchange is {rules.exchange.kind}; allowed: none, for there is no talon")
    no_bid = rules.auction.no_bid if rules.auction else None
    if isinstance(no_bid, MayBePlayed) and not rules.has_even_sides:
        found.append(f"no_bid is {no_bid.kind}; allowed: redeal, for the sides are not even")
    return found


def _payoff_problems(rules: RuleSet) -> list[str]:
    table = rules.scoring
    if not isinstance(table, Payoff):
        return []
    own = {row.name: table.columns_of(row) for row in table.payoff}
    found = [
        f"payoff.{row.name} has {len(row.declarers)} values; allowed: {len(own[row.name])}, "
        f"one for each of {', '.join(own[row.name])}"
        for row in table.payoff
        if not len(row.declarers) == len(row.defenders) == len(own[row.name])
    ]
    priced = {c for row in table.payoff if row.tricks == "given_up" for c in own[row.name]}
    if table.concede and priced != set(table.payoff_columns):
        found.append("concede is True; allowed: False, for no payoff row prices giving up")
    unknown = [
        f"payoff.{row.name} needs {shown(row.needs)}; allowed: a parameter that is true or false"
        for row in table.payoff
        if row.needs and type(getattr(table, row.needs, None)) is not bool
    ]
    if unknown:
        return found + unknown
    for column in table.payoff_columns:
        rows = [row for row in table.rows if column in own[row.name]]
        names = ", ".join(row.name for row in rows)
        covered = {p for row in rows if row.tricks == "any" for p in _span(row)}
        missing = sorted(set(range(rules.total_points + 1)) - covered)
        if missing:
            return [
                *found,
                f"no payoff row of {names} covers {missing[0]} card points of the declarers",
            ]
        winners = {row.winner for row in rows}
        found += [
            f"no payoff row of {names} lets the {party} win"
            for party in ("declarers", "defenders")
            if party not in winners
        ]
    return found


def _span(row: PayoffRow) -> range:
    return range(row.points[0], row.points[1] + 1)
