"""The reference for Faroese Sjavs against worked examples: results, ties, rubber, packets."""

from __future__ import annotations

import pytest

from .faroese import PRESETS, Deal, Rubber, deal_out, result_row
from .sjavs_cards import PACK

FAROESE = PRESETS["faroese"]
TESTED = ["faroese", "faroese_wiki", "suduroy", "faroese_smith"]


def ended(preset: str, dealer: int, outcome: str, declarer: int, trump: str) -> Deal:
    """Make a deal that has ended in this way, to try the score with."""
    deal = Deal(PRESETS[preset], PACK, dealer)
    deal.phase, deal.outcome, deal.declarer, deal.trump = "over", outcome, declarer, trump
    return deal


def value(preset: str, points: int, tricks: int, trump: str, single: bool = False) -> int:
    """Give what declarer 1 gains for his side, negative for what the defenders gain."""
    row = result_row(PRESETS[preset], points, tricks, single)
    change = Rubber(PRESETS[preset], 3).record(ended(preset, 3, row, 1, trump))
    return change[0] - change[1]


@pytest.mark.parametrize(
    ("points", "tricks", "single", "plain", "clubs", "wiki"),
    [
        (61, 4, False, 2, 4, (2, 4)),
        (89, 7, False, 2, 4, (2, 4)),
        (90, 6, False, 4, 8, (4, 8)),
        (120, 7, True, 4, 8, (4, 8)),
        (120, 8, False, 12, 16, (12, 16)),
        (120, 8, True, 16, 24, (16, 24)),
        (60, 4, False, 0, 0, (0, 0)),
        (59, 4, False, -4, -8, (-4, -8)),
        (31, 2, False, -4, -8, (-4, -8)),
        (30, 3, False, -8, -16, (-4, -8)),
        (0, 1, False, -8, -16, (-4, -8)),
        (0, 0, True, -16, -16, (-4, -8)),
    ],
)
def test_every_edge_of_the_table_of_results(
    points: int, tricks: int, single: bool, plain: int, clubs: int, wiki: tuple[int, int]
) -> None:
    """Every edge of the table, in plain suits and in clubs."""
    for suit in "SHD":
        assert value("faroese", points, tricks, suit, single) == plain
    assert value("faroese", points, tricks, "C", single) == clubs
    assert value("faroese_wiki", points, tricks, "H", single) == wiki[0]
    assert value("faroese_wiki", points, tricks, "C", single) == wiki[1]


def test_suduroy_has_no_single_vol() -> None:
    """One player's eight tricks are an ordinary vol there."""
    assert result_row(PRESETS["suduroy"], 120, 8, single=True) == "vol"


@pytest.mark.parametrize(
    ("trump", "points", "values"),
    [
        ("H", 75, (4, 4, 4, 4)),
        ("C", 75, (6, 8, 6, 8)),
        ("C", 45, (-10, -12, -12, -16)),
        ("H", 20, (-10, -6, -12, -16)),
    ],
)
def test_the_deal_after_a_tie_is_worth_more(
    trump: str, points: int, values: tuple[int, ...]
) -> None:
    """The deal after a tie is worth more, by the preset's own rule; then the tie is used up."""
    for preset, expected in zip(TESTED, values, strict=True):
        rubber = Rubber(PRESETS[preset], 3)
        rubber.record(ended(preset, 3, "tie", 0, "S"))
        row = result_row(PRESETS[preset], points, 4, single=False)
        change = rubber.record(ended(preset, 0, row, 1, trump))
        assert change[0] - change[1] == expected
        assert change[0] == change[2]
        assert change[1] == change[3]
        assert rubber.ties == 0


def test_ties_in_a_row() -> None:
    """Added bonuses pile up, doubling does not (rules 5.2)."""
    for preset, expected in zip(TESTED, (6, 6, 6, 4), strict=True):
        rubber = Rubber(PRESETS[preset], 3)
        rubber.record(ended(preset, 3, "tie", 0, "S"))
        rubber.record(ended(preset, 0, "redeal", 0, "S"))
        rubber.record(ended(preset, 0, "tie", 0, "C"))
        assert rubber.record(ended(preset, 1, "win", 2, "D")) == [-expected, 0, -expected, 0]


