"""Take the luck of the cards out of recorded games: ``sjavs luck measure RECORDS``.

``measure`` tells what every player of a file of records won per deal, plain and with luck taken
out, with 95% intervals.  ``fit`` makes the model by which it is taken out, for rules that none
comes with the program for.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from sjavs_agents.arena.tournament.entrants import fingerprint
from sjavs_agents.base import Agent, fair
from sjavs_agents.base.asking import AgentError
from sjavs_agents.luck.deal_values import DealValues
from sjavs_agents.luck.drawn_actions import DrawLuck
from sjavs_agents.luck.fitting import fit_model
from sjavs_agents.luck.known_players import KnownPlayers
from sjavs_agents.luck.luck_model import LuckModel, fitted_path, read_model, write_model
from sjavs_agents.luck.outcomes import UNITS
from sjavs_agents.luck.recorded_results import Episodes, read_episodes
from sjavs_agents.luck.skill import PlayerSkill, estimates_json, measure_skill
from sjavs_agents.registry import files_of, make_agent
from sjavs_agents.stats.estimates import Estimate
from sjavs_env import PRESETS, Game, RuleSet, make_rules, rules_to_json
from sjavs_env.cli.atomic_files import check_not_read, check_writable, write_json
from sjavs_env.cli.columns import in_columns
from sjavs_env.cli.command import OneLineParser, in_one_line
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_of
from sjavs_env.errors import shown

__all__ = ["main"]

FORMAT, VERSION = "sjavs-skill", 1
MOST_DEALS = 10**7


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=program, description="Take the luck of the cards out of recorded games."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=OneLineParser)
    measure = commands.add_parser("measure", help="tell what players won but for their cards")
    measure.add_argument("record", type=Path, metavar="RECORDS",
        help="a file of game records, one in a line")  # fmt: skip
    measure.add_argument("--model", type=Path, metavar="FILE",
        help="made by fit (default: the one that comes with the program)")  # fmt: skip
    measure.add_argument("--crew", metavar="AGENT",
        help="the one that the model was made with, if it was")  # fmt: skip
    measure.add_argument("--known", action="append", nargs=2, default=[],
        metavar=("PLAYER", "AGENT"),
        help="a player of the records, and which agent it is, one that draws and tells its "
        "probabilities: takes out the luck of its draws as well; may be given again")  # fmt: skip
    measure.add_argument("--json", type=Path, metavar="FILE", help="write the results to this file")
    measure.set_defaults(run=_measure)
    fit = commands.add_parser("fit", help="make the model for a game")
    add_rule_arguments(fit)
    fit.add_argument("--agents", nargs="+", metavar="AGENT",
        help="who plays the deals, each seat one of them (default: those that know the game of "
        "rules, expert and greedy)")  # fmt: skip
    fit.add_argument("--crew", metavar="AGENT",
        help="let this agent play all deals as well, and value what agents do that draw; it also "
        "joins those who play by default")  # fmt: skip
    fit.add_argument("--all", action="store_true", help="make the models of all games anew")
    fit.add_argument("--deals", type=int, default=4000, help="(default: %(default)s)")
    fit.add_argument("--out", type=Path, metavar="FILE",
        help="default: the one that comes with the program")  # fmt: skip
    fit.set_defaults(run=_fit)
    measure.add_argument("--seed", type=int, default=0, help="of the cheap players that value "
        "deals (default: %(default)s)")  # fmt: skip
    fit.add_argument("--seed", type=int, default=2**40, help="of the deals and of all that is "
        "drawn (default: %(default)s)")  # fmt: skip
    return parser


def main(argv: Sequence[str] | None = None, program: str = "sjavs luck") -> int:
    """Run a command; return its exit status, 2 for bad input."""
    args = _parser(program).parse_args(argv)
    return in_one_line(program, lambda: _run(args), AgentError)


def _run(args: argparse.Namespace) -> int:
    if not 0 <= args.seed < 2**64:
        raise ValueError(f"seed is {args.seed}; allowed: 0 to {2**64 - 1}")
    return int(args.run(args))


def _measure(args: argparse.Namespace) -> int:
    if args.json is not None:
        check_writable(args.json)
        read = [path for name in _named(args) for path in files_of(name)]
        check_not_read("json", args.json, filter(None, (args.record, args.model, *read)))
    players = (lambda game: _known(args, game)) if args.known else None
    episodes = read_episodes(args.record, players)
    there = list(dict.fromkeys(name for seats in episodes.players for name in seats))
    if lost := [player for player, _ in args.known if player not in there]:
        raise ValueError(f"known is {shown(lost[0])}; allowed: {', '.join(there)}")
    model, crew = _model(args, episodes.game)
    found = measure_skill(episodes, model, DealValues(episodes.game, crew), args.seed)
    if args.json is not None:
        write_json(args.json, _as_json(episodes, model, found, args.seed, args.known), indent=1)
    print(f"{episodes.game.rules.name}, per deal, with 95% intervals; skill: luck taken out")
    for line in in_columns([HEAD, *map(_row, found)]):
        print(line)
    if episodes.broken_off:
        print(f"deals broken off, which do not count: {episodes.broken_off}")
    return 0


def _named(args: argparse.Namespace) -> list[str]:
    """Return the names of the agents that are asked for."""
    return [*filter(None, [args.crew]), *(agent for _, agent in args.known)]


def _known(args: argparse.Namespace, game: Game) -> KnownPlayers:
    """Return the players whose probabilities are known; ValueError if none of their draws count."""
    model, crew = _model(args, game)
    if crew is None or not any(c.draws for c in model.corrections.values()):
        raise ValueError(
            "known is given, and the model values no actions; allowed: --known with --model FILE "
            "and --crew AGENT, as `sjavs luck fit --crew AGENT` makes it of agents that draw"
        )
    agents = {player: fair(make_agent(agent, game)) for player, agent in args.known}
    return KnownPlayers(game, agents, DrawLuck(game, crew, args.seed))


def _model(args: argparse.Namespace, game: Game) -> tuple[LuckModel, Agent | None]:
    """Return the model that is wanted, and its crew."""
    model = _stored(args.model, game)
    made = model.made.get("crew")
    if made != args.crew:
        wanted = "no --crew" if made is None else f"--crew {made}"
        raise ValueError(f"crew is {shown(args.crew)}; the luck model allows {wanted}")
    if args.crew is None:
        return model, None
    crew = fair(make_agent(args.crew, game))
    if list(fingerprint(args.crew)) != model.made.get("files", []):
        raise ValueError(f"crew is {shown(args.crew)}, whose files are others than when the luck "
                         "model was made; allowed: these files")  # fmt: skip
    return model, crew


def _stored(path: Path | None, game: Game) -> LuckModel:
    own = fitted_path(game)
    if path is None and not own.is_file():
        raise ValueError(_no_model(game))
    for_game, model = read_model(path or own)
    if for_game.rules != game.rules:
        if path is None:
            raise ValueError(_no_model(game))
        raise ValueError(f"{path} is for {shown(model.rules)}; the records are of "
                         f"{shown(rules_to_json(game.rules))}")  # fmt: skip
    return model


def _no_model(game: Game) -> str:
    return (
        f"no luck model comes with the program for {shown(rules_to_json(game.rules))}; allowed: "
        "--model FILE, as `sjavs luck fit` makes it"
    )


HEAD = ("player", "deals", "game points", "skill", "saves", "card points", "skill", "saves")


def _row(one: PlayerSkill) -> list[str]:
    cells = [one.player, f"{one.deals:,}"]
    for unit, form in zip(UNITS, ("+.2f", "+.1f"), strict=True):
        gain = one.gain(unit)
        cells += [
            _cell(one.plain[unit], form),
            _cell(one.skill[unit], form),
            "-" if gain is None else f"{gain:.1f}×",
        ]
    return cells


def _cell(e: Estimate, form: str) -> str:
    if e.low is None or e.high is None:
        return f"{e.mean:{form}}"
    return f"{e.mean:{form}} ± {(e.high - e.low) / 2:{form[1:]}}"


def _as_json(
    episodes: Episodes,
    model: LuckModel,
    found: list[PlayerSkill],
    seed: int,
    known: Sequence[tuple[str, str]],
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": rules_to_json(episodes.game.rules),
        "model": model.made,
        "known": dict(known),
        "seed": seed,
        "games": len(episodes.players),
        "broken_off": episodes.broken_off,
        "players": [
            {
                "player": one.player,
                "deals": one.deals,
                "plain": estimates_json(one.plain),
                "skill": estimates_json(one.skill),
                "saves": {unit: one.gain(unit) for unit in UNITS},
            }
            for one in found
        ],
    }


def _fit(args: argparse.Namespace) -> int:
    if args.deals > MOST_DEALS:
        raise ValueError(f"deals is {args.deals}; allowed: up to {MOST_DEALS}")
    for name in ("rules", "players", "overrides", "out", "agents", "crew") if args.all else ():
        if value := getattr(args, name):
            raise ValueError(f"{name} is {shown(value)} with --all; allowed: one of them")
    for rules in _every_game() if args.all else [rules_of(args)]:
        game = Game(rules)
        path = args.out or fitted_path(game)
        check_writable(path)
        names, own = args.agents or _usual(game), [args.crew] if args.crew else []
        names += own if args.agents is None else []
        check_not_read("out", path, chain.from_iterable(map(files_of, names + own)))
        agents = [make_agent(name, game) for name in names]
        crew = make_agent(args.crew, game) if args.crew else None
        model = fit_model(game, agents, args.deals, args.seed, crew, fingerprint(*own))
        write_model(path, model)
        shares = ", ".join(f"{c.explained:.0%} of {u}" for u, c in model.corrections.items())
        told = f"explains, on deals left out: {shares.replace('_', ' ')}"
        print(f"{path}: {args.deals} deals; {told}", flush=True)
    return 0


def _every_game() -> Iterator[RuleSet]:
    for name, rules in PRESETS.items():
        for players in rules.player_counts:
            yield make_rules(name, **({} if players == rules.players else {"players": players}))


def _usual(game: Game) -> list[str]:
    return [name for name in ("rules", "expert", "greedy") if _is_known(name, game)]


def _is_known(name: str, game: Game) -> bool:
    try:
        make_agent(name, game)
    except ValueError:
        return False
    return True
