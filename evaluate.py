"""Measure agents against each other on duplicate boards: match -> tally -> estimates -> report.

``python evaluate.py rules random --boards 1000 --seed 7`` plays numbered deals twice with the
sides exchanged (where one plays alone: with each agent alone in every seat) and prints what A
wins more per deal than B, with 95% intervals.  More than two agents play all pairs.  The same
command writes the same JSON, byte for byte.

The story is told in ``sjavs_agents.arena``, in the order of an evaluation:

    command     what was asked for is checked, played, written and shown
    tournament    all matches, by one or several processes, kept in a folder
    shard         some boards of a match, played whole or not at all
    playing         the same numbered deals at several tables, the agents exchanged
    tally           what the agents did meanwhile
    recording       all games written down, if they are wanted
    estimates     means and shares of boards with their intervals
    report        all of it as JSON values
"""

from __future__ import annotations

from collections.abc import Sequence

from sjavs_agents.starting import start

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure agents, as ``sjavs evaluate`` does; return the exit status."""
    from sjavs_agents.arena import command

    return command.main(argv, program="evaluate.py")


if __name__ == "__main__":
    start("evaluate.py", main)
