"""Each broken invariant is named, with the game that breaks it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from sjavs_env.engine import GameState, Phase
from tests.engine.table import game_of

BROKEN = 2  # the game that is spoiled


def in_play() -> GameState:
    """Four games after two tricks and a lead, the last of them back in its auction."""
    game = game_of()
    state = game.new_games(4, numbers=[0, 2, 3, 5])
    for _ in range(4 + 1 + 9):
        game.step(state, game.legal_actions(state).argmax(axis=1))
    assert (state.phase == Phase.PLAY).all()
    assert (state.trick_size == 1).all()
    auction = game.new_games(1, numbers=9)
    state.put(np.array([3]), auction)
    return state


def held(state: GameState, seat: int) -> int:
    """One card that a seat of the spoiled game holds, as a word."""
    hand = int(state.hand[BROKEN, seat])
    return hand & -hand


def lose_a_dealt_card(state: GameState) -> None:
    card = held(state, 0)
    state.dealt[BROKEN, 0] -= card
    state.hand[BROKEN, 0] -= card


def deal_a_card_twice(state: GameState) -> None:
    state.dealt[BROKEN, 1] |= held(state, 0)


def hold_a_card_of_another(state: GameState) -> None:
    state.hand[BROKEN, 1] |= held(state, 0)


def forget_a_card_played(state: GameState) -> None:
    state.fell[BROKEN, np.flatnonzero(state.fell[BROKEN])[0]] = 0


def miscount_the_trick(state: GameState) -> None:
    state.trick_size[BROKEN] += 1


def miscount_the_tricks(state: GameState) -> None:
    state.trick_number[BROKEN] += 1


def take_a_point(state: GameState) -> None:
    state.points[BROKEN, 0] += 1


def take_far_too_many_points(state: GameState) -> None:
    state.points[BROKEN, 0] += 121


def score_below_zero(state: GameState) -> None:
    state.score[BROKEN] = [-1, 24, -1, 24]


def score_above_the_start(state: GameState) -> None:
    state.score[BROKEN] = [24, 25, 24, 25]


def score_for_one_partner(state: GameState) -> None:
    state.score[BROKEN] = [24, 20, 24, 22]


def unknown_phase(state: GameState) -> None:
    state.phase[BROKEN] = 4


def dealer_too_high(state: GameState) -> None:
    state.dealer[BROKEN] = 4


def dealer_too_low(state: GameState) -> None:
    state.dealer[BROKEN] = -1


def seat_too_high(state: GameState) -> None:
    state.seat[BROKEN] = 4


def seat_too_low(state: GameState) -> None:
    state.seat[BROKEN] = -1


def phase_too_low(state: GameState) -> None:
    state.phase[BROKEN] = -1


def empty_the_hand_to_act(state: GameState) -> None:
    state.hand[BROKEN, state.seat[BROKEN]] = 0


OUT_OF_RANGE = "a seat, dealer or phase is out of range"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lose_a_dealt_card, "the hands dealt do not make the pack"),
        (deal_a_card_twice, "a card was dealt twice"),
        (hold_a_card_of_another, "a hand holds cards that were not dealt to it"),
        (forget_a_card_played, "cards played and cards logged differ"),
        (miscount_the_trick, "tricks, cards in the trick and cards played differ"),
        (miscount_the_tricks, "tricks, cards in the trick and cards played differ"),
        (take_a_point, "points taken differ from the cards played"),
        (take_far_too_many_points, "more than 120 card points"),
        (score_below_zero, "a score is outside the rubber"),
        (score_above_the_start, "a score is outside the rubber"),
        (score_for_one_partner, "partners have different scores"),
        (unknown_phase, OUT_OF_RANGE),
        (phase_too_low, OUT_OF_RANGE),
        (dealer_too_high, OUT_OF_RANGE),
        (dealer_too_low, OUT_OF_RANGE),
        (seat_too_high, OUT_OF_RANGE),
        (seat_too_low, OUT_OF_RANGE),
        (empty_the_hand_to_act, "nobody may do anything though the deal goes on"),
    ],
)
def test_a_spoiled_state_has_its_problem_named(
    spoil: Callable[[GameState], None], message: str
) -> None:
    state = in_play()
    assert game_of().problems(state) == []
    spoil(state)
    assert f"game {BROKEN}: {message}" in game_of().problems(state)


def act_for_one_who_dropped(state: GameState) -> None:
    state.seat_state.playing[BROKEN, state.seat[BROKEN]] = 0


def keep_cards_of_one_who_left(state: GameState) -> None:
    state.seat_state.active[BROKEN, 1] = 0


def stay_with_the_target_reached(state: GameState) -> None:
    state.score[BROKEN, 0] = 5


def know_a_card_elsewhere(state: GameState) -> None:
    state.seat_state.known[BROKEN, 0] = held(state, 1)


def owe_less_than_nothing(state: GameState) -> None:
    state.seat_state.zeros[BROKEN, 2] = -1


def lose_a_dead_card(state: GameState) -> None:
    state.talon[BROKEN] &= state.talon[BROKEN] - 1


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (act_for_one_who_dropped, "a seat that is out is to act"),
        (keep_cards_of_one_who_left, "a seat that is out has cards"),
        (stay_with_the_target_reached, "a seat is in the match with the target reached"),
        (know_a_card_elsewhere, "a hand is known to hold what was not dealt to it"),
        (owe_less_than_nothing, "zeros are negative"),
        (lose_a_dead_card, "the hands dealt do not make the pack"),
        (seat_too_high, OUT_OF_RANGE),
    ],
)
def test_a_spoiled_state_of_a_game_that_seats_leave_has_its_problem_named(
    spoil: Callable[[GameState], None], message: str
) -> None:
    game = game_of("handjass", players=3)
    state = game.new_games(4)
    assert game.problems(state) == []
    spoil(state)
    assert f"game {BROKEN}: {message}" in game.problems(state)


def test_a_seat_out_of_range_in_the_last_game_is_named_too() -> None:
    state = in_play()
    state.seat[3] = 4
    assert f"game 3: {OUT_OF_RANGE}" in game_of().problems(state)


def test_the_first_game_that_breaks_an_invariant_is_named() -> None:
    state = in_play()
    state.points[1:, 0] += 1
    assert game_of().problems(state) == ["game 1: points taken differ from the cards played"]
