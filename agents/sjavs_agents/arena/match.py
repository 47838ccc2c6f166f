"""Duplicate matches: the same numbered deals at several tables, the agents exchanged.

A board is a numbered deal, or a stream of them for a rubber, played once at each table of a
seating; board b is dealt by seat b mod P.  Boards are played in shards (``shard``), all tables of
one together, and what comes of them is put together in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.arena.playing import BOARD_BITS, EPISODES, Episode, MatchError, Scores
from sjavs_agents.arena.seating import Seating, pair_seating, seating
from sjavs_agents.arena.shard import Part, play_shard, shards_of
from sjavs_agents.arena.tally import Tally
from sjavs_agents.base import MOST_AT_ONCE, Agent, Floats, Ints, boards_at_once
from sjavs_agents.stats.estimates import Estimate, estimate_mean
from sjavs_agents.stats.won_boards import estimate_won
from sjavs_env import Game
from sjavs_env.records.history import Record

__all__ = [
    "BOARD_BITS",
    "EPISODES",
    "MOST_BOARDS",
    "Episode",
    "MatchError",
    "MatchResult",
    "Sheet",
    "check_match",
    "play_match",
    "seating",
]

MOST_BOARDS = 2**24  # that fit into memory with what comes of them


@dataclass(eq=False)
class MatchResult:
    """A match of agent A against agent B; every number is seen from A's side."""

    game: Game
    agents: tuple[str, ...]  # A and B; or the party, and all who sat at its tables
    seed: int
    episode: Episode
    boards: Ints  # (boards,) board numbers
    deals: Ints  # (boards, tables) deals played at each table
    numbers: Ints  # (boards, tables) the number of the last of them
    game_points: Floats  # (boards, tables) own game points less the others', all deals together
    card_points: Floats  # (boards, tables) own card points less the others'
    crosses: (
        Floats  # (boards, tables) own crosses, or chips, less the others' at the end of a rubber
    )
    tally: Tally

    @property
    def board_game_points(self) -> Floats:
        """Game points per deal (boards,) of each board."""
        return (self.game_points / self.deals).mean(axis=1)

    @property
    def board_card_points(self) -> Floats:
        """Card points per deal (boards,) of each board."""
        return (self.card_points / self.deals).mean(axis=1)

    def means(self) -> dict[str, tuple[Floats, float]]:
        """Return by name the board results (boards,) of each mean, and what equal agents get."""
        found = {
            "game_points": (self.board_game_points, 0.0),
            "card_points": (self.board_card_points, 0.0),
        }
        if self.episode == "rubber":  # the tables of a board share their cards: paired
            found["rubbers_won"] = _won(self.crosses).mean(axis=1), 0.5
            found["crosses"] = self.crosses.mean(axis=1), 0.0
        return found

    def estimates(self) -> dict[str, Estimate]:
        """Return the results of the match with their intervals, by name."""
        found = {name: estimate_mean(*boards) for name, boards in self.means().items()}
        points = {name: found.pop(name) for name in ("game_points", "card_points")}
        return {**points, "boards_won": estimate_won(self.board_game_points), **found}


def _won(margin: Floats) -> Floats:
    """1 for a win, a half for a draw."""
    return np.asarray((1 + np.sign(margin)) / 2)


class Sheet:
    """The score sheet of a match: parts are entered in their order, results read at any time."""

    def __init__(
        self,
        game: Game,
        agents: tuple[str, ...],
        seed: int,
        episode: Episode,
        boards: int,
        seats: Seating,
    ) -> None:
        """Prepare a sheet for up to so many boards; ``agents`` are those of the seating."""
        self.game, self.agents, self.seed, self.episode = game, agents, seed, episode
        self.tables = len(seats.agent_at)
        self.boards = 0  # that are entered
        self.tally = Tally.empty(game, len(agents))
        self._scores = Scores.empty(len(seats.parties), boards * self.tables)

    def enter(self, part: Part) -> None:
        """Enter the next boards."""
        self._scores.put(self.boards * self.tables, part.scores)
        self.boards += len(part.scores.deals) // self.tables
        self.tally.add(part.tally)

    def result(self, party: int = 0, start: int = 0) -> MatchResult:
        """Return the result of a party on the boards so far, from board ``start`` on.

        The arrays of scores are those of the sheet; what is entered later they do not hold.
        """
        here = slice(start * self.tables, self.boards * self.tables)
        scores = self._scores

        def by_board(values: NDArray[Any]) -> NDArray[Any]:
            return values[here].reshape(-1, self.tables)

        return MatchResult(
            self.game, self.agents, self.seed, self.episode, np.arange(start, self.boards),
            by_board(scores.deals), by_board(scores.numbers), by_board(scores.game_points[party]),
            by_board(scores.card_points[party]), by_board(scores.crosses[party]),
            copy(self.tally),
        )  # fmt: skip


def check_match(boards: int, seed: int = 0, episode: str = "deal", chunk: int = 1) -> None:
    """Raise ValueError, naming the value and what is allowed, for values that make no match."""
    if episode not in EPISODES:
        raise ValueError(f"episode is {episode!r}; allowed: {', '.join(EPISODES)}")
    wanted = {
        "boards": (boards, 1, MOST_BOARDS),
        "seed": (seed, 0, 2**64 - 1),
        "chunk": (chunk, 1, MOST_AT_ONCE),
    }
    for name, (value, least, most) in wanted.items():
        if not least <= value <= most:
            raise ValueError(f"{name} is {value}; allowed: {least} to {most}")


def play_match(
    game: Game,
    agents: tuple[Agent, Agent],
    boards: int,
    seed: int = 0,
    *,
    episode: Episode = "deal",
    chunk: int | None = None,
    keep: Callable[[list[Record]], object] | None = None,
) -> MatchResult:
    """Play boards 0, 1, ... of the seed; ValueError for values that make no match.

    All in this process and in memory; ``sjavs evaluate`` plays the same shards by several.
    ``chunk`` is the number of boards of a shard, by default what the agents say; it changes only
    what agents that draw do.  ``keep`` is called with the records of all tables of each shard,
    board by board, their players named after the agents.  A MatchError ends the match; what was
    played before is its ``so_far``.
    """
    size = boards_at_once(agents) if chunk is None else chunk
    check_match(boards, seed, episode, size)
    seats = pair_seating(game)
    sheet = Sheet(game, tuple(agent.name for agent in agents), seed, episode, boards, seats)
    try:
        for shard in shards_of(boards, size):
            sheet.enter(play_shard(game, agents, seats, shard, seed, episode, keep))
    except MatchError as error:
        error.so_far = sheet.result() if sheet.boards else None
        raise
    return sheet.result()
