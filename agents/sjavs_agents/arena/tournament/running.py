"""A tournament under way: shards are started, awaited in their order, and entered.

Several programs may work for one tournament, if ``torchrun`` or somebody else numbers them by
RANK and WORLD_SIZE: each plays its own shards into a folder that all of them see, and reads those
of the others from there.  All do the same with them, so all know when a match has been decided.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sjavs_agents.arena.playing import MatchError
from sjavs_agents.arena.shard import Part, Shard, shards_of
from sjavs_agents.arena.tournament.bout import Bout
from sjavs_agents.arena.tournament.crew import Crew, CrewError, Pending
from sjavs_agents.arena.tournament.leg import Leg
from sjavs_agents.arena.tournament.player import Player
from sjavs_env.cli.command import reason
from sjavs_env.cli.stop import StopSignal
from sjavs_env.errors import shown

__all__ = ["Halt", "Halted", "Ranks", "Tournament"]

GRACE = 3.0  # seconds in which shards that are under way may still end after a polite stop
APART = 4  # shards that one rank may be ahead of another
POLL = 0.25  # seconds between two looks at what is shown, and for files of other ranks


class Halted(Exception):  # noqa: N818  # no error
    """The play is broken off, because somebody asked for it."""


class Halt:
    """Knows whether somebody has asked for a stop, and whether time is up since then."""

    def __init__(self, stop: StopSignal) -> None:
        self.stop = stop
        self._noticed: float | None = None

    @property
    def is_asked(self) -> bool:
        """Nothing more shall be started."""
        if self.stop.is_set and self._noticed is None:
            self._noticed = time.monotonic()
        return self.stop.is_set

    @property
    def is_due(self) -> bool:
        """What has been started shall not be awaited any more."""
        return self.is_asked and time.monotonic() - (self._noticed or 0.0) > GRACE


@dataclass(frozen=True)
class Ranks:
    """Which of several programs this is that play one tournament."""

    rank: int = 0
    size: int = 1

    @classmethod
    def here(cls, environment: Mapping[str, str] = os.environ) -> Ranks:
        """Read what ``torchrun`` says; ValueError, one line, for what cannot be."""
        rank, size = (environment.get(name) for name in ("RANK", "WORLD_SIZE"))
        if rank is None and size is None:
            return cls()
        if not (rank or "").isdecimal() or not (size or "").isdecimal():
            raise ValueError(
                f"RANK and WORLD_SIZE are {shown(rank)} and {shown(size)}; allowed: two numbers"
            )
        ranks = cls(int(rank or 0), int(size or 0))
        if not 0 <= ranks.rank < ranks.size <= 10_000:
            raise ValueError(f"RANK is {rank} of {size}; allowed: 0 to 1 less than WORLD_SIZE")
        return ranks

    @property
    def leads(self) -> bool:
        """True for the program that writes and shows."""
        return self.rank == 0

    def owns(self, shard: Shard) -> bool:
        """Return whether a shard is this program's to play."""
        return shard.number % self.size == self.rank

    def leave_with_the_launcher(self) -> None:
        """End this program when the one that started it has gone without a word."""
        parent = os.getppid()

        def watch() -> None:
            while os.getppid() == parent:
                time.sleep(2)
            os._exit(75)

        if self.size > 1:
            threading.Thread(target=watch, daemon=True).start()


class _There:
    """A shard that was played before."""

    is_begun = True

    def __init__(self, part: Part) -> None:
        self.part = part

    def result(self, timeout: float) -> Part:
        """Return it at once."""
        return self.part

    def drop(self) -> None:
        """Do nothing."""


class _Awaited:
    """A shard that another rank plays."""

    is_begun = False

    def __init__(self, player: Player, crew: Crew, leg: Leg, shard: Shard) -> None:
        self.player, self.crew, self.leg, self.shard = player, crew, leg, shard

    def result(self, timeout: float) -> Part | None:
        """Look for its file; if it is not there, do something else for a while."""
        part = self.player.kept(self.leg, self.shard)
        if part is None:
            self.crew.idle(timeout)
        return part

    def drop(self) -> None:
        """Do nothing."""


class Tournament:
    """All matches, in their order."""

    def __init__(
        self, bouts: Sequence[Bout], player: Player, halt: Halt, ranks: Ranks | None = None
    ) -> None:
        self.bouts, self.player, self.halt, self.ranks = bouts, player, halt, ranks or Ranks()
        self.played = 0  # boards that were played, not read, this time
        self.trouble: str | None = None  # why it has ended early
        self._queue: deque[tuple[Bout, Shard, Pending]] = deque()

    @property
    def is_finished(self) -> bool:
        """All matches are over."""
        return all(bout.is_over for bout in self.bouts)

    @property
    def under_way(self) -> Bout:
        """The match of which boards are entered next, in the end the last."""
        return next((bout for bout in self.bouts if not bout.is_over), self.bouts[-1])

    def play(
        self, crew: Crew, entered: Callable[[Part], object], look: Callable[[], object]
    ) -> None:
        """Play until all is over, somebody asks for a stop, or something goes wrong.

        ``entered`` is called with every part in order, ``look`` now and then.
        """
        try:
            self._play(crew, entered, look)
        except (MatchError, CrewError, OSError) as error:
            self.trouble = reason(error)
        except Halted:
            pass

    def _play(
        self, crew: Crew, entered: Callable[[Part], object], look: Callable[[], object]
    ) -> None:
        jobs = self._jobs()
        while True:
            if not self.halt.is_asked:
                self._fill(crew, jobs)
            if not self._queue:
                return
            bout, _, pending = self._queue[0]
            if self.halt.is_due or (self.halt.is_asked and not pending.is_begun):
                return
            part = None if bout.is_over else pending.result(POLL)
            look()
            if bout.is_over:  # decided before, or by other boards
                pending.drop()
                self._queue.popleft()
            elif part is not None:
                self._queue.popleft()
                self.played += 0 if isinstance(pending, _There) else _boards(bout, part)
                bout.enter(part)
                entered(part)

    def _fill(self, crew: Crew, jobs: Iterator[tuple[Bout, Shard] | None]) -> None:
        """Start as many shards as the crew takes; none before it is known that it is needed."""
        ahead = crew.ahead if self.ranks.size == 1 else max(crew.ahead, APART) * self.ranks.size
        while len(self._queue) < ahead:
            job = next(jobs, None)
            if job is None:
                return
            bout, shard = job
            self._queue.append((bout, shard, self._started(crew, bout.leg, shard)))

    def _started(self, crew: Crew, leg: Leg, shard: Shard) -> Pending:
        if part := self.player.kept(leg, shard):
            return _There(part)
        if self.ranks.owns(shard):
            return crew.start(leg, shard)
        return _Awaited(self.player, crew, leg, shard)

    def _jobs(self) -> Iterator[tuple[Bout, Shard] | None]:
        """Yield all shards in order; None while it is not known which is the next."""
        for bout in self.bouts:
            while not bout.is_ready:
                yield None
            for shard in shards_of(bout.leg.boards, bout.size):
                if bout.is_over:
                    break
                yield bout, shard


def _boards(bout: Bout, part: Part) -> int:
    assert bout.sheet is not None
    return len(part.scores.deals) // bout.sheet.tables
