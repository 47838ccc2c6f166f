"""Contracts apart from cards: what a deal is worth at the lead, and what is then made of it.

All play on as well as open hands allow: that is what the auction and the exchange have left a
side with.  The rest of its result comes from the cards.  On duplicate boards both parts are
differences between the agents, and they add up to that of their results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sjavs_agents.base import Floats
from sjavs_agents.luck.outcomes import margins
from sjavs_agents.solver.open_value import OpenValue
from sjavs_agents.stats.estimates import Estimate, estimate_mean
from sjavs_env import Game, GameState, Phase, replay
from sjavs_env.records.history import Record

__all__ = ["Quality", "contract_quality", "gap"]


class Quality(NamedTuple):
    """Game points per deal that A gains more than B."""

    contracts: Estimate  # at the lead, with open hands
    cards: Estimate  # from then on


def gap(game: Game, rewards: Floats, is_a: Floats) -> float:
    """Return the mean gain of A's seats less that of B's, from rewards (P,).

    ``is_a`` (P,) is 1 for A's seats.  A reward is a gain less the mean gain of the opponents, so
    of k parties the difference of mean rewards is k / (k - 1) times that of gains.
    """
    parties = 2 if game.rules.sides == "partners" else len(rewards)
    of_a, of_b = rewards @ is_a / is_a.sum(), rewards @ (1 - is_a) / (1 - is_a).sum()
    return float((of_a - of_b) * (parties - 1) / parties)


def contract_quality(game: Game, records: Sequence[Record], a: str, tables: int) -> Quality:
    """Return both parts from the records of a match of deals, ``tables`` of a board in a row.

    ``a`` is what A is called in them.  ValueError for games of more sides than two, and for those
    that pay less for more.
    """
    solver = OpenValue(game)
    leads: list[GameState] = []
    at, made, is_a = [], [], []
    for number, record in enumerate(records):
        seats = np.array([name == a for name in record["players"]], dtype=np.float64)
        is_a.append(seats)
        *_, end = positions = [p for p in replay(record) if p.deal == len(record["deals"]) - 1]
        made.append(gap(game, margins(game, end.state)["game_points"][0], seats))
        lead = next((p.state for p in positions if p.state.phase[0] == Phase.PLAY), None)
        if lead is not None:
            leads.append(lead)
            at.append(number)
    held = np.array(made)  # where no card was played, none could change it
    if leads:
        state = GameState.joined(leads)
        values = solver.of_seats(state, np.arange(len(state)))
        held[at] = [gap(game, v, is_a[n]) for v, n in zip(values, at, strict=True)]
    boards = held.reshape(-1, tables).mean(axis=1)
    results = np.array(made).reshape(-1, tables).mean(axis=1)
    return Quality(estimate_mean(boards), estimate_mean(results - boards))