def test_winning_24_at_one_blow_counts_two_crosses() -> None:
    """24 at one blow while the others stand on 24 counts two crosses."""
    rubber = Rubber(FAROESE, 3)
    assert rubber.record(ended("faroese", 3, "single_vol", 0, "C")) == [-24, 0, -24, 0]
    assert (rubber.over, rubber.crosses, rubber.score) == (True, [2, 0, 2, 0], [0, 24, 0, 24])
    suduroy = Rubber(PRESETS["suduroy"], 3)
    suduroy.record(ended("suduroy", 3, "vol", 0, "C"))
    assert (suduroy.over, suduroy.score) == (False, [8, 24, 8, 24])
    suduroy.record(ended("suduroy", 0, "vol", 0, "C"))
    assert (suduroy.over, suduroy.crosses) == (True, [1, 0, 1, 0])


def test_rubber_goes_down_to_zero() -> None:
    """Overshoot is worth nothing; a rubber that is won takes no more deals (rules 5.3)."""
    rubber = Rubber(FAROESE, 3)
    rubber.score = [3, 22, 3, 22]
    assert rubber.record(ended("faroese", 3, "lose_30", 1, "S")) == [-8, 0, -8, 0]
    assert (rubber.score, rubber.crosses) == ([0, 22, 0, 22], [1, 0, 1, 0])
    with pytest.raises(ValueError, match="rubber"):
        rubber.record(ended("faroese", 0, "win", 1, "S"))


@pytest.mark.parametrize(("others", "crosses"), [(24, 1), (20, 0)])
def test_cross_for_a_shutout_only(others: int, crosses: int) -> None:
    """With this rule a rubber won against fewer than 24 gives no cross (rules 5.3)."""
    rubber = Rubber({**FAROESE, "cross_rule": "shutout_only"}, 3)
    rubber.score = [2, others, 2, others]
    rubber.record(ended("faroese", 3, "win", 0, "S"))
    assert (rubber.over, rubber.crosses) == (True, [crosses, 0, crosses, 0])


def test_the_deal_stays_after_four_passes_and_passes_on_after_a_played_deal() -> None:
    """The deal stays after four passes and passes on after every other deal."""
    for outcome, dealer in [("redeal", 3), ("win", 0), ("tie", 0), ("lose_30", 0)]:
        rubber = Rubber(FAROESE, 3)
        rubber.record(ended("faroese", 3, outcome, 1, "S"))
        assert rubber.dealer == dealer


def test_forehand_gets_the_first_packet_and_the_dealer_the_last() -> None:
    """Forehand gets the first packet, the dealer the last."""

    def places(packets: str, seat: int, dealer: int = 3) -> list[int]:
        return [PACK.index(card) for card in deal_out(PACK, packets, dealer)[seat]]

    assert places("4-4", 1) == [4, 5, 6, 7, 20, 21, 22, 23]
    assert places("8", 1) == list(range(8, 16))
    assert places("3-2-3", 1) == [3, 4, 5, 14, 15, 23, 24, 25]
    assert places("3-2-3", 3) == [9, 10, 11, 18, 19, 29, 30, 31]
    assert places("4-4", 2, dealer=0) == [4, 5, 6, 7, 20, 21, 22, 23]
    assert Deal(FAROESE, PACK, 3).hands == deal_out(PACK, "4-4", 3)
    assert Deal(PRESETS["suduroy"], PACK, 3).hands == deal_out(PACK, "3-2-3", 3)
    assert Deal(FAROESE, PACK, 3, cut=False).hands == deal_out(PACK, "8", 3)


@pytest.mark.parametrize(
    "deck", [PACK[1:], (*PACK[1:], "AS"), [card.lower() for card in PACK]], ids=str
)
def test_only_a_whole_pack_is_dealt(deck: list[str]) -> None:
    """A short or wrong pack is refused."""
    with pytest.raises(ValueError, match="32 cards"):
        Deal(FAROESE, deck, 0)
