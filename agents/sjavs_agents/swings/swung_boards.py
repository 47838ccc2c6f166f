"""The boards of recorded matches on which two players differ most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from sjavs_agents.base import Bool, Floats
from sjavs_agents.luck.recorded_results import Episodes, read_episodes

__all__ = ["Swing", "largest_swings", "players_of", "swings_among"]


@dataclass(frozen=True)
class Swing:
    """A board, from A's side, and the two of its tables that tell most."""

    lines: tuple[int, int]  # of the records, from 0: at the second A and B have changed seats
    game_points: float  # what A gained more than B per table of the board, all tables
    card_points: float
    by_table: tuple[float, float]  # game points at the two tables


def players_of(episodes: Episodes, wanted: Sequence[str] | None) -> tuple[str, str]:
    """Return the names of A and B; ValueError unless there are two, or the wanted ones are."""
    names = list(dict.fromkeys(name for seats in episodes.players for name in seats))
    chosen = list(wanted) if wanted else names
    if len(chosen) != 2 or len(set(chosen)) != 2 or not set(chosen) <= set(names):
        told = ", ".join(names[:20])
        raise ValueError(f"players are {', '.join(chosen[:20])}; allowed: two of {told}")
    return chosen[0], chosen[1]


def largest_swings(
    path: Path, count: int, wanted: Sequence[str] | None = None
) -> tuple[Episodes, tuple[str, str], list[Swing]]:
    """Return the records of a file, A and B, and the boards that moved most, the largest first.

    A board is all tables of A and B alone that begin with the same deal, two of them at least
    with the seats exchanged; what counts is their mean in game points, then in card points.
    ValueError for what ``read_episodes`` refuses, other players, and no such board.
    """
    episodes = read_episodes(path)
    return episodes, *swings_among(episodes, count, wanted, str(path))


def swings_among(
    episodes: Episodes, count: int, wanted: Sequence[str] | None, source: str
) -> tuple[tuple[str, str], list[Swing]]:
    """Return A and B, and the boards that moved most; ``source`` is whence, for messages."""
    a, b = players_of(episodes, wanted)
    gained = _gained(episodes, a)
    tables: dict[int, list[int]] = {}
    for line, seats in enumerate(episodes.players):
        if set(seats) == {a, b}:
            tables.setdefault(episodes.boards[line], []).append(line)
    found = [_swing(episodes, a, lines, gained) for lines in tables.values()]
    swings = [swing for swing in found if swing is not None]
    if not swings:
        raise ValueError(
            f"{source} holds no deal that {a} and {b} played twice with their seats exchanged; "
            "allowed: records of duplicate boards, as `sjavs evaluate --record` writes them"
        )
    swings.sort(key=lambda s: (-abs(s.game_points), -abs(s.card_points), s.lines))
    return (a, b), swings[:count]


def _gained(episodes: Episodes, a: str) -> Floats:
    """Return what A's seats won more than the others' (episodes, 2) in each episode, by unit."""
    found: Floats = np.zeros((len(episodes.players), 2))
    parties = 2 if episodes.game.rules.sides == "partners" else episodes.game.tables.n_players
    for one in episodes.played:
        is_a = _seats(episodes, one.episode, a) & (one.part > 0)
        is_b = ~_seats(episodes, one.episode, a) & (one.part > 0)
        if is_a.any() and is_b.any():
            for unit, margin in enumerate(one.margin.values()):
                lead = margin[is_a].mean() - margin[is_b].mean()
                found[one.episode, unit] += lead * (parties - 1) / parties
    return found


def _seats(episodes: Episodes, line: int, name: str) -> Bool:
    return np.array([who == name for who in episodes.players[line]], dtype=np.bool_)


def _swing(episodes: Episodes, a: str, lines: list[int], gained: Floats) -> Swing | None:
    """Return a board with the pair of exchanged tables that moved most; None without one."""
    pairs = [
        (x, y)
        for x, y in combinations(lines, 2)
        if (_seats(episodes, x, a) != _seats(episodes, y, a)).all()
    ]
    if not pairs:
        return None
    best = max(pairs, key=lambda pair: tuple(np.abs(gained[list(pair)].sum(axis=0))))
    mean = gained[lines].mean(axis=0)
    by_table = float(gained[best[0], 0]), float(gained[best[1], 0])
    return Swing(best, float(mean[0]), float(mean[1]), by_table)
