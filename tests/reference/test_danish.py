"""The reference for the Danish games: worked examples and more."""

from __future__ import annotations

import random

import pytest

from .danish import (
    PACKS,
    PRESETS,
    Deal,
    Match,
    Rubber,
    beats,
    best_card,
    card_points,
    chips_row,
    legal_cards,
    ore_row,
    trump_order,
)

KLORSJAVS = PRESETS["klorsjavs"]
FOUR = PRESETS["danish_4"]
AUCTION = PRESETS["auction_sjavs"]
CLUBS = PRESETS["auction_sjavs_clubs"]

CAT_TAKEN = "AS JS JC 5H QD KH 5S 5D AH KC AD KD QH QC 5C JH KS AC QS JD"
ALL_FOUR = ["QC QS JC AC", "JH AH KH 5H", "JD AD KD 5D", "5C AS KS 5S"]
PERMANENT = ["QC QS JC JS JH JD", "AC KC TC AS KS TS", "AH KH QH AD KD QD"]


def start(preset: str, hands: list[str], cat: str, *labels: str, dealer: int = -1) -> Deal:
    """Start a deal from hands written as lines of cards; the last seat deals unless said."""
    split = [hand.split() for hand in hands]
    deal = Deal.from_hands(PRESETS[preset], split, cat.split(), dealer % len(hands))
    for label in labels:
        deal.act(label)
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
    assert deal.phase == "over"


def counted(preset: str, dealer: int, outcome: str, declarer: int) -> Deal:
    """Make a deal that has ended in this way, to try the balances with."""
    deal = Deal(PRESETS[preset], PACKS[str(PRESETS[preset]["pack"])], dealer)
    deal.phase, deal.outcome, deal.declarer = "over", outcome, declarer
    return deal


def paid(bid: str, points: int, tricks: int, dealer: int = 2, **changes: object) -> Deal:
    """Make a deal of Auction Sjavs that declarer 0 ended with these points, to try the chips."""
    deal = Deal({**AUCTION, **changes}, PACKS["20 tens"], dealer)
    deal.cat = []
    deal.phase, deal.bid, deal.declarer = "over", bid, 0
    deal.points[0], deal.points[1] = points, 120 - points
    deal.tricks[0], deal.tricks[1] = tricks, 6 - tricks
    deal.outcome = chips_row(deal.params, bid, points, tricks, 6)
    return deal


# Cards


@pytest.mark.parametrize(
    ("pack", "cards", "worth", "black", "red"),
    [("20 fives", 20, 120, 9, 10), ("20 tens", 20, 120, 9, 10), ("18 fives", 18, 114, 9, 9)],
)
def test_packs(pack: str, cards: int, worth: int, black: int, red: int) -> None:
    """Sizes, worth and trumps of the packs (rules 1.2, 1.3)."""
    assert len(set(PACKS[pack])) == len(PACKS[pack]) == cards
    assert card_points(PACKS[pack]) == worth
    trumps = [len(trump_order(PACKS[pack], suit)) for suit in "CSHD"]
    assert trumps == [black, black, red, red]


@pytest.mark.parametrize("pack", list(PACKS))
@pytest.mark.parametrize("trump", list("CSHD"))
def test_beats_follows_the_order_of_trumps(pack: str, trump: str) -> None:
    """A trump beats the trumps below it and every other card."""
    order = trump_order(PACKS[pack], trump)
    for card in order:
        below = order[order.index(card) + 1 :]
        for other in PACKS[pack]:
            assert beats(card, other, trump) == (other in below or other not in order)
            assert other in order or not beats(other, card, trump)


def test_the_five_is_low_in_rank_and_high_in_value() -> None:
    """Trumps in order, winners of tricks and following suit with clubs as trumps."""
    assert " ".join(trump_order(PACKS["20 fives"], "C")) == "QC QS JC JS JH JD AC KC 5C"
    assert best_card(["KH", "5H", "QH"], "C") == "KH"
    assert card_points(["KH", "5H", "QH"]) == 17
    assert best_card(["5S", "KS", "AC"], "C") == "AC"
    assert card_points(["5S", "KS", "AC"]) == 25
    assert legal_cards(["AS", "JH"], ["5C"], "C") == ["JH"]
    assert legal_cards(["QS", "AH"], ["KS"], "C") == ["QS", "AH"]


