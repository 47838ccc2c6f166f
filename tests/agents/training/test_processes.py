"""The processes of a team end together, whoever of them dies and when."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from sjavs_env.cli.command import FAILED, INTERRUPTED

ROOT = Path(__file__).parents[3]
PATIENCE = 300.0  # of a test: the machine may be slow; what it waits for mostly takes a second

pytestmark = [
    pytest.mark.skipif(
        not Path("/proc/self/stat").exists(), reason="finds processes as Linux lists them"
    ),
    pytest.mark.usefixtures("signals_as_in_a_terminal"),
]


class Started(NamedTuple):
    """A team under way."""

    watcher: subprocess.Popen[bytes]
    folder: Path  # where its processes say that they have met
    temporary: Path  # where they would leave temporary files

    def of_session(self) -> list[int]:
        """List all processes that the team is made of, in the order of their starts."""
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it has just ended
                after_name = path.read_text().rpartition(")")[2].split()
                if after_name[0] != "Z" and int(after_name[3]) == self.watcher.pid:
                    found.append((int(after_name[19]), int(path.parent.name)))
        return [pid for _, pid in sorted(found)]

    def members(self) -> list[int]:
        """List the leader and the others so far."""
        return [pid for pid in self.of_session() if b"spawn_main" in command_line(pid)]


def command_line(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def until(happened: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


@contextmanager
def a_team(tmp_path: Path) -> Iterator[Started]:
    """Start a team where the folder of temporary files has a name that is hard to write."""
    folder, temporary = tmp_path / "met", tmp_path / "a spåce"
    folder.mkdir()
    temporary.mkdir()
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.agents.training.team_at_work", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(temporary)},
        cwd=ROOT,
        start_new_session=True,
    )
    started = Started(child, folder, temporary)
    try:
        yield started
    finally:
        for pid in started.of_session():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        child.communicate()


def at_first(team: Started) -> bool:
    return len(team.members()) > 0


def when_all_are_there(team: Started) -> bool:
    return len(team.members()) == 2


def at_work(team: Started) -> bool:
    return len(list(team.folder.iterdir())) == 2


@pytest.mark.parametrize(
    ("moment", "number"),
    [
        (when_all_are_there, signal.SIGKILL),
        pytest.param(at_first, signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param(at_first, signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(when_all_are_there, signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(at_work, signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param(at_work, signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(at_work, signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(at_work, signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_nothing_stays_behind_when_the_command_is_killed(
    tmp_path: Path, moment: Callable[[Started], bool], number: signal.Signals
) -> None:
    with a_team(tmp_path) as team:
        until(lambda: moment(team), "the team starts")
        team.watcher.send_signal(number)
        _, err = team.watcher.communicate(timeout=PATIENCE)
        until(lambda: not team.of_session(), "no process stays behind")
        assert list(team.temporary.iterdir()) == []
        if number == signal.SIGKILL:
            assert (team.watcher.returncode, err) == (-number, b"")
        else:
            assert (team.watcher.returncode, err) == (INTERRUPTED, b"team_at_work: interrupted\n")


@pytest.mark.parametrize(
    ("rank", "moment", "number"),
    [
        (1, at_work, signal.SIGKILL),
        pytest.param(0, at_work, signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param(1, at_work, signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(0, when_all_are_there, signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param(1, when_all_are_there, signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param(1, when_all_are_there, signal.SIGTERM, marks=pytest.mark.slow),
    ],
)
def test_a_process_that_is_killed_ends_the_others_and_is_named(
    tmp_path: Path, rank: int, moment: Callable[[Started], bool], number: signal.Signals
) -> None:
    with a_team(tmp_path) as team:
        until(lambda: moment(team), "the team starts")
        os.kill(team.members()[rank], number)
        _, err = team.watcher.communicate(timeout=PATIENCE)
        until(lambda: not team.of_session(), "no process stays behind")
        assert list(team.temporary.iterdir()) == []
        assert team.watcher.returncode == FAILED
        assert err.decode() == f"process {rank} of 2 has ended ({number.name})\n"
