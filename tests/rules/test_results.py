"""The table of results as compiled: which row a deal is, and what it changes."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_env.rules import PRESETS
from sjavs_env.rules.tables import NO_SUIT, RuleTables
from tests.engine.table import SJAVS, game_of

NONE, SOME, ALL, ALL_BY_ONE, GAVE_UP = range(5)  # tricks of the declarers


def result(
    tables: RuleTables, bid: int, trump: str, points: int, tricks: int
) -> tuple[str, int, int]:
    """The row of a deal, and what it does to a declarer's and to a defender's score."""
    column = tables.result.column_of[bid, 1 + "CSHD".index(trump) if trump else NO_SUIT]
    row = int(tables.result.payoff_row[column, points, tricks])
    declarer, defender = tables.result.payoff_change[column, row]
    return tables.result.payoff_names[row], int(declarer), int(defender)


@pytest.mark.parametrize(
    ("trump", "points", "tricks", "wanted"),
    [
        ("H", 120, ALL, ("vol", -12, 0)),
        ("C", 120, ALL_BY_ONE, ("vol", -16, 0)),  # no more for one who plays alone anyway
        ("S", 120, SOME, ("win_90", -4, 0)),  # a trick may be worth nothing
        ("C", 90, SOME, ("win_90", -8, 0)),
        ("H", 89, SOME, ("win", -2, 0)),
        ("C", 61, SOME, ("win", -4, 0)),
        ("C", 60, SOME, ("tie", 0, 0)),
        ("D", 59, SOME, ("lose", 0, -4)),
        ("C", 31, SOME, ("lose", 0, -8)),
        ("H", 30, SOME, ("lose_30", 0, -8)),
        ("C", 0, SOME, ("lose_30", 0, -16)),
        ("H", 0, NONE, ("lose_no_trick", 0, -16)),
        ("C", 21, NONE, ("lose_no_trick", 0, -16)),  # what lies aside is no trick
    ],
)
@pytest.mark.parametrize("preset", ["faroese_3", "faroese_2"])
def test_results_of_three_and_two_hands(
    preset: str, trump: str, points: int, tricks: int, wanted: tuple[str, int, int]
) -> None:
    assert result(game_of(preset).tables, 0, trump, points, tricks) == wanted


@pytest.mark.parametrize(("trump", "amount"), [("H", 16), ("C", 24)])
@pytest.mark.parametrize("preset", ["faroese_3", "faroese_2"])
def test_all_tricks_of_a_declarer_alone_can_count_as_those_of_one_partner(
    preset: str, trump: str, amount: int
) -> None:
    tables = game_of(preset, solo_counts_as_single=True).tables
    assert result(tables, 0, trump, 120, ALL_BY_ONE) == ("single_vol", -amount, 0)
    assert result(tables, 0, trump, 120, SOME)[0] == "win_90"


@pytest.mark.parametrize(
    ("preset", "points", "tricks", "wanted"),
    [
        ("klorsjavs", 120, ALL_BY_ONE, ("all", 0, -16)),
        ("klorsjavs", 119, SOME, ("win_double", 0, -8)),
        ("klorsjavs", 91, SOME, ("win_double", 0, -8)),
        ("klorsjavs", 90, SOME, ("win", 0, -4)),
        ("klorsjavs", 61, SOME, ("win", 0, -4)),
        ("klorsjavs", 60, SOME, ("lose", -8, 0)),
        ("klorsjavs", 2, SOME, ("lose", -8, 0)),
        ("klorsjavs", 22, NONE, ("no_trick", -16, 0)),
        ("klorsjavs", 0, NONE, ("no_trick", -16, 0)),
        ("klorsjavs", 22, GAVE_UP, ("concede", -8, 0)),
        ("danish_4", 114, ALL_BY_ONE, ("all", 0, -16)),
        ("danish_4", 113, SOME, ("win_double", 0, -8)),
        ("danish_4", 86, SOME, ("win_double", 0, -8)),
        ("danish_4", 85, SOME, ("win", 0, -4)),
        ("danish_4", 58, SOME, ("win", 0, -4)),
        ("danish_4", 57, SOME, ("lose", -8, 0)),
        ("danish_4", 11, NONE, ("no_trick", -16, 0)),
        ("danish_4", 0, GAVE_UP, ("concede", -8, 0)),
    ],
)
def test_results_of_the_games_that_count_down_to_a_loss(
    preset: str, points: int, tricks: int, wanted: tuple[str, int, int]
) -> None:
    assert result(game_of(preset).tables, 0, "C", points, tricks) == wanted


@pytest.mark.parametrize(
    ("bid", "points", "tricks", "row", "each"),
    [
        ("spil", 120, ALL_BY_ONE, "win_no_trick", 3),
        ("spil", 118, SOME, "win_jan", 2),
        ("spil", 90, SOME, "win_jan", 2),
        ("spil", 89, SOME, "win", 1),
        ("stryger", 61, SOME, "win", 4),
        ("stryger", 60, SOME, "lose", -4),
        ("stryger", 31, SOME, "lose", -4),
        ("spil", 30, SOME, "lose_jan", -2),
        ("stryger", 30, SOME, "lose_jan", -8),
        ("stryger", 13, NONE, "lose_no_trick", -12),
        ("tout", 120, ALL_BY_ONE, "tout_made", 10),
        ("stroget tout", 120, ALL_BY_ONE, "tout_made", 15),
        ("tout", 118, SOME, "tout_lost", -10),
        ("tout", 30, SOME, "tout_lost", -10),
        ("stroget tout", 0, NONE, "tout_lost", -15),
    ],
)
@pytest.mark.parametrize("preset", ["auction_sjavs", "auction_sjavs_clubs"])
def test_each_opponent_settles_with_the_declarer_of_a_contract(
    preset: str, bid: str, points: int, tricks: int, row: str, each: int
) -> None:
    tables = game_of(preset).tables
    k = tables.auction.bid_labels.index(bid)
    assert result(tables, k, "C", points, tricks) == (row, 2 * each, -each)


@pytest.mark.parametrize(
    ("bid", "points", "tricks", "row", "each"),
    [
        ("tout", 120, ALL_BY_ONE, "tout_made_no_trick", 30),
        ("stroget tout", 120, ALL_BY_ONE, "tout_made_no_trick", 45),
        ("tout", 118, SOME, "tout_lost", -10),
        ("stroget tout", 31, SOME, "tout_lost", -15),
        ("tout", 30, SOME, "tout_lost_jan", -20),
        ("stroget tout", 30, SOME, "tout_lost_jan", -30),
        ("tout", 0, NONE, "tout_lost_no_trick", -30),
        ("stroget tout", 22, NONE, "tout_lost_no_trick", -45),
        ("spil", 120, ALL_BY_ONE, "win_no_trick", 3),
        ("stryger", 30, SOME, "lose_jan", -8),
    ],
)
@pytest.mark.parametrize("preset", ["auction_sjavs", "auction_sjavs_clubs"])
def test_a_whole_slam_read_literally_is_doubled_and_trebled_too(
    preset: str, bid: str, points: int, tricks: int, row: str, each: int
) -> None:
    tables = game_of(preset, jan_on_tout=True).tables
    k = tables.auction.bid_labels.index(bid)
    assert result(tables, k, "C", points, tricks) == (row, 2 * each, -each)


def test_rows_that_do_not_count_are_not_compiled() -> None:
    plain, literal = (game_of("auction_sjavs", jan_on_tout=x).tables for x in (False, True))
    assert not {name for name in plain.result.payoff_names if name.startswith("tout_made_")}
    assert set(literal.result.payoff_names) > set(plain.result.payoff_names)
    assert (plain.result.worst, literal.result.worst) == (45, 135)  # others win at the same time
    assert "concede" in game_of("klorsjavs").tables.result.payoff_names
    assert "concede" not in game_of("klorsjavs", concede=False).tables.result.payoff_names


@pytest.mark.parametrize("preset", SJAVS)
def test_the_better_result_never_costs_more(preset: str) -> None:
    tables = game_of(preset).tables
    for column in range(len(PRESETS[preset].value("payoff_columns"))):
        rows = tables.result.payoff_row[column, :, SOME]
        change = tables.match.gain_sign * tables.result.payoff_change[column, rows]
        balance = change[:, 0] - change[:, 1]
        assert (np.diff(balance) >= 0).all()


def test_ties_add_to_the_next_deal_of_three_and_two_hands_as_of_four() -> None:
    for preset in ("faroese", "faroese_3", "faroese_2"):
        tables = game_of(preset).tables
        assert tables.result.tie_extra[:2, :2].tolist() == [[2, 2], [2, 2]]
        assert (tables.result.tie_factor, tables.result.tie_stacks) == (1, True)
