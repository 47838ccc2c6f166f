"""The games of an evaluation as the shards in its folder hold them, where it has recorded them.

No agent is needed to read them.  That a shard belongs to the results beside it is told by its
scores.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from sjavs_agents.arena.array_file import read_arrays
from sjavs_agents.arena.match import MatchResult
from sjavs_agents.arena.results_folder import FolderError
from sjavs_agents.arena.shard_file import records_of, shard_forms
from sjavs_env.records.history import Record

__all__ = ["board_games", "kept_games", "shards_folder"]

MOST_BYTES = 2**28  # of the records of a shard


def shards_folder(folder: Path, sitters: Sequence[int]) -> Path:
    """Return where the shards of a match of these agents stand."""
    return folder / "shards" / "-".join(map(str, sitters))


def kept_games(
    folder: Path, sitters: Sequence[int], match: MatchResult, boards: Iterable[int]
) -> dict[int, list[Record]]:
    """Return the records of the tables of boards, by board; none where they were not recorded.

    ``folder`` is that of the evaluation, ``match`` what ``load`` has read there, of these agents.
    FolderError for a shard of another evaluation or one that is damaged, OSError if it is gone.
    """
    place, found = shards_folder(folder, sitters), dict[int, list[Record]]()
    if not (place / "000000.npz").exists():
        return {}
    size = _size(place / "000000.npz", match)
    for board in boards:
        number = board // size
        records = _records(place / f"{number:06d}.npz", match, number * size)
        if not records:
            return {}
        found[board] = board_games(records, match, board - number * size)
    return found


def board_games(records: Sequence[Record], match: MatchResult, at: int) -> list[Record]:
    """Return the records of all tables of board ``at`` among those of a shard."""
    tables = match.game_points.shape[1]
    return list(records[at * tables : (at + 1) * tables])


def _size(path: Path, match: MatchResult) -> int:
    """How many boards the first shard has, as all but the last do."""
    arrays = _arrays(path, match)
    return max(1, len(arrays["deals"]) // match.game_points.shape[1])


def _records(path: Path, match: MatchResult, start: int) -> list[Record]:
    """Return the games of the shard that begins with board ``start``; none if not recorded."""
    arrays = _arrays(path, match)
    tables = match.game_points.shape[1]
    points = arrays["game_points"][0].reshape(-1, tables)
    if not np.array_equal(points, match.game_points[start : start + len(points)]):
        raise FolderError(
            f"{path} is not of the results beside it; allowed: the same command again"
        )
    packed = arrays["records"].tobytes()
    if not packed:
        return []
    try:
        lines = records_of(packed, MOST_BYTES).splitlines()
        found = [json.loads(line) for line in lines]
    except (ValueError, RecursionError) as error:
        raise FolderError(f"{path} is damaged: {error}") from None
    if len(found) != points.size:
        raise FolderError(f"{path} has {len(found)} games; allowed: {points.size}")
    return found


def _arrays(path: Path, match: MatchResult) -> dict[str, np.ndarray]:
    return read_arrays(path, shard_forms(match.game, len(match.agents)))
