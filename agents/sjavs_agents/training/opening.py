"""How a run begins: anew, or from its newest sound checkpoint, alone in its folder."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from rich.console import Console

from sjavs_agents.neural.checkpoint import checkpoint_files, read_checkpoint
from sjavs_agents.neural.network import Precision
from sjavs_agents.training.config import TrainConfig
from sjavs_agents.training.continuing import before_cooldown
from sjavs_agents.training.folder import WRITTEN
from sjavs_agents.training.run import Training
from sjavs_agents.training.team import Team
from sjavs_env.cli.claim import claimed

__all__ = ["open_run"]


def open_run(
    config: TrainConfig,
    fresh: bool,
    console: Console,
    held: ExitStack,
    team: Team | None = None,
) -> Training:
    """Start a run, or resume it from its newest sound checkpoint; the leader tells the others.

    While ``held`` is entered, no other process can train in the folder of the run.
    """
    team = team or Team()
    if team.leads:
        training, path = _opened(config, fresh, console, held, team)
        if team.size > 1:
            team.told((training.precision, path and read_checkpoint(path)))
        return training
    precision, found = team.told((Precision(""), None))
    if found is None:
        return Training.begin(config, precision, team)
    return Training.resume(config, *found, team)


def _opened(
    config: TrainConfig, fresh: bool, console: Console, held: ExitStack, team: Team
) -> tuple[Training, Path | None]:
    """Return the run and the checkpoint that it goes on from, if any."""
    folder = Path(config.run.directory) / config.run.name
    found = None if fresh else Training.resume_newest(config, folder / "checkpoints", team)
    if found is None:
        if not fresh and (folder / "agent.safetensors").exists():
            raise ValueError(
                f"{folder} holds a finished player but no checkpoints; allowed: another run.name, "
                "or --fresh true"
            )
        training = Training.begin(
            config, team=team
        )  # it may refuse the settings, so before clearing
        held.enter_context(_claimed(folder))
        if fresh:
            clear(folder)
        if config.run.init:
            console.print(f"Starting from the weights of {config.run.init}.", markup=False)
        return training, None
    training, path, troubles = found
    newest, earlier = path, before_cooldown(config, path, read_checkpoint(path)[1])
    if earlier:
        training, path = Training.resume(config, *read_checkpoint(earlier), team), earlier
    if not training.is_finished:
        held.enter_context(_claimed(folder))
    if earlier:
        for fallen in checkpoint_files(path.parent):  # which a longer run has no use for
            if path.name < fallen.name <= newest.name:
                fallen.unlink()
    for trouble in troubles:
        console.print(f"[yellow]{trouble}; using an older checkpoint[/yellow]")
    if training.is_finished:
        console.print(
            f"The run {folder} is finished after iteration {training.iteration}; a larger "
            "--run.iterations continues it, --fresh true starts over."
        )
    else:
        when = ", from where the step size began to fall" if earlier else ""
        console.print(f"Resuming {path} after iteration {training.iteration}{when}.")
    return training, path


def _claimed(folder: Path) -> AbstractContextManager[None]:
    return claimed(folder, "another training", "another run.name", ["checkpoints"])


def clear(folder: Path) -> None:
    """Delete the checkpoints, logs and result of a run that is started afresh."""
    for pattern in WRITTEN:
        for path in folder.glob(pattern):
            path.unlink()
