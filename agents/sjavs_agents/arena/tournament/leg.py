"""One match of a tournament, before it is played: who sits at its tables, and its boards."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from sjavs_agents.arena.seating import Seating, mixed_seating, pair_seating
from sjavs_env import Game

__all__ = ["Leg", "Task", "pairings", "seats_of"]


@dataclass(frozen=True)
class Leg:
    """A match of some of the agents of a tournament."""

    key: str  # the name of its folder
    sitters: tuple[int, ...]  # which of the agents: two, or one for each seat if it is mixed
    seed: int
    boards: int  # at most
    mixed: bool = False


@dataclass(frozen=True)
class Task:
    """What is the same for every shard of a tournament, as processes are told it."""

    rules: str  # as JSON
    agents: tuple[tuple[str, ...], ...]  # the name of each, or the names of two partners
    files: tuple[tuple[str, ...], ...]  # the digests of the files that each is read from
    episode: str
    records: bool  # are they wanted?
    out: str | None  # the folder in which shards are kept

    def what(self, leg: Leg, size: int) -> str:
        """Return in words all that the shards of a match depend on but their boards."""
        who = [(self.agents[i], self.files[i]) for i in leg.sitters]
        return repr((self.rules, who, self.episode, leg.seed, leg.mixed, size))


def pairings(agents: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return who plays whom among so many agents, in order, by each of the formats of pairs.

    All pairs; the first against each other one; each against the last one.
    """
    return (
        tuple(combinations(range(agents), 2)),
        tuple((0, i) for i in range(1, agents)),
        tuple((i, agents - 1) for i in range(agents - 1)),
    )


def seats_of(game: Game, leg: Leg) -> Seating:
    """Return who sits where at the tables of a match."""
    return mixed_seating(game) if leg.mixed else pair_seating(game)
