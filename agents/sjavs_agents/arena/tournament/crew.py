"""The processes that play shards: none but this one, or several that work for it.

Those that work hear nothing of what a terminal sends to all processes, and end when this one has
ended, however that happens: each waits for the end of a pipe of which this process holds the only
other end.  If one of them is killed, all are started again, and what they were at is played anew.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from threading import Thread
from typing import Protocol

from sjavs_agents.arena.shard import Part, Shard
from sjavs_agents.arena.tournament.leg import Leg, Task
from sjavs_agents.arena.tournament.player import Player
from sjavs_env.cli.stop import STOPS

__all__ = ["Alone", "Crew", "CrewError", "Pending", "Workers", "crew_of", "one_thread"]

LOST = 75  # exit status of a process whose leader has gone
TRIES = 3  # times that processes may die in a row before anything is finished
AHEAD = 3  # shards for each process that are under way or wait to be put to the others
_OF_TERMINALS = set(STOPS) - {signal.SIGTERM}


class CrewError(RuntimeError):
    """The processes die as fast as they are started."""


class Pending(Protocol):
    """A shard that is being played."""

    @property
    def is_begun(self) -> bool:
        """Something is at it, or has been."""
        ...

    def result(self, timeout: float) -> Part | None:
        """Return what came of it, None if it is not there within some seconds.

        It raises what went wrong with it.
        """
        ...

    def drop(self) -> None:
        """Nobody wants it any more."""
        ...


class Crew(Protocol):
    """Plays shards."""

    ahead: int  # shards that it can be given before the first of them is there

    def start(self, leg: Leg, shard: Shard) -> Pending:
        """Begin to play a shard."""
        ...

    def idle(self, seconds: float) -> None:
        """Use the time while somebody waits for the work of others."""
        ...


@contextmanager
def crew_of(processes: int, player: Player, go_on: Callable[[], object]) -> Iterator[Crew]:
    """Start so many processes, and end them; 1 stands for this one alone.

    ``go_on`` is called now and then in this process, and may raise what shall end the play.
    """
    if processes == 1:
        yield Alone(player, go_on)
        return
    workers = Workers(processes, player.task)
    try:
        yield workers
    finally:
        workers.end()


class Alone:
    """Plays in this process, when somebody waits for a shard or has nothing else to do."""

    ahead = 1

    def __init__(self, player: Player, go_on: Callable[[], object]) -> None:
        self.player, self.go_on = player, go_on
        self.put_off: deque[_PutOff] = deque()

    def start(self, leg: Leg, shard: Shard) -> Pending:
        """Put it off until somebody waits."""
        self.put_off.append(_PutOff(self, leg, shard))
        return self.put_off[-1]

    def idle(self, seconds: float) -> None:
        """Play the next shard."""
        if self.put_off:
            self.put_off[0].result(seconds)
        else:
            time.sleep(seconds)


class _PutOff:
    """A shard that is played while somebody waits for it."""

    is_begun = False

    def __init__(self, crew: Alone, leg: Leg, shard: Shard) -> None:
        self.crew, self.leg, self.shard = crew, leg, shard
        self.part: Part | None = None

    def result(self, timeout: float) -> Part:
        """Play it, however long it takes."""
        if self.part is None:
            self.crew.put_off.remove(self)
            self.part = self.crew.player.play(self.leg, self.shard, self.crew.go_on)
        return self.part

    def drop(self) -> None:
        """Play it no more."""
        if self in self.crew.put_off:
            self.crew.put_off.remove(self)


class Workers:
    """Processes of a pool that play."""

    def __init__(self, processes: int, task: Task) -> None:
        self.processes, self.task = processes, task
        self.ahead = AHEAD * processes
        self.under_way: dict[_Waiting, None] = {}  # in the order of their start
        self.deaths = 0  # in a row
        self._begin()

    def start(self, leg: Leg, shard: Shard) -> Pending:
        """Give a shard to the process that is free next."""
        waiting = _Waiting(self, leg, shard)
        self.under_way[waiting] = None
        self._submit(waiting)
        return waiting

    def idle(self, seconds: float) -> None:
        """Let the processes work."""
        time.sleep(seconds)

    def end(self) -> None:
        """End all processes, whatever they are at, and wait for that."""
        self.rope.close()
        self.pool.shutdown(wait=True, cancel_futures=True)
        self.end_of_rope.close()

    def revive(self) -> None:
        """Start again after a process has died; CrewError if that does not help."""
        self.deaths += 1
        if self.deaths == TRIES:
            raise CrewError(f"processes that play have died {TRIES} times in a row")
        self.end()
        self._begin()
        for waiting in self.under_way:
            self._submit(waiting)

    def finished(self, waiting: _Waiting) -> None:
        """Take note that a shard is done with."""
        self.under_way.pop(waiting, None)
        self.deaths = 0

    def _begin(self) -> None:
        kinds = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in kinds else "spawn")
        self.end_of_rope, self.rope = context.Pipe(duplex=False)
        self.pool = ProcessPoolExecutor(
            self.processes, context, _join_crew, (self.end_of_rope, self.task)
        )

    def _submit(self, waiting: _Waiting) -> None:
        with _unheard():
            try:
                waiting.future = self.pool.submit(_play, waiting.leg, waiting.shard)
            except BrokenProcessPool as error:
                waiting.future = Future()
                waiting.future.set_exception(error)


class _Waiting:
    """A shard that some process plays."""

    future: Future[Part]

    def __init__(self, crew: Workers, leg: Leg, shard: Shard) -> None:
        self.crew, self.leg, self.shard = crew, leg, shard

    @property
    def is_begun(self) -> bool:
        """A process has it, or is about to take it."""
        return self.future.running() or self.future.done()

    def result(self, timeout: float) -> Part | None:
        """Wait for it; if a process has died, it is played again."""
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0:
            done, _ = wait([self.future], left, FIRST_COMPLETED)
            if not done:
                break
            try:
                part = self.future.result()
            except BrokenProcessPool:
                self.crew.revive()
                continue
            self.crew.finished(self)
            return part
        return None

    def drop(self) -> None:
        """Leave it, unless it has been begun."""
        self.future.cancel()
        self.crew.finished(self)


@contextmanager
def _unheard() -> Iterator[None]:
    """Block what a terminal sends to all its processes; those started now never hear it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # now: when it starts it lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _OF_TERMINALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def one_thread() -> None:
    """Let networks compute on one thread, unless it is too late or somebody has said otherwise.

    So that processes do not fight for cores, and none adds up numbers in another order.
    """
    if "torch" not in sys.modules:  # it asks when it is imported
        os.environ.setdefault("OMP_NUM_THREADS", "1")


# In a process that works

_player: Player | None = None


def _join_crew(end_of_rope: Connection, task: Task) -> None:
    """Get ready to play."""
    global _player  # a pool has no other place for what a process keeps
    for number in STOPS:  # the leader hears of it, and lets this process finish or go
        signal.signal(number, signal.SIG_IGN)
    one_thread()
    Thread(target=_leave_with_the_leader, args=(end_of_rope,), daemon=True).start()
    _player = Player(task)


def _leave_with_the_leader(end_of_rope: Connection) -> None:
    """End this process when the leader lets go of its end, also if it was killed."""
    end_of_rope.poll(None)
    os._exit(LOST)  # whatever its other threads are at


def _play(leg: Leg, shard: Shard) -> Part:
    assert _player is not None
    return _player.play(leg, shard)
