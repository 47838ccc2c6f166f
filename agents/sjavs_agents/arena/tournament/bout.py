"""A match of a tournament while it is played: its score sheet, and whether it has been decided."""

from __future__ import annotations

from dataclasses import replace

from sjavs_agents.arena.match import MatchResult, Sheet
from sjavs_agents.arena.playing import Episode
from sjavs_agents.arena.shard import Part
from sjavs_agents.arena.tournament.leg import Leg, seats_of
from sjavs_agents.stats.sequential import SequentialPlan, SequentialTest
from sjavs_env import Game
from sjavs_env.randomness import derived_word

__all__ = ["Bout", "fresh_seed", "looks"]


def looks(plan: SequentialPlan, size: int) -> SequentialPlan:
    """Return a plan that looks at the ends of shards alone, no more often than this one."""
    every = -(-plan.every // size) * size
    return replace(plan, every=every, least=min(plan.cap, -(-plan.least // every) * every))


def fresh_seed(seed: int) -> int:
    """Return the seed of boards that have nothing to do with those of another seed."""
    return derived_word(seed, "arena", "fresh boards")


class Bout:
    """A match under way.  If there is a test, it ends when the test has decided."""

    def __init__(
        self,
        game: Game,
        leg: Leg,
        names: tuple[str, ...],
        episode: Episode,
        size: int,
        plan: SequentialPlan | None = None,
        after: Bout | None = None,
    ) -> None:
        """``size`` boards are a shard.  One that comes ``after`` a test has as many boards."""
        self.game, self.leg, self.names, self.episode, self.size = game, leg, names, episode, size
        self.after = after
        self.test = SequentialTest(looks(plan, size)) if plan else None
        self.sheet: Sheet | None = None
        if after is None:
            self._prepare()

    @property
    def is_ready(self) -> bool:
        """It is known how many boards there are."""
        if self.sheet is None and self.after is not None and self.after.is_over:
            self.leg = replace(self.leg, boards=self.after.done)
            self._prepare()
        return self.sheet is not None

    @property
    def done(self) -> int:
        """Boards that are entered, 0 ... done - 1."""
        return self.sheet.boards if self.sheet else 0

    @property
    def is_over(self) -> bool:
        """No more boards are needed."""
        is_decided = self.test is not None and self.test.is_over
        return self.sheet is not None and (is_decided or self.done == self.leg.boards)

    def enter(self, part: Part) -> None:
        """Enter the next boards."""
        assert self.sheet is not None
        before = self.done
        self.sheet.enter(part)
        if self.test is not None:
            self.test.feed(self.sheet.result(start=before).board_game_points)

    def results(self) -> list[MatchResult]:
        """Return the results so far, one for each party."""
        if self.sheet is None or not self.done:
            return []
        parties = len(self.leg.sitters) if self.leg.mixed else 1
        return [self.sheet.result(party) for party in range(parties)]

    def _prepare(self) -> None:
        leg = self.leg
        seats = seats_of(self.game, leg)
        self.sheet = Sheet(self.game, self.names, leg.seed, self.episode, leg.boards, seats)
