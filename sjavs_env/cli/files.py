"""Files of results: whether one can be written is known before the work, and it is written whole.

A file is written beside its final name and renamed, so a kill or a full disk leaves the old one
or the new one, never half of one.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

__all__ = ["check_writable", "write_json", "write_whole"]


def check_writable(path: Path) -> None:
    """OSError, one line, if no file can be written there."""
    if path.is_dir():
        raise OSError(f"{path} is a folder; allowed: the name of a file")
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is no ordinary file; allowed: the name of a file")
    try:
        _beside(path).touch()
        _beside(path).unlink()
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}") from None


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one atomic step; OSError, with its name, leaves what was there."""
    beside = _beside(path)
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        beside.unlink(missing_ok=True)


def write_json(path: Path, data: dict[str, Any], indent: int = 2) -> None:
    """Write a JSON object in one atomic step; ValueError for numbers that are none."""
    text = json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"
    write_whole(path, text.encode("utf-8"))


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}")
