"""Which contract a hand bids."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sjavs_agents.heuristic.contracts import contract_values
from sjavs_agents.heuristic.sight import TableReader
from sjavs_agents.registry import make_agent
from tests.agents.seats import choice_at, dealt, view_at

CERTAIN = "QC QS JC JS JH JD"  # the six highest trumps
GOOD = "QC JC JH AC KC AS"
FAIR = "QC JH JD KC AS KH"
POOR = "JD KS QD KH TH TS"


def says(hand: str, auction: str = "", rules: str = "auction_sjavs_clubs") -> str:
    spoken = list(filter(None, auction.split(", ")))
    table = dealt(rules, {len(spoken): hand}, auction)
    return choice_at(table, make_agent("rules", table.game))


@pytest.mark.parametrize("rules", ["auction_sjavs", "auction_sjavs_clubs"])
def test_a_certain_hand_bids_all_tricks_as_it_is(rules: str) -> None:
    assert says(CERTAIN, rules=rules) == "stroget tout"


def test_a_good_hand_needs_no_talon() -> None:
    assert says(GOOD) == "stryger"


def test_a_fair_hand_takes_the_talon() -> None:
    assert says(FAIR) == "spil"


def test_a_poor_hand_passes() -> None:
    assert says(POOR) == "pass"
    assert says("JD KS QD KH 5H 5S", rules="klorsjavs") == "pass"
    assert says("JD KS KH 5H", rules="danish_4") == "pass"


def test_only_a_hand_that_is_good_enough_bids_higher() -> None:
    assert says(FAIR, "stryger") == "pass"
    assert says(GOOD, "spil") == "stryger"
    assert says(CERTAIN, "tout") == "stroget tout"


def test_where_suits_are_free_the_best_one_counts() -> None:
    hearts = "JC JH AH KH TH KS"
    assert says(hearts, rules="auction_sjavs") == "stryger"
    assert says(hearts) == "spil"


@pytest.mark.parametrize("name", ["greedy", "rules:bidding=longest"])
def test_players_without_judgement_bid_the_lowest_contract_first(name: str) -> None:
    table = dealt("auction_sjavs", {0: POOR})
    agent = make_agent(name, table.game)
    assert choice_at(table, agent) == "spil"
    table.act("spil")
    assert choice_at(table, agent) == "pass"


def test_a_better_hand_promises_more_in_every_contract() -> None:
    def values(hand: str) -> list[float]:
        table = dealt("auction_sjavs_clubs", {0: hand})
        found: list[float] = contract_values(TableReader(table.game), view_at(table)[0])[0].tolist()
        return found

    hands = [POOR, FAIR, GOOD, CERTAIN]
    for lower, higher in pairwise(hands):
        pairs = zip(values(lower), values(higher), strict=True)
        assert all(less < more for less, more in pairs)
