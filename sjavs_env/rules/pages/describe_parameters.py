"""The sections of a rule page on its parameters and where their values come from."""

from __future__ import annotations

import re

from sjavs_env.rules.overrides import OVERRIDE, PAYOFF_PREFIX, parameters
from sjavs_env.rules.pages.markdown import NOTHING, show_table
from sjavs_env.rules.pages.wording import SOURCE_TAGS
from sjavs_env.rules.parts import PayoffRow
from sjavs_env.rules.ruleset import RuleSet, rule_names
from sjavs_env.rules.structure import values_of

__all__ = ["overridden", "parameter_tables", "source_table"]

HEAD = ("parameter", "value", "source")


def overridden(rules: RuleSet) -> list[str]:
    """The parameters that are not as the rule set has them, in order."""
    return [name for name in _names(rules) if _source(rules, name) == OVERRIDE]


def parameter_tables(rules: RuleSet) -> str:
    """What can be set, and what makes the game what it is."""
    can_set = {*parameters(rules), *overridden(rules)}
    names = _names(rules)
    free = [_line(rules, name) for name in names if name in can_set]
    fixed = [_line(rules, name) for name in names if name not in can_set]
    return (
        "These can be set, each by itself:\n\n"
        f"{show_table(HEAD, free)}\n\n"
        "These make the game what it is and cannot be set:\n\n"
        f"{show_table(HEAD, fixed)}"
    )


def source_table(rules: RuleSet) -> str:
    """What the source tags of the page stand for."""
    told = [_source(rules, name) for name in _names(rules)]
    cited = set(re.findall(r"[A-Z][A-Z0-9]+[a-z]?(?:-[a-z])?", " ".join([*told, *rules.notes])))
    legend = [(tag, text) for tag, text in SOURCE_TAGS.items() if tag in cited]
    return show_table(("tag", "source"), legend)


def _line(rules: RuleSet, name: str) -> tuple[str, str, str]:
    source = _source(rules, name)
    return f"`{name}`", _value(rules, name), f"**{source}**" if source == OVERRIDE else source


def _names(rules: RuleSet) -> list[str]:
    """All parameters in the order of the record, each payoff row by itself, dropped ones too."""
    names = rule_names(rules)
    rows = [PAYOFF_PREFIX + row.name for row in rules.payoff]
    if not rows:
        return names
    dropped = [name for name in rules.sources if _is_row(name) and name not in rows]
    after = names.index("payoff_columns") + 1
    return names[:after] + rows + dropped + names[after:]


def _is_row(name: str) -> bool:
    return name.startswith(PAYOFF_PREFIX)


def _source(rules: RuleSet, name: str) -> str:
    row = _row(rules, name)
    return rules.sources.get(name) or (row.source if row else "") or NOTHING


def _row(rules: RuleSet, name: str) -> PayoffRow | None:
    """The payoff row that a parameter stands for, None if it is none or dropped."""
    return next((row for row in rules.payoff if PAYOFF_PREFIX + row.name == name), None)


def _value(rules: RuleSet, name: str) -> str:
    """The value as ``--set`` takes it, where it can be set."""
    if _is_row(name):
        row = _row(rules, name)
        if row is None:
            return "null"
        return NOTHING if row.winner == "nobody" else ",".join(map(str, row.amounts))
    value = values_of(rules)[name]
    if value is None:
        return "none"
    if isinstance(value, type):
        return str(value.kind)  # type: ignore[attr-defined]  # all parts have one
    if isinstance(value, bool):
        return str(value).lower()
    if value in ("", ()):
        return NOTHING
    if name == "dealings":
        return ", ".join(f"{dealing.players} players" for dealing in value)
    if name == "contracts":
        return ", ".join(contract.name for contract in value)
    if name in ("points", "trump_points"):
        return ", ".join(f"{rank} {points}" for rank, points in value)
    if name == "rank_marks":
        return ",".join(map(str, value))
    return ", ".join(value) if isinstance(value, tuple) else str(value)
