"""What makes a rule set unplayable, as lines that name the value and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from sjavs_env.rules.packets import packet_problem

if TYPE_CHECKING:
    from sjavs_env.rules.ruleset import PayoffRow, RuleSet

__all__ = ["MOST", "has_auction", "has_even_sides", "rule_problems"]

MOST = 10_000  # game points; far above any game's, far below what arrays can hold

# numbers of games in which seats may be out: lowest and highest value
_RANGES = {
    "last_trick": (0, 100),
    "limit": (0, 200),
    "two_hand_mark": (1, 10),
    "sole_mark": (1, 10),
    "lone_mark": (0, 10),
    "target": (1, 100),
}
_MARKS = 3  # with four, three and two players in the match


def has_auction(rules: RuleSet) -> bool:
    """Tell whether players bid."""
    return rules.auction_mode != "none"


def has_even_sides(rules: RuleSet) -> bool:
    """Tell whether both sides play the same number of cards."""
    return 2 * rules.side_size == rules.players and not rules.talon


def rule_problems(rules: RuleSet, hints: Mapping[str, Any]) -> list[str]:
    """Name everything that is wrong; ``hints`` are the types of the fields."""
    found = [
        p
        for f in fields(rules)
        if (p := _type_problem(f.name, getattr(rules, f.name), hints[f.name]))
    ]
    if found:
        return found
    held = rules.hand_size - rules.table_columns
    for name in ("deal_cut", "deal_knock"):
        wrong = packet_problem(
            getattr(rules, name), rules.players, held, rules.talon, rules.table_columns
        )
        found += [f"{name} is {wrong}"] if wrong else []
    if not 1 <= rules.min_bid <= rules.hand_size:
        found.append(f"min_bid is {rules.min_bid}; allowed: 1 to {rules.hand_size}")
    for name in ("no_bid_value", "version", "match_deals"):
        if not 1 <= getattr(rules, name) <= MOST:
            found.append(f"{name} is {getattr(rules, name)}; allowed: 1 to {MOST}")
    lowest = 1 if rules.match.startswith("first_out") else 0
    if not lowest <= rules.start <= 255:  # an observation shows it in one byte
        found.append(f"start is {rules.start}; allowed: {lowest} to 255")
    if has_auction(rules) and bool(rules.contracts) != (
        rules.auction_mode in ("contracts", "first_bid")
    ):
        fitting = "contracts, first_bid" if rules.contracts else "forced, optional_pass, free"
        found.append(f"auction_mode is {rules.auction_mode!r}; allowed: {fitting}")
    return found + _seat_problems(rules) + _course_problems(rules) + _payoff_problems(rules)


def _type_problem(name: str, value: object, hint: Any) -> str | None:
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        return None if value in allowed else f"{name} is {value!r}; allowed: {', '.join(allowed)}"
    if hint in (int, bool, str) and type(value) is not hint:
        return f"{name} is {value!r}; allowed: a value of type {hint.__name__}"
    return None


def _seat_problems(rules: RuleSet) -> list[str]:
    """Values of games in which seats may be out."""
    by_rank = rules.scoring == "ranks"
    if by_rank != bool(rules.dealings) or by_rank != (rules.match == "last_one_loses"):
        return [f"scoring is {rules.scoring!r}; allowed: ranks, in a match that the last one loses"]
    if not by_rank:
        return []
    found = []
    if rules.players not in rules.player_counts:
        allowed = ", ".join(map(str, sorted(rules.player_counts)))
        found.append(f"players is {rules.players}; allowed: {allowed}")
    for name, (low, high) in _RANGES.items():
        if not low <= getattr(rules, name) <= high:
            found.append(f"{name} is {getattr(rules, name)}; allowed: {low} to {high}")
    marks = rules.rank_marks
    is_list = isinstance(marks, tuple) and len(marks) == _MARKS
    if not is_list or any(type(x) is not int or not 1 <= x <= _MARKS + 1 for x in marks):
        found.append(
            f"rank_marks is {marks!r}; allowed: {_MARKS} whole numbers from 1 to {_MARKS + 1}, "
            "with four, three and two players in the match"
        )
    return found


def _course_problems(rules: RuleSet) -> list[str]:
    """Choices that contradict each other."""
    found = []
    if rules.trump != "declarer" and not rules.contracts:
        found.append(f"trump is {rules.trump!r}; allowed: declarer, for trump lengths are bid")
    if rules.exchange != "none" and not rules.talon:
        found.append(f"exchange is {rules.exchange!r}; allowed: none, for there is no talon")
    if rules.name_trump == "after_exchange" and (rules.exchange == "none" or not rules.contracts):
        reason = "nothing is exchanged" if rules.contracts else "the cards dealt prove the length"
        found.append(f"name_trump is 'after_exchange'; allowed: before_exchange, for {reason}")
    priced = {c for row in rules.payoff if row.tricks == "given_up" for c in rules.columns_of(row)}
    if rules.concede and priced != set(rules.payoff_columns):
        found.append("concede is True; allowed: False, for no payoff row prices giving up")
    if rules.all_pass != "redeal" and not has_even_sides(rules):
        found.append(f"all_pass is {rules.all_pass!r}; allowed: redeal, for the sides are not even")
    return found


def _payoff_problems(rules: RuleSet) -> list[str]:
    own = {row.name: rules.columns_of(row) for row in rules.payoff}
    found = [
        f"payoff.{row.name} has {len(row.declarers)} values; allowed: {len(own[row.name])}, "
        f"one for each of {', '.join(own[row.name])}"
        for row in rules.payoff
        if not len(row.declarers) == len(row.defenders) == len(own[row.name])
    ]
    unknown = [
        f"payoff.{row.name} needs {row.needs!r}; allowed: a parameter that is true or false"
        for row in rules.payoff
        if row.needs and type(getattr(rules, row.needs, None)) is not bool
    ]
    if unknown:
        return found + unknown
    for column in rules.payoff_columns:
        rows = [row for row in rules.rows if column in own[row.name]]
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
