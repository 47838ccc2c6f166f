"""Files of results: whether one can be written is known before the work, and it is written whole.

A file is written beside its final place and renamed, so a kill or a full disk leaves the old one
or the new one, never half of one.  What a killed program leaves lying is removed by the next one
that writes into the same folder.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

from sjavs_env.errors import shown

if sys.platform != "win32":
    import fcntl

__all__ = [
    "check_not_read",
    "check_writable",
    "is_same_file",
    "json_bytes",
    "sweep",
    "write_all",
    "write_json",
    "write_whole",
]

# Names of files that are being written: of one length, whatever they will be called in the end.
# The second kind is that of programs before, in the folders of runs.
_TEMPORARY = re.compile(r"\.sjavs-[0-9a-f]{8}\.tmp|\.(iteration_\d+|agent)\.safetensors\.\d+")

# Windows does not replace a file while somebody reads it: seconds to wait before further tries.
_PAUSES = (0.01, 0.03, 0.1, 0.3, 1.0) if sys.platform == "win32" else ()


def check_writable(path: Path) -> None:
    """OSError, one line, if no file can be written there."""
    try:
        with suppress(FileNotFoundError, NotADirectoryError):  # a new one, or told below
            os.stat(path)  # a name that is too long
        if path.is_dir():
            raise IsADirectoryError("is a folder; allowed: the name of a file")
        if path.exists() and not path.is_file():
            raise FileExistsError("is no ordinary file; allowed: the name of a file")
        with _beside(path):
            sweep(path.parent)
    except (IsADirectoryError, FileExistsError) as error:
        raise OSError(f"{path} {error.strerror or error}") from None
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}") from None


def is_same_file(first: Path, second: Path) -> bool:
    """Return whether two names mean one file, be it there or not, links followed."""
    try:
        return os.path.samefile(first, second)
    except OSError:  # one is not there
        return os.path.realpath(first) == os.path.realpath(second)
    except ValueError:  # no name of a file
        return False


def check_not_read(name: str, path: Path, read: Iterable[Path]) -> None:
    """ValueError, one line, if the file to be written, which ``name`` asks for, is also read."""
    if any(is_same_file(path, source) for source in read):
        raise ValueError(f"{name} is {shown(str(path))}, which is read; allowed: another file")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one atomic step; OSError, with its name, leaves what was there."""
    write_all({path: data})


def write_all(files: Mapping[Path, bytes | Iterable[bytes]]) -> None:
    """Write files that belong together: all of them change or none; OSError names the culprit.

    A file that is long may come in parts, which are written as they come.
    Only a kill in the moment between two renamings can part them.
    """
    with ExitStack() as held:
        beside = {}
        for path, data in files.items():
            with _naming(path):
                beside[path] = held.enter_context(_written(path, data))
        old: list[Callable[[], object]] = []
        try:
            for path, new in beside.items():
                with _naming(path):
                    undo = held.enter_context(_kept(path)) if len(beside) > 1 else None
                    _replace(new, path)
                if undo:
                    old.append(undo)
        except BaseException:
            for undo in old:
                undo()
            raise


def json_bytes(data: Mapping[str, Any], indent: int = 2) -> bytes:
    """Return a JSON object as it stands in a file; ValueError for numbers that are none."""
    text = json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8")


def write_json(path: Path, data: Mapping[str, Any], indent: int = 2) -> None:
    """Write a JSON object in one atomic step; ValueError for numbers that are none."""
    write_whole(path, json_bytes(data, indent))


def sweep(folder: Path) -> None:
    """Remove what killed programs have left in a folder; what is being written is locked."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if _TEMPORARY.fullmatch(entry.name):
                with suppress(OSError), open(entry.path, "rb") as file:
                    if _lock(file.fileno(), wait=False):
                        os.unlink(entry.path)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let an OSError name the file that is wanted, not the one beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


@contextmanager
def _written(path: Path, data: bytes | Iterable[bytes]) -> Iterator[Path]:
    """Write data beside a path, down to the disk."""
    with _beside(path) as (temporary, descriptor):
        with open(descriptor, "wb", closefd=False) as file:
            for part in (data,) if isinstance(data, bytes) else data:
                file.write(part)
        os.fsync(descriptor)
        if sys.platform == "win32":
            os.close(descriptor)  # there an open file cannot be renamed
        yield temporary


@contextmanager
def _beside(path: Path) -> Iterator[tuple[Path, int]]:
    """Make a new file beside a path, locked; afterwards it is gone, unless it was renamed."""
    while True:
        temporary = path.with_name(f".sjavs-{token_hex(4)}.tmp")
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
        try:
            descriptor = os.open(temporary, flags, 0o666)
        except FileExistsError:
            continue
        _lock(descriptor, wait=True)
        if temporary.exists():
            break
        os.close(descriptor)  # swept away before it was locked
    try:
        yield temporary, descriptor
    finally:
        with suppress(OSError):
            os.close(descriptor)
        temporary.unlink(missing_ok=True)


def _lock(descriptor: int, *, wait: bool) -> bool:
    """Lock a file until it is closed or its program ends; False if that cannot be done.

    Where there are no locks (Windows), a file that is open cannot be removed either.
    """
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


@contextmanager
def _kept(path: Path) -> Iterator[Callable[[], object]]:
    """Keep what is at a path, and yield what brings it back."""
    if not path.exists():
        yield lambda: path.unlink(missing_ok=True)
        return
    with _beside(path) as (old, _):
        shutil.copy2(path, old)
        yield lambda: _replace(old, path)


def _replace(new: Path, path: Path) -> None:
    """Rename a file, where the system lets us only after others have read the old one."""
    for pause in _PAUSES:
        with suppress(PermissionError):
            return os.replace(new, path)
        time.sleep(pause)
    return os.replace(new, path)
