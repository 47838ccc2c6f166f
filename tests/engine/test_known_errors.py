"""Errors that public programs for this game make, and what their own tests pin down.

Each test is a position in which the wrong rule gives another result than the right one.
"""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_env.engine import Phase
from tests.engine.handjass_table import HandjassTable, scored
from tests.engine.table import ROW, Table, fill_hands, position

SPEAKERS = [  # one hand each; cards repeat, so they are never at one table together
    "7D 8D 9D TD KD AD 7H 8H",
    "7H 8H 9H TH KH AH 7S 8S",
    "7S 8S 9S TS KS AS 7D 8D",
    "7C 8C 9C QC KD 7S QS JS",
]


def seat_hands(table: Table, hands: list[str]) -> None:
    """Give the seats hands that no single pack can make."""
    table.sound = False
    for seat, hand in enumerate(hands):
        table.state.hand[0, seat] = table.game.pack.word(hand)


# 1 and 2: following suit


def test_a_led_queen_of_spades_does_not_ask_for_spades() -> None:
    assert position("QS", "AS KS 7H", "H").cards == {"7H"}


def test_the_queen_of_clubs_does_not_follow_clubs() -> None:
    assert position("AC", "QC 7C AS", "H").cards == {"7C"}
    assert position("AC", "QC JC AS", "H").cards == {"QC", "JC", "AS"}


def test_a_permanent_trump_may_not_be_played_whatever_was_led() -> None:
    assert position("8D", "QC QS JD 7D", "S").cards == {"7D"}
    assert position("8D", "QC QS JD 7D", "").cards == {"7D"}


def test_a_lead_of_trumps_frees_nobody_who_holds_one() -> None:
    assert position("9H", "JD AS AC", "H").cards == {"JD"}
    assert position("JC", "7H AS AC", "H").cards == {"7H"}


# 3: ranks and lengths


def test_the_ace_of_trumps_does_not_beat_a_permanent_trump_of_another_suit() -> None:
    assert position("9S JC AH 8S", "", "H").seat == 1
    assert position("AH JD KH TH", "", "H").seat == 1


def test_permanent_trumps_count_in_the_length_of_every_suit() -> None:
    assert Table(fill_hands({0: "QC QS JS JD AH KH 7S 8D"})).legal == ["6"]


# 4: trumping and the table of results


def test_a_player_who_holds_trumps_need_not_trump() -> None:
    assert position("8S", "QC 7H AC 9D", "H").cards == {"QC", "7H", "AC", "9D"}


@pytest.mark.parametrize(("points", "tricks", "value"), [(120, 8, 16), (0, 0, -16)])
def test_clubs_do_not_double_every_row(points: int, tricks: int, value: int) -> None:
    table = Table()
    table.end_deal(1, "C", points, tricks)
    assert table.result() == value


# 5: tricks, not points; the ten is low


def test_120_points_without_all_tricks_are_no_vol() -> None:
    table = Table()
    table.end_deal(1, "S", 120, 7)
    assert (table.outcome, table.result()) == ("win_90", 4)


def test_no_points_but_a_trick_is_not_losing_every_trick() -> None:
    table = Table()
    table.end_deal(1, "S", 0, 1)
    assert (table.outcome, table.result()) == ("lose_30", -8)


def test_a_ten_loses_to_king_and_queen_and_beats_a_nine() -> None:
    assert position("TD QD 9D KD", "", "S").seat == 3
    assert position("9D TD QD 8D", "", "S").seat == 2
    assert position("9S TS 8S 7S", "", "S").seat == 1


# 6: pending ties


def test_a_pending_tie_is_paid_to_defenders_too_and_ties_accumulate() -> None:
    table = Table()
    for _ in range(2):
        table.end_deal(1, "S", 60)
        table.next_deal()
    table.end_deal(1, "S", 45)
    assert table.change == [-8, 0, -8, 0]


# 8: a game for two in which trumps rank by the card turned up, and 26 points are wanted


def test_trumps_rank_among_themselves_whatever_card_is_turned_up() -> None:
    for turned in ("6S", "KS", "JS"):
        table = HandjassTable(preset="handjass_strict", players=2)
        table.hold(["TS", "AS"], "S")
        table.state.seat_state.turned[0] = table.game.pack.ids[turned]
        table.play("TS", "AS")
        assert table.numbers("tricks") == [0, 1]


@pytest.mark.parametrize(
    ("preset", "limit"), [("handjass", 21), ("handjass_swiss", 21), ("handjass_schlaeger", 26)]
)
def test_whoever_has_just_the_limit_is_not_in_the_bag(preset: str, limit: int) -> None:
    below = -1 if preset != "handjass" else 0
    reached, missed = scored([80, limit], preset), scored([80, limit - 1], preset)
    assert (reached.change[1], reached.numbers("zeros")[1]) == (0, 0)
    assert (missed.change[1], missed.numbers("zeros")[1]) == (below, 1 + below)


# What their tests pin down


def test_87_points_in_hearts_leave_22() -> None:
    table = Table()
    table.end_deal(1, "H", 87, 5)
    assert table.score == [24, 22, 24, 22]


def test_28_points_in_spades_win_the_rubber_for_defenders_on_3() -> None:
    table = Table()
    table.state.score[0] = [3, 24, 3, 24]
    table.end_deal(1, "S", 28, 3)
    assert (table.score, table.number("rubber_over")) == ([0, 24, 0, 24], 1)


def test_a_pending_tie_adds_2_to_a_win_of_4() -> None:
    table = Table()
    table.end_deal(0, "S", 60)
    table.next_deal()
    table.end_deal(0, "S", 95, 6)
    assert table.score == [18, 24, 18, 24]


@pytest.mark.parametrize(
    ("hand", "said", "suit"),
    [
        ("QC JH AH KH TH 9H 7S 8S", "6", "trump H"),
        ("QC JH AC KC TC 9H 7S 8S", "5", "trump C"),
    ],
)
def test_the_best_bid_of_a_hand(hand: str, said: str, suit: str) -> None:
    table = Table(fill_hands({0: hand}))
    assert table.legal == [said]
    table.state.best_bid[0], table.state.declarer[0] = int(said) * 2 - 10, 0
    table.state.phase[0] = Phase.NAME_TRUMP
    assert table.legal == [suit]


def test_four_speakers_of_long_suits_in_the_forced_auction() -> None:
    table = Table()
    seat_hands(table, SPEAKERS)
    table.say("6, pass, pass, 6 better")
    assert (table.seat, table.legal) == (3, ["trump C"])


def test_the_same_speakers_may_bid_short_in_the_free_auction() -> None:
    table = Table(preset="faroese_free")
    seat_hands(table, SPEAKERS)
    assert table.legal == ["pass", "5", "6"]
    table.act("pass", "5")
    assert table.legal == ["pass", "6"]
    table.act("pass")
    assert table.legal == ["pass", "5 better", "6"]
    table.act("5 better")
    assert (table.seat, table.legal) == (3, ["trump C"])


def test_the_winner_of_a_free_auction_names_any_suit_that_is_long_enough() -> None:
    table = Table(preset="faroese_free")
    seat_hands(table, ["QC QS JC JS 7C 8C 7S 7H", *SPEAKERS[1:]])
    table.act("5", "pass", "pass", "pass")
    assert table.legal == ["trump C", "trump S", "trump H"]
    assert np.array_equal(table.game.legal_actions(table.state, ROW)[0][-4:], [1, 1, 1, 0])
