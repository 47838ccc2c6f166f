"""The command that trains a player: ``sjavs train``, which is ``python train.py`` in the checkout.

Here stands only the door; what a training does, step by step, is told in ``session``.  PyTorch is
imported when it is needed, so that a missing one is told in one line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from sjavs_env.cli.command import BAD_INPUT
from sjavs_env.cli.extras import needing

__all__ = ["main"]


def main(argv: Sequence[str] | None = None, program: str = "sjavs train") -> int:
    """Run or resume a training; return the exit status.  ``program`` is what errors call it."""
    # Threads should spin briefly and then sleep: spinning on costs a factor of ten on shared
    # cores.  OpenMP reads this when PyTorch is imported.
    os.environ.setdefault("GOMP_SPINCOUNT", "100000")
    try:
        with needing("train"):
            from sjavs_agents.training.session import SessionError, run_session
    except ValueError as error:
        print(f"{program}: error: {error}", file=sys.stderr)
        return BAD_INPUT
    try:
        return run_session(argv, program)
    except SessionError as failure:
        print(f"{program}: error: {failure}", file=sys.stderr)
        return failure.status
