"""Shards on the disk: one file each, whole or not there, which says what it is a shard of.

A file that is damaged, cut off, or a shard of something else counts as none: it is played again.
Files hold the CPU time of agents, so they differ from run to run in nothing but that.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.arena.array_file import ArrayFileError, Form, arrays_bytes, form_of, read_arrays
from sjavs_agents.arena.playing import Scores
from sjavs_agents.arena.recording import records_bytes
from sjavs_agents.arena.seating import Seating
from sjavs_agents.arena.shard import Part, Shard
from sjavs_agents.arena.tally import Tally
from sjavs_env import Game
from sjavs_env.cli.atomic_files import write_whole
from sjavs_env.records.history import Record

__all__ = ["ShardFiles", "packed_records", "records_of", "shard_forms", "tally_arrays", "tally_of",
           "unpacked_records"]  # fmt: skip

_AT_ONCE = 1 << 20  # bytes of records
_MARK = 32  # bytes that tell what a shard is one of


def packed_records(records: Iterable[Record]) -> bytes:
    """Return the lines of records, packed: to an eighth, in less time than they take to write."""
    return zlib.compress(records_bytes(records), 1)


def unpacked_records(packed: bytes) -> Iterator[bytes]:
    """Yield the lines of records, a megabyte at a time."""
    unpacking = zlib.decompressobj()
    while packed:
        yield unpacking.decompress(packed, _AT_ONCE)
        packed = unpacking.unconsumed_tail


def records_of(packed: bytes, most: int) -> bytes:
    """Return the lines of records; ValueError for what is none, or is longer."""
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(packed, most)
    except zlib.error as error:
        raise ValueError(f"its records are none: {error}") from None
    if unpacking.unconsumed_tail or not unpacking.eof:
        raise ValueError(f"its records are cut off, or more than {most} bytes")
    return found


def shard_forms(game: Game, agents: int) -> dict[str, Form]:
    """Return the forms of the arrays of a shard of a pair, whatever its boards."""
    scores = {
        name: (kind, (*shape[:-1], None))
        for name, (kind, shape) in _forms_of(_stored(vars(Scores.empty(1, 0)))).items()
    }
    tally = _forms_of(tally_arrays(Tally.empty(game, agents)))
    return {"is": ("|u1", (_MARK,)), **scores, **tally, "records": ("|u1", (None,))}


def _forms_of(arrays: dict[str, NDArray[Any]]) -> dict[str, Form]:
    return {name: form_of(array) for name, array in arrays.items()}


class ShardFiles:
    """The files of the shards of one match."""

    def __init__(self, folder: Path, game: Game, seating: Seating, agents: int, what: str) -> None:
        """``what`` tells all that the shards depend on but their boards."""
        self.folder, self.what = folder, what
        self.tables, self.parties = len(seating.agent_at), len(seating.parties)
        self._tally = tally_arrays(Tally.empty(game, agents))

    def path(self, shard: Shard) -> Path:
        """Return where a shard stands."""
        return self.folder / f"{shard.number:06d}.npz"

    def write(self, shard: Shard, part: Part) -> None:
        """Write what came of a shard."""
        arrays = {
            "is": self._mark(shard),
            **_stored(vars(part.scores)),
            **tally_arrays(part.tally),
            "records": np.frombuffer(part.records, dtype=np.uint8),
        }
        write_whole(self.path(shard), arrays_bytes(arrays))

    def read(self, shard: Shard, with_records: bool) -> Part | None:
        """Return what came of a shard; None if its file is missing or not sound."""
        try:
            arrays = read_arrays(self.path(shard), self._forms(shard))
            if (arrays.pop("is") != self._mark(shard)).any():
                return None
            packed = arrays.pop("records").tobytes()
            if with_records and not packed:
                return None
            part = Part(_scores_of(arrays), tally_of(arrays), packed if with_records else b"")
        except (ArrayFileError, OSError):
            return None
        return part if _is_sound(part.scores) else None

    def _forms(self, shard: Shard) -> dict[str, Form]:
        scores = Scores.empty(self.parties, (shard.stop - shard.start) * self.tables)
        known = {"is": self._mark(shard), **_stored(vars(scores)), **self._tally}
        return {name: form_of(a) for name, a in known.items()} | {"records": ("|u1", (None,))}

    def _mark(self, shard: Shard) -> NDArray[np.uint8]:
        text = repr((self.what, shard.number, shard.start, shard.stop))
        return np.frombuffer(blake2b(text.encode(), digest_size=_MARK).digest(), dtype=np.uint8)


def _is_sound(scores: Scores) -> bool:
    numbers = (scores.game_points, scores.card_points, scores.crosses)
    return bool((scores.deals > 0).all() and all(np.isfinite(n).all() for n in numbers))


def _stored(arrays: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """Return arrays of one type on every machine."""
    return {name: _wide(np.asarray(value)) for name, value in arrays.items()}


def _wide(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.int64 if array.dtype.kind == "i" else np.float64)


def tally_arrays(tally: Tally) -> dict[str, NDArray[Any]]:
    """Return a tally as arrays by name."""
    return _stored({f"tally_{name}": value for name, value in vars(tally).items()})


def tally_of(arrays: dict[str, NDArray[Any]]) -> Tally:
    """Return the tally among arrays by name."""
    own = {k.removeprefix("tally_"): v for k, v in arrays.items() if k.startswith("tally_")}
    redeals = int(own.pop("redeals"))
    return Tally(**own, redeals=redeals)


def _scores_of(arrays: dict[str, NDArray[Any]]) -> Scores:
    return Scores(**{k: v for k, v in arrays.items() if not k.startswith("tally_")})
