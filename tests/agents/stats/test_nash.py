"""Equilibria of most entropy: known ones, what defines them, and beside another library."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from sjavs_agents.stats.nash import nash_average
from tests.agents.stats.board_results import rng_of

CIRCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0.0]])


def drawn(n: int, name: str, coarse: bool = False) -> np.ndarray:
    half = rng_of(name).normal(size=(n, n))
    half = np.rint(half) if coarse else half
    return half - half.T


def test_copies_share_what_one_of_them_has() -> None:
    of = [0, 0, 1, 2]
    margins = np.zeros((5, 5))
    margins[:4, :4] = CIRCLE[np.ix_(of, of)]
    margins[:4, 4], margins[4, :4] = 3, -3  # a weak agent that all of them crush
    found = nash_average(margins)
    assert found.mix == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3, 0], abs=1e-8)
    assert found.ratings == pytest.approx([0, 0, 0, 0, -3], abs=1e-7)


def test_the_best_of_a_transitive_population_is_the_mix() -> None:
    strengths = np.array([1.0, 3.0, 2.0, 3.0])
    found = nash_average(strengths[:, None] - strengths)
    assert found.mix == pytest.approx([0, 0.5, 0, 0.5], abs=1e-8)
    assert found.ratings == pytest.approx([-2, 0, -1, 0], abs=1e-7)


def test_equal_agents_have_equal_shares() -> None:
    assert nash_average(np.zeros((7, 7))).mix == pytest.approx(np.full(7, 1 / 7))
    assert nash_average(np.zeros((1, 1))).mix == pytest.approx([1])


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("n", [2, 3, 5, 12, 40])
def test_nobody_gains_against_the_mix(n: int, coarse: bool) -> None:
    margins = drawn(n, f"gains {n}", coarse)
    found = nash_average(1000 * margins)
    assert (margins @ found.mix).max() < 1e-6
    assert found.mix.sum() == pytest.approx(1)
    assert found.mix.min() >= 0
    assert found.ratings[found.mix > 1e-6] == pytest.approx(0, abs=2e-3)


@pytest.mark.parametrize("k", range(6))
def test_no_other_equilibrium_has_more_entropy(k: int) -> None:
    margins = drawn(5, f"entropy {k}", coarse=True)  # coarse margins have many equilibria

    def negative(mix: np.ndarray) -> float:
        return float((mix * np.log(np.maximum(mix, 1e-300))).sum())

    constraints: Any = [
        {"type": "eq", "fun": lambda mix: mix.sum() - 1},
        {"type": "ineq", "fun": lambda mix: mix @ margins},
    ]
    found = nash_average(margins)
    for start in rng_of(f"starts {k}").dirichlet(np.ones(5), size=6):
        other = optimize.minimize(
            negative, start, method="SLSQP", bounds=[(0, 1)] * 5, constraints=constraints
        )
        if (other.x @ margins).min() > -1e-7 and abs(other.x.sum() - 1) < 1e-9:
            assert negative(found.mix) <= other.fun + 1e-5


@pytest.mark.integration
def test_it_is_the_nash_average_of_open_spiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    other = pytest.importorskip("open_spiel.python.algorithms.nash_averaging")
    for k in range(4):
        margins = drawn(6, f"other {k}")
        mix, ratings = other.nash_averaging(pyspiel.create_matrix_game(margins, -margins))
        found = nash_average(margins)
        assert found.mix == pytest.approx(np.ravel(mix), abs=1e-3)
        assert found.ratings == pytest.approx(np.ravel(ratings), abs=1e-2)


@pytest.mark.parametrize(
    ("margins", "message"),
    [
        (np.zeros((2, 3)), "margins have shape (2, 3); allowed: (agents, agents)"),
        (np.array([[0, np.nan], [np.nan, 0]]), "margins lack 0 and 1; allowed: all pairs played"),
        (np.ones((2, 2)), "margins are not antisymmetric; allowed: M[i, j] = -M[j, i]"),
    ],
)
def test_a_matrix_that_is_no_such_game_is_refused(margins: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        nash_average(margins)
