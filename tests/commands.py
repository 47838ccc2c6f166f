"""Commands called as functions."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["refused"]


def refused(main: Callable[[list[str]], object], argv: list[str]) -> object:
    """Return the exit status of a command that refuses its arguments."""
    try:
        return main(argv)
    except SystemExit as stop:  # what the parser finds itself
        return stop.code
