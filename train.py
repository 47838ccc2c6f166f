"""Train a player by self-play: collect -> learn -> evaluate -> log -> checkpoint.

``python train.py --config configs/quickstart.yaml``.  An interrupted run goes on where it
stopped when the same command is given again; it ends with a table of the trained player
against fixed yardsticks on duplicate boards.  ``--run.processes 2`` shares the work on one
machine; ``torchrun train.py ...`` shares it among the processes that it starts.

The story is told in ``sjavs_agents.training``, in the order of a run:

    config      every setting, typed and explained
    team        the processes that train together; processes starts and watches them
    opening     a run is started, or resumed from its newest sound checkpoint
    session     the loop: iteration after iteration, until the end or a polite stop
    collect       deals are played by the current policy, its older copies and scripted players
    update        critic and policies learn from them
    metrics       what is logged of it
    run           everything that a checkpoint holds
    result      the finished player is measured, once
    display     what is shown meanwhile and at the end
"""

from __future__ import annotations

from collections.abc import Sequence

from sjavs_agents.starting import start

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run or resume a training, as ``sjavs train`` does; return the exit status."""
    from sjavs_agents.training import command

    return command.main(argv, program="train.py")


if __name__ == "__main__":
    start("train.py", main)
