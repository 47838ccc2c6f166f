"""Print a rule set as a page that a card player can check.

Reads a rule set and its compiled tables and writes markdown.  Every number, card and amount
comes from there, so the page shows what the engine plays; the sentences for what a rule set
says in a word are in ``wording``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sjavs_env.rules.overrides import OVERRIDE, PAYOFF_PREFIX, parameters
from sjavs_env.rules.pages.describe_deal import (
    auction,
    card_points,
    deal,
    exchange,
    giving_up,
    naming,
    pack,
    plain_suits,
    play,
    players,
    trumps,
)
from sjavs_env.rules.pages.describe_result import MATCHES, results, ties
from sjavs_env.rules.pages.describe_seats import seat_sections
from sjavs_env.rules.pages.markdown import NOTHING, bullets, show_table
from sjavs_env.rules.pages.wording import SOURCE_TAGS
from sjavs_env.rules.parts import PayoffRow
from sjavs_env.rules.ruleset import RuleSet, rule_names
from sjavs_env.rules.structure import values_of
from sjavs_env.rules.tables import RuleTables, compile_rules

__all__ = ["describe"]


def describe(rules: RuleSet) -> str:
    """Return the page of a rule set.  ValueError if it is unsound."""
    tables = compile_rules(rules)
    parts = [_head(rules)]
    for title, text in SECTIONS[rules.scoring.kind](rules, tables):
        parts += [f"## {title}", text] if text else []
    if rules.notes:
        parts += ["## Notes", bullets(rules.notes)]
    parts += ["## All parameters", _parameters(rules)]
    return "\n\n".join(parts) + "\n"


def _head(rules: RuleSet) -> str:
    changed = [f"`{name}`" for name in _names(rules) if _source(rules, name) == OVERRIDE]
    overridden = f", with {', '.join(changed)} overridden" if changed else ""
    return f"# {rules.title}\n\nRule set `{rules.name}`, version {rules.version}{overridden}."


def _payoff_sections(rules: RuleSet, tables: RuleTables) -> Iterator[tuple[str, str]]:
    """The page from top to bottom: titles and texts, empty where the game has no such thing."""
    yield "Players", players(rules, tables)
    yield "Pack", pack(rules, tables)
    yield "Trumps", trumps(rules, tables)
    yield "Plain suits", plain_suits(rules, tables)
    yield "Card points", card_points(rules, tables)
    yield "Deal", deal(rules, tables)
    yield "Auction", auction(rules, tables)
    between = [("Naming trumps", naming(rules, tables)), ("Exchange", exchange(rules, tables))]
    yield from reversed(between) if rules.names_after_exchange else between
    yield "Giving up", giving_up(rules)
    yield "Play", play(rules)
    yield "Result of a deal", results(rules, tables)
    yield "Ties", ties(rules, tables)
    title, match = MATCHES[rules.match.kind]
    yield title, match(rules, tables)


# By how a deal is scored.
SECTIONS: dict[str, Callable[[RuleSet, RuleTables], Iterator[tuple[str, str]]]] = {
    "payoff": _payoff_sections,
    "ranks": seat_sections,
}

# parameters


def _parameters(rules: RuleSet) -> str:
    can_change = parameters(rules)
    dropped = {n for n in _names(rules) if _is_row(n) and _row(rules, n) is None}
    fixed = [f"`{n}`" for n in _names(rules) if n not in {*can_change, *dropped}]
    rows = [
        (f"`{name}`", _value(rules, name), f"**{source}**" if source == OVERRIDE else source)
        for name in _names(rules)
        for source in [_source(rules, name)]
    ]
    cited = set(re.findall(r"[A-Z][A-Z0-9]+[a-z]?(?:-[a-z])?", " ".join(r[2] for r in rows)))
    legend = [(tag, text) for tag, text in SOURCE_TAGS.items() if tag in cited]
    return (
        f"All can be overridden except {', '.join(fixed)}.\n\n"
        f"{show_table(('parameter', 'value', 'source'), rows)}\n\n"
        f"{show_table(('tag', 'source'), legend)}"
    )


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
