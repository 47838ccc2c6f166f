"""The reference for Faroese Sjavs against worked examples: auctions, tricks and whole deals."""

from __future__ import annotations

import pytest

from .faroese import PRESETS, Deal, Rubber, forced_statement, nameable_suits
from .sjavs_cards import CARD_POINTS, PACK, SUITS, best_card, legal_cards, suit_length, trump_order

FAROESE = PRESETS["faroese"]

LONGER_SUIT = [
    "QC JS 8C TS 9S 7S 9D 8D",
    "AC KC TC 9C 7C KS TD 7D",
    "JC JH JD AS AH 8H KD QD",
    "QS 8S KH QH TH 9H 7H AD",
]
CLUBS_BEAT_FIVE = [
    "QS JS KC TC 7C 7S AD 9D",
    "QC 8C TS 9S QH 8H KD 8D",
    "JC JH JD AC 9C 8S QD 7D",
    "AS KS AH KH TH 9H 7H TD",
]
SECOND_CLUBS = [
    "QC JC 9S 8S 9H QD TD 8D",
    "QS JH JD KC 7C AS TS QH",
    "JS AC TC 9C 8C KS 7S TH",
    "AH KH 8H 7H AD KD 9D 7D",
]
SIX_CLUBS_TWICE = [
    "QC QS JC JS KC TC 7S 7D",
    "JH JD AC 9C 8C 7C AS 8S",
    "KS 9S QH TH 9H QD TD 8D",
    "TS AH KH 8H 7H AD KD 9D",
]
FREE_CHOICE = [
    "QC QS JD TC KH 9H KD QD",
    "JC JS 8C AS 9S 8S TH TD",
    "JH 9C 7C TS AH QH AD 9D",
    "AC KC KS 7S 8H 7H 8D 7D",
]
ALL_PASS = [
    "QS TC 9C 7C 9H 7H AD QD",
    "JD 8C TS 7S AH TH 8H 8D",
    "QC JH AC KC AS 9S KD 9D",
    "JC JS KS 8S KH QH TD 7D",
]
ALL_PASS_PLAYED = [
    "QS JD QC JS 2 10",
    "JH JC 7C AH 3 15",
    "KS 7H 7S AS 2 15",
    "AC 7D 9C 8C 2 11",
    "KD TD AD 8D 0 25",
    "QD 8H 9D 8S 0 3",
    "TC TH KC QH 2 27",
    "9S KH 9H TS 1 14",
]
CLUBS_WIN = [
    "QC QS TS 8S 7S AH 7H 8D",
    "JS JH AC 8C AS TH AD 9D",
    "9C QH 9H 8H KD QD TD 7D",
    "JC JD KC TC 7C KS 9S KH",
]
CLUBS_WIN_PLAYED = [
    "QC 8C 9C 7C 0 3",
    "QS JH TD JD 0 17",
    "AH TH 8H KH 0 25",
    "TS AS 7D KS 1 25",
    "JS 9H TC 7H 1 12",
    "AC QD JC 7S 3 16",
    "KC 8D 9D QH 3 7",
    "9S 8S AD KD 3 15",
]
ALL_POINTS_BUT_A_TRICK = [
    "QC QS JC JS JH JD AH 7D",
    "KH QH 8D AC KC TC AS KS",
    "TH 9H 9C TS 9S 8S AD KD",
    "8H 7H 7S QD TD 9D 8C 7C",
]
ALL_POINTS_BUT_A_TRICK_PLAYED = [
    "QC KH TH 8H 0 17",
    "QS QH 9H 7H 0 6",
    "JC AC TS TD 0 33",
    "JS TC AD QD 0 26",
    "JH AS KD 9D 0 17",
    "JD KS 9C 8C 0 6",
    "AH KC 8S 7C 0 15",
    "7D 8D 9S 7S 1 0",
]
TEAM_VOL = [
    "JH 9C 8C 7C AS 9S 7S 9H",
    "JC KC TC KD TD 9D 8D 7D",
    "JD KS TS AH QH 8H AD QD",
    "QC QS JS AC 8S KH TH 7H",
]
TEAM_VOL_PLAYED = [
    "JH JC JD QS 3 9",
    "QC 7C TD QD 3 16",
    "JS 7S KD AD 3 17",
    "AC 8C KC 8H 3 15",
    "KH 9H 9D QH 1 7",
    "8D KS 7H 9C 1 4",
    "7D TS 8S 9S 1 10",
    "TC AH TH AS 1 42",
]
TIED = [
    "JC KC 9C 8C AS 9S KD QD",
    "QC JH TC KS AH KH TH AD",
    "JD AC 7C 7S 9H 8H TD 8D",
    "QS JS TS 8S QH 7H 9D 7D",
]
TIED_PLAYED = [
    "JC QC 8H QH 1 8",
    "JH 9H QS 8C 3 5",
    "JS 9C AH JD 3 15",
    "7H 9S KH 7C 1 4",
    "TH 7S 7D QD 1 13",
    "AD 8D 9D KD 1 15",
    "KS TD 8S AS 0 25",
    "KC TC AC TS 2 35",
]
NO_TRICK = [
    "QS AC TC 8C TS AH QH 9H",
    "JS JD 7C 8S TH TD 9D 8D",
    "QC JC JH 9C AS KH KD QD",
    "KC KS 9S 7S 8H 7H AD 7D",
]
NO_TRICK_PLAYED = [
    "QS 8D KD 7D 0 7",
    "AH TH KH 7H 0 25",
    "AC 7C 9C KC 0 15",
    "QH JS QC 8H 2 8",
    "JC AD TS 9D 2 23",
    "JH 7S TC JD 2 14",
    "QD 9S 8C TD 2 13",
    "AS KS 9H 8S 2 15",
]