def test_ten_cards_are_trumps_when_hearts_are_named() -> None:
    """With hearts named there are ten trumps."""
    assert " ".join(trump_order(PACKS["20 tens"], "H")) == "QC QS JC JS JH JD AH KH QH TH"


# Klørsjavs


def test_a_declarer_of_klorsjavs_with_105_points_costs_the_others_8() -> None:
    """105 points with the cards laid away: 60, 52, 52."""
    deal = Deal(KLORSJAVS, CAT_TAKEN.split(), 2)
    assert [" ".join(hand) for hand in deal.hands] == [
        "AS JS JC KD QH QC",
        "5H QD KH 5C JH KS",
        "5S 5D AH AC QS JD",
    ]
    assert (deal.cat, deal.legal()) == (["KC", "AD"], ["pass", "play"])
    deal.act("play")
    assert (deal.phase, deal.declarer, deal.legal()) == ("exchange", 0, ["take cat", "leave cat"])
    deal.act("take cat")
    assert (deal.cat, len(deal.legal())) == ([], 8)
    deal.act("lay KD")
    assert (len(deal.legal()), "lay KD" in deal.legal()) == (7, False)
    deal.act("lay QH")
    assert (deal.phase, deal.legal()) == ("concede", ["play on", "give up"])
    deal.act("play on")
    play(
        deal,
        [
            "QC JH JD 0 7",
            "JC 5C QS 2 15",
            "AH KC 5H 0 25",
            "JS QD AC 0 16",
            "AS KS 5S 0 25",
            "AD KH 5D 0 25",
        ],
    )
    assert (deal.points, deal.declarer_points(), deal.outcome) == ([98, 0, 15], 105, "win_double")
    rubber = Rubber(KLORSJAVS, 2)
    assert rubber.record(deal) == [0, -8, -8]
    assert (rubber.score, rubber.dealer, rubber.unscathed) == ([60, 52, 52], 0, [0])


@pytest.mark.parametrize(
    ("points", "tricks", "change"),
    [
        (60, 3, [-8, 0, 0]),
        (61, 3, [0, -4, -4]),
        (90, 4, [0, -4, -4]),
        (91, 4, [0, -8, -8]),
        (119, 6, [0, -8, -8]),
        (120, 6, [0, -16, -16]),
        (22, 0, [-16, 0, 0]),
        (1, 1, [-8, 0, 0]),
    ],
)
def test_every_edge_of_the_results_of_klorsjavs(
    points: int, tricks: int, change: list[int]
) -> None:
    """Every edge of the table; no trick is tested first."""
    deal = counted("klorsjavs", 2, ore_row(KLORSJAVS, points, tricks), 0)
    assert Rubber(KLORSJAVS, 2).record(deal) == change


def test_giving_up_before_the_first_lead_costs_8() -> None:
    """Given up before the first lead: 8, and the deal passes on."""
    for exchange in (["leave cat"], ["take cat", "lay KC", "lay AD"]):
        deal = Deal(KLORSJAVS, CAT_TAKEN.split(), 2)
        for label in ("play", *exchange, "give up"):
            deal.act(label)
        assert (deal.phase, deal.seat, deal.outcome) == ("over", -1, "concede")
        rubber = Rubber(KLORSJAVS, 2)
        assert (rubber.record(deal), rubber.dealer) == ([-8, 0, 0], 0)


def test_no_giving_up_where_it_is_not_allowed() -> None:
    """Without the option the first lead follows the exchange."""
    deal = Deal({**KLORSJAVS, "concede": False}, CAT_TAKEN.split(), 2)
    for label in ("pass", "play", "leave cat"):
        deal.act(label)
    assert (deal.phase, deal.seat, deal.declarer, deal.trump) == ("play", 0, 1, "C")


def test_the_cat_counts_to_the_declarer_who_left_it() -> None:
    """An untouched cat of 14 makes 47 in tricks a win."""
    hands = ["QC QS JC JS JH JD", "AC KC 5C AS 5S AH", "KH QH AD KD QD 5D"]
    deal = start("klorsjavs", hands, "5H KS", "play", "leave cat", "play on")
    assert (deal.cat, deal.laid) == (["5H", "KS"], [])
    deal.points[0] = 47
    assert deal.declarer_points() == 61
    assert ore_row(KLORSJAVS, 61, 3) == "win"


