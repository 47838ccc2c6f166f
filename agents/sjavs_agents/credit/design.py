"""A factorial design: every way to put two agents' parts together, on the same boards.

Each cell, such as bidding of A with the cards of B, plays duplicate boards against one opponent.
With levels -1 (B) and +1 (A) the effect of a set of parts is the contrast whose sign is the product
of their levels, divided by half the number of cells (Box, Hunter and Hunter, *Statistics for
Experimenters*): for one part, the mean of the cells with A's less the mean of those with B's.
The effects of odd sets add up to what all of A gains more than all of B.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from sjavs_agents.arena.match import play_match
from sjavs_agents.base import Agent, Floats
from sjavs_agents.credit.factors import factors_of, mixed
from sjavs_agents.stats.estimates import Estimate, estimate_mean
from sjavs_env import Game

__all__ = ["UNITS", "Design", "effects", "play_design"]

UNITS = ("game_points", "card_points")
Level = tuple[bool, ...]  # which parts are A's


@dataclass(frozen=True, eq=False)
class Design:
    """What every cell gained on every board."""

    factors: tuple[str, ...]
    names: Mapping[Level, str]  # of the agents
    boards: Mapping[str, Mapping[Level, Floats]]  # unit -> cell -> (boards,) per deal


def play_design(
    game: Game, a: Agent, b: Agent, opponent: Agent | None, boards: int, seed: int
) -> Design:
    """Play all cells against ``opponent``, by default B.

    B against itself is not played: what it gains is zero by symmetry.  ValueError for values that
    make no match, MatchError for an agent that fails.
    """
    factors = factors_of(game)
    names: dict[Level, str] = {}
    found: dict[str, dict[Level, Floats]] = {unit: {} for unit in UNITS}
    for level in product((False, True), repeat=len(factors)):
        agent = mixed(game, [a if is_a else b for is_a in level]) if any(level) else b
        agent = a if all(level) else agent
        names[level] = agent.name
        if opponent is None and not any(level):
            for unit in UNITS:
                found[unit][level] = np.zeros(boards)
            continue
        result = play_match(game, (agent, opponent or b), boards, seed)
        found["game_points"][level] = result.board_game_points
        found["card_points"][level] = result.board_card_points
    return Design(factors, names, found)


def effects(design: Design, unit: str) -> dict[tuple[str, ...], Estimate]:
    """Return the effects of all sets of parts, single ones first, with intervals from boards."""
    cells = design.boards[unit]
    places = range(len(design.factors))
    found = {}
    for size in range(1, len(design.factors) + 1):
        for chosen in combinations(places, size):
            contrast = sum(_sign(level, chosen) * gained for level, gained in cells.items())
            key = tuple(design.factors[i] for i in chosen)
            found[key] = estimate_mean(np.asarray(contrast) / (len(cells) / 2))
    return found


def _sign(level: Level, chosen: tuple[int, ...]) -> int:
    return 1 if sum(not level[i] for i in chosen) % 2 == 0 else -1
