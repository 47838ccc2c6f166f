"""Show where two players parted: ``sjavs swings games.jsonl``.

The records are those of duplicate boards, as ``sjavs evaluate --record`` writes them, or come from
the folder of ``--out``; games that were not recorded are played again.  The boards
with the largest difference are shown with open hands at the first decision that the tables made
differently, and what followed at each; ``--record`` writes their records for ``sjavs analyze``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sjavs_agents.arena.recording import records_bytes
from sjavs_agents.arena.results_folder import BOARDS, MATCH, RESULTS
from sjavs_agents.luck.recorded_results import episodes_of
from sjavs_agents.registry import split_names
from sjavs_agents.swings.folder_games import games_of_folder
from sjavs_agents.swings.side_by_side import board_lines
from sjavs_agents.swings.swung_boards import Swing, largest_swings, swings_among
from sjavs_env import Game, read_records, rules_to_json
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
    add("records", type=Path, metavar="RECORDS",
        help="a file of records, one in a line, or a folder of sjavs evaluate --out")  # fmt: skip
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
            check_not_read(option, path, _files_read(args.records))
    if args.json and args.record and is_same_file(args.json, args.record):
        raise ValueError(f"--record is {str(args.record)!r}, as --json is; allowed: two files")
    wanted = split_names(args.players) if args.players is not None else None
    read = _from_folder if args.records.is_dir() else _from_file
    game, (a, b), swings, records, places = read(args.records, args.count, wanted)
    files: dict[Path, bytes] = {}
    if args.record is not None:
        chosen = [records[line] for swing in swings for line in swing.lines]
        files[args.record] = records_bytes(chosen)
    if args.json is not None:
        head: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        head |= {"rules": rules_to_json(game.rules), "players": [a, b]}
        boards = [_as_json(swing, records, places) for swing in swings]
        files[args.json] = json_bytes({**head, "boards": boards})
    write_all(files)
    for number, swing in enumerate(swings, start=1):
        first, second = (records[line] for line in swing.lines)
        print(f"{'' if number == 1 else chr(10)}{number}. {_headline(swing, a, b, first, places)}")
        for line in board_lines(game, (first, second), plain=args.plain):
            print(line)
    return 0


Places = list[tuple[int, int]]  # of records: board and table, from 0; none for lines of a file
Found = tuple[Game, tuple[str, str], list[Swing], dict[int, Record], Places]


def _files_read(path: Path) -> list[Path]:
    return [path, *(path / name for name in (MATCH, RESULTS, BOARDS))]


def _from_file(path: Path, count: int, wanted: Sequence[str] | None) -> Found:
    episodes, players, swings = largest_swings(path, count, wanted)
    lines = {line for swing in swings for line in swing.lines}
    records = {line: r for line, r in enumerate(read_records(path)) if line in lines}
    return episodes.game, players, swings, records, []


def _from_folder(path: Path, count: int, wanted: Sequence[str] | None) -> Found:
    found = games_of_folder(path, count, wanted)
    episodes = episodes_of(found.records, str(path))
    players, swings = swings_among(episodes, count, found.players, str(path))
    return episodes.game, players, swings, dict(enumerate(found.records)), found.places


def _headline(swing: Swing, a: str, b: str, record: Record, places: Places) -> str:
    lines = " and ".join(str(line + 1) for line in swing.lines)
    where = f"lines {lines}"
    if places:
        tables = " and ".join(str(places[line][1] + 1) for line in swing.lines)
        where = f"board {places[swing.lines[0]][0]}, tables {tables}"
    deal = record["deals"][0].get("deal_number")
    told = "" if deal is None else f"deal {deal}, "
    return (
        f"{told}{where}: {a} {swing.game_points:+.2f} game points, "
        f"{swing.card_points:+.1f} card points a table more than {b}"
    )


def _as_json(swing: Swing, records: dict[int, Record], places: Places) -> dict[str, Any]:
    where: dict[str, Any] = {"lines": [line + 1 for line in swing.lines]}
    if places:
        where = {"board": places[swing.lines[0]][0],
                 "tables": [places[line][1] + 1 for line in swing.lines]}  # fmt: skip
    return {
        "deal_number": records[swing.lines[0]]["deals"][0].get("deal_number"),
        **where,
        "game_points": swing.game_points,
        "card_points": swing.card_points,
        "by_table": list(swing.by_table),
    }
