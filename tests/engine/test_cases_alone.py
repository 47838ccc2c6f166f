"""Worked examples of the games with one declarer: three and two hands, Danish, auction."""

from __future__ import annotations

import numpy as np
import pytest

from sjavs_env.engine import Phase
from sjavs_env.engine.phases.auction import suit_lengths
from tests.engine.table import ROW, Table, game_of, position

IN_ORDER = list(range(32))


def dealt(preset: str, cut: bool) -> dict[str, list[int]]:
    """Where the cards 0, 1, 2, ... of a deck in id order go."""
    game = game_of(preset)
    state = game.new_games(1, dealer=game.rules.players - 1, cut=int(cut))
    game.deal_deck(state, ROW, np.arange(len(game.pack))[None])
    found = {
        str(seat): [i for i in range(len(game.pack)) if int(state.hand[0, seat]) >> i & 1]
        for seat in range(game.rules.players)
    }
    return found | {"aside": state.aside[0].tolist()}


def settled(
    preset: str,
    points: int,
    tricks: int,
    *,
    aside: str = "",
    bid: str = "",
    trump: str = "C",
    gave_up: bool = False,
) -> list[int]:
    """Score changes when seat 0 declares and ends with these points and tricks.

    ``points`` are those of its tricks; the cards ``aside`` count to it besides.
    """
    game = game_of(preset)
    state = game.new_games(1, dealer=game.rules.players - 1)
    word = game.pack.word(aside)
    inside = int(sum(game.tables.cards.points[game.pack.parse(aside)]))
    state.talon[0] = word
    state.points[0, :2] = points, game.rules.total_points - points - inside
    state.tricks[0, :2] = tricks, game.rules.n_tricks - tricks
    state.declarer[0] = 0
    state.best_bid[0] = game.tables.auction.bid_labels.index(bid) if bid else 0
    state.mode[0] = 1 + "CSHD".index(trump)
    state.gave_up[0] = gave_up
    game.settle(state, ROW)
    return [int(x) for x in state.change[0]]


# three hands


@pytest.mark.parametrize(
    ("cut", "seats", "skat"),
    [
        (True, ([0, 1, 2, *range(10, 14), *range(23, 26)],
                [3, 4, 5, *range(14, 18), *range(26, 29)],
                [6, 7, 8, *range(18, 22), *range(29, 32)]), [9, 22]),
        (False, (list(range(10)), list(range(11, 21)), list(range(22, 32))), [10, 21]),
    ],
)  # fmt: skip
def test_three_hands_get_ten_cards_each_and_two_lie_in_the_skat(
    cut: bool, seats: tuple[list[int], ...], skat: list[int]
) -> None:
    found = dealt("faroese_3", cut)
    assert [found[str(seat)] for seat in range(3)] == list(seats)
    assert found["aside"] == skat


def test_skat_and_discards_count_to_the_declarer() -> None:
    assert settled("faroese_3", 52, 5, aside="TD 7S", trump="H") == [-2, 0, 0]
    assert settled("faroese_3", 50, 5, aside="AS 9H", trump="H") == [-2, 0, 0]
    assert settled("faroese_3", 49, 5, aside="AS 9H", trump="H") == [0, 0, 0]


def test_each_defender_subtracts_the_whole_amount() -> None:
    assert settled("faroese_3", 45, 4) == [0, -8, -8]


def test_ten_tricks_alone_are_a_vol_and_no_more() -> None:
    assert settled("faroese_3", 120, 10, trump="H") == [-12, 0, 0]
    assert settled("faroese_3", 120, 10) == [-16, 0, 0]
    assert settled("faroese_3", 0, 0, aside="AS TS") == [0, -16, -16]


def test_the_exchange_is_blind_and_takes_the_skat_from_its_first_card() -> None:
    table = Table(preset="faroese_3", dealer=2)
    while table.phase != Phase.LAY:
        table.act(table.legal[0])
    hand, skat = table.hand(table.seat), table.state.aside[0]
    assert table.legal == [*(f"lay {card}" for card in hand), "done"]
    table.act(f"lay {hand[0]}")
    assert table.legal == [*(f"lay {card}" for card in hand[1:]), "done"]
    declarer = table.seat
    table.act("done")
    first = table.game.pack.cards[skat[0]]
    assert table.hand(declarer) == sorted([*hand[1:], first], key=table.game.pack.ids.__getitem__)
    assert table.game.pack.names(table.number("talon")) == [table.game.pack.cards[skat[1]]]
    assert (table.phase, table.number("taken"), table.seat) == (Phase.PLAY, 1, 0)


def test_no_public_game_of_three_without_diamonds() -> None:
    rules = game_of("faroese_3").rules
    assert (len(rules.pack), rules.hand_size, rules.deal.talon) == (32, 10, 2)
    assert len(rules.cards.permanent_trumps.split()) == 6


