"""Write what ``benchmarks.variance`` has found as the table of ``docs/analysis.md``.

``python -m benchmarks.variance_table FILE...`` reads files of ``--json``, keeps what the table
needs of them in ``docs/luck_spreads.json``, and prints the table in Markdown; without files it
prints the table of those that are kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sjavs_agents.registry import AGENTS
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, run_command

__all__ = ["KEPT", "main", "markdown"]

KEPT = Path(__file__).parent.parent / "docs" / "luck_spreads.json"
WAYS = {"corrected": "one table, luck out", "known": "and of draws", "duplicate": "duplicate board",
        "both": "both"}  # fmt: skip


def called(agent: str) -> str:
    """Return what an agent is called in the table: a file or folder is a trained player."""
    plain, _, options = agent.partition(":")
    if plain in AGENTS:
        return f"`{agent}`"
    return "trained, drawing" if "temperature" in options else "trained"


def read_match(path: Path) -> dict[str, Any]:
    """Return what the table needs of a file."""
    data = json.loads(path.read_text("utf-8"))
    rules = data["rules"]
    game = rules["name"] + "".join(
        f", {value} players" for key, value in rules["overrides"].items() if key == "players"
    )
    return {
        "game": game,
        "agents": [called(name) for name in data["agents"]],
        "crew": any(spread.get("known") for spread in data["spreads"]),
        **{key: data[key] for key in ("boards", "seed", "spreads")},
    }


def markdown(matches: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the lines of the table: how many times as many deals each way saves."""
    lines = [
        f"| game | A – B | boards | in | {' | '.join(WAYS.values())} |",
        "|" + "---|" * (4 + len(WAYS)),
    ]
    for match in matches:
        first = f"{match['game']} | {' – '.join(match['agents'])} | {match['boards']}"
        if match["crew"]:
            first = first.replace(" | ", ", with a crew | ", 1)
        for spread in match["spreads"]:
            unit = spread["unit"].replace("_", " ")
            cells = [_saved(spread, way) for way in WAYS]
            lines.append(f"| {first} | {unit} | {' | '.join(cells)} |")
            first = " | | "
    return [line.replace("|  | |  |", "| | | |").replace("|  |", "| |") for line in lines]


def _saved(spread: Mapping[str, Any], way: str) -> str:
    rest = spread.get(way)
    return f"{(spread['plain'] / rest) ** 2:.1f}" if rest else ""


def main(argv: Sequence[str] | None = None) -> int:
    """Keep what the files hold, if there are any, and print the table; return the exit status."""
    parser = OneLineParser(prog="benchmarks.variance_table", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    args = parser.parse_args(argv)
    if args.files:
        write_json(KEPT, {"matches": [read_match(path) for path in args.files]}, indent=1)
    print("\n".join(markdown(json.loads(KEPT.read_text("utf-8"))["matches"])))
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.variance_table", main))
