"""Make, check and solve puzzles: ``sjavs puzzles solve rules --rules faroese``.

``make`` writes puzzles of a game, ``check`` proves stored ones anew, ``solve`` tells how many
of them players solve.  Puzzles of every game come with the program.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sjavs_agents.base import Agent, fair
from sjavs_agents.base.asking import AgentError
from sjavs_agents.puzzles.puzzle import Puzzle, read_puzzles, write_puzzles
from sjavs_agents.puzzles.stored import all_stored, place_for, seated, stored
from sjavs_agents.registry import AGENTS, MOST_THREADS, files_of, make_agent
from sjavs_env import PRESETS, Game, RuleSet
from sjavs_env.cli.atomic_files import check_not_read, check_writable
from sjavs_env.cli.columns import in_columns
from sjavs_env.cli.command import FAILED, OneLineParser, in_one_line
from sjavs_env.cli.extras import needing
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_of
from sjavs_env.rules.parts import Payoff

if TYPE_CHECKING:
    from sjavs_agents.puzzles.solving import Score

__all__ = ["main"]

DESCRIPTION = (
    "Put positions with one best card to players. Puzzles of every game come with the program: "
    "solve tells how many of them players solve, make writes others, check proves them anew."
)


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(prog=program, description=DESCRIPTION)
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=OneLineParser)
    make = commands.add_parser("make", help="write puzzles of a game to a file")
    add_rule_arguments(make)
    make.add_argument("--count", type=int, default=50, help="puzzles (default: %(default)s)")
    make.add_argument("--seed", type=int, default=1, help="of the deals (default: %(default)s)")
    make.add_argument("--worlds", type=int, default=2000,
        help="worlds that a player may be in at most (default: %(default)s)")  # fmt: skip
    make.add_argument("--agent", metavar="AGENT",
        help="plays the deals (default: rules, or greedy in games unknown to it)")  # fmt: skip
    make.add_argument("--all", action="store_true", help="all games that two sides play")
    make.add_argument("--out", type=Path, metavar="FILE", help="default: by the name of the game")
    make.set_defaults(run=_make)
    check = commands.add_parser("check", help="prove stored puzzles anew")
    check.add_argument("files", type=Path, nargs="*", metavar="FILE", help="default: all stored")
    check.set_defaults(run=_check)
    test = commands.add_parser("solve", help="tell how many puzzles players solve")
    agents = ", ".join(name for name in AGENTS if name != "cheater")
    test.add_argument("agents", nargs="+", metavar="AGENT", help=f"{agents}, or a checkpoint")
    add_rule_arguments(test)
    test.add_argument("--file", type=Path, help="puzzles other than those stored for the game")
    test.add_argument("--seed", type=int, default=0, help="of the players (default: %(default)s)")
    test.set_defaults(run=_solve)
    for command in (make, check):
        command.add_argument("--threads", type=int, default=1,
            help="threads that solve worlds (default: %(default)s)")  # fmt: skip
    return parser


def main(argv: Sequence[str] | None = None, program: str = "sjavs puzzles") -> int:
    """Run a command; return its exit status: 1 for unsound puzzles, 2 for bad input."""
    args = _parser(program).parse_args(argv)
    return in_one_line(program, lambda: _run(args), AgentError)


def _run(args: argparse.Namespace) -> int:
    if not 1 <= getattr(args, "threads", 1) <= MOST_THREADS:
        raise ValueError(f"threads is {args.threads}; allowed: 1 to {MOST_THREADS}")
    return int(args.run(args))


def _make(args: argparse.Namespace) -> int:
    with needing("search"):
        from sjavs_agents.puzzles.making import Maker
    for name in ("rules", "players", "overrides", "out") if args.all else ():
        if value := getattr(args, name):
            raise ValueError(f"{name} is {str(value)!r} with --all; allowed: one of them")
    for rules in _two_sided() if args.all else [rules_of(args)]:
        game, path = Game(rules), args.out or place_for(rules)
        check_writable(path)
        check_not_read("out", path, files_of(args.agent or ""))
        maker = Maker(game, _player(args.agent, game), args.worlds, args.threads)
        puzzles: list[Puzzle] = list(maker.make(args.count, args.seed))
        write_puzzles(path, puzzles)
        always = sum(puzzle.always for puzzle in puzzles)
        print(f"{path}: {len(puzzles)} puzzles, the answer is best in every world of {always}")
    return 0


def _two_sided() -> Iterator[RuleSet]:
    """Yield the rule sets, for each number of players, in which two sides play each other."""
    for rules in PRESETS.values():
        for players in rules.player_counts:
            if players == 2 or isinstance(rules.scoring, Payoff):  # else all play for themselves
                yield seated(rules, players)


def _player(name: str | None, game: Game) -> Agent:
    """Return who plays the deals."""
    if name is not None:
        return fair(make_agent(name, game))
    try:
        return make_agent("rules", game)
    except ValueError:  # it does not know every game
        return make_agent("greedy", game)


def _check(args: argparse.Namespace) -> int:
    with needing("search"):
        from sjavs_agents.puzzles.solving import problems
    status = 0
    for path in args.files or all_stored():
        game, puzzles = read_puzzles(path)
        found = list(problems(game, puzzles, args.threads))
        for text in found:
            print(f"{path}: {text}")
        print(f"{path}: {len(puzzles)} puzzles, {'not ' if found else ''}sound")
        status = FAILED if found else status
    return status


def _solve(args: argparse.Namespace) -> int:
    with needing("search"):
        from sjavs_agents.puzzles.solving import solve
    if args.seed < 0:
        raise ValueError(f"seed is {args.seed}; allowed: a number from 0")
    rules = rules_of(args)
    path = args.file or stored(rules)
    game, puzzles = read_puzzles(path)
    is_named = args.rules or args.players or args.overrides or args.file is None
    if is_named and game.rules != rules:
        raise ValueError(
            f"{path} holds no puzzles of {rules.name} with these parameters; allowed: --file with "
            "a file that does"
        )
    agents = [fair(make_agent(name, game)) for name in args.agents]
    try:
        scores = [solve(game, puzzles, agent, args.seed) for agent in agents]
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    print(f"{len(puzzles)} puzzles of {game.rules.name}: share solved with 95% interval,")
    print("game points lost on average, and the share of those that are certain in every world")
    for line in _table(scores, puzzles):
        print(line)
    return 0


def _table(scores: list[Score], puzzles: list[Puzzle]) -> list[str]:
    certain = [puzzle.always for puzzle in puzzles]
    rows = [["agent", "solved", "", "", "lost", "certain"]]
    for score in scores:
        share = score.share()
        low, high = (100 * (x if x is not None else 0.0) for x in (share.low, share.high))
        sure = f"{int(score.solved[certain].sum())}/{sum(certain)}"
        rows.append(
            [
                score.agent,
                f"{int(score.solved.sum())}/{len(puzzles)}",
                f"{100 * share.mean:.0f} %",
                f"[{low:.0f}, {high:.0f}]",
                f"{score.lost.mean():.2f}",
                sure,
            ]
        )
    return in_columns(rows)
