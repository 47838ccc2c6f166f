"""Packages that not everybody has installed: what to install where one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["needing"]


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Import what needs an extra; ValueError, one line, if one of its packages is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ValueError(f"needs {error.name}; pip install 'sjavs[{extra}]'") from None
