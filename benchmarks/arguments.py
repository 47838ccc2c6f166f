"""Arguments that the benchmarks share, refused in one line before anything is measured."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import nan
from pathlib import Path

from sjavs_env.cli.atomic_files import check_writable
from sjavs_env.cli.command import reason

__all__ = ["number", "writable"]


def number(least: float, most: float) -> Callable[[str], float]:
    """Return what reads a number from ``least`` to ``most``, a whole one if both are."""
    kind = int if isinstance(least, int) and isinstance(most, int) else float

    def read(text: str) -> float:
        try:
            value: float = kind(text)
        except ValueError:
            value = nan
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text!r}; allowed: {least} to {most}")
        return value

    return read


def writable(text: str) -> Path:
    """Read the name of a file for results."""
    path = Path(text)
    try:
        check_writable(path)
    except OSError as error:
        raise argparse.ArgumentTypeError(reason(error)) from None
    return path
