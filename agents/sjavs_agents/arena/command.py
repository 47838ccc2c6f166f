"""Measure agents against each other on duplicate boards.

``sjavs evaluate rules random --boards 1000 --seed 7`` plays numbered deals twice with the
sides exchanged (where one plays alone: with each agent alone in every seat) and prints what A
wins more per deal than B, with 95% intervals.  More than two agents play all pairs.  The same
command writes the same JSON, byte for byte.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sjavs_agents.arena.match import EPISODES, MatchError, MatchResult, check_match, play_match
from sjavs_agents.arena.recording import records_bytes
from sjavs_agents.arena.report import match_report, signed, timing_report
from sjavs_agents.base import Agent
from sjavs_agents.registry import AGENTS, files_of, make_agent
from sjavs_env import Game, __version__, rules_to_json
from sjavs_env.cli.atomic_files import (
    check_not_read,
    check_writable,
    is_same_file,
    json_bytes,
    write_all,
)
from sjavs_env.cli.columns import in_columns
from sjavs_env.cli.command import BAD_INPUT, FAILED, OneLineParser, reason
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_of
from sjavs_env.errors import shown
from sjavs_env.records.history import Record

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["main"]


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(prog=program, description="Measure agents on duplicate boards.")
    agents = (
        f"{', '.join(AGENTS)}, a checkpoint, or module:Class for one of your own; options follow "
        "a colon, as in x:temperature=1"
    )
    add = parser.add_argument
    add("agents", nargs="+", metavar="AGENT", help=f"two or more of: {agents}")
    add_rule_arguments(parser)
    add("--episode", default="deal", choices=EPISODES,
        help="what a board is: one deal or one rubber (default: %(default)s)")  # fmt: skip
    add("--boards", type=int, default=1000, help="boards of each pair (default: %(default)s)")
    add("--seed", type=int, default=0, help="seed of deals and agents (default: %(default)s)")
    add("--json", type=Path, metavar="FILE", help="write the results to this file")
    add("--record", type=Path, metavar="FILE", help="write all games to this file, one a line")
    add("--timings", action="store_true", help="write CPU times as well; they differ every time")
    return parser


@dataclass
class Plan:
    """What was asked for, checked: nothing can be wrong with the input any more."""

    game: Game
    agents: list[Agent]
    args: argparse.Namespace
    records: list[Record] = field(default_factory=list)  # of all games, if they are wanted
    results: list[MatchResult] = field(default_factory=list)  # so far
    trouble: str | None = None  # why there are no more of them

    @classmethod
    def of(cls, args: argparse.Namespace) -> Plan:
        """Check the arguments; ValueError or OSError, one line, for the first bad one."""
        game = Game(rules_of(args))
        check_match(args.boards, args.seed, args.episode)
        if len(args.agents) < 2:
            raise ValueError(f"agents is {shown(args.agents[0])} alone; allowed: two or more")
        for option, path in (("json", args.json), ("record", args.record)):
            if path is not None:
                check_writable(path)
                check_not_read(option, path, chain.from_iterable(map(files_of, args.agents)))
        if args.json and args.record and is_same_file(args.json, args.record):
            raise ValueError(f"--record is {str(args.record)!r}, as --json is; allowed: two files")
        return cls(game, [make_agent(name, game) for name in args.agents], args)

    def play(self) -> None:
        """Play all pairs; where that goes wrong, all that was finished before is kept."""
        args = self.args
        keep = None if args.record is None else self.records.extend
        for pair in combinations(self.agents, 2):
            try:
                result = play_match(
                    self.game, pair, args.boards, args.seed, episode=args.episode, keep=keep
                )
            except MatchError as error:
                self.trouble = str(error)
                self.results += [error.so_far] if error.so_far else []
                return
            self.results.append(result)


def _as_json(plan: Plan, results: list[MatchResult]) -> dict[str, Any]:
    args = plan.args
    data: dict[str, Any] = {
        "versions": {
            "python": platform.python_version(),
            "sjavs": __version__,
            "numpy": np.__version__,
        },
        "rules": rules_to_json(plan.game.rules),
        "agents": [agent.name for agent in plan.agents],
        "episode": args.episode,
        "seed": args.seed,
        "boards": args.boards,
        "pairs": [match_report(result) for result in results],
    }
    if plan.trouble is not None:
        data["stopped"] = plan.trouble
    if args.timings:
        data["timings"] = [timing_report(result) for result in results]
    return data


COLUMNS = {  # of the table, by estimate
    "game_points": "game points/deal",
    "card_points": "card points/deal",
    "boards_won": "boards won",
    "rubbers_won": "rubbers won",
    "crosses": "crosses/rubber",
}


def _rows(results: list[MatchResult]) -> list[list[str]]:
    """The table as text, the head first."""
    heads = dict(COLUMNS)
    if results[0].game.tables.match.kind == "deals":
        heads["crosses"] = "chips/rubber"
    found = [heads[name] for name in results[0].estimates()]
    rows = [["A", "B", *found, "p", "decisions/s A", "decisions/s B"]]
    for result in results:
        estimates = result.estimates()
        cells = [
            f"{100 * e.mean:.1f} %" if name.endswith("_won") else signed(e)
            for name, e in estimates.items()
        ]
        p_value = _p_value(estimates["game_points"].p_value)
        speeds = [t["decisions_per_second"] for t in timing_report(result)]
        shown = [f"{speed:,.0f}" if speed else "-" for speed in speeds]
        rows.append([*result.agents, *cells, p_value, *shown])
    return rows


def _p_value(p_value: float | None) -> str:
    if p_value is None:
        return "-"
    return "<1e-99" if p_value < 1e-99 else f"{p_value:.2g}"


def _terminal() -> Console | None:
    """Return the terminal, if there is one and the package that draws on it."""
    try:
        from rich.console import Console
    except ModuleNotFoundError:
        return None
    console = Console()
    return console if console.is_terminal else None


def _show(plan: Plan, results: list[MatchResult], console: Console | None) -> None:
    head, *rows = _rows(results)
    args = plan.args
    boards = "1 board" if args.boards == 1 else f"{args.boards} boards"
    title = f"{plan.game.rules.name}, {boards} of one {args.episode}, seed {args.seed}"
    if console is not None:
        from rich.table import Table

        table = Table(*head, title=title, caption="A more than B, with 95% intervals")
        for row in rows:
            table.add_row(*row)
        console.print(table)
        return
    print(f"{title}: A more than B, with 95% intervals")
    for line in in_columns([head, *rows]):
        print(line)


def main(argv: Sequence[str] | None = None, program: str = "sjavs evaluate") -> int:
    """Run the command; return its exit status.  ``program`` is what errors call it."""
    args = _parser(program).parse_args(argv)
    try:
        plan = Plan.of(args)
    except (ValueError, OSError) as error:
        print(f"{program}: error: {reason(error)}", file=sys.stderr)
        return BAD_INPUT
    plan.play()
    results = plan.results
    if plan.trouble is not None:
        print(f"{program}: error: {plan.trouble}", file=sys.stderr)
        if not results:
            return FAILED
    try:  # the files first: nobody may be there any more to read the table
        files = {}
        if args.json is not None:
            files[args.json] = json_bytes(_as_json(plan, results))
        if args.record is not None:
            files[args.record] = records_bytes(plan.records)
        write_all(files)
    finally:
        _show(plan, results, _terminal())
    return 0 if plan.trouble is None else FAILED