def test_auction_ends_with_the_first_play() -> None:
    """Nobody speaks after it; three passes are a new deal by the same dealer."""
    deal = Deal(KLORSJAVS, CAT_TAKEN.split(), 0)
    assert deal.seat == 1
    deal.act("pass")
    deal.act("play")
    assert (deal.phase, deal.seat, deal.declarer) == ("exchange", 2, 2)
    passed = Deal(KLORSJAVS, CAT_TAKEN.split(), 0)
    for _ in range(3):
        passed.act("pass")
    rubber = Rubber(KLORSJAVS, 0)
    assert (passed.outcome, rubber.record(passed), rubber.dealer) == ("redeal", [0, 0, 0], 0)


@pytest.mark.parametrize(
    ("score", "outcome", "declarer", "losers"),
    [
        ([8, 60, 60], "lose", 0, [0]),
        ([9, 60, 60], "lose", 0, []),
        ([60, 4, 3], "win", 0, [2]),  # both at 0 or below: 3 was lower
        ([60, 2, 30], "win", 0, [1]),
    ],
)
def test_who_loses_the_game(
    score: list[int], outcome: str, declarer: int, losers: list[int]
) -> None:
    """The first at 0 or below has lost (rules 5.3)."""
    rubber = Rubber(KLORSJAVS, 2)
    rubber.score = score
    rubber.record(counted("klorsjavs", 2, outcome, declarer))
    assert (rubber.losers, rubber.over, rubber.deciding) == (losers, bool(losers), False)


def test_deciding_game() -> None:
    """Equal before the deal: all play on until one balance alone is the lowest (rules 5.3)."""
    rubber = Rubber(KLORSJAVS, 2)
    rubber.score = [50, 4, 4]
    rubber.record(counted("klorsjavs", 2, "win", 0))
    assert (rubber.score, rubber.deciding, rubber.over) == ([50, 0, 0], True, False)
    rubber.record(counted("klorsjavs", 0, "redeal", 0))
    rubber.record(counted("klorsjavs", 0, "lose", 0))
    rubber.record(counted("klorsjavs", 1, "win_double", 0))
    assert (rubber.score, rubber.over) == ([42, -8, -8], False)
    rubber.record(counted("klorsjavs", 2, "concede", 2))
    assert (rubber.score, rubber.losers, rubber.over) == ([42, -8, -16], [2], True)
    with pytest.raises(ValueError, match="not yet lost"):
        rubber.record(counted("klorsjavs", 0, "win", 0))


def test_deciding_game_may_be_lost_by_the_third() -> None:
    """All play on, so the balance that ends up lowest may be the third player's."""
    rubber = Rubber(KLORSJAVS, 2)
    rubber.score = [9, 4, 4]
    rubber.record(counted("klorsjavs", 2, "win", 0))
    rubber.record(counted("klorsjavs", 0, "no_trick", 0))
    assert (rubber.score, rubber.losers) == ([-7, 0, 0], [0])


# Four hands


def test_four_hands_get_two_cards_then_the_cat_then_two() -> None:
    """Two, the cat, two."""
    pack = PACKS["18 fives"]
    deal = Deal(FOUR, pack, 3)
    assert deal.hands[3] == [pack[6], pack[7], pack[16], pack[17]]
    assert deal.cat == [pack[8], pack[9]]
    assert Deal(FOUR, pack, 0).hands[1] == deal.hands[0]


@pytest.mark.parametrize(
    ("points", "change"),
    [
        (57, [-8, 0, 0, 0]),
        (58, [0, -4, -4, -4]),
        (85, [0, -4, -4, -4]),
        (86, [0, -8, -8, -8]),
        (114, [0, -16, -16, -16]),
    ],
)
def test_every_edge_of_the_results_of_four_hands(points: int, change: list[int]) -> None:
    """58 wins, 86 wins double, 114 is everything."""
    deal = counted("danish_4", 3, ore_row(FOUR, points, 2), 0)
    assert Rubber(FOUR, 3).record(deal) == change
    assert ore_row(FOUR, 22, 0) == "no_trick"


def test_all_the_points_for_four() -> None:
    """Four tricks and the cards laid away: 114."""
    labels = ("play", "take cat", "lay AC", "lay KC", "play on")
    deal = start("danish_4", ALL_FOUR, "JS KC", *labels)
    play(
        deal,
        ["QC JH JD 5C 0 17", "QS KH KD AS 0 22", "JC 5H 5D 5S 0 32", "JS AH AD KS 0 28"],
    )
    assert (deal.points, deal.declarer_points(), deal.outcome) == ([99, 0, 0, 0], 114, "all")
    assert Rubber(FOUR, 3).record(deal) == [0, -16, -16, -16]


