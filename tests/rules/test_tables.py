"""Compiled tables: counts of trumps, orders of strength, lengths, ladder and payoffs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sjavs_env.engine import Game
from sjavs_env.engine.auction import suit_lengths
from sjavs_env.rules import PRESETS, RuleTables, compile_rules, make_rules
from sjavs_env.rules.tables import NO_LEAD, NO_SUIT, TRUMP
from tests.engine.table import PACK, game_of

PERMANENT = ["QC", "QS", "JC", "JS", "JH", "JD"]
MODES = {"": NO_SUIT, "C": 1, "S": 2, "H": 3, "D": 4}
PLAIN = {"C": "AKT987", "S": "AKT987", "H": "AKQT987", "D": "AKQT987"}


def order(tables: RuleTables, trump: str, led: int) -> list[str]:
    """Cards that can win a trick led with a class, strongest first."""
    power = tables.power[MODES[trump], led]
    return [PACK[i] for i in np.argsort(-power) if power[i] > 0]


@pytest.fixture(params=list(PRESETS))
def tables(request: pytest.FixtureRequest) -> RuleTables:
    return game_of(request.param).tables


def test_the_pack_is_listed_suit_by_suit_and_worth_120(tables: RuleTables) -> None:
    assert PRESETS["faroese"].pack.cards == PACK
    worth = {PACK[i][0]: int(p) for i, p in enumerate(tables.card_points)}
    assert worth == {"A": 11, "K": 4, "Q": 3, "J": 2, "T": 10, "9": 0, "8": 0, "7": 0}
    assert tables.card_points.sum() == 120


@pytest.mark.parametrize(
    ("trump", "trumps", "plain"),
    [
        ("C", 12, {"S": 6, "H": 7, "D": 7}),
        ("S", 12, {"C": 6, "H": 7, "D": 7}),
        ("H", 13, {"C": 6, "S": 6, "D": 7}),
        ("D", 13, {"C": 6, "S": 6, "H": 7}),
        ("", 6, {"C": 6, "S": 6, "H": 7, "D": 7}),
    ],
)
def test_there_are_12_black_or_13_red_trumps(
    tables: RuleTables, trump: str, trumps: int, plain: dict[str, int]
) -> None:
    classes = tables.class_of[MODES[trump]].tolist()
    assert classes.count(TRUMP) == trumps
    assert {s: classes.count("CSHD".index(s)) for s in plain} == plain
    sets = tables.class_set[MODES[trump]]
    assert np.bitwise_count(sets[:5]).tolist() == [classes.count(k) for k in range(5)]
    assert int(np.bitwise_or.reduce(sets[:5])) == int(sets[NO_LEAD]) == 2**32 - 1


def test_f01_trumps_in_order(tables: RuleTables) -> None:
    hearts, clubs = order(tables, "H", TRUMP), order(tables, "C", TRUMP)
    assert " ".join(hearts) == "QC QS JC JS JH JD AH KH QH TH 9H 8H 7H"
    assert " ".join(clubs) == "QC QS JC JS JH JD AC KC TC 9C 8C 7C"
    assert order(tables, "", TRUMP) == PERMANENT


@pytest.mark.parametrize("trump", MODES)
def test_plain_suits_run_ace_king_queen_ten_below_all_trumps(
    tables: RuleTables, trump: str
) -> None:
    trumps = PERMANENT + [r + trump for r in PLAIN.get(trump, "")]
    assert order(tables, trump, TRUMP) == trumps
    for led, suit in enumerate("CSHD"):
        suits = [] if suit == trump else [r + suit for r in PLAIN[suit]]
        assert order(tables, trump, led) == trumps + suits


def test_beats_holds_exactly_the_stronger_cards(tables: RuleTables) -> None:
    for mode in range(tables.n_modes):
        for led in range(5):
            power = tables.power[mode, led]
            for strength in range(tables.beats.shape[2]):
                stronger = tables.bit[power > strength]
                assert tables.beats[mode, led, strength] == np.bitwise_or.reduce(stronger)


def test_every_trump_and_no_plain_card_reaches_the_strength_of_trumps(tables: RuleTables) -> None:
    is_trump = tables.class_of == TRUMP
    assert np.array_equal((tables.power >= tables.trump_power).all(axis=1), is_trump)
    assert np.array_equal((tables.power >= tables.trump_power).any(axis=1), is_trump)


def test_slots_order_the_cards_of_a_hand_by_strength(tables: RuleTables) -> None:
    for trump, mode in MODES.items():
        cards = [PACK[i] for i in tables.card_at[2 * mode]]
        trumps = order(tables, trump, TRUMP)[::-1]
        plain = [r + s for s in "CSHD" if s != trump for r in PLAIN[s][::-1]]
        assert cards == plain + trumps
        for arranged in (2 * mode, 2 * mode + 1):
            placed = tables.slot_of[arranged][tables.card_at[arranged]]
            assert np.array_equal(placed, np.arange(32))


def test_twins_are_the_plain_suits_with_the_same_ranks(tables: RuleTables) -> None:
    pairs = {"C": "HD", "S": "HD", "H": "CS", "D": "CS"}
    for trump, mode in MODES.items():
        size, starts = tables.twin_size[mode], tables.twins[mode]
        straight, swapped = tables.card_at[2 * mode], tables.card_at[2 * mode + 1]
        if trump not in pairs:  # before a suit is named, names matter
            assert size == 0
            assert np.array_equal(straight, swapped)
            continue
        first, second = (slice(start, start + size) for start in starts)
        assert {PACK[i][1] for i in straight[first]} == {pairs[trump][0]}
        assert {PACK[i][1] for i in straight[second]} == {pairs[trump][1]}
        assert np.array_equal(straight[first], swapped[second])
        assert np.array_equal(straight[second], swapped[first])
        assert [PACK[i][0] for i in straight[first]] == [PACK[i][0] for i in straight[second]]


def test_to_slots_turns_the_bytes_of_a_hand_into_its_slots(tables: RuleTables) -> None:
    rng = np.random.default_rng(3)
    for word in rng.integers(0, 2**32, size=50, dtype=np.uint32):
        held = [i for i in range(32) if int(word) >> i & 1]
        for mode in range(len(tables.card_at)):
            parts = [tables.to_slots[mode, b, int(word) >> 8 * b & 255] for b in range(4)]
            slots = int(np.bitwise_or.reduce(parts))
            assert slots == sum(1 << int(tables.slot_of[mode, i]) for i in held)


@pytest.mark.parametrize(
    ("hand", "lengths"),
    [
        ("QC QS JC JS AH 7D 8C 9S", [5, 5, 5, 5]),
        ("JD AH KH TH 9H 8S 7S AC", [2, 3, 5, 1]),
        ("AS KS TS 9S AD KD QD TD", [0, 4, 0, 4]),
        ("AD KD QD TD 7D 7S 8S 9S", [0, 3, 0, 5]),
        ("QC QS JC JS JH JD AC KC", [8, 6, 6, 6]),
        ("QC JH AH KH 7S 8S 9D TD", [2, 4, 4, 4]),
    ],
)
def test_f02_permanent_trumps_count_in_the_length_of_every_suit(
    tables: RuleTables, hand: str, lengths: list[int]
) -> None:
    word = PRESETS["faroese"].pack.word(hand)
    hands = np.array([word], dtype=tables.word_type)
    assert suit_lengths(tables, hands).tolist() == [lengths]


def test_the_ladder_has_a_number_and_better_for_every_length_from_the_least() -> None:
    def ladder(**overrides: int | bool) -> list[str]:
        return list(compile_rules(make_rules("faroese", **overrides)).bid_labels)

    every = ["5", "5 better", "6", "6 better", "7", "7 better", "8", "8 better"]
    assert ladder() == every
    assert ladder(min_bid=7) == every[4:]
    assert ladder(better_rule=False) == ["5", "6", "7", "8"]
    assert ladder(min_bid=8, better_rule=False) == ["8"]


def test_actions_are_cards_then_calls_then_suits() -> None:
    actions = Game(make_rules()).actions
    assert actions.labels[:2] == ("play AC", "play KC")
    assert actions.labels[31:35] == ("play 7D", "pass", "5", "5 better")
    assert actions.labels[-4:] == ("trump C", "trump S", "trump H", "trump D")
    assert (actions.size, len(actions.labels), len(set(actions.labels))) == (45, 45, 45)
    assert [actions.parse(label) for label in actions.labels] == list(range(45))
    with pytest.raises(ValueError, match="'play 6C' is not an action; allowed: play AC, play KC"):
        actions.parse("play 6C")


def test_tables_cannot_be_written_to(tables: RuleTables) -> None:
    arrays = [v for v in vars(tables).values() if isinstance(v, np.ndarray)]
    assert len(arrays) > 20
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_rewards_of_gains_sum_to_zero_and_are_equal_for_partners(tables: RuleTables) -> None:
    matrix = tables.reward_matrix
    assert matrix.sum(axis=1).tolist() == [0, 0, 0, 0]
    partners = np.array([[4, 0, 4, 0], [0, 16, 0, 16]], dtype=np.float32)
    assert (partners @ matrix).tolist() == [[4, -4, 4, -4], [-16, 16, -16, 16]]


def test_unsound_rules_are_not_compiled() -> None:
    broken = replace(PRESETS["faroese"], min_bid=9)
    with pytest.raises(ValueError, match="rules faroese: min_bid is 9; allowed: 1 to 8"):
        compile_rules(broken)
