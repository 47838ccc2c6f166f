"""The reference for Handjass: the phases of a deal."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from .handjass import PRESETS, Match
from .handjass_cards import PACK, RANKS, SUITS
from .handjass_deal import Deal, deal_out, seats_in_order, stack

HANDJASS = PRESETS["handjass"]
ALT = PRESETS["handjass_alt"]
SWISS = PRESETS["handjass_swiss"]
TWO, THREE, FOUR = [True] * 2, [True] * 3, [True] * 4

# four piles for three players, dealer last: trumps spades, the ace turned; the six with seat 1
SIX_PILES = [
    "JS 9S AC KC QC JC TC 9C 6H",
    "6S KS QS AH KH TH 9H 8H 7H",
    "TS 8S 7S AD KD QD JD TD 9D",
    "AS QH JH 8C 7C 6C 8D 7D 6D",
]
# the same cards for two players: the third pile is the reserve, the last card of all is turned
TWO_PILES = [
    "JS 9S AC KC QC JC TC 9C 6H",
    "TS 8S 7S AD KD QD JD TD 9D",
    "6S KS QS AH KH TH 9H 8H 7H",
    "QH JH 8C 7C 6C 8D 7D 6D AS",
]


def start(
    params: Mapping[str, Any], piles: Sequence[str], active: Sequence[bool], labels: str = ""
) -> Deal:
    """Start a deal of the last seat and carry out the labels, separated by commas."""
    deal = Deal.from_piles(params, [pile.split() for pile in piles], len(active) - 1, active)
    for label in labels.split(", ") if labels else []:
        deal.act(label)
    return deal


def cards(text: str) -> set[str]:
    """Read cards, in no order."""
    return set(text.split())


def held(deal: Deal, seat: int) -> set[str]:
    """Give the cards of a seat, in no order."""
    return set(deal.hands[seat])


# Dealing


def test_packets_of_three() -> None:
    """The index maps of rules 2.2."""
    deck = list(PACK)
    for players, hands in [(2, 4), (3, 3), (4, 4)]:
        piles = deal_out(deck, players)
        for place in range(hands):
            expected = [
                deck[3 * hands * packet + 3 * place + card]
                for packet in range(3)
                for card in range(3)
            ]
            assert piles[place] == expected
        assert stack(piles, players) == deck
    assert deal_out(deck, 3)[3] == deck[27:]


@pytest.mark.parametrize(("players", "turned"), [(2, 35), (3, 27), (4, 35)])
def test_which_card_is_turned_for_trumps(players: int, turned: int) -> None:
    """The dealer's last card, the top card of the reserve, or the last one of the dead hand."""
    deck = random.Random(players).sample(PACK, 36)
    deal = Deal(HANDJASS, deck, players - 1, [True] * players)
    assert deal.trump == deck[turned][1]
    assert deal.turned == (None if players == 4 else deck[turned])
    if players == 4:
        assert deck[35] in deal.hands[3]
        assert (deal.reserve, deal.dead) == (None, [])
    elif players == 3:
        assert deal.reserve == deck[27:]
    else:
        assert deal.dead == deck[9:12] + deck[21:24] + deck[33:35]


@pytest.mark.parametrize("preset", list(PRESETS))
def test_four_players_have_neither_exchange(preset: str) -> None:
    """With four players nobody is asked for the six or the reserve."""
    rng = random.Random(preset)
    for _ in range(20):
        deal = Deal(PRESETS[preset], rng.sample(PACK, 36), 3, FOUR)
        while deal.phase == "stay":
            deal.act("stay")
        while deal.phase != "over":
            assert deal.phase == "play"
            deal.act(deal.legal()[0])
        assert deal.seat == -1


def test_players_who_are_out_are_skipped() -> None:
    """Three left of four play the game of three, two left that of two."""
    deck = list(PACK)
    three = Deal(HANDJASS, deck, 2, [True, False, True, True])
    assert three.order == [3, 0, 2]
    assert [three.hands[seat] for seat in three.order] == deal_out(deck, 3)[:3]
    assert (three.hands[1], three.reserve) == ([], deck[27:])
    two = Deal(HANDJASS, deck, 2, [True, False, True, False])
    assert two.order == seats_in_order(2, two.active) == [0, 2]
    assert two.reserve == deal_out(deck, 2)[2]
    with pytest.raises(ValueError, match="dealer active"):
        Deal(HANDJASS, deck, 1, [True, False, True, True])


# The six and the reserve