def start(hands: list[str], preset: str = "faroese", dealer: int = 3) -> Deal:
    """Start a deal from hands written as lines of cards."""
    return Deal.from_hands(PRESETS[preset], [hand.split() for hand in hands], dealer)


def speak(deal: Deal, statements: str) -> None:
    """Go through a forced auction in which each statement is the only legal one."""
    for statement in statements.split(", "):
        assert deal.legal() == [statement]
        deal.act(statement)


def play(deal: Deal, tricks: list[str]) -> None:
    """Play whole tricks, each written as four cards in order, its winner and its points."""
    for line in tricks:
        *cards, winner, worth = line.split()
        before = sum(deal.points)
        for card in cards:
            assert card in deal.hands[deal.seat]
            deal.act(f"play {card}")
        assert sum(deal.points) - before == int(worth)
        assert deal.trick == []
        if deal.phase == "play":
            assert deal.seat == int(winner)
    assert deal.phase == "over"
    assert deal.legal() == []


def whole(hands: list[str], said: str, trump: str, tricks: list[str], preset: str) -> Deal:
    """Go through a whole example deal."""
    deal = start(hands, preset)
    speak(deal, said)
    if trump:
        deal.act(f"trump {trump}")
    play(deal, tricks)
    return deal


def test_the_permanent_trumps_come_before_the_suit_named() -> None:
    """Hearts have 13 trumps, clubs 12; the pack is worth 120."""
    assert " ".join(trump_order("H")) == "QC QS JC JS JH JD AH KH QH TH 9H 8H 7H"
    assert " ".join(trump_order("C")) == "QC QS JC JS JH JD AC KC TC 9C 8C 7C"
    assert [len(trump_order(suit)) for suit in SUITS] == [12, 12, 13, 13]
    assert sum(CARD_POINTS[card[0]] for card in PACK) == 120


