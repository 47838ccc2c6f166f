"""The games of the boards that moved most in an evaluation, from its folder.

They are read where the evaluation has recorded them (``--record``), else played again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sjavs_agents.arena.kept_games import kept_games
from sjavs_agents.arena.match import MatchResult
from sjavs_agents.arena.results_folder import Results, load
from sjavs_agents.arena.tournament.leg import pairings
from sjavs_agents.arena.tournament.replaying import replayed_games
from sjavs_env.errors import shown
from sjavs_env.records.history import Record

__all__ = ["BoardGames", "games_of_folder", "largest_boards"]


@dataclass(frozen=True)
class BoardGames:
    """The games of some boards, table by table."""

    players: tuple[str, str]
    records: list[Record]
    places: list[tuple[int, int]]  # of each record: its board, and its table from 0


def largest_boards(match: MatchResult, count: int) -> list[int]:
    """Return the boards that moved most, in game points and then in card points."""
    points, cards = np.abs(match.board_game_points), np.abs(match.board_card_points)
    return [int(b) for b in match.boards[np.lexsort((match.boards, -cards, -points))[:count]]]


def games_of_folder(folder: Path, count: int, wanted: Sequence[str] | None) -> BoardGames:
    """Return the games of the boards of a pair that moved most; ValueError or OSError if none."""
    results = load(folder)
    i = _pair(folder, results, wanted)
    match, sitters = results.pairs[i], _sitters(results, i)
    boards = largest_boards(match, count)
    games = kept_games(folder, sitters, match, boards) or replayed_games(
        folder, sitters, match, int(results.data["boards"]), boards
    )
    places = [(board, table) for board in boards for table in range(len(games[board]))]
    a, b = match.agents
    return BoardGames((a, b), [games[board][table] for board, table in places], places)


def _pair(folder: Path, results: Results, wanted: Sequence[str] | None) -> int:
    """Return which pair is wanted; ValueError, one line, unless it is clear."""
    met = [match.agents for match in results.pairs]
    if not met:
        raise ValueError(f"{folder} holds no pairs; allowed: an evaluation of pairs")
    fitting = [i for i, pair in enumerate(met) if wanted is None or set(pair) == set(wanted)]
    if len(fitting) != 1:
        told = "; ".join(",".join(pair) for pair in met[:20])
        asked = "nothing" if wanted is None else shown(",".join(wanted))
        raise ValueError(f"--players is {asked}, and {folder} holds {len(met)} pairs; allowed: one "
                         f"of {told}")  # fmt: skip
    return fitting[0]


def _sitters(results: Results, pair: int) -> tuple[int, ...]:
    """Return who of the agents played the pair, by their places."""
    names, n = tuple(results.data["agents"]), len(results.data["agents"])
    found = [match.agents for match in results.pairs]
    for order in pairings(n):
        if [(names[i], names[j]) for i, j in order[: len(found)]] == found:
            return order[pair]
    raise ValueError(f"pairs are {shown(found)}; allowed: those of the agents, in order")