def test_six_before_the_reserve() -> None:
    """The six goes to the table and, with three players, into the reserve (rules 3.5, 3.6)."""
    deal = start(HANDJASS, SIX_PILES, THREE)
    assert (deal.phase, deal.seat, deal.turned) == ("six", 1, "AS")
    assert deal.legal() == ["swap six", "keep six"]
    deal.act("swap six")
    assert held(deal, 1) == cards("AS KS QS AH KH TH 9H 8H 7H")
    assert (deal.turned, deal.phase, deal.seat) == ("6S", "reserve", 0)
    assert set(deal.reserve or []) == cards("6S QH JH 8C 7C 6C 8D 7D 6D")
    deal.act("keep hand")
    deal.act("keep hand")
    deal.act("take reserve")
    assert "6S" in deal.hands[2]
    assert (deal.turned, deal.reserve, deal.took_reserve) == (None, None, 2)
    assert deal.aside == SIX_PILES[2].split()
    assert (deal.phase, deal.seat) == ("play", 0)


def test_six_kept_or_not_in_a_hand() -> None:
    """Keeping changes nothing; a six that is turned, in reserve or dead is asked of nobody."""
    deal = start(HANDJASS, SIX_PILES, THREE, "keep six, keep hand, take reserve")
    assert held(deal, 1) == cards(SIX_PILES[3])
    assert (deal.phase, deal.turned, deal.trump) == ("play", None, "S")
    turned = [pile.replace("6S", "xx").replace("AS", "6S") for pile in SIX_PILES]
    deal = start(HANDJASS, [pile.replace("xx", "AS") for pile in turned], THREE)
    assert (deal.phase, deal.turned) == ("reserve", "6S")
    deal = start(HANDJASS, TWO_PILES, TWO, "keep hand, take reserve")
    assert (deal.phase, deal.turned) == ("play", "AS")  # the six was found too late
    assert "6S" in deal.hands[1]


def test_six_after_the_reserve() -> None:
    """The holder is asked before his first card, and his melds count after it (rules 3.5)."""
    piles = ["JS 9S AC KD QC JD TC 9D 6H", SIX_PILES[1], "TS 8S 7S AD KC QD JC TD 9C", SIX_PILES[3]]
    deal = start(SWISS, piles, THREE, "keep hand, keep hand, keep hand, stay, stay, stay")
    assert (deal.phase, deal.seat) == ("play", 0)
    deal.act("play AC")
    assert (deal.phase, deal.seat) == ("six", 1)
    deal.act("swap six")
    assert (deal.phase, deal.seat, deal.turned) == ("play", 1, "6S")
    assert cards(SIX_PILES[3]) ^ set(deal.reserve or []) == {"AS", "6S"}
    deal.act("play AS")
    deal.act("play KC")
    assert deal.melds == [0, 90, 0]  # T 9 8 7 of hearts 50, A K Q of spades 20, marriage 20
    assert (deal.points, deal.seat) == ([0, 26, 0], 1)  # 11 + 11 + 4


def test_six_after_a_taken_reserve() -> None:
    """With three players the turned card is gone, with two it is still there (rules 3.5)."""
    deal = start(SWISS, SIX_PILES, THREE, "keep hand, keep hand, take reserve, stay, stay")
    deal.act("play AC")
    assert (deal.phase, deal.seat, deal.turned) == ("play", 1, None)
    deal = start(SWISS, TWO_PILES, TWO, "take reserve, stay")
    assert (deal.phase, deal.seat, deal.turned) == ("six", 0, "AS")  # found in the reserve
    deal.act("keep six")
    assert (deal.phase, deal.turned) == ("play", "AS")
    deal.act("play AH")
    deal.act("play 9D")
    assert (deal.phase, deal.seat) == ("play", 0)  # asked once only


def test_six_of_one_who_drops() -> None:
    """Only a player who plays is asked (rules 3.5)."""
    deal = start(SWISS, SIX_PILES, THREE, "keep hand, keep hand, keep hand, stay, drop, stay")
    deal.act("play AC")
    assert (deal.phase, deal.seat) == ("play", 2)


# Staying in


def test_alt_asks_everybody() -> None:
    """The six, the reserve, then all are asked, the taker too (rules 3.7)."""
    deal = start(ALT, SIX_PILES, THREE, "keep six, keep hand, take reserve")
    for seat, label in enumerate(["drop", "stay", "stay"]):
        assert (deal.phase, deal.seat) == ("stay", seat)
        assert deal.legal() == ["stay", "drop"]
        deal.act(label)
    assert deal.playing == [False, True, True]
    assert (deal.phase, deal.seat) == ("play", 1)  # the first who plays leads


