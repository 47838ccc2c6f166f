"""Rules as data: the vocabulary, the presets, and their compilation into tables."""

from sjavs_env.rules.games.presets import (
    ALIASES,
    PRESETS,
    RULE_SETS,
    make_rules,
    read_overrides,
    rules_from_json,
    rules_to_json,
)
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables import RuleTables, compile_rules

__all__ = [
    "ALIASES",
    "PRESETS",
    "RULE_SETS",
    "RuleSet",
    "RuleTables",
    "compile_rules",
    "make_rules",
    "read_overrides",
    "rules_from_json",
    "rules_to_json",
]
