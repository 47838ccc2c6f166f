"""JSON values that come from anywhere, read only as what they have to be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from math import inf, isfinite
from pathlib import Path
from typing import Any

from sjavs_env.errors import shown

__all__ = ["Checked", "digest_of", "read_bounded", "read_checked"]

MOST_BYTES = 2**26  # of a file of results
MOST_ITEMS = 100_000  # of a list or an object


def read_bounded(path: Path) -> tuple[bytes, str]:
    """Return a file and its SHA-256; ValueError if it is too long, OSError if it is not there."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"{path} is longer than {MOST_BYTES} bytes")
    return data, sha256(data).hexdigest()


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file of any length; OSError if it is not there."""
    found = sha256()
    with path.open("rb") as file:
        while data := file.read(MOST_BYTES):
            found.update(data)
    return found.hexdigest()


def read_checked(path: Path) -> tuple[Checked, str]:
    """Return the JSON value of a file, and the file's SHA-256; ValueError, one line, for junk."""
    data, digest = read_bounded(path)
    try:
        value = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no JSON: {error or 'nested too deep'}") from None
    return Checked(value, str(path)), digest


class Checked:
    """A JSON value and where it stands; ValueError, one line, if it is not what is asked for."""

    def __init__(self, value: Any, where: str) -> None:
        self.value, self.where = value, where

    def __getitem__(self, name: str) -> Checked:
        """Return a member of an object."""
        found = self.get(name)
        if found is None:
            raise ValueError(f"{self.where} has no {name}")
        return found

    def get(self, name: str) -> Checked | None:
        """Return a member of an object; None if there is none, or it is null."""
        found = self._of(dict, "an object").get(name)
        return None if found is None else Checked(found, f"{self.where}: {name}")

    def plain(self) -> dict[str, Any]:
        """Return an object as it is, for who checks it themselves."""
        found: dict[str, Any] = self._of(dict, "an object")
        return found

    def members(self) -> Iterator[tuple[str, Checked]]:
        """Yield the members of an object."""
        for name, value in self._of(dict, "an object").items():
            yield name, Checked(value, f"{self.where}: {shown(name)}")

    def items(self, least: int = 0, most: int = MOST_ITEMS) -> list[Checked]:
        """Return the values of a list of so many."""
        found = self._of(list, "a list")
        if not least <= len(found) <= most:
            raise ValueError(f"{self.where} has {len(found)} values; allowed: {least} to {most}")
        return [Checked(value, f"{self.where} {i}") for i, value in enumerate(found)]

    def text(self) -> str:
        """Return a text."""
        found: str = self._of(str, "a text")
        return found

    def count(self, most: int = 2**63 - 1) -> int:
        """Return a whole number from 0."""
        if type(self.value) is not int or not 0 <= self.value <= most:
            raise ValueError(f"{self.where} is {shown(self.value)}; allowed: 0 to {most}")
        return self.value

    def number(self, least: float = -inf, most: float = inf) -> float:
        """Return a number; infinities and NaN are none."""
        is_one = type(self.value) in (int, float) and abs(self.value) < 1e300
        if not (is_one and isfinite(self.value) and least <= self.value <= most):
            raise ValueError(
                f"{self.where} is {shown(self.value)}; allowed: a number"
                + (f" from {least} to {most}" if isfinite(least) else "")
            )
        return float(self.value)

    def _of(self, kind: type, name: str) -> Any:
        if type(self.value) is not kind:
            raise ValueError(f"{self.where} is {shown(self.value)}; allowed: {name}")
        found: Any = self.value
        if len(found) > MOST_ITEMS:
            raise ValueError(f"{self.where} is longer than {MOST_ITEMS}")
        return found
