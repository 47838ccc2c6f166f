"""The printed rules of three hands, two hands and the Danish games."""

from __future__ import annotations

import pytest

from sjavs_env.rules import PRESETS, make_rules
from sjavs_env.rules.pages.describe import describe
from tests.rules.page import cells, section

HIGH = "Q♣ Q♠ J♣ J♠ J♥ J♦"


def page_of(name: str, title: str) -> str:
    """A section of the page of a preset."""
    return section(describe(PRESETS[name]), title)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faroese_3", "3 players, "),
        ("faroese_3", "alone against the other two, who put their tricks together."),
        ("faroese_2", "The declarer plays against the other player."),
        ("danish_4", "alone against the other three, who put their tricks together."),
        ("auction_sjavs", "There are no partners."),
    ],
)
def test_the_declarer_plays_alone_against_all_others(name: str, text: str) -> None:
    assert text in page_of(name, "Players")
    assert "Sides:" not in page_of(name, "Players")


@pytest.mark.parametrize(
    ("name", "pack", "points"),
    [
        ("klorsjavs", "20 cards: A K Q J 5 of ", "A 11, 5 10, K 4, Q 3, J 2. Together 120, so"),
        ("danish_4", "♦ diamonds, without Q♥ Q♦.", "Together 114, so half is 57."),
        ("auction_sjavs", "20 cards: A K Q J T of ", "A 11, T 10, K 4, Q 3, J 2. Together 120"),
    ],
)
def test_page_shows_the_small_packs(name: str, pack: str, points: str) -> None:
    assert pack in page_of(name, "Pack")
    assert ("T is the ten." in page_of(name, "Pack")) == (name == "auction_sjavs")
    assert points in page_of(name, "Card points")


@pytest.mark.parametrize(
    ("name", "clubs", "hearts", "ordinary"),
    [
        ("klorsjavs", "A♣ K♣ 5♣", ["4", "A♥ K♥ Q♥ 5♥"], 3),
        ("danish_4", "A♣ K♣ 5♣", ["3", "A♥ K♥ 5♥"], 3),
        ("auction_sjavs_clubs", "A♣ K♣ T♣", ["4", "A♥ K♥ Q♥ T♥"], 3),
    ],
)
def test_where_clubs_are_always_trumps_only_they_are_shown(
    name: str, clubs: str, hearts: list[str], ordinary: int
) -> None:
    trumps, plain = page_of(name, "Trumps"), page_of(name, "Plain suits")
    assert trumps.startswith("\nClubs are always trumps. ")
    assert cells(trumps, "♣ clubs") == ["9", f"{HIGH} {clubs}"]
    assert trumps.count("\n| ♣") == trumps.count("\n| ") - 2
    assert cells(plain, "♥ hearts") == hearts
    assert plain.count("\n| ") - 2 == ordinary


def test_where_the_declarer_names_trumps_every_suit_is_shown() -> None:
    trumps = page_of("auction_sjavs", "Trumps")
    assert cells(trumps, "♠ spades") == ["9", f"{HIGH} A♠ K♠ T♠"]
    assert cells(trumps, "♦ diamonds") == ["10", f"{HIGH} A♦ K♦ Q♦ T♦"]
    assert cells(trumps, "none named") == ["6", HIGH]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        (
            "faroese_3",
            [
                "10 cards each, forehand first, and 2 face down for the skat: packets of 3, "
                "one card for the skat, packets of 4, one card for the skat and packets of 3 if",
                "10 at once, with one card for the skat between two players, if they knock on it",
            ],
        ),
        (
            "faroese_2",
            [
                "16 cards each, forehand first, when the dealer's right-hand neighbour has cut",
                "rows of 4 face down, rows of 4 face up on them and packets of 8 into the hand.",
                "turned up at the end of the trick",
            ],
        ),
        ("klorsjavs", ["6 cards each", "packets of 3, two cards for the cat and packets of 3."]),
        ("danish_4", ["4 cards each", "packets of 2, two cards for the cat and packets of 2."]),
    ],
)
def test_page_says_how_talon_and_table_cards_are_dealt(name: str, texts: list[str]) -> None:
    for text in texts:
        assert text in page_of(name, "Dealing the cards")


def test_lengths_are_bid_up_to_all_cards_that_a_player_sees_of_his_own() -> None:
    three, two = page_of("faroese_3", "Auction"), page_of("faroese_2", "Auction")
    assert "The ladder: 5, 5 better, 6, " in three
    assert "10, 10 better." in three
    assert "12, 12 better." in two
    assert "its cards that a player has in hand, all permanent trumps included" in three
    assert "has in hand or face up on the table, all permanent trumps included" in two


