"""Compiled tables: counts of trumps, orders of strength, lengths, ladder and payoffs."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import NamedTuple

import numpy as np
import pytest

from sjavs_env.engine import Game, Phase
from sjavs_env.engine.phases.auction import suit_lengths
from sjavs_env.rules import PRESETS, RuleTables, compile_rules, make_rules
from sjavs_env.rules.tables import NO_LEAD, NO_SUIT, TRUMP
from tests.engine.table import SJAVS, game_of

PERMANENT = ["QC", "QS", "JC", "JS", "JH", "JD"]
MODES = {"": NO_SUIT, "C": 1, "S": 2, "H": 3, "D": 4}


class Cards(NamedTuple):
    """A pack as the rules describe it."""

    ranks: str
    total: int
    trumps: dict[str, int]  # by trump suit
    plain: dict[str, str]  # ordinary cards of each suit, high to low
    twins: dict[str, str]  # plain suits with the same ranks, by trump suit

    @property
    def pack(self) -> list[str]:
        """The cards, suit by suit."""
        pack = [rank + suit for suit in "CSHD" for rank in self.ranks]
        absent = {"QH", "QD"} - {"Q" + s for s in "HD" if "Q" in self.plain[s]}
        return [card for card in pack if card not in absent]


FAROESE = Cards(
    "AKQJT987",
    120,
    {"C": 12, "S": 12, "H": 13, "D": 13, "": 6},
    {"C": "AKT987", "S": "AKT987", "H": "AKQT987", "D": "AKQT987"},
    {"C": "HD", "S": "HD", "H": "CS", "D": "CS"},
)
TENS = Cards(
    "AKQJT",
    120,
    {"C": 9, "S": 9, "H": 10, "D": 10, "": 6},
    {"C": "AKT", "S": "AKT", "H": "AKQT", "D": "AKQT"},
    {"C": "HD", "S": "HD", "H": "CS", "D": "CS"},
)
FIVES = TENS._replace(ranks="AKQJ5", plain={"C": "AK5", "S": "AK5", "H": "AKQ5", "D": "AKQ5"})
EIGHTEEN = Cards(
    "AKQJ5",
    114,
    {"C": 9, "S": 9, "H": 9, "D": 9, "": 6},
    dict.fromkeys("CSHD", "AK5"),
    {"C": "SH", "S": "CH", "H": "CS", "D": "CS"},
)
PACKS = {
    "klorsjavs": FIVES,
    "danish_4": EIGHTEEN,
    "auction_sjavs": TENS,
    "auction_sjavs_clubs": TENS,
}
WORTH = {"A": 11, "K": 4, "Q": 3, "J": 2, "T": 10, "5": 10, "9": 0, "8": 0, "7": 0}


@pytest.fixture(params=SJAVS)
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def tables(preset: str) -> RuleTables:
    return game_of(preset).tables


@pytest.fixture
def cards(preset: str) -> Cards:
    return PACKS.get(preset, FAROESE)


def order(tables: RuleTables, cards: Cards, trump: str, led: int) -> list[str]:
    """Cards that can win a trick led with a class, strongest first."""
    power = tables.cards.power[MODES[trump], led]
    return [cards.pack[i] for i in np.argsort(-power) if power[i] > 0]


def test_the_pack_is_listed_suit_by_suit_with_its_worth(
    preset: str, tables: RuleTables, cards: Cards
) -> None:
    assert list(PRESETS[preset].pack.cards) == cards.pack
    assert tables.cards.points.tolist() == [WORTH[card[0]] for card in cards.pack]
    assert (tables.cards.worth == tables.cards.points).all()
    assert tables.total_points == cards.total


@pytest.mark.parametrize("trump", MODES)
def test_there_are_as_many_trumps_and_plain_cards_as_the_rules_say(
    tables: RuleTables, cards: Cards, trump: str
) -> None:
    classes = tables.cards.class_of[MODES[trump]].tolist()
    plain = [0 if s == trump else len(cards.plain[s]) for s in "CSHD"]
    assert [classes.count(k) for k in range(5)] == [*plain, cards.trumps[trump]]
    sets = tables.cards.class_set[MODES[trump]]
    assert np.bitwise_count(sets[:5]).tolist() == [classes.count(k) for k in range(5)]
    assert int(np.bitwise_or.reduce(sets[:5])) == int(sets[NO_LEAD]) == 2 ** len(classes) - 1


@pytest.mark.parametrize(
    ("name", "trump", "listed"),
    [
        ("faroese", "H", "AH KH QH TH 9H 8H 7H"),
        ("faroese_3", "C", "AC KC TC 9C 8C 7C"),
        ("klorsjavs", "C", "AC KC 5C"),
        ("danish_4", "C", "AC KC 5C"),
        ("auction_sjavs", "D", "AD KD QD TD"),
        ("auction_sjavs", "S", "AS KS TS"),
        ("faroese_2", "", ""),
    ],
)
def test_the_permanent_trumps_come_before_the_suit_named(
    name: str, trump: str, listed: str
) -> None:
    found = order(game_of(name).tables, PACKS.get(name, FAROESE), trump, TRUMP)
    assert found == PERMANENT + listed.split()


@pytest.mark.parametrize("trump", MODES)
def test_plain_suits_run_from_the_ace_down_below_all_trumps(
    tables: RuleTables, cards: Cards, trump: str
) -> None:
    trumps = PERMANENT + [r + trump for r in cards.plain.get(trump, "")]
    assert order(tables, cards, trump, TRUMP) == trumps
    for led, suit in enumerate("CSHD"):
        suits = [] if suit == trump else [r + suit for r in cards.plain[suit]]
        assert order(tables, cards, trump, led) == trumps + suits


def test_beats_holds_exactly_the_stronger_cards(tables: RuleTables) -> None:
    for mode in range(tables.n_modes):
        for led in range(5):
            power = tables.cards.power[mode, led]
            for strength in range(tables.cards.beats.shape[2]):
                stronger = tables.cards.bit[power > strength]
                assert tables.cards.beats[mode, led, strength] == np.bitwise_or.reduce(stronger)


def test_every_trump_and_no_plain_card_reaches_the_strength_of_trumps(tables: RuleTables) -> None:
    is_trump = tables.cards.class_of == TRUMP
    assert np.array_equal((tables.cards.power >= tables.cards.trump_power).all(axis=1), is_trump)
    assert np.array_equal((tables.cards.power >= tables.cards.trump_power).any(axis=1), is_trump)


def test_slots_order_the_cards_of_a_hand_by_strength(tables: RuleTables, cards: Cards) -> None:
    for trump, mode in MODES.items():
        laid = [cards.pack[i] for i in tables.slots.card_at[2 * mode]]
        trumps = order(tables, cards, trump, TRUMP)[::-1]
        plain = [r + s for s in "CSHD" if s != trump for r in cards.plain[s][::-1]]
        assert laid == plain + trumps
        for arranged in (2 * mode, 2 * mode + 1):
            placed = tables.slots.slot_of[arranged][tables.slots.card_at[arranged]]
            assert np.array_equal(placed, np.arange(len(cards.pack)))


def test_twins_are_plain_suits_with_the_same_ranks(tables: RuleTables, cards: Cards) -> None:
    for trump, mode in MODES.items():
        size, starts = tables.slots.twin_size[mode], tables.slots.twins[mode]
        straight, swapped = tables.slots.card_at[2 * mode], tables.slots.card_at[2 * mode + 1]
        if not trump:  # before a suit is named, names matter
            assert size == 0
            assert np.array_equal(straight, swapped)
            continue
        first, second = (slice(start, start + size) for start in starts)
        for place, suit in zip((first, second), cards.twins[trump], strict=True):
            listed = [cards.pack[i] for i in straight[place]]
            assert listed == [r + suit for r in cards.plain[suit][::-1]]
        assert np.array_equal(straight[first], swapped[second])
        assert np.array_equal(straight[second], swapped[first])


def test_to_slots_turns_the_bytes_of_a_hand_into_its_slots(
    tables: RuleTables, cards: Cards
) -> None:
    rng, n_cards = np.random.default_rng(3), len(cards.pack)
    for word in rng.integers(0, 2**n_cards, size=50, dtype=np.uint64):
        held = [i for i in range(n_cards) if int(word) >> i & 1]
        for mode in range(len(tables.slots.card_at)):
            parts = [tables.slots.to_slots[mode, b, int(word) >> 8 * b & 255] for b in range(4)]
            slots = int(np.bitwise_or.reduce(parts))
            assert slots == sum(1 << int(tables.slots.slot_of[mode, i]) for i in held)


@pytest.mark.parametrize(
    ("hand", "lengths"),
    [
        ("QC QS JC JS AH 7D 8C 9S", [5, 5, 5, 5]),
        ("JD AH KH TH 9H 8S 7S AC", [2, 3, 5, 1]),
        ("AS KS TS 9S AD KD QD TD", [0, 4, 0, 4]),
        ("AD KD QD TD 7D 7S 8S 9S", [0, 3, 0, 5]),
        ("QC QS JC JS JH JD AC KC", [8, 6, 6, 6]),
        ("QC JH AH KH 7S 8S 9D TD", [2, 4, 4, 4]),
        ("QC QS JC JS JH JD AC KC TC 9C", [10, 6, 6, 6]),
        ("QC QS JC JS JH JD AC KC TC 9C 8C 7C", [12, 6, 6, 6]),
    ],
)
def test_permanent_trumps_count_in_the_length_of_every_suit(hand: str, lengths: list[int]) -> None:
    for name in ("faroese", "faroese_3", "faroese_2"):
        tables, word = game_of(name).tables, PRESETS[name].pack.word(hand)
        hands = np.array([word], dtype=tables.word_type)
        assert suit_lengths(tables, hands).tolist() == [lengths]


def test_the_ladder_has_a_number_and_better_for_every_length_from_the_least() -> None:
    def ladder(name: str, **overrides: int | bool) -> list[str]:
        return list(compile_rules(make_rules(name, **overrides)).auction.bid_labels)

    every = ["5", "5 better", "6", "6 better", "7", "7 better", "8", "8 better"]
    assert ladder("faroese") == every
    assert ladder("faroese", min_bid=7) == every[4:]
    assert ladder("faroese", better_rule=False) == ["5", "6", "7", "8"]
    assert ladder("faroese", min_bid=8, better_rule=False) == ["8"]
    assert ladder("faroese_3") == [*every, "9", "9 better", "10", "10 better"]
    assert ladder("faroese_2", better_rule=False) == [str(n) for n in range(5, 13)]


def test_contracts_are_the_ladder_where_there_are_any() -> None:
    assert game_of("danish_4").tables.auction.bid_labels == ("play",)
    tables = game_of("auction_sjavs").tables
    assert tables.auction.bid_labels == ("spil", "stryger", "tout", "stroget tout")
    for hand in ((0, 0), (6, 6), (4, 1)):  # whatever the longest suit and the clubs
        assert [tables.auction.legal_calls[(k, *hand)].tolist() for k in range(5)] == [
            [1, 1, 1, 1, 1],
            [1, 0, 1, 1, 1],
            [1, 0, 0, 1, 1],
            [1, 0, 0, 0, 1],
            [1, 0, 0, 0, 0],
        ]


@pytest.mark.parametrize(
    ("name", "bid", "course"),
    [
        ("faroese", 0, "AUCTION NAME_TRUMP PLAY OVER"),
        ("faroese_wiki", -1, "AUCTION PLAY OVER"),
        ("faroese_3", 0, "AUCTION NAME_TRUMP LAY PLAY OVER"),
        ("faroese_2", 3, "AUCTION NAME_TRUMP PLAY OVER"),
        ("klorsjavs", 0, "AUCTION TAKE LAY CONCEDE PLAY OVER"),
        ("danish_4", 0, "AUCTION TAKE LAY CONCEDE PLAY OVER"),
        ("auction_sjavs", 0, "AUCTION TAKE LAY NAME_TRUMP PLAY OVER"),
        ("auction_sjavs", 1, "AUCTION NAME_TRUMP PLAY OVER"),
        ("auction_sjavs", 2, "AUCTION TAKE LAY NAME_TRUMP PLAY OVER"),
        ("auction_sjavs", 3, "AUCTION NAME_TRUMP PLAY OVER"),
        ("auction_sjavs_clubs", 0, "AUCTION TAKE LAY PLAY OVER"),
        ("auction_sjavs_clubs", 1, "AUCTION PLAY OVER"),
    ],
)
def test_moments_of_decision_follow_each_other(name: str, bid: int, course: str) -> None:
    phase, found = Phase.AUCTION, ["AUCTION"]
    while phase != Phase.OVER:
        phase = Phase(int(game_of(name).tables.course.phase_after[bid, phase]))
        found.append(phase.name)
    assert found == course.split()


def test_actions_are_cards_then_calls_then_suits() -> None:
    actions = Game(make_rules()).actions
    assert actions.labels[:2] == ("play AC", "play KC")
    assert actions.labels[31:35] == ("play 7D", "pass", "5", "5 better")
    assert actions.labels[-4:] == ("trump C", "trump S", "trump H", "trump D")
    assert (actions.size, len(actions.labels), len(set(actions.labels))) == (45, 45, 45)
    assert [actions.parse(label) for label in actions.labels] == list(range(45))
    with pytest.raises(ValueError, match="'play 6C' is not an action; allowed: play AC, play KC"):
        actions.parse("play 6C")


@pytest.mark.parametrize(
    ("name", "size", "last"),
    [
        ("faroese_3", 32 + 13 + 4 + 33, "done"),
        ("faroese_2", 32 + 17 + 4, "trump D"),
        ("klorsjavs", 20 + 2 + 2 + 21 + 2, "give up"),
        ("danish_4", 18 + 2 + 2 + 19 + 2, "give up"),
        ("auction_sjavs", 20 + 5 + 4 + 2 + 21, "done"),
        ("auction_sjavs_clubs", 20 + 5 + 2 + 21, "done"),
    ],
)
def test_a_game_has_actions_for_its_moments_of_decision_alone(
    name: str, size: int, last: str
) -> None:
    actions = game_of(name).actions
    assert actions.size == size
    assert len(set(actions.labels)) == size
    assert actions.labels[-1] == last


def test_tables_cannot_be_written_to(tables: RuleTables) -> None:
    parts = [*filter(is_dataclass, vars(tables).values())]
    parts += [tables.seats.melds] if tables.seats else []
    arrays = [v for part in parts for v in vars(part).values() if isinstance(v, np.ndarray)]
    assert len(arrays) > 20
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_rewards_of_gains_sum_to_zero(tables: RuleTables) -> None:
    against = tables.result.opponents
    assert np.array_equal(against, against.T)
    assert len(set(against.sum(axis=1).tolist())) == 1, "else sums would not come to zero"


@pytest.mark.parametrize(
    ("name", "gains", "rewards"),
    [
        ("faroese", [4, 0, 4, 0], [4, -4, 4, -4]),
        ("faroese", [0, 16, 0, 16], [-16, 16, -16, 16]),
        ("faroese_2", [0, 8], [-8, 8]),
        ("faroese_3", [12, 0, 0], [12, -6, -6]),
        ("faroese_3", [0, 8, 8], [-8, 4, 4]),
        ("klorsjavs", [-8, 0, 0], [-8, 4, 4]),
        ("danish_4", [0, -3, -3, -3], [3, -1, -1, -1]),
        ("auction_sjavs", [-10, 20, -10], [-15, 30, -15]),
    ],
)
def test_a_reward_is_the_gain_less_the_mean_gain_of_the_opponents(
    name: str, gains: list[int], rewards: list[int]
) -> None:
    assert game_of(name).rewards(np.array([gains], dtype=np.float32)).tolist() == [rewards]


def test_equal_gains_bring_equal_rewards() -> None:
    game = game_of("danish_4")
    for loser in range(4):
        gains = np.ones((1, 4), dtype=np.float32)
        gains[0, loser] = 0
        for rewards in (
            game.rewards(gains)[0],
            game.rewards(gains, np.ones((1, 4), dtype=np.bool_))[0],
        ):
            assert len(set(np.delete(rewards, loser).tolist())) == 1
            assert rewards.dtype == np.float32


def test_unsound_rules_are_not_compiled() -> None:
    broken = PRESETS["faroese"].altered(min_bid=9)
    with pytest.raises(ValueError, match="rules faroese: min_bid is 9; allowed: 1 to 8"):
        compile_rules(broken)
