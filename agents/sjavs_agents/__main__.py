"""All commands under one name: ``sjavs train``, ``sjavs evaluate``, ... (``sjavs --help``)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from sjavs_agents.starting import start

__all__ = ["COMMANDS", "main", "script"]

# Each is a module with ``main(argv, program)``, imported when it is asked for, and what it does.
COMMANDS = {
    "train": ("sjavs_agents.training.command", "train a player by self-play"),
    "evaluate": ("sjavs_agents.arena.command", "measure players on duplicate boards"),
    "champion": ("sjavs_agents.champion.command", "list or make the players that come along"),
    "report": ("sjavs_agents.reporting.command", "write results up as one page"),
    "rules": ("sjavs_env.cli.rules_command", "list the rule sets, or print one as a page"),
    "analyze": ("sjavs_agents.analyze.command", "judge recorded games"),
    "credit": ("sjavs_agents.credit.command", "split what one player gains on another by parts"),
    "swings": ("sjavs_agents.swings.command", "show the boards on which two players differed"),
    "luck": ("sjavs_agents.luck.command", "take the luck of the cards out of recorded games"),
    "puzzles": ("sjavs_agents.puzzles.command", "put positions with one best card to players"),
    "exploit": ("sjavs_agents.exploit.command", "find out how much a player can be made to lose"),
    "belief": ("sjavs_agents.belief.command", "learn where hidden cards lie"),
    "exact": ("sjavs_agents.exact.command", "compute small games whole"),
    "docs": ("sjavs_agents.pages", "list the pages of the documentation, or print one"),
}
BAD_INPUT = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that is named first; return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    first = words[0] if words else "--help"
    if first in COMMANDS:
        module, _ = COMMANDS[first]
        return int(import_module(module).main(words[1:], f"sjavs {first}"))
    if first in ("-h", "--help"):
        print(_help())
        return 0
    if first == "--version":
        from sjavs_env import __version__

        print(f"sjavs {__version__}")
        return 0
    allowed = ", ".join(COMMANDS)
    print(f"sjavs: error: there is no command {first!r}; allowed: {allowed}", file=sys.stderr)
    return BAD_INPUT


def _help() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:{width}}  {what}" for name, (_, what) in COMMANDS.items()]
    return "\n".join(
        [
            "usage: sjavs COMMAND ...",
            "",
            "Reinforcement learning for the Sjavs family of card games.",
            "",
            *lines,
            "",
            "sjavs COMMAND --help explains a command, sjavs --version tells the version.",
        ]
    )


def script() -> NoReturn:
    """Be the command ``sjavs``."""
    if sys.argv[1:2] and sys.argv[1] in COMMANDS:
        start("sjavs", main)
    sys.exit(main())  # help needs nothing that takes time to import


if __name__ == "__main__":
    script()
