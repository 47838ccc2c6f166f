"""Train a player by self-play: collect -> learn -> evaluate -> log -> checkpoint.

``python train.py --config configs/quickstart.yaml``.  An interrupted run goes on where it
stopped when the same command is given again; it ends with a table of the trained player
against fixed yardsticks on duplicate boards.  ``--run.processes 2`` shares the work on one
machine; ``torchrun train.py ...`` shares it among the processes that it starts.
"""

from __future__ import annotations

import json
import os

# Threads should spin briefly and then sleep: spinning on costs a factor of ten on shared cores.
os.environ.setdefault("GOMP_SPINCOUNT", "100000")

import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

try:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.table import Table

    from sjavs_agents.arena.match import MatchError, MatchResult, play_match
    from sjavs_agents.neural.checkpoint import read_checkpoint
    from sjavs_agents.neural.network import Precision
    from sjavs_agents.training.claim import claimed
    from sjavs_agents.training.config import TrainConfig, config_to_dict, load_config
    from sjavs_agents.training.metrics import Log, contract_metrics, evaluation_metrics
    from sjavs_agents.training.run import DivergedError, Training, use_threads
    from sjavs_agents.training.team import Team, TeamError, assembled
    from sjavs_env.cli.command import BAD_INPUT, FAILED, INTERRUPTED, reason, run_command
    from sjavs_env.cli.files import write_json
except ModuleNotFoundError as error:  # of an extra, which is not installed with the rest
    sys.exit(f"train.py: error: needs {error.name}; pip install 'sjavs[train]'")

T = TypeVar("T")