def test_three_at_once() -> None:
    """Of three at 0 the one who stood lowest loses; two lowest have to decide."""
    rubber = Rubber(FOUR, 3)
    rubber.score = [60, 4, 3, 4]
    rubber.record(counted("danish_4", 3, "win", 0))
    assert (rubber.losers, rubber.unscathed) == ([2], [0])
    rubber = Rubber(FOUR, 3)
    rubber.score = [60, 3, 4, 3]
    rubber.record(counted("danish_4", 3, "win", 0))
    assert (rubber.losers, rubber.deciding) == ([], True)


# Auction Sjavs


@pytest.mark.parametrize(
    ("bid", "points", "tricks", "outcome", "each"),
    [
        ("spil", 75, 4, "win", 1),
        ("spil", 61, 4, "win", 1),
        ("spil", 89, 4, "win", 1),
        ("spil", 90, 4, "win_jan", 2),
        ("spil", 120, 6, "win_no_trick", 3),
        ("spil", 60, 3, "lose", -1),
        ("spil", 31, 3, "lose", -1),
        ("spil", 30, 2, "lose_jan", -2),
        ("spil", 20, 0, "lose_no_trick", -3),
        ("stryger", 75, 4, "win", 4),
        ("stryger", 95, 5, "win_jan", 8),
        ("stryger", 120, 6, "win_no_trick", 12),
        ("stryger", 60, 3, "lose", -4),
        ("tout", 120, 6, "tout_made", 10),
        ("tout", 110, 5, "tout_lost", -10),
        ("tout", 20, 0, "tout_lost", -10),
        ("stroget tout", 120, 6, "tout_made", 15),
        ("stroget tout", 110, 5, "tout_lost", -15),
    ],
)
def test_the_declarer_settles_with_each_defender_by_contract_and_jan(
    bid: str, points: int, tricks: int, outcome: str, each: int
) -> None:
    """What each pays; the declarer gets it from both, or pays it to both."""
    deal = paid(bid, points, tricks)
    assert deal.outcome == outcome
    match = Match(AUCTION, 2)
    assert match.record(deal) == [2 * each, -each, -each]
    assert (match.score, match.dealer, match.played) == ([2 * each, -each, -each], 0, 1)


@pytest.mark.parametrize(
    ("points", "tricks", "outcome", "each"),
    [
        (120, 6, "tout_made_no_trick", 30),
        (110, 5, "tout_lost", -10),
        (30, 2, "tout_lost_jan", -20),
        (20, 0, "tout_lost_no_trick", -30),
    ],
)
def test_jan_on_tout(points: int, tricks: int, outcome: str, each: int) -> None:
    """Read literally, a tout is doubled and trebled like the other bids (rules 5.1)."""
    params = {**AUCTION, "jan_on_tout": True}
    deal = paid("tout", points, tricks, jan_on_tout=True)
    assert deal.outcome == outcome
    assert Match(params, 2).record(deal) == [2 * each, -each, -each]


@pytest.mark.parametrize(
    ("said", "declarer", "phase"),
    [
        (["pass", "spil", "stryger"], 2, "trump"),
        (["spil", "pass", "pass"], 0, "exchange"),
        (["spil", "tout", "pass"], 1, "exchange"),
        (["stroget tout", "pass", "pass"], 0, "trump"),
    ],
)
def test_the_highest_bid_plays_and_stryger_leaves_the_cat(
    said: list[str], declarer: int, phase: str
) -> None:
    """The highest bidder plays; the cat may be taken with spil and tout only."""
    deal = Deal(AUCTION, PACKS["20 tens"], 2)
    for label in said:
        deal.act(label)
    assert (deal.declarer, deal.seat, deal.phase) == (declarer, declarer, phase)
    assert (len(deal.cat), deal.trump) == (2, None)


def test_only_higher_bids_are_allowed() -> None:
    """A lower or equal bid is illegal; after the highest only a pass is left."""
    deal = Deal(AUCTION, PACKS["20 tens"], 2)
    assert deal.legal() == ["pass", "spil", "stryger", "tout", "stroget tout"]
    deal.act("tout")
    assert deal.legal() == ["pass", "stroget tout"]
    with pytest.raises(ValueError, match="not legal"):
        deal.act("stryger")
    deal.act("stroget tout")
    assert deal.legal() == ["pass"]


