"""Read the rules on the command line: ``python -m sjavs_env rules faroese --set tie=double``.

``rules`` lists the rule sets or prints the page of one; ``docs`` writes the generated pages
of the documentation, relative to the current folder.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial

from sjavs_env.engine import Game
from sjavs_env.layout import layout_page, observation_layout
from sjavs_env.pages import write_pages
from sjavs_env.rules import ALIASES, PRESETS, make_rules, read_overrides
from sjavs_env.rules.describe import describe

__all__ = ["PAGES", "main"]


def _rules_page(name: str) -> str:
    return describe(PRESETS[name])


def _observation_page(name: str) -> str:
    """Describe the observation of a game, and name the games that share it."""
    layouts = {name: observation_layout(Game(rules)) for name, rules in PRESETS.items()}
    alike = ", ".join(f"`{n}`" for n, layout in layouts.items() if layout == layouts[name])
    return layout_page(f"Observation of {alike}", layouts[name])


# generated pages by path; a new page is one more entry
PAGES: dict[str, Callable[[], str]] = {
    **{f"docs/rules/{name}.md": partial(_rules_page, name) for name in PRESETS},
    "docs/observation.md": partial(_observation_page, "faroese"),
    "docs/observation_handjass.md": partial(_observation_page, "handjass"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 2 for bad names and values."""
    args = _parser().parse_args(argv)
    try:
        return int(args.run(args))
    except (ValueError, OverflowError) as error:
        print(f"sjavs_env: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sjavs_env", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    rules = commands.add_parser("rules", help="list the rule sets, or print one as a page")
    rules.add_argument("name", nargs="?", metavar="NAME", help="a rule set or an alias")
    rules.add_argument(
        "--set",
        action="extend",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="override parameters, such as tie=double or payoff.vol=10,14",
    )
    rules.set_defaults(run=_run_rules)
    docs = commands.add_parser("docs", help="write the generated pages of the documentation")
    docs.add_argument("--check", action="store_true", help="write nothing; name stale pages")
    docs.set_defaults(run=_run_docs)
    return parser


def _run_rules(args: argparse.Namespace) -> int:
    if args.name is None:
        if args.set:
            raise ValueError("--set needs the name of a rule set before it")
        print("\n".join(_list_presets()))
        return 0
    rules = make_rules(args.name)
    print(describe(make_rules(rules, **read_overrides(rules, args.set))), end="")
    return 0


def _list_presets() -> list[str]:
    width = max(map(len, PRESETS))
    lines = []
    for name, rules in PRESETS.items():
        aliases = ", ".join(alias for alias, meant in ALIASES.items() if meant == name)
        also = f" (also: {aliases})" if aliases else ""
        lines.append(f"{name:{width}}  {rules.title}{also}")
    return lines


def _run_docs(args: argparse.Namespace) -> int:
    return write_pages(PAGES, "python -m sjavs_env docs", check=args.check)


if __name__ == "__main__":
    sys.exit(main())
