"""Checkpoints: one safetensors file each, arrays plus a JSON header; never pickle.

A file is written beside its final name and renamed, so a kill leaves the old or the new one,
never half of one.  A file that is cut off or foreign raises ``CheckpointError`` with one line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.neural.container import OddFileError, check_container, read_json
from sjavs_agents.neural.schema import Check, mapping, record, sizes, text, whole
from sjavs_env import OBSERVATION_VERSION
from sjavs_env.cli.atomic_files import write_whole
from sjavs_env.cli.command import reason
from sjavs_env.errors import shown

__all__ = [
    "COUNTERS",
    "ORIGIN",
    "PLAYER",
    "CheckpointError",
    "DamagedError",
    "checkpoint_files",
    "checkpoint_name",
    "content_of",
    "newest_checkpoint",
    "read_checkpoint",
    "reading",
    "require",
    "require_content",
    "require_observation",
    "write_checkpoint",
]

FORMAT = "sjavs-checkpoint"
VERSION = 1
AGENT = "agent"  # what a file holds that does not say it
PATTERN = "iteration_*.safetensors"

Arrays = Mapping[str, NDArray[Any]]
Contents = dict[str, NDArray[Any]]
T = TypeVar("T")

RULES = record({"name": text(100)}, {"version": whole(0, 10**6), "overrides": mapping(most=1000)})
ORIGIN = {"rules": RULES, "observation": whole(0, 10**6)}  # of all that was trained
COUNTERS = {"iteration": whole(), "decisions": whole(), "deals": whole()}
PLAYER = record({**ORIGIN, "config": record({"network": sizes(NetworkConfig)})}, COUNTERS)


class CheckpointError(ValueError):
    """A checkpoint cannot be used; the message says which and why."""


class DamagedError(CheckpointError):
    """A checkpoint is not sound; an older one may be."""


def write_checkpoint(path: Path, arrays: Arrays, meta: Mapping[str, Any]) -> None:
    """Write arrays and metadata (JSON values) to ``path`` in one atomic step."""
    header = {"format": FORMAT, "version": VERSION, **meta}
    contiguous = {name: np.ascontiguousarray(value) for name, value in arrays.items()}
    data = save(contiguous, metadata={"sjavs": json.dumps(header, allow_nan=False)})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data)


def read_checkpoint(path: Path) -> tuple[Contents, dict[str, Any]]:
    """Return arrays and metadata; DamagedError if the file is not a sound checkpoint.

    What the metadata must hold depends on what it is of; see ``require``.  Weights that are kept in
    16 bits, to be small, are read in 32.
    """
    if not path.is_file():
        raise CheckpointError(f"{path}: there is no such checkpoint file")
    try:
        check_container(path)
        with safe_open(path, framework="numpy") as file:
            header = (file.metadata() or {}).get("sjavs")
            if header is None:
                raise OddFileError("a safetensors file, but not a Sjavs checkpoint")
            meta = read_json(header)
            if meta.get("format") != FORMAT or meta.get("version") != VERSION:
                raise OddFileError(_other_version(meta))
            arrays = {k: _widened(file.get_tensor(k)) for k in file.keys()}  # noqa: SIM118  # not a dict
    except (SafetensorError, OSError) as error:
        raise DamagedError(f"{path}: not a whole safetensors file ({reason(error)})") from None
    except OddFileError as error:
        raise DamagedError(f"{path}: {error}") from None
    return arrays, meta


def _widened(value: NDArray[Any]) -> NDArray[Any]:
    return value.astype(np.float32) if value.dtype == np.float16 else value


def _other_version(meta: Mapping[str, Any]) -> str:
    found = f"format {shown(meta.get('format'))} version {shown(meta.get('version'))}"
    return f"{found}; this program reads {FORMAT!r} version {VERSION}"


def require(check: Check, meta: Mapping[str, Any]) -> None:
    """DamagedError unless the metadata of a checkpoint holds what ``check`` wants."""
    if why := check(meta, ""):
        raise DamagedError(f"the checkpoint is damaged or incomplete: {why}")


def require_observation(meta: Mapping[str, Any]) -> None:
    """CheckpointError unless the weights were trained on observations of today's meaning."""
    version = meta["observation"]
    if version != OBSERVATION_VERSION:
        raise CheckpointError(
            f"the weights were trained on observations of version {version!r}; this program "
            f"makes version {OBSERVATION_VERSION}"
        )


def require_content(source: Path, meta: Mapping[str, Any], wanted: str) -> None:
    """CheckpointError unless the file holds what is wanted; one that says nothing, an agent."""
    found = meta.get("holds", AGENT)
    if found != wanted:
        raise CheckpointError(f"{source}: holds {found!r}; allowed here: {wanted!r}")


def content_of(path: Path) -> str:
    """Return what a file says that it holds: ``agent`` where it says nothing, or is no such file.

    Whoever reads it on tells what is wrong with it.
    """
    try:
        check_container(path)
        with path.open("rb") as file:
            header = read_json(file.read(int.from_bytes(file.read(8), "little")))
        texts = header.get("__metadata__")
        meta = read_json(texts["sjavs"]) if isinstance(texts, dict) and "sjavs" in texts else {}
        return str(meta.get("holds", AGENT))
    except (OSError, ValueError, TypeError, AttributeError):
        return AGENT


@contextmanager
def reading() -> Iterator[None]:
    """Turn what goes wrong with the contents of a checkpoint into a DamagedError."""
    try:
        yield
    except CheckpointError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError, RuntimeError) as error:
        why = reason(error)[:500].strip("'\"")
        raise DamagedError(f"the checkpoint is damaged or incomplete: {why}") from None


def checkpoint_files(folder: Path) -> list[Path]:
    """Return the checkpoints in a folder, newest first."""
    return sorted(folder.glob(PATTERN), reverse=True)


def checkpoint_name(iteration: int) -> str:
    """Return the file name of the checkpoint after an iteration."""
    return f"iteration_{iteration:08d}.safetensors"


def newest_checkpoint(
    folder: Path, use: Callable[[Path, Contents, dict[str, Any]], T]
) -> tuple[T, Path, list[str]] | None:
    """Return what ``use`` makes of the newest sound checkpoint of a folder; None if it has none.

    Also returns the checkpoint, and what was wrong with newer ones: those that cannot be read
    and those of which ``use`` says so by a DamagedError.  CheckpointError if none is sound.
    """
    troubles: list[str] = []
    for path in checkpoint_files(folder):
        try:
            arrays, meta = read_checkpoint(path)
        except DamagedError as error:
            troubles.append(str(error))
            continue
        try:
            return use(path, arrays, meta), path, troubles
        except DamagedError as error:
            troubles.append(f"{path}: {error}")
    if troubles:
        raise CheckpointError("; ".join(troubles))
    return None


def prune_checkpoints(newest: Path, keep: int, spared: str = "") -> None:
    """Delete all but ``keep`` checkpoints up to ``newest``, and the one that is ``spared``.

    Later names are not this run's.
    """
    own = [path for path in checkpoint_files(newest.parent) if path.name <= newest.name]
    for path in own[keep:]:
        if path.name != spared:
            path.unlink(missing_ok=True)
