"""Skill points per deal: what players of recorded games won, the luck of the cards taken out.

Within an episode every deal counts that was dealt, those that nobody bid on included, whose
result is zero: a deal that is passed is luck as well.  The values of deals have no mean by
construction, nor has the luck of known players' draws, so the sum of what is taken off is a
martingale, and where an episode ends because of what was played its mean is still zero (Wald).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from sjavs_agents.base import Floats, Ints
from sjavs_agents.luck.deal_values import DealValues
from sjavs_agents.luck.luck_model import LuckModel, places
from sjavs_agents.luck.outcomes import UNITS, Dealt
from sjavs_agents.luck.recorded_results import Episodes
from sjavs_agents.stats.distributions import t_quantile
from sjavs_agents.stats.estimates import LEVEL, Estimate

__all__ = ["PlayerSkill", "estimates_json", "measure_skill", "per_deal"]


@dataclass(frozen=True)
class PlayerSkill:
    """What one player won per deal, plain and with the luck of the cards taken out, by unit."""

    player: str
    deals: int  # played, in which they took part
    plain: dict[str, Estimate]
    skill: dict[str, Estimate]

    def gain(self, unit: str) -> float | None:
        """Return how many times as many deals the plain mean needs for the same interval."""
        plain, skill = self.plain[unit].spread, self.skill[unit].spread
        return (plain / skill) ** 2 if plain and skill else None


def measure_skill(
    episodes: Episodes, model: LuckModel, values: DealValues, seed: int = 0
) -> list[PlayerSkill]:
    """Return the skill of every player of some episodes, in the order in which they appear.

    Episodes that begin with the same deal, such as the tables of a board, are one unit: the
    intervals come from units.  In deals in which not all seats take part no luck is taken out.
    """
    model.check_game(episodes.game, values.names)
    decks, dealers, cuts = zip(*episodes.dealt, strict=True)
    dealt = Dealt(np.array(decks), np.array(dealers), np.array(cuts, dtype=np.intp))
    found = values.of(dealt, seed)
    off = {}
    for unit, c in model.corrections.items():  # by what was played, which may be one deal twice
        off[unit] = c.off(values.names, found, dealt.dealer)[[one.deal for one in episodes.played]]
        if episodes.drawn is not None:
            off[unit] += c.draws * episodes.drawn[unit]
    names = dict.fromkeys(name for seats in episodes.players for name in seats)
    return [_skill_of(name, episodes, model, off, dealt.dealer) for name in names]


def _skill_of(
    name: str,
    episodes: Episodes,
    model: LuckModel,
    off: Mapping[str, Floats],
    dealer: Ints,
) -> PlayerSkill:
    """Add up what one player won, unit by unit of the interval."""
    n = episodes.game.tables.n_players
    count: dict[int, float] = {}
    plain: dict[str, dict[int, float]] = {unit: {} for unit in UNITS}
    luck: dict[str, dict[int, float]] = {unit: {} for unit in UNITS}
    seated = np.zeros(n)  # how often luck was taken out, by place from the dealer
    for i, one in enumerate(episodes.played):
        sits = np.array([who == name for who in episodes.players[one.episode]]) * one.part
        if not sits.any():
            continue
        weight, board = sits / sits.sum(), episodes.boards[one.episode]
        count[board] = count.get(board, 0.0) + one.counts
        if one.all_in:
            seated[places(dealer[[one.deal]], n)[0]] += weight
        for unit in UNITS:
            taken = float(weight @ off[unit][i]) * one.all_in
            plain[unit][board] = plain[unit].get(board, 0.0) + float(weight @ one.margin[unit])
            luck[unit][board] = luck[unit].get(board, 0.0) + taken
    counts = np.array(list(count.values()))
    share = seated / max(1.0, counts.sum())
    results = {unit: np.array(list(plain[unit].values())) for unit in UNITS}
    skills = {unit: results[unit] - np.array(list(luck[unit].values())) for unit in UNITS}
    of_means = {
        unit: float(share @ np.array(c.covariance) @ share) for unit, c in model.corrections.items()
    }
    return PlayerSkill(
        name,
        int(counts.sum()),
        {unit: per_deal(results[unit], counts) for unit in UNITS},
        {unit: per_deal(skills[unit], counts, of_means[unit]) for unit in UNITS},
    )


def per_deal(sums: Floats, deals: Floats, more: float = 0.0) -> Estimate:
    """Return the mean per deal of units (boards,) with so many deals each, with its interval.

    A ratio estimate: the spread is that of the units' sums about the mean times their deals,
    per deal; where each unit has one deal this is the mean and its t interval.  ``more`` is a
    variance of the mean that comes from elsewhere.  No interval for fewer than two units.
    """
    total, n = float(deals.sum()), len(sums)
    if not total:
        return Estimate(0.0, None, None)
    mean = float(sums.sum()) / total
    if n < 2:
        return Estimate(mean, None, None)
    rest = sums - mean * deals
    variance = n / (n - 1) * float(rest @ rest) / total**2
    half = t_quantile((1 + LEVEL) / 2, n - 1) * sqrt(variance + max(0.0, more))
    return Estimate(mean, mean - half, mean + half, sqrt(variance * n))


def estimates_json(found: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return estimates by unit as JSON values."""
    return {
        unit: {"mean": e.mean, "interval": None if e.low is None else [e.low, e.high]}
        for unit, e in found.items()
    }
