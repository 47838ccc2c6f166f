"""The command that trains a player: ``sjavs train``, which is ``python train.py`` in the checkout.

Here stands only the door; what a training does, step by step, is told in ``session``.  PyTorch is
imported when it is needed, so that a missing one is told in one line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from sjavs_agents.training.arguments import TrainArguments, help_text
from sjavs_env.cli.command import BAD_INPUT, reason
from sjavs_env.cli.extras import needing

__all__ = ["main"]


def main(argv: Sequence[str] | None = None, program: str = "sjavs train") -> int:
    """Run or resume a training; return the exit status.  ``program`` is what errors call it."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not {"-h", "--help"}.isdisjoint(words):
        print(help_text(program), end="")
        return 0
    # Threads should spin briefly and then sleep: spinning on costs a factor of ten on shared
    # cores.  OpenMP reads this when PyTorch is imported.
    os.environ.setdefault("GOMP_SPINCOUNT", "100000")
    try:
        arguments = TrainArguments.read(words)
        with needing("train"):
            import_module("torch")  # the package to be named first
            from sjavs_agents.training.seeds import run_seeds
            from sjavs_agents.training.session import SessionError, run_session
    except ValueError as error:
        print(f"{program}: error: {reason(error)}", file=sys.stderr)
        return BAD_INPUT
    try:
        return (run_seeds if arguments.seeds else run_session)(arguments, program)
    except SessionError as failure:
        print(f"{program}: error: {failure}", file=sys.stderr)
        return failure.status
