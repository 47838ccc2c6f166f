"""The worked examples of the four-hand game, bid and played through the engine.

The dealer is the last seat and forehand is seat 0.  A line of a deal is a trick: the cards in
the order they were played, the winner and the card points.
"""

from __future__ import annotations

import pytest

from sjavs_env.engine import Phase
from tests.engine.table import Table, fill_hands, position

FORCED_PRESETS = ["faroese", "faroese_wiki", "suduroy", "faroese_smith"]

ALL_PASS = """
QS TC 9C 7C 9H 7H AD QD
JD 8C TS 7S AH TH 8H 8D
QC JH AC KC AS 9S KD 9D
JC JS KS 8S KH QH TD 7D
"""
FREE_CHOICE = """
QC QS JD TC KH 9H KD QD
JC JS 8C AS 9S 8S TH TD
JH 9C 7C TS AH QH AD 9D
AC KC KS 7S 8H 7H 8D 7D
"""
LONGER_SUIT = """
QC JS 8C TS 9S 7S 9D 8D
AC KC TC 9C 7C KS TD 7D
JC JH JD AS AH 8H KD QD
QS 8S KH QH TH 9H 7H AD
"""
CLUBS_BEAT_FIVE = """
QS JS KC TC 7C 7S AD 9D
QC 8C TS 9S QH 8H KD 8D
JC JH JD AC 9C 8S QD 7D
AS KS AH KH TH 9H 7H TD
"""
SECOND_CLUBS = """
QC JC 9S 8S 9H QD TD 8D
QS JH JD KC 7C AS TS QH
JS AC TC 9C 8C KS 7S TH
AH KH 8H 7H AD KD 9D 7D
"""
ALL_POINTS_BUT_A_TRICK = """
QC QS JC JS JH JD AH 7D
KH QH 8D AC KC TC AS KS
TH 9H 9C TS 9S 8S AD KD
8H 7H 7S QD TD 9D 8C 7C
"""
TIED = """
JC KC 9C 8C AS 9S KD QD
QC JH TC KS AH KH TH AD
JD AC 7C 7S 9H 8H TD 8D
QS JS TS 8S QH 7H 9D 7D
"""
TIED_TRICKS = """
JC QC 8H QH -> 1 (8)
JH 9H QS 8C -> 3 (5)
JS 9C AH JD -> 3 (15)
7H 9S KH 7C -> 1 (4)
TH 7S 7D QD -> 1 (13)
AD 8D 9D KD -> 1 (15)
KS TD 8S AS -> 0 (25)
KC TC AC TS -> 2 (35)
"""


# Auction


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("QC QS JC JS AH 7D 8C 9S", "5"),
        ("JD AH KH TH 9H 8S 7S AC", "5"),
        ("AS KS TS 9S AD KD QD TD", "pass"),
        ("AD KD QD TD 7D 7S 8S 9S", "5"),
        ("QC QS JC JS JH JD AC KC", "8"),
        ("QC JH AH KH 7S 8S 9D TD", "pass"),
    ],
)
def test_forehand_announces_the_longest_length(hand: str, said: str) -> None:
    assert Table(fill_hands({0: hand})).legal == [said]


def test_four_permanent_trumps_and_a_card_of_each_suit_must_become_clubs() -> None:
    table = Table(
        """
        QC QS JC JS AH 7D 8C 9S
        JH AC KC TS 8S KH KD TD
        JD 9C 7C AS 7S 9H QH AD
        TC KS 8H 7H TH QD 9D 8D
        """
    )
    table.say("5, pass, pass, pass")
    assert table.legal == ["trump C"]


def test_a_longer_suit_beats_better() -> None:
    table = Table(LONGER_SUIT)
    table.say("5, 5 better, pass, 6")
    assert (table.phase, table.seat, table.declarer) == (Phase.NAME_TRUMP, 3, 3)
    assert table.legal == ["trump H"]
    table.act("trump H")
    assert (table.phase, table.seat) == (Phase.PLAY, 0)


def test_better_beats_an_equal_club_suit_and_forces_clubs() -> None:
    table = Table(CLUBS_BEAT_FIVE)
    table.say("5, pass, 5 better, pass")
    assert (table.seat, table.declarer, table.legal) == (2, 2, ["trump C"])


def test_nothing_of_the_same_length_beats_better() -> None:
    table = Table(SECOND_CLUBS)
    table.say("5, 5 better, pass, pass")
    assert (table.seat, table.declarer, table.legal) == (1, 1, ["trump C"])


def test_six_clubs_beat_six_clubs_once() -> None:
    table = Table(
        """
        QC QS JC JS KC TC 7S 7D
        JH JD AC 9C 8C 7C AS 8S
        KS 9S QH TH 9H QD TD 8D
        TS AH KH 8H 7H AD KD 9D
        """
    )
    table.say("6, 6 better, pass, pass")
    assert (table.seat, table.declarer, table.legal) == (1, 1, ["trump C"])


