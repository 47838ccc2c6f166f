"""Numbered decks and the deal: the same everywhere, uniform, and in the right packets."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_env.engine import Game, GameState, numbered_decks
from tests.engine.table import PACK, deck_of, fill_hands, game_of, spread

N_DECKS = 100_000


def chi_square(observed: NDArray[np.intp], freedom: int) -> float:
    """Return how many standard deviations chi-square lies above its mean for equal cells."""
    expected = observed.sum() / observed.size
    value = ((observed - expected) ** 2 / expected).sum()
    return float((value - freedom) / np.sqrt(2 * freedom))


def pairs(a: NDArray[np.intp], b: NDArray[np.intp]) -> NDArray[np.intp]:
    """Count how often each card of ``a`` stands with each card of ``b``."""
    return np.bincount((a * 32 + b).reshape(-1), minlength=1024).reshape(32, 32)


@pytest.fixture(scope="module")
def decks() -> NDArray[np.intp]:
    return numbered_decks(32, 7, np.arange(N_DECKS))


# Numbered decks


def test_every_deck_holds_every_card_once(decks: NDArray[np.intp]) -> None:
    assert np.array_equal(np.sort(decks, axis=1), np.broadcast_to(np.arange(32), decks.shape))


def test_every_card_is_equally_often_in_every_place(decks: NDArray[np.intp]) -> None:
    places = np.broadcast_to(np.arange(32), decks.shape)
    assert abs(chi_square(pairs(decks, places), 31 * 31)) < 4


def test_no_card_follows_another_more_often_than_the_rest(decks: NDArray[np.intp]) -> None:
    for distance in (1, 4, 16):
        table = pairs(decks[:, :-distance], decks[:, distance:])
        assert not table.diagonal().any()
        apart = table[~np.eye(32, dtype=bool)]
        assert abs(chi_square(apart, 31 * 31)) < 4


def test_a_deck_tells_nothing_about_the_next_number(decks: NDArray[np.intp]) -> None:
    for distance in (1, 2, 1000):
        assert abs(chi_square(pairs(decks[:-distance], decks[distance:]), 31 * 31)) < 4


def test_a_deck_tells_nothing_about_the_next_seed() -> None:
    decks = numbered_decks(32, np.arange(N_DECKS), 3)
    assert abs(chi_square(pairs(decks[:-1], decks[1:]), 31 * 31)) < 4


def test_decks_do_not_repeat_over_numbers_and_seeds(decks: NDArray[np.intp]) -> None:
    others = numbered_decks(32, 8, np.arange(1000))
    assert len(np.unique(np.concatenate([decks, others]), axis=0)) == N_DECKS + 1000


def test_a_deck_is_the_same_in_any_batch(decks: NDArray[np.intp]) -> None:
    numbers = np.array([12, 99_999, 0, 12])
    assert np.array_equal(numbered_decks(32, 7, numbers), decks[numbers])
    for number in (0, 12, 4096):
        assert np.array_equal(numbered_decks(32, 7, number)[0], decks[number])
    mixed = numbered_decks(32, np.array([7, 8]), np.array([5, 5]))
    assert np.array_equal(mixed[0], decks[5])
    assert not np.array_equal(mixed[1], decks[5])


def test_seeds_and_numbers_of_64_bits_are_taken() -> None:
    top = 2**64 - 1
    assert len(set(numbered_decks(32, top, top)[0].tolist())) == 32
    assert not np.array_equal(numbered_decks(32, top, 0), numbered_decks(32, 0, 0))


@pytest.mark.parametrize("n_cards", [18, 20, 32, 36, 52])
def test_packs_of_other_sizes_have_whole_decks(n_cards: int) -> None:
    decks = numbered_decks(n_cards, 1, np.arange(50))
    assert np.array_equal(np.sort(decks, axis=1)[:, -1], np.full(50, n_cards - 1))
    assert all(len(set(deck)) == n_cards for deck in decks.tolist())


# The deal


def dealt(state: GameState, game: Game, seat: int) -> list[int]:
    """Places in the deck 0, 1, ..., 31 of the cards that a seat of game 0 holds."""
    return [PACK.index(c) for c in game.pack.names(int(state.hand[0, seat]))]


def deal_in_order(preset: str, cut: int, dealer: int = 3) -> tuple[GameState, Game]:
    """Deal the deck 0, 1, ..., 31."""
    game = game_of(preset)
    state = game.new_games(1, dealer=dealer, cut=cut)
    game.deal_deck(state, np.array([0]), np.arange(32)[None])
    return state, game


def test_four_and_four_are_dealt_when_cut() -> None:
    state, game = deal_in_order("faroese", cut=1)
    for seat in range(4):
        first = list(range(4 * seat, 4 * seat + 4))
        assert dealt(state, game, seat) == first + [16 + place for place in first]
    assert dealt(state, game, 1) == [4, 5, 6, 7, 20, 21, 22, 23]


@pytest.mark.parametrize("preset", ["faroese", "suduroy"])
def test_eight_are_dealt_at_once_when_knocked(preset: str) -> None:
    state, game = deal_in_order(preset, cut=0)
    for seat in range(4):
        assert dealt(state, game, seat) == list(range(8 * seat, 8 * seat + 8))


def test_three_two_and_three_are_dealt_in_suduroy_when_cut() -> None:
    state, game = deal_in_order("suduroy", cut=1)
    assert dealt(state, game, 1) == [3, 4, 5, 14, 15, 23, 24, 25]
    assert dealt(state, game, 3) == [9, 10, 11, 18, 19, 29, 30, 31]


@pytest.mark.parametrize("dealer", range(4))
def test_packets_go_to_forehand_first_whoever_deals(dealer: int) -> None:
    state, game = deal_in_order("faroese", cut=1, dealer=dealer)
    forehand = (dealer + 1) % 4
    assert (int(state.seat[0]), int(state.leader[0])) == (forehand, forehand)
    assert dealt(state, game, forehand) == [0, 1, 2, 3, 16, 17, 18, 19]
    assert dealt(state, game, dealer) == [12, 13, 14, 15, 28, 29, 30, 31]


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("packets", ["4-4", "8", "3-2-3"])
def test_the_stacked_decks_of_these_tests_undo_the_deal(packets: str, dealer: int) -> None:
    game = game_of("faroese", deal_cut=packets)
    hands = fill_hands({2: "QC QS JC JS JH JD AC KC"})
    deck = game.pack.parse_deck(deck_of(hands, packets, dealer))
    state = game.new_games(1, dealer=dealer)
    game.deal_deck(state, np.array([0]), np.array([deck]))
    for seat, hand in enumerate(spread(hands)):
        assert set(game.pack.names(int(state.hand[0, seat]))) == set(hand)


def test_a_deal_in_a_batch_is_dealt_to_the_named_games_alone() -> None:
    game = game_of()
    state = game.new_games(5, seed=3)
    before = state.clone()
    game.deal_deck(state, np.array([1, 3]), np.stack([np.arange(32), np.arange(32)[::-1]]))
    assert np.array_equal(state.dealt[[0, 2, 4]], before.dealt[[0, 2, 4]])
    assert dealt(state.select(np.array([1])), game, 0) == [0, 1, 2, 3, 16, 17, 18, 19]
    assert dealt(state.select(np.array([3])), game, 0) == [12, 13, 14, 15, 28, 29, 30, 31]


# Games and their numbers


def test_game_b_plays_deal_b_and_then_deals_a_stride_away() -> None:
    game = game_of()
    state = game.new_games(3, seed=5, stride=10)
    assert state.number.tolist() == [0, 1, 2]
    game.next_deal(state, np.array([0, 2]))
    assert state.number.tolist() == [10, 1, 12]
    fresh = game.new_games(3, seed=5, numbers=[10, 1, 12], dealer=state.dealer)
    assert np.array_equal(state.dealt, fresh.dealt)


def test_the_dealer_is_the_last_seat_unless_given() -> None:
    game = game_of()
    assert game.new_games(2).dealer.tolist() == [3, 3]
    assert game.new_games(2, dealer=1).dealer.tolist() == [1, 1]
    state = game.new_games(4, dealer=[0, 1, 2, 3])
    assert (state.dealer.tolist(), state.seat.tolist()) == ([0, 1, 2, 3], [1, 2, 3, 0])
    assert state.score.tolist() == [[24] * 4] * 4


def test_the_way_of_dealing_is_kept_from_deal_to_deal() -> None:
    game = game_of()
    state = game.new_games(2, numbers=[4, 4], cut=[0, 1])
    assert not np.array_equal(state.dealt[0], state.dealt[1])
    game.next_deal(state, np.arange(2))
    assert state.cut.tolist() == [0, 1]
    assert not np.array_equal(state.dealt[0], state.dealt[1])
