"""What a file of weights may look like, looked at before anything of it is believed.

A safetensors file is eight bytes (the length of its header), the header (JSON: names, types, shapes
and places of the arrays, and texts), and the arrays.  Whatever is odd raises ``OddFileError`` with
one line: no file makes a reader take more memory than it is long, or more than a moment.
"""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

__all__ = ["MOST_HEADER", "OddFileError", "check_container", "read_json"]

MOST_HEADER = 16 * 2**20  # bytes
MOST_ARRAYS = 100_000
MOST_DIMENSIONS = 8
DTYPES = {  # those that a checkpoint is written with, and their bytes
    "F16": 2, "F32": 4, "F64": 8, "I64": 8, "I32": 4, "I16": 2, "I8": 1,
    "U64": 8, "U32": 4, "U16": 2, "U8": 1,
}  # fmt: skip


class OddFileError(ValueError):
    """A file is not what it should be."""


def read_json(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object in a text; OddFileError for anything else.

    A name that is given twice, numbers that are none and depths without end count as no JSON.
    """
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except OddFileError:
        raise
    except RecursionError:
        raise OddFileError("its header is nested too deeply") from None
    except ValueError:  # no JSON, or a number of more digits than Python reads
        raise OddFileError("its header is no JSON object") from None
    if not isinstance(found, dict):
        raise OddFileError("its header is no JSON object")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # add gives None
        raise OddFileError(f"its header has {twice[:100]!r} twice")
    return made


def _no_number(text: str) -> float:
    raise OddFileError(f"its header holds {text}; allowed: finite numbers")


def check_container(path: Path) -> None:
    """OddFileError unless the arrays of a safetensors file are what its header says."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > size - 8:
            raise OddFileError("not a whole safetensors file (it is cut off)")
        if length > MOST_HEADER:
            raise OddFileError(f"its header has {length} bytes; allowed: up to {MOST_HEADER}")
        header = read_json(file.read(length))
    header.pop("__metadata__", None)
    if len(header) > MOST_ARRAYS:
        raise OddFileError(f"it holds {len(header)} arrays; allowed: up to {MOST_ARRAYS}")
    for name, entry in header.items():
        if why := _array_problem(entry, size - 8 - length):
            raise OddFileError(f"array {name[:100]!r} {why}")


def _array_problem(entry: Any, room: int) -> str | None:
    """Return what is wrong with an array in the header, if anything is."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        return "has no type, shape and place"
    dtype, shape, place = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in DTYPES:
        return f"has type {str(dtype)[:100]}; allowed: {', '.join(DTYPES)}"
    numbers = [shape, place]
    if not all(isinstance(x, list) and all(type(n) is int and n >= 0 for n in x) for x in numbers):
        return "has no shape and place"
    if len(shape) > MOST_DIMENSIONS or len(place) != 2 or not place[0] <= place[1] <= room:
        return "lies outside the file"
    if DTYPES[dtype] * prod(shape) != place[1] - place[0]:
        return "has another size than its shape"
    return None