def test_equally_long_suits_without_clubs_are_a_free_choice() -> None:
    table = Table(FREE_CHOICE)
    table.say("5, pass, pass, pass")
    assert (table.seat, table.legal) == (0, ["trump H", "trump D"])


@pytest.mark.parametrize("preset", ["faroese", "faroese_smith", "suduroy"])
def test_after_four_passes_the_same_dealer_deals_and_a_tie_stays_pending(preset: str) -> None:
    table = Table(preset=preset)
    table.end_deal(declarer=1, trump="S", points=75)
    table.next_deal()
    table.end_deal(declarer=1, trump="S", points=60)
    table.next_deal(ALL_PASS)
    score, dealer = table.score, table.dealer
    table.say("pass, pass, pass, pass")
    assert (table.phase, table.outcome, table.legal) == (Phase.OVER, "redeal", [])
    assert table.change == [0, 0, 0, 0]
    table.next_deal()
    assert (table.score, table.dealer, table.number("ties")) == (score, dealer, 1)
    table.end_deal(declarer=1, trump="S", points=75)
    assert (table.result(), table.number("ties")) == (4, 0)  # the tie is paid now


def test_a_deal_without_a_bid_is_played_with_the_permanent_trumps_alone() -> None:
    table = Table(ALL_PASS, "faroese_wiki")
    table.say("pass, pass, pass, pass")
    assert (table.phase, table.seat, table.declarer) == (Phase.PLAY, 0, -1)
    table.play_tricks("QS JD QC JS -> 2 (10)")
    table.play("JH", "JC")
    assert len(table.cards) == 7  # a trump was led and seat 0 has none, though it holds hearts
    table.play("7C", "AH")
    table.play_tricks(
        """
        KS 7H 7S AS -> 2 (15)
        AC 7D 9C 8C -> 2 (11)
        KD TD AD 8D -> 0 (25)
        QD 8H 9D 8S -> 0 (3)
        TC TH KC QH -> 2 (27)
        9S KH 9H TS -> 1 (14)
        """
    )
    even, odd = sum(table.numbers("points")[::2]), sum(table.numbers("points")[1::2])
    assert (even, odd) == (91, 29)
    assert table.change == [-4, 0, -4, 0]
    assert table.score == [20, 24, 20, 24]


# Following suit and winning tricks


@pytest.mark.parametrize(
    ("led", "hand", "legal"),
    [
        ("QS", "7H JD AS KS", "7H JD"),
        ("QS", "AS KS 9C", "AS KS 9C"),
        ("AS", "QS 7H 9C", "QS 7H 9C"),
        ("AS", "QS 8S 9C", "8S"),
    ],
)
def test_a_permanent_trump_follows_trumps_and_never_its_own_suit(
    led: str, hand: str, legal: str
) -> None:
    assert position(led, hand, "H").cards == set(legal.split())


def test_a_lead_of_the_trump_suit_binds_whoever_holds_a_trump() -> None:
    assert position("9H", "8H QC AS", "H").cards == {"8H", "QC"}
    assert position("9H", "QC AS 7D", "H").cards == {"QC"}


@pytest.mark.parametrize(
    ("trick", "trump", "best", "worth"),
    [
        ("TD QD 9D KD", "S", "KD", 17),  # the ten is low in rank
        ("TD AC QD 7D", "S", "QD", 24),  # the ace of another suit is a discard
        ("8S QC AH JS", "D", "QC", 16),
        ("8S AD KD JD", "D", "JD", 17),  # a permanent trump beats the ace of trumps
        ("9H JC TH 8H", "H", "JC", 12),
    ],
)
def test_the_best_card_wins_the_trick(trick: str, trump: str, best: str, worth: int) -> None:
    table = position(trick, "", trump)
    winner = trick.split().index(best)
    assert table.seat == winner
    assert table.numbers("points")[winner] == worth
    assert sum(table.numbers("tricks")) == table.numbers("tricks")[winner] == 1


# Whole deals


@pytest.mark.parametrize("preset", FORCED_PRESETS)
def test_declarers_with_75_points_in_clubs_subtract_4(preset: str) -> None:
    table = Table(
        """
        QC QS TS 8S 7S AH 7H 8D
        JS JH AC 8C AS TH AD 9D
        9C QH 9H 8H KD QD TD 7D
        JC JD KC TC 7C KS 9S KH
        """,
        preset,
    )
    table.say("5, pass, pass, 5 better")
    assert (table.seat, table.legal) == (3, ["trump C"])
    table.act("trump C")
    table.play_tricks(
        """
        QC 8C 9C 7C -> 0 (3)
        QS JH TD JD -> 0 (17)
        AH TH 8H KH -> 0 (25)
        TS AS 7D KS -> 1 (25)
        JS 9H TC 7H -> 1 (12)
        AC QD JC 7S -> 3 (16)
        KC 8D 9D QH -> 3 (7)
        9S 8S AD KD -> 3 (15)
        """
    )
    assert table.numbers("points") == [45, 37, 0, 38]
    assert (table.outcome, table.change) == ("win", [0, -4, 0, -4])
    assert table.score == [24, 20, 24, 20]


