"""The arguments that say which game is meant, alike in all commands: --rules, --players, --set."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sjavs_env.rules import ALIASES, RULE_SETS, RuleSet, make_rules, read_overrides
from sjavs_env.rules.overrides import check_players

__all__ = ["USUAL", "add_rule_arguments", "rules_from", "rules_of"]

USUAL = "faroese"  # if none is named


def add_rule_arguments(
    parser: argparse.ArgumentParser, otherwise: str = f"default: {USUAL}"
) -> None:
    """Declare the arguments; ``rules_of`` makes the rules of what was given.

    ``otherwise`` tells what a command does that is given no name.
    """
    names = ", ".join([*RULE_SETS, *ALIASES])
    add = parser.add_argument
    add("--rules", metavar="NAME", help=f"the game: {names} ({otherwise})")
    add("--players", type=int, metavar="N", help="number of players, where a game has several")
    add("--set", action="append", default=[], metavar="KEY=VALUE", dest="overrides",
        help="override a parameter, as in --set tie=double --set payoff.vol=10,14")  # fmt: skip


def rules_of(args: argparse.Namespace) -> RuleSet:
    """Return the rules that were asked for; ValueError, one line, if there are none such."""
    return rules_from(args.rules, args.players, args.overrides)


def rules_from(name: str | None, players: int | None, settings: Sequence[str]) -> RuleSet:
    """Return rules by name, number of players and ``KEY=VALUE`` settings."""
    base = make_rules(name or USUAL)
    keys = [setting.partition("=")[0] for setting in settings]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"--set {key} is given twice; allowed: once")
    overrides = read_overrides(base, settings)
    if players is None:
        return make_rules(base, **overrides)
    check_players(base, players, "--players")
    if overrides.get("players", players) != players:
        raise ValueError(
            f"--players is {players} with --set players={overrides['players']}; allowed: one of "
            "them"
        )
    seats = {} if players == base.players else {"players": players}
    return make_rules(base, **{**overrides, **seats})
