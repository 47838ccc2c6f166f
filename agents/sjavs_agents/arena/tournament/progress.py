"""What a tournament shows while it runs: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from sjavs_agents.arena.report import signed
from sjavs_agents.arena.tournament.bout import Bout
from sjavs_agents.arena.tournament.running import Tournament
from sjavs_agents.stats.estimates import estimate_mean

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["Shown", "duration"]

BAR_EVERY, LINE_EVERY = 0.5, 10.0  # seconds


class Shown:
    """Shows how far a tournament is; entered, it may draw on the terminal."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.start = time.monotonic()
        self.before = _boards_done(tournament)  # read, or played by others, before
        self.bar = _terminal_bar() if sys.stderr is not None else None
        self.due = self.start + (LINE_EVERY if self.bar is None else BAR_EVERY)
        self.task: Any = None

    def __enter__(self) -> Shown:
        if self.bar is not None:
            self.bar.start()
            self.task = self.bar.add_task("", total=1.0, info="")
        return self

    def __exit__(self, *exc: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def look(self) -> None:
        """Show how far it is, if that was not done just now; nobody need be there to see it."""
        now = time.monotonic()
        if now < self.due:
            return
        try:
            if self.bar is not None:
                self.bar.update(self.task, completed=self._share(), info=self._text())
            elif sys.stderr is not None:
                sys.stderr.write(f"{self._share():4.0%} {self._text()}\n")
                sys.stderr.flush()
        except (OSError, ValueError):  # a closed terminal: the work goes on
            self.due = float("inf")
            return
        cost = time.monotonic() - now  # of many boards more than nothing
        self.due = now + max(LINE_EVERY if self.bar is None else BAR_EVERY, 20 * cost)

    def _share(self) -> float:
        done, wanted = _boards_done(self.tournament), _boards_wanted(self.tournament)
        return done / max(1, wanted)

    def _text(self) -> str:
        bout = self.tournament.under_way
        many = len(self.tournament.bouts)
        which = f" ({self.tournament.bouts.index(bout) + 1} of {many})" if many > 1 else ""
        return f"{_standing(bout)}{which}{self._left()}"

    def _left(self) -> str:
        """Time left, if boards cost what they have cost so far."""
        if not self.tournament.played:
            return ""
        left = _boards_wanted(self.tournament) - _boards_done(self.tournament)
        each = (time.monotonic() - self.start) / self.tournament.played
        return f", {duration(left * each)} left"


def _standing(bout: Bout) -> str:
    """Who plays, how many boards they have played, and who is ahead."""
    names = " ".join(bout.names) if bout.leg.mixed else f"{bout.names[0]} against {bout.names[1]}"
    text = f"{names}, {bout.done} of {bout.leg.boards if bout.is_ready else '?'} boards"
    if bout.sheet is None or bout.done < 2 or bout.leg.mixed:
        return text
    return f"{text}, {signed(estimate_mean(bout.sheet.result().board_game_points))} points/deal"


def _boards_done(tournament: Tournament) -> int:
    return sum(bout.done for bout in tournament.bouts)


def _boards_wanted(tournament: Tournament) -> int:
    """Boards at most; of matches that are over, those that were needed."""
    return sum(
        bout.done if bout.is_over else bout.leg.boards if bout.sheet is not None else 0
        for bout in tournament.bouts
    )


def duration(seconds: float) -> str:
    """Return a time in the unit in which one would tell it."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _terminal_bar() -> Progress | None:
    """Return a bar on the terminal, if there is one and the package that draws on it."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
        from rich.table import Column
    except ModuleNotFoundError:
        return None
    console = Console(stderr=True)
    if not console.is_terminal:
        return None
    columns = (
        BarColumn(12), TextColumn("{task.percentage:>3.0f}%"), TimeElapsedColumn(),
        TextColumn("{task.fields[info]}", markup=False, table_column=Column(no_wrap=True)),
    )  # fmt: skip
    return Progress(*columns, console=console, transient=True)
