"""Checkpoints: one safetensors file each, arrays plus a JSON header; never pickle.

A file is written beside its final name and renamed, so a kill leaves the old or the new one,
never half of one.  A file that is cut off or foreign raises ``CheckpointError`` with one line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from sjavs_env.cli.files import write_whole

__all__ = [
    "CheckpointError",
    "DamagedError",
    "checkpoint_files",
    "newest_checkpoint",
    "read_checkpoint",
    "write_checkpoint",
]

FORMAT = "sjavs-checkpoint"
VERSION = 1
PATTERN = "iteration_*.safetensors"

Arrays = Mapping[str, NDArray[Any]]


class CheckpointError(ValueError):
    """A checkpoint cannot be used; the message says which and why."""


class DamagedError(CheckpointError):
    """A checkpoint lacks something; an older one may be whole."""


def write_checkpoint(path: Path, arrays: Arrays, meta: Mapping[str, Any]) -> None:
    """Write arrays and metadata (JSON values) to ``path`` in one atomic step."""
    header = {"format": FORMAT, "version": VERSION, **meta}
    contiguous = {name: np.ascontiguousarray(value) for name, value in arrays.items()}
    data = save(contiguous, metadata={"sjavs": json.dumps(header)})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data)


def read_checkpoint(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return arrays and metadata; CheckpointError if the file is not a sound checkpoint."""
    if not path.is_file():
        raise CheckpointError(f"{path}: there is no such checkpoint file")
    try:
        with safe_open(path, framework="numpy") as file:
            header = (file.metadata() or {}).get("sjavs")
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # not a dict
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path}: not a whole safetensors file ({error})") from None
    if header is None:
        raise CheckpointError(f"{path}: a safetensors file, but not a Sjavs checkpoint")
    try:
        meta = json.loads(header)
    except json.JSONDecodeError:
        meta = None
    if not isinstance(meta, dict):
        raise CheckpointError(f"{path}: its header is no JSON object")
    if meta.get("format") != FORMAT or meta.get("version") != VERSION:
        raise CheckpointError(
            f"{path}: format {meta.get('format')!r} version {meta.get('version')!r}; "
            f"this program reads {FORMAT!r} version {VERSION}"
        )
    return arrays, meta


def checkpoint_files(folder: Path) -> list[Path]:
    """Return the checkpoints in a folder, newest first."""
    return sorted(folder.glob(PATTERN), reverse=True)


def checkpoint_name(iteration: int) -> str:
    """Return the file name of the checkpoint after an iteration."""
    return f"iteration_{iteration:08d}.safetensors"


def newest_checkpoint(
    folder: Path,
) -> tuple[Path, dict[str, NDArray[Any]], dict[str, Any], list[str]] | None:
    """Return the newest sound checkpoint of a folder and what was wrong with newer ones."""
    troubles: list[str] = []
    for path in checkpoint_files(folder):
        try:
            arrays, meta = read_checkpoint(path)
        except CheckpointError as error:
            troubles.append(str(error))
            continue
        return path, arrays, meta, troubles
    if troubles:
        raise CheckpointError("; ".join(troubles))
    return None


def prune_checkpoints(newest: Path, keep: int) -> None:
    """Delete all but ``keep`` checkpoints up to ``newest``; later names are not this run's."""
    own = [path for path in checkpoint_files(newest.parent) if path.name <= newest.name]
    for path in own[keep:]:
        path.unlink(missing_ok=True)
