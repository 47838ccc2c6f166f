"""Split the difference of two agents: ``sjavs credit expert rules --rules klorsjavs``.

Bidding, exchange and card play are exchanged one by one between A and B, all ways of putting
them together play the same duplicate boards, and what each part gains is told with 95% intervals.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from sjavs_agents.arena.match import MatchError, check_match, play_match, seating
from sjavs_agents.arena.report import match_report, signed
from sjavs_agents.base import Agent, fair
from sjavs_agents.credit.design import UNITS, Design, effects, play_design
from sjavs_agents.registry import files_of, make_agent
from sjavs_agents.stats.estimates import Estimate
from sjavs_env import Game, rules_to_json
from sjavs_env.cli.atomic_files import check_not_read, check_writable, write_json
from sjavs_env.cli.columns import in_columns
from sjavs_env.cli.command import BAD_INPUT, FAILED, OneLineParser, reason
from sjavs_env.cli.extras import needing
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_of
from sjavs_env.errors import shown
from sjavs_env.records.history import Record

__all__ = ["main"]

FORMAT, VERSION = "sjavs-credit", 1


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(prog=program, description="Split the difference of two agents.")
    add = parser.add_argument
    add("agents", nargs=2, metavar="AGENT", help="A and B, as `sjavs evaluate` takes them")
    add_rule_arguments(parser)
    add("--opponent", metavar="AGENT", help="whom all play against (default: B)")
    add("--boards", type=int, default=500, help="boards of each match (default: %(default)s)")
    add("--seed", type=int, default=0, help="seed of deals and agents (default: %(default)s)")
    add("--no-contracts", action="store_true",
        help="leave out contracts at the lead with open hands, which take longest")  # fmt: skip
    add("--json", type=Path, metavar="FILE", help="write the results to this file")
    return parser


def main(argv: Sequence[str] | None = None, program: str = "sjavs credit") -> int:
    """Run the command; return its exit status, 2 for bad input."""
    args = _parser(program).parse_args(argv)
    try:
        game, agents, opponent = _plan(args)
        found = _play(game, agents, opponent, args)
    except MatchError as error:
        print(f"{program}: error: {error}", file=sys.stderr)
        return FAILED
    except (ValueError, OSError) as error:
        print(f"{program}: error: {reason(error)}", file=sys.stderr)
        return BAD_INPUT
    if args.json is not None:
        write_json(args.json, found, indent=1)
    return 0


def _plan(args: argparse.Namespace) -> tuple[Game, tuple[Agent, Agent], Agent | None]:
    """Return what is to be played; ValueError or OSError, one line, for bad input."""
    game = Game(rules_of(args))
    check_match(args.boards, args.seed)
    others = [args.opponent] if args.opponent is not None else []
    if args.json is not None:
        check_writable(args.json)
        names = [*args.agents, *others]
        check_not_read("json", args.json, chain.from_iterable(map(files_of, names)))
    a, b = (fair(make_agent(name, game)) for name in args.agents)
    if a.name == b.name:
        raise ValueError(f"agents are {shown(a.name)} twice; allowed: two different ones")
    return game, (a, b), make_agent(others[0], game) if others else None


def _play(
    game: Game, agents: tuple[Agent, Agent], opponent: Agent | None, args: argparse.Namespace
) -> dict[str, Any]:
    """Play everything, print it, and return it as JSON values."""
    a, b = agents
    design = play_design(game, a, b, opponent, args.boards, args.seed)
    title = f"{game.rules.name}, {args.boards} boards, seed {args.seed}: A = {a.name}, B = {b.name}"
    print(f"{title}\nwhat A's part gains more than B's, per deal, with 95% intervals")
    by_unit = {unit: effects(design, unit) for unit in UNITS}
    rows = [
        [" × ".join(key), *(signed(by_unit[unit][key]) for unit in UNITS)]
        for key in by_unit[UNITS[0]]
    ]
    _show([["part", "game points", "card points"], *rows])
    records: list[Record] = []
    result = play_match(game, agents, args.boards, args.seed, keep=records.extend)
    report = match_report(result)
    contracts = None if args.no_contracts else _contracts(game, records, a.name)
    roles = [one.get("roles") for one in report["by_agent"]]
    _show_roles(agents, roles)
    return {
        "format": FORMAT, "version": VERSION, "rules": rules_to_json(game.rules),
        "agents": [a.name, b.name], "opponent": (opponent or b).name,
        "boards": args.boards, "seed": args.seed,
        "cells": _cells(design),
        "effects": {
            unit: [{"parts": list(key), **_values(e)} for key, e in found.items()]
            for unit, found in by_unit.items()
        },
        "contracts": contracts,
        "roles": roles,
    }  # fmt: skip


def _contracts(game: Game, records: list[Record], a: str) -> dict[str, Any] | None:
    """Print and return what A gains by contracts and by cards, None where nothing is solved."""
    with needing("search"):
        from sjavs_agents.credit.contract_quality import contract_quality
    try:
        found = contract_quality(game, records, a, len(seating(game)))
    except ValueError as error:
        print(f"\ncontracts are not judged: {error}")
        return None
    print("\nA's game points per deal more than B's, at the lead with open hands and from then on")
    _show([["contracts", "cards"], [signed(found.contracts), signed(found.cards)]])
    return {name: _values(e) for name, e in found._asdict().items()}


def _show_roles(agents: tuple[Agent, Agent], roles: list[dict[str, Any] | None]) -> None:
    """Print what each won in deals that it declared and that it defended."""
    rows = [
        [agent.name, role, str(n["deals"]), f"{n['game_points']:+.2f}", f"{n['card_points']:.1f}"]
        for agent, by_role in zip(agents, roles, strict=True)
        for role, n in (by_role or {}).items()
        if n["deals"]
    ]
    if rows:
        print("\nwhat a seat won in them, and its side's card points")
        _show([["agent", "role", "deals", "game points", "card points"], *rows])


def _show(rows: list[list[str]]) -> None:
    for line in in_columns(rows):
        print(line)


def _cells(design: Design) -> list[dict[str, Any]]:
    return [
        {
            "a": [f for f, is_a in zip(design.factors, level, strict=True) if is_a],
            "agent": name,
            **{unit: float(design.boards[unit][level].mean()) for unit in UNITS},
        }
        for level, name in design.names.items()
    ]


def _values(e: Estimate) -> dict[str, Any]:
    return {"mean": e.mean, "interval": None if e.low is None else [e.low, e.high]}
