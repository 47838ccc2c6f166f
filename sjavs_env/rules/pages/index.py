"""The index of the rule pages: the games and their names, and the sections of all pages."""

from __future__ import annotations

from collections.abc import Mapping

from sjavs_env.rules.pages.markdown import NOTHING, bullets, in_words, show_table
from sjavs_env.rules.pages.sections import CHAPTERS, TITLES
from sjavs_env.rules.ruleset import RuleSet

__all__ = ["rules_index"]


def rules_index(presets: Mapping[str, RuleSet], aliases: Mapping[str, str]) -> str:
    """Return the page that leads to the pages of all rule sets."""
    games = [
        (f"[{rules.title}]({name}.md)", f"`{name}`", _others(name, aliases), _players(rules))
        for name, rules in presets.items()
    ]
    sections = [
        f"{chapter} {title}: {', '.join(_sections(chapter))}" for chapter, title in CHAPTERS.items()
    ]
    return (
        "# The rules\n\n"
        "Each page is printed from what the program plays. Capital letters and letters such as ø "
        "do not matter in a name: `Klørsjavs` is `klorsjavs`.\n\n"
        f"{show_table(('game', 'name', 'also', 'players'), games)}\n\n"
        "A section has the same number on every page, by which code and tests cite it, as in "
        '"rules 3.1". A page leaves out sections for what its game does not have.\n\n'
        f"{bullets(sections)}\n"
    )


def _others(name: str, aliases: Mapping[str, str]) -> str:
    return ", ".join(f"`{alias}`" for alias, meant in aliases.items() if meant == name) or NOTHING


def _players(rules: RuleSet) -> str:
    counts = [str(n) for n in sorted(rules.player_counts)]
    return in_words(counts, "or")


def _sections(chapter: str) -> list[str]:
    return [f"{number} {title}" for number, title in TITLES.items() if number[0] == chapter]
