"""One program at a time in a folder: two would overwrite each other's files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sjavs_env.cli.atomic_files import sweep

if sys.platform != "win32":
    import fcntl

__all__ = ["claimed"]


@contextmanager
def claimed(folder: Path, who: str, allowed: str, within: Sequence[str] = ()) -> Iterator[None]:
    """Make a folder and hold it; ValueError, one line, while another program does.

    ``who`` is what the other one must be, such as "another training", and ``allowed`` what to do
    about it.  What a killed program was writing, there or in the folders ``within``, is removed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("wb") as file:
        if not _locked(file.fileno()):
            raise ValueError(
                f"{folder} is in use by {who}; allowed: {allowed}, or wait for its end"
            )
        for place in (folder, *(folder / name for name in within)):
            sweep(place)
        yield


def _locked(descriptor: int) -> bool:
    """Lock a file until it is closed, which is when its holder ends, too; False if another has.

    Where there are no locks (Windows, some network disks) nobody is kept out.
    """
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
    return True
