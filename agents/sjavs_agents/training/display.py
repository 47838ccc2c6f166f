"""What a training shows: how far it is, and in the end how good its player is."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from sjavs_agents.training.run import Training

__all__ = ["Display", "result_table"]


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

    def warn(self, text: str) -> None:
        """Show a line that stays."""
        line = f"Iteration {self.training.iteration}: {text}."
        self.console.print(line, style="yellow", markup=False)

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
