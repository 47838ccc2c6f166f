"""The maxims of the rule player where all play for themselves; hearts are trumps.

Seat 0 leads.  By the simple rules a player must beat the trick or trump; by the strict ones they
may trump whenever they like.
"""

from __future__ import annotations

import pytest

from sjavs_agents.registry import make_agent
from tests.agents.seats import choice_at
from tests.engine.handjass_table import HandjassTable

BOTH = pytest.mark.parametrize("name", ["rules", "expert"])
RULES = pytest.mark.parametrize("preset", ["handjass", "handjass_strict"])


def plays(name: str, preset: str, hands: list[str], trick: str = "") -> str:
    """What the next seat plays to a trick."""
    table = HandjassTable(preset=preset, players=len(hands))
    table.hold(hands, "H")
    table.play(*trick.split())
    return choice_at(table, make_agent(name, table.game))


@BOTH
@RULES
def test_a_rich_trick_is_ruffed_with_the_lowest_trump_that_takes_it(name: str, preset: str) -> None:
    """The king would bring four points home, but it takes a trick of its own later."""
    hands = ["AC 6D", "KC 6S", "TC 7S", "7H KH 8D"]
    assert plays(name, preset, hands, "AC KC TC") == "7H"


@BOTH
def test_a_worthless_trick_is_not_worth_a_trump(name: str) -> None:
    hands = ["9C 6D", "8C 6S", "7C 7S", "8H KH 8D"]
    assert plays(name, "handjass_strict", hands, "9C 8C 7C") == "8D"


@BOTH
@pytest.mark.parametrize(("preset", "choice"), [("handjass", "8C"), ("handjass_strict", "7H")])
def test_a_rich_trick_is_ruffed_by_who_could_follow_where_he_may(
    name: str, preset: str, choice: str
) -> None:
    hands = ["AC 6D", "KC 6S", "TC 7S", "7H JH 8C"]
    assert plays(name, preset, hands, "AC KC TC") == choice


@BOTH
@RULES
def test_nobody_is_a_friend_whose_trick_gets_a_ten(name: str, preset: str) -> None:
    """Seat 2 would be the leader's partner in a game of partners."""
    hands = ["AC 6D", "9C 6S", "8C TC KC", "7C 7S"]
    assert plays(name, preset, hands, "AC 9C") == "8C"


@BOTH
@RULES
def test_the_last_hand_takes_the_trick_with_the_card_that_is_worth_most(
    name: str, preset: str
) -> None:
    hands = ["QS 6D", "9S 6S", "8S 7S", "TS AS KD"]
    assert plays(name, preset, hands, "QS 9S 8S") == "AS"


@BOTH
@RULES
def test_a_ten_is_not_led_while_higher_cards_are_out(name: str, preset: str) -> None:
    hands = ["TC 9S 8D", "KC AS 9D", "AC 7S TD", "JC 8S QD"]
    assert plays(name, preset, hands) != "TC"


@BOTH
@pytest.mark.parametrize(("preset", "choice"), [("handjass", "AC"), ("handjass_strict", "8D")])
def test_an_ace_is_led_where_it_can_be_ruffed_only_by_who_is_void(
    name: str, preset: str, choice: str
) -> None:
    hands = ["AC TS 8D 7H", "KC AS 9D 8H", "QC 9S TD QH", "JC 8S QD KH"]
    assert plays(name, preset, hands) == choice


@BOTH
def test_a_low_card_is_played_before_opponents_who_may_ruff(name: str) -> None:
    """Seat 1 could take the ten with its king, which seats 2 and 3 may trump."""
    hands = ["TD 7S 6S", "TC KD 9D", "AC 8D QD", "JC 8S JD"]
    assert plays(name, "handjass_strict", hands, "TD") == "9D"


@BOTH
def test_the_cheaper_trump_is_played_where_trumping_is_forced(name: str) -> None:
    hands = ["QC 7S 6S", "8H 9H 6D", "AC 8D QD", "TC 8S JD"]
    assert plays(name, "handjass", hands, "QC") == "8H"
