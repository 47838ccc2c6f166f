"""Sign flips beside all flips written out, and corrected p-values beside their definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from sjavs_agents.stats.significance import holm, sign_flip_p
from tests.agents.stats.board_results import LUMPY


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def slow_flips(boards: np.ndarray) -> float:
    """All ways to flip all signs, one after the other."""
    sums = [abs(float(np.dot(signs, boards))) for signs in product((-1, 1), repeat=len(boards))]
    return float(np.mean(np.array(sums) >= abs(boards.sum()) - 1e-9))


@pytest.mark.parametrize(
    "boards",
    [
        [1.0], [0.0, 0.0], [1, -1], [2, 2, 2, 2, -1], [0.5, 1.5, 0, -4, 3, 3, 1 / 3, 1 / 6],
        [0.1, 0.2, -0.3], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    ],
)  # fmt: skip
def test_few_boards_are_flipped_in_all_ways(boards: list[float]) -> None:
    found = np.array(boards)
    assert sign_flip_p(found, rng()) == pytest.approx(slow_flips(found), abs=1e-12)
    assert sign_flip_p(-found, rng()) == pytest.approx(slow_flips(found), abs=1e-12)


def test_it_is_the_permutation_test_of_scipy() -> None:
    boards = LUMPY.at(1.2).draw(rng(), 14)

    def mean(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
        return np.asarray((x - y).mean(axis=axis))

    other = stats.permutation_test(
        (boards, np.zeros_like(boards)), mean, permutation_type="samples", n_resamples=2**14
    )
    assert sign_flip_p(boards, rng()) == pytest.approx(float(other.pvalue), abs=1e-12)


def test_many_boards_give_what_all_flips_would_but_for_the_noise_of_drawing() -> None:
    boards = np.repeat([0.5, 1.0, -1.0], [40, 60, 55])  # 41 * 116 ways: all are looked at
    exact = sign_flip_p(boards, rng())
    drawn = sign_flip_p(boards + np.linspace(0, 1e-6, len(boards)), rng())  # too many ways
    assert drawn == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 10_000))


def test_it_is_never_zero_and_takes_no_memory_to_speak_of() -> None:
    boards = np.concatenate([np.ones(2_000_000), np.full(1_000_000, 0.5)])
    assert sign_flip_p(boards, rng()) == 1 / 10_001
    assert sign_flip_p(np.linspace(1, 2, 5000), rng(), draws=99) == 1 / 100


def test_equal_agents_are_found_unequal_as_often_as_promised() -> None:
    draws, source = rng(), LUMPY.at(0.0)
    values = np.concatenate([source.values, -source.values])  # symmetric, as for equal agents
    chances = np.tile(source.chances / 2, 2)
    boards = draws.choice(values, size=(800, 60), p=chances)
    p_values = np.array([sign_flip_p(row, draws, draws=400) for row in boards])
    assert (p_values <= 0.05).mean() < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 800)
    assert (p_values <= 0.05).mean() > 0.02


def slow_holm(p_values: list[float], i: int) -> float:
    """The least level at which the step-down procedure rejects hypothesis i."""
    order = sorted(range(len(p_values)), key=lambda k: p_values[k])
    needed = [p_values[k] * (len(p_values) - rank) for rank, k in enumerate(order)]
    return min(1.0, max(needed[: order.index(i) + 1]))


def test_corrected_values_are_the_levels_at_which_the_procedure_rejects() -> None:
    p_values = [0.01, 0.04, 0.03, 0.005, 0.9, 0.04]
    expected = [slow_holm(p_values, i) for i in range(len(p_values))]
    assert holm(p_values) == pytest.approx(expected)
    assert holm([0.01, None, 0.5]) == [0.02, None, 0.5]
    assert holm([0.2]) == [0.2]
    assert holm([]) == []


def test_any_wrong_call_among_dependent_pairs_is_as_rare_as_promised() -> None:
    draws = rng()
    shared = draws.normal(size=(4000, 1))
    z = (shared + draws.normal(size=(4000, 10))) / np.sqrt(2)
    p_values = 2 * stats.norm.sf(np.abs(z))
    wrong = np.mean([min(p or 0.0 for p in holm(row.tolist())) <= 0.05 for row in p_values])
    assert wrong < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 4000)
