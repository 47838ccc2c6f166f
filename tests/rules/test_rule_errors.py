"""What no rule set may be: errors name the value and what is allowed, in one line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sjavs_env.engine import Game
from sjavs_env.rules import PRESETS, make_rules
from sjavs_env.rules.checks import rule_problems
from sjavs_env.rules.parts import BlindExchange, MayBePlayed


@pytest.mark.parametrize(
    ("rules", "overrides", "message"),
    [
        ("sjafs", {}, "there are no rules named 'sjafs'; allowed: faroese, .*, gammelmandssjavs"),
        (3, {}, "rules is 3; allowed: a name or a RuleSet"),
        (None, {}, "rules is None; allowed: a name or a RuleSet"),
        ("faroese", {"trumps": 3}, "faroese has no parameter 'trumps'; allowed: deal_cut, .*lose$"),
        ("suduroy", {"payoff.single_vol": None}, "suduroy has no parameter 'payoff.single_vol'"),
        ("faroese", {"players": 3}, "players is 3 in faroese; allowed: 4$"),
        ("faroese", {"players": 4.0}, "players is 4.0 in faroese; allowed: 4$"),
        ("faroese", {"payoff": ()}, "faroese has no parameter 'payoff'; allowed: "),
        ("faroese", {"tie": "add_3"}, "tie is 'add_3'; allowed: add_2, add_2_plain.*, double$"),
        ("faroese", {"follow": 1}, "follow is 1; allowed: whist, must_overtrump"),
        ("faroese", {"all_pass": None}, "all_pass is None; allowed: redeal, play_permanents"),
        ("faroese", {"auction_mode": "Free"}, "'Free'; allowed: forced, optional_pass, free"),
        ("faroese", {"cross_rule": []}, r"cross_rule is \[\]; allowed: standard, shutout_only"),
        ("faroese", {"min_bid": 0}, "min_bid is 0; allowed: 1 to 8"),
        ("faroese", {"min_bid": 9}, "min_bid is 9; allowed: 1 to 8"),
        ("faroese", {"min_bid": True}, "min_bid is True; allowed: a value of type int"),
        ("faroese", {"min_bid": 5.0}, "min_bid is 5.0; allowed: a value of type int"),
        ("faroese", {"min_bid": "5"}, "min_bid is '5'; allowed: a value of type int"),
        ("faroese", {"start": False}, "start is False; allowed: a value of type int"),
        ("faroese", {"start": 0}, "start is 0; allowed: 1 to 255"),
        ("faroese", {"start": -24}, "start is -24; allowed: 1 to 255"),
        ("faroese", {"start": 256}, "start is 256; allowed: 1 to 255"),
        ("faroese", {"no_bid_value": 0}, "no_bid_value is 0; allowed: 1 to 10000"),
        ("faroese", {"better_rule": 1}, "better_rule is 1; allowed: a value of type bool"),
        ("faroese", {"tie_stacks": None}, "tie_stacks is None; allowed: a value of type bool"),
        ("faroese", {"deal_cut": 8}, "deal_cut is 8; allowed: a value of type str"),
        ("faroese", {"deal_cut": "4-3"}, "deal_cut is '4-3'; allowed: packets that add up to 8"),
        ("faroese", {"deal_cut": "4-4-4"}, "deal_cut is '4-4-4'; allowed: packets"),
        ("faroese", {"deal_cut": "8-0"}, "deal_cut is '8-0'; allowed: packets"),
        ("faroese", {"deal_cut": "4--4"}, "deal_cut is '4--4'; allowed: packets"),
        ("faroese", {"deal_cut": "-8"}, "deal_cut is '-8'; allowed: packets"),
        ("faroese", {"deal_cut": ""}, "deal_cut is ''; allowed: packets"),
        ("faroese", {"deal_knock": "4+4"}, r"deal_knock is '4\+4'; allowed: packets"),
        ("faroese", {"payoff.vol": 12}, "payoff.vol is 12; allowed: 2 whole numbers"),
        ("faroese", {"payoff.vol": (12,)}, r"is \(12,\); allowed: 2 whole .* \(plain, clubs\)"),
        ("faroese", {"payoff.vol": (1, 2, 3)}, r"is \(1, 2, 3\); allowed: 2 whole numbers"),
        ("faroese", {"payoff.vol": (1.5, 2)}, r"is \(1.5, 2\); allowed: 2 whole numbers"),
        ("faroese", {"payoff.vol": (-12, 16)}, r"is \(-12, 16\); allowed: 2 whole numbers from 0"),
        ("faroese", {"payoff.vol": (True, 16)}, r"is \(True, 16\); allowed: 2 whole numbers"),
        ("faroese", {"payoff.vol": "ab"}, "is 'ab'; allowed: 2 whole numbers"),
        ("faroese", {"payoff.tie": (1, 1)}, "no parameter 'payoff.tie'; (?!.*payoff.tie).*lose$"),
        ("faroese", {"payoff.tie": None}, "no parameter 'payoff.tie'; (?!.*payoff.tie).*lose$"),
        ("faroese", {"payoff.win": None}, "no payoff row .* covers 61 card points"),
        ("faroese", {"payoff.lose": None}, "no payoff row .* covers 31 card points"),
        ("faroese_wiki", {"payoff.lose": None}, "no payoff row .* covers 0 card points"),
        ("faroese", {"trump": "clubs"}, "faroese has no parameter 'trump'; allowed: deal_cut, "),
        ("faroese", {"concede": True}, "faroese has no parameter 'concede'; allowed: "),
        ("faroese", {"name_trump": "after_exchange"}, "faroese has no parameter 'name_trump'"),
        ("faroese_3", {"name_trump": "after_exchange"}, "faroese_3 has no parameter 'name_trump'"),
        ("faroese_3", {"all_pass": "play_permanents"}, "faroese_3 has no parameter 'all_pass'"),
        ("faroese_3", {"exchange": "none"}, "faroese_3 has no parameter 'exchange'; allowed: "),
        ("faroese_3", {"talon": 0}, "faroese_3 has no parameter 'talon'; allowed: "),
        ("faroese_3", {"min_bid": 11}, "min_bid is 11; allowed: 1 to 10$"),
        ("faroese_2", {"min_bid": 13}, "min_bid is 13; allowed: 1 to 12$"),
        ("faroese_3", {"deal_cut": "5-5"}, "'5-5'; allowed: packets .* 10 for each hand and 2 for"),
        ("faroese_2", {"deal_cut": "16"}, "'16'; allowed: packets .* 8 for each hand, 4 face down"),
        ("faroese_2", {"table_columns": 0}, "faroese_2 has no parameter 'table_columns'"),
        ("klorsjavs", {"min_bid": 2}, "klorsjavs has no parameter 'min_bid'; allowed: deal_cut, "),
        ("klorsjavs", {"tie": "double"}, "klorsjavs has no parameter 'tie'; allowed: "),
        ("klorsjavs", {"match_deals": 5}, "klorsjavs has no parameter 'match_deals'; allowed: "),
        ("klorsjavs", {"double_at_start": True}, "klorsjavs has no parameter 'double_at_start'"),
        ("klorsjavs", {"auction_mode": "forced"}, "'forced'; allowed: contracts, first_bid$"),
        ("faroese", {"auction_mode": "contracts"}, "allowed: forced, optional_pass, free$"),
        ("klorsjavs", {"trump": "spades"}, "trump is 'spades'; allowed: declarer, clubs$"),
        ("klorsjavs", {"name_trump": "never"}, "allowed: before_exchange, after_exchange$"),
        ("klorsjavs", {"start": 0}, "start is 0; allowed: 1 to 255"),
        ("klorsjavs", {"payoff.win": (1, 2)}, r"is \(1, 2\); allowed: 1 whole number from 0"),
        (
            "klorsjavs",
            {"payoff.concede": None},
            "concede is True; allowed: False, for no payoff row",
        ),
        ("klorsjavs", {"payoff.lose": None}, "no payoff row .* covers 0 card points"),
        ("klorsjavs", {"payoff.win": None}, "no payoff row .* covers 61 card points"),
        ("danish_4", {"payoff.win": None}, "no payoff row .* covers 58 card points"),
        ("auction_sjavs", {"concede": True}, "auction_sjavs has no parameter 'concede'"),
        ("auction_sjavs", {"contracts": ()}, "auction_sjavs has no parameter 'contracts'"),
        ("suduroy", {"solo_counts_as_single": True}, "no parameter 'solo_counts_as_single'; "),
        ("faroese", {"jan_on_tout": True}, "faroese has no parameter 'jan_on_tout'; allowed: "),
        ("auction_sjavs", {"jan_on_tout": 1}, "jan_on_tout is 1; allowed: a value of type bool"),
        ("auction_sjavs", {"match_deals": 0}, "match_deals is 0; allowed: 1 to 10000"),
        ("auction_sjavs", {"payoff.win": (1, 4, 10, 15)}, r"allowed: 2 .* \(spil, stryger\)"),
        ("auction_sjavs", {"payoff.tout_made": 10}, r"allowed: 2 .* \(tout, stroget_tout\)"),
        ("auction_sjavs", {"payoff.tout_made": None}, "row of tout_lost lets the declarers win"),
        ("auction_sjavs", {"payoff.tout_lost": None}, "row of tout_made covers 0 card points"),
    ],
)
def test_errors_name_the_value_and_what_is_allowed(
    rules: Any, overrides: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make_rules(rules, **overrides)


def test_all_problems_are_named_at_once() -> None:
    with pytest.raises(ValueError, match=r"faroese: deal_cut is '9'.*; min_bid is 12; .*start is"):
        make_rules("faroese", start=1000, min_bid=12, deal_cut="9")
    with pytest.raises(ValueError, match=r"min_bid is True.*; tie is 'x'"):
        make_rules("faroese", tie="x", min_bid=True)


@pytest.mark.parametrize(
    ("preset", "changes", "problem"),
    [
        (
            "faroese",
            {"exchange": BlindExchange},
            "exchange is blind; allowed: none, for there is n",
        ),
        ("faroese", {"concede": True}, "concede is True; allowed: False, for no payoff row prices"),
        (
            "klorsjavs",
            {"no_bid": MayBePlayed, "all_pass": "play_permanents", "no_bid_value": 4},
            "no_bid is may_be_played; allowed: redeal, for the sides are not even",
        ),
        ("klorsjavs", {"talon": 0}, "deal_cut is '3-(2)-3'; allowed: packets"),
        ("faroese_2", {"table_columns": 2}, "deal_cut is '4d-4u-8'; allowed: packets"),
    ],
)
def test_choices_that_contradict_each_other_are_problems(
    preset: str, changes: dict[str, Any], problem: str
) -> None:
    rules = PRESETS[preset].altered(**changes)
    assert any(text.startswith(problem) for text in rule_problems(rules))
    with pytest.raises(ValueError, match=f"rules {preset}: "):
        Game(rules)


def test_a_row_with_too_few_columns_is_a_problem() -> None:
    rules = PRESETS["faroese"]
    short = replace(rules.payoff[1], declarers=(-12,))
    broken = rules.altered(payoff=(*rules.payoff[:1], short, *rules.payoff[2:]))
    message = "payoff.vol has 1 values; allowed: 2, one for each of plain, clubs"
    assert rule_problems(broken) == [message]


@pytest.mark.parametrize("needs", ["jan", "start"])
def test_a_row_that_needs_what_is_no_choice_is_a_problem(needs: str) -> None:
    rules = PRESETS["faroese"]
    broken = rules.altered(payoff=(replace(rules.payoff[0], needs=needs), *rules.payoff[1:]))
    message = f"payoff.single_vol needs {needs!r}; allowed: a parameter that is true or false"
    assert rule_problems(broken) == [message]
