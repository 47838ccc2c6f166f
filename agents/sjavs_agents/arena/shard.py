"""A shard: some boards of a match that are played together, whole or not at all.

What comes of one depends on nothing but the game, the agents, the seed, its number and its
boards.  So shards can be played in any order, by any process on any machine, and twice, and a
match is always the same.  How many boards a shard has is told by the agents: those that play
batches cheaply take many, those that search take few, so that two processes have equal work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sjavs_agents.arena.playing import Episode, Scores, Tables
from sjavs_agents.arena.seating import Seating
from sjavs_agents.arena.tally import Tally
from sjavs_agents.base import Agent
from sjavs_env import Game
from sjavs_env.randomness import derived
from sjavs_env.records.history import Record

__all__ = ["Part", "Shard", "play_shard", "shards_of"]


@dataclass(frozen=True)
class Shard:
    """Boards ``start`` to ``stop``, the last not included."""

    number: int
    start: int
    stop: int


@dataclass(eq=False)
class Part:
    """What comes of a shard: all its tables, and what the agents did at them."""

    scores: Scores
    tally: Tally
    records: bytes = b""  # its games, packed, if they were wanted


def shards_of(boards: int, size: int) -> Iterator[Shard]:
    """Yield the shards of so many boards; all but the last have ``size``."""
    for number, start in enumerate(range(0, boards, size)):
        yield Shard(number, start, min(start + size, boards))


def play_shard(
    game: Game,
    agents: Sequence[Agent],
    seating: Seating,
    shard: Shard,
    seed: int,
    episode: Episode,
    keep: Callable[[list[Record]], object] | None = None,
    go_on: Callable[[], object] = bool,
) -> Part:
    """Play the boards of a shard; MatchError if they cannot be finished.

    Each agent draws from a stream of its own.  ``keep`` is called with the records of all tables,
    board by board, their players named after the agents; ``go_on`` now and then while they are
    played, and may raise what shall end that.
    """
    rngs = [derived(seed, "arena", i, shard.number) for i in range(len(agents))]
    tables = Tables(game, agents, seating, np.arange(shard.start, shard.stop), seed, rngs)
    if keep is not None:
        tables.keep_records()
    tables.play(episode, go_on)
    if keep is not None:
        keep(tables.records())
    return Part(tables.scores, tables.tally)
