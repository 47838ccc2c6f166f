"""Judge recorded games: ``python -m agents.analyze RECORD [--agents rules,expert]``.

RECORD is a file of game records.  For every decision with a choice it tells what agents would
have done, what each card was worth by what its player knew and with open hands, and where the
hidden cards may have been; for every deal, what its cards held.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from agents.base import Agent
from agents.registry import make_agent
from sjavs_env import Game

if TYPE_CHECKING:  # the modules behind need numba, which may be missing
    from agents.analyze.deals import RecordedGame
    from agents.analyze.judgement import Judgement

__all__ = ["main"]

BAD_INPUT = 2  # exit status
FORMAT, VERSION = "sjavs-analysis", 1
USUAL = ("rules", "expert", "greedy")  # the first two that know the game are asked by default


class _Parser(argparse.ArgumentParser):
    """Reports an error in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: error: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m agents.analyze", description="Judge recorded games.")
    add = parser.add_argument
    add("record", type=Path, metavar="RECORD", help="a file of game records, one in a line")
    add("--agents", metavar="A,B,...",
        help="what these would have done (default: rules,expert where they know the game)")  # fmt: skip
    add("--worlds", type=int, default=20,
        help="worlds that a seat is imagined in, per decision (default: %(default)s)")  # fmt: skip
    add("--seed", type=int, default=0, help="seed of worlds and agents (default: %(default)s)")
    add("--line", type=int, help="judge the game of this line alone, from 1")
    add("--deal", type=int, help="judge this deal of each game alone, from 1")
    add("--threads", type=int, default=1, help="threads that solve (default: %(default)s)")
    add("--verbose", action="store_true", help="the worth of every card, and beliefs")
    add("--json", type=Path, metavar="FILE", help="write everything to this file as well")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status, 2 for bad input."""
    args = _parser().parse_args(argv)
    try:
        games = _judged(args)
        if args.json is not None:
            _write(args.json, {**_head(args), "games": games})
    except ModuleNotFoundError as error:
        print(f"agents.analyze: error: needs {error.name}; pip install 'sjavs[search]'",
              file=sys.stderr)  # fmt: skip
        return BAD_INPUT
    except (ValueError, OSError) as error:
        print(f"agents.analyze: error: {_one_line(error)}", file=sys.stderr)
        return BAD_INPUT
    return 0


def _judged(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Judge all that was asked for, print it deal by deal, and return it as JSON values."""
    from agents.analyze.deals import read_games
    from agents.analyze.judge import Judge
    from agents.analyze.text import deal_lines

    for name, value in (("worlds", args.worlds), ("threads", args.threads)):
        if value < 1:
            raise ValueError(f"{name} is {value}; allowed: a number from 1")
    if args.seed < 0:
        raise ValueError(f"seed is {args.seed}; allowed: a number from 0")
    found = read_games(args.record, args.line, args.deal)
    judges: dict[str, Judge] = {}
    plan = []
    for game in found:  # all agents are made before anything is judged
        rules = json.dumps(game.rules, sort_keys=True)
        if rules not in judges:
            agents = _agents(args.agents, game.game)
            judges[rules] = Judge(game.game, agents, args.worlds, args.threads)
        plan.append((game, judges[rules]))
    written = []
    for game, judge in plan:
        deals = []
        for deal in game.deals:
            judgement = judge.judge(deal, args.seed)
            deals.append(judgement)
            title = f"{game.game.rules.name}, line {game.line}, "
            print("\n".join([title + line if i == 0 else line for i, line in enumerate(
                deal_lines(judgement, verbose=args.verbose))]) + "\n")  # fmt: skip
        written.append(_as_json(game, [a.name for a in judge.agents], deals))
    return written


def _agents(names: str | None, game: Game) -> list[Agent]:
    """Return the agents asked for, or those of the usual ones that know the game."""
    if names is not None:
        return [make_agent(name, game) for name in split_names(names)]
    agents = []
    for name in USUAL:
        try:
            agents.append(make_agent(name, game))
        except ValueError:  # it does not know this game
            continue
    return agents[: len(USUAL) - 1]


def split_names(text: str) -> Iterator[str]:
    """Split names of agents at commas; ``key=value`` after one is an option of the name before.

    ValueError for an empty name.
    """
    names: list[str] = []
    for part in text.split(","):
        if names and re.match(r"\w+=", part):
            names[-1] += f",{part}"
        elif part:
            names.append(part)
        else:
            raise ValueError(f"agents is {text!r}; allowed: names parted by commas")
    return iter(names)


def _head(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "worlds": args.worlds,
        "seed": args.seed,
    }


def _as_json(
    game: RecordedGame, agents: list[str], deals: list[Judgement]
) -> dict[str, Any]:
    return {
        "line": game.line,
        "rules": game.rules,
        "players": game.players,
        "agents": agents,
        "deals": [asdict(deal) for deal in deals],
    }


def _write(path: Path, data: dict[str, Any]) -> None:
    text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


if __name__ == "__main__":
    sys.exit(main())
