"""Rule sets: names, overrides, errors that say what is allowed, and the JSON form."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from typing import Any

import pytest

from sjavs_env.rules import ALIASES, PRESETS, RuleSet, make_rules, rules_from_json, rules_to_json
from sjavs_env.rules.ruleset import PayoffRow, parameters

NOT_CITED = {"sources", "notes"}
SAMPLE: dict[str, list[Any]] = {  # values of every parameter that no preset has by default
    "deal_cut": ["2-6", "1-1-1-1-1-1-1-1"],
    "deal_knock": ["4-4"],
    "min_bid": [1, 4, 6, 8],
    "auction_mode": ["optional_pass"],
    "better_rule": [False],
    "force_clubs_on_equal": [True, False],
    "all_pass": ["redeal", "play_permanents"],
    "follow": ["must_overtrump"],
    "no_bid_value": [1, 6],
    "tie": ["add_2", "add_2_plain_4_clubs", "add_2_declarers_4_defenders", "double"],
    "tie_stacks": [True, False],
    "start": [1, 30, 255],
    "double_at_start": [True, False],
    "cross_rule": ["shutout_only"],
    "payoff.single_vol": [(20, 30), None],
    "payoff.vol": [(10, 14), None],
    "payoff.win_90": [(3, 6), None],
    "payoff.win": [(1, 3), (0, 0)],
    "payoff.lose_no_trick": [(12, 24), None],
    "payoff.lose_30": [(6, 12), None],
    "payoff.lose": [(5, 7)],
}


def payoff(rules: RuleSet, name: str) -> PayoffRow:
    """Return a row of the table of results."""
    return next(row for row in rules.payoff if row.name == name)


def samples() -> list[tuple[str, str, Any]]:
    """Every preset with every sample value of every parameter it has."""
    return [
        (preset, name, value)
        for preset, rules in PRESETS.items()
        for name in parameters(rules)
        for value in SAMPLE.get(name, [])
    ]


# Presets


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_sound_and_called_by_its_key(preset: str) -> None:
    assert PRESETS[preset].problems() == []
    assert PRESETS[preset].name == preset
    assert make_rules(preset) == PRESETS[preset]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_field_of_every_preset_has_a_source(preset: str) -> None:
    rules = PRESETS[preset]
    wanted = {f.name for f in fields(RuleSet)} - NOT_CITED
    assert set(rules.sources) == wanted
    assert [name for name, source in rules.sources.items() if not source.strip()] == []
    assert [row.name for row in rules.payoff if not row.source.strip()] == []


def test_a_row_of_the_table_of_results_cites_those_that_have_it() -> None:
    torshavn = {row.name: row.source for row in PRESETS["faroese"].payoff}
    assert torshavn["single_vol"] == "S3f S3p IM-j IM-o"
    assert torshavn["vol"] == "S3f IM-j IM-o IM-g"
    assert torshavn["lose_no_trick"].startswith("S3p IM-j IM-o; OURS: ")
    assert torshavn["lose_30"] == "S3p IM-j IM-o IM-g"
    assert {torshavn[name] for name in ("win_90", "win", "tie", "lose")} == {"all sources"}
    assert payoff(PRESETS["faroese_wiki"], "lose").source.startswith("S3f: ")
    assert all(row.source.startswith("unverified") for row in PRESETS["faroese_smith"].payoff)


def test_the_source_of_a_row_makes_no_other_rules() -> None:
    rules = PRESETS["faroese"]
    other = replace(rules, payoff=tuple(replace(row, source="?") for row in rules.payoff))
    assert (other, repr(other)) == (rules, repr(rules))


def test_presets_have_the_values_of_the_rules() -> None:
    def values(name: str) -> list[Any]:
        return [getattr(rules, name) for rules in PRESETS.values()]

    assert list(PRESETS) == ["faroese", "faroese_smith", "faroese_wiki", "suduroy", "faroese_free"]
    assert values("deal_cut") == ["4-4", "4-4", "4-4", "3-2-3", "4-4"]
    assert values("deal_knock") == ["8"] * 5
    assert values("min_bid") == [5] * 5
    assert values("auction_mode") == ["forced"] * 4 + ["free"]
    assert values("better_rule") == [True] * 5
    assert values("force_clubs_on_equal") == [True] * 4 + [False]
    assert values("all_pass") == ["redeal", "redeal", "play_permanents", "redeal", "redeal"]
    assert values("follow") == ["whist"] * 5
    assert values("tie") == [
        "add_2",
        "double",
        "add_2_plain_4_clubs",
        "add_2_declarers_4_defenders",
        "add_2",
    ]
    assert values("tie_stacks") == [True, False, True, True, True]
    assert values("start") == [24] * 5
    assert values("double_at_start") == [True, True, True, False, True]
    assert values("cross_rule") == ["standard"] * 5
    assert values("no_bid_value") == [4] * 5


@pytest.mark.parametrize("preset", PRESETS)
def test_payoff_rows_of_the_presets(preset: str) -> None:
    wanted: dict[str, tuple[int, int]] = {
        "single_vol": (16, 24),
        "vol": (12, 16),
        "win_90": (4, 8),
        "win": (2, 4),
        "tie": (0, 0),
        "lose_no_trick": (16, 16),
        "lose_30": (8, 16),
        "lose": (4, 8),
    }
    for name in {"suduroy": ["single_vol"], "faroese_wiki": ["lose_no_trick", "lose_30"]}.get(
        preset, []
    ):
        del wanted[name]
    rows = PRESETS[preset].payoff
    assert {row.name: row.amounts for row in rows} == wanted
    assert [row.name for row in rows] == list(wanted)
    for row in rows:
        assert all(x <= 0 for x in row.declarers + row.defenders)
        assert not (any(row.declarers) and any(row.defenders))
        assert any(row.declarers) == (row.winner == "declarers")


def test_aliases_name_a_preset_and_the_default_is_the_torshavn_game() -> None:
    assert set(ALIASES) == {"pagat", "torshavn", "gammelmandssjavs"}
    for alias, name in ALIASES.items():
        assert make_rules(alias) is not None
        assert make_rules(alias) == PRESETS[name] == PRESETS["faroese"] == make_rules()


def test_presets_and_aliases_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PRESETS["mine"] = PRESETS["faroese"]  # type: ignore[index]  # what the test is about
    with pytest.raises(AttributeError):
        PRESETS["faroese"].start = 12  # type: ignore[misc]  # what the test is about


# Overrides


@pytest.mark.parametrize(("preset", "name", "value"), samples())
def test_an_override_changes_its_own_value_alone_and_is_its_own_source(
    preset: str, name: str, value: Any
) -> None:
    base, rules = PRESETS[preset], make_rules(preset, **{name: value})
    if name.startswith("payoff."):
        row = name.removeprefix("payoff.")
        kept = {r.name: r for r in rules.payoff}
        if value is None:
            assert row not in kept
        else:
            assert kept[row].amounts == value
            assert kept[row].winner == payoff(base, row).winner
        assert [r for r in rules.payoff if r.name != row] == [
            r for r in base.payoff if r.name != row
        ]
        assert replace(rules, payoff=base.payoff) == base
    else:
        assert getattr(rules, name) == value
        assert replace(rules, **{name: getattr(base, name)}) == base
    assert rules.sources[name] == "override"
    assert {k: v for k, v in rules.sources.items() if k != name} == {
        k: v for k, v in base.sources.items() if k != name
    }


def test_every_parameter_is_sampled_here() -> None:
    offered = {name for rules in PRESETS.values() for name in parameters(rules)}
    assert offered == set(SAMPLE)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_row_that_pays_nobody_is_no_parameter(preset: str) -> None:
    rules = PRESETS[preset]
    paying = {f"payoff.{row.name}" for row in rules.payoff} - {"payoff.tie"}
    assert {name for name in parameters(rules) if name.startswith("payoff.")} == paying


def test_overrides_can_be_put_on_top_of_overrides() -> None:
    rules = make_rules(make_rules("suduroy", start=12), tie="double")
    assert rules == make_rules("suduroy", tie="double", start=12)


@pytest.mark.parametrize("row", ["win", "lose"])
def test_a_row_set_to_nothing_can_be_given_amounts_again(row: str) -> None:
    name = f"payoff.{row}"
    emptied = make_rules("faroese", **{name: (0, 0)})
    assert make_rules(emptied, **{name: (2, 4)}) == make_rules("faroese", **{name: (2, 4)})


# Errors name the value and what is allowed


@pytest.mark.parametrize(
    ("rules", "overrides", "message"),
    [
        ("sjafs", {}, "there are no rules named 'sjafs'; allowed: faroese, .*, gammelmandssjavs"),
        (3, {}, "rules is 3; allowed: a name or a RuleSet"),
        (None, {}, "rules is None; allowed: a name or a RuleSet"),
        ("faroese", {"trumps": 3}, "faroese has no parameter 'trumps'; allowed: deal_cut, .*lose$"),
        ("suduroy", {"payoff.single_vol": None}, "suduroy has no parameter 'payoff.single_vol'"),
        ("faroese", {"players": 3}, "faroese has no parameter 'players'; allowed: "),
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


def test_a_row_with_too_few_columns_is_a_problem() -> None:
    rules = PRESETS["faroese"]
    short = replace(payoff(rules, "vol"), declarers=(-12,))
    broken = replace(rules, payoff=(*rules.payoff[:1], short, *rules.payoff[2:]))
    message = "payoff.vol has 1 values; allowed: 2, one for each of plain, clubs"
    assert broken.problems() == [message]


# JSON


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_in_json_is_its_name_and_version(preset: str) -> None:
    data = rules_to_json(PRESETS[preset])
    assert data == {"name": preset, "version": 1, "overrides": {}}
    assert rules_from_json(data) == PRESETS[preset]
    assert rules_from_json({"name": preset}) == PRESETS[preset]


@pytest.mark.parametrize(("preset", "name", "value"), samples())
def test_every_override_comes_back_from_json(preset: str, name: str, value: Any) -> None:
    rules = make_rules(preset, **{name: value})
    data = json.loads(json.dumps(rules_to_json(rules)))
    if rules == PRESETS[preset]:
        assert data["overrides"] == {}
    else:
        wanted = list(value) if isinstance(value, tuple) else value
        assert data["overrides"] == {name: wanted}
    assert rules_from_json(data) == rules


@pytest.mark.parametrize("preset", PRESETS)
def test_all_overrides_together_come_back_from_json(preset: str) -> None:
    names = [name for name in parameters(PRESETS[preset]) if name in SAMPLE]
    rules = make_rules(preset, **{name: SAMPLE[name][0] for name in names})
    again = rules_from_json(json.loads(json.dumps(rules_to_json(rules))))
    assert again == rules
    assert rules_to_json(again) == rules_to_json(rules)


def test_an_alias_in_json_means_its_preset() -> None:
    assert rules_from_json({"name": "torshavn", "overrides": {"start": 12}}) == make_rules(start=12)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "rules are {}; allowed: name, version, overrides"),
        ({"version": 1}, "allowed: name, version, overrides"),
        ({"name": "faroese", "rules": 1}, "'rules': 1}; allowed: name, version, overrides"),
        ({"name": "bridge"}, "there are no rules named 'bridge'; allowed: faroese"),
        ({"name": ["faroese"]}, "rules is ['faroese']; allowed: a name"),
        (
            {"name": "faroese", "version": 2},
            "rules faroese have version 2; this program plays version 1",
        ),
        ({"name": "faroese", "version": None}, "have version None"),
        ({"name": "faroese", "overrides": {"tie": "?"}}, "tie is '?'; allowed: add_2"),
        ({"name": "faroese", "overrides": {"name": "x"}}, "has no parameter 'name'; allowed:"),
        ({"name": "faroese", "overrides": {"payoff.vol": [1]}}, "payoff.vol is [1]; allowed: 2"),
        ({"name": "faroese", "overrides": {"rules": "x"}}, "has no parameter 'rules'"),
    ],
)
def test_bad_json_is_refused_with_what_is_allowed(data: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        rules_from_json(data)
