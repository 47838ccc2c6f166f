"""The rule sets by name, made to order and written as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sjavs_env.rules import danish, faroese
from sjavs_env.rules.ruleset import RuleSet, differences, with_overrides

__all__ = ["ALIASES", "PRESETS", "make_rules", "rules_from_json", "rules_to_json"]

PRESETS: Mapping[str, RuleSet] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            faroese.FAROESE,
            faroese.FAROESE_SMITH,
            faroese.FAROESE_WIKI,
            faroese.SUDUROY,
            faroese.FAROESE_FREE,
            faroese.FAROESE_3,
            faroese.FAROESE_2,
            danish.KLORSJAVS,
            danish.DANISH_4,
            danish.AUCTION_SJAVS,
            danish.AUCTION_SJAVS_CLUBS,
        )
    }
)
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "pagat": "faroese",
        "torshavn": "faroese",
        "gammelmandssjavs": "faroese",
        "flyvesjavs": "danish_4",
    }
)


def make_rules(rules: str | RuleSet = "faroese", /, **overrides: Any) -> RuleSet:
    """Return a rule set by name or alias, with any parameter overridden.

    ``make_rules("suduroy", tie="add_2", **{"payoff.vol": (10, 14)})``.  Raises ValueError
    with the offending value and the allowed ones.
    """
    if isinstance(rules, RuleSet):
        return with_overrides(rules, overrides)
    if not isinstance(rules, str):
        raise ValueError(f"rules is {rules!r}; allowed: a name or a RuleSet")
    name = ALIASES.get(rules, rules)
    if name not in PRESETS:
        allowed = ", ".join([*PRESETS, *ALIASES])
        raise ValueError(f"there are no rules named {rules!r}; allowed: {allowed}")
    return with_overrides(PRESETS[name], overrides)


def rules_to_json(rules: RuleSet) -> dict[str, Any]:
    """Return ``{"name", "version", "overrides"}``, enough to rebuild the rule set.

    ValueError for a rule set that is not a preset with overrides.
    """
    if rules.name not in PRESETS:
        raise ValueError(f"rules {rules.name!r} are no preset; allowed: {', '.join(PRESETS)}")
    overrides = differences(rules, PRESETS[rules.name])
    return {"name": rules.name, "version": rules.version, "overrides": overrides}


def rules_from_json(data: Mapping[str, Any]) -> RuleSet:
    """Rebuild a rule set; ValueError for an unknown name, another version, bad overrides."""
    if not isinstance(data, Mapping):
        raise ValueError(f"rules are {data!r}; allowed: a mapping with name, version, overrides")
    unknown = set(data) - {"name", "version", "overrides"}
    if unknown or "name" not in data:
        raise ValueError(f"rules are {dict(data)!r}; allowed: name, version, overrides")
    overrides = data.get("overrides") or {}
    if not isinstance(overrides, Mapping):
        raise ValueError(f"overrides are {overrides!r}; allowed: a mapping of parameters")
    rules = with_overrides(make_rules(data["name"]), dict(overrides))
    if data.get("version", rules.version) != rules.version:
        raise ValueError(
            f"rules {rules.name} have version {data['version']!r}; this program plays "
            f"version {rules.version}"
        )
    return rules
