"""What was asked for, checked: nothing can be wrong with the input any more.

From it come the matches, and ``match.json``, by which a folder knows whether the same is asked for
again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations_with_replacement
from pathlib import Path
from typing import Any

from sjavs_agents.arena.match import check_match
from sjavs_agents.arena.results_folder import MATCH, FolderError, read_object
from sjavs_agents.arena.tournament.bout import Bout, fresh_seed
from sjavs_agents.arena.tournament.entrants import entrants, fingerprint
from sjavs_agents.arena.tournament.leg import Leg, Task, pairings
from sjavs_agents.arena.tournament.player import Player, made_agent
from sjavs_agents.base import Agent, boards_at_once
from sjavs_agents.registry import files_of
from sjavs_agents.stats.sequential import SequentialPlan
from sjavs_env import Game, __version__, rules_to_json
from sjavs_env.cli.atomic_files import check_not_read, check_writable, is_same_file, json_bytes
from sjavs_env.cli.cores import usable_cores
from sjavs_env.cli.rule_arguments import rules_of
from sjavs_env.errors import shown

__all__ = ["FORMATS", "Plan"]

FORMATS = ("gauntlet", "partners", "table")  # other than all pairs
MOST_PROCESSES = 1024
_FORMAT, _VERSION = "sjavs-evaluation", 1
_MAY_RISE = "boards"  # the prefix of a match is what a shorter one would have been


@dataclass(frozen=True)
class Plan:
    """What is to be played and where it is to be kept."""

    args: argparse.Namespace
    game: Game
    names: tuple[tuple[str, ...], ...]  # of each agent; of two partners if it is a team
    agents: tuple[Agent, ...]
    pairs: tuple[tuple[int, ...], ...]  # of agents; or all at one table
    processes: int
    sequential: SequentialPlan | None

    @classmethod
    def of(cls, args: argparse.Namespace) -> Plan:
        """Check the arguments; ValueError or OSError, one line, for the first bad one."""
        game = Game(rules_of(args))
        check_match(args.boards, args.seed, args.episode)
        given = entrants(args.agents)
        names, pairs = _field(args, given, game)
        _check_files(args, chain(given, [args.against] if args.against else []))
        sequential, processes = _sequential(args), _processes(args.processes)
        agents = tuple(made_agent(name, game) for name in names)
        boards_at_once(agents)
        plan = cls(args, game, names, agents, pairs, processes, sequential)
        if args.out is not None:
            plan.check_folder()
        return plan

    @property
    def is_mixed(self) -> bool:
        """One table with a different agent in every seat."""
        return bool(self.args.table)

    def player(self) -> Player:
        """Return what plays the shards in this process."""
        args = self.args
        task = Task(
            json.dumps(rules_to_json(self.game.rules)), self.names,
            tuple(fingerprint(*names) for names in self.names), args.episode,
            args.record is not None, None if args.out is None else str(args.out),
        )  # fmt: skip
        return Player(task, self.game, dict(enumerate(self.agents)))

    def bouts(self, player: Player) -> list[Bout]:
        """Return all matches in their order; after each test a second one on fresh boards."""
        found = []
        for pair in self.pairs:
            leg = Leg(
                "-".join(map(str, pair)), pair, self.args.seed, self.args.boards, self.is_mixed
            )
            first = self._bout(leg, player, self.sequential)
            found.append(first)
            if self.sequential is not None:
                fresh = Leg(f"{leg.key}-fresh", pair, fresh_seed(leg.seed), leg.boards)
                found.append(self._bout(fresh, player, None, first))
        return found

    def _bout(
        self, leg: Leg, player: Player, plan: SequentialPlan | None, after: Bout | None = None
    ) -> Bout:
        names = tuple(self.agents[i].name for i in leg.sitters)
        size = player.size(leg)
        return Bout(self.game, leg, names, self.args.episode, size, plan, after)

    # -- the folder

    def specification(self) -> dict[str, Any]:
        """Return what ``match.json`` holds."""
        args = self.args
        return {
            "format": _FORMAT,
            "version": _VERSION,
            "sjavs": __version__,
            "rules": rules_to_json(self.game.rules),
            "agents": [list(names) for names in self.names],
            "files": [list(fingerprint(*names)) for names in self.names],
            "matches": next((name for name in FORMATS if getattr(args, name)), "pairs"),
            "episode": args.episode,
            "seed": args.seed,
            "until_sure": args.until_sure,
            "boards": args.boards,
        }

    def check_folder(self) -> None:
        """ValueError, one line, if the folder holds another evaluation, or is no place for one."""
        folder: Path = self.args.out
        wanted = json.loads(json_bytes(self.specification()))
        try:
            if folder.exists() and not folder.is_dir():
                raise ValueError(f"out is {shown(str(folder))}, a file; allowed: a folder")
            found = read_object(folder / MATCH)
        except FileNotFoundError:
            return
        except FolderError as error:
            raise ValueError(f"{error}; allowed: another --out") from None
        for key, now in wanted.items():
            then = found.get(key)
            may_be = key == _MAY_RISE and type(then) is int and then <= now
            if then != now and not may_be and key == "files":
                raise ValueError(
                    f"{folder} was begun with other files of {self._changed(then)}; allowed: the "
                    "same, or another --out"
                )
            if then != now and not may_be:
                raise ValueError(
                    f"{folder} was begun with {key} {shown(then)}, not {shown(now)}; allowed: the "
                    "same, more boards, or another --out"
                )

    def _changed(self, files: Any) -> str:
        """Return the first agent whose files are not those."""
        then = files if isinstance(files, list) else []
        now = [list(fingerprint(*names)) for names in self.names]
        at = next((i for i, own in enumerate(now) if i >= len(then) or then[i] != own), 0)
        return shown(self.agents[at].name)


def _field(
    args: argparse.Namespace, given: list[str], game: Game
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[int, ...], ...]]:
    """Return the agents, by one or two names, and who of them plays whom."""
    n, seats = len(given), game.tables.n_players
    names = tuple((name,) for name in given)
    if args.against is not None and not args.partners:
        raise ValueError(f"--against is {shown(args.against)}; allowed: with --partners alone")
    if args.table:
        if n != seats:
            raise ValueError(f"--table has {n} agents; allowed: {seats}, one for each seat")
        return names, (tuple(range(n)),)
    if n < 2:
        raise ValueError(f"agents is {shown(given[0])} alone; allowed: two or more")
    if args.partners:
        teams = list(combinations_with_replacement(given, 2))
        sides = tuple((a, b) if a != b else (a,) for a, b in teams)
        against = ((args.against or given[0],),)
        return sides + against, pairings(len(sides) + 1)[2]
    return names, pairings(n)[1 if args.gauntlet else 0]


def _check_files(args: argparse.Namespace, names: Iterator[str] | chain[str]) -> None:
    """ValueError or OSError, one line, for files that cannot be written or are read."""
    read = list(chain.from_iterable(map(files_of, names)))
    for option, path in (("json", args.json), ("record", args.record)):
        if path is not None:
            check_writable(path)
            check_not_read(option, path, read)
    if args.json and args.record and is_same_file(args.json, args.record):
        raise ValueError(f"--record is {str(args.record)!r}, as --json is; allowed: two files")


def _processes(wanted: str) -> int:
    if wanted == "auto":
        return usable_cores()
    if not wanted.isdecimal() or not 1 <= int(wanted) <= MOST_PROCESSES:
        raise ValueError(f"--processes is {shown(wanted)}; allowed: auto, 1 to {MOST_PROCESSES}")
    return int(wanted)


def _sequential(args: argparse.Namespace) -> SequentialPlan | None:
    """Return the test that ends a match, if one is asked for."""
    if args.until_sure is None:
        return None
    low, comma, high = args.until_sure.rpartition(",")
    try:
        bounds = float(low) if comma else 0.0, float(high)
    except ValueError:
        raise ValueError(
            f"--until-sure is {shown(args.until_sure)}; allowed: a difference, or two as in 0,0.05"
        ) from None
    if args.table:
        raise ValueError("--until-sure comes with --table; allowed: with pairs of agents")
    least = SequentialPlan().least
    if args.boards < least:
        raise ValueError(f"boards is {args.boards} with --until-sure; allowed: {least} or more")
    try:
        return SequentialPlan(*bounds, cap=args.boards)
    except ValueError as error:
        raise ValueError(f"--until-sure is {shown(args.until_sure)}: {error}") from None
