"""How long the open-hand solver takes, on deals from real play.

``python -m benchmarks.solver [--quick] [--json FILE]``.  One thread; times are those of the
processor, one call for each deal, so that they hold the way into compiled code as well.  Deals
are bid and played by the agent ``rules`` up to the trick from which they are solved.  The first
line says how long it took until the compiled code was there: for long only after an installation
or a change, later it comes from ``__pycache__``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from benchmarks.arguments import writable
from sjavs_agents.base import open_decisions
from sjavs_agents.registry import make_agent
from sjavs_agents.solver.solver import Solver
from sjavs_env import Game, GameState, Phase, make_rules, view_of
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, run_command
from sjavs_env.rules.tables import Ints

__all__ = ["main"]

# rule set, tricks that have been played, deals; the longer ones are measured on fewer deals
PLAN = [
    *(("faroese", tricks, 200) for tricks in range(5)),
    ("faroese_wiki", 0, 200),
    ("faroese_3", 0, 100),
    ("faroese_3", 1, 200),
    ("faroese_3", 2, 200),
    ("faroese_2", 4, 60),
    ("faroese_2", 6, 200),
    ("klorsjavs", 0, 200),
    ("danish_4", 0, 200),
    ("auction_sjavs", 0, 200),
    ("auction_sjavs_clubs", 0, 200),
    ("handjass", 0, 200),
    ("handjass_strict", 0, 200),
]
QUICK = [("faroese", tricks, 200) for tricks in range(1, 5)] + [("klorsjavs", 0, 200)]


@dataclass(frozen=True)
class Figure:
    """Times of one question in milliseconds."""

    rules: str
    tricks_played: int
    question: str
    deals: int
    median_ms: float
    mean_ms: float
    nodes: float  # positions searched, mean
    nodes_per_s: float


def played_deals(rules: str, tricks: int, n_deals: int) -> tuple[Game, GameState]:
    """Return deals that the agent ``rules`` has bid and played for some tricks."""
    base = make_rules(rules)
    seats = {"players": 2} if base.seats else {}
    game = Game(make_rules(rules, **seats))
    agent = make_agent("greedy" if seats else "rules", game)
    rng = np.random.default_rng(0)
    state = game.new_games(n_deals, seed=5, dealer=np.arange(n_deals))
    going = np.ones(n_deals, np.bool_)
    for rows, mask in open_decisions(game, state, going):
        game.step(state, agent.act(view_of(game, state, rows, state.seat[rows]), mask, rng), rows)
        game.next_deal(state, np.flatnonzero(state.phase == Phase.OVER))
        going[:] = (state.trick_number < tricks) | (state.phase != Phase.PLAY)
    return game, state


def questions(solver: Solver, state: GameState) -> dict[str, Callable[[Ints], object]]:
    """What is asked of each deal."""
    half = solver.game.tables.total_points // 2 + 1
    return {
        "exact points": lambda rows: solver.points(state, rows),
        f"reaches {half}": lambda rows: solver.reaches(state, rows, half),
        "points of all cards": lambda rows: solver.card_values(state, rows, "points"),
        "score of all cards": lambda rows: solver.card_values(state, rows, "score"),
    }


def measure(rules: str, tricks: int, n_deals: int) -> list[Figure]:
    """Ask everything of every deal."""
    game, state = played_deals(rules, tricks, n_deals)
    solver = Solver(game)
    figures = []
    for question, ask in questions(solver, state).items():
        ask(np.arange(1))
        nodes, spent = solver.nodes, []
        for row in range(n_deals):
            start = time.process_time_ns()
            ask(np.array([row]))
            spent.append((time.process_time_ns() - start) / 1e6)
        nodes = solver.nodes - nodes
        figures.append(
            Figure(
                rules,
                tricks,
                question,
                n_deals,
                float(np.median(spent)),
                float(np.mean(spent)),
                nodes / n_deals,
                nodes / sum(spent) * 1e3,
            )
        )
    return figures


def compile_time() -> float:
    """Return the seconds until all compiled code is there."""
    start = time.process_time()
    game, state = played_deals("faroese", 7, 1)
    for ask in questions(Solver(game), state).values():
        ask(np.arange(1))
    return time.process_time() - start


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and write the figures; return the exit status."""
    parser = OneLineParser(prog="benchmarks.solver", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="some seconds, fewer figures")
    parser.add_argument("--json", type=writable, metavar="FILE", help="write the figures to FILE")
    args = parser.parse_args(argv)
    ready = compile_time()
    print(f"compiled code ready after {ready:.1f} s of processor time")
    print(f"{'rule set, tricks played, question':50}  deals  median ms  mean ms  positions  M/s")
    figures = []
    for plan in QUICK if args.quick else PLAN:
        for f in measure(*plan):
            name = f"{f.rules:20}{f.tricks_played:2}  {f.question}"
            times = f"{f.median_ms:9.2f}{f.mean_ms:9.2f}"
            rate = f"{f.nodes:11,.0f}{f.nodes_per_s / 1e6:5.1f}"
            print(f"{name:50}{f.deals:7}  {times}{rate}", flush=True)
            figures.append(asdict(f))
    if args.json:
        write_json(args.json, {"ready_s": ready, "figures": figures})
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.solver", main))
