"""The command that tells rules: ``sjavs rules suduroy``, also ``python -m sjavs_env rules``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from sjavs_env.cli.command import BAD_INPUT, OneLineParser, reason
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_of
from sjavs_env.errors import shown
from sjavs_env.rules import ALIASES, RULE_SETS
from sjavs_env.rules.pages.describe import describe

__all__ = ["main"]


def main(argv: Sequence[str] | None = None, program: str = "sjavs rules") -> int:
    """List the rule sets, or print the page of one; return the exit status."""
    parser = OneLineParser(prog=program, description="List the rule sets, or print one as a page.")
    parser.add_argument("name", nargs="?", metavar="NAME", help="short for --rules NAME")
    add_rule_arguments(parser, otherwise="without a name, all are listed")
    args = parser.parse_args(argv)
    try:
        if args.name is not None and args.rules is not None:
            raise ValueError(
                f"--rules is {shown(args.rules)} beside {shown(args.name)}; allowed: one name"
            )
        args.rules = args.rules or args.name
        if args.rules is not None:
            sys.stdout.write(describe(rules_of(args)))
        elif args.overrides or args.players is not None:
            option = "--set" if args.overrides else "--players"
            raise ValueError(f"{option} needs the name of a rule set before it")
        else:
            sys.stdout.write("".join(f"{line}\n" for line in _list_presets()))
    except (ValueError, OverflowError) as error:
        sys.stderr.write(f"{program}: error: {reason(error)}\n")
        return BAD_INPUT
    return 0


def _list_presets() -> list[str]:
    width = max(map(len, RULE_SETS))
    lines = []
    for name, rules in RULE_SETS.items():
        aliases = ", ".join(alias for alias, meant in ALIASES.items() if meant == name)
        also = f" (also: {aliases})" if aliases else ""
        lines.append(f"{name:{width}}  {rules.title}{also}")
    return lines
