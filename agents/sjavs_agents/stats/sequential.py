"""Stop as soon as the boards have decided: the generalised sequential probability ratio test.

Two differences are weighed against each other, ``delta0`` and ``delta1`` above it, by the log of
the ratio of their likelihoods when n boards have mean D and sample variance s²:

    LLR_n = n (delta1 - delta0) (2 D - delta0 - delta1) / (2 s²)

Below ln(beta / (1 - alpha)) the test says "below", above ln((1 - beta) / alpha) it says "above".
That is Wald's test with the unknown variance replaced by the running one (Wald, *Sequential
Analysis*, 1947; the same replacement as in tests of chess engines, where it is called GSPRT).
Errors are as promised approximately, and less often wherever looks are rare, because the ratio
overshoots its bounds.

An estimate from boards on which a test stopped is too large on average: measure it again on
fresh boards before you publish it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import exp, expm1, isfinite, log
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sjavs_env.rules.terms import Floats

__all__ = ["SequentialPlan", "SequentialTest", "Verdict"]

Verdict = Literal["above", "below", "undecided", "capped"]


@dataclass(frozen=True)
class SequentialPlan:
    """What a sequential test asks, and how often it looks; ValueError for what makes no test.

    ``delta0`` and ``delta1`` are mean board results, in the unit of the boards.  At a difference
    of ``delta0`` or less the test says "above" in a share of ``alpha`` of all cases, at one of
    ``delta1`` or more it says "below" in a share of ``beta``.
    """

    delta0: float = 0.0
    delta1: float = 0.05
    alpha: float = 0.05
    beta: float = 0.05
    least: int = 256  # boards before the first look: the variance has to be known a little
    every: int = 64  # boards from one look to the next
    cap: int = 20_000  # boards at the last look, whatever it shows

    def __post_init__(self) -> None:
        """Check the values."""
        for field in fields(self):
            if not isfinite(value := getattr(self, field.name)):
                raise ValueError(f"{field.name} is {value}; allowed: a finite number")
        if self.delta1 <= self.delta0:
            raise ValueError(f"delta1 is {self.delta1}; allowed: more than delta0 = {self.delta0}")
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:
                raise ValueError(f"{name} is {error}; allowed: more than 0 and less than 0.5")
        bounds = {"least": (self.least, 2), "every": (self.every, 1), "cap": (self.cap, self.least)}
        for name, (boards, least) in bounds.items():
            if boards < least:
                raise ValueError(f"{name} is {boards}; allowed: {least} or more boards")

    @property
    def lower(self) -> float:
        """The log likelihood ratio at which the test says "below"."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log likelihood ratio at which the test says "above"."""
        return log((1 - self.beta) / self.alpha)

    def look_after(self, boards: int) -> int:
        """Return how many boards the first look after so many boards has."""
        more = max(0, boards - self.least) // self.every + 1
        found = self.least if boards < self.least else self.least + more * self.every
        return min(self.cap, found)

    def ratio(self, boards: int, mean: float, variance: float) -> float:
        """Return the log likelihood ratio of boards with this mean and sample variance.

        Boards that are all alike do not show their variance.  It is taken to be no less than if
        one of them had been off by the distance between the two hypotheses.
        """
        width = self.delta1 - self.delta0
        variance = max(variance, width * width / boards)
        return boards * width * (2 * mean - self.delta0 - self.delta1) / (2 * variance)

    def chance_above(self, difference: float) -> float:
        """Return the chance of "above" where this is the true mean, by Wald's approximation."""
        slope, lower, upper = self._slope(difference), self.lower, self.upper
        if abs(slope) < 1e-9:
            return -lower / (upper - lower)
        if slope > 0:  # no exponent is positive, so nothing overflows
            return expm1(slope * lower) / expm1(slope * (lower - upper))
        return exp(slope * upper) * expm1(-slope * lower) / expm1(slope * (upper - lower))

    def expected_boards(self, spread: float, difference: float) -> float:
        """Return how many boards the test takes on average, without the least and the cap.

        ``spread`` is the standard deviation of a board and ``difference`` the true mean (Wald's
        approximation).  For errors of 5 %: 5.3 spread²/(delta1 - delta0)² at either hypothesis
        and 8.7 halfway between them.
        """
        slope, scale = self._slope(difference), (spread / (self.delta1 - self.delta0)) ** 2
        if abs(slope) < 1e-9:
            return -self.lower * self.upper * scale
        above = self.chance_above(difference)
        return (above * self.upper + (1 - above) * self.lower) * 2 * scale / slope

    def _slope(self, difference: float) -> float:
        """-1 at ``delta0``, 0 halfway, 1 at ``delta1``."""
        return (2 * difference - self.delta0 - self.delta1) / (self.delta1 - self.delta0)


class SequentialTest:
    """A sequential test that is fed board results in their order.

    It looks after fixed numbers of boards, in whatever portions they come; what follows the look
    that decided is not used.
    """

    def __init__(self, plan: SequentialPlan) -> None:
        self.plan = plan
        self.verdict: Verdict = "undecided"
        self.boards = 0  # at the last look
        self.mean = 0.0  # of these boards
        self.llr = 0.0  # the log likelihood ratio at the last look
        self._squares = 0.0  # sum of squared distances from the mean
        self._waiting: Floats = np.empty(0)  # results since the last look

    @property
    def is_over(self) -> bool:
        """The test has stopped: no more boards are needed."""
        return self.verdict != "undecided"

    @property
    def variance(self) -> float:
        """Sample variance of the boards at the last look; 0 before the first."""
        return self._squares / (self.boards - 1) if self.boards > 1 else 0.0

    @property
    def wanted(self) -> int:
        """Return how many more boards the next look needs; 0 once the test is over."""
        if self.is_over:
            return 0
        return self.plan.look_after(self.boards) - self.boards - len(self._waiting)

    def feed(self, results: NDArray[np.floating[Any]]) -> Verdict:
        """Take board results (boards,), the next in order; return what they say.

        ValueError for results that are not finite numbers.
        """
        results = np.asarray(results, dtype=np.float64)
        if results.ndim != 1 or not np.isfinite(results).all():
            raise ValueError(f"results are {results}; allowed: a row of finite numbers")
        while not self.is_over and len(results) >= (wanted := self.wanted):
            self._look(np.concatenate([self._waiting, results[:wanted]]))
            self._waiting, results = np.empty(0), results[wanted:]
        if not self.is_over:
            self._waiting = np.concatenate([self._waiting, results])
        return self.verdict

    def _look(self, block: Floats) -> None:
        """Put the boards since the last look to the others and decide.

        Sums grow by whole blocks (Chan, Golub and LeVeque's update), so that the portions in
        which boards were fed leave no trace, not even in the last bit.
        """
        before, n = self.boards, len(block)
        self.boards = before + n
        off = float(block.mean()) - self.mean
        self._squares += float(block.var()) * n + off * off * before * n / self.boards
        self.mean += off * n / self.boards
        self.llr = self.plan.ratio(self.boards, self.mean, self.variance)
        if self.llr >= self.plan.upper:
            self.verdict = "above"
        elif self.llr <= self.plan.lower:
            self.verdict = "below"
        elif self.boards == self.plan.cap:
            self.verdict = "capped"
