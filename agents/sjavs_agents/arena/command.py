"""Measure agents against each other on duplicate boards.

``sjavs evaluate rules random --boards 1000 --seed 7`` plays numbered deals twice with the
sides exchanged (where one plays alone: with each agent alone in every seat) and prints what A
wins more per deal than B, with 95% intervals.  More than two agents play all pairs.  The same
command writes the same JSON, byte for byte, however many processes play.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sjavs_agents.arena.match import EPISODES
from sjavs_agents.arena.results_folder import BOARDS, MATCH, RESULTS, boards_bytes
from sjavs_agents.arena.shard import Part
from sjavs_agents.arena.shard_file import unpacked_records
from sjavs_agents.arena.stopped_results import begins_with, holds_stopped, place_for
from sjavs_agents.arena.tournament.crew import crew_of, one_thread
from sjavs_agents.arena.tournament.plan import Plan
from sjavs_agents.arena.tournament.progress import Shown
from sjavs_agents.arena.tournament.running import Halt, Halted, Ranks, Tournament
from sjavs_agents.arena.tournament.summary import Rows, as_json, matches, tables
from sjavs_agents.neural.shelf import CHAMPION
from sjavs_agents.registry import AGENTS
from sjavs_env.cli.atomic_files import json_bytes, write_all, write_json
from sjavs_env.cli.claim import claimed
from sjavs_env.cli.columns import in_columns
from sjavs_env.cli.command import BAD_INPUT, FAILED, INTERRUPTED, OneLineParser, reason
from sjavs_env.cli.rule_arguments import add_rule_arguments
from sjavs_env.cli.stop import StopSignal

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["main"]


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(prog=program, description="Measure agents on duplicate boards.")
    agents = (
        f"{', '.join(AGENTS)}, {CHAMPION}, a checkpoint, or module:Class for one of your own; "
        "options follow a colon, as in x:temperature=1; a pattern as runs/*/checkpoints/* is all "
        "of its files"
    )
    add = parser.add_argument
    add("agents", nargs="+", metavar="AGENT", help=f"two or more of: {agents}")
    add_rule_arguments(parser)
    add("--episode", default="deal", choices=EPISODES,
        help="what a board is: one deal or one rubber (default: %(default)s)")  # fmt: skip
    add("--boards", type=int, default=1000, help="boards of each pair (default: %(default)s)")
    add("--seed", type=int, default=0, help="seed of deals and agents (default: %(default)s)")
    form = parser.add_mutually_exclusive_group().add_argument
    form("--gauntlet", action="store_true", help="play the first agent against each other one")
    form("--partners", action="store_true",
         help="make partners of every two agents, against one agent twice")  # fmt: skip
    form("--table", action="store_true",
         help="seat a different agent in every seat, in all orders on the same deals")  # fmt: skip
    add("--against", metavar="AGENT", help="whom --partners play against (default: the first)")
    add("--until-sure", nargs="?", const="0,0.05", metavar="DELTA",
        help="stop a pair once its boards tell a difference of 0 game points per deal from one of "
        "DELTA, or LOW from HIGH in LOW,HIGH (default: %(const)s), after --boards at most; then "
        "measure it anew on as many fresh boards")  # fmt: skip
    add("--processes", default="1", metavar="N",
        help="processes that play, auto for one on each core (default: %(default)s)")  # fmt: skip
    add("--out", type=Path, metavar="DIR",
        help="keep everything in this folder; the same command goes on after an interrupt, also "
        "with more boards")  # fmt: skip
    add("--json", type=Path, metavar="FILE", help="write the results to this file")
    add("--record", type=Path, metavar="FILE", help="write all games to this file, one a line")
    add("--timings", action="store_true", help="write CPU times as well; they differ every time")
    return parser


class Records:
    """The games so far, packed, in a file that is gone when the program ends."""

    def __init__(self, beside: Path) -> None:
        """Open it in the folder of the file that is wanted, where there must be room anyway."""
        self.file: IO[bytes] = tempfile.TemporaryFile(dir=beside.parent)  # noqa: SIM115
        self.sizes: list[int] = []

    def add(self, packed: bytes) -> None:
        """Keep the next ones."""
        self.file.write(packed)
        self.sizes.append(len(packed))

    def lines(self) -> Iterator[bytes]:
        """Yield them as they stand in a file of records, some at a time."""
        self.file.seek(0)
        for size in self.sizes:
            yield from unpacked_records(self.file.read(size))


class Evaluation:
    """A tournament from the checked arguments to the files and tables."""

    def __init__(self, plan: Plan, ranks: Ranks, program: str) -> None:
        self.plan, self.ranks, self.program = plan, ranks, program
        self.stop = StopSignal()
        self.halt = Halt(self.stop)
        self.player = plan.player()
        self.bouts = plan.bouts(self.player)
        self.tournament = Tournament(self.bouts, self.player, self.halt, ranks)
        record = plan.args.record if ranks.leads else None
        self.records = None if record is None else Records(record)

    def play(self) -> None:
        """Play until all is over, or as far as it goes."""
        shown = Shown(self.tournament) if self.ranks.leads else None

        def look() -> None:
            if shown is not None:
                shown.look()

        def go_on() -> None:
            look()
            if self.halt.is_due:
                raise Halted

        def entered(part: Part) -> None:
            if self.records is not None:
                self.records.add(part.records)

        with ExitStack() as held:
            held.enter_context(self.stop)
            if shown is not None:
                held.enter_context(shown)
            crew = held.enter_context(crew_of(self.plan.processes, self.player, go_on))
            self.tournament.play(crew, entered, look)

    def stopped(self) -> str | None:
        """Return why the results are not those of all boards; None if they are."""
        if self.tournament.is_finished:
            return None
        return self.tournament.trouble or "interrupted"

    def write(self) -> None:
        """Write all files, whole and together or not at all.

        Of a stopped evaluation, a file with anything that is not in its results stays as it is.
        """
        args, stopped = self.plan.args, self.stopped()
        data = as_json(self.plan, self.bouts, stopped)
        results = json_bytes(data)
        files: dict[Path, bytes | Iterator[bytes]] = {}
        if args.json is not None:
            files[self._place(args.json, lambda path: holds_stopped(data, path))] = results
        if args.out is not None:
            files[args.out / RESULTS] = results
            files[args.out / BOARDS] = boards_bytes(matches(self.plan, self.bouts))
        if self.records is not None:
            lines = self.records.lines
            files[self._place(args.record, lambda path: begins_with(lines(), path))] = lines()
        write_all(files)

    def _place(self, path: Path, is_ours: Callable[[Path], bool]) -> Path:
        """Return where to write: beside the file if that has what would be lost."""
        found = path if self.stopped() is None else place_for(path, is_ours)
        if found != path:
            print(f"{self.program}: {path} stays as it is; what was played is in {found}",
                  file=sys.stderr)  # fmt: skip
        return found

    def status(self) -> int:
        """Say what went wrong, if anything did; return the exit status."""
        tournament, goes_on = self.tournament, ""
        if self.stopped() is None:
            return 0
        if self.plan.args.out is not None:
            goes_on = "; the same command goes on"
        if tournament.trouble is not None:
            print(f"{self.program}: error: {tournament.trouble}{goes_on}", file=sys.stderr)
            return FAILED
        bout = tournament.under_way
        if self.ranks.leads:
            told = f"interrupted after {bout.done} boards of {' and '.join(bout.names)}"
            print(f"{self.program}: {told}{goes_on}", file=sys.stderr)
        return INTERRUPTED


def _terminal() -> Console | None:
    """Return the terminal, if there is one and the package that draws on it."""
    try:
        from rich.console import Console
    except ModuleNotFoundError:
        return None
    console = Console()
    return console if console.is_terminal else None


def _show(found: list[tuple[str, Rows]], console: Console | None) -> None:
    if console is not None:
        from rich.table import Table

        for title, (head, *rows) in found:
            table = Table(*head, title=title)
            for row in rows:
                table.add_row(*row)
            console.print(table)
        return
    for i, (title, rows) in enumerate(found):
        print(f"\n{title}" if i else title)
        for line in in_columns(rows):
            print(line)


def main(argv: Sequence[str] | None = None, program: str = "sjavs evaluate") -> int:
    """Run the command; return its exit status.  ``program`` is what errors call it."""
    args = _parser(program).parse_args(argv)
    with ExitStack() as held:
        try:
            evaluation = _opened(args, program, held)
        except (ValueError, OSError) as error:
            print(f"{program}: error: {reason(error)}", file=sys.stderr)
            return BAD_INPUT
        evaluation.play()
        status = evaluation.status()
        if not evaluation.ranks.leads or not any(bout.done for bout in evaluation.bouts):
            return status
        try:  # the files first: nobody may be there any more to read the tables
            evaluation.write()
        finally:
            _show(tables(evaluation.plan, evaluation.bouts), _terminal())
    return status


def _opened(args: argparse.Namespace, program: str, held: ExitStack) -> Evaluation:
    """Check everything, and claim the folder; ValueError or OSError, one line."""
    one_thread()
    ranks = Ranks.here()
    if ranks.size > 1 and args.out is None:
        raise ValueError(
            f"WORLD_SIZE is {ranks.size} without --out; allowed: a folder that all processes share"
        )
    plan = Plan.of(args)
    if args.out is not None and ranks.leads:
        held.enter_context(claimed(args.out, "another evaluation", "another --out"))
        write_json(args.out / MATCH, plan.specification())
    ranks.leave_with_the_launcher()
    evaluation = Evaluation(plan, ranks, program)
    if evaluation.records is not None:
        held.callback(evaluation.records.file.close)
    return evaluation
