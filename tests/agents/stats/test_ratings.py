"""Ratings of populations with known strengths, and beside plain maximisation of the likelihood."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from sjavs_agents.stats.effect_sizes import ELO
from sjavs_agents.stats.estimates import Estimate, estimate_mean
from sjavs_agents.stats.pair_results import PairResults
from sjavs_agents.stats.ratings import (
    PRIOR_BOARDS,
    board_ratings,
    margin_ratings,
    project,
    transitivity,
)
from tests.agents.stats.board_results import rng_of
from tests.agents.stats.populations import all_pairs, play_all, true_margins

STRENGTHS = np.array([0.6, 0.6, 0.1, -0.3, -0.3, -0.9])  # two ties, in a known order
RATERS = {"boards": board_ratings, "margins": margin_ratings}


def means(found: list[Estimate]) -> np.ndarray:
    return np.array([estimate.mean for estimate in found])


@pytest.mark.parametrize("rater", RATERS)
def test_a_known_order_and_known_ties_are_found(rater: str) -> None:
    rng = rng_of(f"order by {rater}")
    found = RATERS[rater](play_all(STRENGTHS, 1500, rng), rng, resamples=60)
    rated = means(found)
    apart = STRENGTHS[:, None] - STRENGTHS > 0
    assert (np.sign(rated[:, None] - rated)[apart] == 1).all()
    lows, highs = np.array([e.low for e in found]), np.array([e.high for e in found])
    assert (lows[:, None] > highs)[apart].all()
    for tied in ((0, 1), (3, 4)):
        assert lows[list(tied)].max() < highs[list(tied)].min()
    assert rated.mean() == pytest.approx(0, abs=1e-6)


def test_ratings_by_boards_are_the_maximum_of_the_likelihood() -> None:
    results = play_all(STRENGTHS, 300, rng_of("likelihood"), all_pairs(6)[:-3])
    wins = results.wins() + PRIOR_BOARDS / 2 * results.played

    def unlikely(ratings: np.ndarray) -> float:
        return float((wins * np.logaddexp(0, ratings - ratings[:, None])).sum())

    best = optimize.minimize(unlikely, np.zeros(6), method="BFGS", options={"gtol": 1e-7}).x
    found = means(board_ratings(results, rng_of("resamples"), resamples=2))
    assert found == pytest.approx(ELO * (best - best.mean()), abs=0.01)


def test_two_agents_are_rated_by_their_share_of_boards() -> None:
    results = PairResults(("a", "b"), {(0, 1): np.repeat([1.0, 0.0, -2.0], [590, 219, 190])})
    high, low = board_ratings(results, rng_of("two"), resamples=200)
    assert high.mean - low.mean == pytest.approx(400 * np.log10(700 / 300))


def test_intervals_are_those_of_the_textbook_where_there_is_one() -> None:
    results = play_all(np.array([0.4, 0.0]), 800, rng_of("pair"))
    mean = estimate_mean(results.boards[0, 1])
    found, _ = margin_ratings(results, rng_of("interval"), resamples=1500)
    assert mean.low is not None
    assert mean.high is not None
    assert found.low == pytest.approx(mean.low / 2, abs=0.008)
    assert found.high == pytest.approx(mean.high / 2, abs=0.008)


def test_agents_that_never_win_are_rated_last_without_an_interval() -> None:
    results = play_all(np.array([0.2, 0.0, -30.0, 30.0]), 200, rng_of("never"))
    found = board_ratings(results, rng_of("resamples"), resamples=50)
    assert means(found)[3] > means(found)[0] > means(found)[1] > means(found)[2]
    assert [e.low is None for e in found] == [False, False, True, True]
    assert found[0].mean + found[1].mean == pytest.approx(0, abs=1e-6)


def test_margins_that_are_differences_are_transitive_and_give_the_strengths_back() -> None:
    strengths = np.array([3.0, 1.0, -0.5, -3.5])
    margins = strengths[:, None] - strengths
    assert project(margins) == pytest.approx(strengths)
    boards = {(i, j): np.full(5, margins[i, j]) for i, j in all_pairs(4)}
    results = PairResults(("a", "b", "c", "d"), boards)
    assert transitivity(results, rng_of("purely"), 20).share == pytest.approx(1)
    assert means(margin_ratings(results, rng_of("purely"), 5)) == pytest.approx(strengths)


def test_with_all_pairs_played_a_rating_is_the_mean_margin_over_the_population() -> None:
    margins = play_all(STRENGTHS, 50, rng_of("mean")).margins()
    assert project(margins) == pytest.approx(margins.mean(axis=1))


def test_a_circle_is_not_transitive_at_all_and_that_is_no_chance() -> None:
    noise = rng_of("circle").normal(size=(3, 300))
    boards = {(0, 1): 1 + noise[0], (1, 2): 1 + noise[1], (0, 2): -1 + noise[2]}
    found = transitivity(PairResults(("a", "b", "c"), boards), rng_of("circle too"), 200)
    assert found.share < 0.02
    assert found.p_value < 0.01


def test_the_noise_of_equal_agents_is_told_from_a_circle() -> None:
    p_values = [
        transitivity(play_all(np.zeros(4), 80, rng), rng, 60).p_value
        for rng in (rng_of(f"noise {k}") for k in range(25))
    ]
    assert 0.3 < np.mean(p_values) < 0.7
    assert np.mean(np.array(p_values) < 0.05) < 0.25


def test_agents_that_all_draw_leave_nothing_unexplained() -> None:
    results = PairResults(("a", "b"), {(0, 1): np.zeros(4)})
    assert transitivity(results, rng_of("level"), 10).share == 1


def test_unplayed_pairs_are_told_and_not_guessed() -> None:
    pairs = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    results = play_all(STRENGTHS, 4000, rng_of("chain"), pairs)
    assert len(results.unplayed) == 10
    assert ("agent 0", "agent 2") in results.unplayed
    assert np.isnan(results.margins()).sum() == 20
    expected = true_margins(STRENGTHS)
    sums = [sum(expected[k, k + 1] for k in range(i, 5)) for i in range(6)]
    found = project(results.margins())
    assert found - found[-1] == pytest.approx(np.array(sums), abs=0.15)


@pytest.mark.parametrize("rater", [board_ratings, margin_ratings, transitivity])
def test_a_population_in_two_parts_is_refused(rater: object) -> None:
    assert callable(rater)
    results = play_all(np.zeros(4), 9, rng_of("parts"), [(0, 2), (1, 3)])
    message = "fall apart: agent 0, agent 2 | agent 1, agent 3; allowed: pairs that connect"
    with pytest.raises(ValueError, match=message.replace("|", r"\|")):
        rater(results, rng_of("none"))


def test_pairs_with_different_numbers_of_boards_keep_them_when_drawn_anew() -> None:
    boards = {(0, 1): np.ones(10), (0, 2): -np.ones(3), (1, 2): np.zeros(7)}
    results = PairResults(("a", "b", "c"), boards)
    (weights,) = results.resampled(rng_of("strata"), 20)
    assert [set(weights[:, :n].sum(axis=1)) for n in (3, 7, 10)] == [{3}, {7}, {10}]
    margins, wins = results.margins(weights), results.wins(weights)
    assert margins[:, 0] == pytest.approx(np.tile([0, 1, -1], (20, 1)))
    assert wins[:, 1] == pytest.approx(np.tile([0, 0, 3.5], (20, 1)))


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        ({(1, 0): np.ones(3)}, r"pair is \(1, 0\); allowed: two numbers, the lower first"),
        ({(0, 2): np.ones(3)}, r"pair is \(0, 2\); allowed: .* from 0 to 1"),
        ({(0, 1): np.ones(0)}, r"results of pair \(0, 1\) are \[\]; allowed: a row of finite"),
        ({(0, 1): np.array([1, np.nan])}, r"allowed: a row of finite numbers, one or more"),
    ],
)
def test_results_that_are_none_are_refused(
    boards: dict[tuple[int, int], np.ndarray], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        PairResults(("a", "b"), boards)
