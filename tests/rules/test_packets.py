"""Ways of dealing: what a text of packets means, card by card."""

from __future__ import annotations

import pytest

from sjavs_env.rules.packets import Packet, Place, deal_places, packet_problem, packets
from tests.engine.table import game_of


def places(text: str, players: int, zone: str, seat: int = 0) -> list[int]:
    """Places in the deck of the cards that go to a zone of a seat."""
    return [i for i, place in enumerate(deal_places(text, players)) if place == (zone, seat)]


def span(*runs: tuple[int, int]) -> list[int]:
    """Whole numbers of some runs, both ends included."""
    return [i for first, last in runs for i in range(first, last + 1)]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("8", [("hand", 8, 0)]),
        ("4-4", [("hand", 4, 0), ("hand", 4, 0)]),
        ("3-(2)-3", [("hand", 3, 0), ("talon", 2, 0), ("hand", 3, 0)]),
        ("10(1)", [("hand", 10, 1)]),
        ("4d-4u-8", [("down", 4, 0), ("up", 4, 0), ("hand", 8, 0)]),
    ],
)
def test_a_text_is_read_packet_by_packet(text: str, meant: list[tuple[str, int, int]]) -> None:
    assert packets(text) == meant
    assert all(isinstance(packet, Packet) for packet in packets(text))


@pytest.mark.parametrize(
    "text",
    ["", "-", "0", "04", "4-", "-4", "4--4", "4 4", "(0)", "()", "4x", "4(", "d4", "4D", "٤"],
)
def test_what_is_no_packet_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no packet; allowed: such as 4, 4d, 4u"):
        deal_places(text, 4)
    assert packet_problem(text, 4, 4, 0, 0) is not None


@pytest.mark.parametrize("seat", range(4))
def test_four_hands_are_dealt_in_packets(seat: int) -> None:
    four = (4 * seat, 4 * seat + 3)
    assert places("4-4", 4, "hand", seat) == span(four, (16 + four[0], 16 + four[1]))
    assert places("8", 4, "hand", seat) == span((8 * seat, 8 * seat + 7))
    assert places("3-2-3", 4, "hand", seat) == span(
        (3 * seat, 3 * seat + 2),
        (12 + 2 * seat, 13 + 2 * seat),
        (20 + 3 * seat, 22 + 3 * seat),
    )


@pytest.mark.parametrize("seat", range(3))
def test_three_hands_get_a_skat_in_the_middle_or_between_the_players(seat: int) -> None:
    cut = "3-(1)-4-(1)-3"
    assert places(cut, 3, "talon") == [9, 22]
    assert places(cut, 3, "hand", seat) == span(
        (3 * seat, 3 * seat + 2),
        (10 + 4 * seat, 13 + 4 * seat),
        (23 + 3 * seat, 25 + 3 * seat),
    )
    assert places("10(1)", 3, "talon") == [10, 21]
    assert places("10(1)", 3, "hand", seat) == span((11 * seat, 11 * seat + 9))


@pytest.mark.parametrize("seat", range(2))
def test_two_hands_have_rows_face_down_and_face_up(seat: int) -> None:
    assert places("4d-4u-8", 2, "down", seat) == span((4 * seat, 4 * seat + 3))
    assert places("4d-4u-8", 2, "up", seat) == span((8 + 4 * seat, 11 + 4 * seat))
    assert places("4d-4u-8", 2, "hand", seat) == span((16 + 8 * seat, 23 + 8 * seat))


def test_danish_games_lay_the_cat_between_the_packets() -> None:
    assert places("3-(2)-3", 3, "talon") == [9, 10]
    assert places("2-(2)-2", 4, "talon") == [8, 9]
    for seat in range(3):
        assert places("3-(2)-3", 3, "hand", seat) == span(
            (3 * seat, 3 * seat + 2), (11 + 3 * seat, 13 + 3 * seat)
        )
    for seat in range(4):
        assert places("2-(2)-2", 4, "hand", seat) == span(
            (2 * seat, 2 * seat + 1), (10 + 2 * seat, 11 + 2 * seat)
        )


def test_the_tables_have_the_places_of_each_way_of_dealing() -> None:
    three = game_of("faroese_3").tables
    assert three.deal.talon.tolist() == [[10, 21], [9, 22]]  # knocked, cut
    assert three.deal.hand[0].tolist() == [span((0, 9)), span((11, 20)), span((22, 31))]
    two = game_of("faroese_2").tables
    for way in range(2):
        up, down = two.deal.table[way]
        assert up.tolist() == [span((8, 11)), span((12, 15))]
        assert down.tolist() == [span((0, 3)), span((4, 7))]
        hands = [span((16, 23), (8, 11)), span((24, 31), (12, 15))]  # those face up come last
        assert two.deal.hand[way].tolist() == hands
    assert game_of("faroese").tables.deal.talon.shape == (2, 0)


@pytest.mark.parametrize(
    ("text", "players", "hand", "talon", "columns"),
    [
        ("4-4", 4, 8, 0, 0),
        ("3-(1)-4-(1)-3", 3, 10, 2, 0),
        ("10(1)", 3, 10, 2, 0),
        ("2-(2)-2", 4, 4, 2, 0),
        ("4d-4u-8", 2, 8, 0, 4),
        ("8-2d-2d-4u", 2, 8, 0, 4),
    ],
)
def test_packets_that_add_up_are_no_problem(
    text: str, players: int, hand: int, talon: int, columns: int
) -> None:
    assert packet_problem(text, players, hand, talon, columns) is None


@pytest.mark.parametrize(
    ("text", "players", "hand", "talon", "columns", "allowed"),
    [
        ("4-3", 4, 8, 0, 0, "8 for each hand, such as"),
        ("4-4-4", 4, 8, 0, 0, "8 for each hand, such as"),
        ("4-(2)-4", 4, 8, 0, 0, "8 for each hand, such as"),
        ("5-5", 3, 10, 2, 0, "10 for each hand and 2 for the talon"),
        ("10(2)", 3, 10, 2, 0, "10 for each hand and 2 for the talon"),
        ("4d-8", 2, 8, 0, 4, "8 for each hand, 4 face down and 4 face up for the table"),
        ("4-4d", 4, 8, 0, 0, "8 for each hand, such as"),
    ],
)
def test_packets_that_do_not_add_up_are_named(
    text: str, players: int, hand: int, talon: int, columns: int, allowed: str
) -> None:
    problem = packet_problem(text, players, hand, talon, columns)
    assert problem is not None
    assert problem.startswith(f"{text!r}; allowed: packets that add up to {allowed}")
    assert Place("hand", 0) in deal_places(text, players)


def test_numbers_far_beyond_a_pack_are_refused_at_once() -> None:
    for text in ("9999999999", "(9999999999)", "1(9999999999)"):
        assert packet_problem(text, 4, 8, 0, 0) is not None
    assert packet_problem("4-4", 10**7, 8, 0, 0) is None  # too many players, but well dealt
