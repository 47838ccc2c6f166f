"""Each result of the auction comes up in random deals as often as counting says.

These figures test the deck, the deal, the counting of lengths and the auction together
(rules 2.2, 3.1).  A sample may be off by four standard errors.
"""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_env.engine import REDEAL, GameState, Phase
from tests.engine.table import game_of
from tests.longest_suits import choice_share, length_shares, within

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
    """The share of the deals, of 1."""
    return float(hits.mean())


def test_the_counted_shares_are_those_that_the_rules_name() -> None:
    per_cent = {n: 100 * chance for n, chance in length_shares(4, 8).items()}
    assert per_cent[0] == pytest.approx(6.2923, abs=5e-5)
    named = [59.107, 30.810, 3.655, 0.1355]
    assert [per_cent[n] for n in (5, 6, 7, 8)] == pytest.approx(named, abs=5e-4)
    hands = sum(comb(n, 8) for n in (12, 12, 13, 13))  # all eight of one suit
    assert per_cent[8] == pytest.approx(400 * hands / comb(32, 8), rel=2e-4)  # two are next to none
    assert sum(per_cent.values()) == pytest.approx(100, rel=1e-12)


def test_all_pass_as_often_as_counting_says(bid_out: GameState) -> None:
    counted = length_shares(4, 8)[0]
    passed = bid_out.outcome == REDEAL
    assert share(passed) == pytest.approx(counted, abs=within(counted, N_DEALS))
    assert np.array_equal(passed, bid_out.phase == Phase.OVER)
    assert np.array_equal(passed, bid_out.declarer < 0)


@pytest.mark.parametrize("length", [5, 6, 7, 8])
def test_a_length_wins_the_auction_as_often_as_counting_says(
    bid_out: GameState, length: int
) -> None:
    counted = length_shares(4, 8)[length]
    won = game_of().tables.auction.bid_length[bid_out.best_bid]
    found = share((won == length) & (bid_out.declarer >= 0))
    assert found == pytest.approx(counted, abs=within(counted, N_DEALS))


def test_the_winner_has_a_choice_of_suits_as_often_as_counting_says(bid_out: GameState) -> None:
    suits = game_of().legal_actions(bid_out).sum(axis=1)
    assert np.array_equal(suits > 0, bid_out.phase == Phase.NAME_TRUMP)
    counted = choice_share(4, 8)
    assert counted == pytest.approx(0.06936, abs=5e-6)
    assert share(suits > 1) == pytest.approx(counted, abs=within(counted, N_DEALS))


def test_hands_of_random_deals_are_alike_at_every_seat(bid_out: GameState) -> None:
    tables = game_of().tables
    trumps = np.bitwise_count(bid_out.dealt & tables.cards.class_set[0, 4]).mean(axis=0)
    assert trumps == pytest.approx([1.5] * 4, abs=0.01)
    aces = [
        (bid_out.dealt >> tables.cards.bit.dtype.type(8 * s) & 1).mean(axis=0) for s in range(4)
    ]
    assert np.array(aces) == pytest.approx(np.full((4, 4), 0.25), abs=0.004)


@pytest.mark.parametrize(("preset", "cards"), [("faroese_3", 10), ("faroese_2", 12)])
def test_lengths_win_the_auction_of_three_and_two_hands_as_often_as_counting_says(
    preset: str, cards: int
) -> None:
    """A share that is next to nothing has no standard error worth the name: those are added up."""
    state, length = after_auction(preset, 100_000), game_of(preset).tables.auction.bid_length
    won = np.where(state.declarer >= 0, length[state.best_bid], 0)
    assert np.array_equal(state.outcome == REDEAL, won == 0)
    counted = length_shares(state.hand.shape[1], cards)
    for number in range(5, 9):
        wanted = counted[number]
        assert share(won == number) == pytest.approx(wanted, abs=within(wanted, 100_000))
    for rare, found in (
        (counted[0], won == 0),
        (sum(counted[n] for n in range(9, cards + 1)), won >= 9),
    ):
        assert share(found) == pytest.approx(rare, abs=within(rare, 100_000))


def test_long_suits_of_three_hands_are_as_rare_as_counting_says() -> None:
    state, length = (
        after_auction("faroese_3", 500_000),
        game_of("faroese_3").tables.auction.bid_length,
    )
    won = np.where(state.declarer >= 0, length[state.best_bid], 0)
    counted = length_shares(3, 10)
    for number in (9, 10):
        found, wanted = share(won == number), counted[number]
        assert found == pytest.approx(wanted, abs=within(wanted, 500_000))
    # no hand of ten has two suits of nine or more; two such hands are next to impossible
    hands = sum(comb(n, k) * comb(32 - n, 10 - k) for n in (12, 12, 13, 13) for k in (9, 10))
    assert counted[9] + counted[10] == pytest.approx(3 * hands / comb(32, 10), rel=1e-3)
