"""The reference for Faroese Sjavs with three and two hands: worked examples and more."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.longest_suits import length_shares, within

from .faroese_small import PRESETS, Deal, Rubber, card_points, result_row
from .packets import deal_packets
from .sjavs_cards import PACK

THREE = PRESETS["faroese_3"]
TWO = PRESETS["faroese_2"]

STRONG = [
    "QC QS JC JS JH JD AH KH QH 7S",
    "8H 7H AC KC TC 9C 8C 7C AS KS",
    "TS 9S 8S AD KD QD TD 9D 8D 7D",
]
STRONG_SKAT = "TH 9H"
COLUMNS = (
    "7C 8C 9C TC AC KC 7S 8S "  # covered
    "QC QS JC JS 9S TS KS AS "  # open
    "JH JD AH KH QH TH 9H 8H 7H AD KD QD TD 9D 8D 7D"
)


def three(hands: list[str], skat: str, dealer: int = 2, **changes: object) -> Deal:
    """Start a deal for three from hands written as lines of cards."""
    split = [hand.split() for hand in hands]
    return Deal.from_hands({**THREE, **changes}, split, skat.split(), dealer)


def strong(*exchange: str) -> Deal:
    """Let seat 0 become declarer in hearts with nine sure tricks, and exchange."""
    deal = three(STRONG, STRONG_SKAT)
    for label in ("9", "pass", "pass", "trump H", *exchange):
        deal.act(label)
    return deal


def ended(
    dealer: int, outcome: str, declarer: int, trump: str = "S", preset: str = "faroese_3"
) -> Deal:
    """Make a deal that has ended in this way, to try the score with."""
    deal = Deal(PRESETS[preset], PACK, dealer)
    deal.phase, deal.outcome, deal.declarer, deal.trump = "over", outcome, declarer, trump
    return deal


def play(deal: Deal, tricks: list[str]) -> None:
    """Play whole tricks, each written as its cards in order, its winner and its points."""
    for line in tricks:
        *cards, winner, worth = line.split()
        before = list(deal.points)
        for card in cards:
            assert card in deal.hands[deal.seat]
            deal.act(f"play {card}")
        assert deal.points[int(winner)] - before[int(winner)] == int(worth)
        assert deal.phase == "over" or deal.seat == int(winner)


# Three hands


def places(deal: Deal, seat: int) -> list[int]:
    """Give where in the pack the cards of a seat lay."""
    return [PACK.index(card) for card in deal.hands[seat]]


def test_three_hands_are_dealt_three_four_three_when_cut() -> None:
    """3, one skat card, 4, one skat card, 3."""
    deal = Deal(THREE, PACK, 2)
    assert places(deal, 0) == [0, 1, 2, 10, 11, 12, 13, 23, 24, 25]
    assert places(deal, 1) == [3, 4, 5, 14, 15, 16, 17, 26, 27, 28]
    assert places(deal, 2) == [6, 7, 8, 18, 19, 20, 21, 29, 30, 31]
    assert deal.skat == [PACK[9], PACK[22]]


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_three_hands_are_dealt_ten_at_once_when_knocked(dealer: int) -> None:
    """Ten at once, a skat card after the first and the second player."""
    deal = Deal(THREE, PACK, dealer, cut=False)
    assert places(deal, (dealer + 1) % 3) == list(range(10))
    assert places(deal, (dealer + 2) % 3) == list(range(11, 21))
    assert places(deal, dealer) == list(range(22, 32))
    assert deal.skat == [PACK[10], PACK[21]]


def test_cut_by_another_dealer() -> None:
    """Forehand gets the first packet."""
    assert Deal(THREE, PACK, 0).hands[1] == Deal(THREE, PACK, 2).hands[0]


def test_packets_must_use_the_pack_up() -> None:
    """A wrong list of packets is refused."""
    with pytest.raises(ValueError, match="left over"):
        deal_packets(PACK, 3, "3-(1)-4-(1)-2", 0)


@pytest.mark.parametrize("deck", [PACK[1:], (*PACK[1:], "AS")])
def test_only_a_whole_pack_is_dealt(deck: tuple[str, ...]) -> None:
    """A short or wrong pack is refused."""
    with pytest.raises(ValueError, match="32 cards"):
        Deal(TWO, deck, 0)


@pytest.mark.parametrize(
    ("laid", "skat", "in_tricks", "total"),
    [(["TD"], "AS 7S", 52, 62), ([], "AS 9H", 50, 61)],
)
def test_skat_and_discards_count_to_the_declarer(
    laid: list[str], skat: str, in_tricks: int, total: int
) -> None:
    """Skat and cards laid away count to the soloist, who subtracts 2."""
    rest = [card for card in PACK if card not in (*skat.split(), "TD")]
    hearts = [card for card in rest if card[1] == "H" or card[0] == "Q"][:9]
    others = [card for card in rest if card not in hearts]
    deal = Deal.from_hands(
        THREE, [["TD", *hearts], others[:10], others[10:]], skat.split(), dealer=2
    )
    while deal.phase == "auction":
        deal.act(deal.legal()[-1])
    deal.act("trump H")
    for card in laid:
        deal.act(f"lay {card}")
    deal.act("done")
    assert ("AS" in deal.hands[0], deal.skat) == (bool(laid), skat.split()[len(laid) :])
    deal.points[0] = in_tricks
    assert deal.declarer_points() == total
    assert result_row(THREE, total, 5, 10) == "win"
    assert Rubber(THREE, 2).record(ended(2, "win", 0, "H")) == [-2, 0, 0]


def test_each_defender_subtracts_the_whole_amount() -> None:
    """Clubs, 45 points: each defender gets the full 8."""
    rubber = Rubber(THREE, 2)
    assert result_row(THREE, 45, 4, 10) == "lose"
    assert rubber.record(ended(2, "lose", 0, "C")) == [0, -8, -8]
    assert (rubber.score, rubber.dealer) == ([24, 16, 16], 0)


def test_exchange_one_card() -> None:
    """He lays away without seeing the skat; the first skat card joins the hand at the end."""
    deal = strong()
    assert (deal.phase, deal.seat) == ("exchange", 0)
    assert deal.legal() == [f"lay {card}" for card in STRONG[0].split()] + ["done"]
    deal.act("lay 7S")
    assert (deal.phase, deal.laid, deal.skat) == ("exchange", ["7S"], ["TH", "9H"])
    assert len(deal.legal()) == 10
    assert "lay TH" not in deal.legal()
    deal.act("done")
    assert (deal.phase, deal.seat, deal.skat) == ("play", 0, ["9H"])
    assert sorted(deal.hands[0]) == sorted([*STRONG[0].split()[:9], "TH"])


def test_exchange_two_cards() -> None:
    """The second card laid away ends the exchange; trumps may go too."""
    deal = strong("lay QC", "lay 7S")
    assert (deal.phase, deal.laid, deal.skat) == ("play", ["QC", "7S"], [])
    assert sorted(deal.hands[0]) == sorted([*STRONG[0].split()[1:9], "TH", "9H"])
    assert deal.declarer_points() == 3


def test_nothing_is_exchanged() -> None:
    """The skat stays and counts to the declarer; his one loser leaves him 99 points."""
    deal = strong("done")
    play(
        deal,
        [
            "QC 8H 8D 0 3",
            "QS 7H 7D 0 3",
            "JC 7C 9D 0 2",
            "JS 8C TD 0 12",
            "JH 9C QD 0 5",
            "JD TC KD 0 16",
            "AH KC AD 0 26",
            "KH AC 8S 0 15",
            "QH KS 9S 0 7",
            "7S AS TS 1 21",
        ],
    )
    assert (deal.points, deal.tricks) == ([89, 21, 0], [9, 1, 0])
    assert (deal.declarer_points(), deal.outcome) == (99, "win_90")
    assert Rubber(THREE, 2).record(deal) == [-4, 0, 0]


def test_soloist_takes_all_ten() -> None:
    """All ten tricks are a vol, 12 or 16, and no more than that (rules 5.1)."""
    deal = strong("lay 7S", "done")
    while deal.phase != "over":
        deal.act(deal.legal()[0])
    assert (deal.tricks, deal.declarer_points(), deal.outcome) == ([10, 0, 0], 120, "vol")
    assert Rubber(THREE, 2).record(deal) == [-12, 0, 0]
    assert Rubber(THREE, 2).record(ended(2, "vol", 0, "C")) == [-16, 0, 0]


@pytest.mark.parametrize(
    ("points", "tricks", "row"),
    [
        (120, 10, "vol"),
        (120, 9, "win_90"),
        (90, 7, "win_90"),
        (89, 7, "win"),
        (61, 5, "win"),
        (60, 5, "tie"),
        (59, 5, "lose"),
        (31, 2, "lose"),
        (30, 2, "lose_30"),
        (21, 0, "lose_no_trick"),  # two aces laid away are no trick
        (0, 1, "lose_30"),
    ],
)
def test_rows_with_ten_tricks(points: int, tricks: int, row: str) -> None:
    """Tricks are counted for a vol and for no trick, points for the rest (rules 5.1)."""
    assert result_row(THREE, points, tricks, 10) == row


def test_all_pass() -> None:
    """Nobody has five of a suit: the same dealer again, a tie stays pending."""
    hands = [
        "QC JS AC KC AS KS AH KH AD KD",
        "QS JH TC 9C TS 9S QH TH QD TD",
        "JC JD 8C 7C 8S 7S 9H 8H 9D 8D",
    ]
    deal = three(hands, "7H 7D", dealer=1)
    rubber = Rubber(THREE, 1)
    rubber.ties = 1
    for _ in range(3):
        assert deal.legal() == ["pass"]
        deal.act("pass")
    assert (deal.phase, deal.seat, deal.outcome) == ("over", -1, "redeal")
    assert (rubber.record(deal), rubber.dealer, rubber.ties) == ([0, 0, 0], 1, 1)
    with pytest.raises(ValueError, match="no declarer"):
        deal.declarer_points()


def test_tie_bonus_goes_to_each_winner() -> None:
    """One pending tie is 2 more for each winning defender; two are 4 (rules 5.2)."""
    rubber = Rubber(THREE, 2)
    assert rubber.record(ended(2, "tie", 0)) == [0, 0, 0]
    assert rubber.record(ended(0, "lose", 1)) == [-6, 0, -6]
    rubber.record(ended(1, "tie", 0))
    rubber.record(ended(2, "tie", 0))
    assert rubber.record(ended(0, "win", 0, "C")) == [-8, 0, 0]
    assert (rubber.score, rubber.ties) == ([10, 24, 18], 0)


@pytest.mark.parametrize(
    ("rule", "won", "lost"),
    [
        ("add_2", 8, 12),
        ("add_2_plain_4_clubs", 12, 16),
        ("add_2_declarers_4_defenders", 8, 16),
        ("double", 8, 16),
    ],
)
def test_other_rules_for_ties(rule: str, won: int, lost: int) -> None:
    """Two ties pending before a win and a loss in clubs, worth 4 and 8 (rules 5.2)."""
    params = {**THREE, "tie": rule}
    for outcome, value in (("win", won), ("lose", lost)):
        rubber = Rubber(params, 2)
        rubber.ties = 2
        deal = ended(2, outcome, 0, "C")
        deal.params = params
        assert min(rubber.record(deal)) == -value


@pytest.mark.parametrize(
    ("score", "outcome", "left", "crosses"),
    [
        ([24, 7, 8], "lose_30", [24, 0, 0], [0, 1, 0]),  # 7 - 8 is lower than 8 - 8
        ([24, 8, 8], "lose_30", [24, 0, 0], [0, 1, 1]),  # equal: both, never double
        ([24, 9, 8], "lose_30", [24, 1, 0], [0, 0, 1]),
        ([2, 24, 24], "win", [0, 24, 24], [2, 0, 0]),
        ([2, 24, 23], "win", [0, 24, 23], [1, 0, 0]),
    ],
)
def test_end_of_a_rubber_for_three(
    score: list[int], outcome: str, left: list[int], crosses: list[int]
) -> None:
    """The lower score wins; double needs both others on 24 (rules 5.3)."""
    rubber = Rubber(THREE, 2)
    rubber.score = score
    rubber.record(ended(2, outcome, 0))
    assert (rubber.over, rubber.score, rubber.crosses) == (True, left, crosses)
    with pytest.raises(ValueError, match="not yet won"):
        rubber.record(ended(0, outcome, 0))


# Two hands


def columns(*statements: str) -> Deal:
    """Deal the columns example; seat 0 has twelve trumps in hearts."""
    deal = Deal(TWO, COLUMNS.split(), 1)
    for label in statements:
        deal.act(label)
    return deal


def test_places_of_the_cards_for_two() -> None:
    """Four covered, four open, eight in hand (rules 2.2)."""
    for dealer in (0, 1):
        deal = Deal(TWO, PACK, dealer, cut=dealer == 0)
        first, last = 1 - dealer, dealer
        assert deal.down[first] == list(PACK[0:4])
        assert deal.down[last] == list(PACK[4:8])
        assert deal.up[first] == list(PACK[8:12])
        assert deal.up[last] == list(PACK[12:16])
        assert sorted(deal.hands[first]) == sorted(PACK[8:12] + PACK[16:24])
        assert sorted(deal.hands[last]) == sorted(PACK[12:16] + PACK[24:32])
        assert (deal.seat, deal.skat) == (first, [])


def test_length_is_counted_over_hand_and_open_cards() -> None:
    """Hand and open cards count together: hearts 6."""
    held = ["QC", "JD", "AH", "KH", "7S", "8S", "9C", "TC"]
    shown = ["QH", "9H", "AD", "7D"]
    rest = [card for card in PACK if card not in held + shown]
    deal = Deal(TWO, [*rest[:8], *shown, *rest[8:12], *held, *rest[12:]], 1)
    assert deal.legal() == ["6"]


def test_a_covered_card_is_turned_after_the_trick() -> None:
    """It may be played from the next trick on (rules 2.2)."""
    deal = columns("12", "pass", "trump H")
    assert (deal.phase, deal.seat) == ("play", 0)
    deal.act("play QC")
    assert (deal.up[0][0], deal.down[0][0], len(deal.hands[0])) == (None, "7C", 11)
    assert "7C" not in deal.hands[0]
    assert deal.legal() == ["play 7H"]
    deal.act("play 7H")
    assert deal.up[0] == ["7C", "QS", "JC", "JS"]
    assert deal.down[0] == [None, "8C", "9C", "TC"]
    assert (len(deal.hands[0]), "7C" in deal.hands[0]) == (12, True)
    assert (len(deal.hands[1]), deal.down[1]) == (11, ["AC", "KC", "7S", "8S"])


def test_whole_deal_for_two() -> None:
    """Sixteen tricks; the covered clubs cost seat 0 four of them."""
    deal = columns("12", "pass", "trump H")
    play(
        deal,
        [
            "QC 7H 0 3",
            "QS 7D 0 3",
            "JC 8D 0 2",
            "JS 9D 0 2",
            "JH TD 0 12",
            "JD QD 0 5",
            "AH KD 0 15",
            "KH AD 0 15",
            "QH 9S 0 3",
            "TH TS 0 20",
            "9H KS 0 4",
            "8H AS 0 11",
            "7C AC 1 11",
            "8S 8C 1 0",
            "7S 9C 1 0",
            "KC TC 1 14",
        ],
    )
    assert (deal.points, deal.tricks, deal.outcome) == ([95, 25], [12, 4], "win_90")
    assert deal.up == deal.down == [[None] * 4] * 2
    assert Rubber(TWO, 1).record(deal) == [-4, 0]


def test_rubber_for_two() -> None:
    """All sixteen tricks are a vol; a win to nil is double (rules 5.1, 5.3)."""
    assert result_row(TWO, 120, 16, 16) == "vol"
    assert result_row(TWO, 120, 15, 16) == "win_90"
    rubber = Rubber(TWO, 1)
    assert rubber.record(ended(1, "vol", 1, "C", "faroese_2")) == [0, -16]
    assert rubber.record(ended(0, "lose_30", 0, "C", "faroese_2")) == [0, -16]
    assert (rubber.over, rubber.score, rubber.crosses) == (True, [24, 0], [0, 2])


# Both games


def cards_of(deal: Deal) -> list[str]:
    """List all cards that have not been played to a finished trick."""
    lying = [card for row in deal.down for card in row if card]
    held = [card for hand in deal.hands for card in hand]
    return held + lying + deal.skat + deal.laid + [card for _, card in deal.trick]


def check(deal: Deal) -> None:
    """Check that no card and no point has been lost."""
    cards = cards_of(deal)
    assert len(cards) == len(set(cards)) == 32 - deal.players * sum(deal.tricks)
    assert card_points(cards) + sum(deal.points) == 120
    for seat in range(deal.players):
        assert {card for card in deal.up[seat] if card} <= set(deal.hands[seat])
    assert len(deal.legal()) == len(set(deal.legal()))
    assert bool(deal.legal()) == (deal.phase != "over") == (deal.seat >= 0)


@pytest.mark.parametrize("mode", ["forced", "optional_pass", "free"])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_random_rubbers(preset: str, mode: str) -> None:
    """Cards, points and tricks add up, and every rubber comes to its end."""
    rng = random.Random(f"{preset} {mode}")
    params = {**PRESETS[preset], "auction_mode": mode}
    for _ in range(3):
        rubber = Rubber(params, rng.randrange(2))
        while not rubber.over:
            deal = Deal(params, rng.sample(PACK, 32), rubber.dealer, cut=rng.random() < 0.5)
            while deal.phase != "over":
                check(deal)
                deal.act(rng.choice(deal.legal()))
            check(deal)
            assert deal.outcome == "redeal" or sum(deal.tricks) in (10, 16)
            assert max(rubber.record(deal)) == 0
            assert min(rubber.score) == 0 if rubber.over else min(rubber.score) > 0


@pytest.mark.parametrize(("preset", "cards"), [("faroese_3", 10), ("faroese_2", 12)])
def test_each_length_wins_as_often_as_counting_says(preset: str, cards: int) -> None:
    """A sample of random deals, within four standard errors; rare lengths are added up."""
    rng = random.Random(5)
    deals = 10_000
    lengths: Counter[int] = Counter()
    for _ in range(deals):
        deal = Deal(PRESETS[preset], rng.sample(PACK, 32), 0)
        while deal.phase == "auction":
            deal.act(deal.legal()[0])
        lengths[min(deal.hi, 9)] += 1
    counted = dict.fromkeys((0, *range(5, 10)), 0.0)
    for length, share in length_shares(PRESETS[preset]["players"], cards).items():
        counted[min(length, 9)] += share
    for length, share in counted.items():
        assert lengths[length] / deals == pytest.approx(share, abs=within(share, deals))
