"""A polite end of long work: what is asked for by a signal is done when a step is complete."""

from __future__ import annotations

import signal
import sys
import time
from types import FrameType
from typing import Any

from sjavs_env.cli.command import INTERRUPTED

__all__ = ["STOPS", "StopSignal"]

# Ctrl-C, a polite kill, and a terminal that is closed, where the system has them.
_HANGUP: int | None = getattr(signal, "SIGHUP", None)
STOPS = (signal.SIGINT, signal.SIGTERM, *([] if _HANGUP is None else [_HANGUP]))


class StopSignal:
    """Remembers that it was asked to stop, so that a step can end and be saved.

    Only while it is entered: before and after there is nothing to save.
    """

    def __init__(self) -> None:
        self.is_set = False
        self._since = 0.0
        self._before: dict[int, Any] = {}  # what else a signal would do

    def __enter__(self) -> StopSignal:
        for number in STOPS:
            if number == _HANGUP and signal.getsignal(number) == signal.SIG_IGN:
                continue  # as under nohup: a closed terminal is no reason to stop
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
