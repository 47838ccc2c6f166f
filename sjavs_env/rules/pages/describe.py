"""Print a rule set as a page that a card player can check.

Reads a rule set and its compiled tables and writes markdown.  Every number, card and amount
comes from there, so the page shows what the engine plays; the sentences for what a rule set
says in a word are in ``wording``, the numbers and titles of the sections in ``sections``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sjavs_env.rules.pages.describe_deal import (
    auction,
    card_points,
    dealing,
    exchange,
    giving_up,
    naming,
    pack,
    plain_suits,
    play,
    players,
    trumps,
    who_deals,
)
from sjavs_env.rules.pages.describe_parameters import overridden, parameter_tables, source_table
from sjavs_env.rules.pages.describe_result import match, results, ties
from sjavs_env.rules.pages.describe_seats import SEAT_SECTIONS
from sjavs_env.rules.pages.markdown import bullets
from sjavs_env.rules.pages.sections import heading
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables import RuleTables, compile_rules

__all__ = ["describe"]

Text = Callable[[RuleSet, RuleTables], str]

# By the number of the section; empty where the game has no such thing.
PAYOFF_SECTIONS: Mapping[str, Text] = {
    "1.1": players,
    "1.2": pack,
    "1.3": trumps,
    "1.4": plain_suits,
    "1.5": card_points,
    "2.1": who_deals,
    "2.2": dealing,
    "3.1": auction,
    "3.2": naming,
    "3.3": exchange,
    "3.4": giving_up,
    "4.1": play,
    "5.1": results,
    "5.2": ties,
    "5.3": match,
}
# By how a deal is scored.
SECTIONS: Mapping[str, Mapping[str, Text]] = {
    "payoff": PAYOFF_SECTIONS,
    "ranks": SEAT_SECTIONS,
}


def describe(rules: RuleSet) -> str:
    """Return the page of a rule set.  ValueError if it is unsound."""
    tables = compile_rules(rules)
    texts = {number: text(rules, tables) for number, text in SECTIONS[rules.scoring.kind].items()}
    texts |= {
        "6.1": bullets(rules.notes),
        "6.2": parameter_tables(rules),
        "6.3": source_table(rules),
    }
    parts, chapter = [_head(rules)], ""
    for number, text in texts.items():
        if text and number[0] != chapter:
            chapter = number[0]
            parts.append(heading(chapter))
        parts += [heading(number), text] if text else []
    return "\n\n".join(parts) + "\n"


def _head(rules: RuleSet) -> str:
    changed = ", ".join(f"`{name}`" for name in overridden(rules))
    with_changes = f", with {changed} overridden" if changed else ""
    return f"# {rules.title}\n\nRule set `{rules.name}`, version {rules.version}{with_changes}."
