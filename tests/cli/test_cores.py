"""Cores that a process may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sjavs_env.cli.cores import usable_cores


@pytest.fixture
def eight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight cores of a machine with 64 are allowed to this process."""
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(8)), raising=False)


def cores(folder: Path, own: str | None, **files: str) -> int:
    """Count them where control groups say this; ``__`` stands for a slash."""
    for name, text in files.items():
        path = folder / "groups" / name.replace("__", "/").replace("cpu_", "cpu.")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")
    if own is not None:
        (folder / "own").write_text(own, encoding="ascii")
    return usable_cores(folder / "groups", folder / "own")


@pytest.mark.usefixtures("eight")
@pytest.mark.parametrize(
    ("own", "files", "expected"),
    [
        (None, {}, 8),  # no control groups
        ("0::/\n", {}, 8),
        ("0::/\n", {"cpu_max": "max 100000\n"}, 8),
        ("0::/\n", {"cpu_max": "200000 100000\n"}, 2),
        ("0::/\n", {"cpu_max": "250000 100000\n"}, 2),
        ("0::/\n", {"cpu_max": "50000 100000\n"}, 1),
        ("0::/\n", {"cpu_max": "9900000 100000\n"}, 8),
        ("0::/a/b\n", {"a__cpu_max": "300000 100000", "a__b__cpu_max": "max 100000"}, 3),
        ("0::/of/the/host\n", {"cpu_max": "400000 100000\n"}, 4),  # seen from a container
        ("0::/\n", {"cpu_max": "nonsense"}, 8),
        ("0::/\n", {"cpu_max": "100000 0"}, 8),
        (
            "4:memory:/x\n3:cpu,cpuacct:/x\n",
            {"cpu__x__cpu_cfs_quota_us": "500000", "cpu__x__cpu_cfs_period_us": "100000"},
            5,
        ),
        (
            "3:cpu,cpuacct:/\n",
            {"cpu__cpu_cfs_quota_us": "-1", "cpu__cpu_cfs_period_us": "100000"},
            8,
        ),
    ],
)
def test_affinity_and_quotas_bound_the_cores(
    tmp_path: Path, own: str | None, files: dict[str, str], expected: int
) -> None:
    assert cores(tmp_path, own, **files) == expected


def test_without_affinity_the_cores_of_the_machine_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    for count, expected in ((6, 6), (None, 1)):
        monkeypatch.setattr("os.cpu_count", lambda count=count: count)
        assert cores(tmp_path, None) == expected


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="affinity cannot be set here")
def test_a_process_that_is_kept_on_one_core_uses_one() -> None:
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert usable_cores() == 1
    finally:
        os.sched_setaffinity(0, before)
