"""The pages of the documentation: listed, printed by name, or, in a checkout, written anew.

``sjavs docs`` lists them, ``sjavs docs rules/suduroy`` prints one; ``--write`` writes those that
are made by the program, relative to the current folder, and ``--check`` names stale ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from sjavs_env.cli.command import BAD_INPUT, OneLineParser, reason
from sjavs_env.cli.docs import add_page_arguments, write_pages
from sjavs_env.cli.extras import needing
from sjavs_env.cli.shared import shared_file, shared_names

__all__ = ["main", "pages"]

DESCRIPTION = (
    "List the pages of the documentation, or print one. In a checkout, write those that are made "
    "by the program, or name stale ones."
)


def pages() -> dict[str, Callable[[], str]]:
    """Return the pages about agents by path; ValueError where packages for training are missing."""
    from sjavs_agents.champion.champions_page import champions_page
    from sjavs_agents.reporting.ladder_page import ladder_page
    from sjavs_agents.stats.rubber_page import rubber_page

    with needing("train"):
        from sjavs_agents.training.config import config_page
        from sjavs_agents.training.metrics import metrics_page
    return {
        "docs/champions.md": champions_page,
        "docs/configuration.md": config_page,
        "docs/ladders.md": ladder_page,
        "docs/metrics.md": metrics_page,
        "docs/rubbers.md": rubber_page,
    }


def main(argv: Sequence[str] | None = None, program: str = "sjavs docs") -> int:
    """List, print, write or check the pages; return the exit status."""
    parser = OneLineParser(prog=program, description=DESCRIPTION)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("name", nargs="?", metavar="PAGE", help="print this page")
    add_page_arguments(what)
    args = parser.parse_args(argv)
    try:
        if args.write or args.check:
            return _write(check=args.check)
        if args.name is None:
            text = "".join(f"{name}\n" for name in shared_names("docs", ".md"))
        else:
            text = shared_file("docs", args.name.removesuffix(".md"), ".md").read_text("utf-8")
    except ValueError as error:
        sys.stderr.write(f"{program}: error: {reason(error)}\n")
        return BAD_INPUT
    sys.stdout.write(text)
    return 0


def _write(*, check: bool) -> int:
    """Write, or check, the pages of the environments and those about agents."""
    from sjavs_env.__main__ import main as write_others

    about_agents = write_pages(pages(), "sjavs docs --write", check=check)
    return write_others(["docs", "--check" if check else "--write"]) or about_agents
