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


def after_auction(preset: str, n_deals: int) -> GameState:
    """Numbered deals after a forced auction."""
    game = game_of(preset)
    state = game.new_games(n_deals, seed=2024)
    for _ in range(game.tables.n_players):
        mask = game.legal_actions(state)
        assert np.array_equal(mask.sum(axis=1), np.ones(n_deals))  # nothing to decide
        game.step(state, mask.argmax(axis=1))
    return state


@pytest.fixture(scope="module")
def bid_out() -> GameState:
    """Numbered deals of the game for four."""
    return after_auction("faroese", N_DEALS)


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


@pytest.mark.parametrize(
    ("preset", "all_pass", "per_cent"),
    [
        ("faroese_3", 0.14, {5: 20, 6: 55, 7: 21, 8: 3, 9: 0.19, 10: 0.003}),
        ("faroese_2", 0.09, {5: 6, 6: 40, 7: 40, 8: 12, 9: 1.7, 10: 0.09}),
    ],
)
def test_how_often_a_length_wins_the_auction_of_three_and_two_hands(
    preset: str, all_pass: float, per_cent: dict[int, float]
) -> None:
    state, length = after_auction(preset, 100_000), game_of(preset).tables.bid_length
    won = np.where(state.declarer >= 0, length[state.best_bid], 0)
    assert share(state.outcome == REDEAL) == pytest.approx(all_pass, abs=0.04)
    for number, wanted in per_cent.items():  # whole numbers are rounded
        within = 0.6 if wanted >= 3 else 0.1
        assert share(won == number) == pytest.approx(wanted, abs=within)


def test_long_suits_of_three_hands_come_up_as_often_as_counting_says() -> None:
    """No hand of ten has two suits of nine or more; two such hands are next to impossible."""
    state, length = after_auction("faroese_3", 500_000), game_of("faroese_3").tables.bid_length
    won = np.where(state.declarer >= 0, length[state.best_bid], 0)
    hands = sum(comb(n, k) * comb(32 - n, 10 - k) for n in (12, 12, 13, 13) for k in (9, 10))
    assert share(won >= 9) == pytest.approx(300 * hands / comb(32, 10), abs=0.02)
