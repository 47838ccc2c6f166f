"""Single values of a rule set replaced: which can be, how, and what two rule sets differ in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sjavs_env.errors import shown
from sjavs_env.rules.checks import rule_problems, type_problem
from sjavs_env.rules.parts import (
    MOST,
    FirstOutWins,
    FixedDeals,
    Payoff,
    PayoffRow,
)
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.structure import entries, expect, values_of

__all__ = [
    "OVERRIDE",
    "PAYOFF_PREFIX",
    "check_players",
    "differences",
    "parameters",
    "with_overrides",
]

PAYOFF_PREFIX = "payoff."
OVERRIDE = "override"  # the source of a value that was overridden


def parameters(rules: RuleSet) -> list[str]:
    """Names that ``with_overrides`` takes for this rule set, with the payoff rows that pay."""
    names = [
        entry.name
        for entry in entries(rules)
        if not (entry.is_part or entry.value is None or entry.field.metadata.get("is_fixed"))
    ]
    if len(rules.player_counts) == 1:
        names.remove("players")
    return names + [PAYOFF_PREFIX + row.name for row in rules.payoff if row.winner != "nobody"]


def check_players(rules: RuleSet, players: object, word: str = "players") -> None:
    """ValueError for a number of players that the game has not; ``word`` is where it was given."""
    if type(players) is not int or players not in rules.player_counts:
        allowed = ", ".join(map(str, sorted(rules.player_counts)))
        raise ValueError(f"{word} is {shown(players)} in {rules.name}; allowed: {allowed}")


def with_overrides(rules: RuleSet, overrides: dict[str, Any]) -> RuleSet:
    """Return ``rules`` with single parameters replaced, checked.

    ``payoff.<row>`` takes one amount per payoff column, or None to drop the row (the next
    row that matches then decides).  ``players`` may be given in every game; where there is one
    number of them it changes nothing.  Raises ValueError naming the value and what is allowed.
    """
    if "players" in overrides:
        check_players(rules, overrides["players"])
        if len(rules.player_counts) == 1:
            overrides = {name: x for name, x in overrides.items() if name != "players"}
    allowed = parameters(rules)
    for name in overrides:
        if name not in allowed:
            raise ValueError(
                f"{rules.name} has no parameter {shown(name)}; allowed: {', '.join(allowed)}"
            )
    amounts = {name: x for name, x in overrides.items() if name.startswith(PAYOFF_PREFIX)}
    values = {name: x for name, x in overrides.items() if name not in amounts}
    changed = rules.altered(**_well_typed(rules, values))
    for name, given in amounts.items():
        changed = _replace_row(changed, name.removeprefix(PAYOFF_PREFIX), given)
    sources = {**rules.sources, **dict.fromkeys(overrides, OVERRIDE)}
    changed = replace(changed, sources=sources)
    _raise_if(rules, rule_problems(changed))
    return changed


def _well_typed(rules: RuleSet, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values, lists as tuples; ValueError for those of a wrong type."""
    wanted = [entry for entry in entries(rules) if entry.name in values]
    made = {
        e.name: tuple(x) if isinstance(x := values[e.name], list) and type(e.value) is tuple else x
        for e in wanted
    }
    found = [type_problem(e.name, made[e.name], e.hint) for e in wanted]
    _raise_if(rules, [problem for problem in found if problem])
    return made


def _raise_if(rules: RuleSet, problems: list[str]) -> None:
    if problems:
        raise ValueError(f"rules {rules.name}: {'; '.join(problems)}")


def _replace_row(rules: RuleSet, name: str, amounts: object) -> RuleSet:
    """Return the rules with new amounts in a row, or without it."""
    if amounts is None:
        return rules.altered(payoff=tuple(row for row in rules.payoff if row.name != name))
    row = next(row for row in rules.payoff if row.name == name)
    own = expect(Payoff, rules.scoring).columns_of(row)
    given = [amounts] if len(own) == 1 and type(amounts) is int else amounts
    is_list = isinstance(given, (list, tuple)) and len(given) == len(own)
    if not is_list or any(type(x) is not int or not 0 <= x <= MOST for x in given):  # type: ignore[attr-defined]  # is_list proves it
        wanted = f"{len(own)} whole number{'s' if len(own) > 1 else ''} from 0 to {MOST}"
        raise ValueError(
            f"payoff.{name} is {shown(amounts)}; allowed: {wanted} ({', '.join(own)}), "
            "or null to drop the row"
        )
    paid: tuple[int, ...] = tuple(given)  # type: ignore[arg-type]  # checked above
    repaid = _repaid(rules, row, paid)
    return rules.altered(payoff=tuple(repaid if r is row else r for r in rules.payoff))


def _repaid(rules: RuleSet, row: PayoffRow, amounts: tuple[int, ...]) -> PayoffRow:
    """Return the row with new sizes; who pays, and in which direction, stays."""
    nothing, less = (0,) * len(amounts), tuple(-x for x in amounts)
    declarers_win = row.winner == "declarers"
    if isinstance(rules.match, FixedDeals):  # each defender settles with the declarer
        others = (rules.players - rules.side_size) // rules.side_size
        declarers, defenders = (amounts, less) if declarers_win else (less, amounts)
        return replace(row, declarers=tuple(others * x for x in declarers), defenders=defenders)
    winners_subtract = isinstance(rules.match, FirstOutWins)
    if declarers_win == winners_subtract:
        return replace(row, declarers=less, defenders=nothing)
    return replace(row, declarers=nothing, defenders=less)


def differences(rules: RuleSet, base: RuleSet) -> dict[str, Any]:
    """Return the overrides that turn ``base`` into ``rules`` (JSON values)."""
    values, of_base = values_of(rules), values_of(base)
    rows, rows_of_base = ({row.name: row for row in r.payoff} for r in (rules, base))
    changed: dict[str, Any] = {}
    for name in parameters(base):
        if name.startswith(PAYOFF_PREFIX):
            row = rows.get(name.removeprefix(PAYOFF_PREFIX))
            if row != rows_of_base[name.removeprefix(PAYOFF_PREFIX)]:
                changed[name] = None if row is None else list(row.amounts)
        elif (value := values[name]) != of_base[name]:
            changed[name] = list(value) if isinstance(value, tuple) else value
    return changed
