"""The normal and Student's distribution beside those of SciPy, which only developers need."""

from __future__ import annotations

from math import atan, pi

import numpy as np
import pytest
from scipy import special

from sjavs_agents.stats.distributions import normal_below, normal_quantile, t_beyond, t_quantile

FREEDOM = [1, 2, 3, 4, 7, 19, 99, 199, 200, 201, 999, 19_999, 10**6, 2**24 - 1]


def test_the_normal_distribution_is_exact_everywhere() -> None:
    x = np.concatenate([np.linspace(-12, 12, 100_001), [-1e300, 1e300, -np.inf, np.inf]])
    assert np.abs(normal_below(x) - special.ndtr(x)).max() < 4e-16
    assert (np.diff(normal_below(np.linspace(-8, 8, 4001))) >= 0).all()


@pytest.mark.parametrize("share", [0.6, 0.9, 0.975, 0.995, 0.9999])
def test_the_normal_quantile_is_exact(share: float) -> None:
    assert normal_quantile(share) == pytest.approx(float(special.ndtri(share)), rel=1e-14)


@pytest.mark.parametrize("n", FREEDOM)
@pytest.mark.parametrize("t", [0.0, 1e-3, 0.1, 1.0, 1.7, 2.44, 2.45, 3.0, 8.0, 30.0])
def test_tails_of_students_distribution_are_exact(n: int, t: float) -> None:
    exact = float(special.stdtr(n, -t)) if n > 1 else 0.5 - atan(t) / pi
    tolerance = 1e-12 if n < 10_000 else 2e-9  # of the tail, not of the whole
    assert t_beyond(t, n) == pytest.approx(exact, rel=tolerance)


@pytest.mark.parametrize("n", FREEDOM)
@pytest.mark.parametrize(("share", "tolerance"), [(0.975, 2e-13), (0.9, 1e-10), (0.995, 1e-10)])
def test_quantiles_of_students_distribution_are_exact(
    n: int, share: float, tolerance: float
) -> None:
    exact = float(special.stdtrit(n, share))
    assert t_quantile(share, n) == pytest.approx(exact, rel=tolerance)


def test_a_difference_beyond_all_doubt_has_a_tiny_chance_and_no_error() -> None:
    assert t_beyond(1e6, 10**4) == 0
    assert 0 < t_beyond(37.0, 10**4) < 1e-250
