"""What deals come to among rule players: the data behind ``docs/rubbers.md``.

``python -m benchmarks.deal_results [--deals N] [--seed S] --json docs/deal_results.json`` lets
them play N numbered deals of every game with a rubber, each the first of one.  Then
``sjavs docs --write`` writes the page anew.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from benchmarks.arguments import number, writable
from sjavs_agents.arena.deal_counts import count_deals
from sjavs_agents.registry import make_agent
from sjavs_agents.stats.rubber_deals import KINDS
from sjavs_env import PRESETS, Game, rules_to_json
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, run_command

__all__ = ["main", "measure"]

AGENT = "rules"


def measure(deals: int, seed: int) -> list[dict[str, Any]]:
    """Return what the deals of each game came to, and how that was measured, as JSON values."""
    found = []
    for rules in PRESETS.values():
        game = Game(rules)
        if game.tables.match.kind not in KINDS:
            continue
        counts = count_deals(game, make_agent(AGENT, game), deals, seed)
        found.append(
            {
                "rules": rules_to_json(rules),
                "agent": AGENT,
                "seed": seed,
                "deals": deals,
                "redeals": counts.redeals,
                "results": counts.results.to_json(game),
            }
        )
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and write the file."""
    parser = OneLineParser(prog="benchmarks.deal_results", description=__doc__)
    add = parser.add_argument
    add(
        "--deals",
        type=number(1, 2**31),
        default=200_000,
        help="of each game (default: %(default)s)",
    )
    add("--seed", type=number(0, 2**64 - 1), default=0, help="default: %(default)s")
    add(
        "--json", type=writable, metavar="FILE", required=True, help="write the counts to this file"
    )
    args = parser.parse_args(argv)
    write_json(args.json, {"format": 1, "games": measure(args.deals, args.seed)})
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.deal_results", main))