# two hands


def test_the_cards_that_lie_open_count_in_the_auction() -> None:
    seat_0 = ["QC", "JD", "AH", "KH", "7S", "8S", "9C", "TC"]
    up_0 = ["QH", "9H", "AD", "7D"]
    game = game_of("faroese_2")
    others = [card for card in game.pack.cards if card not in seat_0 + up_0]
    deck = [*others[:8], *up_0, *others[8:12], *seat_0, *others[12:]]
    table = Table(preset="faroese_2", dealer=1)
    game.deal_deck(table.state, ROW, np.array([game.pack.parse_deck(deck)]))
    assert (table.seat, table.legal) == (0, ["6"])
    assert suit_lengths(game.tables, table.state.hand[:, 0]).tolist() == [[4, 4, 6, 4]]


def test_a_card_face_down_is_turned_up_when_the_trick_is_over() -> None:
    table = Table(preset="faroese_2", dealer=1)
    while table.phase != Phase.PLAY:
        table.act(table.legal[0])
    up, down = table.state.face_up[0].copy(), table.state.face_down[0].copy()
    cards = table.game.pack.cards
    leader = table.seat
    led = cards[up[leader, 2]]
    table.play(led)
    assert cards[down[leader, 2]] not in table.hand(leader)
    table.act(table.legal[0])
    assert table.state.face_up[0, leader, 2] == down[leader, 2]
    assert table.state.face_down[0, leader, 2] == -1
    assert cards[down[leader, 2]] in table.hand(leader)


# Danish games


@pytest.mark.parametrize(
    ("trick", "best", "worth"), [("KH 5H QH", "KH", 17), ("5S KS AC", "AC", 25)]
)
def test_the_five_is_low_in_rank_and_high_in_value(trick: str, best: str, worth: int) -> None:
    table = position(trick, "", "C", preset="klorsjavs")
    winner = trick.split().index(best)
    assert (table.seat, table.numbers("points")[winner]) == (winner, worth)


def test_a_lead_of_a_club_binds_whoever_holds_a_trump() -> None:
    assert position("5C", "AS JH", "C", preset="klorsjavs").cards == {"JH"}


CAT_TAKEN = "AS JS JC 5H QD KH 5S 5D AH KC AD KD QH QC 5C JH KS AC QS JD"


def test_a_declarer_of_klorsjavs_with_105_points_costs_the_others_8() -> None:
    table = Table(preset="klorsjavs", dealer=2)
    table.game.deal_deck(table.state, ROW, np.array([table.game.pack.parse_deck(CAT_TAKEN)]))
    assert table.legal == ["pass", "play"]
    table.act("play")
    assert table.legal == ["take cat", "leave cat"]
    table.act("take cat", "lay KD", "lay QH")
    assert table.legal == ["play on", "give up"]
    table.act("play on")
    table.play_tricks(
        """
        QC JH JD -> 0 (7)
        JC 5C QS -> 2 (15)
        AH KC 5H -> 0 (25)
        JS QD AC -> 0 (16)
        AS KS 5S -> 0 (25)
        AD KH 5D -> 0 (25)
        """
    )
    assert table.outcome == "win_double"
    assert table.score == [60, 52, 52]
    assert table.game.unscathed(table.state).tolist() == [[True, False, False]]


@pytest.mark.parametrize(
    ("points", "tricks", "change"),
    [
        (60, 3, [-8, 0, 0]),
        (61, 3, [0, -4, -4]),
        (90, 4, [0, -4, -4]),
        (91, 4, [0, -8, -8]),
        (120, 6, [0, -16, -16]),
    ],
)
def test_every_edge_of_the_results_of_klorsjavs(
    points: int, tricks: int, change: list[int]
) -> None:
    assert settled("klorsjavs", points, tricks) == change


def test_no_trick_costs_16_whatever_was_laid_away_and_giving_up_8() -> None:
    assert settled("klorsjavs", 0, 0, aside="AS AD") == [-16, 0, 0]
    assert settled("klorsjavs", 0, 0, gave_up=True) == [-8, 0, 0]


def test_the_cat_counts_to_the_declarer_who_left_it() -> None:
    assert settled("klorsjavs", 47, 3, aside="5H KS") == [0, -4, -4]


@pytest.mark.parametrize(
    ("points", "tricks", "change"),
    [
        (57, 2, [-8, 0, 0, 0]),
        (58, 2, [0, -4, -4, -4]),
        (85, 3, [0, -4, -4, -4]),
        (86, 3, [0, -8, -8, -8]),
        (114, 4, [0, -16, -16, -16]),
    ],
)
def test_every_edge_of_the_results_of_four_hands(
    points: int, tricks: int, change: list[int]
) -> None:
    assert settled("danish_4", points, tricks) == change