def test_all_the_points_in_seven_tricks_are_no_vol() -> None:
    table = Table(ALL_POINTS_BUT_A_TRICK)
    table.say("7, pass, pass, pass")
    assert table.legal == ["trump H", "trump D"]
    table.act("trump H")
    table.play_tricks(
        """
        QC KH TH 8H -> 0 (17)
        QS QH 9H 7H -> 0 (6)
        JC AC TS TD -> 0 (33)
        JS TC AD QD -> 0 (26)
        JH AS KD 9D -> 0 (17)
        JD KS 9C 8C -> 0 (6)
        AH KC 8S 7C -> 0 (15)
        7D 8D 9S 7S -> 1 (0)
        """
    )
    assert (table.numbers("points"), table.numbers("tricks")) == ([120, 0, 0, 0], [7, 1, 0, 0])
    assert (table.outcome, table.change) == ("win_90", [-4, 0, -4, 0])


def test_all_tricks_won_by_both_partners_are_a_vol() -> None:
    table = Table(
        """
        JH 9C 8C 7C AS 9S 7S 9H
        JC KC TC KD TD 9D 8D 7D
        JD KS TS AH QH 8H AD QD
        QC QS JS AC 8S KH TH 7H
        """
    )
    table.say("pass, 6, pass, pass")
    assert table.legal == ["trump D"]
    table.act("trump D")
    table.play_tricks(
        """
        JH JC JD QS -> 3 (9)
        QC 7C TD QD -> 3 (16)
        JS 7S KD AD -> 3 (17)
        AC 8C KC 8H -> 3 (15)
        KH 9H 9D QH -> 1 (7)
        8D KS 7H 9C -> 1 (4)
        7D TS 8S 9S -> 1 (10)
        TC AH TH AS -> 1 (42)
        """
    )
    assert table.numbers("tricks") == [0, 4, 0, 4]
    assert (table.outcome, table.change) == ("vol", [0, -12, 0, -12])


def test_sixty_each_changes_no_score_and_leaves_a_tie_pending() -> None:
    table = Table(TIED)
    table.say("pass, 5, pass, pass")
    table.act("trump H")
    table.play_tricks(TIED_TRICKS)
    assert (table.outcome, table.change, table.score) == ("tie", [0] * 4, [24] * 4)
    assert table.number("ties") == 1


@pytest.mark.parametrize(
    ("preset", "outcome", "paid"),
    [
        ("faroese", "lose_no_trick", 16),
        ("suduroy", "lose_no_trick", 16),
        ("faroese_smith", "lose_no_trick", 16),
        ("faroese_wiki", "lose", 4),
    ],
)
def test_declarers_without_a_trick_lose_16(preset: str, outcome: str, paid: int) -> None:
    table = Table(
        """
        QS AC TC 8C TS AH QH 9H
        JS JD 7C 8S TH TD 9D 8D
        QC JC JH 9C AS KH KD QD
        KC KS 9S 7S 8H 7H AD 7D
        """,
        preset,
    )
    table.say("pass, 5, pass, pass")
    table.act("trump D")
    table.play_tricks(
        """
        QS 8D KD 7D -> 0 (7)
        AH TH KH 7H -> 0 (25)
        AC 7C 9C KC -> 0 (15)
        QH JS QC 8H -> 2 (8)
        JC AD TS 9D -> 2 (23)
        JH 7S TC JD -> 2 (14)
        QD 9S 8C TD -> 2 (13)
        AS KS 9H 8S -> 2 (15)
        """
    )
    assert table.numbers("points") == [47, 0, 73, 0]
    assert (table.outcome, table.change) == (outcome, [-paid, 0, -paid, 0])


# Who deals


def test_the_deal_stays_after_four_passes_and_passes_on_after_a_played_deal() -> None:
    table = Table(ALL_PASS)
    table.say("pass, pass, pass, pass")
    table.next_deal()
    assert table.dealer == 3
    table.end_deal(declarer=1, trump="S", points=75)
    table.next_deal()
    assert (table.dealer, table.seat) == (0, 1)
    table.end_deal(declarer=1, trump="S", points=60)
    table.next_deal()
    assert (table.dealer, table.seat) == (1, 2)


def test_a_tie_played_out_passes_the_deal_on() -> None:
    table = Table(TIED)
    table.say("pass, 5, pass, pass")
    table.act("trump H")
    table.play_tricks(TIED_TRICKS)
    table.next_deal()
    assert (table.dealer, table.seat, table.number("ties")) == (0, 1, 1)
