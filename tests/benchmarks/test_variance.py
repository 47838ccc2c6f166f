"""What the table of variances says of results that are known."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.variance import _shares, _spread
from sjavs_agents.base import Floats
from sjavs_env import Game
from tests.engine.table import game_of, table_of


def test_results_that_luck_alone_decides_leave_nothing_when_it_is_taken_out() -> None:
    rng = np.random.default_rng(3)
    luck = rng.normal(size=(4000, 1)) * np.array([1.0, -1.0])
    found = _spread("game_points", 0.3 + 2 * luck, 2 * luck, np.abs(luck))
    assert found.plain == pytest.approx(2, rel=0.05)
    assert found.corrected == pytest.approx(0, abs=1e-9)
    assert found.duplicate == pytest.approx(0, abs=1e-9)
    assert abs(found.moved) < 4


def test_what_every_table_adds_on_its_own_is_left_and_counted_by_the_deal() -> None:
    rng = np.random.default_rng(4)
    slips = rng.normal(size=(4000, 2))
    found = _spread("game_points", slips, np.zeros((4000, 2)) + 1e-9 * slips, slips)
    for spread in (found.plain, found.corrected, found.duplicate):
        assert spread == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize(
    "game", [game_of("faroese"), game_of("klorsjavs"), table_of("handjass", 2)]
)
def test_luck_cancels_on_a_board(game: Game) -> None:
    shares = _shares(game)
    rng = np.random.default_rng(5)
    luck: Floats = rng.normal(size=(shares.shape[1],))
    luck -= np.mean(luck)  # of all seats it adds up to zero
    if len(luck) == 4:
        luck = luck[0] * np.array([1.0, -1.0, 1.0, -1.0])  # partners share it
    assert (shares @ luck).sum() == pytest.approx(0, abs=1e-12)
    assert np.abs(shares @ luck).min() > 0