def test_four_hands_get_four_cards_each_and_two_lie_in_the_cat() -> None:
    found = dealt("danish_4", cut=True)
    assert (found["3"], found["aside"]) == ([6, 7, 16, 17], [8, 9])


# Auction Sjavs


@pytest.mark.parametrize(
    ("bid", "points", "tricks", "declarer"),
    [
        ("spil", 75, 3, 2),
        ("spil", 90, 5, 4),
        ("spil", 120, 6, 6),
        ("spil", 60, 3, -2),
        ("spil", 30, 2, -4),
        ("spil", 0, 0, -6),
        ("stryger", 75, 3, 8),
        ("stryger", 90, 5, 16),
        ("stryger", 120, 6, 24),
        ("stryger", 60, 3, -8),
        ("tout", 120, 6, 20),
        ("tout", 118, 5, -20),
        ("stroget tout", 120, 6, 30),
        ("stroget tout", 100, 5, -30),
    ],
)
def test_the_declarer_settles_with_each_defender_by_contract_and_jan(
    bid: str, points: int, tricks: int, declarer: int
) -> None:
    change = settled("auction_sjavs", points, tricks, bid=bid, trump="H")
    assert change == [declarer, -declarer // 2, -declarer // 2]


def test_the_highest_bid_plays_and_stryger_leaves_the_cat() -> None:
    table = Table(preset="auction_sjavs", dealer=2)
    table.act("pass", "spil", "stryger")
    assert (table.declarer, table.phase) == (2, Phase.NAME_TRUMP)  # the cat stays unseen
    table = Table(preset="auction_sjavs", dealer=2)
    table.act("spil", "pass", "pass")
    assert (table.declarer, table.phase) == (0, Phase.TAKE)
    table = Table(preset="auction_sjavs", dealer=2)
    table.act("tout")
    assert table.legal == ["pass", "stroget tout"]


def test_ten_cards_are_trumps_when_hearts_are_named() -> None:
    tables, pack = game_of("auction_sjavs").tables, game_of("auction_sjavs").pack
    trumps = [c for c in reversed(tables.slots.card_at[6]) if tables.cards.class_of[3, c] == 4]
    assert [pack.cards[c] for c in trumps] == [
        "QC",
        "QS",
        "JC",
        "JS",
        "JH",
        "JD",
        "AH",
        "KH",
        "QH",
        "TH",
    ]


# the end of a game of 60 øre


def after(preset: str, before: list[int], change: list[int]) -> tuple[list[int], bool, list[int]]:
    """Scores, whether the game is over, and crosses, when a deal changes the scores so."""
    from sjavs_env.engine.results.rubber import record_deals

    game = game_of(preset)
    state = game.new_games(1)
    state.score[0], state.change[0], state.outcome[0] = before, change, 0
    record_deals(game.tables, state, ROW)
    score, crosses = state.score[0].tolist(), state.crosses[0].tolist()
    return score, bool(state.rubber_over[0]), crosses


@pytest.mark.parametrize(
    ("before", "change", "over", "crosses"),
    [
        ([9, 8, 60], [0, -8, 0], True, [1, 0, 1]),  # the first at 0 has lost
        ([8, 4, 60], [0, -8, -8], True, [1, 0, 1]),
        ([20, 8, 6], [0, -8, -8], True, [1, 1, 0]),  # the lower before the deal loses
        ([20, 8, 8], [0, -8, -8], False, [0, 0, 0]),  # level: a decider
        ([20, 0, 0], [-8, 0, 0], False, [0, 0, 0]),  # still level
        ([20, 0, 0], [0, -4, -4], False, [0, 0, 0]),
        ([20, 0, 0], [0, 0, -8], True, [1, 1, 0]),
        ([2, 0, 0], [-8, 0, 0], True, [0, 1, 1]),  # all play in it
    ],
)
def test_the_end_of_a_game_of_60(
    before: list[int], change: list[int], over: bool, crosses: list[int]
) -> None:
    score, is_over, won = after("klorsjavs", before, change)
    assert (is_over, won) == (over, crosses)
    assert score == [a + b for a, b in zip(before, change, strict=True)]


@pytest.mark.parametrize(
    ("before", "change", "crosses"),
    [
        ([2, 24, 24], [-2, 0, 0], [2, 0, 0]),  # both others still on 24
        ([2, 24, 20], [-2, 0, 0], [1, 0, 0]),
        ([24, 4, 6], [0, -8, -8], [0, 1, 0]),  # the lower score wins
        ([24, 6, 6], [0, -8, -8], [0, 1, 1]),  # level: both, and never double
    ],
)
def test_the_end_of_a_rubber_of_three(
    before: list[int], change: list[int], crosses: list[int]
) -> None:
    _, is_over, won = after("faroese_3", before, change)
    assert (is_over, won) == (True, crosses)
