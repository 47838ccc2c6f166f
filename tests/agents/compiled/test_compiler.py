"""Compiled functions and what is kept of them on disk."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("numba")

from sjavs_agents.compiled.compiler import places

ROOT = Path(__file__).parents[3]
HELPER = """
from sjavs_agents.compiled.compiler import {how}

STEP = {step}

@{how}
def helper(x):
    return {factor} * x + STEP
"""
CALLER = """
from sjavs_agents.compiled.compiler import compiled
from helper import helper

@compiled
def caller(x):
    return helper(x) + 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a module that calls another."""
    folder = tmp_path / "code"
    folder.mkdir()
    write_helper(folder)
    (folder / "caller.py").write_text(CALLER)
    return folder


def write_helper(folder: Path, how: str = "compiled", factor: int = 10, step: int = 0) -> None:
    (folder / "helper.py").write_text(HELPER.format(how=how, factor=factor, step=step))


def called(folder: Path, **env: str) -> str:
    """Call it in a process of its own; return what it answers and how often it was compiled."""
    code = "from caller import caller\nprint(caller(4), sum(caller.stats.cache_misses.values()))"
    known = {"PYTHONPATH": os.pathsep.join(map(str, (folder, ROOT, ROOT / "agents"))),
             "PYTHONDONTWRITEBYTECODE": "1"}  # fmt: skip
    given = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    child = subprocess.run(
        [sys.executable, "-c", code],
        env={**given, **known, **env},
        cwd=folder.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (child.returncode, child.stderr) == (0, "")
    return child.stdout.strip()


def nothing_beside(folder: Path) -> None:
    """Leave no room for a cache beside the modules."""
    (folder / "__pycache__").touch()


@pytest.mark.parametrize("place", ["chosen", pytest.param("user", marks=pytest.mark.slow)])
def test_what_was_compiled_is_used_again_until_a_helper_changes(
    folder: Path, tmp_path: Path, place: str
) -> None:
    home = str(tmp_path / place)
    env = {"NUMBA_CACHE_DIR": home} if place == "chosen" else {"HOME": home, "XDG_CACHE_HOME": home}
    nothing_beside(folder)
    assert called(folder, **env) == "41 1"
    assert called(folder, **env) == "41 0"
    write_helper(folder, factor=20)
    assert called(folder, **env) == "81 1"
    write_helper(folder, how="spliced", factor=20, step=5)
    assert called(folder, **env) == "86 1"
    assert list((tmp_path / place).rglob("*.nbc"))


def test_a_damaged_cache_is_dropped(folder: Path) -> None:
    assert called(folder) == "41 1"
    kept = sorted((folder / "__pycache__").glob("*.nb[ic]"))
    assert len(kept) == 4
    for path in kept:
        path.write_bytes(random.Random(path.name).randbytes(500))
    assert called(folder) == "41 1"
    for path in kept:
        if path.suffix == ".nbc":
            path.write_bytes(path.read_bytes()[:300])
    assert called(folder) == "41 1"
    assert called(folder) == "41 0"


def test_where_nothing_can_be_written_all_is_compiled_each_time(folder: Path) -> None:
    nothing_beside(folder)
    nowhere = {"HOME": os.devnull, "XDG_CACHE_HOME": os.devnull, "NUMBA_CACHE_DIR": os.devnull}
    assert called(folder, **nowhere) == "41 1"
    assert not list(folder.parent.rglob("*.nb[ic]"))


def test_a_full_disk_costs_the_cache_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile._save_data", fail)
    assert import_module("caller").caller(4) == 41


def test_without_a_home_no_folder_is_made_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("Could not determine home directory.")

    def names() -> set[str]:
        return {kind.__name__.lstrip("_") for kind in places()}

    assert {"InTreeCacheLocator", "UserWideCacheLocator"} <= names()
    monkeypatch.setattr("pathlib.Path.home", fail)
    assert names() & {"InTreeCacheLocator", "UserWideCacheLocator"} == {"InTreeCacheLocator"}
