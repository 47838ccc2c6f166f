"""The processes that train one player together, by ``torch.distributed``.

Each has a rank and plays its share of the deals; gradients and counts are added up, so that all
ranks hold the same weights at every step.  Rank 0 leads: it reads, writes and shows.  On one
machine the leader starts the others itself; under ``torchrun`` they are there already.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from numpy.typing import NDArray
from torch import nn

__all__ = ["Team", "TeamError", "assembled"]

T = TypeVar("T")
PATIENCE = timedelta(hours=12)  # the others wait while the leader measures a finished run


class TeamError(RuntimeError):
    """Another process of the team has ended, so that training cannot go on."""


class Team:
    """What one process knows of all; alone, everything it is asked is its own answer."""

    def __init__(self, rank: int = 0, size: int = 1, size_here: int | None = None) -> None:
        """``size_here`` is the number of processes on this machine, all if left out."""
        self.rank = rank
        self.size = size
        self.size_here = size_here or size

    @property
    def leads(self) -> bool:
        """True for the process that reads, writes and shows."""
        return self.rank == 0

    def share(self, n: int) -> range:
        """Return which of n things are this process's: a run of about n / size of them."""
        return range(self.rank * n // self.size, (self.rank + 1) * n // self.size)

    def total(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the sum over the team of float64 values of one shape."""
        if self.size == 1:
            return values
        summed = torch.tensor(values, dtype=torch.float64)
        with _together():
            dist.all_reduce(summed)
        return summed.numpy()

    def any(self, flag: bool) -> bool:
        """Return whether some process says yes."""
        return any(self.everyone(flag))

    def everyone(self, value: T) -> list[T]:
        """Return what each process says, in the order of ranks."""
        if self.size == 1:
            return [value]
        said: list[Any] = [None] * self.size
        with _together():
            dist.all_gather_object(said, value)
        return said

    def told(self, value: T) -> T:
        """Return what the leader says."""
        if self.size == 1:
            return value
        said = [value]
        with _together():
            dist.broadcast_object_list(said, src=0)
        return said[0]

    def mean(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return the mean of each named number over those who have it."""
        if self.size == 1:
            return dict(values)
        all_values = self.everyone(dict(values))
        names = dict.fromkeys(name for theirs in all_values for name in theirs)
        found = {name: [v[name] for v in all_values if name in v] for name in names}
        return {name: sum(those) / len(those) for name, those in found.items()}

    def average_gradients(self, modules: Iterable[nn.Module], rows: int) -> None:
        """Make each gradient the mean over all rows, of which ``rows`` were this process's."""
        if self.size == 1:
            return
        parameters = [p for module in modules for p in module.parameters()]
        parts = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        count = torch.tensor([float(rows)])
        flat = torch.cat([*(part.reshape(-1) for part in parts), count])
        flat[:-1] *= rows
        with _together():
            dist.all_reduce(flat)
        flat[:-1] /= flat[-1]
        sizes = [p.numel() for p in parameters]
        for p, mean in zip(parameters, torch.split(flat[:-1], sizes), strict=True):
            p.grad = mean.view_as(p)


@contextmanager
def assembled(processes: int, work: Callable[[Team, Any], object], task: Any) -> Iterator[Team]:
    """Bring a team together and give this process its place in it.

    Under ``torchrun`` that is the team it has started, of whatever size.  Else this process
    leads, and ``processes - 1`` others run ``work(team, task)`` until it has finished.
    """
    if dist.is_torchelastic_launched():
        with _together():
            dist.init_process_group("gloo", timeout=PATIENCE)
        here = int(os.environ["LOCAL_WORLD_SIZE"])
        try:
            yield Team(dist.get_rank(), dist.get_world_size(), here)
        finally:
            dist.destroy_process_group()
    elif processes == 1:
        yield Team()
    else:
        with _led(processes, work, task):
            yield Team(0, processes)


@contextmanager
def _led(processes: int, work: Callable[[Team, Any], object], task: Any) -> Iterator[None]:
    """Start the others on this machine; stop them in the end, whatever they are at."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        place = (Path(folder) / "team").as_uri()
        others = [
            context.Process(target=_follow, args=(Team(i, processes), place, work, task))
            for i in range(1, processes)
        ]
        for process in others:
            process.daemon = True
            process.start()
        try:
            _meet(Team(0, processes), place)
            yield
        finally:
            for process in others:
                process.kill()
                process.join()
            if dist.is_initialized():
                dist.destroy_process_group()


def _follow(team: Team, place: str, work: Callable[[Team, Any], object], task: Any) -> None:
    """Be one of the others; whatever goes wrong, the leader is the one to say so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C before there is anything to save
    with suppress(TeamError):
        _meet(team, place)
        work(team, task)


def _meet(team: Team, place: str) -> None:
    with _together():
        dist.init_process_group(
            "gloo", init_method=place, rank=team.rank, world_size=team.size, timeout=PATIENCE
        )


@contextmanager
def _together() -> Iterator[None]:
    """Turn a broken connection into a TeamError."""
    try:
        yield
    except RuntimeError as error:  # torch raises this, and kinds of it, for any lost connection
        why = str(error).strip().splitlines()[0]
        raise TeamError(f"another process of this training has ended ({why})") from None
