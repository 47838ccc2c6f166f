"""Write the generated pages about training: ``python -m sjavs_agents docs [--check]``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from sjavs_agents.training.config import config_page
from sjavs_agents.training.metrics import metrics_page
from sjavs_env.cli.command import OneLineParser, run_command
from sjavs_env.cli.docs import write_pages

__all__ = ["PAGES", "main"]

# generated pages by path
PAGES: dict[str, Callable[[], str]] = {
    "docs/configuration.md": config_page,
    "docs/metrics.md": metrics_page,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the pages, or name the stale ones; return the exit status."""
    parser = OneLineParser(prog="python -m sjavs_agents", description=__doc__)
    parser.add_argument("command", choices=["docs"])
    parser.add_argument("--check", action="store_true", help="write nothing; name stale pages")
    args = parser.parse_args(argv)
    return write_pages(PAGES, "python -m sjavs_agents docs", check=args.check)


if __name__ == "__main__":
    sys.exit(run_command("sjavs_agents", main))
