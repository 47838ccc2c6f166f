"""The printed rules: what a card player reads there."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Literal, get_args, get_origin

import pytest

from sjavs_env.rules import PRESETS, make_rules
from sjavs_env.rules.overrides import parameters
from sjavs_env.rules.pages.describe import describe
from sjavs_env.rules.pages.wording import CHOICES, SOURCE_TAGS
from sjavs_env.rules.structure import entries
from tests.engine.table import SJAVS
from tests.rules.page import cells, section


@pytest.mark.parametrize("name", [n for n, rules in PRESETS.items() if len(rules.pack) == 32])
def test_page_shows_the_pack_and_its_trumps(name: str) -> None:
    page = describe(PRESETS[name])
    trumps = section(page, "Trumps")
    high = "Q♣ Q♠ J♣ J♠ J♥ J♦"
    assert cells(trumps, "♣ clubs") == ["12", f"{high} A♣ K♣ T♣ 9♣ 8♣ 7♣"]
    assert cells(trumps, "♥ hearts") == ["13", f"{high} A♥ K♥ Q♥ T♥ 9♥ 8♥ 7♥"]
    assert cells(trumps, "none named") == ["6", high]
    plain = section(page, "Plain suits")
    assert cells(plain, "♠ spades") == ["6", "A♠ K♠ T♠ 9♠ 8♠ 7♠"]
    assert cells(plain, "♦ diamonds") == ["7", "A♦ K♦ Q♦ T♦ 9♦ 8♦ 7♦"]
    assert "A 11, T 10, K 4, Q 3, J 2;" in page
    assert "Together 120, so half is 60." in page


@pytest.mark.parametrize("name", PRESETS)
def test_page_names_every_parameter_with_value_and_source(name: str) -> None:
    rules = PRESETS[name]
    rows = {f"payoff.{row.name}": row.source for row in rules.payoff}
    page = section(describe(rules), "Parameters")
    for parameter, cited in {**rules.sources, **rows}.items():
        if parameter != "payoff":
            value, source = cells(page, f"`{parameter}`")
            assert value
            assert source == cited
    free, fixed = page.split("These make the game what it is and cannot be set:")
    assert set(re.findall(r"^\| `(.*?)` \|", free, re.MULTILINE)) == set(parameters(rules))
    named = set(re.findall(r"^\| `(.*?)` \|", fixed, re.MULTILINE))
    assert named.isdisjoint(parameters(rules))
    assert {"name", "ranks", "sides"} <= named


@pytest.mark.parametrize("name", PRESETS)
def test_page_lists_nothing_that_says_nothing(name: str) -> None:
    page = describe(PRESETS[name])
    assert "counts only" not in page
    assert "All can be overridden except" not in page


@pytest.mark.parametrize("name", PRESETS)
def test_players_are_they(name: str) -> None:
    assert re.findall(r"\b(?:he|him|his|himself|she|her)\b", describe(PRESETS[name])) == []


@pytest.mark.parametrize("name", SJAVS)
def test_page_tells_a_player_how_the_table_is_run(name: str) -> None:
    page = describe(PRESETS[name])
    assert "numbered from 0 clockwise" in section(page, "Players")
    assert "The first dealer is drawn by lot, unless one is named" in section(page, "Who deals")
    assert "the dealer's right-hand neighbour" in section(page, "Dealing the cards")
    assert "There is one round from forehand to dealer" in section(page, "Auction")
    assert "The first row that fits counts." in section(page, "Result of a deal")


@pytest.mark.parametrize("name", ["faroese", "suduroy", "faroese_2"])
def test_trumps_are_named_before_the_first_lead_and_points_beyond_0_lost(name: str) -> None:
    page = describe(PRESETS[name])
    naming = section(page, "Naming trumps")
    assert "Before the first lead the highest bidder openly names the trumps" in naming
    assert "points beyond 0 are worth nothing" in section(page, "Match")


PARTS = ["Players", "Pack", "Trumps", "Plain suits", "Card points", "Who deals"]
PARTS += ["Dealing the cards", "Auction"]
FAROESE = [*PARTS, "Naming trumps", "Tricks", "Result of a deal", "Ties", "Match"]
RESULT = ["Tricks", "Result of a deal", "Match"]


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("faroese", FAROESE),
        ("faroese_3", [*FAROESE[:9], "Exchange", *FAROESE[9:]]),
        ("faroese_2", FAROESE),
        ("klorsjavs", [*PARTS, "Exchange", "Giving up", *RESULT]),
        ("danish_4", [*PARTS, "Exchange", "Giving up", *RESULT]),
        ("auction_sjavs", [*PARTS, "Naming trumps", "Exchange", *RESULT]),
        ("auction_sjavs_clubs", [*PARTS, "Exchange", *RESULT]),
    ],
)
def test_page_has_the_sections_of_its_game(name: str, titles: list[str]) -> None:
    found = re.findall(r"^### \d\.\d (.+)$", describe(PRESETS[name]), re.MULTILINE)
    about = ["Notes on the sources", "Parameters", "Sources"]
    assert found == [*titles, *about]


@pytest.mark.parametrize("name", PRESETS)
def test_every_source_tag_is_explained(name: str) -> None:
    rules = PRESETS[name]
    page = describe(rules)
    cited = " ".join([*rules.sources.values(), *(row.source for row in rules.payoff)])
    for tag in re.findall(r"\b(?:[A-Z]{2,}|S\d[a-z]?)(?:-[a-z])?\b", cited):
        assert cells(page, tag) == [SOURCE_TAGS[tag]]


def test_every_word_a_parameter_can_be_has_its_sentence() -> None:
    found = [entry for rules in PRESETS.values() for entry in entries(rules)]
    of_seats = {"six_timing", "weis", "meld_selection", "stock", "rank_tie", "bag"}
    assert {"sides", "auction_mode", "all_pass", "exchange", "follow"} | of_seats == set(CHOICES)
    for parameter, sentences in CHOICES.items():
        hints = [entry.hint for entry in found if entry.name == parameter]
        words = {word for hint in hints for word in get_args(hint)}
        if parameter == "exchange":  # a part, so each kind has a sentence
            words = {getattr(kind, "kind", "none") for kind in words}
        else:
            assert {get_origin(hint) for hint in hints} == {Literal}
        assert set(sentences) == words, parameter


def test_table_of_results_of_the_torshavn_game() -> None:
    page = section(describe(PRESETS["faroese"]), "Result of a deal")
    expected = {
        "single_vol": ["all 8 tricks, won by one of them", "declarers", "16", "24"],
        "vol": ["all 8 tricks (vol)", "declarers", "12", "16"],
        "win_90": ["90 card points or more", "declarers", "4", "8"],
        "win": ["61 to 89 card points", "declarers", "2", "4"],
        "tie": ["60 card points", "nobody", "–", "–"],
        "lose_no_trick": ["no trick", "defenders", "16", "16"],
        "lose_30": ["30 card points or fewer (jan)", "defenders", "8", "16"],
        "lose": ["31 to 59 card points", "defenders", "4", "8"],
    }
    for row, texts in expected.items():
        assert cells(page, f"`{row}`") == texts
    assert page.count("\n| `") == len(expected)
    assert cells(page, "row")[2:] == ["plain (♠ ♥ ♦)", "clubs (♣)"]
    assert "without a bid" not in page


def test_torshavn_auction_is_forced_and_clubs_come_first() -> None:
    page = describe(PRESETS["faroese"])
    auction = section(page, "Auction")
    assert "The ladder: 5, 5 better, 6, 6 better, 7, 7 better, 8, 8 better." in auction
    assert "Nothing is left to choose" in auction
    assert "the same dealer deals again" in auction
    assert "exactly the length announced" in page
    assert "it must be clubs" in section(page, "Naming trumps")
    assert "packets of 4 and 4 if" in page
    assert "8 at once if they knock on it instead" in page
    assert cells(section(page, "Ties"), "either side") == ["+2", "+2"]
    match = section(page, "Match")
    assert "A cross is the mark for a rubber that is won: the winners get one, or two if" in match
    assert 'OURS: nothing of the same length beats "better"' in cells(page, "`better_rule`")[1]


def test_smith_explains_at_least_four() -> None:
    page = describe(PRESETS["faroese_smith"])
    notes = section(page, "Notes on the sources")
    assert "all four suits are five long. GM, Smith's own text, has five." in notes
    assert "S0's editor takes five for a slip" in cells(page, "`min_bid`")[1]


def test_smith_doubles_after_a_tie() -> None:
    ties = section(describe(PRESETS["faroese_smith"]), "Ties")
    assert "Its value is doubled." in ties
    assert "count as one" in ties


@pytest.mark.parametrize("stacks", [True, False])
def test_doubling_after_ties_in_a_row_never_compounds(stacks: bool) -> None:
    ties = section(describe(make_rules("faroese", tie="double", tie_stacks=stacks)), "Ties")
    assert "Ties in a row count as one." in ties
    assert "add up" not in ties


def test_faroese_wikipedia_plays_a_deal_without_a_bid() -> None:
    page = describe(PRESETS["faroese_wiki"])
    assert "with the permanent trumps as the only trumps" in section(page, "Auction")
    results = section(page, "Result of a deal")
    assert "the side with 61 card points or more subtracts 4" in results
    assert cells(results, "`lose`")[0] == "59 card points or fewer"
    assert cells(section(page, "Ties"), "either side") == ["+2", "+4", "+2"]
    assert cells(page, "`force_clubs_on_equal`")[1] == "S0 IM-j IM-o; S3f does not say"
    assert cells(page, "`cross_rule`")[1].startswith("OURS: ")
    assert 'cross_rule="shutout_only"' in section(page, "Notes on the sources")


def test_suduroy_deals_three_two_three_and_counts_no_double_win() -> None:
    page = describe(PRESETS["suduroy"])
    assert "packets of 3, 2 and 3 if" in page
    assert "`single_vol`" not in page
    assert cells(section(page, "Ties"), "declarers") == ["+2", "+2"]
    assert cells(section(page, "Ties"), "defenders") == ["+4", "+4"]
    assert ": the winners get one. Players" in section(page, "Match")
    assert cells(page, "`cross_rule`")[1] == "S3p: one cross"


def test_a_deal_without_a_bid_has_no_declarers_when_a_tie_pays() -> None:
    ties = section(describe(make_rules("suduroy", all_pass="play_permanents")), "Ties")
    assert cells(ties, "declarers") == ["+2", "+2", "–"]
    assert cells(ties, "defenders") == ["+4", "+4", "–"]
    assert cells(ties, "either side") == ["–", "–", "+2"]


@pytest.mark.parametrize("name", [n for n in PRESETS if n.startswith(("faroese", "suduroy"))])
def test_every_faroese_page_tells_who_deals_first_and_after_a_misdeal(name: str) -> None:
    page = describe(PRESETS[name])
    notes = section(page, "Notes on the sources")
    assert "the player who keeps the score (S3f), or is found by cutting (CC)." in notes
    assert "After a misdeal the next player deals (S3f)." in notes
    assert ("add 2, and so does `faroese`" in notes) == (name == "faroese")


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_to_several_crosses_is_told_by_the_word_that_the_environments_have(
    name: str,
) -> None:
    match = section(describe(PRESETS[name]), "Match")
    assert "the crosses stay and the deal moves on to the next player." in match
    assert '`episode="rubber"` with `crosses=N`' in match
    assert ("exactly 6 left is said to be on the hook" in match) == (
        "The match is a rubber" in match
    )


def test_free_auction_leaves_the_choice_to_the_players() -> None:
    page = describe(PRESETS["faroese_free"])
    assert "may pass" in section(page, "Auction")
    assert 'may say "better"' in section(page, "Auction")
    assert "at least the length announced" in section(page, "Naming trumps")
    assert "the choice is free" in section(page, "Naming trumps")


def test_overridden_values_are_marked() -> None:
    rules = make_rules("faroese", tie="double", **{"payoff.vol": (10, 14), "payoff.win_90": None})
    page = describe(rules)
    assert "with `payoff.vol`, `payoff.win_90`, `tie` overridden." in page
    listed = section(page, "Parameters")
    assert cells(listed, "`payoff.vol`") == ["10,14", "**override**"]
    assert cells(listed, "`payoff.win_90`") == ["null", "**override**"]
    assert cells(listed, "`tie`") == ["double", "**override**"]
    assert cells(page, "`win`")[0] == "61 card points or more"


@pytest.mark.parametrize(
    ("overrides", "text"),
    [
        ({"better_rule": False}, "An equal length never outbids the number that stands."),
        ({"better_rule": False}, "The ladder: 5, 6, 7, 8."),
        ({"auction_mode": "optional_pass"}, 'just that length may say "better"'),
        ({"follow": "must_overtrump"}, "must beat a trump that is already in the trick"),
        ({"cross_rule": "shutout_only"}, "the winners get none, or one if"),
        ({"tie_stacks": False}, "Ties in a row count as one."),
        ({"start": 30}, "Both sides start with 30"),
    ],
)
def test_override_shows_in_the_text(overrides: dict[str, Any], text: str) -> None:
    assert text in describe(make_rules("faroese", **overrides))
    assert text not in describe(make_rules("faroese"))


def test_row_that_can_never_decide_is_shown_as_such() -> None:
    faroese = PRESETS["faroese"]
    twice = replace(faroese.payoff[-1], name="again")
    page = describe(faroese.altered(payoff=(*faroese.payoff, twice)))
    assert cells(page, "`again`")[0] == "never: earlier rows decide"


def test_unsound_rules_have_no_page() -> None:
    with pytest.raises(ValueError, match="min_bid is 9; allowed: 1 to 8"):
        describe(PRESETS["faroese"].altered(min_bid=9))
