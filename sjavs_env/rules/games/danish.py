"""The Danish games: one declarer against all others, a talon that is called the cat.

Klørsjavs is the base; every other preset is written as its differences.  The source tags are
those of ``wording.SOURCE_TAGS``.
"""

from __future__ import annotations

from sjavs_env.rules.games.faroese import FAROESE
from sjavs_env.rules.parts import (
    AllOrNothing,
    AlwaysRedealt,
    Contract,
    ContractAuction,
    FirstOutLoses,
    FixedDeals,
    PayoffRow,
    TricksTaken,
)
from sjavs_env.rules.ruleset import Cited, variant

__all__ = ["AUCTION_SJAVS", "AUCTION_SJAVS_CLUBS", "DANISH_4", "KLORSJAVS"]

BY_ROW = "each row has its own"
FIRST_DEALER = "By custom the first dealer is the player who keeps the score (S3k)."
OF_THREE = "S3k, of three hands"
NAMED_AFTER = "OURS: for a game with trump=declarer, as in Auction Sjavs"


def _defenders_lose(
    name: str, amount: int, points: tuple[int, int], source: str = "S3k"
) -> PayoffRow:
    """A row in which each defender of a game that counts down to a loss pays."""
    return PayoffRow(name, "declarers", points, "any", (0,), (-amount,), source)


def _declarer_loses(
    name: str, amount: int, high: int, tricks: TricksTaken = "any", source: str = "S3k"
) -> PayoffRow:
    """A row in which the declarer of such a game pays."""
    needs = "concede" if tricks == "given_up" else ""
    return PayoffRow(name, "defenders", (0, high), tricks, (-amount,), (0,), source, needs=needs)


def _results(
    win: int, double: int, every: int, source: str = "S3k", source_of_all: str = "S3k"
) -> tuple[PayoffRow, ...]:
    """The table of results by the card points that win, win double, and are all there are."""
    return (
        _declarer_loses("concede", 8, every, "given_up", f"{source}: before the first lead"),
        _declarer_loses("no_trick", 16, every, "none", f"{source}; OURS: whatever lies aside"),
        _defenders_lose("all", 16, (every, every), source_of_all),
        _defenders_lose("win_double", 8, (double, every)),
        _defenders_lose("win", 4, (win, every)),
        _declarer_loses("lose", 8, win - 1),
    )


KLORSJAVS = variant(
    FAROESE,
    name=Cited("klorsjavs", "S3k"),
    title=Cited("Klørsjavs (Tjavs), three hands", "S3k"),
    players=Cited(3, "S3k"),
    sides=Cited("alone", "S3k: the declarer against the other two"),
    direction=Cited("clockwise", "S3k: the deal moves to the left"),
    ranks=Cited("AKQJ5", "S3k"),
    dropped=Cited("", "S3k: all of the 20 cards"),
    permanent_trumps=Cited("QC QS JC JS JH JD", "S3k"),
    plain_order=Cited("AKQ5", "S3k"),
    points=Cited((("A", 11), ("5", 10), ("K", 4), ("Q", 3), ("J", 2)), "S3k: fives count ten"),
    talon=Cited(2, "S3k: the cat"),
    table_columns=Cited(0, "S3k: all cards are held in the hand"),
    deal_cut=Cited("3-(2)-3", "S3k"),
    deal_knock=Cited("3-(2)-3", "S3k: dealt in one way"),
    auction=Cited(ContractAuction),
    contracts=Cited(
        (Contract("play", "play", takes_talon=True, source="S3k"),),
        'S3k: "play" or "pass", nothing else',
    ),
    auction_mode=Cited("first_bid", 'S3k: the first "play" ends the bidding'),
    no_bid=Cited(AlwaysRedealt, "S3k; OURS: the same dealer deals again, as in the Faroese games"),
    trump=Cited("clubs", "S3k: clubs are always trumps"),
    exchange=Cited(
        AllOrNothing, "S3k: both cards of the cat, unseen, or none; OURS: a card laid away is final"
    ),
    name_trump=Cited("after_exchange", NAMED_AFTER),
    concede=Cited(True, "S3k: the declarer may give up before the first lead"),
    follow=Cited("whist", "S3k"),
    payoff_columns=Cited(("play",), "S3k"),
    payoff=Cited(_results(win=61, double=91, every=120), BY_ROW),
    ties=Cited(None),
    match=Cited(
        FirstOutLoses,
        "S3k; OURS: the decider goes on until one alone is lowest; crosses for the others",
    ),
    start=Cited(60, "S3k: 60 øre"),
    notes=(
        FIRST_DEALER,
        "S3k lets the declarer change the cards laid away until the first card is led; here they "
        "are final, which leaves the same choice.",
        "S3k knows no crosses; the program gives them for matches.",
        "A player who still has 60 at the end can be made to stand a treat.",
    ),
)
DANISH_4 = variant(
    KLORSJAVS,
    name=Cited("danish_4", "S3k; as flyvesjavs S3n"),
    title=Cited("Danish Sjavs, four hands", "S3k"),
    players=Cited(4, "S3k"),
    sides=Cited("alone", "OURS: the source gives no partnership"),
    dropped=Cited("QH QD", "S3k"),
    deal_cut=Cited("2-(2)-2", "S3k"),
    deal_knock=Cited("2-(2)-2", "S3k: dealt in one way"),
    payoff=Cited(
        _results(58, 86, 114, OF_THREE, "OURS: S3k has 58 and 86 only; all points as with three"),
        BY_ROW,
    ),
    notes=(
        *KLORSJAVS.notes,
        "Flyvesjavs, of which an 1890 novel tells no more than four cards each and a skat of two, "
        "is offered as an alias: an identification, not attested rules.",
    ),
)

