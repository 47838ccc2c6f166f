"""Search on top of a trained player, at budgets of CPU time for each of its cards.

What is searched, and in how many worlds, is fixed for each budget, so that the same seed gives the
same play on any machine.  The times are those of one core of a server, averaged over whole deals
that are played in batches.  docs/results.md has what was measured: the first budget of ``pimc``;
the others are reckoned from the cost of a world there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sjavs_agents.base.sides import has_two_sides
from sjavs_env import Game

__all__ = ["BUDGETS", "USUAL_BUDGET", "Budget", "search_within"]

Settings = dict[str, Any]


class Budget(NamedTuple):
    """The settings of a budget: of ``pimc`` where two sides play, else of ``rollout``."""

    pimc: Settings
    rollout: Settings


BUDGETS = {  # by milliseconds for a card
    "0.2": Budget({"worlds": 20, "tricks": 4}, {"worlds": 4, "cards": 2, "tricks": 2}),
    "5": Budget({"worlds": 200, "tricks": 5}, {"worlds": 16, "cards": 3, "tricks": 5}),
    "50": Budget(
        {"worlds": 50, "tricks": 5, "infer": "policy"}, {"worlds": 64, "cards": 3, "tricks": 9}
    ),
}
USUAL_BUDGET = "5"


def search_within(game: Game, budget: str) -> tuple[str, Settings]:
    """Return the player that searches within a budget, by its name in the registry and settings.

    Worlds are not weighed in games whose past cannot be told from what lies on the table.
    """
    kind = "pimc" if has_two_sides(game) else "rollout"
    settings: Settings = dict(getattr(BUDGETS[budget], kind))
    if game.tables.deal.n_columns or game.tables.seats:
        settings.pop("infer", None)
    return kind, settings
