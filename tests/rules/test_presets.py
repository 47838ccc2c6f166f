"""The presets: every value as the rules have it, every value with a source."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sjavs_env.rules import ALIASES, PRESETS, RuleSet, make_rules
from sjavs_env.rules.checks import rule_problems
from sjavs_env.rules.games.presets import plain_name
from sjavs_env.rules.pages.wording import SOURCE_TAGS
from sjavs_env.rules.parts import Payoff, PayoffRow
from sjavs_env.rules.structure import entries

# nothing to cite: cards that no game but one counts or ranks otherwise, a talon that is not there
UNCITED = {"trump_order", "trump_points", "talon"}

TORSHAVN: dict[str, Any] = {
    "players": 4,
    "sides": "partners",
    "direction": "clockwise",
    "ranks": "AKQJT987",
    "dropped": "",
    "permanent_trumps": "QC QS JC JS JH JD",
    "plain_order": "AKQT987",
    "points": (("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2)),
    "talon": 0,
    "table_columns": 0,
    "deal_cut": "4-4",
    "deal_knock": "8",
    "auction": "lengths",
    "min_bid": 5,
    "auction_mode": "forced",
    "better_rule": True,
    "force_clubs_on_equal": True,
    "all_pass": "redeal",
    "no_bid_value": 4,
    "exchange": None,
    "follow": "whist",
    "scoring": "payoff",
    "payoff_columns": ("plain", "clubs"),
    "concede": None,
    "solo_counts_as_single": None,
    "jan_on_tout": None,
    "match": "first_out_wins",
    "tie": "add_2",
    "tie_stacks": True,
    "start": 24,
    "double_at_start": True,
    "cross_rule": "standard",
}
ALONE = {"players": 3, "sides": "alone", "talon": 2}
KLORSJAVS = {
    **ALONE,
    "ranks": "AKQJ5",
    "plain_order": "AKQ5",
    "points": (("A", 11), ("5", 10), ("K", 4), ("Q", 3), ("J", 2)),
    "deal_cut": "3-(2)-3",
    "deal_knock": "3-(2)-3",
    "auction": "contracts",
    "contracts": (("play", "play", True),),
    "auction_mode": "first_bid",
    "no_bid": "redeal",
    "trump": "clubs",
    "exchange": "all_or_nothing",
    "name_trump": "after_exchange",
    "concede": True,
    "payoff_columns": ("play",),
    "ties": None,
    "match": "first_out_loses",
    "start": 60,
}
AUCTION = {
    **KLORSJAVS,
    "ranks": "AKQJT",
    "plain_order": "AKQT",
    "points": (("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2)),
    "contracts": (
        ("spil", "spil", True),
        ("stryger", "stryger", False),
        ("tout", "tout", True),
        ("stroget tout", "stroget_tout", False),
    ),
    "auction_mode": "contracts",
    "trump": "declarer",
    "concede": None,
    "jan_on_tout": False,
    "payoff_columns": ("spil", "stryger", "tout", "stroget_tout"),
    "match": "deals",
    "match_deals": 12,
    "start": 0,
}
DIFFERENCES: dict[str, dict[str, Any]] = {
    "faroese": {},
    "faroese_smith": {"tie": "double", "tie_stacks": False},
    "faroese_wiki": {
        "all_pass": "play_permanents",
        "tie": "add_2_plain_4_clubs",
    },
    "suduroy": {
        "deal_cut": "3-2-3",
        "tie": "add_2_declarers_4_defenders",
        "double_at_start": False,
    },
    "faroese_free": {"auction_mode": "free", "force_clubs_on_equal": False},
    "faroese_3": {
        **ALONE,
        "deal_cut": "3-(1)-4-(1)-3",
        "deal_knock": "10(1)",
        "no_bid": "redeal",
        "exchange": "blind",
        "solo_counts_as_single": False,
    },
    "faroese_2": {
        "players": 2,
        "sides": "alone",
        "table_columns": 4,
        "deal_cut": "4d-4u-8",
        "deal_knock": "4d-4u-8",
        "solo_counts_as_single": False,
    },
    "klorsjavs": KLORSJAVS,
    "danish_4": {
        **KLORSJAVS,
        "players": 4,
        "dropped": "QH QD",
        "deal_cut": "2-(2)-2",
        "deal_knock": "2-(2)-2",
    },
    "auction_sjavs": AUCTION,
    "auction_sjavs_clubs": {**AUCTION, "trump": "clubs"},
}
# what a game with contracts lacks: lengths, deals without a bid, ties, crosses for 24-0
LACKING = {"min_bid", "better_rule", "force_clubs_on_equal", "all_pass", "no_bid_value"}
LACKING |= {"tie", "tie_stacks", "double_at_start", "cross_rule"}

Row = tuple[str, str, tuple[int, int], str, tuple[int, ...], tuple[int, ...]]
SINGLE: Row = ("single_vol", "declarers", (0, 120), "all_by_one", (-16, -24), (0, 0))
VOL: Row = ("vol", "declarers", (0, 120), "all", (-12, -16), (0, 0))
WINS: list[Row] = [
    ("win_90", "declarers", (90, 120), "any", (-4, -8), (0, 0)),
    ("win", "declarers", (61, 120), "any", (-2, -4), (0, 0)),
    ("tie", "nobody", (60, 60), "any", (0, 0), (0, 0)),
]
LOSSES: list[Row] = [
    ("lose_no_trick", "defenders", (0, 120), "none", (0, 0), (-16, -16)),
    ("lose_30", "defenders", (0, 30), "any", (0, 0), (-8, -16)),
    ("lose", "defenders", (0, 59), "any", (0, 0), (-4, -8)),
]
SETTLED: list[Row] = [
    ("tout_made_no_trick", "declarers", (0, 120), "all", (60, 90), (-30, -45)),
    ("tout_lost_no_trick", "defenders", (0, 120), "none", (-60, -90), (30, 45)),
    ("tout_lost_jan", "defenders", (0, 30), "any", (-40, -60), (20, 30)),
    ("tout_made", "declarers", (0, 120), "all", (20, 30), (-10, -15)),
    ("tout_lost", "defenders", (0, 120), "any", (-20, -30), (10, 15)),
    ("win_no_trick", "declarers", (0, 120), "all", (6, 24), (-3, -12)),
    ("lose_no_trick", "defenders", (0, 120), "none", (-6, -24), (3, 12)),
    ("win_jan", "declarers", (90, 120), "any", (4, 16), (-2, -8)),
    ("win", "declarers", (61, 120), "any", (2, 8), (-1, -4)),
    ("lose_jan", "defenders", (0, 30), "any", (-4, -16), (2, 8)),
    ("lose", "defenders", (0, 60), "any", (-2, -8), (1, 4)),
]


def counting_down(win: int, double: int, every: int) -> list[Row]:
    """Rows of a Danish game by the card points that win, win double, and are all there are."""
    return [
        ("concede", "defenders", (0, every), "given_up", (-8,), (0,)),
        ("no_trick", "defenders", (0, every), "none", (-16,), (0,)),
        ("all", "declarers", (every, every), "any", (0,), (-16,)),
        ("win_double", "declarers", (double, every), "any", (0,), (-8,)),
        ("win", "declarers", (win, every), "any", (0,), (-4,)),
        ("lose", "defenders", (0, win - 1), "any", (-8,), (0,)),
    ]


PAYOFF: dict[str, list[Row]] = {
    "faroese": [SINGLE, VOL, *WINS, *LOSSES],
    "faroese_smith": [SINGLE, VOL, *WINS, *LOSSES],
    "faroese_wiki": [SINGLE, VOL, *WINS, LOSSES[-1]],
    "suduroy": [VOL, *WINS, *LOSSES],
    "faroese_free": [SINGLE, VOL, *WINS, *LOSSES],
    "faroese_3": [SINGLE, VOL, *WINS, *LOSSES],
    "faroese_2": [SINGLE, VOL, *WINS, *LOSSES],
    "klorsjavs": counting_down(61, 91, 120),
    "danish_4": counting_down(58, 86, 114),
    "auction_sjavs": SETTLED,
    "auction_sjavs_clubs": SETTLED,
}


def said(rules: RuleSet) -> dict[str, Any]:
    """What a rule set says, by name; of a part, the word for its kind."""
    return {
        entry.name: getattr(entry.value, "kind", None) if entry.is_part else entry.value
        for entry in entries(rules)
    }


def row_sources(preset: str) -> dict[str, str]:
    """Source of each row of the table of results."""
    return {row.name: row.source for row in PRESETS[preset].payoff}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_sound_and_called_by_its_key(preset: str) -> None:
    assert rule_problems(PRESETS[preset]) == []
    assert PRESETS[preset].name == preset
    assert make_rules(preset) == PRESETS[preset]


def test_these_are_the_presets_the_default_first() -> None:
    handjass = [f"handjass{kind}" for kind in ("", "_strict", "_alt", "_swiss", "_schlaeger")]
    assert list(PRESETS) == [*DIFFERENCES, *handjass]


@pytest.mark.parametrize("preset", DIFFERENCES)
def test_a_preset_has_the_values_of_the_rules(preset: str) -> None:
    wanted = {**TORSHAVN, **DIFFERENCES[preset]}
    found = said(PRESETS[preset])
    lacking = LACKING if wanted["auction"] == "contracts" else set()
    if wanted.get("no_bid") == "redeal":
        lacking = lacking | {"all_pass", "no_bid_value"}
    assert not lacking & set(found)
    wanted = {name: value for name, value in wanted.items() if name not in lacking}
    if wanted["auction"] == "contracts":
        found["contracts"] = tuple((c.name, c.column, c.takes_talon) for c in found["contracts"])
    assert {name: found[name] for name in wanted} == wanted


@pytest.mark.parametrize("preset", DIFFERENCES)
def test_a_preset_has_the_results_of_the_rules_in_their_order(preset: str) -> None:
    def told(row: PayoffRow) -> Row:
        return (row.name, row.winner, row.points, row.tricks, row.declarers, row.defenders)

    rules = PRESETS[preset]
    assert [told(row) for row in rules.payoff] == PAYOFF[preset]
    touts = {name for name, *_ in PAYOFF[preset] if name.startswith("tout")}
    assert {row.name for row in rules.payoff if row.only == ("tout", "stroget_tout")} == touts
    others = ("spil", "stryger") if touts else ()
    assert all(row.only == others for row in rules.payoff if row.name not in touts)


@pytest.mark.parametrize("preset", PAYOFF)
def test_some_rows_count_only_with_a_parameter(preset: str) -> None:
    rules = PRESETS[preset]
    needs = {row.name: row.needs for row in rules.payoff if row.needs}
    wanted = dict.fromkeys({"concede"} & {row.name for row in rules.payoff}, "concede")
    if preset in ("faroese_3", "faroese_2"):
        wanted = {"single_vol": "solo_counts_as_single"}
    if preset.startswith("auction"):
        names = ("tout_made_no_trick", "tout_lost_no_trick", "tout_lost_jan")
        wanted = dict.fromkeys(names, "jan_on_tout")
    assert needs == wanted
    off = [row for row in rules.payoff if row.needs and not rules.value(row.needs)]
    counted = rules.scoring.rows if isinstance(rules.scoring, Payoff) else ()
    assert list(counted) == [row for row in rules.payoff if row not in off]


@pytest.mark.parametrize(
    ("preset", "cards", "points", "tricks", "hand"),
    [
        ("faroese", 32, 120, 8, 8),
        ("faroese_3", 32, 120, 10, 10),
        ("faroese_2", 32, 120, 16, 12),
        ("klorsjavs", 20, 120, 6, 6),
        ("danish_4", 18, 114, 4, 4),
        ("auction_sjavs", 20, 120, 6, 6),
    ],
)
def test_pack_tricks_and_hands_are_counted_from_the_values(
    preset: str, cards: int, points: int, tricks: int, hand: int
) -> None:
    rules = PRESETS[preset]
    assert (len(rules.pack), rules.total_points) == (cards, points)
    assert (rules.n_tricks, rules.hand_size) == (tricks, hand)


# Sources


@pytest.mark.parametrize("preset", PRESETS)
def test_every_field_of_every_preset_has_a_source(preset: str) -> None:
    rules = PRESETS[preset]
    wanted = {e.name for e in entries(rules) if not e.is_part and e.value is not None}
    assert wanted - set(rules.sources) <= UNCITED
    assert set(rules.sources) <= {e.name for e in entries(rules)}
    assert [name for name, source in rules.sources.items() if not source.strip()] == []
    assert [name for name, source in row_sources(preset).items() if not source.strip()] == []
    assert all(contract.source for contract in rules.contracts)
    assert all(dealing.source for dealing in (rules.seats.dealings if rules.seats else ()))


def test_a_row_of_the_table_of_results_cites_those_that_have_it() -> None:
    torshavn = row_sources("faroese")
    assert torshavn["single_vol"] == "S3f IM-j IM-o; S3p implies it"
    assert torshavn["vol"] == "S3f IM-j IM-o IM-g"
    assert torshavn["lose_no_trick"].startswith("S3p IM-j IM-o; OURS: ")
    assert torshavn["lose_30"] == "S3p IM-j IM-o IM-g"
    assert {torshavn[name] for name in ("win_90", "win", "lose")} == {
        "S3p S3f IM-j IM-o; S0's table is lost"
    }
    assert torshavn["tie"] == "S0 S3 IM-j IM-o"
    assert row_sources("faroese_wiki")["lose"].startswith("S3f: ")
    smith = row_sources("faroese_smith")
    assert smith.pop("tie") == torshavn["tie"]
    assert all(s.startswith("unverified") for s in smith.values())
    assert row_sources("faroese_2")["lose_no_trick"] == "S3p IM-j IM-o"
    assert all(s.startswith("DA") for s in row_sources("auction_sjavs").values())
    assert "OURS: " in row_sources("auction_sjavs")["tout_made"]
    assert "jan_on_tout" in row_sources("auction_sjavs")["tout_made_no_trick"]
    assert row_sources("klorsjavs")["all"] == "S3k"
    assert row_sources("danish_4")["all"].startswith("OURS: S3k has 58 and 86 only")
    assert row_sources("danish_4")["win"] == row_sources("danish_4")["win_double"] == "S3k"


@pytest.mark.parametrize("preset", ["klorsjavs", "danish_4", "auction_sjavs"])
def test_no_value_of_a_danish_game_cites_a_faroese_source(preset: str) -> None:
    rules = PRESETS[preset]
    cited = " ".join([*rules.sources.values(), *row_sources(preset).values()])
    faroese = {tag for tag in SOURCE_TAGS if tag[:2] in ("S0", "GM", "CC", "IM")} | {"S3p", "S3f"}
    assert not faroese & set(cited.replace(";", " ").replace(":", " ").split())


@pytest.mark.parametrize(
    ("preset", "name"),
    [
        ("faroese_3", "exchange"),
        ("faroese_3", "double_at_start"),
        ("faroese_3", "match"),
        ("faroese_3", "solo_counts_as_single"),
        ("faroese_2", "solo_counts_as_single"),
        ("faroese_2", "deal_cut"),
        ("klorsjavs", "no_bid"),
        ("klorsjavs", "match"),
        ("klorsjavs", "exchange"),
        ("danish_4", "sides"),
        ("auction_sjavs", "match"),
        ("faroese", "tie"),
        ("faroese_wiki", "follow"),
        ("handjass", "players"),
        ("handjass", "dealings"),
        ("handjass", "six_timing"),
        ("handjass", "sole_mark"),
        ("handjass", "meld_selection"),
        ("handjass", "rank_marks"),
        ("handjass", "match"),
        ("handjass_alt", "follow"),
        ("handjass_alt", "lone_mark"),
        ("handjass_alt", "bag"),
        ("auction_sjavs", "name_trump"),
        ("auction_sjavs", "match_deals"),
        ("auction_sjavs", "jan_on_tout"),
    ],
)
def test_what_no_source_says_is_marked_as_decided_here(preset: str, name: str) -> None:
    assert "OURS: " in PRESETS[preset].sources[name]


def test_the_source_of_a_row_makes_no_other_rules() -> None:
    rules = PRESETS["faroese"]
    other = rules.altered(payoff=tuple(replace(row, source="?") for row in rules.payoff))
    assert (other, repr(other)) == (rules, repr(rules))


# Names


def test_aliases_name_a_preset_and_the_default_is_the_torshavn_game() -> None:
    assert dict(ALIASES) == {
        "pagat": "faroese",
        "torshavn": "faroese",
        "gammelmandssjavs": "faroese",
        "tjavs": "klorsjavs",
        "klortjavs": "klorsjavs",
        "flyvesjavs": "danish_4",
        "farvesjavs": "auction_sjavs",
        "schlaeger": "handjass_schlaeger",
    }
    for alias, name in ALIASES.items():
        assert make_rules(alias) == PRESETS[name]
    assert make_rules() == PRESETS["faroese"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Tjavs", "klorsjavs"),
        ("Klørtjavs", "klorsjavs"),
        ("KLØRSJAVS", "klorsjavs"),
        ("Tórshavn", "faroese"),
        ("To\u0301rshavn", "faroese"),  # the accent as a character of its own
        ("Suðuroy", "suduroy"),
        ("Schläger", "handjass_schlaeger"),
        ("Auction Sjavs", "auction_sjavs"),
        (" Danish-4 ", "danish_4"),
        ("Flyvesjavs", "danish_4"),
    ],
)
def test_names_may_be_written_as_their_players_write_them(written: str, name: str) -> None:
    assert make_rules(written) == PRESETS[name]


def test_every_name_and_alias_is_plain_and_no_alias_hides_a_name() -> None:
    for name in (*PRESETS, *ALIASES):
        assert plain_name(name) == name
    assert not set(ALIASES) & set(PRESETS)


@pytest.mark.parametrize("name", ["", "ø", "klør sjavs", "faroese_9", "sjavs\n"])
def test_other_names_are_refused_as_they_were_written(name: str) -> None:
    with pytest.raises(ValueError, match=r"no rules named .*; allowed: faroese, ") as error:
        make_rules(name)
    assert repr(name) in str(error.value)


def test_presets_and_aliases_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PRESETS["mine"] = PRESETS["faroese"]  # type: ignore[index]  # what the test is about
    with pytest.raises(AttributeError):
        PRESETS["faroese"].players = 12  # type: ignore[misc]  # what the test is about