@pytest.mark.parametrize(
    ("hand", "lengths", "said"),
    [
        ("QC QS JC JS AH 7D 8C 9S", [5, 5, 5, 5], "5"),
        ("JD AH KH TH 9H 8S 7S AC", [2, 3, 5, 1], "5"),
        ("AS KS TS 9S AD KD QD TD", [0, 4, 0, 4], "pass"),
        ("AD KD QD TD 7D 7S 8S 9S", [0, 3, 0, 5], "5"),
        ("QC QS JC JS JH JD AC KC", [8, 6, 6, 6], "8"),
        ("QC JH AH KH 7S 8S 9D TD", [2, 4, 4, 4], "pass"),
    ],
)
def test_permanent_trumps_count_in_the_length_of_every_suit(
    hand: str, lengths: list[int], said: str
) -> None:
    """Permanent trumps count in every suit."""
    cards = hand.split()
    assert [suit_length(cards, suit) for suit in SUITS] == lengths
    assert forced_statement(FAROESE, cards, 0, better=False) == said
    if lengths == [5, 5, 5, 5]:
        assert nameable_suits(FAROESE, cards, 5, better=False) == ["C"]


@pytest.mark.parametrize(
    ("hands", "said", "holder", "suits"),
    [
        (LONGER_SUIT, "5, 5 better, pass, 6", 3, "H"),
        (CLUBS_BEAT_FIVE, "5, pass, 5 better, pass", 2, "C"),
        (SECOND_CLUBS, "5, 5 better, pass, pass", 1, "C"),
        (SIX_CLUBS_TWICE, "6, 6 better, pass, pass", 1, "C"),
        (FREE_CHOICE, "5, pass, pass, pass", 0, "HD"),
    ],
    ids=[
        "a longer suit beats better",
        "better beats equal clubs",
        "nothing of the length beats better",
        "six clubs beat six clubs once",
        "a free choice without clubs",
    ],
)
def test_the_winner_of_an_auction_names_the_suit_that_was_bid(
    hands: list[str], said: str, holder: int, suits: str
) -> None:
    """Forced auctions and the suits their winner may name."""
    deal = start(hands)
    speak(deal, said)
    assert (deal.phase, deal.seat, deal.declarer, deal.trump) == ("trump", holder, holder, None)
    assert deal.legal() == [f"trump {suit}" for suit in suits]
    deal.act(deal.legal()[0])
    assert (deal.phase, deal.seat, deal.trump) == ("play", 0, suits[0])


@pytest.mark.parametrize("preset", ["faroese", "faroese_smith", "suduroy"])
def test_after_four_passes_the_same_dealer_deals_again(preset: str) -> None:
    """Four passes: the same dealer again, nothing else changes."""
    deal = start(ALL_PASS, preset)
    rubber = Rubber(PRESETS[preset], 3)
    rubber.ties = 1
    speak(deal, "pass, pass, pass, pass")
    assert (deal.phase, deal.outcome, deal.declarer) == ("over", "redeal", None)
    assert rubber.record(deal) == [0, 0, 0, 0]
    assert (rubber.dealer, rubber.ties, rubber.score) == (3, 1, [24] * 4)


def test_a_deal_without_a_bid_is_played_with_the_permanent_trumps_alone() -> None:
    """The wiki preset plays the deal with six trumps; the winners get 4."""
    deal = start(ALL_PASS, "faroese_wiki")
    speak(deal, "pass, pass, pass, pass")
    for card in ("QS", "JD", "QC", "JS", "JH", "JC"):
        deal.act(f"play {card}")
    assert len(deal.legal()) == 7  # seat 0 has no permanent trump left
    deal = whole(ALL_PASS, "pass, pass, pass, pass", "", ALL_PASS_PLAYED, "faroese_wiki")
    assert (deal.outcome, deal.trump, deal.declarer) == ("no_bid", None, None)
    assert [deal.points[0] + deal.points[2], deal.points[1] + deal.points[3]] == [91, 29]
    assert Rubber(PRESETS["faroese_wiki"], 3).record(deal) == [-4, 0, -4, 0]
    rubber = Rubber(PRESETS["faroese_wiki"], 3)
    rubber.ties = 2
    assert rubber.record(deal) == [-8, 0, -8, 0]


