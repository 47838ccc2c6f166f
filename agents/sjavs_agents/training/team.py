"""The processes that train one player together, by ``torch.distributed``.

Each has a rank and plays its share of the deals; gradients and counts are added up, so that all
ranks hold the same weights at every step.  Rank 0 leads: it reads, writes and shows.
``processes`` brings them together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from numpy.typing import NDArray
from torch import nn

__all__ = ["Team", "TeamError", "together"]

T = TypeVar("T")


class TeamError(RuntimeError):
    """Another process of the team has ended, so that training cannot go on."""


class Team:
    """What one process knows of all; alone, everything it is asked is its own answer."""

    def __init__(
        self,
        rank: int = 0,
        size: int = 1,
        size_here: int | None = None,
        rank_here: int | None = None,
        *,
        links_gpus: bool = False,
    ) -> None:
        """``size_here`` processes, all if left out, are on this machine; ``rank_here`` of them.

        ``links_gpus`` if GPUs exchange what lies on them by themselves.
        """
        self.rank = rank
        self.size = size
        self.size_here = size_here or size
        self.rank_here = rank if rank_here is None else rank_here
        self.links_gpus = links_gpus

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
        with together():
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
        with together():
            dist.all_gather_object(said, value)
        return said

    def told(self, value: T) -> T:
        """Return what the leader says."""
        if self.size == 1:
            return value
        said = [value]
        with together():
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
        count = parts[0].new_full((1,), float(rows))
        flat = torch.cat([*(part.reshape(-1) for part in parts), count])
        flat[:-1] *= rows
        home = flat.device
        flat = flat if self.links_gpus else flat.cpu()
        with together():
            dist.all_reduce(flat)
        flat[:-1] /= flat[-1]
        flat = flat.to(home)
        sizes = [p.numel() for p in parameters]
        for p, mean in zip(parameters, torch.split(flat[:-1], sizes), strict=True):
            p.grad = mean.view_as(p)


@contextmanager
def together() -> Iterator[None]:
    """Turn a broken connection into a TeamError."""
    try:
        yield
    except RuntimeError as error:  # torch raises this, and kinds of it, for any lost connection
        why = str(error).strip().splitlines()[0]
        raise TeamError(f"another process of this training has ended ({why})") from None
