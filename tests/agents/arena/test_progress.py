"""What is shown while an evaluation runs: on a pipe a line now and then, on a terminal a bar."""

from __future__ import annotations

import argparse
import io
import re
from collections.abc import Iterator

import pytest

from sjavs_agents.arena import command
from sjavs_agents.arena.shard import Part
from sjavs_agents.arena.tournament import progress
from sjavs_agents.arena.tournament.crew import crew_of
from sjavs_agents.arena.tournament.plan import Plan
from sjavs_agents.arena.tournament.progress import Shown, duration
from sjavs_agents.arena.tournament.running import Halt, Tournament
from sjavs_env.cli.stop import StopSignal

SMALL = "tests.agents.arena.drawing:Small"


class Clock:
    """A time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def arguments(*argv: str) -> argparse.Namespace:
    return command._parser("evaluate").parse_args([*argv])


def tournament(*argv: str) -> Tournament:
    plan = Plan.of(arguments(*argv))
    player = plan.player()
    return Tournament(plan.bouts(player), player, Halt(StopSignal()))


def seconds_of(clock: Clock, each: float, *argv: str) -> Iterator[Tournament]:
    """Play an evaluation of which each shard takes so many seconds."""
    played = tournament(*argv)
    with Shown(played) as shown, crew_of(1, played.player, bool) as crew:

        def entered(part: Part) -> None:
            clock.now += each

        played.play(crew, entered, shown.look)
    yield played


def test_a_pipe_gets_a_line_in_ten_seconds(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = [SMALL, "greedy", "random", "--gauntlet", "--boards", "32"]
    (played,) = seconds_of(clock, 4.0, *argv)  # eight shards
    lines = capsys.readouterr().err.splitlines()
    assert played.is_finished
    number = r"[+-]\d\.\d\d ± \d\.\d\d"
    told = (
        rf" 38% small against greedy, 24 of 32 boards, {number} points/deal \(1 of 2\), 20 s left"
    )
    assert re.fullmatch(told, lines[0])
    assert [line[:4] for line in lines] == [" 38%", " 75%"]


def test_what_is_quick_says_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    list(seconds_of(clock, 1.0, SMALL, "greedy", "--boards", "32"))
    assert capsys.readouterr().err == ""


def test_nobody_need_be_there_to_see_it(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Closed())
    (played,) = seconds_of(clock, 20.0, SMALL, "greedy", "--boards", "32")
    assert played.is_finished


def test_a_terminal_shows_a_bar(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    (played,) = seconds_of(clock, 4.0, SMALL, "greedy", "--boards", "32")
    assert played.is_finished
    err = capsys.readouterr().err
    assert "small against greedy" in err
    assert "points/deal" in err


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (119, "119 s"), (121, "2 min"), (7300, "2 h"), (200_000, "2 d")],
)
def test_times_are_told_in_their_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text
