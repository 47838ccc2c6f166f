"""A Ctrl-C while ``python -m`` imports our packages ends it in one line, without a traceback.

Whoever imports the packages for other purposes is left alone.
"""

from __future__ import annotations

import sys
from types import TracebackType

__all__ = ["interrupted"]


def interrupted(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Tell of an error that nobody has caught, as Python does, but of an interrupt in one line."""
    if issubclass(kind, KeyboardInterrupt):
        sys.stderr.write("sjavs: interrupted\n")
    else:
        sys.__excepthook__(kind, error, trace)


if sys.argv[:1] == ["-m"]:  # Python's name for a module that it is still looking for
    sys.excepthook = interrupted
