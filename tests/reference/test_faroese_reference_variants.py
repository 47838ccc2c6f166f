"""The reference for Faroese Sjavs: optional rules, and what holds in every deal."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.longest_suits import length_shares, within

from .faroese import PRESETS, Deal, Rubber, forced_statement, free_statements, nameable_suits
from .sjavs_cards import PACK, legal_cards

FAROESE = PRESETS["faroese"]
FREE = PRESETS["faroese_free"]
OPTIONAL = {**FAROESE, "auction_mode": "optional_pass"}
MANY = "QC QS JC JS 7C 8C 7S 7H"  # 6 clubs, 5 spades, 5 hearts, 4 diamonds
SPEAKERS = [
    "7D 8D 9D TD KD AD 7H 8H",
    "7H 8H 9H TH KH AH 7S 8S",
    "7S 8S 9S TS KS AS 7D 8D",
    "7C 8C 9C QC KD 7S QS JS",
]


def shuffled(rng: random.Random) -> list[str]:
    """Shuffle a pack."""
    return rng.sample(PACK, len(PACK))


def test_forced_auction_of_four_long_suits() -> None:
    """Each says his longest or passes (rules 3.1)."""
    hi, better, said = 0, False, []
    for hand in SPEAKERS:
        said.append(forced_statement(FAROESE, hand.split(), hi, better))
        if said[-1] != "pass":
            hi, better = int(said[-1][0]), said[-1].endswith("better")
    assert said == ["6", "pass", "pass", "6 better"]
    assert nameable_suits(FAROESE, SPEAKERS[3].split(), 6, better=True) == ["C"]


def test_free_auction_allows_underbidding() -> None:
    """Pass, any number from the standing one to the longest, or better on clubs (rules 3.1)."""
    first, last = SPEAKERS[0].split(), SPEAKERS[3].split()
    assert free_statements(FREE, first, 0, better=False) == ["pass", "5", "6"]
    assert free_statements(FREE, first, 5, better=False) == ["pass", "6"]
    assert free_statements(FREE, first, 6, better=False) == ["pass"]
    assert free_statements(FREE, last, 5, better=False) == ["pass", "5 better", "6"]
    assert free_statements(FREE, last, 6, better=False) == ["pass", "6 better"]
    assert free_statements(FREE, last, 6, better=True) == ["pass"]
    assert free_statements(FREE, MANY.split(), 0, better=False) == ["pass", "5", "6"]


def test_free_naming() -> None:
    """The winner names any suit at least as long as announced; after better, clubs."""
    hand = MANY.split()
    assert nameable_suits(FREE, hand, 5, better=False) == ["C", "S", "H"]
    assert nameable_suits(FREE, hand, 6, better=False) == ["C"]
    assert nameable_suits(FREE, hand, 5, better=True) == ["C"]


def test_optional_pass() -> None:
    """Passing is allowed besides the forced statement."""
    deal = Deal(OPTIONAL, PACK, 3, cut=False)
    assert deal.legal() == ["pass", "8"]
    deal.act("pass")
    assert deal.legal() == ["pass", "8"]
    with pytest.raises(ValueError, match="not legal"):
        deal.act("7")
    for statement in ("8", "pass", "pass"):
        deal.act(statement)
    assert (deal.holder, deal.legal()) == (1, ["trump S"])


def test_without_better_or_forced_clubs() -> None:
    """An equal length never overcalls, and clubs need not be preferred."""
    plain = {**FAROESE, "better_rule": False, "force_clubs_on_equal": False}
    hand = ["QS", "JS", "KC", "TC", "7C", "7S", "KS", "9S"]
    assert forced_statement(FAROESE, hand, 5, better=False) == "5 better"
    assert forced_statement(plain, hand, 5, better=False) == "pass"
    assert nameable_suits(plain, hand, 5, better=False) == ["C", "S"]


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
def test_must_overtrump(trick: str, hand: str, legal: str) -> None:
    """Void in the suit led, a player overtrumps a trick that is trumped (rules 4.1)."""
    assert legal_cards(hand.split(), trick.split(), "H", "must_overtrump") == legal.split()


def test_illegal_actions_change_nothing() -> None:
    """An illegal label is refused in every phase."""
    deal = Deal(FAROESE, PACK, 3, cut=False)
    for label in ("8", "pass", "pass", "pass", "trump C"):
        with pytest.raises(ValueError, match="not legal"):
            deal.act("play QH")
        deal.act(label)
    deal.act("play AC")
    with pytest.raises(ValueError, match="not legal"):
        deal.act("play AC")
    assert (deal.seat, deal.trick) == (1, [(0, "AC")])


@pytest.mark.parametrize("follow", ["whist", "must_overtrump"])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_random_rubbers(preset: str, follow: str) -> None:
    """Cards, points and tricks add up, and every rubber comes to its end."""
    rng = random.Random(f"{preset} {follow}")
    params = {**PRESETS[preset], "follow": follow}
    for _ in range(5):
        rubber = Rubber(params, rng.randrange(4))
        while not rubber.over:
            deal = Deal(params, shuffled(rng), rubber.dealer, cut=rng.random() < 0.5)
            while deal.phase != "over":
                deal.act(rng.choice(deal.legal()))
            change = rubber.record(deal)
            played = deal.outcome != "redeal"
            assert (sum(deal.points), sum(deal.tricks)) == ((120, 8) if played else (0, 0))
            assert change[:2] == change[2:]
            assert rubber.score[:2] == rubber.score[2:]
            assert min(rubber.score) == 0 if rubber.over else min(rubber.score) > 0


def test_each_length_wins_as_often_as_counting_says() -> None:
    """A sample of random deals, within four standard errors."""
    rng = random.Random(5)
    deals = 10_000
    lengths: Counter[int] = Counter()
    for _ in range(deals):
        deal = Deal(FAROESE, shuffled(rng), 3)
        while deal.phase == "auction":
            deal.act(deal.legal()[0])
        lengths[deal.hi] += 1
    for length, share in length_shares(4, 8).items():
        assert lengths[length] / deals == pytest.approx(share, abs=within(share, deals))
