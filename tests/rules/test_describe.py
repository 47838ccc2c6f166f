"""The printed rules: what a card player reads there, and the command that prints it."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from sjavs_env.__main__ import PAGES, main
from sjavs_env.rules import ALIASES, PRESETS, RuleSet, make_rules
from sjavs_env.rules.describe import describe
from sjavs_env.rules.wording import CHOICES, SOURCE_TAGS

ROOT = Path(__file__).parents[2]


def cells(page: str, first: str) -> list[str]:
    """Return the other cells of the table row that begins with ``first``."""
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line[:1] == "|"]
    found = [row[1:] for row in rows if row[0] == first]
    assert len(found) == 1, f"{len(found)} rows begin with {first}"
    return found[0]


def section(page: str, title: str) -> str:
    return page.split(f"## {title}\n")[1].split("\n## ")[0]


def refused(arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that must fail, and return its line on stderr."""
    assert main(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


# the pages of the documentation


def test_stored_pages_are_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["docs", "--check"]) == 0


def test_every_rule_set_has_a_page_and_every_page_a_rule_set() -> None:
    stored = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")}
    assert stored == set(PRESETS)


def test_docs_are_written_once_and_then_fresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["docs"]) == 0
    assert capsys.readouterr().out.count("wrote") == len(PAGES)
    assert main(["docs"]) == 0
    assert capsys.readouterr().out == ""
    assert {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.md")} == set(PAGES)


def test_check_names_the_stale_page_and_mends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    main(["docs"])
    page = tmp_path / "docs" / "rules" / "suduroy.md"
    page.write_text("old", encoding="utf-8")
    capsys.readouterr()
    assert main(["docs", "--check"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "docs/rules/suduroy.md is stale; `python -m sjavs_env docs` writes it"
    ]
    assert page.read_text(encoding="utf-8") == "old"


# what the pages say


@pytest.mark.parametrize("name", PRESETS)
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
    page = section(describe(rules), "All parameters")
    for parameter, cited in {**rules.sources, **rows}.items():
        if parameter != "payoff":
            value, source = cells(page, f"`{parameter}`")
            assert value
            assert source == cited
    fixed = page.split("overridden except ")[1].split("\n")[0]
    assert "`payoff.tie`" in fixed
    assert fixed.count("payoff.") == 1


@pytest.mark.parametrize("name", PRESETS)
def test_page_tells_a_player_how_the_table_is_run(name: str) -> None:
    page = describe(PRESETS[name])
    assert "clockwise" in section(page, "Players")
    assert "the dealer's right-hand neighbour cuts" in section(page, "Deal")
    naming = section(page, "Naming trumps")
    assert "Before the first lead the highest bidder openly names the trumps" in naming
    assert "points beyond 0 are worth nothing" in section(page, "Rubber")


@pytest.mark.parametrize("name", PRESETS)
def test_every_source_tag_is_explained(name: str) -> None:
    rules = PRESETS[name]
    page = describe(rules)
    cited = " ".join([*rules.sources.values(), *(row.source for row in rules.payoff)])
    for tag in re.findall(r"\b(?:[A-Z]{2,}|S\d[a-z]?)(?:-[a-z])?\b", cited):
        assert cells(page, tag) == [SOURCE_TAGS[tag]]


def test_every_word_a_parameter_can_be_has_its_sentence() -> None:
    hints = get_type_hints(RuleSet)
    for parameter, sentences in CHOICES.items():
        assert get_origin(hints[parameter]) is Literal
        assert set(sentences) == set(get_args(hints[parameter]))


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
    assert "8 at once if he knocks" in page
    assert cells(section(page, "Ties"), "defenders") == ["+2", "+2"]
    assert "1, or 2 if the losers still have 24." in section(page, "Rubber")
    assert 'OURS: nothing of the same length beats "better"' in cells(page, "`better_rule`")[1]


def test_smith_doubles_after_a_tie() -> None:
    ties = section(describe(PRESETS["faroese_smith"]), "Ties")
    assert "multiplied by 2" in ties
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
    assert cells(section(page, "Ties"), "declarers") == ["+2", "+4", "+2"]
    assert cells(page, "`force_clubs_on_equal`")[1] == "S0 IM-j IM-o; S3f does not say"
    assert cells(page, "`cross_rule`")[1].startswith("OURS: ")
    assert 'cross_rule="shutout_only"' in section(page, "Notes")


def test_suduroy_deals_three_two_three_and_counts_no_double_win() -> None:
    page = describe(PRESETS["suduroy"])
    assert "packets of 3, 2 and 3 if" in page
    assert "`single_vol`" not in page
    assert cells(section(page, "Ties"), "declarers") == ["+2", "+2"]
    assert cells(section(page, "Ties"), "defenders") == ["+4", "+4"]
    assert "Crosses for it: 1." in section(page, "Rubber")
    assert cells(page, "`cross_rule`")[1] == "S3p: one cross"


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
    listed = section(page, "All parameters")
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
        ({"follow": "must_overtrump"}, "must beat a trump that already lies in the trick"),
        ({"cross_rule": "shutout_only"}, "Crosses for it: 0, or 1 if"),
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
    page = describe(replace(faroese, payoff=(*faroese.payoff, twice)))
    assert cells(page, "`again`")[0] == "never: earlier rows decide"


def test_unsound_rules_have_no_page() -> None:
    with pytest.raises(ValueError, match="min_bid is 9; allowed: 1 to 8"):
        describe(replace(PRESETS["faroese"], min_bid=9))


# the command


def test_rules_without_a_name_lists_all_with_their_aliases(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(PRESETS)
    for alias, name in ALIASES.items():
        assert alias in lines[list(PRESETS).index(name)]


def test_rules_prints_the_page_of_an_alias(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "torshavn"]) == 0
    assert capsys.readouterr().out == describe(PRESETS["faroese"])


@pytest.mark.parametrize(
    ("settings", "overrides"),
    [
        ("payoff.vol=10,14", {"payoff.vol": (10, 14)}),
        ("payoff.vol=[10,14]", {"payoff.vol": [10, 14]}),
        ("payoff.single_vol=null", {"payoff.single_vol": None}),
        ("tie=double", {"tie": "double"}),
        ("better_rule=false", {"better_rule": False}),
        ("deal_knock=8 deal_cut=2-4-2", {"deal_knock": "8", "deal_cut": "2-4-2"}),
        ("min_bid=6 --set start=30", {"min_bid": 6, "start": 30}),
    ],
)
def test_set_overrides_a_parameter(
    settings: str, overrides: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "faroese", "--set", *settings.split()]) == 0
    assert capsys.readouterr().out == describe(make_rules("faroese", **overrides))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("rules bridge", "there are no rules named 'bridge'; allowed: faroese, "),
        ("rules faroese --set tie=triple", "tie is 'triple'; allowed: add_2, "),
        ("rules faroese --set vol=1,2", "faroese has no parameter 'vol'; allowed: "),
        ("rules faroese --set payoff.vol=1,2,3", "payoff.vol is (1, 2, 3); allowed: 2 whole"),
        ("rules faroese --set payoff.vol=a,b", "payoff.vol is 'a,b'; allowed: 2 whole"),
        ("rules faroese --set payoff.lose=null", "no payoff row of"),
        ("rules faroese --set min_bid=9", "min_bid is 9; allowed: 1 to 8"),
        ("rules faroese --set min_bid=five", "min_bid is 'five'; allowed: a value of type int"),
        ("rules faroese --set players=3", "faroese has no parameter 'players'"),
        ("rules faroese --set tie", "'tie' is not of the form key=value"),
        ("rules --set tie=double", "--set needs the name of a rule set"),
        (f"rules faroese --set payoff.vol=1,{10**30}", "sjavs_env: "),
    ],
)
def test_bad_name_or_value_is_refused_in_one_line(
    arguments: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert text in refused(arguments, capsys)


def test_module_runs_as_a_program() -> None:
    command = [sys.executable, "-m", "sjavs_env", "rules", "bridge"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("sjavs_env: there are no rules named 'bridge'")
    assert run.stderr.count("\n") == 1
