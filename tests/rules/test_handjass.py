"""Handjass as data: its presets, its tables, its pages, and numbers of players."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sjavs_env import BatchEnv, SingleSeatEnv, SjavsEnv
from sjavs_env.cli.rule_arguments import rules_from
from sjavs_env.rules import PRESETS, make_rules, rules_from_json, rules_to_json
from sjavs_env.rules.pages.describe import describe
from sjavs_env.rules.tables import TRUMP
from tests.engine.table import VARYING, game_of
from tests.rules.page import cells, section
from tests.rules.test_presets import said

PARLETT: dict[str, Any] = {
    "players": 4,
    "sides": "alone",
    "direction": "anticlockwise",
    "ranks": "AKQJT9876",
    "plain_order": "AKQJT9876",
    "trump_order": "J9AKQT876",
    "points": (("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2)),
    "trump_points": (("J", 20), ("9", 14)),
    "permanent_trumps": "",
    "deal_cut": "3-3-3",
    "auction": None,
    "exchange": None,
    "scoring": "ranks",
    "match": "last_one_loses",
    "follow": "simple",
    "last_trick": 5,
    "limit": 21,
    "rank_marks": (2, 2, 1),
    "two_hand_mark": 1,
    "sole_mark": 1,
    "lone_mark": 0,
    "bag": "zero",
    "target": 5,
    "may_drop": False,
    "taker_must_play": False,
    "six_timing": "before",
    "stock": "meld",
    "meld_compare_rank": False,
    "weis": "small",
    "meld_selection": "max_total",
    "rank_tie": "all",
}
SWISS = {
    "follow": "strict",
    "two_hand_mark": 2,
    "sole_mark": 2,
    "lone_mark": 2,
    "bag": "minus",
    "target": 7,
    "may_drop": True,
    "taker_must_play": True,
    "six_timing": "after",
    "stock": "independent",
    "meld_compare_rank": True,
}
DIFFERENCES: dict[str, dict[str, Any]] = {
    "handjass": {},
    "handjass_strict": {"follow": "strict"},
    "handjass_alt": {
        "follow": "strict",
        "rank_marks": (1, 1, 1),
        "lone_mark": 1,
        "bag": "minus",
        "target": 7,
        "may_drop": True,
    },
    "handjass_swiss": SWISS,
    "handjass_schlaeger": {**SWISS, "limit": 26, "rank_marks": (3, 2, 1)},
}
RANKS, TRUMP_RANKS = "AKQJT9876", "J9AKQT876"


@pytest.mark.parametrize("preset", DIFFERENCES)
def test_a_preset_has_the_values_of_the_rules(preset: str) -> None:
    wanted = {**PARLETT, **DIFFERENCES[preset]}
    found = said(PRESETS[preset])
    assert {name: found[name] for name in wanted} == wanted
    assert PRESETS[preset].player_counts == (4, 3, 2)
    assert "OURS" in PRESETS[preset].sources["meld_selection"]


def test_these_are_all_the_games_that_players_leave() -> None:
    assert list(DIFFERENCES) == VARYING


# Players


@pytest.mark.parametrize("preset", VARYING)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_number_of_players_is_a_parameter(preset: str, players: int) -> None:
    rules = make_rules(preset, players=players)
    assert (rules.players, rules.n_tricks, rules.hand_size) == (players, 9, 9)
    written = rules_to_json(rules)
    assert written["overrides"] == ({} if players == 4 else {"players": players})
    assert rules_from_json(written) == rules
    for env in (SjavsEnv, SingleSeatEnv, BatchEnv):
        for word in ("players", "num_players"):
            given: dict[str, Any] = {word: players}
            made = env(preset, **given)
            table = made.table if isinstance(made, SingleSeatEnv) else made
            assert table.game.rules == rules
    assert SjavsEnv(preset).game.rules.players == 4


@pytest.mark.parametrize("players", [1, 5, 0, True, "3", None])
def test_other_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(ValueError, match=r"^players is .* in handjass; allowed: 2, 3, 4$"):
        make_rules("handjass", players=players)
    if players is not None:
        for env in (SjavsEnv, SingleSeatEnv, BatchEnv):
            for word in ("players", "num_players"):
                given: dict[str, Any] = {word: players}
                wanted = rf"^{word} is .* in handjass; allowed: 2, 3, 4$"
                with pytest.raises(ValueError, match=wanted):
                    env("handjass", **given)


def test_a_game_for_one_number_of_players_takes_no_other() -> None:
    rules = PRESETS["faroese_3"]
    assert SjavsEnv("faroese_3", num_players=3).game.rules == rules
    assert SjavsEnv("faroese_3", players=3).game.rules == rules
    assert make_rules("faroese_3", players=3).sources == rules.sources
    assert rules_from(None, None, ["players=4"]) == rules_from(None, 4, []) == PRESETS["faroese"]
    with pytest.raises(ValueError, match=r"^num_players is 3 in faroese; allowed: 4$"):
        BatchEnv("faroese", num_players=3)
    with pytest.raises(ValueError, match=r"^players is 3 in faroese; allowed: 4$"):
        BatchEnv("faroese", players=3)
    with pytest.raises(ValueError, match=r"^players is 3 in faroese; allowed: 4$"):
        make_rules("faroese", players=3)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"limit": 201}, "limit is 201; allowed: 0 to 200"),
        ({"target": 0}, "target is 0; allowed: 1 to 100"),
        ({"rank_marks": (2, 2)}, r"rank_marks is \(2, 2\); allowed: 3 whole numbers"),
        ({"rank_marks": (2, 0, 1)}, r"rank_marks is \(2, 0, 1\); allowed: 3 whole numbers"),
        ({"rank_marks": 2}, "rank_marks is 2; allowed: 3 whole numbers"),
        ({"bag": "none"}, "bag is 'none'; allowed: zero, minus"),
        ({"six_timing": "never"}, "six_timing is 'never'; allowed: before, after"),
        ({"may_drop": 1}, "may_drop is 1; allowed: a value of type bool"),
        ({"follow": "any"}, "follow is 'any'; allowed: whist, must_overtrump, simple, strict"),
        ({"deal_cut": "3-3"}, "deal_cut is '3-3'; allowed: packets that add up to 9"),
        ({"min_bid": 2}, "handjass has no parameter 'min_bid'"),
        ({"tie": "double"}, "handjass has no parameter 'tie'"),
        ({"start": 3}, "handjass has no parameter 'start'"),
        ({"scoring": "payoff"}, "handjass has no parameter 'scoring'"),
    ],
)
def test_wrong_values_are_refused(overrides: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_rules("handjass", **overrides)


def test_what_only_handjass_has_is_no_parameter_of_other_games() -> None:
    for name in ("limit", "weis", "six_timing", "last_trick", "dealings"):
        with pytest.raises(ValueError, match=f"faroese has no parameter '{name}'"):
            make_rules("faroese", **{name: 1})


# Tables


@pytest.mark.parametrize("trump", "CSHD")
def test_trumps_rank_and_count_in_their_own_way(trump: str) -> None:
    mode = 1 + "CSHD".index(trump)
    tables, pack = game_of("handjass").tables, PRESETS["handjass"].pack
    for led, suit in enumerate("CSHD"):
        power = tables.cards.power[mode, TRUMP if suit == trump else led]
        listed = [pack.cards[i] for i in np.argsort(-power) if power[i] > 0]
        plain = [] if suit == trump else [rank + suit for rank in RANKS]
        assert listed == [rank + trump for rank in TRUMP_RANKS] + plain
    worth = dict(zip(pack.cards, tables.cards.worth[mode].tolist(), strict=True))
    assert (worth["J" + trump], worth["9" + trump], worth["A" + trump]) == (20, 14, 11)
    others = [s for s in "CSHD" if s != trump]
    assert [worth[rank + others[0]] for rank in RANKS] == [11, 4, 3, 2, 10, 0, 0, 0, 0]
    assert pack.names(int(tables.cards.top_trump[mode])) == ["J" + trump]
    assert pack.names(int(tables.cards.low_trump[mode])) == ["6" + trump]


def test_what_a_card_of_another_suit_shows() -> None:
    classes = {"plain": 0, "other": 1, "trump": TRUMP}
    bits = {frozenset(): 0, frozenset({"plain"}): 1, frozenset({"trump"}): 1 << TRUMP}
    bits[frozenset({"plain", "trump"})] = 1 | 1 << TRUMP
    wanted: dict[str, dict[tuple[str, str], set[str]]] = {
        "handjass": {
            ("plain", "other"): {"plain", "trump"},
            ("plain", "trump"): {"plain"},
            ("trump", "plain"): {"trump"},
        },
        "handjass_strict": {
            ("plain", "other"): {"plain"},
            ("plain", "trump"): set(),
            ("trump", "plain"): {"trump"},
        },
        "faroese": {
            ("plain", "other"): {"plain"},
            ("plain", "trump"): {"plain"},
            ("trump", "plain"): {"trump"},
        },
    }
    mode = 3  # hearts are trumps; the other two are clubs and spades
    for preset, proofs in wanted.items():
        tables = game_of(preset).tables
        for (led, played), shown in proofs.items():
            is_led, is_played = (
                tables.cards.class_of[mode] == classes[name] for name in (led, played)
            )
            best = int(tables.cards.power[mode, classes[led]][is_led].min())  # a card that was led
            found = tables.play.shows[mode, classes[led], best][is_played]
            assert (found == bits[frozenset(shown)]).all()


def test_a_void_in_trumps_leaves_the_jack_by_the_strict_rules() -> None:
    for preset, may_be_left in (("handjass", []), ("handjass_strict", ["JS"])):
        tables, pack = game_of(preset).tables, PRESETS[preset].pack
        left = tables.cards.class_set[2, TRUMP] & ~tables.play.void_excludes[2, TRUMP]
        assert pack.names(int(left)) == may_be_left
        assert np.array_equal(
            tables.play.void_excludes[:, :TRUMP], tables.cards.class_set[:, :TRUMP]
        )


@pytest.mark.parametrize("weis", ["small", "large"])
def test_runs_of_one_suit_are_worth_what_the_rules_say(weis: str) -> None:
    melds = game_of("handjass", weis=weis).tables.seat_rules.melds
    worth = [int(melds.run_points[(1 << n) - 1]) for n in range(10)]
    small = [0, 0, 0, 20, 50, 100, 100, 100, 120, 150]
    assert worth == (small if weis == "small" else [*small[:6], 150, 200, 250, 300])
    assert melds.run_points[0b111011101] == 40, "two runs of three"


# Pages

STAYING = "Staying or dropping out"


def test_the_page_tells_what_a_card_player_wants_to_know() -> None:
    page = describe(PRESETS["handjass"])
    assert "anticlockwise" in section(page, "Players")
    assert cells(section(page, "Trumps"), "♠ spades") == ["9", "J♠ 9♠ A♠ K♠ Q♠ T♠ 8♠ 7♠ 6♠"]
    assert cells(section(page, "Plain suits"), "♦ diamonds") == ["9", "A♦ K♦ Q♦ J♦ T♦ 9♦ 8♦ 7♦ 6♦"]
    assert "Together 152, and 5 for the last trick" in section(page, "Card points")
    assert cells(section(page, "Melds"), "four J") == ["200"]
    assert "A player with fewer than 21 is in the bag." in section(page, "Result of a deal")
    assert "A player with 5 game points or more leaves" in section(page, "Match")
    assert "gets a cross, here the mark for a match that is lost" in section(page, "Match")
    assert "Auction" not in page.split("### 6.2 Parameters")[0]


@pytest.mark.parametrize(
    ("preset", "overrides", "title", "words"),
    [
        ("handjass", {"last_trick": 0}, "Card points", "Together 152, less"),
        ("handjass_swiss", {}, STAYING, "the player who has taken the reserve must stay"),
        ("handjass_swiss", {}, "The lowest trump", "their turn to play their first card"),
        ("handjass", {}, "The lowest trump", "a card found in the reserve cannot be exchanged"),
        ("handjass_alt", {}, STAYING, "they get 1 game point without play"),
        ("handjass", {"weis": "large"}, "Melds", "even if they share cards"),
        ("handjass", {}, "Melds", "both in a run and in four alike, nor in two runs"),
        ("handjass_swiss", {}, "Melds", "one with the higher top card, then the one of trumps"),
        ("handjass_swiss", {}, "Melds", "its top card and whether it is of trumps."),
        ("handjass", {}, "Melds", "the number of its cards and whether it is of trumps."),
        ("handjass_strict", {}, "What plays show", "except perhaps the J"),
        ("handjass_strict", {}, "What plays show", "its player holds nothing but trumps."),
        ("handjass", {}, "What plays show", "If that card is not a trump either, its player has"),
        ("handjass", {}, "What plays show", "its player has no card of that suit that would."),
        ("handjass", {}, "What plays show", "shows that its player has no trump higher than"),
        ("handjass", {}, "The lowest trump", "if nobody is asked, the 6 lies in the reserve"),
        ("handjass_schlaeger", {}, "Result of a deal", "three with four players, two with three"),
        ("handjass_strict", {}, "Tricks", "must play one of them, or else a trump."),
        ("handjass", {}, "Tricks", "A player who has cards of the suit led must play one of them."),
        ("handjass_strict", {}, "Tricks", "held as the only trump, need not be played when trumps"),
        ("handjass", {}, "Dealing the cards", "and its other cards are never played"),
        ("handjass_alt", {}, STAYING, "the next player who stays leads"),
        ("handjass", {}, "Result of a deal", "For each player in the bag, every player of this"),
        (
            "handjass",
            {"may_drop": True},
            "Result of a deal",
            "dropped out does not take part in the deal",
        ),
        ("handjass_alt", {}, "Result of a deal", "- The highest total gets a mark, unless"),
        (
            "handjass_swiss",
            {},
            "Result of a deal",
            "worth 1 game point, but 2 with two players in the match or if all other players in",
        ),
        (
            "handjass_swiss",
            {"sole_mark": 3},
            "Result of a deal",
            "worth 1 game point, but 2 with two players in the match and 3 if all other players in",
        ),
        ("handjass_swiss", {"players": 2}, "Result of a deal", "A mark is worth 2 game points."),
        ("handjass", {"players": 3}, "Players", "; the game is also for two or four."),
        (
            "handjass",
            {"deal_cut": "4-5"},
            "Dealing the cards",
            "packets of 4 and 5 if the pack is cut",
        ),
        ("handjass", {"players": 2}, "Players", "2 players, numbered"),
    ],
)
def test_the_page_follows_the_parameters(
    preset: str, overrides: dict[str, Any], title: str, words: str
) -> None:
    assert words in section(describe(make_rules(preset, **overrides)), title)


@pytest.mark.parametrize("preset", VARYING)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_page_speaks_only_of_numbers_of_players_that_can_come_up(
    preset: str, players: int
) -> None:
    page = describe(make_rules(preset, players=players))
    titles = ("Dealing the cards", "The lowest trump", "The reserve", "Result of a deal")
    told = " ".join(section(page, title) for title in titles).lower()
    for n, number in ((3, "three"), (4, "four")):
        assert (f"with {number}" in told) == (n <= players)
    assert ("passed over" in section(page, "Players")) == (players > 2)


def test_a_page_tells_of_dropping_out_only_where_players_may() -> None:
    for name in VARYING:
        told = "dropped out" in describe(PRESETS[name])
        assert told == PRESETS[name].value("may_drop")


def test_no_page_denies_the_late_exchange_of_a_six_found_in_the_reserve() -> None:
    for name in VARYING:
        is_early = PRESETS[name].value("six_timing") == "before"
        assert ("found in the reserve" in describe(PRESETS[name])) == is_early


def test_only_of_an_early_exchange_it_is_said_where_the_six_is_if_nobody_is_asked() -> None:
    for name in VARYING:
        is_early = PRESETS[name].value("six_timing") == "before"
        assert ("if nobody is asked" in describe(PRESETS[name])) == is_early
    assert "if nobody is asked" not in describe(make_rules("handjass", players=2))


def test_that_nobody_in_the_bag_is_best_is_noted_where_the_source_is_silent() -> None:
    for name in VARYING:
        is_silent = name in ("handjass", "handjass_strict")
        notes = section(describe(PRESETS[name]), "Notes on the sources")
        assert ("whether a player in the bag can be one of the two best" in notes) == is_silent
        assert "even if its owner wins no trick" in notes


def test_pages_of_other_games_list_nothing_of_this_one() -> None:
    parameters = section(describe(PRESETS["faroese"]), "Parameters")
    assert "`limit`" not in parameters
    assert "`dealings`" not in parameters
