"""The ladder of every game, with its cost, as one report.

``python -m benchmarks.all_ladders [--games NAME[/PLAYERS] ...] [--boards N] [--out FILE]`` lets
players from ``random`` to a searching one meet in each game, all against all, and writes up what
came of it (``sjavs report``).  A player that cannot play a game is left out there.  Everything is
kept in a folder for each game, so that the same command goes on after an interrupt, and with more
boards; what is finished is only written up.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.arguments import number, writable
from benchmarks.every_game import GAMES
from sjavs_agents.arena.command import main as evaluate
from sjavs_agents.registry import make_agent
from sjavs_agents.reporting.command import main as report
from sjavs_env import Game, make_rules
from sjavs_env.cli.command import OneLineParser, run_command

__all__ = ["AGENTS", "main"]

AGENTS = ("random", "greedy", "rules", "pimc:worlds=20")


def unable(agent: str, game: Game) -> str | None:
    """Return why an agent cannot play a game; None if it can."""
    try:
        make_agent(agent, game)
    except ValueError as error:
        return str(error)
    return None


def game_named(name: str) -> Game:
    """Return the game of ``rules/players``."""
    rules, _, players = name.partition("/")
    return Game(make_rules(rules, players=int(players)))


def arguments(game: str, agents: Sequence[str], boards: int, seed: int, folder: Path) -> list[str]:
    """Return the arguments of ``sjavs evaluate`` for the ladder of one game."""
    name, _, players = game.partition("/")
    return [*agents, "--rules", name, "--players", players, "--boards", str(boards), "--seed",
            str(seed), "--timings", "--out", str(folder)]  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Play, or read, the ladders and write the report; return the exit status."""
    parser = OneLineParser(prog="benchmarks.all_ladders", description=__doc__)
    add = parser.add_argument
    add("--games", nargs="+", default=GAMES, choices=GAMES, metavar="NAME/PLAYERS")
    add("--agents", nargs="+", default=list(AGENTS), metavar="AGENT")
    add("--boards", type=number(2, 2**24), default=1000, help="of each pair")
    add("--seed", type=number(0, 2**63), default=0)
    add("--processes", default="1", metavar="N", help="that play; auto for one on each core")
    add("--folder", type=Path, default=Path("runs/ladders"), help="where the games are kept")
    add("--out", type=writable, default=Path("ladders.html"), metavar="FILE")
    args = parser.parse_args(argv)
    folders = []
    for game in args.games:
        why = {agent: unable(agent, game_named(game)) for agent in args.agents}
        able = [agent for agent in args.agents if why[agent] is None]
        for agent in sorted(why.keys() - set(able)):
            print(f"{game} without {agent}: {why[agent]}", flush=True)
        if len(able) < 2:
            continue
        folder = args.folder / game.replace("/", "_")
        words = arguments(game, able, args.boards, args.seed, folder)
        if status := evaluate([*words, "--processes", args.processes], "benchmarks.all_ladders"):
            return status
        folders.append(str(folder))
    if not folders:
        parser.error("agents are fewer than two in every game; allowed: two or more")
    title = f"Ladders of {len(folders)} games" if len(folders) > 1 else "Ladder"
    return report([*folders, "--out", str(args.out), "--title", title], "benchmarks.all_ladders")


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.all_ladders", main))