def test_trump_is_named_after_the_exchange() -> None:
    """Any suit may be named; where clubs are fixed there is nothing to name."""
    labels = ("spil", "pass", "pass", "take cat", "lay AC", "lay KC")
    deal = Deal(AUCTION, PACKS["20 tens"], 2)
    fixed = Deal(CLUBS, PACKS["20 tens"], 2)
    for label in labels:
        deal.act(label)
        fixed.act(label)
    assert (deal.phase, deal.seat) == ("trump", 0)
    assert deal.legal() == ["trump C", "trump S", "trump H", "trump D"]
    deal.act("trump D")
    assert (deal.phase, deal.seat, deal.trump) == ("play", 0, "D")
    assert (fixed.phase, fixed.seat, fixed.trump) == ("play", 0, "C")


def test_stroget_tout_with_all_permanent_trumps() -> None:
    """Six sure tricks; the unseen cat counts to the declarer all the same."""
    labels = ("stroget tout", "pass", "pass", "trump H")
    deal = start("auction_sjavs", PERMANENT, "TH TD", *labels)
    play(
        deal,
        [
            "QC AC AH 0 25",
            "QS KC KH 0 11",
            "JC TC QH 0 15",
            "JS AS AD 0 24",
            "JH KS KD 0 10",
            "JD TS QD 0 15",
        ],
    )
    assert (deal.points[0], deal.declarer_points(), deal.outcome) == (100, 120, "tout_made")
    assert Match(AUCTION, 2).record(deal) == [30, -15, -15]


def test_forehand_leads_against_another_declarer() -> None:
    """Seat 1 has all permanent trumps and still does not lead; spil is trebled."""
    hands = [PERMANENT[2], PERMANENT[0], PERMANENT[1]]
    deal = start("auction_sjavs_clubs", hands, "TH TD", "pass", "spil", "pass", "leave cat")
    assert deal.seat == 0
    while deal.phase != "over":
        deal.act(deal.legal()[0])
    assert (deal.tricks, deal.outcome) == ([0, 6, 0], "win_no_trick")
    assert Match(CLUBS, 2).record(deal) == [-3, 6, -3]


def test_length_of_a_match() -> None:
    """Twelve played deals; those in which all passed do not count."""
    match = Match(AUCTION, 2)
    for number in range(12):
        assert (match.over, match.played) == (False, number)
        passed = paid("spil", 75, 4, dealer=match.dealer)
        passed.outcome = "redeal"
        assert match.record(passed) == [0, 0, 0]
        match.record(paid("spil", 75, 4, dealer=match.dealer))
    assert (match.over, match.score, match.dealer) == (True, [24, -12, -12], 2)
    with pytest.raises(ValueError, match="not yet over"):
        match.record(paid("spil", 75, 4))


# All games


def check(deal: Deal, pack: tuple[str, ...]) -> None:
    """Check that no card and no point has been lost."""
    held = [card for hand in deal.hands for card in hand]
    cards = held + deal.cat + deal.laid + [card for _, card in deal.trick]
    assert len(cards) == len(set(cards)) == len(pack) - deal.players * sum(deal.tricks)
    assert card_points(cards) + sum(deal.points) == card_points(pack)
    assert len(deal.legal()) == len(set(deal.legal()))
    assert bool(deal.legal()) == (deal.phase != "over") == (deal.seat >= 0)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_random_games(preset: str) -> None:
    """Cards, points and chips add up, and every game comes to its end."""
    rng = random.Random(preset)
    params = PRESETS[preset]
    pack = PACKS[str(params["pack"])]
    chips = "match_deals" in params
    for _ in range(15):
        game = Match(params, 0) if chips else Rubber(params, 0)
        while not game.over:
            deal = Deal(params, rng.sample(pack, len(pack)), game.dealer)
            while deal.phase != "over":
                check(deal, pack)
                deal.act(rng.choice(deal.legal()))
            check(deal, pack)
            change = game.record(deal)
            assert sum(change) == 0 if chips else max(change) == 0
            assert any(change) == (deal.outcome != "redeal")
        assert isinstance(game, Match) or len(game.losers) == 1


@pytest.mark.parametrize("deck", [PACKS["20 tens"], PACKS["20 fives"][1:]])
def test_only_the_right_pack_is_dealt(deck: tuple[str, ...]) -> None:
    """A short or wrong pack is refused."""
    with pytest.raises(ValueError, match="20 cards"):
        Deal(KLORSJAVS, deck, 0)
