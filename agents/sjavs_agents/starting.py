"""How a command starts: what it needs is imported when it is under way.

So a command that does little starts at once, and a Ctrl-C during imports, which take seconds with
PyTorch, ends it in one line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

__all__ = ["start"]

INTERRUPTED = 130  # as in sjavs_env.cli.command, which takes a while to import


def start(program: str, main: Callable[[], int]) -> NoReturn:
    """Run a command for the shell, and leave with its exit status."""
    try:
        from sjavs_env.cli.command import run_command

        status = run_command(program, main)
    except KeyboardInterrupt:
        sys.stderr.write(f"{program}: interrupted\n")
        status = INTERRUPTED
    sys.exit(status)
