"""Giving up: the declarer's last way out before the first lead (rules 3.4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.course import go_on
from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import Ints, Phase, RuleTables

__all__ = ["apply_concession", "legal_concessions"]


def legal_concessions(tables: RuleTables, state: GameState, rows: Ints) -> NDArray[np.int8]:
    """Return what the declarers may do (R, 2): play on, give up."""
    return np.ones((len(rows), 2), dtype=np.int8)


def apply_concession(tables: RuleTables, state: GameState, rows: Ints, choice: Ints) -> Ints:
    """Play on where ``choice`` (R,) is 0; return the games that are given up."""
    go_on(tables, state, rows[choice == 0], Phase.CONCEDE)
    given_up = rows[choice == 1]
    state.gave_up[given_up] = 1
    return given_up
