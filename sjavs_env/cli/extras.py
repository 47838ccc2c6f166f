"""Packages that not everybody has installed: what to install where one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["needing"]


@contextmanager
def needing(*extras: str) -> Iterator[None]:
    """Import what needs extras; ValueError, one line, if one of their packages is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        wanted = ",".join(extras)  # all at once: who lacks one may lack the others as well
        raise ValueError(f"needs {error.name}; pip install 'sjavs[{wanted}]'") from None
