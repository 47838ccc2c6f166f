"""Stopping politely."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from sjavs_env.cli.stop import StopSignal

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="no such signals"),
    pytest.mark.usefixtures("signals_as_in_a_terminal"),
]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_request_is_remembered_while_it_is_entered(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with StopSignal() as stop:
        assert not stop.is_set
        os.kill(os.getpid(), number)
        assert stop.is_set
    assert signal.getsignal(number) == before


def test_a_closed_terminal_stops_nothing_under_nohup() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with StopSignal() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stop.is_set
    finally:
        signal.signal(signal.SIGHUP, before)


HANGING = """
import sys
from pathlib import Path
from sjavs_env.cli.stop import StopSignal
with StopSignal() as stop:
    Path(sys.argv[1] + ".begun").touch()
    while not stop.is_set:
        pass
Path(sys.argv[1]).write_text("saved", encoding="utf-8")
"""


def test_a_terminal_that_is_closed_leaves_time_to_save(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-c", HANGING, str(tmp_path / "a")])
    latest = time.monotonic() + 60
    while not (tmp_path / "a.begun").exists() and time.monotonic() < latest:
        time.sleep(0.01)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert (tmp_path / "a").read_text(encoding="utf-8") == "saved"
