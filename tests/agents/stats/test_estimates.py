"""Means, shares and their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_agents.stats.estimates import estimate_mean, estimate_share


def test_the_interval_covers_the_true_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    trials = 4000
    covered = 0
    for _ in range(trials):
        found = estimate_mean(rng.normal(0.3, 2.0, size=12))
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.3 <= found.high
    assert abs(covered / trials - 0.95) < 4 * np.sqrt(0.95 * 0.05 / trials)


def test_the_test_rejects_a_true_null_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    trials = 4000
    p_values = [estimate_mean(rng.normal(0, 1, size=8)).p_value or 0.0 for _ in range(trials)]
    assert abs(np.mean(np.array(p_values) < 0.05) - 0.05) < 4 * np.sqrt(0.95 * 0.05 / trials)


def test_the_wilson_interval_covers_the_true_share() -> None:
    rng = np.random.default_rng(3)
    shares = rng.binomial(60, 0.8, size=4000) / 60
    found = [estimate_share(float(share), 60) for share in shares]
    covered = np.mean([(e.low or 0) <= 0.8 <= (e.high or 0) for e in found])
    assert 0.92 < covered < 0.98


def test_an_interval_is_that_of_the_textbook() -> None:
    found = estimate_mean(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert found.mean == 3
    assert found.spread == pytest.approx(1.5811388)
    assert (found.low, found.high) == pytest.approx((1.0367568, 4.9632432))
    assert found.p_value == pytest.approx(0.0132356)
    share = estimate_share(0.7, 100)
    assert (share.low, share.high) == pytest.approx((0.6041515, 0.7810511))


def test_shares_of_all_and_of_none_stay_within_0_and_1() -> None:
    assert estimate_share(0.0, 10).low == 0
    assert estimate_share(1.0, 10).high == 1


def test_boards_that_are_all_alike_are_certain() -> None:
    same = estimate_mean(np.zeros(5))
    assert (same.low, same.high, same.p_value) == (0, 0, 1)
    assert estimate_mean(np.full(5, 2.0)).p_value == 0
    assert estimate_mean(np.full(5, 0.5), null=0.5).p_value == 1


def test_one_board_has_no_interval() -> None:
    found = estimate_mean(np.array([4.0]))
    assert (found.mean, found.low, found.high, found.p_value) == (4, None, None, None)
