"""The rule sets by name, made to order and written as JSON."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from sjavs_env.errors import shown
from sjavs_env.rules.games import danish, faroese, handjass, mini
from sjavs_env.rules.overrides import check_players, differences, with_overrides
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.structure import values_of

__all__ = [
    "ALIASES",
    "PRESETS",
    "RULE_SETS",
    "make_rules",
    "plain_name",
    "read_overrides",
    "rules_for",
    "rules_from_json",
    "rules_to_json",
]

# The games of the family.
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
            handjass.HANDJASS,
            handjass.HANDJASS_STRICT,
            handjass.HANDJASS_ALT,
            handjass.HANDJASS_SWISS,
            handjass.HANDJASS_SCHLAEGER,
        )
    }
)
# All that has a name: these games, and others that nobody plays at a table.
RULE_SETS: Mapping[str, RuleSet] = MappingProxyType(
    {**PRESETS, **{rules.name: rules for rules in (mini.MINI_8, mini.MINI_10)}}
)
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "pagat": "faroese",
        "torshavn": "faroese",
        "gammelmandssjavs": "faroese",
        "tjavs": "klorsjavs",
        "klortjavs": "klorsjavs",
        "flyvesjavs": "danish_4",
        "farvesjavs": "auction_sjavs",
        "schlaeger": "handjass_schlaeger",
    }
)
# letters of the sources' languages that are no letter with an accent, and what parts words
_IN_ASCII = str.maketrans(
    {"ø": "o", "ð": "d", "æ": "ae", "å": "a", "ä": "ae", "ö": "oe", "ü": "ue", "-": "_", " ": "_"}
)


def plain_name(name: str) -> str:
    """Return a name as rule sets are named: ``Klørtjavs`` is ``klortjavs``."""
    composed = unicodedata.normalize("NFC", name.strip().casefold())
    parts = unicodedata.normalize("NFD", composed.translate(_IN_ASCII))
    return "".join(part for part in parts if not unicodedata.combining(part))


def make_rules(rules: str | RuleSet = "faroese", /, **overrides: Any) -> RuleSet:
    """Return a rule set by name or alias, with any parameter overridden.

    ``make_rules("suduroy", tie="add_2", **{"payoff.vol": (10, 14)})``.  Names may be written as
    their players write them, such as ``Suðuroy``.  Raises ValueError with the offending value
    and the allowed ones.
    """
    if isinstance(rules, RuleSet):
        return with_overrides(rules, overrides)
    if not isinstance(rules, str):
        raise ValueError(f"rules is {shown(rules)}; allowed: a name or a RuleSet")
    plain = plain_name(rules)
    name = ALIASES.get(plain, plain)
    if name not in RULE_SETS:
        allowed = ", ".join([*RULE_SETS, *ALIASES])
        raise ValueError(f"there are no rules named {shown(rules)}; allowed: {allowed}")
    return with_overrides(RULE_SETS[name], overrides)


def read_overrides(rules: RuleSet, settings: Iterable[str]) -> dict[str, Any]:
    """Read ``key=value`` settings of a command line; ``make_rules`` says what is allowed.

    A value is JSON, or whole numbers with commas between them (``payoff.vol=10,14``), or plain
    text.  ValueError for a setting of another form.
    """
    overrides: dict[str, Any] = {}
    values = values_of(rules)
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise ValueError(f"--set is {shown(setting)}; allowed: KEY=VALUE")
        is_text = isinstance(values.get(name), str)
        overrides[name] = text if is_text else _value(text)
    return overrides


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        pass
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        return text


def rules_for(
    rules: str | RuleSet, overrides: Mapping[str, Any], num_players: int | None = None
) -> RuleSet:
    """Return a rule set with overrides; ``num_players`` is another word for ``players`` in them.

    ValueError for a number that the game has not, and for two numbers.
    """
    base = make_rules(rules)
    if num_players is None:
        return with_overrides(base, dict(overrides))
    check_players(base, num_players, "num_players")
    if overrides.get("players", num_players) != num_players:
        raise ValueError(
            f"players is {shown(overrides['players'])} with num_players {num_players}; allowed: "
            "one of them"
        )
    return with_overrides(base, {**overrides, "players": num_players})


def rules_to_json(rules: RuleSet) -> dict[str, Any]:
    """Return ``{"name", "version", "overrides"}``, enough to rebuild the rule set.

    ValueError for a rule set that is not a preset with overrides.
    """
    if rules.name not in RULE_SETS:
        allowed = ", ".join(RULE_SETS)
        raise ValueError(f"rules {shown(rules.name)} are no preset; allowed: {allowed}")
    overrides = differences(rules, RULE_SETS[rules.name])
    return {"name": rules.name, "version": rules.version, "overrides": overrides}


def rules_from_json(data: Mapping[str, Any]) -> RuleSet:
    """Rebuild a rule set; ValueError for an unknown name, another version, bad overrides."""
    if not isinstance(data, Mapping):
        raise ValueError(
            f"rules are {shown(data)}; allowed: a mapping with name, version, overrides"
        )
    unknown = set(data) - {"name", "version", "overrides"}
    if unknown or "name" not in data:
        raise ValueError(f"rules are {shown(dict(data))}; allowed: name, version, overrides")
    overrides = data.get("overrides") or {}
    if not isinstance(overrides, Mapping):
        raise ValueError(f"overrides are {shown(overrides)}; allowed: a mapping of parameters")
    rules = with_overrides(make_rules(data["name"]), dict(overrides))
    if data.get("version", rules.version) != rules.version:
        raise ValueError(
            f"rules {rules.name} have version {shown(data['version'])}; this program plays "
            f"version {rules.version}"
        )
    return rules
