"""Learn where hidden cards lie: ``sjavs belief --rules faroese --out FILE``.

Here stands only the door; ``session`` tells what is done.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from sjavs_agents.base.asking import AgentError
from sjavs_agents.belief.config import BeliefConfig
from sjavs_agents.neural.config import DEVICES
from sjavs_agents.registry import files_of
from sjavs_env.cli.atomic_files import check_not_read, check_writable
from sjavs_env.cli.command import OneLineParser, in_one_line
from sjavs_env.cli.extras import needing
from sjavs_env.cli.rule_arguments import add_rule_arguments
from sjavs_env.errors import shown

__all__ = ["main"]

SUFFIX = ".safetensors"
MOST_DEALS, MOST_TEST_DEALS = 10**9, 10**5  # the second are all in memory at once
MOST_MINUTES = 60 * 24 * 365
DESCRIPTION = (
    "Learn where hidden cards lie from deals that an agent plays. The file is for players that "
    "search, as in pimc:belief=FILE, and for sjavs analyze --belief FILE."
)


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(prog=program, description=DESCRIPTION)
    add = parser.add_argument
    add_rule_arguments(parser)
    add("--agent", default="rules", help="plays the deals (default: %(default)s)")
    add("--out", type=Path, required=True, metavar="FILE", help=f"what to write (*{SUFFIX})")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, default=3.0, help="(default: %(default)s)")
    length.add_argument("--deals", type=int,
        help="learn from so many instead, which can be repeated exactly")  # fmt: skip
    add("--width", type=int, default=BeliefConfig.width,
        help="units in each hidden layer (default: %(default)s)")  # fmt: skip
    add("--layers", type=int, default=BeliefConfig.layers,
        help="hidden layers (default: %(default)s)")  # fmt: skip
    add("--test-deals", type=int, default=400, help="to judge it by (default: %(default)s)")
    add("--device", choices=DEVICES, default="auto",
        help="for the network; auto is a CUDA GPU where there is one")  # fmt: skip
    add("--seed", type=int, default=0, help="of deals and weights (default: %(default)s)")
    return parser


def main(argv: Sequence[str] | None = None, program: str = "sjavs belief") -> int:
    """Run the command; return its exit status, 2 for bad input."""
    args = _parser(program).parse_args(argv)
    return in_one_line(program, lambda: _run(args), AgentError)


def _run(args: argparse.Namespace) -> int:
    with needing("search", "train"):
        import_module("sjavs_agents.worlds.sampler")
        from sjavs_agents.belief.session import run_session
    _check(args)
    run_session(args, partial(print, flush=True))
    return 0


def _check(args: argparse.Namespace) -> None:
    if args.seed < 0:
        raise ValueError(f"seed is {shown(args.seed)}; allowed: a number from 0")
    for name, most in {"test_deals": MOST_TEST_DEALS, "deals": MOST_DEALS}.items():
        value = getattr(args, name)
        if value is not None and not 1 <= value <= most:
            raise ValueError(
                f"{name.replace('_', '-')} is {shown(value)}; allowed: a number from 1 to {most}"
            )
    if not 0 < args.minutes <= MOST_MINUTES:
        raise ValueError(
            f"minutes is {args.minutes:g}; allowed: a number above 0, up to {MOST_MINUTES}"
        )
    if args.out.suffix != SUFFIX:
        raise ValueError(f"out is {str(args.out)!r}; allowed: a name that ends in {SUFFIX}")
    check_writable(args.out)
    check_not_read("out", args.out, files_of(args.agent))