def test_contracts_are_listed_with_what_they_undertake() -> None:
    auction = page_of("auction_sjavs", "Auction")
    assert "any bid above the one that stands" in auction
    assert "each player speaks once." in auction
    assert cells(auction, "spil") == ["61 card points or more", "may be taken"]
    assert cells(auction, "stryger") == ["61 card points or more", "stays where it is"]
    assert cells(auction, "tout") == ["all 6 tricks", "may be taken"]
    assert cells(auction, "strøget tout") == ["all 6 tricks", "stays where it is"]
    assert "length" not in auction
    assert "tie" not in auction


@pytest.mark.parametrize(("name", "least"), [("klorsjavs", 61), ("danish_4", 58)])
def test_the_first_bid_ends_the_auction_of_klorsjavs(name: str, least: int) -> None:
    auction = page_of(name, "Auction")
    assert "The first bid ends the auction, and the player who made it is the declarer." in auction
    assert "each player speaks at most once." in auction
    assert "If all pass, the same dealer deals again.\n" in auction
    assert cells(auction, "play") == [f"{least} card points or more", "may be taken"]


def test_trumps_are_named_before_or_after_the_exchange() -> None:
    assert "Before the exchange the highest bidder" in page_of("faroese_3", "Naming trumps")
    after = page_of("auction_sjavs", "Naming trumps")
    assert "After the exchange and before the first lead the declarer openly names" in after
    early = describe(make_rules("auction_sjavs", name_trump="before_exchange"))
    assert "Before the exchange the declarer openly" in section(early, "Naming trumps")


def test_the_skat_is_exchanged_unseen_and_the_cat_all_or_nothing() -> None:
    blind, all_or_nothing = page_of("faroese_3", "Exchange"), page_of("klorsjavs", "Exchange")
    assert (
        "may lay away up to two cards of any kind, face down, and then takes as many from the"
        in blind
    )
    assert "Nobody sees a card of the skat before that." in blind
    assert "may take the two cards of the cat unseen" in all_or_nothing
    assert "At a table it may be changed until the first card is led" in all_or_nothing
    for text in (blind, all_or_nothing):
        assert "A card laid away stays away." in text
        assert "count towards the declarer's card points in the end, but not as a trick" in text
        assert "Under " not in text
    auction = page_of("auction_sjavs", "Exchange")
    assert "Under stryger and strøget tout the cat stays where it is." in auction


def test_the_deal_passes_on_when_the_declarer_gives_up() -> None:
    assert "After a deal that has been played or given up the" in page_of("klorsjavs", "Who deals")
    never = section(describe(make_rules("klorsjavs", concede=False)), "Who deals")
    assert "After a deal that has been played the next player deals." in never


def test_giving_up_is_printed_where_it_is_allowed() -> None:
    assert "row `concede` of the results" in page_of("klorsjavs", "Giving up")
    page = describe(make_rules("klorsjavs", concede=False))
    assert "Giving up" not in page
    assert "| `concede` |" not in section(page, "Result of a deal")
    assert cells(section(page, "Parameters"), "`concede`") == ["false", "**override**"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "faroese_3",
            {
                "vol": ["all 10 tricks (vol)", "declarer", "12", "16"],
                "win_90": ["90 card points or more", "declarer", "4", "8"],
                "win": ["61 to 89 card points", "declarer", "2", "4"],
                "tie": ["60 card points", "nobody", "–", "–"],
                "lose_no_trick": ["no trick", "each defender", "16", "16"],
                "lose_30": ["30 card points or fewer (jan)", "each defender", "8", "16"],
                "lose": ["31 to 59 card points", "each defender", "4", "8"],
            },
        ),
        (
            "danish_4",
            {
                "concede": ["given up before the first lead", "declarer", "8"],
                "no_trick": ["no trick", "declarer", "16"],
                "all": ["114 card points", "each defender", "16"],
                "win_double": ["86 to 113 card points", "each defender", "8"],
                "win": ["58 to 85 card points", "each defender", "4"],
                "lose": ["57 card points or fewer", "declarer", "8"],
            },
        ),
        (
            "auction_sjavs_clubs",
            {
                "tout_made": ["all 6 tricks", "each defender to declarer", "–", "–", "10", "15"],
                "tout_lost": ["anything else", "declarer to each defender", "–", "–", "10", "15"],
                "win_no_trick": ["all 6 tricks", "each defender to declarer", "3", "12", "–", "–"],
                "lose_no_trick": ["no trick", "declarer to each defender", "3", "12", "–", "–"],
                "win_jan": [
                    "90 card points or more (jan)",
                    *["each defender to declarer", "2", "8", "–", "–"],
                ],
                "win": ["61 to 89 card points", "each defender to declarer", "1", "4", "–", "–"],
                "lose_jan": [
                    "30 card points or fewer (jan)",
                    *["declarer to each defender", "2", "8", "–", "–"],
                ],
                "lose": ["31 to 60 card points", "declarer to each defender", "1", "4", "–", "–"],
            },
        ),
    ],
)
def test_table_of_results_says_who_pays(name: str, expected: dict[str, list[str]]) -> None:
    results = page_of(name, "Result of a deal")
    for row, texts in expected.items():
        assert cells(results, f"`{row}`") == texts
    assert results.count("\n| `") == len(expected)


