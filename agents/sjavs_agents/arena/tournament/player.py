"""What plays shards, in whatever process it lives: it makes the agents once and keeps its work."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

from sjavs_agents.arena.playing import Episode, MatchError
from sjavs_agents.arena.shard import Part, Shard, play_shard
from sjavs_agents.arena.shard_file import ShardFiles, packed_records
from sjavs_agents.arena.team_agent import TeamAgent
from sjavs_agents.arena.tournament.entrants import fingerprint
from sjavs_agents.arena.tournament.leg import Leg, Task, seats_of
from sjavs_agents.base import Agent, boards_at_once
from sjavs_agents.registry import make_agent
from sjavs_env import Game, rules_from_json
from sjavs_env.records.history import Record

__all__ = ["Player", "made_agent"]


def made_agent(names: Sequence[str], game: Game) -> Agent:
    """Return the agent of a name, or the team of two; ValueError, one line, for none such."""
    made = [make_agent(name, game) for name in names]
    return made[0] if len(made) == 1 else TeamAgent(made[0], made[1], game)


class Player:
    """Plays the shards of a tournament; where they are kept in a folder, it reads them as well."""

    def __init__(
        self, task: Task, game: Game | None = None, agents: Mapping[int, Agent] | None = None
    ) -> None:
        """``agents`` are those that are made already, by their places in the task."""
        self.task = task
        self.game = game or Game(rules_from_json(json.loads(task.rules)))
        self._agents = dict(agents or {})
        self._files: dict[str, ShardFiles] = {}

    def play(self, leg: Leg, shard: Shard, go_on: Callable[[], object] = bool) -> Part:
        """Play a shard and keep it; MatchError or OSError, one line, if that fails."""
        task, records = self.task, list[Record]()
        part = play_shard(
            self.game, self.agents(leg), seats_of(self.game, leg), shard, leg.seed,
            cast(Episode, task.episode), records.extend if task.records else None, go_on,
        )  # fmt: skip
        if task.records:
            part.records = packed_records(records)
        if files := self.files(leg):
            files.write(shard, part)
        return part

    def kept(self, leg: Leg, shard: Shard) -> Part | None:
        """Return what came of a shard that was played before, if it is kept and sound."""
        files = self.files(leg)
        return files.read(shard, self.task.records) if files else None

    def files(self, leg: Leg) -> ShardFiles | None:
        """Return the files of the shards of a match, if they are kept."""
        if self.task.out is None:
            return None
        if leg.key not in self._files:
            folder, seats = Path(self.task.out) / "shards" / leg.key, seats_of(self.game, leg)
            folder.mkdir(parents=True, exist_ok=True)
            what = self.task.what(leg, self.size(leg))
            self._files[leg.key] = ShardFiles(folder, self.game, seats, len(leg.sitters), what)
        return self._files[leg.key]

    def size(self, leg: Leg) -> int:
        """Return how many boards a shard of a match has."""
        return boards_at_once(self.agents(leg))

    def agents(self, leg: Leg) -> Sequence[Agent]:
        """Return the agents of a match."""
        return [self._agent(i) for i in leg.sitters]

    def _agent(self, i: int) -> Agent:
        if i not in self._agents:
            names = self.task.agents[i]
            try:
                self._agents[i] = made_agent(names, self.game)
            except ValueError as error:  # a file has gone
                raise MatchError(str(error)) from None
            if fingerprint(*names) != self.task.files[i]:
                raise MatchError(f"the files of {names[0]!r} have changed since the start")
        return self._agents[i]
