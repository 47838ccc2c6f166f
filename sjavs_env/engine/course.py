"""The course of a deal: which moment of decision comes after which.

It may depend on the bid: under some contracts the talon stays where it is.
"""

from __future__ import annotations

import numpy as np

from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import Ints, Phase, RuleTables

__all__ = ["go_on"]


def go_on(tables: RuleTables, state: GameState, rows: Ints, done: Phase) -> None:
    """Leave the phase ``done``: forehand leads, or else the declarer decides next."""
    following = tables.phase_after[state.best_bid[rows], done]
    state.phase[rows] = following
    leads = following == Phase.PLAY
    state.seat[rows] = np.where(leads, state.leader[rows], state.declarer[rows])