def test_swiss_does_not_ask_the_taker() -> None:
    """He must play; the others are asked in turn (rules 3.7)."""
    deal = start(SWISS, SIX_PILES, THREE, "keep hand, take reserve")
    assert (deal.phase, deal.seat) == ("stay", 0)
    deal.act("drop")
    assert (deal.phase, deal.seat) == ("stay", 2)
    deal.act("drop")
    assert (deal.phase, deal.outcome, deal.seat) == ("over", "lone", -1)
    assert deal.playing == [False, True, False]
    assert deal.legal() == []


@pytest.mark.parametrize(("preset", "worth"), [("handjass_alt", 1), ("handjass_swiss", 2)])
def test_all_but_one_drop(preset: str, worth: int) -> None:
    """The last is asked as well; alone he scores without play, else the deal is thrown in."""
    params = PRESETS[preset]
    match = Match(params, 4, 3)
    deal = Deal(params, PACK, 3, FOUR)
    for label in ("drop", "drop", "drop"):
        deal.act(label)
    assert (deal.phase, deal.seat) == ("stay", 3)
    deal.act("stay")
    assert deal.outcome == "lone"
    assert match.record(deal) == [0, 0, 0, worth]
    assert match.dealer == 0
    deal = Deal(params, PACK, 0, FOUR)
    for _ in range(4):
        deal.act("drop")
    assert deal.outcome == "thrown_in"
    assert match.record(deal) == [0, 0, 0, 0]
    assert (match.dealer, match.score) == (1, [0, 0, 0, worth])


# Whole deals


@pytest.mark.parametrize(
    ("preset", "melds", "change", "zeros"),
    [
        ("handjass", 170, [0, 0, 0, 4], [1, 1, 1, 0]),
        ("handjass_strict", 170, [0, 0, 0, 4], [1, 1, 1, 0]),
        ("handjass_alt", 170, [-1, -1, -1, 1], [0] * 4),
        ("handjass_swiss", 170, [-1, -1, -1, 2], [0] * 4),
        ("handjass_schlaeger", 170, [-1, -1, -1, 2], [0] * 4),
    ],
)
def test_each_has_a_suit(preset: str, melds: int, change: list[int], zeros: list[int]) -> None:
    """The dealer has all trumps: he wins every trick, and of four equal runs his is trumps."""
    params = PRESETS[preset]
    piles = [" ".join(rank + suit for rank in RANKS) for suit in SUITS]
    deal = start(params, piles, FOUR)
    while deal.phase == "stay":
        deal.act("stay")
    assert deal.seat == 0
    while deal.phase == "play":
        deal.act(deal.legal()[0])
    assert (deal.points, deal.tricks) == ([0, 0, 0, 157], [0, 0, 0, 9])
    assert (deal.melds, deal.totals) == ([0, 0, 0, melds], [0, 0, 0, 157 + melds])
    match = Match(params, 4, 3)
    assert match.record(deal) == change
    assert match.zeros == zeros


def test_first_tricks_by_hand() -> None:
    """Points, leader and melds of two tricks of three players (rules 1.5, 4.1, 4.2)."""
    deal = start(HANDJASS, SIX_PILES, THREE, "keep six, keep hand, keep hand, keep hand")
    assert deal.legal() == [f"play {card}" for card in SIX_PILES[0].split()]
    deal.act("play AC")
    assert deal.legal() == ["play 6S", "play KS", "play QS"]  # void: must trump
    deal.act("play QS")
    assert deal.legal() == ["play TS", "play 8S", "play 7S"]  # none is higher, but he must trump
    deal.act("play TS")
    assert (deal.points, deal.tricks, deal.seat) == ([0, 24, 0], [0, 1, 0], 1)  # 11 + 3 + 10
    assert deal.melds == [100, 0, 0]  # six clubs, 100, before six diamonds: announced earlier
    deal.act("play KS")
    assert deal.legal() == ["play 8S", "play 7S"]
    deal.act("play 7S")
    assert deal.legal() == ["play JS", "play 9S"]
    deal.act("play 9S")
    assert (deal.points, deal.seat) == ([18, 24, 0], 0)  # 4 + 0 + 14
    assert deal.totals == [118, 24, 0]
    with pytest.raises(ValueError, match="not legal"):
        deal.act("play AS")
