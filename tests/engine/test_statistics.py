"""How often each result of the auction comes up in random deals (rules 3).

These figures test the deck, the deal, the counting of lengths and the auction together.
"""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_env.engine import REDEAL, GameState, Phase
from tests.engine.table import game_of

N_DEALS = 300_000


@pytest.fixture(scope="module")
def bid_out() -> GameState:
    """Numbered deals after a forced auction."""
    game = game_of()
    state = game.new_games(N_DEALS, seed=2024)
    for _ in range(4):
        mask = game.legal_actions(state)
        assert np.array_equal(mask.sum(axis=1), np.ones(N_DEALS))  # nothing to decide
        game.step(state, mask.argmax(axis=1))
    return state


def share(hits: NDArray[np.bool_]) -> float:
    """Per cent of the deals."""
    return 100 * float(hits.mean())


def test_all_pass_in_6_31_per_cent_of_the_deals(bid_out: GameState) -> None:
    assert share(bid_out.outcome == REDEAL) == pytest.approx(6.31, abs=0.15)
    assert np.array_equal(bid_out.outcome == REDEAL, bid_out.phase == Phase.OVER)
    assert np.array_equal(bid_out.outcome == REDEAL, bid_out.declarer < 0)


@pytest.mark.parametrize(
    ("length", "per_cent", "within"),
    [(5, 59.0, 0.3), (6, 30.8, 0.3), (7, 3.7, 0.15), (8, 400 * 3564 / comb(32, 8), 0.03)],
)
def test_how_often_a_length_wins_the_auction(
    bid_out: GameState, length: int, per_cent: float, within: float
) -> None:
    won = game_of().tables.bid_length[bid_out.best_bid]
    assert share((won == length) & (bid_out.declarer >= 0)) == pytest.approx(per_cent, abs=within)


def test_the_winner_has_a_choice_of_suits_in_6_9_per_cent_of_the_deals(bid_out: GameState) -> None:
    suits = game_of().legal_actions(bid_out).sum(axis=1)
    assert np.array_equal(suits > 0, bid_out.phase == Phase.NAME_TRUMP)
    assert share(suits > 1) == pytest.approx(6.9, abs=0.2)


def test_hands_of_random_deals_are_alike_at_every_seat(bid_out: GameState) -> None:
    tables = game_of().tables
    trumps = np.bitwise_count(bid_out.dealt & tables.class_set[0, 4]).mean(axis=0)
    assert trumps == pytest.approx([1.5] * 4, abs=0.01)
    aces = [(bid_out.dealt >> tables.bit.dtype.type(8 * s) & 1).mean(axis=0) for s in range(4)]
    assert np.array(aces) == pytest.approx(np.full((4, 4), 0.25), abs=0.004)
