"""Judge recorded games: ``sjavs analyze RECORD [--agents rules,expert]``.

RECORD is a file of game records.  For every decision with a choice it tells what agents would
have done, what each card was worth by what its player knew and with open hands, and where the
hidden cards may have been; for every deal, what its cards held.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sjavs_agents.analyze.judgement import Judgement
from sjavs_agents.analyze.recorded_games import RecordedGame, read_games
from sjavs_agents.analyze.text import deal_lines
from sjavs_agents.base import Agent
from sjavs_agents.base.asking import AgentError
from sjavs_agents.belief.reading import read_belief
from sjavs_agents.registry import MOST_THREADS, files_of, make_agent, split_names
from sjavs_env import Game
from sjavs_env.cli.atomic_files import check_not_read, check_writable, write_json
from sjavs_env.cli.command import BAD_INPUT, FAILED, OneLineParser, reason
from sjavs_env.cli.extras import needing

if TYPE_CHECKING:
    from sjavs_agents.analyze.judge import Judge

__all__ = ["main"]

FORMAT, VERSION = "sjavs-analysis", 1
USUAL = ("rules", "expert", "greedy")  # the first two that know the game are asked by default


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(prog=program, description="Judge recorded games.")
    add = parser.add_argument
    add("record", type=Path, metavar="RECORD", help="a file of game records, one in a line")
    add("--agents", metavar="A,B,...",
        help="what these would have done (default: rules,expert, if they know it)")  # fmt: skip
    add("--belief", metavar="FILE",
        help="a belief learned by `sjavs belief`: where it expects hidden cards")  # fmt: skip
    add("--worlds", type=int, default=20,
        help="worlds that a seat is imagined in, per decision (default: %(default)s)")  # fmt: skip
    add("--seed", type=int, default=0, help="seed of worlds and agents (default: %(default)s)")
    add("--line", type=int, help="judge the game of this line alone, from 1")
    add("--deal", type=int, help="judge this deal of each game alone, from 1")
    add("--threads", type=int, default=1, help="threads that solve (default: %(default)s)")
    add("--verbose", action="store_true", help="the worth of every card, and beliefs")
    add("--json", type=Path, metavar="FILE", help="write everything to this file as well")
    return parser


def main(argv: Sequence[str] | None = None, program: str = "sjavs analyze") -> int:
    """Run the command; return its exit status, 2 for bad input."""
    args = _parser(program).parse_args(argv)
    try:
        plan = _plan(args)
        games = [_as_json(game, judge, _judged(game, judge, args)) for game, judge in plan]
    except BrokenPipeError:  # a reader has left; nothing is wrong with the input
        raise
    except (ValueError, OSError) as error:
        print(f"{program}: error: {reason(error)}", file=sys.stderr)
        return BAD_INPUT
    except AgentError as error:
        print(f"{program}: error: {error}", file=sys.stderr)
        return FAILED
    if args.json is not None:
        head = {"format": FORMAT, "version": VERSION, "worlds": args.worlds, "seed": args.seed}
        head["belief"] = args.belief
        write_json(args.json, {**head, "games": games}, indent=1)
    return 0


def _plan(args: argparse.Namespace) -> list[tuple[RecordedGame, Judge]]:
    """Return the games with their judges; ValueError or OSError for the first bad argument."""
    if not 1 <= args.threads <= MOST_THREADS:
        raise ValueError(f"threads is {args.threads}; allowed: 1 to {MOST_THREADS}")
    if args.seed < 0:
        raise ValueError(f"seed is {args.seed}; allowed: a number from 0")
    if args.json is not None:
        check_writable(args.json)
        check_not_read("json", args.json, _files_read(args))
    with needing("search"):
        from sjavs_agents.analyze.judge import Judge
    judges: dict[str, Judge] = {}
    plan = []
    for game in read_games(args.record, args.line, args.deal):
        rules = json.dumps(game.rules, sort_keys=True)
        if rules not in judges:
            agents = _agents(args.agents, game.game)
            belief = read_belief(args.belief, game.game) if args.belief else None
            judges[rules] = Judge(game.game, agents, args.worlds, args.threads, belief)
        plan.append((game, judges[rules]))
    return plan


def _files_read(args: argparse.Namespace) -> list[Path]:
    beliefs = [Path(args.belief)] if args.belief else []
    names = split_names(args.agents) if args.agents is not None else []
    return [args.record, *beliefs, *chain.from_iterable(map(files_of, names))]


def _judged(game: RecordedGame, judge: Judge, args: argparse.Namespace) -> list[Judgement]:
    """Judge the deals of a game, and print each as soon as it is judged."""
    judgements = []
    for deal in game.deals:
        if sys.stderr.isatty():  # a deal may take minutes
            print(f"judging line {game.line}, deal {deal.place + 1}", file=sys.stderr)
        judgement = judge.judge(deal, args.seed)
        judgements.append(judgement)
        text = "\n".join(deal_lines(judgement, verbose=args.verbose))
        try:
            print(f"{game.game.rules.name}, line {game.line}, {text}\n", flush=True)
        except BrokenPipeError:
            if args.json is None:  # else somebody waits for the file
                raise
    return judgements


def _agents(names: str | None, game: Game) -> list[Agent]:
    """Return the agents asked for, or those of the usual ones that know the game."""
    if names is not None:
        return [make_agent(name, game) for name in split_names(names)]
    known = filter(None, (_known(name, game) for name in USUAL))
    return list(islice(known, len(USUAL) - 1))


def _known(name: str, game: Game) -> Agent | None:
    """Return an agent, or None if it does not know the game."""
    try:
        return make_agent(name, game)
    except ValueError:
        return None


def _as_json(game: RecordedGame, judge: Judge, deals: list[Judgement]) -> dict[str, Any]:
    return {
        "line": game.line,
        "rules": game.rules,
        "players": game.players,
        "agents": [agent.name for agent in judge.agents],
        "deals": [asdict(deal) for deal in deals],
    }
