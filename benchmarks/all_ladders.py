"""The ladder of every game, with its cost, as one report and as the data of a page.

``python -m benchmarks.all_ladders [--games NAME/PLAYERS ...] [--boards N] [--out FILE]`` lets
players from ``random`` to a searching one meet in each game, all against all, and writes up what
came of it (``sjavs report``).  ``--json docs/ladders.json`` puts it into the data of
``docs/ladders.md`` as well, beside what that has of other games; ``sjavs docs --write`` then writes
the page.  A player that cannot play a game is left out there.  Everything is
kept in a folder for each game, so that the same command goes on after an interrupt, and with more
boards; what is finished is only written up.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.arguments import number, writable
from benchmarks.every_game import GAMES
from sjavs_agents.arena.command import main as evaluate
from sjavs_agents.registry import make_agent
from sjavs_agents.reporting.command import main as report
from sjavs_agents.reporting.evaluation_file import read_folder
from sjavs_agents.reporting.ladder_page import FORMAT, SEARCHING, entry_of, game_of_entry
from sjavs_agents.reporting.population import measured
from sjavs_env import Game, make_rules
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, run_command

__all__ = ["AGENTS", "main"]

AGENTS = ("random", "greedy", "rules")  # and the first that can play of those that search


def unable(agent: str, game: Game) -> str | None:
    """Return why an agent cannot play a game; None if it can."""
    try:
        make_agent(agent, game)
    except ValueError as error:
        return str(error)
    return None


def ladder_of(game: str, asked: Sequence[str] | None) -> list[str]:
    """Return the agents that can play a game, and tell which of those asked for cannot."""
    compiled = game_named(game)
    if asked is None:
        searching = (agent for agent in SEARCHING if unable(agent, compiled) is None)
        return [*AGENTS, *islice(searching, 1)]
    why = {agent: unable(agent, compiled) for agent in asked}
    for agent, reason in why.items():
        if reason is not None:
            print(f"{game} without {agent}: {reason}", flush=True)
    return [agent for agent in asked if why[agent] is None]


def put(path: Path, entries: Sequence[dict[str, Any]]) -> None:
    """Put the ladders of some games into a file, in place of those it has of these games."""
    known = json.loads(path.read_text("utf-8"))["games"] if path.exists() else []
    games = {game_of_entry(entry): entry for entry in [*known, *entries]}
    in_order = [games[game] for game in GAMES if game in games]
    write_json(path, {"format": FORMAT, "games": in_order}, indent=1)


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
    add("--agents", nargs="+", metavar="AGENT", help="default: from random to one that searches")
    add("--boards", type=number(2, 2**24), default=1000, help="of each pair")
    add("--seed", type=number(0, 2**63), default=0)
    add("--processes", default="1", metavar="N", help="that play; auto for one on each core")
    add("--folder", type=Path, default=Path("runs/ladders"), help="where the games are kept")
    add("--out", type=writable, default=Path("ladders.html"), metavar="FILE")
    add("--json", type=writable, metavar="FILE", help="of the data of docs/ladders.md")
    args = parser.parse_args(argv)
    folders = []
    for game in args.games:
        able = ladder_of(game, args.agents)
        if len(able) < 2:
            continue
        folder = args.folder / game.replace("/", "_")
        words = arguments(game, able, args.boards, args.seed, folder)
        if status := evaluate([*words, "--processes", args.processes], "benchmarks.all_ladders"):
            return status
        folders.append(str(folder))
    if not folders:
        parser.error("agents are fewer than two in every game; allowed: two or more")
    if args.json is not None:
        put(args.json, [entry_of(e, measured(e)) for e in map(read_folder, map(Path, folders))])
    title = f"Ladders of {len(folders)} games" if len(folders) > 1 else "Ladder"
    return report([*folders, "--out", str(args.out), "--title", title], "benchmarks.all_ladders")


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.all_ladders", main))
