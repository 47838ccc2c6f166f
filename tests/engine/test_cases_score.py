"""The worked examples of the score: payoff rows, pending ties, rubbers and crosses.

``end_deal`` puts the table before a last, worthless trick, so that a deal ends with any
wanted number of card points and tricks of the declarers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.engine.table import ROW, Table, Takers

PRESETS = ["faroese", "faroese_wiki", "suduroy", "faroese_smith"]


def put_score(table: Table, even: int, odd: int) -> None:
    """Give the sides these scores in a rubber that goes on."""
    table.state.score[0] = [even, odd, even, odd]


@pytest.mark.parametrize(
    ("points", "tricks", "by", "row", "plain", "clubs"),
    [
        (61, 4, "both", "win", 2, 4),
        (89, 7, "both", "win", 2, 4),
        (90, 6, "both", "win_90", 4, 8),
        (120, 7, "declarer", "win_90", 4, 8),
        (120, 8, "both", "vol", 12, 16),
        (120, 8, "declarer", "single_vol", 16, 24),
        (60, 4, "both", "tie", 0, 0),
        (59, 4, "both", "lose", -4, -8),
        (31, 2, "both", "lose", -4, -8),
        (30, 3, "both", "lose_30", -8, -16),
        (0, 1, "declarer", "lose_30", -8, -16),
        (0, 0, "both", "lose_no_trick", -16, -16),
    ],
)
def test_every_edge_of_the_table_of_results(
    points: int, tricks: int, by: Takers, row: str, plain: int, clubs: int
) -> None:
    for trump, value in {"S": plain, "H": plain, "D": plain, "C": clubs}.items():
        table = Table()
        table.end_deal(1, trump, points, tricks, by=by)
        assert (table.outcome, table.result()) == (row, value)


@pytest.mark.parametrize(("points", "tricks"), [(59, 4), (31, 2), (30, 3), (0, 1), (0, 0)])
def test_the_wiki_table_has_one_row_for_every_loss(points: int, tricks: int) -> None:
    for trump, value in {"S": -4, "C": -8}.items():
        table = Table(preset="faroese_wiki")
        table.end_deal(1, trump, points, tricks)
        assert (table.outcome, table.result()) == ("lose", value)


@pytest.mark.parametrize(("by", "value"), [("declarer", 16), ("partner", 16), ("both", 12)])
def test_either_partner_may_be_the_one_who_takes_all_tricks(by: Takers, value: int) -> None:
    table = Table()
    table.end_deal(1, "S", 120, 8, by=by)
    assert table.change == [0, -value, 0, -value]


def test_one_defender_with_all_tricks_gets_no_more_than_both() -> None:
    table = Table()
    table.end_deal(1, "C", 0, 0)
    assert max(table.numbers("tricks")) == 8
    assert table.result() == -16


@pytest.mark.parametrize(
    ("preset", "value"),
    [("faroese", -16), ("faroese_wiki", -8), ("suduroy", -16), ("faroese_smith", -16)],
)
def test_no_trick_in_clubs_is_worth_no_more_than_in_another_suit(preset: str, value: int) -> None:
    table = Table(preset=preset)
    table.end_deal(1, "C", 0, 0)
    assert table.result() == value


def test_suduroy_pays_nothing_extra_for_all_tricks_by_one_player() -> None:
    for trump, value in {"S": 12, "C": 16}.items():
        table = Table(preset="suduroy")
        table.end_deal(1, trump, 120, 8, by="declarer")
        assert (table.outcome, table.result()) == ("vol", value)


@pytest.mark.parametrize(
    ("trump", "points", "values"),
    [
        ("H", 75, (4, 4, 4, 4)),
        ("C", 75, (6, 8, 6, 8)),
        ("C", 45, (-10, -12, -12, -16)),
        ("H", 20, (-10, -6, -12, -16)),
    ],
)
def test_the_deal_after_a_tie_is_worth_more(
    trump: str, points: int, values: tuple[int, ...]
) -> None:
    for preset, value in zip(PRESETS, values, strict=True):
        table = Table(preset=preset)
        table.end_deal(1, "S", 60)
        table.next_deal()
        table.end_deal(1, trump, points)
        assert (preset, table.result()) == (preset, value)
        assert table.number("ties") == 0


def test_added_ties_pile_up_until_a_deal_is_decided_and_are_then_used_up() -> None:
    for preset, value in zip(PRESETS, (6, 6, 6, 4), strict=True):
        table = Table(preset=preset)
        table.end_deal(1, "C", 60)
        table.next_deal()
        table.end_deal(2, "S", 60)
        table.next_deal()
        table.end_deal(1, "D", 75)
        assert (preset, table.result()) == (preset, value)
        table.next_deal()
        table.end_deal(1, "D", 75)
        assert table.result() == 2


@pytest.mark.parametrize(
    ("preset", "trump", "points", "value"),
    [
        ("suduroy", "H", 45, -12),
        ("suduroy", "C", 45, -16),
        ("faroese_wiki", "C", 75, 12),
        ("faroese_wiki", "C", 45, -16),
        ("faroese_smith", "C", 45, -16),
    ],
)
def test_two_pending_ties_are_paid_by_suit_and_winner_of_the_decided_deal(
    preset: str, trump: str, points: int, value: int
) -> None:
    table = Table(preset=preset)
    for _ in range(2):
        table.end_deal(1, "S", 60)
        table.next_deal()
    table.end_deal(1, trump, points)
    assert (table.result(), table.number("ties")) == (value, 0)


@pytest.mark.parametrize(
    ("overrides", "ties", "value"),
    [
        ({"tie": "double", "tie_stacks": True}, 2, 4),  # doubling never compounds
        ({"tie": "double", "tie_stacks": False}, 1, 4),
        ({"tie": "add_2", "tie_stacks": False}, 1, 4),
        ({"tie": "add_2", "tie_stacks": True}, 2, 6),
    ],
)
def test_two_ties_in_a_row(overrides: dict[str, Any], ties: int, value: int) -> None:
    table = Table(**overrides)
    for _ in range(2):
        table.end_deal(1, "S", 60)
        table.next_deal()
    assert table.number("ties") == ties
    table.end_deal(1, "S", 75)
    assert table.result() == value


def test_a_tie_adds_2_to_a_deal_without_a_bid() -> None:
    table = Table(preset="faroese_wiki")
    table.end_deal(0, "", 60)
    assert (table.outcome, table.number("ties")) == ("no_bid_tie", 1)
    table.next_deal()
    table.end_deal(0, "", 61)
    assert (table.outcome, table.change) == ("no_bid_win", [-6, 0, -6, 0])


@pytest.mark.parametrize(
    ("ties", "points", "outcome", "change"),
    [
        (1, 59, "no_bid_lose", [0, -6, 0, -6]),
        (2, 61, "no_bid_win", [-8, 0, -8, 0]),
        (2, 59, "no_bid_lose", [0, -8, 0, -8]),
    ],
)
def test_each_tie_adds_2_to_a_deal_without_a_bid_for_whoever_wins_it(
    ties: int, points: int, outcome: str, change: list[int]
) -> None:
    table = Table(preset="faroese_wiki")
    for _ in range(ties):
        table.end_deal(1, "C", 60)
        table.next_deal()
    table.end_deal(0, "", points)
    assert (table.outcome, table.change, table.number("ties")) == (outcome, change, 0)


@pytest.mark.parametrize(("points", "change"), [(61, [-4, 0, -4, 0]), (0, [0, -4, 0, -4])])
def test_a_deal_without_a_bid_is_worth_4_to_whoever_wins_it(points: int, change: list[int]) -> None:
    table = Table(preset="faroese_wiki")
    table.end_deal(0, "", points, tricks=0 if points == 0 else 4)
    assert table.change == change


def test_winning_24_at_one_blow_counts_two_crosses() -> None:
    table = Table()
    table.end_deal(0, "C", 120, 8, by="declarer")
    assert table.change == [-24, 0, -24, 0]
    assert (table.score, table.number("rubber_over")) == ([0, 24, 0, 24], 1)
    assert table.numbers("crosses") == [2, 0, 2, 0]


def test_suduroy_leaves_8_after_a_vol_in_clubs_and_gives_one_cross() -> None:
    table = Table(preset="suduroy")
    table.end_deal(0, "C", 120, 8, by="declarer")
    assert (table.score, table.number("rubber_over")) == ([8, 24, 8, 24], 0)
    assert table.numbers("crosses") == [0] * 4
    table.next_deal()
    table.end_deal(2, "C", 120, 8)
    assert (table.score, table.numbers("crosses")) == ([0, 24, 0, 24], [1, 0, 1, 0])


def test_points_beyond_0_are_worth_nothing_and_end_the_rubber() -> None:
    table = Table()
    put_score(table, 3, 22)
    table.end_deal(1, "S", 20)
    assert (table.change, table.score) == ([-8, 0, -8, 0], [0, 22, 0, 22])
    assert (table.number("rubber_over"), table.numbers("crosses")) == (1, [1, 0, 1, 0])


@pytest.mark.parametrize(
    ("overrides", "others", "crosses"),
    [
        ({}, 24, 2),
        ({}, 23, 1),
        ({"double_at_start": False}, 24, 1),
        ({"cross_rule": "shutout_only"}, 24, 1),
        ({"cross_rule": "shutout_only", "double_at_start": False}, 24, 1),
        ({"cross_rule": "shutout_only"}, 23, 0),
    ],
)
def test_crosses_for_a_rubber(overrides: dict[str, Any], others: int, crosses: int) -> None:
    table = Table(**overrides)
    put_score(table, 2, others)
    table.end_deal(0, "S", 75)
    assert table.number("rubber_over") == 1
    assert table.numbers("crosses") == [crosses, 0, crosses, 0]


def test_the_next_rubber_starts_at_24_keeps_crosses_and_passes_the_deal_on() -> None:
    table = Table()
    put_score(table, 2, 10)
    table.end_deal(0, "S", 75)
    table.next_deal()
    assert (table.score, table.numbers("crosses")) == ([24] * 4, [1, 0, 1, 0])
    assert (table.dealer, table.number("ties"), table.number("rubber_over")) == (0, 0, 0)
    put_score(table, 24, 2)
    table.end_deal(1, "S", 75)
    assert table.numbers("crosses") == [1, 2, 1, 2]


def test_no_cross_is_given_before_the_rubber_ends() -> None:
    table = Table()
    put_score(table, 3, 24)
    table.end_deal(0, "S", 75)
    assert (table.number("rubber_over"), table.numbers("crosses")) == (0, [0] * 4)


def test_gains_and_rewards_say_what_the_deal_was_worth() -> None:
    table = Table()
    table.end_deal(1, "C", 20)
    gains = table.game.gains(table.state)
    assert gains.tolist() == [[16, 0, 16, 0]]
    assert table.game.rewards(gains).tolist() == [[16, -16, 16, -16]]
    assert np.array_equal(gains, table.game.gains(table.state, ROW))
