"""One session of training, from the settings to the table of results.

Collect deals, learn from them, evaluate, log, save; again, until the run is finished or somebody
asks for a stop.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from rich.console import Console

from sjavs_agents.arena.match import MatchError
from sjavs_agents.base.asking import AgentError
from sjavs_agents.neural.device import chosen_device
from sjavs_agents.training.arguments import TrainArguments
from sjavs_agents.training.collect import DivergedError
from sjavs_agents.training.config import TrainConfig, config_to_dict, load_config, problems
from sjavs_agents.training.display import Display, result_table
from sjavs_agents.training.folder import write_about
from sjavs_agents.training.health import Watch
from sjavs_agents.training.learners.guarded import LearnerError
from sjavs_agents.training.learners.schedule import stable_until
from sjavs_agents.training.metrics import Log, contract_metrics, evaluation_metrics
from sjavs_agents.training.opening import open_run
from sjavs_agents.training.processes import is_restarted, run_team
from sjavs_agents.training.result import evaluate, final_result
from sjavs_agents.training.run import Training, use_threads
from sjavs_agents.training.team import Team, TeamError
from sjavs_env import make_rules, read_overrides
from sjavs_env.cli.command import BAD_INPUT, FAILED, INTERRUPTED, reason, run_command
from sjavs_env.cli.rule_arguments import rules_from
from sjavs_env.cli.stop import StopSignal

__all__ = ["SessionError", "go_on", "run_session"]


class SessionError(Exception):
    """Why the program ends early, and with which exit status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@contextmanager
def failing(status: int, *errors: type[Exception]) -> Iterator[None]:
    """Make some errors a SessionError."""
    try:
        yield
    except errors as error:
        raise SessionError(status, reason(error)) from None


def run_session(arguments: TrainArguments, program: str = "sjavs train") -> int:
    """Run or resume a training; return the exit status.  SessionError says why it ends early.

    It is told by the leader if there are several processes.
    """
    with failing(BAD_INPUT, ValueError):
        config, fresh = load_config(arguments.settings)
        task = with_rules(config, arguments), fresh and not is_restarted()
        chosen_device(config.run.device, setting="run.device")
    processes = config.run.processes
    member = Member(program) if processes > 1 else work
    with failing(FAILED, TeamError):
        return run_team(processes, member, task, config.run.device)


@dataclass(frozen=True)
class Member:
    """What a process of a team does: its part of the work, as a command of its own."""

    program: str

    def __call__(self, team: Team, task: tuple[TrainConfig, bool]) -> int:
        """Do it and return the exit status; the leader says what goes wrong."""

        def main() -> int:
            try:
                return work(team, task)
            except SessionError as failure:
                if team.leads:
                    sys.stderr.write(f"{self.program}: error: {failure}\n")
                return failure.status

        return run_command(self.program, main)


def with_rules(config: TrainConfig, arguments: TrainArguments) -> TrainConfig:
    """Return a configuration for the game that ``--players`` and ``--set`` ask for."""
    if arguments.players is None and not arguments.overrides:
        return config
    base = make_rules(config.rules)
    rules_from(config.rules, arguments.players, arguments.overrides)  # says what is wrong
    overrides = {**config.overrides, **read_overrides(base, arguments.overrides)}
    if arguments.players is not None:
        overrides["players"] = arguments.players
    if overrides.get("players") == base.players:
        del overrides["players"]  # as if it had not been said: a run may have begun so
    config = replace(config, overrides=overrides)
    if found := problems(config):
        raise ValueError("; ".join(found))
    return config


def work(team: Team, task: tuple[TrainConfig, bool]) -> int:
    """Do what one process of the team has to do; return the exit status."""
    config, fresh = task
    console = Console(soft_wrap=True, quiet=not team.leads)
    with ExitStack() as held, failing(FAILED, LearnerError):
        with failing(BAD_INPUT, ValueError, OSError):  # rules, players, files say what is wrong
            use_threads(config.run.threads, team.size_here)
            training = open_run(config, fresh, console, held, team)
        with failing(FAILED, AgentError, DivergedError, MatchError, OSError):
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
    console.print(result_table(final_result(training), training.folder / "agent.safetensors"))
    return 0


def go_on(training: Training, console: Console, stop: StopSignal) -> None:
    """Train to the last iteration or until told to stop; everything is saved either way."""
    config, team = training.config, training.team
    resumed = training.decisions if training.iteration else None
    watch = Watch(config)
    log = Log(training.folder, resumed, training.learner.explained) if team.leads else None
    if log:
        write_about(training)
        log.text("config", f"```\n{json.dumps(config_to_dict(config), indent=2)}\n```")
    with Display(console, training) as display:
        stopping = False
        while not (training.is_finished or stopping):
            values = iterate(training)
            flags, warnings = watch.look(values)
            if log:
                warnings += log.scalars(values | flags, training.decisions)
                for warning in warnings:
                    log.text("health", warning, training.decisions)
            try:
                display.show()
                for warning in warnings:
                    display.warn(warning)
            except (SystemExit, OSError):  # nobody reads any more: ``| head``, a closed terminal
                stop.is_set = True
            stopping = team.any(stop.is_set)
            due = training.iteration % config.run.checkpoint_every == 0
            due |= training.iteration == stable_until(config)
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
    values |= {
        f"charts/{k}": metrics[k] for k in ("learning_rate", "entropy_bonus") if k in metrics
    }
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
