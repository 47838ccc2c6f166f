"""Learn where hidden cards lie: ``python -m sjavs_agents.belief --rules faroese --out FILE``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from sjavs_env.cli.command import BAD_INPUT, reason, run_command
from sjavs_env.cli.extras import needing

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status, 2 for bad input."""
    try:
        with needing("search"):
            import_module("sjavs_agents.worlds.sampler")
        with needing("train"):
            from sjavs_agents.belief.command import run
        run(argv, partial(print, flush=True))
    except BrokenPipeError:  # a reader has left; nothing is wrong with the input
        raise
    except (ValueError, OSError) as error:
        print(f"sjavs_agents.belief: error: {reason(error)}", file=sys.stderr)
        return BAD_INPUT
    return 0


if __name__ == "__main__":
    sys.exit(run_command("sjavs_agents.belief", main))
