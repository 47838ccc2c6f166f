"""Compute small games whole: ``sjavs exact measure rules greedy --rules mini_8``.

``size`` tells how large a game is, ``solve`` writes a player that nobody can beat for long,
``measure`` tells what an opponent who knows a player can win from it, and ``export`` writes the
game for other programs.  Here stands only the door; ``session`` tells what is done.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from sjavs_agents.base.asking import AgentError
from sjavs_agents.exact import session
from sjavs_agents.registry import files_of
from sjavs_env.cli.atomic_files import check_not_read, check_writable
from sjavs_env.cli.command import OneLineParser, in_one_line
from sjavs_env.cli.rule_arguments import add_rule_arguments
from sjavs_env.errors import shown

__all__ = ["main"]

USUAL = "mini_8"  # if no game is named
SUFFIX = ".safetensors"
MOST_ITERATIONS, MOST_ASKS = 10**9, 10**6
SOLVE = (
    "Come near an equilibrium by CFR+ and write it as a player. The file is an agent for all "
    "commands. Ctrl-C writes what has been reached."
)
MEASURE = (
    "Tell what is won from agents by opponents who know what they do in every position: nothing in "
    "an equilibrium, and exact where an agent tells its probabilities or never draws lots."
)
EXPORT = "Write a game in the format of Gambit, which OpenSpiel reads as well."


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(prog=program, description="Compute small games whole.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = commands.add_parser(
            name, help=text.split(".")[0].lower(), description=text
        )
        return made

    size = command("size", "Tell how many deals, positions and information sets a game has.")
    solve, measure = command("solve", SOLVE), command("measure", MEASURE)
    export = command("export", EXPORT)
    measure.add_argument("agents", nargs="+", metavar="AGENT", help="as for sjavs evaluate")
    for each in (size, solve, measure, export):
        add_rule_arguments(each, f"default: {USUAL}")
    solve.add_argument("--out", type=Path, required=True, metavar="FILE",
        help=f"the player (*{SUFFIX})")  # fmt: skip
    solve.add_argument("--until", type=float, default=0.001, metavar="POINTS",
        help="stop where two best responses together gain no more game points per deal "
        "(default: %(default)s)")  # fmt: skip
    solve.add_argument("--iterations", type=int, default=10_000,
        help="stop after so many at the latest (default: %(default)s)")  # fmt: skip
    measure.add_argument("--asks", type=int, default=0, metavar="N",
        help="ask agents that draw lots without telling how N times, and estimate")  # fmt: skip
    measure.add_argument("--seed", type=int, default=0, help="of agents (default: %(default)s)")
    measure.add_argument("--json", type=Path, metavar="FILE", help="write the results to this file")
    export.add_argument("--out", type=Path, required=True, metavar="FILE", help="as in mini_8.efg")
    return parser


def main(argv: Sequence[str] | None = None, program: str = "sjavs exact") -> int:
    """Run a command; return its exit status, 2 for bad input."""
    args = _parser(program).parse_args(argv)
    args.rules = args.rules or USUAL
    return in_one_line(program, lambda: _run(args), AgentError)


def _run(args: argparse.Namespace) -> int:
    _check(args)
    return int(session.RUN[args.command](args, partial(print, flush=True)))


def _check(args: argparse.Namespace) -> None:
    """ValueError or OSError, one line, for what is wrong on the command line."""
    for name, least, most in (("iterations", 1, MOST_ITERATIONS), ("asks", 0, MOST_ASKS)):
        value = getattr(args, name, least)
        if not least <= value <= most:
            raise ValueError(f"{name} is {shown(value)}; allowed: {least} to {most}")
    if getattr(args, "seed", 0) < 0:
        raise ValueError(f"seed is {shown(args.seed)}; allowed: a number from 0")
    until = getattr(args, "until", 0.0)
    if not (math.isfinite(until) and until >= 0):
        raise ValueError(f"until is {until:g}; allowed: a number from 0")
    if args.command == "solve" and args.out.suffix != SUFFIX:
        raise ValueError(f"out is {str(args.out)!r}; allowed: a name that ends in {SUFFIX}")
    for option in ("out", "json"):
        path = getattr(args, option, None)
        if path is not None:
            check_writable(path)
            read = [file for agent in getattr(args, "agents", []) for file in files_of(agent)]
            check_not_read(option, path, read)
