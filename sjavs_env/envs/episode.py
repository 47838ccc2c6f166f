"""When an episode is over, and what its end pays.

An episode is one deal; or a rubber, or match; or, with ``crosses=N``, as many of these as it
takes until somebody has N crosses.  Scores then go back to the start after each of them, the
crosses stay, and the deal moves on to the next player.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.game import Game
from sjavs_env.engine.state import GameState
from sjavs_env.errors import shown
from sjavs_env.records.history import DealLog
from sjavs_env.rules.tables import Bool, RuleTables

__all__ = [
    "MOST_CROSSES",
    "MOST_PASSED",
    "Episode",
    "all_passed",
    "check_crosses",
    "is_over",
    "pays",
    "worst",
]

Episode = Literal["deal", "rubber"]
MOST_PASSED = 2048  # deals in a row that nobody bids on, after which an episode ends unpaid
MOST_CROSSES = 100


def check_crosses(crosses: object, episode: object) -> None:
    """ValueError for a number of crosses that no episode can be played to."""
    if crosses is None:
        return
    if type(crosses) is not int or not 1 <= crosses <= MOST_CROSSES:
        raise ValueError(f"crosses is {shown(crosses)}; allowed: None, 1 to {MOST_CROSSES}")
    if episode != "rubber":
        raise ValueError(f"crosses is {crosses} with episode {shown(episode)}; allowed: rubber")


def all_passed(deals: Sequence[DealLog]) -> bool:
    """Whether so many of the last deals have been passed that nobody will ever bid."""
    last = deals[-MOST_PASSED:]
    return len(last) == MOST_PASSED and all(
        log.result is not None and log.result["kind"] == "redeal" for log in reversed(last)
    )


def is_over(state: GameState, episode: Episode, crosses: int | None) -> Bool:
    """Return the games (B,) whose last deal, played out, has ended their episode."""
    if episode == "deal":
        return np.ones(len(state), dtype=np.bool_)
    over: Bool = state.rubber_over == 1
    if crosses is None:
        return over
    return np.asarray(over & (np.abs(state.crosses).max(axis=1) >= crosses))


def pays(
    game: Game, state: GameState, episode: Episode, crosses: int | None
) -> NDArray[np.float32]:
    """Return what each seat (B, P) has won in an episode that is over.

    Game points of a deal, crosses or chips of a rubber; crosses alone of a match to N of them.
    """
    if episode == "deal":
        return game.gains(state)
    return game.match_gains(state) if crosses is None else state.crosses.astype(np.float32)


def worst(tables: RuleTables, episode: Episode, crosses: int | None) -> int:
    """Return the most that the rules let anybody lose in an episode without pending ties."""
    if episode == "deal":
        return tables.result.worst
    if crosses is None:
        return tables.match.worst_match
    return crosses - 1 + max(tables.match.crosses)  # the last rubber may bring more than one
