"""How many sides play a game: what search with open hands depends on."""

from __future__ import annotations

from sjavs_env import Game

__all__ = ["has_two_sides"]


def has_two_sides(game: Game) -> bool:
    """Say whether two sides play: partners, a declarer against the rest, or two players."""
    t = game.tables
    return not t.seats or t.n_players == 2
