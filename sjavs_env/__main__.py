"""Read the rules on the command line: ``python -m sjavs_env rules faroese --set tie=double``.

``rules`` lists the rule sets or prints the page of one; ``docs`` lists the generated pages of the
documentation or, in a checkout, writes them anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

from sjavs_env.cli.command import OneLineParser, run_command
from sjavs_env.cli.docs import add_page_arguments, write_pages
from sjavs_env.cli.rules_command import main as tell_rules
from sjavs_env.engine import Game
from sjavs_env.observation.layout import ObservationLayout, layout_page, observation_layout
from sjavs_env.picture import example_picture
from sjavs_env.rules import ALIASES, RULE_SETS, make_rules
from sjavs_env.rules.pages.describe import describe
from sjavs_env.rules.pages.index import rules_index
from sjavs_env.rules.pages.markdown import show_table

__all__ = ["main", "pages"]

_DOCS = "list the generated pages of the documentation, write them or name stale ones"


def _rules_page(name: str) -> str:
    return describe(RULE_SETS[name])


@cache
def _layouts() -> dict[str, tuple[list[str], ObservationLayout]]:
    """Return the layouts there are, by the file name of the first table that has each.

    With each the tables that share it: rule sets, with the number of players where it varies.
    """
    found: dict[str, tuple[list[str], ObservationLayout]] = {}
    for name, n, table in _tables():
        layout = observation_layout(Game(make_rules(name, players=n)))
        alike = [tables for tables, other in found.values() if other == layout]
        if alike:
            alike[0].append(table)
        else:
            several = len(RULE_SETS[name].player_counts) > 1
            found[f"{name}_{n}" if several else name] = [table], layout
    return found


def _tables() -> Iterator[tuple[str, int, str]]:
    """Every rule set with each of its numbers of players, and how both are named together."""
    for name, rules in RULE_SETS.items():
        for n in rules.player_counts:
            yield (
                name,
                n,
                f"`{name}`" + (f" with {n} players" if len(rules.player_counts) > 1 else ""),
            )


def _observation_page(file: str) -> str:
    """Describe an observation, and name the games that share it."""
    tables, layout = _layouts()[file]
    return layout_page(f"Observation of {', '.join(tables)}", layout)


def _observation_index() -> str:
    """Say which page belongs to which rule set and number of players."""
    page_of = {table: file for file, (tables, _) in _layouts().items() for table in tables}
    rows = [
        (table, f"[{file}]({file}.md)", str(_layouts()[file][1].size))
        for _, _, table in _tables()
        for file in [page_of[table]]
    ]
    return (
        "# Observations\n\n"
        "What a seat sees, as one vector of named blocks. Rule sets with the same blocks share a "
        "page.\n\n"
        f"{show_table(('rule set', 'page', 'features'), rows)}\n"
    )


def pages() -> dict[str, Callable[[], str]]:
    """Return the generated pages by path; a new page is one more entry."""
    return {
        "docs/rules/README.md": partial(rules_index, RULE_SETS, ALIASES),
        **{f"docs/rules/{name}.md": partial(_rules_page, name) for name in RULE_SETS},
        "docs/table.svg": example_picture,
        "docs/observation/README.md": _observation_index,
        **{f"docs/observation/{f}.md": partial(_observation_page, f) for f in _layouts()},
    }


def main(argv: Sequence[str] | None = None, program: str = "python -m sjavs_env") -> int:
    """Run a command and return its exit status: 2 for bad names and values."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["rules"]:
        return tell_rules(words[1:], f"{program} rules")
    parser = OneLineParser(
        prog=program, description="The rules of the games, and the pages that are made from them."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("rules", help="list the rule sets, or print one as a page")
    docs = commands.add_parser("docs", help=_DOCS, description=f"{_DOCS.capitalize()}.")
    add_page_arguments(docs.add_mutually_exclusive_group())
    args = parser.parse_args(words)
    if args.write or args.check:
        return write_pages(pages(), "python -m sjavs_env docs --write", check=args.check)
    sys.stdout.write("".join(f"{path}\n" for path in pages()))
    return 0


if __name__ == "__main__":
    sys.exit(run_command("sjavs_env", main))
