"""What may be read: files, and pipes by who reads them once, as in ``<(zcat games.jsonl.gz)``."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sjavs_env.errors import shown

__all__ = ["check_readable"]


def check_readable(path: Path, *, again: bool = False) -> None:
    """ValueError, one line, for devices and sockets and, to be read ``again``, for pipes.

    What is not there, and a folder, is for whoever opens it to tell; OSError for a name that is
    none.
    """
    try:
        kind = stat.S_IFMT(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return
    if kind == stat.S_IFIFO and again:
        raise ValueError(
            f"{shown(str(path))} is a pipe, which can be read but once; allowed: the name of a file"
        )
    if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFIFO):
        raise ValueError(f"{shown(str(path))} is no ordinary file; allowed: the name of a file")