SPIL_STRYGER = ("spil", "stryger")
TOUTS = ("tout", "stroget_tout")
VALUES = {"spil": 1, "stryger": 4, "tout": 10, "stroget_tout": 15}  # DA


def _settled(
    name: str,
    times: int,
    points: tuple[int, int],
    tricks: TricksTaken = "any",
    only: tuple[str, ...] = SPIL_STRYGER,
    source: str = "DA",
    needs: str = "",
) -> PayoffRow:
    """A row in which each of two defenders pays the declarer so many times the value.

    A negative number of times: the declarer pays them.
    """
    each = [times * VALUES[column] for column in only]
    declarer, defender = tuple(2 * x for x in each), tuple(-x for x in each)
    won = "declarers" if times > 0 else "defenders"
    return PayoffRow(name, won, points, tricks, declarer, defender, source, only, needs)  # type: ignore[arg-type]  # both are parties


def _jan_on_tout(
    name: str, times: int, points: tuple[int, int], tricks: TricksTaken = "any"
) -> PayoffRow:
    """A row in which a whole slam is settled like other contracts."""
    return _settled(name, times, points, tricks, TOUTS, LITERALLY, "jan_on_tout")


WHOLE_SLAM = "DA; OURS: never multiplied, the value is the whole slam's already"
LITERALLY = "DA, read literally; with jan_on_tout"
AUCTION_SJAVS = variant(
    KLORSJAVS,
    name=Cited("auction_sjavs", "DA S3d"),
    title=Cited("Auction Sjavs, trumps named by the declarer (farvesjavs)", "DA S3d"),
    players=Cited(3, "DA"),
    sides=Cited("alone", "DA: the highest bidder against the other two"),
    ranks=Cited("AKQJT", "DA"),
    dropped=Cited("", "DA: all of the 20 cards"),
    permanent_trumps=Cited("QC QS JC JS JH JD", "all sources"),
    plain_order=Cited("AKQT", "DA: tens rank below the queen"),
    points=Cited((("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2)), "DA"),
    talon=Cited(2, "DA: the cat"),
    table_columns=Cited(0, "DA: all cards are held in the hand"),
    deal_cut=Cited("3-(2)-3", "DA: six each and two aside; S3k: the packets"),
    deal_knock=Cited("3-(2)-3", "DA S3k: dealt in one way"),
    contracts=Cited(
        (
            Contract("spil", "spil", takes_talon=True, source="DA"),
            Contract("stryger", "stryger", takes_talon=False, source="DA"),
            Contract("tout", "tout", takes_talon=True, source="DA"),
            Contract("stroget tout", "stroget_tout", takes_talon=False, source="DA"),
        ),
        "DA",
    ),
    auction_mode=Cited("contracts", "DA: one round, each player passes or bids higher"),
    no_bid=Cited(AlwaysRedealt, "DA; OURS: the same dealer deals again, as in the Faroese games"),
    trump=Cited("declarer", "S3d"),
    exchange=Cited(AllOrNothing, "DA: the cat may be taken; S3k: both cards or none; OURS: final"),
    name_trump=Cited("after_exchange", "OURS: bids carry no suit"),
    concede=Cited(None, "DA: no giving up"),
    follow=Cited("whist", "DA S3k"),
    payoff_columns=Cited((*SPIL_STRYGER, *TOUTS), "DA"),
    payoff=Cited(
        (
            _jan_on_tout("tout_made_no_trick", 3, (0, 120), "all"),
            _jan_on_tout("tout_lost_no_trick", -3, (0, 120), "none"),
            _jan_on_tout("tout_lost_jan", -2, (0, 30)),
            _settled("tout_made", 1, (0, 120), "all", TOUTS, WHOLE_SLAM),
            _settled("tout_lost", -1, (0, 120), "any", TOUTS, WHOLE_SLAM),
            _settled("win_no_trick", 3, (0, 120), "all"),
            _settled("lose_no_trick", -3, (0, 120), "none"),
            _settled("win_jan", 2, (90, 120)),
            _settled("win", 1, (61, 120)),
            _settled("lose_jan", -2, (0, 30)),
            _settled("lose", -1, (0, 60)),
        ),
        BY_ROW,
    ),
    jan_on_tout=Cited(False, "OURS: read literally, DA would treble every whole slam made"),
    match=Cited(FixedDeals, "DA: chips change hands after each deal; OURS: crosses"),
    match_deals=Cited(12, "OURS: a match has to end"),
    start=Cited(0, "DA: chips"),
    notes=(
        "That the cat counts to the declarer under stryger and strøget tout as well is decided "
        "here, by analogy with Klørsjavs.",
        "DA knows neither matches nor crosses; the program needs both.",
    ),
)
AUCTION_SJAVS_CLUBS = variant(
    AUCTION_SJAVS,
    name=Cited("auction_sjavs_clubs", "DA"),
    title=Cited("Auction Sjavs, clubs always trumps", "DA"),
    trump=Cited("clubs", "DA: the plain form"),
    name_trump=Cited("after_exchange", NAMED_AFTER),
)
