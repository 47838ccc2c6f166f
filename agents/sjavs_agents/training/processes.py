"""The processes of a team: started together, watched, and ended together.

Under ``torchrun`` they are there already, and it watches them.  On one machine this process
starts them and does nothing but watch: so it hears of a death at once, whatever the others are
at, also while they still load PyTorch or wait for each other.  They meet at a store that it
holds in memory, and they end when it has ended, however that happens.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from threading import Thread
from typing import Any

import torch
import torch.distributed as dist
from torch.distributed import TCPStore  # type: ignore[attr-defined]  # public, but not listed

from sjavs_agents.neural.device import chosen_device
from sjavs_agents.training.team import Team, TeamError, together
from sjavs_env.cli.stop import STOPS

__all__ = ["Work", "is_restarted", "run_team"]

Work = Callable[[Team, Any], int]  # what a process of the team does; the leader's status counts

HOST = "127.0.0.1"
LOST = 75  # exit status of a process that has lost the others
GRACE = 10.0  # seconds in which the leader notices by itself that another has died
PATIENCE = timedelta(hours=12)  # the others wait while the leader measures a finished run
_OF_TERMINALS = set(STOPS) - {signal.SIGTERM}


def run_team(processes: int, work: Work, task: Any, device: str = "cpu") -> int:
    """Run ``work(team, task)`` in every process of a team; return the exit status of the leader.

    ``device`` is what their networks shall compute on.

    Under ``torchrun`` that is the team it has started, of whatever size, and this process does
    its part.  TeamError, one line, if a process ends before the work is done; KeyboardInterrupt
    if all were told to stop before they could do it themselves.
    """
    if dist.is_torchelastic_launched():
        size_here, rank_here = (int(os.environ[f"LOCAL_{x}"]) for x in ("WORLD_SIZE", "RANK"))
        links_gpus = can_link_gpus(device, size_here)
        with _met(links_gpus):
            rank, size = dist.get_rank(), dist.get_world_size()
            return work(Team(rank, size, size_here, rank_here, links_gpus=links_gpus), task)
    if processes == 1:
        return work(Team(), task)
    return _watch_over(processes, work, task, can_link_gpus(device, processes))


def is_restarted() -> bool:
    """Return whether torchrun has started this process again, after one of its team was lost."""
    return int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")) > 0


def can_link_gpus(device: str, size_here: int) -> bool:
    """Return whether processes can exchange gradients by NCCL: each needs a GPU for itself."""
    has_nccl = dist.is_nccl_available() and chosen_device(device).type == "cuda"
    return has_nccl and size_here <= torch.cuda.device_count()


@contextmanager
def _met(links_gpus: bool, **place: Any) -> Iterator[None]:
    """Meet the others; TeamError if they do not come."""
    backend = "cpu:gloo,cuda:nccl" if links_gpus else "gloo"
    with together():
        dist.init_process_group(backend, timeout=PATIENCE, **place)
    try:
        yield
    finally:
        dist.destroy_process_group()


# The process that watches


def _watch_over(processes: int, work: Work, task: Any, links_gpus: bool) -> int:
    """Start all processes here, and see to it that none outlives the others."""
    listener = socket.create_server((HOST, 0))  # a store of torch's own would hear the whole net
    port = listener.getsockname()[1]
    store = TCPStore(
        HOST, port, is_master=True, wait_for_workers=False, master_listen_fd=listener.detach()
    )
    context = multiprocessing.get_context("spawn")
    members = [
        context.Process(target=_take_part, args=(team, port, work, task), daemon=True)
        for team in (Team(i, processes, links_gpus=links_gpus) for i in range(processes))
    ]
    with _handing_on(members[0]) as asked:
        try:
            for member in members:
                with _unheard():
                    member.start()
            if asked:
                members[0].terminate()
            _wait_for(members)
            return _status(members, asked)
        finally:
            for member in members:
                if member.pid is not None:
                    member.kill()
                    member.join()
            del store  # not before the last of them has gone


@contextmanager
def _handing_on(leader: SpawnProcess) -> Iterator[list[int]]:
    """Hand every request to stop on to the leader, who tells the others; yield those so far."""
    asked: list[int] = []

    def hand_on(number: int, frame: object) -> None:
        asked.append(number)
        if leader.pid is not None:
            leader.terminate()

    before = {
        number: signal.signal(number, hand_on)
        for number in STOPS
        if signal.getsignal(number) != signal.SIG_IGN  # as ``nohup`` has set it
    }
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _unheard() -> Any:
    """Block what a terminal sends to all its processes; those started now never hear it.

    The leader is told once, by the process that watches.
    """
    return _blocked() if hasattr(signal, "pthread_sigmask") else nullcontext()


@contextmanager
def _blocked() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _OF_TERMINALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait_for(members: Sequence[SpawnProcess]) -> None:
    """Return when the leader has ended, or does not notice that another has died."""
    leader = members[0]
    running = {member.sentinel: member for member in members}
    deadline = None
    while leader.exitcode is None:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            return
        for sentinel in wait(list(running), left):
            member = running.pop(sentinel)  # type: ignore[arg-type]  # one of its keys
            member.join()
            if member.exitcode and deadline is None:
                deadline = time.monotonic() + GRACE


def _status(members: Sequence[SpawnProcess], asked: list[int]) -> int:
    """Return how the leader has ended; TeamError if it is not the one to say what went wrong."""
    status = members[0].exitcode
    if status is not None and 0 <= status != LOST:
        return status
    if asked:
        raise KeyboardInterrupt
    for rank, member in enumerate(members):
        member.join(1)  # its connections break a moment before it has ended
        code = member.exitcode
        if code not in (None, 0, LOST):
            how = signal.Signals(-code).name if code < 0 else f"status {code}"
            raise TeamError(f"process {rank} of {len(members)} has ended ({how})")
    raise TeamError("the processes of this training have lost each other")


# The processes that work


def _take_part(team: Team, port: int, work: Work, task: Any) -> None:
    """Be one of the team; whatever goes wrong, the leader is the one to say so."""
    Thread(target=_leave_with_the_watcher, daemon=True).start()
    try:
        with together():
            store = TCPStore(HOST, port, is_master=False, timeout=PATIENCE)
        with _met(team.links_gpus, store=store, rank=team.rank, world_size=team.size):
            status = work(team, task)
    except TeamError:
        sys.exit(LOST)
    sys.exit(status if team.leads else 0)


def _leave_with_the_watcher() -> None:
    """End this process when the one that watches has ended, also if it was killed."""
    watcher = multiprocessing.parent_process()
    assert watcher is not None
    watcher.join()
    os._exit(LOST)  # whatever its other threads are at
