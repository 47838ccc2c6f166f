"""What hands are worth, what they say, and which suit they name."""

from __future__ import annotations

from typing import Any

import pytest

from sjavs_agents.heuristic.bidding import hand_value
from sjavs_agents.heuristic.greedy_agent import GreedyAgent
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.heuristic.sight import TableReader
from tests.agents.seats import choice_at, seated, view_at
from tests.engine.table import Table, fill_hands

GOOD = "QC QS JC AH KH AS 8D 9C"  # five hearts, the three highest trumps, an ace
POOR = "JD 7H 8H 9H TH TC TS 7S"  # five hearts, low


def says(hand: str, auction: str = "", rules: str = "faroese_free", **overrides: Any) -> str:
    """What the rule player says on this hand after an auction."""
    spoken = list(filter(None, auction.split(", ")))
    table = Table(fill_hands({len(spoken): hand}), rules, **overrides)
    for call in spoken:  # said by others, whatever they hold
        table.game.step(table.state, [table.game.actions.parse(call)])
    return choice_at(table, RuleAgent(table.game))


def test_a_good_hand_bids_its_length() -> None:
    assert says(GOOD) == "5"
    assert says("QC QS JC AH KH TH 8S 9S") == "6"


def test_a_poor_hand_passes_where_it_may() -> None:
    assert says(POOR) == "pass"
    assert says(POOR, auction_mode="optional_pass", rules="faroese") == "pass"
    assert says(POOR, rules="faroese") == "5"  # here it must speak


def test_what_cannot_be_said_is_passed() -> None:
    assert says(GOOD, "5") == "pass"
    assert says(GOOD, "6") == "pass"
    assert says("QC QS JC AH KH TH 8S 9S", "5") == "6"


def test_clubs_are_better() -> None:
    clubs = "QC QS JC AC KC AS 8D 9D"
    assert says(clubs) == "5"
    assert says(clubs, "5") == "5 better"
    assert says(clubs, "6") == "pass"


def test_longest_bidding_speaks_whenever_it_may() -> None:
    table = Table(fill_hands({0: POOR}), "faroese_free")
    assert choice_at(table, RuleAgent(table.game, "longest")) == "5"
    assert choice_at(table, GreedyAgent(table.game)) == "5"


def test_bidding_styles_are_named() -> None:
    table = Table()
    with pytest.raises(ValueError, match="bidding is 'bold'; allowed: worthwhile, longest"):
        RuleAgent(table.game, "bold")
    assert RuleAgent(table.game).name == "rules"
    assert RuleAgent(table.game, "longest").name == "rules:bidding=longest"


def test_the_suit_named_keeps_an_ace_as_a_winner_of_its_own() -> None:
    hands = fill_hands({0: "QC QS JC JS AS 7S KD 7D"})
    table = Table(hands, "faroese", auction_mode="optional_pass")
    table.act("6", "pass", "pass", "pass")
    assert table.legal == ["trump S", "trump D"]
    assert choice_at(table, RuleAgent(table.game)) == "trump D"


def test_greedy_names_the_longest_suit_and_then_the_strongest() -> None:
    table = Table(fill_hands({0: "QC QS JC JS AS 7H 7D 8D"}), "faroese_free")
    table.act("5", "pass", "pass", "pass")
    assert choice_at(table, GreedyAgent(table.game)) == "trump D"
    table = Table(fill_hands({0: "QC QS JC JS AS 7H 7D 7C"}), "faroese_free")
    table.act("5", "pass", "pass", "pass")
    assert choice_at(table, GreedyAgent(table.game)) == "trump S"


def test_a_hand_is_worth_more_with_more_of_everything() -> None:
    def value(hand: str) -> float:
        table = seated({0: hand}, "")
        return float(hand_value(TableReader(table.game), view_at(table)[0])[0, 2])  # in hearts

    base = value("QS JC AH KH 9H 8S 9D 7C")
    assert value("QC JC AH KH 9H 8S 9D 7C") > base  # a higher trump
    assert value("QS JC AH KH 9H 8H 9D 7C") > base  # a longer suit
    assert value("QS JC AH KH 9H AS 9D 7C") > base  # an ace
    assert value("QS JC AH KH 9H 8S 9S 7C") > base  # a void


def test_clubs_pay_more_and_are_preferred_among_equals() -> None:
    table = Table(fill_hands({0: "QC QS JC JS AC 7C AS 7S"}), "faroese_free")
    table.act("6", "pass", "pass", "pass")
    assert choice_at(table, RuleAgent(table.game)) == "trump C"
