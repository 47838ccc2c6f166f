"""Champions, the trained players that come with the program: ``sjavs champion list``.

``export`` makes one from a run, ``card`` prints what is known of one.  Here stands only the door;
``session`` tells what is done.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from sjavs_agents.arena.match import MOST_BOARDS
from sjavs_agents.arena.playing import MatchError
from sjavs_agents.champion.champions_page import LACKING, card_rows
from sjavs_agents.champion.model_card import all_cards, card_page, read_card
from sjavs_agents.champion.yardsticks import StoppedError, Yardsticks
from sjavs_agents.neural.shelf import champion_file, own_shelf
from sjavs_env.cli.columns import in_columns
from sjavs_env.cli.command import OneLineParser, in_one_line
from sjavs_env.cli.extras import needing
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_of
from sjavs_env.cli.shared import in_checkout
from sjavs_env.errors import shown

__all__ = ["main"]

YARDSTICKS = ("rules", "expert", "pimc:worlds=20")
EXPORT = (
    "Make a champion from a run: the player of its newest checkpoint in 16 bits, measured, with "
    "its card. Ctrl-C keeps the boards played; the same command goes on."
)


def _parser(program: str) -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=program, description="Trained players that come with the program, for each game."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    text = "List the games that have a champion."
    commands.add_parser("list", help=text[:-1].lower(), description=text)
    text = "Print the card of the champion of a game."
    card = commands.add_parser("card", help=text[:-1].lower(), description=text)
    add_rule_arguments(card)
    export = commands.add_parser("export", help="make a champion from a run", description=EXPORT)
    add = export.add_argument
    add("run", type=Path, metavar="RUN", help="the folder of a run, or one of its checkpoints")
    add("--out", type=Path, metavar="DIR",
        help="the folder of champions (in a checkout, default: that of the package)")  # fmt: skip
    add("--replace", action="store_true", help="take the place of a champion that is there")
    add("--against", nargs="+", metavar="AGENT",
        help=f"whom to measure it against (default: {' '.join(YARDSTICKS)}, as far as the game "
        "allows)")  # fmt: skip
    add("--boards", type=int, default=20_000, help="against each (default: %(default)s)")
    add("--search-boards", type=int, default=320,
        help="against each that searches (default: %(default)s)")  # fmt: skip
    add("--seed", type=int, default=1_000_003, help="of the boards (default: %(default)s)")
    add("--processes", default="1", metavar="N",
        help="processes that play, auto for one on each core (default: %(default)s)")  # fmt: skip
    return parser


def main(argv: Sequence[str] | None = None, program: str = "sjavs champion") -> int:
    """Run the command; return its exit status, 2 for bad input."""
    args = _parser(program).parse_args(argv)
    work = {"list": _list, "card": _card, "export": _export}[args.command]
    try:
        return in_one_line(program, lambda: work(args), MatchError)
    except StoppedError as error:  # the matches have said why
        return error.status


def _list(args: argparse.Namespace) -> int:
    cards = all_cards()
    if not cards:
        raise ValueError(LACKING)
    for line in in_columns(card_rows(cards)):
        print(line)
    return 0


def _card(args: argparse.Namespace) -> int:
    print(card_page(read_card(champion_file(rules_of(args)))), end="")
    return 0


def _export(args: argparse.Namespace) -> int:
    for name in ("boards", "search_boards"):
        if not 2 <= getattr(args, name) <= MOST_BOARDS:
            words = name.replace("_", "-")
            raise ValueError(
                f"{words} is {shown(getattr(args, name))}; allowed: 2 to {MOST_BOARDS}"
            )
    if args.out is None and not in_checkout():
        raise ValueError("--out is missing; allowed: a folder")
    with needing("train"):
        from sjavs_agents.champion.session import Export, export_champion
    yardsticks = Yardsticks(
        args.against or YARDSTICKS, args.boards, args.search_boards, args.seed, args.processes
    )
    wanted = Export(
        args.run, args.out or own_shelf(), args.replace, yardsticks, args.against is not None
    )
    path = export_champion(wanted, partial(print, flush=True))
    print(f"{path}: a champion, with its card beside it")
    return 0
