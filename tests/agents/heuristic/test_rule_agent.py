"""The maxims of the rule player, each in a position; seat 0 leads, hearts are trumps."""

from __future__ import annotations

import pytest

from sjavs_agents.heuristic.rule_agent import RuleAgent
from tests.agents.seats import choice_at, seated
from tests.engine.table import Table

FIRST = "5, pass, pass, pass, trump H"  # seat 0 declares
SECOND = "pass, 5, pass, pass, trump H"
LAST = "pass, pass, pass, 5, trump H"

STRONG = "QC QS JC AH KH 8S 9S 7C"  # of a declarer: five trumps, the two highest among them


def plays(table: Table) -> str:
    return choice_at(table, RuleAgent.expert(table.game))


def test_a_friends_certain_trick_gets_the_ten() -> None:
    hands = {0: STRONG, 1: "7H 8H 9H TH JD 7D AS AC", 2: "TD KD 9D 8C 9C KS 7S 8D"}
    assert plays(seated(hands, FIRST, "QC 7H")) == "TD"


def test_an_opponents_certain_trick_gets_a_worthless_card() -> None:
    hands = {0: STRONG, 1: "TD KD 9D 8C 9C KS 7S AD"}
    assert plays(seated(hands, FIRST, "QC")) == "7S"


def test_a_trump_that_the_friends_high_trump_makes_safe_is_one_with_points() -> None:
    hands = {0: STRONG, 1: "7H 8C 9C KC TC AS KS TS", 2: "JS TH 8H AD 7D 8D 9D QD"}
    assert plays(seated(hands, FIRST, "QC 7H")) == "TH"


def test_the_friends_winning_trump_is_not_overtaken() -> None:
    hands = {0: STRONG, 1: "7H 8C 9C KC TC AS KS TS", 2: "JS 8H AD 7D 8D 9D QD TD"}
    assert plays(seated(hands, FIRST, "QC 7H")) == "8H"


# seat 3 is void of clubs and plays last
LAST_HAND = {
    0: "AC 9C AS 7S QC AD TD QH",
    1: "7C TC JC JS KH 9H JH KS",
    2: "KC 8C TS AH TH QD 9S 8S",
    3: "8H JD QS 7D 8D 9D 7H KD",
}


def test_the_last_hand_takes_a_rich_trick_with_its_cheapest_trump() -> None:
    assert plays(seated(LAST_HAND, SECOND, "AC 7C KC")) == "7H"


def test_the_last_hand_brings_its_ten_home_and_keeps_the_ace() -> None:
    hands = {0: "8C 7D", 1: STRONG, 2: "9C JD JH JS", 3: "TC AC 8D 9D TD KD QD AD"}
    assert plays(seated(hands, SECOND, "8C 7C 9C")) == "TC"


def test_a_worthless_trick_is_not_worth_a_trump() -> None:
    hands = {
        0: "8S 9C KS TS 9S KC AC KD",
        1: "QC JC AH KH 9H TH 7S 9D",
        2: "8D 7D TD QD AD QS JS JD",
        3: "AS TC QH JH 8C 7C 8H 7H",
    }
    assert plays(seated(hands, SECOND, "8S 7S")) == "7D"


def test_a_rich_trick_is_ruffed_low() -> None:
    hands = {
        0: "AS 9C KS 7C 9S KC AC KD",
        1: "QC JC AH KH 9H TH TS 9D",
        2: "8D 7D TD QD AD JS 8H 7H",
        3: "8S TC QH JH 8C JD QS 7S",
    }
    assert plays(seated(hands, SECOND, "KS TS")) == "7H"


@pytest.mark.parametrize(
    ("first_club", "choice"),
    [("8C", "AC"), ("KC", "7C")],  # a low card is taken with the ace, the king is let run
)
def test_the_third_hand_takes_for_its_side_only_what_is_not_its_own(
    first_club: str, choice: str
) -> None:
    third = {"8C": "AC 7C", "KC": "TC 7C"}[first_club]
    hands = {
        0: f"{first_club} KS TS 9S 8S 7S KD TD",
        1: "QC JC AH KH 9H TH 9C 9D",
        2: f"{third} AD 8D 7D AS QS JS",
    }
    assert plays(seated(hands, SECOND, f"{first_club} 9C")) == choice


def test_the_declarer_draws_trumps() -> None:
    assert plays(seated({0: "QC JS JH AH 9H KC 9S 8S"}, FIRST)) == "QC"


def test_the_declarers_friend_leads_trumps_too() -> None:
    hands = {
        0: "AC JS TH 9H 7S 9S 8S 7D",
        1: "TC JH 8H 9D TD QD AS KS",
        2: "KC QC QS JC AH KH 7C TS",
        3: "9C 8C JD QH 7H 8D AD KD",
    }
    assert plays(seated(hands, "pass, pass, 5, pass, trump H", "AC TC 7C 8C")) == "9H"


def test_a_trump_is_not_led_when_the_opponents_have_none_left() -> None:
    table = seated(
        {
            0: "QC QS JC JS AH KH TH AS",
            1: "7H 8C 9C KC TC 7S KS TS",
            2: "9H 8H QH AC AD 7D 8S 9S",
            3: "JD JH 7C 8D 9D TD KD QD",
        },
        "7, pass, pass, pass, trump H",
        "QC 7H 8H JD  QS 8C 9H JH  JC 9C QH 7C",
    )
    assert plays(table) == "AS"


def test_a_defender_leads_an_ace_and_no_trump() -> None:
    hands = {0: "JD QS 9C 8C AS 7D KD 8S", 1: "QC JC AH KH 9H TH 7C 9S"}
    assert plays(seated(hands, "pass, 6, pass, pass, trump H")) == "AS"


def test_a_ten_is_not_led_while_higher_cards_are_out() -> None:
    hands = {0: "JD 8H TC 9C TS 9S KD TD", 1: "QC JC AH KH 9H TH 7C AS"}
    assert plays(seated(hands, "pass, 6, pass, pass, trump H")) not in ("TC", "TS", "TD")


def test_a_suit_is_led_that_the_friend_can_ruff() -> None:
    hands = {
        0: "AC 8C 9S 8S 7S 9D TD QD",
        1: "QC JC AH KH TH 9C 7C KS",
        2: "7D 8H 7H TS AD KD 8D JD",
        3: "TC AS QS JS JH QH KC 9H",
    }
    assert plays(seated(hands, SECOND, "AC 7C 7D TC")) == "8C"


def test_a_singleton_is_thrown_by_who_can_ruff() -> None:
    hands = {
        0: "8C AS TS AD QD TD KD 7D",
        1: "QC JC AH KH TH 9C 8D QH",
        2: "QS JS JD 9D 7S 8S 9S KS",
        3: "KC TC 7C AC JH 8H 9H 7H",
    }
    assert plays(seated(hands, SECOND, "8C 9C")) == "9D"
