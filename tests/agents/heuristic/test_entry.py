"""Before the first lead: the lowest trump, the reserve, staying in or dropping out."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_agents.heuristic.entry import Entry
from sjavs_agents.heuristic.sight import TableReader
from sjavs_agents.registry import make_agent
from sjavs_env import Phase, view_of
from tests.agents.seats import choice_at, dealt_alone
from tests.engine.table import Table, game_of

POOR = "9C 8C 6C QS 8S 7S TD 8D 7D"
STRONG = "JH 9H KH AC KC AS TS 7D 8D"
PLAYERS = ["rules", "expert"]


def says(table: Table, name: str = "rules") -> str:
    return choice_at(table, make_agent(name, table.game))


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("players", [2, 3])
def test_the_lowest_trump_is_given_for_a_better_one(players: int, name: str) -> None:
    table = dealt_alone({0: "6H AC KC TS 9S 8D 7D 6D 8C"}, "TH", players=players)
    assert says(table, name) == "swap six"


@pytest.mark.parametrize(("turned", "choice"), [("QH", "keep six"), ("AH", "swap six")])
def test_the_lowest_trump_is_kept_in_a_meld_that_is_worth_more(turned: str, choice: str) -> None:
    table = dealt_alone({0: "8H 7H 6H AC KC TS 9S 8D 7D"}, turned, players=2)
    assert says(table) == choice


def test_of_a_longer_run_the_lowest_trump_is_given() -> None:
    """The queen makes up for a run of three instead of four; an ace is not needed for that."""
    table = dealt_alone({0: "9H 8H 7H 6H AC KC TS 9S 8D"}, "TH", players=2)
    assert says(table) == "swap six"  # ten to seven are four as well


def test_the_lowest_trump_is_asked_for_before_the_first_card_too() -> None:
    table = dealt_alone({0: "6H AC KC AS TS 9S 8D 7D 8C"}, "TH", "handjass_swiss", 2)
    table.act("keep hand", "keep hand", "stay", "stay")
    assert table.legal == ["swap six", "keep six"]
    assert says(table) == "swap six"


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("preset", ["handjass", "handjass_alt", "handjass_swiss"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_poor_hand_is_given_for_the_reserve_and_a_strong_one_kept(
    players: int, preset: str, name: str
) -> None:
    for hand, choice in ((POOR, "take reserve"), (STRONG, "keep hand")):
        assert says(dealt_alone({0: hand}, "AH", preset, players), name) == choice


@pytest.mark.parametrize(("turned", "choice"), [("JH", "take reserve"), ("7H", "keep hand")])
def test_the_card_that_goes_with_the_reserve_counts(turned: str, choice: str) -> None:
    hand = {0: "AC QS 9S 8S 7S KH 9H 9D 8D", 1: "6H"}
    table = dealt_alone(hand, turned)
    table.act("keep six")
    assert says(table) == choice


def test_where_the_card_on_the_table_lies_elsewhere_it_does_not_count() -> None:
    """Of two players neither gets the card, so the jack is only one trump less to hope for."""
    hand = {0: "AC QS 9S 8S 7S KH 9H 9D 8D", 1: "6H"}
    for turned in ("JH", "7H"):
        table = dealt_alone(hand, turned, players=2)
        table.act("keep six")
        assert says(table) == "keep hand"


def test_the_six_put_in_the_reserve_makes_it_worth_less() -> None:
    hand = {0: "AC QS 9S 8S 7S KH 9H 9D 8D", 1: "6H"}
    table = dealt_alone(hand, "JH")
    table.act("swap six")  # the eldest would have taken the jack
    assert says(table) == "keep hand"


def test_the_reserve_is_taken_more_readily_by_who_may_drop_it() -> None:
    """The eldest of 2000 deals: never the other way round."""
    taken = []
    for must in (True, False):
        game = game_of("handjass_swiss", players=3, taker_must_play=must)
        state, rows = game.new_games(2000, seed=4), np.arange(2000)
        view = view_of(game, state, rows, state.seat)
        assert (view.phase == Phase.RESERVE).all()
        taken.append(Entry(TableReader(game)).takes_reserve(view))
    assert not (taken[0] & ~taken[1]).any()
    assert (~taken[0] & taken[1]).any()


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("preset", ["handjass_alt", "handjass_swiss", "handjass_schlaeger"])
def test_a_poor_hand_is_dropped_and_a_strong_one_played(preset: str, name: str) -> None:
    for hand, choice in ((POOR, "drop"), (STRONG, "stay")):
        assert says(dealt_alone({0: hand}, "AH", preset, 4), name) == choice


@pytest.mark.parametrize(("said", "choice"), [("stay", "drop"), ("drop", "stay")])
def test_against_fewer_others_a_lesser_hand_is_enough(said: str, choice: str) -> None:
    table = dealt_alone({2: "AC QC KS QS 7H AD QD TD 8D"}, "JH", "handjass_swiss", 4)
    table.act(said, said)
    assert says(table) == choice


@pytest.mark.parametrize(("said", "choice"), [("stay", "drop"), ("drop", "stay")])
def test_the_last_one_stays_with_any_hand_when_all_others_have_dropped(
    said: str, choice: str
) -> None:
    table = dealt_alone({3: "9C 8C 6C QS 8S 7S TD 8D"}, "7H", "handjass_swiss", 4)
    table.act(said, said, said)
    assert says(table) == choice  # a lone player is paid without playing


@pytest.mark.parametrize(("limit", "choice"), [(21, "stay"), (40, "drop")])
def test_the_higher_the_limit_the_better_the_hand_must_be(limit: int, choice: str) -> None:
    hand = {0: "KH 8H KC QC 9C AS 8S KD 9D"}
    assert says(dealt_alone(hand, "JH", "handjass_swiss", 4, limit=limit)) == choice


def test_a_meld_is_worth_playing_for() -> None:
    """Two hands with the same ranks, of which one has four in a row."""
    for hand, choice in (
        ("QC JC TC 9C 8S 7S 8D 7D 6D", "stay"),
        ("QC JS TC 9D 8S 7C 8D 7D 6S", "drop"),
    ):
        assert says(dealt_alone({0: hand}, "7H", "handjass_swiss", 4)) == choice
