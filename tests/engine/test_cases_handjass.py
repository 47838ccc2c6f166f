"""The worked examples of Handjass, played through the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sjavs_env.engine import Phase
from sjavs_env.engine.melds import declared
from tests.engine.handjass_table import HandjassTable, first_trick, playable, scored
from tests.engine.table import game_of

# three piles of players, then the reserve; its top card, the ace of spades, is turned up
SIX_PILES = [
    "JS 9S AC KC QC JC TC 9C 6H",
    "6S KS QS AH KH TH 9H 8H 7H",
    "TS 8S 7S AD KD QD JD TD 9D",
    "AS QH JH 8C 7C 6C 8D 7D 6D",
]
# two players, the reserve, the dead hand, whose last card is turned up
TWO_PILES = [
    "JS 9S AC KC QC JC TC 9C 6H",
    "TS 8S 7S AD KD QD JD TD 9D",
    "6S KS QS AH KH TH 9H 8H 7H",
    "QH JH 8C 7C 6C 8D 7D 6D AS",
]


def test_the_pack_counts_152_and_the_tricks_of_four_players_157() -> None:
    game = game_of("handjass")
    assert game.tables.cards.worth[1:].sum(axis=1).tolist() == [152] * 4
    state, rng = game.new_games(50, dealer=np.arange(50)), np.random.default_rng(0)
    while (state.phase != Phase.OVER).any():
        mask = game.legal_actions(state)
        game.step(state, np.where(mask, rng.random(mask.shape), -1).argmax(axis=1))
    assert state.points.sum(axis=1).tolist() == [157] * 50


# Melds


def worth(hand: str, **overrides: Any) -> int:
    """What a hand declares, without a marriage."""
    game = game_of("handjass", **overrides)
    words = np.array([game.pack.word(hand)], dtype=np.uint64)
    return int(declared(game.tables.seat_rules.melds, words, np.array([1]))[0][0])


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("AH KH QH JH TH", 100),
        ("JC JS JH JD TS 9S 8S 7S QH", 250),
        ("TC TS TH TD", 100),
        ("9C 9S 9H 9D 8D 7D TD JD AD", 150),
        ("AH KH QH JH TH 9H 8H 7H 6H", 150),
        ("AH KH QH JH TH 9H 8H 7H", 120),
        ("8C 8S 8H 8D", 0),
        ("AC KC", 0),
    ],
)
def test_a_hand_declares_the_melds_that_are_worth_most(hand: str, points: int) -> None:
    assert worth(hand) == points


def test_of_equal_totals_the_best_single_meld_decides() -> None:
    """The run of five and the four queens count 100 each and share a card."""
    game, hand = game_of("handjass"), "AS KS QS JS TS QC QH QD 6H"
    words = np.array([game.pack.word(hand)], dtype=np.uint64)
    points, _, cards = declared(game.tables.seat_rules.melds, words, np.array([1]))
    assert int(points[0]) == 100
    assert game.pack.names(int(cards[0])) == ["AS", "KS", "QS", "JS", "TS"]


def test_a_marriage_may_share_its_cards_with_a_run() -> None:
    table = first_trick(["KD QD JD 6C", "AC 7S 8H", "7C 9S", "8C TS"], "D", "handjass")
    assert table.numbers("melds") == [40, 0, 0, 0]
    assert table.cards_in("known", 0) == {"KD", "QD", "JD"}


def test_nine_trumps_are_150_and_the_marriage() -> None:
    table = first_trick(["AH KH QH JH TH 9H 8H 7H 6H", "AC 7S", "7C 9S", "8C TS"], "H", "handjass")
    assert table.numbers("melds") == [170, 0, 0, 0]


@pytest.mark.parametrize(
    ("hands", "by_parlett", "by_the_swiss"),
    [
        (["9D 8D 7D", "AS KS QS", "8H 7H 6H"], 2, 1),
        (["9D 8D 7D", "9C 8C 7C", "9S 8S 7S"], 0, 0),
        (["AC AS AD AH", "KC QC JC TC 9C", "7S 8D"], 1, 1),
        (["AC KC QC JC TC", "JS TS 9S 8S 7S 6S", "7D 8D"], 1, 1),
        (["KC KS KH KD", "AC AS AH AD", "7D 8C"], 0, 1),
    ],
)
def test_the_best_meld_has_most_points_then_most_cards_then_trumps(
    hands: list[str], by_parlett: int, by_the_swiss: int
) -> None:
    for preset, best in (("handjass", by_parlett), ("handjass_swiss", by_the_swiss)):
        table = first_trick(hands, "H", preset)
        assert np.flatnonzero(table.numbers("melds")).tolist() == [best]


def test_a_lone_marriage_loses_to_a_run_but_counts_where_it_is_independent() -> None:
    hands = ["KH QH 6C", "9D 8D 7D", "AC 7S 8C"]
    assert first_trick(hands, "H", "handjass").numbers("melds") == [0, 20, 0]
    swiss = first_trick(hands, "H", "handjass_swiss")
    assert swiss.numbers("melds") == [20, 20, 0]
    assert swiss.cards_in("known", 0) == {"KH", "QH"}
    assert first_trick(hands, "H", "handjass").cards_in("known", 0) == set()


# Tricks


@pytest.mark.parametrize(
    ("trick", "hand", "legal"),
    [
        ("9H", "KH 8H AS", "KH"),
        ("KH 7S", "AH 8H QS", "AH 8H"),
        ("9H", "6S AS TD", "6S AS"),
        ("9H JS", "9S TD", "9S"),
        ("9H", "TD 6C", "TD 6C"),
        ("8S", "6S KS JD", "KS"),
        ("AS", "JS TD 6C", "JS"),
    ],
)
def test_by_the_simple_rules_players_follow_or_trump_and_beat_if_able(
    trick: str, hand: str, legal: str
) -> None:
    assert playable("handjass", "S", trick, hand) == set(legal.split())


@pytest.mark.parametrize(
    ("trump", "trick", "hand", "legal"),
    [
        ("S", "9H", "KH 8H AS TD", "KH 8H AS"),
        ("S", "9H QS", "8H TS KS TD", "8H KS"),
        ("S", "9H QS", "TS TD AC", "TD AC"),
        ("S", "9H QS", "TS 8S", "TS 8S"),
        ("S", "KS", "JS 9C TD", "JS 9C TD"),
        ("S", "KS", "JS 6S TD", "JS 6S"),
        ("S", "KS", "9C TD", "9C TD"),
        ("C", "TD AC 9C", "8C 7C AH", "AH"),
    ],
)
def test_by_the_strict_rules_players_follow_or_trump_higher(
    trump: str, trick: str, hand: str, legal: str
) -> None:
    assert playable("handjass_strict", trump, trick, hand) == set(legal.split())


# Scoring


def test_the_two_best_get_a_mark_and_all_others_a_point_for_the_bag() -> None:
    table = scored([70, 45, 25, 17], "handjass")
    assert table.change == [2, 2, 1, 0]
    assert table.numbers("zeros") == [0, 0, 0, 1]


def test_a_mark_cancels_a_zero_and_gives_nothing_else() -> None:
    table = scored([70, 45, 30, 25], "handjass", zeros=[1, 0, 2, 0])
    assert table.change == [0, 1, 0, 0]
    assert table.numbers("zeros") == [0, 0, 2, 0]


def test_two_in_the_bag_give_two_points() -> None:
    table = scored([130, 15, 12], "handjass")
    assert table.change == [3, 0, 0]
    assert table.numbers("zeros") == [0, 1, 1]


@pytest.mark.parametrize(
    ("totals", "change", "zeros"),
    [([80, 40], [1, 0], [0, 0]), ([80, 12], [2, 0], [0, 1]), ([15, 12], [0, 0], [1, 1])],
)
def test_of_two_players_one_gets_a_mark(
    totals: list[int], change: list[int], zeros: list[int]
) -> None:
    table = scored(totals, "handjass")
    assert (table.change, table.numbers("zeros")) == (change, zeros)


@pytest.mark.parametrize(
    ("preset", "change"),
    [
        ("handjass_alt", [1, 0, 0, -1]),
        ("handjass_swiss", [1, 1, 0, -1]),
        ("handjass_schlaeger", [1, 1, -1, -1]),
    ],
)
def test_where_the_bag_costs_a_point_it_pays_nobody(preset: str, change: list[int]) -> None:
    assert scored([70, 45, 25, 17], preset).change == change


def test_a_sole_player_above_the_limit_gets_two_strokes_by_the_swiss_rules() -> None:
    assert scored([120, 20, 17], "handjass_swiss").change == [2, -1, -1]
    assert scored([60, 70], "handjass_swiss").change == [0, 2]


def test_who_reaches_the_target_is_out_and_the_last_one_loses() -> None:
    table = HandjassTable(preset="handjass", players=3)
    table.state.score[0] = [4, 4, 1]
    table.state.points[0], table.state.seat_state.playing[0] = [60, 50, 30], 1
    table.game.settle(table.state, np.array([0]))
    assert table.numbers("active") == [0, 0, 1]
    assert table.number("rubber_over") == 1
    assert table.numbers("crosses") == [0, 0, -1]
    assert table.game.match_gains(table.state)[0].tolist() == [0, 0, -1]


def test_when_all_would_leave_the_one_with_fewest_points_loses() -> None:
    table = HandjassTable(preset="handjass", players=3)
    table.state.score[0] = [4, 4, 4]
    table.state.points[0], table.state.seat_state.playing[0] = [60, 70, 3], 1
    table.game.settle(table.state, np.array([0]))  # 2, 2 and nothing: only seat 2 is left
    assert table.numbers("crosses") == [0, 0, -1]
    table = HandjassTable(preset="handjass", players=2)
    table.state.score[0] = [4, 4]
    table.state.points[0] = [50, 50]  # tied: both get the mark
    table.state.seat_state.playing[0] = 1
    table.game.settle(table.state, np.array([0]))
    assert table.numbers("crosses") == [0, -1], "the one latest in turn"


# Deal and exchange


def test_with_four_players_the_dealers_last_card_is_trumps_and_nobody_exchanges() -> None:
    piles = [*SIX_PILES[:3], "QH JH 8C 7C 6C 8D 7D 6D AS"]
    table = HandjassTable(piles)
    assert table.phase == Phase.PLAY
    assert table.number("mode") == 1 + "CSHD".index("S")
    assert "AS" in table.hand(3)
    assert table.cards_in("known", 3) == {"AS"}
    assert table.on_table == ""


def test_the_holder_swaps_the_six_before_the_reserve_is_offered() -> None:
    table = HandjassTable(SIX_PILES, players=3)
    assert (table.phase, table.seat, table.legal) == (Phase.SIX, 1, ["swap six", "keep six"])
    table.act("swap six")
    assert "AS" in table.hand(1)
    assert table.on_table == "6S"
    assert "6S" in table.cards_in("talon")
    assert table.cards_in("known", 1) == {"AS"}
    assert (table.phase, table.seat) == (Phase.RESERVE, 0)


def test_a_six_that_is_kept_is_known_to_all() -> None:
    table = HandjassTable(SIX_PILES, players=3)
    table.act("keep six")
    assert table.cards_in("known", 1) == {"6S"}
    assert table.on_table == "AS"


def test_the_reserve_is_taken_once_with_the_card_on_the_table() -> None:
    table = HandjassTable(SIX_PILES, players=3)
    table.act("swap six", "keep hand", "take reserve")
    assert set(table.hand(1)) == {"6S", *SIX_PILES[3].split()} - {"AS"}
    assert table.cards_in("known", 1) == {"6S"}
    assert table.cards_in("gone") == {"AS"}, "all have seen what he gave away"
    assert table.on_table == ""
    assert (table.phase, table.seat) == (Phase.PLAY, 0)


def test_with_two_players_the_card_turned_up_stays_on_the_table() -> None:
    table = HandjassTable(TWO_PILES, players=2)
    assert (table.phase, table.seat) == (Phase.RESERVE, 0), "the six is in the reserve"
    table.act("take reserve")
    assert set(table.hand(0)) == set(TWO_PILES[2].split())
    assert table.on_table == "AS"
    assert table.phase == Phase.PLAY


def test_by_the_swiss_rules_the_six_of_the_reserve_is_exchanged_before_his_first_card() -> None:
    table = HandjassTable(TWO_PILES, "handjass_swiss", 2)
    table.act("keep hand", "take reserve")
    assert (table.phase, table.seat) == (Phase.STAY, 0), "who has taken the reserve must play"
    table.act("stay", "play 6H")
    assert (table.phase, table.seat) == (Phase.SIX, 1)
    table.act("swap six")
    assert (table.phase, table.seat) == (Phase.PLAY, 1)
    assert "AS" in table.hand(1)
    assert table.cards == {"AH", "KH", "TH", "9H", "8H", "7H", "AS", "KS", "QS"}


def test_who_drops_out_is_passed_over() -> None:
    table = HandjassTable(SIX_PILES, "handjass_alt", 3)
    table.act("keep six", "keep hand", "keep hand", "keep hand", "drop", "stay", "stay")
    assert (table.phase, table.seat) == (Phase.PLAY, 1)
    table.act("play AH")
    assert table.seat == 2
    table.act(table.legal[0])
    assert table.number("trick_number") == 1


@pytest.mark.parametrize(
    ("answers", "outcome", "change"),
    [("stay drop drop", "lone", [1, 0, 0]), ("drop drop drop", "thrown_in", [0, 0, 0])],
)
def test_a_deal_in_which_fewer_than_two_stay_is_not_played(
    answers: str, outcome: str, change: list[int]
) -> None:
    table = HandjassTable(SIX_PILES, "handjass_alt", 3)
    table.act("keep six", "keep hand", "keep hand", "keep hand", *answers.split())
    assert (table.phase, table.outcome, table.change) == (Phase.OVER, outcome, change)
    table.next_deal()
    assert table.dealer == 0


def test_those_who_remain_play_the_game_of_their_number() -> None:
    table = HandjassTable(preset="handjass", players=4)
    table.state.score[0] = [5, 0, 5, 0]
    table.game.seat_players(table.state, np.array([0]))
    assert [len(table.hand(seat)) for seat in range(4)] == [0, 9, 0, 9]
    assert len(table.cards_in("talon")) == len(table.cards_in("dead")) == 9
    assert table.game.problems(table.state) == []