class RunError(Exception):
    """Why the program ends early, and with which exit status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@contextmanager
def failing(status: int, *errors: type[Exception]) -> Iterator[None]:
    """Make some errors a RunError."""
    try:
        yield
    except errors as error:
        raise RunError(status, reason(error)) from None


def main(argv: Sequence[str] | None = None) -> int:
    """Run or resume a training; return the exit status."""
    try:
        with failing(BAD_INPUT, ValueError):
            task = load_config(argv)
        with failing(FAILED, TeamError), assembled(task[0].run.processes, follow, task) as team:
            return work(team, task)
    except RunError as failure:
        print(f"train.py: {failure}", file=sys.stderr)
        return failure.status


def follow(team: Team, task: tuple[TrainConfig, bool]) -> None:
    """Work for a leader, who says what goes wrong."""
    with suppress(RunError):
        work(team, task)


def work(team: Team, task: tuple[TrainConfig, bool]) -> int:
    """Do what one process of the team has to do; return the exit status."""
    config, fresh = task
    console = Console(soft_wrap=True, quiet=not team.leads)
    with ExitStack() as held:
        with failing(BAD_INPUT, ValueError, OSError):  # rules, players, files say what is wrong
            use_threads(config.run.threads, team.size_here)
            training = open_run(config, fresh, console, held, team)
        with failing(FAILED, DivergedError, MatchError, OSError):
            return carry_out(training, console)


def carry_out(training: Training, console: Console) -> int:
    """Train until the end or an interrupt, and show how good the player is; return the status."""
    if not training.is_finished:
        with StopSignal() as stop:
            console.print(
                f"Training to iteration {training.config.run.iterations}, processes: "
                f"{training.team.size}; files are in {training.folder}. Ctrl-C stops after an "
                "iteration."
            )
            go_on(training, console, stop)
    if not training.is_finished:
        done = training.iteration
        console.print(f"Stopped after iteration {done}; the same command goes on.")
        return INTERRUPTED
    console.print(final_table(training))
    return 0


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
        return Training(config, precision, team)
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
        training = Training(config, team=team)  # it may refuse the settings, so before clearing
        held.enter_context(claimed(folder))
        if fresh:
            clear(folder)
        return training, None
    training, path, troubles = found
    if not training.is_finished:
        held.enter_context(claimed(folder))
    for trouble in troubles:
        console.print(f"[yellow]{trouble}; using an older checkpoint[/yellow]")
    console.print(f"Resuming {path} after iteration {training.iteration}.")
    return training, path


def clear(folder: Path) -> None:
    """Delete the checkpoints, logs and result of a run that is started afresh."""
    for pattern in ("checkpoints/*.safetensors", "events.*", "result.json", "agent.safetensors"):
        for path in folder.glob(pattern):
            path.unlink()


class StopSignal:
    """Remembers Ctrl-C or a polite kill, so that an iteration can end and be saved.

    Only while it is entered: before and after there is nothing to save.
    """

    def __init__(self) -> None:
        self.is_set = False
        self._since = 0.0
        self._before: dict[int, Any] = {}  # what else a signal would do

    def __enter__(self) -> StopSignal:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._set)
        return self

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _set(self, number: int, frame: FrameType | None) -> None:
        """Take note; a second time, leave at once."""
        now = time.monotonic()
        if not self.is_set:
            self.is_set, self._since = True, now
        elif now - self._since > 1:  # asked again, not only by a terminal and torchrun together
            sys.exit(INTERRUPTED)


def go_on(training: Training, console: Console, stop: StopSignal) -> None:
    """Train to the last iteration or until told to stop; everything is saved either way."""
    config, team = training.config, training.team
    resumed = training.decisions if training.iteration else None
    log = Log(training.folder, resumed) if team.leads else None
    if log:
        log.text("config", f"```\n{json.dumps(config_to_dict(config), indent=2)}\n```")
    with Display(console, training) as display:
        stopping = False
        while not (training.is_finished or stopping):
            values = iterate(training)
            if log:
                log.scalars(values, training.decisions)
            try:
                display.show()
            except SystemExit:  # what a console answers when its reader has left, as in ``| head``
                stop.is_set = True
            stopping = team.any(stop.is_set)
            due = training.iteration % config.run.checkpoint_every == 0
            if due or stopping or training.is_finished:
                training.save()
    if log:
        log.close()


def iterate(training: Training) -> dict[str, float]:
    """Do one iteration; return what is to be logged of it."""
    config, start, before = training.config, time.perf_counter(), training.decisions
    rollout = training.collect()
    collected = time.perf_counter()
    metrics = training.learn(rollout)
    learned = time.perf_counter()
    values = {f"losses/{k}": v for k, v in metrics.items()
              if k not in ("learning_rate", "entropy_bonus")}  # fmt: skip
    values |= {f"charts/{k}": metrics[k] for k in ("learning_rate", "entropy_bonus")}
    values |= contract_metrics(training.game, rollout.state)
    if len(training.pool.won):
        values["charts/pool_won"] = float(training.pool.won.mean())
    if training.iteration % config.evaluation.every == 0:
        training.strength = evaluate(training, config.evaluation.boards, evaluation_metrics)
        values |= {k: v for found in training.strength.values() for k, v in found.items()}
    seconds = time.perf_counter() - start
    training.seconds += seconds
    values |= {
        "charts/decisions_per_second": (training.decisions - before) / seconds,
        "charts/deals_per_second": config.collect.deals / seconds,
        "charts/deals": training.deals,
        "time/collect": (collected - start) / seconds,
        "time/learn": (learned - collected) / seconds,
        "time/other": 1 - (learned - start) / seconds,
    }
    return training.team.mean(values)


def evaluate(
    training: Training, boards: int, summary: Callable[[str, MatchResult], dict[str, T]]
) -> dict[str, dict[str, T]]:
    """Play the current player against every yardstick on the fixed boards.

    The team shares the yardsticks out and hears all results.
    """
    team, player, seed = training.team, training.agent(), training.config.evaluation.seed
    found: dict[str, dict[str, T]] = {}
    trouble: MatchError | None = None
    for name, opponent in list(training.yardsticks.items())[team.rank :: team.size]:
        try:
            result = play_match(training.game, (player, opponent), boards, seed)
        except MatchError as error:
            trouble = error
            break
        found[name] = summary(name, result)
    of_all: dict[str, dict[str, T]] = {}
    for theirs, what in team.everyone((found, trouble)):
        if what:
            raise what
        of_all |= theirs
    return {name: of_all[name] for name in training.yardsticks}


class Display:
    """A progress bar on a terminal, a line now and then elsewhere."""

    def __init__(self, console: Console, training: Training) -> None:
        self.console = console
        self.training = training
        self.start = time.perf_counter()
        self.deals_before = training.deals
        columns = (TextColumn("{task.description}"), BarColumn(12), TimeElapsedColumn(),
                   TextColumn("left"), TimeRemainingColumn(),
                   TextColumn("{task.fields[info]}"))  # fmt: skip
        self.bar = Progress(*columns, console=console, disable=not console.is_terminal)
        self.task = self.bar.add_task(
            training.config.run.name, total=training.config.run.iterations, info="",
            completed=training.iteration,
        )  # fmt: skip

    def __enter__(self) -> Display:
        self.bar.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.bar.stop()

    def show(self) -> None:
        """Show how far the run is."""
        training, config = self.training, self.training.config
        info = self._info()
        self.bar.update(self.task, completed=training.iteration, info=info)
        due = training.iteration % config.evaluation.every == 0 or training.is_finished
        if not self.console.is_terminal and due:
            self.console.print(f"{training.iteration}/{config.run.iterations} {info}")

    def _info(self) -> str:
        done = self.training.deals - self.deals_before
        speed = f"{done / (time.perf_counter() - self.start):,.0f} deals/s"
        left = self.training.config.run.iterations - self.training.iteration
        made = max(1, done // self.training.config.collect.deals)
        seconds = left * (time.perf_counter() - self.start) / made
        ahead = [
            f"{name} {value[f'eval/{name}/game_points']:+.2f}"
            for name, value in self.training.strength.items()
        ]
        left_text = "" if self.console.is_terminal else f", {seconds:.0f} s left"
        return speed + left_text + (f", points/deal vs {', '.join(ahead)}" if ahead else "")


def final_table(training: Training) -> Table:
    """Measure the trained player (once), save it, and return the table of results."""
    path, team = training.folder / "result.json", training.team
    wanted = config_to_dict(training.config)["evaluation"]
    result = team.told(_measured(path, wanted))
    if result is None:
        if team.leads:
            training.save_agent()
        boards = training.config.evaluation.final_boards
        result = {"evaluation": wanted, "boards": boards, "deals_trained": training.deals,
                  "decisions_trained": training.decisions, "seconds": round(training.seconds, 1),
                  "against": evaluate(training, boards, _row)}  # fmt: skip
        if team.leads:
            write_json(path, result)
    return result_table(result, training.folder / "agent.safetensors")


def _measured(path: Path, wanted: dict[str, Any]) -> dict[str, Any] | None:
    """Return the stored result if it is sound and was measured with the settings wanted."""
    try:
        stored = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return None
    asked = isinstance(stored, dict) and stored.get("evaluation") == wanted
    return stored if asked else None


def _row(name: str, result: MatchResult) -> dict[str, Any]:
    found = result.estimates()
    return {
        name: {"mean": e.mean, "low": e.low, "high": e.high}
        for name, e in found.items()
        if name in ("game_points", "card_points", "boards_won")
    }


def result_table(result: dict[str, Any], agent: Path) -> Table:
    """Return a finished run's results as a table with 95 % intervals."""
    table = Table(
        title=f"Trained player per deal on {result['boards']:,} duplicate boards (95 % intervals)",
        caption=f"{result['deals_trained']:,} deals in {result['seconds']:.0f} s; saved as {agent}",
        show_edge=False, pad_edge=False,  # for 80 columns
    )  # fmt: skip
    table.add_column("against")
    for heading in ("game points", "card points", "boards won"):
        table.add_column(heading, justify="right")
    for name, row in result["against"].items():
        table.add_row(name, _cell(row["game_points"], "+.2f"), _cell(row["card_points"], "+.1f"),
                      _cell(row["boards_won"], ".1%"))  # fmt: skip
    return table


def _cell(estimate: dict[str, float], form: str) -> str:
    low, high = (format(estimate[k], form.removeprefix("+")) for k in ("low", "high"))
    return f"{estimate['mean']:{form}} [{low}, {high}]"


if __name__ == "__main__":
    sys.exit(run_command("train.py", main))
