"""How many boards a question takes: for an interval so narrow, for a difference to be found."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isfinite, sqrt

from sjavs_agents.stats.distributions import normal_quantile, t_quantile
from sjavs_agents.stats.estimates import LEVEL, Estimate

__all__ = [
    "POWER",
    "PowerHint",
    "boards_for_interval",
    "boards_to_find",
    "findable",
    "power_hint",
]

POWER = 0.9  # chance to find a difference that is there


@dataclass(frozen=True)
class PowerHint:
    """What more boards would bring; ``None`` where the boards so far cannot tell."""

    half_width: float | None  # of the interval now
    more_boards_to_halve_it: int | None
    findable: float | None  # the difference that so many boards find with a chance of ``POWER``
    boards_to_find_mean: int | None  # to find a difference as large as the one measured


def boards_for_interval(spread: float, half_width: float) -> int:
    """Return the least number of boards whose t interval is no wider than ± ``half_width``.

    ``spread`` is the standard deviation of a board, in the same unit.
    """
    _check("half_width", half_width)
    n = max(2, ceil((_z() * spread / half_width) ** 2))  # enough for a normal interval
    while t_quantile((1 + LEVEL) / 2, n - 1) * spread / sqrt(n) > half_width:
        n += 1
    return n


def boards_to_find(spread: float, difference: float, power: float = POWER) -> int:
    """Return how many boards a two-sided t test needs to find a difference with this chance.

    n = (z(0.975) + z(power))² spread² / difference², which is 10.5 spread² / difference² for the
    power 0.9, and z(0.975)² / 2 more because the spread is estimated (Guenther, *American
    Statistician* 35, 1981).
    """
    _check("difference", abs(difference))
    if not 0.5 <= power < 1:
        raise ValueError(f"power is {power}; allowed: at least 0.5 and less than 1")
    n = ((_z() + normal_quantile(power)) * spread / difference) ** 2 + _z() ** 2 / 2
    return max(2, ceil(n))


def findable(spread: float, boards: int, power: float = POWER) -> float:
    """Return the difference that so many boards find with this chance; see ``boards_to_find``."""
    effective = boards - _z() ** 2 / 2
    if effective <= 0:
        raise ValueError(f"boards is {boards}; allowed: {ceil(_z() ** 2 / 2)} or more")
    return (_z() + normal_quantile(power)) * spread / sqrt(effective)


def power_hint(estimate: Estimate, boards: int, null: float = 0.0) -> PowerHint:
    """Return what more boards would bring to the mean of so many boards.

    ``null`` is the mean of equal agents, from which a difference is told.
    """
    spread, difference = estimate.spread, estimate.mean - null
    if not spread or estimate.low is None or estimate.high is None:
        return PowerHint(None, None, None, None)
    half = (estimate.high - estimate.low) / 2
    return PowerHint(
        half_width=half,
        more_boards_to_halve_it=max(0, boards_for_interval(spread, half / 2) - boards),
        findable=findable(spread, boards) if boards > _z() ** 2 / 2 else None,
        boards_to_find_mean=boards_to_find(spread, difference) if difference else None,
    )


def _z() -> float:
    return normal_quantile((1 + LEVEL) / 2)


def _check(name: str, value: float) -> None:
    if not (isfinite(value) and value > 0):
        raise ValueError(f"{name} is {value}; allowed: a number more than 0")
