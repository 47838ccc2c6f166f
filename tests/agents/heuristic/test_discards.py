"""Taking the talon, laying cards away, giving up."""

from __future__ import annotations

import pytest

from sjavs_agents.registry import make_agent
from tests.agents.seats import choice_at, dealt
from tests.engine.table import Table

STRONG = {0: "QC JC AC KC AS 5H", -1: "QD 5D"}
LOSERS = {0: "QC QS JC AH KH 9H AS KS KD TC"}
PLAYERS = ["rules", "expert", "greedy"]


def lays(table: Table, name: str = "rules") -> list[str]:
    """What the player lays away, one card after the other."""
    found: list[str] = []
    agent = make_agent(name, table.game)
    while table.legal[0].startswith("lay "):
        choice = choice_at(table, agent)
        found.append(choice.removeprefix("lay "))
        table.act(choice)
    return found


def blind(known: dict[int, str], length: str) -> Table:
    """A declarer of three about to exchange cards with a talon that they have not seen."""
    auction = f"{length}, pass, pass, trump H"
    return dealt("faroese_3", known, auction, auction_mode="optional_pass")


@pytest.mark.parametrize("name", PLAYERS)
def test_the_talon_is_taken(name: str) -> None:
    table = dealt("klorsjavs", STRONG, "play")
    assert choice_at(table, make_agent(name, table.game)) == "take cat"


def test_points_that_would_be_lost_are_laid_away() -> None:
    assert lays(dealt("klorsjavs", STRONG, "play, take cat")) == ["5H", "5D"]


def test_a_ten_that_nothing_beats_any_more_stays() -> None:
    hand = {0: "QC JC AC AS KS TS", -1: "KD QH"}  # in spades every card is good
    assert set(lays(dealt("auction_sjavs_clubs", hand, "spil, pass, pass, take cat"))) == {
        "KD", "QH",
    }  # fmt: skip


def test_a_short_suit_goes_before_a_long_one() -> None:
    hand = {0: "QC JC AC 5S 5H KH", -1: "QH QS"}
    assert lays(dealt("klorsjavs", hand, "play, take cat"))[0] == "5S"


def test_trumps_are_laid_away_only_when_there_is_nothing_else_and_then_low_ones() -> None:
    hand = {0: "QC QS JC JS JH JD", -1: "AC 5C"}
    assert lays(dealt("klorsjavs", hand, "play, take cat")) == ["5C", "AC"]


def test_the_trump_suit_that_will_be_named_stays() -> None:
    hand = {0: "QC JC AH TH QH KS", -1: "KC TD"}
    table = dealt("auction_sjavs", hand, "spil, pass, pass, take cat")
    assert lays(table) == ["TD", "KC"]
    assert choice_at(table, make_agent("rules", table.game)) == "trump H"


def test_blind_exchange_lays_what_is_worth_it_and_then_stops() -> None:
    good = {0: "QC QS JC JS JH AH KH AS AD TD"}
    assert lays(blind(good, "7")) == ["TD", "done"]
    assert lays(blind(LOSERS, "6")) == ["TC", "KD"]


def test_greedy_lays_its_lowest_cards_and_exchanges_nothing_blindly() -> None:
    assert lays(dealt("klorsjavs", STRONG, "play, take cat"), "greedy") == ["5H", "5D"]
    assert lays(blind(LOSERS, "6"), "greedy") == ["done"]


HOPELESS = {0: "KS 5S KH 5H KD 5D", -1: "QH QD"}


@pytest.mark.parametrize("name", ["rules", "expert"])
def test_only_a_hopeless_hand_gives_up(name: str) -> None:
    table = dealt("klorsjavs", HOPELESS, "play, take cat")
    lays(table, name)
    assert choice_at(table, make_agent(name, table.game)) == "give up"
    table = dealt("klorsjavs", STRONG, "play, take cat")
    lays(table, name)
    assert choice_at(table, make_agent(name, table.game)) == "play on"


def test_greedy_never_gives_up() -> None:
    table = dealt("klorsjavs", HOPELESS, "play, take cat")
    lays(table, "greedy")
    assert choice_at(table, make_agent("greedy", table.game)) == "play on"
