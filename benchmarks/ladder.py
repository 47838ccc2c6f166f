"""The ladder of players: each rung against the one below, on duplicate boards.

``python -m benchmarks.ladder --rules faroese [--seconds 60] [--json FILE]``.  Every pair plays
rounds of boards until its time is up, so slow players get few boards and wide intervals; how
many they were is printed.  Milliseconds are processor time per decision that offers a choice,
from the rung's match against the rung below.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.arguments import number, writable
from sjavs_agents.arena.match import play_match
from sjavs_agents.registry import make_agent
from sjavs_agents.stats.estimates import Estimate, estimate_mean
from sjavs_env import Game, rules_to_json
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, reason, run_command
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_of

__all__ = ["RUNGS", "main"]

RUNGS = ("random", "greedy", "rules", "pimc:worlds=5", "pimc:worlds=20", "pimc:worlds=100",
         "cheater")  # fmt: skip
ROUND = 16  # boards between two looks at the clock
MOST = 4096  # boards of a pair that is soon done


@dataclass(frozen=True)
class Step:
    """One rung against another."""

    upper: str
    lower: str
    boards: int
    game_points: Estimate
    card_points: Estimate
    milliseconds: float  # of the upper one, per decision

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        points, cards = (
            {"mean": e.mean, "low": e.low, "high": e.high}
            for e in (self.game_points, self.card_points)
        )
        return {
            "upper": self.upper, "lower": self.lower, "boards": self.boards,
            "game_points": points, "card_points": cards, "milliseconds": self.milliseconds,
        }  # fmt: skip


def climb(game: Game, upper: str, lower: str, seconds: float, seed: int) -> Step:
    """Play rounds of ``upper`` against ``lower`` until the time is up, two rounds at least."""
    pair = make_agent(upper, game), make_agent(lower, game)
    play_match(game, pair, 1, seed=seed)  # compiled code is loaded
    points, cards, spent, asked, start = [], [], 0.0, 0, time.perf_counter()
    n_rounds, size = 0, ROUND
    while n_rounds < 2 or (time.perf_counter() - start < seconds and n_rounds * size < MOST):
        result = play_match(game, pair, size, seed=seed + n_rounds)
        points.append(result.board_game_points)
        cards.append(result.board_card_points)
        spent += float(result.tally.seconds[0])
        asked += int(result.tally.decisions[0])
        n_rounds += 1
    boards = np.concatenate(points)
    return Step(upper, lower, len(boards), estimate_mean(boards),
                estimate_mean(np.concatenate(cards)), 1000 * spent / asked)  # fmt: skip


def line(step: Step) -> str:
    """Return a step as a line of text."""
    name = f"{step.upper} - {step.lower}"
    return (
        f"{name:44}{step.boards:>7,}  {_cell(step.game_points, '+.2f'):24}"
        f"{_cell(step.card_points, '+.1f'):24}{step.milliseconds:>10.3f}"
    )


def _cell(e: Estimate, form: str) -> str:
    return f"{e.mean:{form}} [{e.low:{form}}, {e.high:{form}}]"


def main(argv: list[str] | None = None) -> int:
    """Play the ladder of one game, print it, and write it; return the exit status."""
    parser = OneLineParser(prog="benchmarks.ladder", description=__doc__)
    add_rule_arguments(parser)
    parser.add_argument("--rungs", nargs="+", default=list(RUNGS), metavar="AGENT")
    parser.add_argument("--seconds", type=number(0.0, 1e6), default=60, help="for each pair")
    parser.add_argument(
        "--seed", type=number(0, 2**63), default=0, help="of the first round of boards"
    )
    parser.add_argument("--against", metavar="AGENT", help="one opponent for all rungs")
    parser.add_argument("--json", type=writable, metavar="FILE")
    args = parser.parse_args(argv)
    try:
        game = Game(rules_of(args))
        for name in [*args.rungs, *([args.against] if args.against else [])]:
            make_agent(name, game)
    except ValueError as error:
        parser.error(reason(error))
    lower = [args.against] * len(args.rungs) if args.against else [None, *args.rungs[:-1]]
    print(f"{game.rules.name}: per deal, 95 % intervals")
    print(f"{'':44}{'boards':>7}  {'game points':24}{'card points':24}{'ms/decision':>10}")
    steps = []
    for upper, below in zip(args.rungs, lower, strict=True):
        if below is None or below == upper:
            continue
        steps.append(climb(game, upper, below, args.seconds, args.seed))
        print(line(steps[-1]), flush=True)
    if args.json:
        found = {"rules": rules_to_json(game.rules), "steps": [s.as_json() for s in steps]}
        write_json(args.json, found)
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.ladder", main))
