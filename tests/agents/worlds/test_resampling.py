"""Worlds are taken in proportion to their weights."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_agents.worlds.resampling import resample


def test_every_world_is_taken_as_often_as_its_share_up_to_one() -> None:
    rng = np.random.default_rng(0)
    logs = rng.normal(size=(200, 17)) * 2 + rng.normal(size=(200, 1)) * 500
    taken = resample(logs, 40, rng)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    expected = 40 * weights / weights.sum(axis=1, keepdims=True)
    counts = np.stack([(taken == k).sum(axis=1) for k in range(17)], axis=1)
    assert (counts >= np.floor(expected) - 1e-9).all()
    assert (counts <= np.ceil(expected) + 1e-9).all()


def test_the_mean_over_many_draws_is_the_share() -> None:
    rng = np.random.default_rng(1)
    logs = np.log([[0.05, 0.15, 0.0, 0.8]], where=[[True, True, False, True]], out=None)
    logs[0, 2] = -np.inf
    taken = resample(np.repeat(logs, 20_000, axis=0), 3, rng)
    shares = np.bincount(taken.ravel(), minlength=4) / taken.size
    assert np.allclose(shares, [0.05, 0.15, 0, 0.8], atol=0.005)


def test_a_world_that_is_ruled_out_is_never_taken() -> None:
    logs = np.full((1000, 3), -np.inf)
    logs[:, 0] = 0.0
    assert (resample(logs, 5, np.random.default_rng(0)) == 0).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_row_without_finite_weights_is_refused(bad: float) -> None:
    logs = np.zeros((2, 2))
    logs[1] = bad
    with pytest.raises(ValueError, match="the greatest weight of row 1 is"):
        resample(logs, 1, np.random.default_rng(0))
    with pytest.raises(ValueError, match="worlds is 0"):
        resample(logs[:1], 0, np.random.default_rng(0))
