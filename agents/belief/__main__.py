"""``python -m agents.belief``: see ``command``, which needs the extras ``search`` and ``train``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from agents.extras import needing
from sjavs_env.command import BAD_INPUT, run_command

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status, 2 for bad input."""
    try:
        with needing("search"):
            import_module("agents.search.worlds.sampler")
        with needing("train"):
            from agents.belief.command import main as command
    except ValueError as error:
        print(f"agents.belief: error: {error}", file=sys.stderr)
        return BAD_INPUT
    return command(argv)


if __name__ == "__main__":
    sys.exit(run_command("agents.belief", main))
