"""Optional rules, driven through the engine: passing at will, the duty to overtrump."""

from __future__ import annotations

import pytest

from sjavs_env.engine import Phase
from tests.engine.table import Table, position
from tests.engine.test_cases import CLUBS_BEAT_FIVE, LONGER_SUIT, SECOND_CLUBS


@pytest.mark.parametrize(
    ("hands", "forced"),
    [
        (LONGER_SUIT, "5, 5 better, pass, 6"),
        (CLUBS_BEAT_FIVE, "5, pass, 5 better, pass"),
        (SECOND_CLUBS, "5, 5 better, pass, pass"),
    ],
)
def test_where_passing_is_allowed_it_stands_beside_the_forced_statement(
    hands: str, forced: str
) -> None:
    table = Table(hands, auction_mode="optional_pass")
    for statement in forced.split(", "):
        assert table.legal == (["pass"] if statement == "pass" else ["pass", statement])
        table.act(statement)
    assert table.phase == Phase.NAME_TRUMP


def test_where_passing_is_allowed_clubs_are_a_mere_number_if_none_stands() -> None:
    table = Table(CLUBS_BEAT_FIVE, auction_mode="optional_pass")
    table.act("pass", "pass")
    assert table.legal == ["pass", "5"]


@pytest.mark.parametrize(
    ("trick", "hand", "legal"),
    [
        ("9S", "TH 7C AD", "TH 7C AD"),  # no trump in the trick yet
        ("9S 9H", "TH 7H 7C", "TH"),
        ("9S 9H", "JD TH 7H 7C", "JD TH"),
        ("9S QC", "JD TH 7C", "JD TH 7C"),  # nothing beats it
        ("9S 9H", "TH 7S", "7S"),  # following comes first
        ("9H JC", "QC 7H", "QC 7H"),  # trumps led: any trump
        ("9H JC", "7C AD", "7C AD"),
        ("9S 9H AC", "8H AD", "8H AD"),
    ],
)
def test_where_overtrumping_is_a_duty_a_void_player_beats_the_trump_in_the_trick(
    trick: str, hand: str, legal: str
) -> None:
    assert position(trick, hand, "H", follow="must_overtrump").cards == set(legal.split())
