"""Show where two players parted: ``sjavs swings games.jsonl``.

The records are those of duplicate boards, as ``sjavs evaluate --record`` writes them.  The boards
with the largest difference are shown with open hands at the first decision that the tables made
differently, and what followed at each; ``--record`` writes their records for ``sjavs analyze``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sjavs_agents.arena.recording import records_bytes
from sjavs_agents.swings.side_by_side import board_lines
from sjavs_agents.swings.swung_boards import Swing, largest_swings
from sjavs_env import read_records, rules_to_json
from sjavs_env.cli.atomic_files import (
    check_not_read,
    check_writable,
    is_same_file,
    json_bytes,
    write_all,
)
from sjavs_env.cli.command import OneLineParser, in_one_line
from sjavs_env.cli.readable import check_readable
from sjavs_env.records.history import Record

__all__ = ["main"]

FORMAT, VERSION = "sjavs-swings", 1
MOST = 10_000  # boards that are shown


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(prog=program, description="Show the boards that moved most.")
    add = parser.add_argument
    add("records", type=Path, metavar="RECORDS", help="a file of game records, one in a line")
    add("--players", metavar="A,B", help="whom to compare (default: the two there are)")
    add("--count", type=int, default=5, help="boards to show (default: %(default)s)")
    add("--plain", action="store_true", help="suits as letters")
    add("--record", type=Path, metavar="FILE",
        help="write the records of the tables shown to this file")  # fmt: skip
    add("--json", type=Path, metavar="FILE", help="write the list of boards to this file")
    return parser


def main(argv: Sequence[str] | None = None, program: str = "sjavs swings") -> int:
    """Run the command; return its exit status, 2 for bad input."""
    args = _parser(program).parse_args(argv)
    return in_one_line(program, lambda: _show(args))


def _show(args: argparse.Namespace) -> int:
    if not 1 <= args.count <= MOST:
        raise ValueError(f"count is {args.count}; allowed: 1 to {MOST}")
    check_readable(args.records, again=True)
    for option, path in (("record", args.record), ("json", args.json)):
        if path is not None:
            check_writable(path)
            check_not_read(option, path, [args.records])
    if args.json and args.record and is_same_file(args.json, args.record):
        raise ValueError(f"--record is {str(args.record)!r}, as --json is; allowed: two files")
    wanted = args.players.split(",") if args.players is not None else None
    episodes, (a, b), swings = largest_swings(args.records, args.count, wanted)
    records = _records(args.records, swings)
    files: dict[Path, bytes] = {}
    if args.record is not None:
        chosen = [records[line] for swing in swings for line in swing.lines]
        files[args.record] = records_bytes(chosen)
    if args.json is not None:
        head: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        head |= {"rules": rules_to_json(episodes.game.rules), "players": [a, b]}
        boards = [_as_json(swing, records) for swing in swings]
        files[args.json] = json_bytes({**head, "boards": boards})
    write_all(files)
    for number, swing in enumerate(swings, start=1):
        first, second = (records[line] for line in swing.lines)
        print(f"{'' if number == 1 else chr(10)}{number}. {_headline(swing, a, b, first)}")
        for line in board_lines(episodes.game, (first, second), plain=args.plain):
            print(line)
    return 0


def _records(path: Path, swings: list[Swing]) -> dict[int, Record]:
    wanted = {line for swing in swings for line in swing.lines}
    return {line: r for line, r in enumerate(read_records(path)) if line in wanted}


def _headline(swing: Swing, a: str, b: str, record: Record) -> str:
    lines = " and ".join(str(line + 1) for line in swing.lines)
    deal = record["deals"][0].get("deal_number")
    told = "" if deal is None else f"deal {deal}, "
    return (
        f"{told}lines {lines}: {a} {swing.game_points:+.2f} game points, "
        f"{swing.card_points:+.1f} card points a table more than {b}"
    )


def _as_json(swing: Swing, records: dict[int, Record]) -> dict[str, Any]:
    return {
        "deal_number": records[swing.lines[0]]["deals"][0].get("deal_number"),
        "lines": [line + 1 for line in swing.lines],
        "game_points": swing.game_points,
        "card_points": swing.card_points,
        "by_table": list(swing.by_table),
    }
