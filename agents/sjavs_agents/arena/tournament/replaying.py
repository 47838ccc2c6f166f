"""Boards of an evaluation played again from its folder, to see what happened on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sjavs_agents.arena.kept_games import board_games
from sjavs_agents.arena.match import MatchResult
from sjavs_agents.arena.playing import MatchError
from sjavs_agents.arena.results_folder import MATCH, FolderError, read_object
from sjavs_agents.arena.shard import Shard
from sjavs_agents.arena.shard_file import records_of
from sjavs_agents.arena.tournament.leg import Leg, Task
from sjavs_agents.arena.tournament.player import Player
from sjavs_agents.base.asking import AgentError
from sjavs_env import rules_to_json
from sjavs_env.records.history import Record

__all__ = ["replayed_games"]

MOST_BYTES = 2**28  # of the records of a shard


def replayed_games(
    folder: Path, sitters: Sequence[int], match: MatchResult, most: int, boards: Iterable[int]
) -> dict[int, list[Record]]:
    """Return the records of the tables of boards, by board, played again by the same agents.

    Agents draw from the streams of their shard, so all of it is played.  ``match`` is what ``load``
    has read in the folder, of these agents, and ``most`` the boards that were asked for.  Nothing
    is written there.  FolderError, one line, where the agents are not there any more, have other
    files, or play otherwise than they did.
    """
    player = Player(_task(folder, match), match.game)
    leg = Leg("-".join(map(str, sitters)), tuple(sitters), match.seed, most)
    found: dict[int, list[Record]] = {}
    try:
        size = player.size(leg)
        for number in sorted({board // size for board in boards}):
            shard = Shard(number, number * size, min((number + 1) * size, most))
            records = _played(player, leg, shard, match)
            found |= {b: board_games(records, match, b - shard.start) for b in boards
                      if shard.start <= b < shard.stop}  # fmt: skip
    except (MatchError, AgentError) as error:
        raise FolderError(f"{folder}: {error}") from None
    return found


def _task(folder: Path, match: MatchResult) -> Task:
    """Return what is the same for all shards; nothing is kept."""
    asked = read_object(folder / MATCH)
    names, files = (_lists(asked, key, folder) for key in ("agents", "files"))
    if len(names) != len(files) or not all(names):
        raise FolderError(f"{folder / MATCH} has no agents and files that go together")
    rules = json.dumps(rules_to_json(match.game.rules))
    return Task(rules, names, files, match.episode, records=True, out=None)


def _lists(asked: dict[str, Any], key: str, folder: Path) -> tuple[tuple[str, ...], ...]:
    found = asked.get(key)
    is_one = isinstance(found, list) and all(isinstance(own, list) for own in found)
    if not is_one or not all(isinstance(word, str) for own in found or () for word in own):
        raise FolderError(f"{folder / MATCH} has no {key}; allowed: lists of texts")
    return tuple(tuple(own) for own in found or ())


def _played(player: Player, leg: Leg, shard: Shard, match: MatchResult) -> list[Record]:
    part = player.play(leg, shard)
    points = part.scores.game_points[0].reshape(-1, match.game_points.shape[1])
    known = match.game_points[shard.start : shard.stop]
    if not np.array_equal(points[: len(known)], known):
        raise MatchError(
            f"boards {shard.start} to {shard.stop - 1} played again are others; allowed: the same "
            "version of the program and of all agents"
        )
    return [json.loads(line) for line in records_of(part.records, MOST_BYTES).splitlines()]
