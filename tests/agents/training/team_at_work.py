"""A team of two that works for ever: ``python -m tests.agents.training.team_at_work FOLDER``.

Each of its processes leaves a file in the folder when it has met the other.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

from sjavs_agents.training.processes import run_team
from sjavs_agents.training.team import Team, TeamError
from sjavs_env.cli.command import FAILED, run_command


def work(team: Team, folder: Path) -> int:
    """Agree for ever that there is no end."""
    (folder / str(team.rank)).touch()
    while not team.any(False):
        time.sleep(0.01)
    return 0


def main(folder: Path) -> int:
    """Run the team; one line if it is lost."""
    try:
        return run_team(2, work, folder)
    except TeamError as error:
        sys.stderr.write(f"{error}\n")
        return FAILED


if __name__ == "__main__":
    sys.exit(run_command("team_at_work", partial(main, Path(sys.argv[1]))))
