"""The reference for Handjass against worked examples: cards, melds, scoring."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest

from .handjass import (
    PRESETS,
    best_melds,
    legal_cards,
    mark_worth,
    meld_points,
    rank_marks,
    settle,
    trick_winner,
)
from .handjass_cards import PACK, RANKS, SUITS, beats, card_points
from .handjass_melds import best_owner, fours, meld_value, score_melds

HANDJASS = PRESETS["handjass"]
ALT = PRESETS["handjass_alt"]
SWISS = PRESETS["handjass_swiss"]
SCHLAEGER = PRESETS["handjass_schlaeger"]
LARGE = {**HANDJASS, "weis": "large"}
BEST_FIRST = {**HANDJASS, "meld_selection": "best_first"}

KINGS = "KC KS KH KD"
ACES = "AC AS AH AD"


def melds_of(hand: str, trump: str, params: Mapping[str, Any]) -> list[str]:
    """Write the melds of a hand, one string each."""
    return [" ".join(meld) for meld in best_melds(hand.split(), trump, params)]


def points_of(hand: str, trump: str, params: Mapping[str, Any]) -> int:
    """Add up the melds of a hand."""
    return meld_points(hand.split(), trump, params)


# Cards and tricks


@pytest.mark.parametrize("trump", list(SUITS))
def test_the_pack_counts_152_of_which_62_are_in_trumps(trump: str) -> None:
    """Whatever suit is trumps."""
    assert len(set(PACK)) == 36
    assert sum(card_points(card, trump) for card in PACK) == 152
    assert sum(card_points(card, trump) for card in PACK if card[1] == trump) == 62


def test_order_of_the_ranks() -> None:
    """Jack and nine are the highest trumps; in a plain suit the ten is below the jack."""
    trumps = ["JS", "9S", "AS", "KS", "QS", "TS", "8S", "7S", "6S"]
    plain = ["AH", "KH", "QH", "JH", "TH", "9H", "8H", "7H", "6H"]
    for order in (trumps, plain, ["6S", "AH"]):
        for high, low in combinations(order, 2):
            assert beats(high, low, "S")
            assert not beats(low, high, "S")
    assert not beats("AH", "6D", "S")


@pytest.mark.parametrize(
    ("trick", "place"),
    [("9H KH AD 8H", 1), ("9H AH 6S KH", 2), ("9H 6S 9S JS", 3), ("TH JH 9H", 1), ("6H AC AD", 0)],
)
def test_trick_winner(trick: str, place: int) -> None:
    """The highest trump wins, else the highest card of the suit led; trumps are spades."""
    assert trick_winner(trick.split(), "S") == place


@pytest.mark.parametrize(
    ("trick", "hand", "legal"),
    [
        ("9H", "KH 8H AS", "KH"),
        ("KH 7S", "AH 8H QS", "AH 8H"),
        ("9H", "6S AS TD", "6S AS"),
        ("9H JS", "9S TD", "9S"),
        ("9H", "TD 6C", "TD 6C"),
        ("8S", "6S KS JD", "KS"),
        ("AS", "JS TD 6C", "JS"),
        ("JS", "9S 6S TD", "9S 6S"),  # nothing beats the Jass
        ("9H TS", "8S KS 9S AC", "KS 9S"),  # void: beat the trump in the trick
        ("AS", "TD 6C", "TD 6C"),
        ("", "KH 8H AS", "KH 8H AS"),
    ],
)
def test_by_the_simple_rules_players_follow_or_trump_and_beat_if_able(
    trick: str, hand: str, legal: str
) -> None:
    """Trumps are spades."""
    assert legal_cards(hand.split(), trick.split(), "S", "simple") == legal.split()


@pytest.mark.parametrize(
    ("trick", "hand", "legal"),
    [
        ("9H", "KH 8H AS TD", "KH 8H AS"),
        ("9H QS", "8H TS KS TD", "8H KS"),
        ("9H QS", "TS TD AC", "TD AC"),
        ("9H QS", "TS 8S", "TS 8S"),
        ("KS", "JS 9C TD", "JS 9C TD"),  # the Jass need not be played to a trump
        ("KS", "JS 6S TD", "JS 6S"),
        ("9H QS", "KS 8S", "KS 8S"),  # nothing but trumps: any of them
        ("9H QS", "TS KH 7H", "KH 7H"),  # who can follow does not trump lower
        ("9H QS", "JS TD", "JS TD"),
        ("9H", "6S TD AC", "6S TD AC"),  # void: discard or trump
        ("9H AC", "8H TD", "8H"),
        ("9H JS 9S", "AS 6S 7D", "7D"),  # void with lower trumps only: must discard
        ("AS", "6S 9S TD", "6S 9S"),  # trumps led: no need to beat
        ("AS", "TD 6C", "TD 6C"),
        ("AS", "JS", "JS"),
        ("", "KH JS", "KH JS"),
    ],
)
def test_by_the_strict_rules_players_follow_or_trump_higher(
    trick: str, hand: str, legal: str
) -> None:
    """The lone Jass is exempt; trumps are spades."""
    assert legal_cards(hand.split(), trick.split(), "S", "strict") == legal.split()


def test_the_nine_of_trumps_is_above_the_ace() -> None:
    """So the small trumps may not be played on it."""
    assert legal_cards(["8C", "7C", "AH"], ["TD", "AC", "9C"], "C", "strict") == ["AH"]


# Melds


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("AH KH QH JH TH", 100),
        ("JC JS JH JD TS 9S 8S 7S QH", 250),
        ("TC TS TH TD", 100),
        ("9C 9S 9H 9D 8D 7D TD JD AD", 150),
        ("AH KH QH JH TH 9H 8H 7H 6H", 150),  # five and four
        ("KH QH JH TH 9H 8H 7H 6H AD", 120),
        ("KD QD JD 9S 8S 7H 6H 6C AC", 40),  # the run and the marriage
        ("KH QH 9S 8S 7H 6H 6C AC TD", 0),
        ("8C 8S 8H 8D", 0),
        ("TH JH QH 6S 7S 8S 9S", 70),
        ("AH KH QH JH TH 9H 8H", 100),
        ("QH JH TH 9H 8H 7H", 100),
        ("AC AS AH AD KH QH JH TH 9S", 150),  # four aces and a run of four, not a run of five
    ],
)
def test_a_hand_declares_the_melds_that_are_worth_most(hand: str, points: int) -> None:
    """The value of all melds of a hand if diamonds are trumps."""
    assert points_of(hand, "D", HANDJASS) == points


def test_a_marriage_may_share_its_cards_with_a_run() -> None:
    """The trump king and queen count besides the run they are in."""
    assert melds_of("JD QD KD", "D", HANDJASS) == ["KD QD JD", "KD QD"]
    assert points_of("AH KH QH JH TH 9H 8H 7H 6H", "H", HANDJASS) == 170
    assert points_of("KD QD", "H", HANDJASS) == 0


def test_choice_among_equal_totals() -> None:
    """The best single meld decides, then the number of melds (rules 4.2)."""
    both = "AS KS QS JS TS QC QH QD 6H"
    assert melds_of(both, "H", HANDJASS) == ["AS KS QS JS TS"]
    # the ace in the run or among the four: the run then has the other five cards
    five = "AC AS AD AH KH QH JH TH 9H"
    assert sorted(melds_of(five, "D", HANDJASS)) == ["AC AS AH AD", "KH QH JH TH 9H"]
    assert melds_of(five, "D", BEST_FIRST) == ["AH KH QH JH TH 9H"]
    suit = "AC KC QC JC TC 9C 8C 7C 6C"
    assert melds_of(suit, "D", SWISS) == ["AC KC QC JC TC", "9C 8C 7C 6C"]
    assert melds_of(suit, "D", BEST_FIRST) == [suit]


def test_large_values() -> None:
    """Longer runs count more, low fours count, and overlapping melds count both (rules 4.2)."""
    for length, points in [(3, 20), (4, 50), (5, 100), (6, 150), (7, 200), (8, 250), (9, 300)]:
        assert meld_points([rank + "C" for rank in RANKS[:length]], "D", LARGE) == points
    assert points_of("8C 8S 8H 8D 7D 6D 9D", "C", LARGE) == 150
    assert points_of("JC JS JH JD TD 9D", "C", LARGE) == 220


@pytest.mark.parametrize(
    ("hands", "parlett", "swiss"),
    [
        (["9D 8D 7D", "AS KS QS", "8H 7H 6H"], 2, 1),  # hearts trumps
        (["9D 8D 7D", "9C 8C 7C", "9S 8S 7S"], 0, 0),
        (["AC AS AH AD", "TS 9S 8S 7S 6S"], 1, 1),
        (["AC KC QC JC TC", "JS TS 9S 8S 7S 6S"], 1, 1),
        ([KINGS, ACES], 0, 1),
        ([ACES, KINGS], 0, 0),
        (["KH QH", "9D 8D 7D"], 1, 1),  # two cards
        (["KH QH", "9D 8D 6S"], 0, None),
        (["9D 8D 7D", "9H 8H 7H"], 1, 1),  # same top card: trumps
        (["9S 9C 9H 9D", "AS KS QS JS TS 8H"], 0, 0),
        (["9C 9S 9H 9D", "JC JS JH JD"], 1, 1),
        (["8C 8S 8H 8D", "7C 7S 7H 6D"], None, None),
    ],
)
def test_the_best_meld_has_most_points_then_most_cards_then_trumps(
    hands: list[str], parlett: int | None, swiss: int | None
) -> None:
    """Then it is who has announced earlier; in the Swiss game the top card precedes trumps."""
    split = [hand.split() for hand in hands]
    assert best_owner(split, "H", HANDJASS) == parlett
    assert best_owner(split, "H", SWISS) == swiss


def test_a_lone_marriage_loses_to_a_run_but_counts_where_it_is_independent() -> None:
    """Only the owner of the best meld scores the others."""
    hands = [["KH", "QH", "8S", "7S", "6S"], ["9D", "8D", "7D"], ["JC", "TC", "9C", "8C"]]
    assert score_melds(hands[:2], "H", HANDJASS) == [40, 0]
    assert score_melds(hands, "H", HANDJASS) == [0, 0, 50]
    assert score_melds(hands, "H", SWISS) == [20, 0, 50]
    assert score_melds([["KH", "QH"], ["9D", "8D", "7D"]], "H", HANDJASS) == [0, 20]
    assert score_melds([["KH", "QH"], ["9D", "8D", "7D"]], "H", SWISS) == [20, 20]
    assert score_melds([["KH", "QH"], ["9D", "8D"]], "H", HANDJASS) == [20, 0]
    assert score_melds([["KH", "QH"], ["9D", "8D"]], "H", SWISS) == [20, 0]


def test_totals_of_melds_in_random_hands() -> None:
    """The largest total is that of the best fours taken out, and the runs left split best."""
    run_values = {0: 0, 1: 0, 2: 0, 3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 120, 9: 150}
    rng = random.Random(1)
    for _ in range(3000):
        ranks = rng.choice([RANKS, "KQJT", "AKQJT", "JT9876", "AJT98"])
        pack = [card for card in PACK if card[0] in ranks]
        suits = rng.choice(["CS", "CSHD"])
        if len(ranks) * len(suits) > 9:
            pack = [card for card in pack if card[1] in suits]
        hand = rng.sample(pack, 9)
        possible = fours(hand, HANDJASS)
        best = 0
        for count in range(len(possible) + 1):
            for out in combinations(possible, count):
                rest = {card for card in hand if not any(card in four for four in out)}
                total = sum(meld_value(four, HANDJASS) for four in out)
                for suit in SUITS:
                    held = "".join(rank if rank + suit in rest else " " for rank in RANKS)
                    total += sum(run_values[len(run)] for run in held.split())
                best = max(best, total)
        melds = [meld for meld in best_melds(hand, "C", HANDJASS) if len(meld) > 2]
        assert sum(meld_value(meld, HANDJASS) for meld in melds) == best
        cards = [card for meld in melds for card in meld]
        assert len(cards) == len(set(cards))


# Scoring


def settled(
    params: Mapping[str, Any], totals: list[int], active: int = 0, zeros: tuple[int, ...] = ()
) -> tuple[list[int], list[int]]:
    """Settle a deal in which all of these seats played."""
    by_seat = dict(enumerate(totals))
    return settle(params, by_seat, active or len(totals), zeros or (0,) * len(totals))


@pytest.mark.parametrize(
    ("preset", "totals", "change", "zeros"),
    [
        ("handjass", [70, 45, 25, 17], [2, 2, 1, 0], [0, 0, 0, 1]),
        ("handjass", [130, 15, 12], [3, 0, 0], [0, 1, 1]),
        ("handjass", [80, 40], [1, 0], [0, 0]),
        ("handjass", [80, 12], [2, 0], [0, 1]),
        ("handjass", [15, 12], [0, 0], [1, 1]),
        ("handjass", [60, 40, 40, 30], [1, 1, 1, 0], [0] * 4),  # all tied for the second mark
        ("handjass", [40, 40, 40, 37], [1, 1, 1, 0], [0] * 4),
        ("handjass", [21, 21, 20], [2, 2, 0], [0, 0, 1]),
        ("handjass", [40, 40], [1, 1], [0, 0]),
        ("handjass_alt", [70, 45, 25, 17], [1, 0, 0, -1], [0] * 4),
        ("handjass_alt", [20, 20], [-1, -1], [0, 0]),
        ("handjass_alt", [140, 10, 7], [1, -1, -1], [0] * 3),
        ("handjass_swiss", [70, 45, 25, 17], [1, 1, 0, -1], [0] * 4),
        ("handjass_swiss", [130, 15, 12], [2, -1, -1], [0] * 3),  # only one reaches the limit
        ("handjass_swiss", [80, 40], [2, 0], [0, 0]),
        ("handjass_swiss", [90, 12], [2, -1], [0, 0]),
        ("handjass_schlaeger", [60, 40, 31, 26], [1, 1, 1, 0], [0] * 4),
        ("handjass_schlaeger", [60, 47, 25, 25], [1, 1, -1, -1], [0] * 4),
        ("handjass_schlaeger", [90, 25, 25, 17], [2, -1, -1, -1], [0] * 4),
        ("handjass_schlaeger", [60, 40, 27], [1, 1, 0], [0] * 3),
        ("handjass_schlaeger", [60, 40], [2, 0], [0, 0]),
    ],
)
def test_marks_and_bag_are_settled_by_each_presets_rules(
    preset: str, totals: list[int], change: list[int], zeros: list[int]
) -> None:
    """By preset: totals of the seats, change of game points, zeros."""
    assert settled(PRESETS[preset], totals) == (change, zeros)


def test_a_zero_is_cancelled_by_a_rank_mark() -> None:
    """A mark cancels one zero and gives no point; the bag pays whoever has an old zero."""
    assert settled(HANDJASS, [70, 50, 37], 0, (1, 0, 2)) == ([0, 1, 0], [0, 0, 2])
    assert settled(HANDJASS, [70, 50, 30, 7], 0, (2, 0, 1, 1)) == ([1, 2, 1, 0], [1, 0, 1, 2])


def test_marks_count_those_still_in_the_match() -> None:
    """The number of marks does not shrink when somebody drops out of a deal (rules 5.1)."""
    assert settle(SWISS, {0: 80, 2: 40}, 3, [0, 0, 0]) == ([1, 0, 1], [0, 0, 0])
    assert settle(SWISS, {0: 80, 2: 12}, 3, [0, 0, 0]) == ([2, 0, -1], [0, 0, 0])
    assert settle(SCHLAEGER, {1: 80, 2: 50, 3: 27}, 4, [0] * 4) == ([0, 1, 1, 1], [0] * 4)
    assert mark_worth(SWISS, {0: 80, 1: 10}, 2) == 2
    assert mark_worth(ALT, {0: 80, 1: 10}, 3) == 1


def test_ties_for_the_last_mark() -> None:
    """All, the earliest in playing order, or none of those tied."""
    totals = {3: 40, 0: 50, 1: 40, 2: 27}
    assert rank_marks({**HANDJASS, "rank_tie": "all"}, totals, 4) == [0, 3, 1]
    assert rank_marks({**HANDJASS, "rank_tie": "earliest"}, totals, 4) == [0, 3]
    assert rank_marks({**HANDJASS, "rank_tie": "none"}, totals, 4) == [0]
    assert rank_marks({**HANDJASS, "rank_tie": "none"}, {0: 50, 1: 50, 2: 40}, 3) == [0, 1]
    assert rank_marks({**HANDJASS, "rank_tie": "none"}, {0: 50, 1: 50}, 2) == []