@pytest.mark.parametrize(
    ("led", "hand", "legal"),
    [
        ("QS", "7H JD AS KS", "7H JD"),
        ("QS", "AS KS 9C", "AS KS 9C"),
        ("AS", "QS 7H 9C", "QS 7H 9C"),
        ("AS", "QS 8S 9C", "8S"),
        ("7H", "QC AS 7C", "QC"),
        ("AC", "QC 7H 8C", "8C"),
    ],
)
def test_a_permanent_trump_follows_trumps_and_never_its_own_suit(
    led: str, hand: str, legal: str
) -> None:
    """With hearts as trumps a black queen follows a heart, never its own suit."""
    assert legal_cards(hand.split(), [led], "H") == legal.split()


@pytest.mark.parametrize(
    ("trick", "trump", "best", "worth"),
    [
        ("TD QD 9D KD", "S", "KD", 17),
        ("TD AC QD 7D", "S", "QD", 24),
        ("8S QC AH JS", "D", "QC", 16),
        ("8S AD KD JD", "D", "JD", 17),
        ("9H JC TH 8H", "H", "JC", 12),
    ],
)
def test_the_best_card_wins_the_trick(trick: str, trump: str, best: str, worth: int) -> None:
    """Kings and queens beat tens; permanent trumps beat the trump ace."""
    assert best_card(trick.split(), trump) == best
    assert sum(CARD_POINTS[card[0]] for card in trick.split()) == worth


@pytest.mark.parametrize("preset", list(PRESETS)[:4])
def test_declarers_with_75_points_in_clubs_subtract_4(preset: str) -> None:
    """Declarers with 75 in clubs: 4 for the odd team in every preset."""
    deal = whole(CLUBS_WIN, "5, pass, pass, 5 better", "C", CLUBS_WIN_PLAYED, preset)
    assert deal.points[1] + deal.points[3] == 75
    assert deal.outcome == "win"
    assert Rubber(PRESETS[preset], 3).record(deal) == [0, -4, 0, -4]


def test_all_the_points_in_seven_tricks_are_no_vol() -> None:
    """All the points are not all the tricks."""
    deal = whole(
        ALL_POINTS_BUT_A_TRICK, "7, pass, pass, pass", "H", ALL_POINTS_BUT_A_TRICK_PLAYED, "faroese"
    )
    assert (deal.points[0], sum(deal.tricks[::2]), deal.outcome) == (120, 7, "win_90")
    assert Rubber(FAROESE, 3).record(deal) == [-4, 0, -4, 0]
    other = start(ALL_POINTS_BUT_A_TRICK)
    speak(other, "7, pass, pass, pass")
    assert other.legal() == ["trump H", "trump D"]


def test_all_tricks_won_by_both_partners_are_a_vol() -> None:
    """All eight tricks between two partners: 12."""
    deal = whole(TEAM_VOL, "pass, 6, pass, pass", "D", TEAM_VOL_PLAYED, "faroese")
    assert (deal.tricks, deal.outcome) == ([0, 4, 0, 4], "vol")
    assert Rubber(FAROESE, 3).record(deal) == [0, -12, 0, -12]


def test_sixty_each_leaves_a_tie_pending() -> None:
    """60-60: nobody subtracts, the dealer moves on, one tie is pending."""
    deal = whole(TIED, "pass, 5, pass, pass", "H", TIED_PLAYED, "faroese")
    rubber = Rubber(FAROESE, 3)
    assert (deal.outcome, rubber.record(deal)) == ("tie", [0, 0, 0, 0])
    assert (rubber.ties, rubber.dealer, rubber.score) == (1, 0, [24] * 4)


@pytest.mark.parametrize(
    ("preset", "outcome", "value"),
    [
        ("faroese", "lose_no_trick", 16),
        ("faroese_smith", "lose_no_trick", 16),
        ("faroese_wiki", "lose", 4),
        ("suduroy", "lose_no_trick", 16),
    ],
)
def test_declarers_without_a_trick_lose_16(preset: str, outcome: str, value: int) -> None:
    """Declarers without a trick: 16 to the defenders, except in the wiki preset."""
    deal = whole(NO_TRICK, "pass, 5, pass, pass", "D", NO_TRICK_PLAYED, preset)
    assert (deal.points[1] + deal.points[3], deal.outcome) == (0, outcome)
    assert Rubber(PRESETS[preset], 3).record(deal) == [-value, 0, -value, 0]