def test_all_tricks_alone_are_printed_as_those_of_one_partner_where_they_count_so() -> None:
    page = describe(make_rules("faroese_3", solo_counts_as_single=True))
    results = section(page, "Result of a deal")
    assert cells(results, "`single_vol`") == ["all 10 tricks", "declarer", "16", "24"]
    assert cells(results, "`vol`")[0] == "never: earlier rows decide"


def test_a_whole_slam_read_literally_is_printed_with_its_own_rows() -> None:
    results = section(describe(make_rules("auction_sjavs", jan_on_tout=True)), "Result of a deal")
    to_defenders, rest = "declarer to each defender", ["–", "–"]
    won = ["all 6 tricks", "each defender to declarer", *rest, "30", "45"]
    assert cells(results, "`tout_made_no_trick`") == won
    assert cells(results, "`tout_made`")[0] == "never: earlier rows decide"
    assert cells(results, "`tout_lost_no_trick`") == ["no trick", to_defenders, *rest, "30", "45"]
    jan = ["30 card points or fewer (jan)", to_defenders, *rest, "20", "30"]
    assert cells(results, "`tout_lost_jan`") == jan
    left = ["31 card points or more", to_defenders, *rest, "10", "15"]
    assert cells(results, "`tout_lost`") == left


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("faroese_2", ["the declarer has", "who subtracts", "plain (♠ ♥ ♦)", "clubs (♣)"]),
        ("klorsjavs", ["the declarer has", "who loses", "how much"]),
        (
            "auction_sjavs",
            ["the declarer has", "who pays", "spil", "stryger", "tout", "strøget tout"],
        ),
    ],
)
def test_the_heading_fits_the_way_of_scoring(name: str, head: list[str]) -> None:
    results = page_of(name, "Result of a deal")
    assert cells(results, "row") == head
    assert ("subtract" in results) == (name == "faroese_2")


def test_the_end_of_the_match_is_told() -> None:
    three, two = page_of("faroese_3", "Match"), page_of("faroese_2", "Match")
    assert "the one who is lowest has won, or all who are level as the lowest" in three
    assert "or two for a single winner if all others still have 24." in three
    assert "or two if the other still has 24." in two
    loss = page_of("klorsjavs", "Match")
    assert "starts with 60 and pays from it. A player who comes to 0 or below has lost" in loss
    assert "who had least before that deal has lost" in loss
    chips = page_of("auction_sjavs", "Match")
    assert "starts with 0 chips" in chips
    assert "A match is 12 deals" in chips
    assert "1 deal," in section(describe(make_rules("auction_sjavs", match_deals=1)), "Match")


@pytest.mark.parametrize(
    ("name", "called"), [("faroese_3", "skat"), ("danish_4", "cat"), ("auction_sjavs", "cat")]
)
def test_the_talon_has_the_name_that_its_players_give_it(name: str, called: str) -> None:
    page = describe(PRESETS[name]).split("### 6.2 Parameters")[0]
    assert f" face down for the {called}" in page
    assert f"The {called}, taken or not, " in page
    assert "talon" not in page


def test_an_alias_that_is_a_guess_is_marked_as_one() -> None:
    page = describe(PRESETS["danish_4"])
    assert "an identification, not attested rules" in section(page, "Notes on the sources")
    assert cells(page, "S3n") == ["Wikipedia, Sjavs: what it takes from a novel of 1890"]
