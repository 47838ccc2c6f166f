"""How many cores this process may use, which in a container is not how many there are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["usable_cores"]


def usable_cores(
    groups: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")
) -> int:
    """Return the cores that affinity and the quota of the control groups leave, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:  # not every system tells
        cores = os.cpu_count() or 1
    return max(1, min([cores, *map(int, _quotas(groups, own))]))


def _quotas(groups: Path, own: Path) -> Iterator[float]:
    """Yield the cores that each control group around this process is allowed."""
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):  # no Linux
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:  # version 2: all controllers in one tree
            top, read = groups, _quota_v2
        elif "cpu" in controllers.split(","):
            top, read = groups / "cpu", _quota_v1
        else:
            continue
        place = top / path.strip("/")
        # in a container the path may be that of the host, and the tree begins at its own group
        for folder in {place, *(p for p in place.parents if p.is_relative_to(top)), top}:
            if (quota := read(folder)) is not None:
                yield quota


def _quota_v2(folder: Path) -> float | None:
    """Read ``cpu.max``: microseconds of each period, or ``max``."""
    numbers = _numbers(folder / "cpu.max")
    return numbers[0] / numbers[1] if len(numbers) == 2 and numbers[1] > 0 else None


def _quota_v1(folder: Path) -> float | None:
    """Read the same from two files; -1 is no limit."""
    quota, period = (_numbers(folder / f"cpu.cfs_{name}_us") for name in ("quota", "period"))
    return quota[0] / period[0] if quota and period and quota[0] > 0 and period[0] > 0 else None


def _numbers(path: Path) -> list[int]:
    try:
        return [int(word) for word in path.read_text(encoding="ascii").split()]
    except (OSError, ValueError):  # no such group, no limit
        return []
