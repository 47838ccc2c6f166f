"""The Faroese games: four hands as played in Tórshavn and its variants, three hands, two hands.

The game of Tórshavn is the base; every other preset is written as its differences.  The source
tags are those of ``wording.SOURCE_TAGS``.
"""

from __future__ import annotations

from dataclasses import replace

from sjavs_env.rules.parts import (
    AlwaysRedealt,
    BlindExchange,
    FirstOutWins,
    LengthAuction,
    MayBePlayed,
    Payoff,
    PayoffRow,
    Ties,
    TricksTaken,
)
from sjavs_env.rules.ruleset import Cited, cited_rules, variant

__all__ = [
    "FAROESE",
    "FAROESE_2",
    "FAROESE_3",
    "FAROESE_FREE",
    "FAROESE_SMITH",
    "FAROESE_WIKI",
    "SUDUROY",
]


def _won(
    name: str, amounts: tuple[int, int], low: int, source: str, tricks: TricksTaken = "any"
) -> PayoffRow:
    """A row in which the declarers subtract."""
    paid = (-amounts[0], -amounts[1])
    return PayoffRow(name, "declarers", (low, 120), tricks, paid, (0, 0), source)


def _lost(
    name: str, amounts: tuple[int, int], high: int, source: str, tricks: TricksTaken = "any"
) -> PayoffRow:
    """A row in which the defenders subtract."""
    paid = (-amounts[0], -amounts[1])
    return PayoffRow(name, "defenders", (0, high), tricks, (0, 0), paid, source)


CUSTOMS = (
    "By custom the first dealer is the player who keeps the score (S3f), or is found by cutting "
    "(CC).",
    "After a misdeal the next player deals (S3f). A program does not misdeal.",
)
BY_ROW = "each row has its own"
SINGLE_VOL = _won("single_vol", (16, 24), 0, "S3f IM-j IM-o; S3p implies it", "all_by_one")
VOL = _won("vol", (12, 16), 0, "S3f IM-j IM-o IM-g", "all")
VOL_BY_ANY = replace(VOL, source="S3p: nothing extra for one player")
BY_ALL_TABLES = "S3p S3f IM-j IM-o; S0's table is lost"
WIN_90 = _won("win_90", (4, 8), 90, BY_ALL_TABLES)
WIN = _won("win", (2, 4), 61, BY_ALL_TABLES)
TIE = PayoffRow("tie", "nobody", (60, 60), "any", (0, 0), (0, 0), "S0 S3 IM-j IM-o")
NO_TRICK = "S3p IM-j IM-o; OURS: no more if one defender took all"
LOSE_NO_TRICK = _lost("lose_no_trick", (16, 16), 120, NO_TRICK, "none")
LOSE_30 = _lost("lose_30", (8, 16), 30, "S3p IM-j IM-o IM-g")
LOSE = _lost("lose", (4, 8), 59, BY_ALL_TABLES)
LOSE_ANY = replace(LOSE, source="S3f: one row for any loss")

FAROESE = cited_rules(
    name=Cited("faroese", "S3p: the Tórshavn game"),
    version=Cited(1, "this project"),
    title=Cited("Faroese Sjavs, four hands (Tórshavn)", "S3p"),
    players=Cited(4, "S0 GM S3 CC"),
    sides=Cited("partners", "S0 GM S3 CC: partners sit opposite"),
    direction=Cited("clockwise", "all sources"),
    ranks=Cited("AKQJT987", "S0 GM S3 CC"),
    dropped=Cited("", "S0 GM S3 CC: all of the 32 cards"),
    permanent_trumps=Cited("QC QS JC JS JH JD", "all sources"),
    plain_order=Cited("AKQT987", "all sources"),
    points=Cited((("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2)), "all sources"),
    talon=Cited(0, "S0 GM S3 CC: all cards are dealt"),
    table_columns=Cited(0, "S0 GM S3 CC: all cards are held in the hand"),
    deal_cut=Cited("4-4", "S0 GM S3f IM-j IM-o"),
    deal_knock=Cited("8", "S0 GM S3f IM-j IM-o"),
    auction=Cited(LengthAuction, "S0 GM S3: trump lengths are bid; the declarer names the suit"),
    min_bid=Cited(5, "GM S3f, all implementations"),
    auction_mode=Cited("forced", "S0 GM S3f: the longest length must be announced"),
    better_rule=Cited(True, 'S0 S3f; OURS: nothing of the same length beats "better"'),
    force_clubs_on_equal=Cited(True, "S0 IM-j IM-o"),
    no_bid=Cited(MayBePlayed),
    all_pass=Cited("redeal", "S0 IM-j IM-o IM-g: the same dealer deals again"),
    no_bid_value=Cited(4, "S3f: in a deal without a bid"),
    exchange=Cited(None, "S0 GM S3 CC"),
    follow=Cited("whist", "S0 S3p: a void player may play any card"),
    scoring=Cited(Payoff),
    payoff_columns=Cited(("plain", "clubs"), "S3 IM-j IM-o"),
    payoff=Cited(
        (SINGLE_VOL, VOL, WIN_90, WIN, TIE, LOSE_NO_TRICK, LOSE_30, LOSE),
        BY_ROW,
    ),
    concede=Cited(None, "S0 GM S3 CC: no giving up"),
    ties=Cited(Ties),
    tie=Cited("add_2", "IM-o IM-j IM-g; OURS: not 4 in clubs, as in S3f"),
    tie_stacks=Cited(True, "IM-j; OURS: the next deal never paid out"),
    match=Cited(FirstOutWins, "S0 GM S3 CC"),
    start=Cited(24, "S0 GM S3 CC"),
    double_at_start=Cited(True, "S0 S3p IM-o IM-j"),
    cross_rule=Cited("standard", "S0 S3p; OURS: a double win counts two"),
    notes=(
        *CUSTOMS,
        "S3f adds 2 for a tie, or 4 if the next deal is in clubs; it is offered as "
        "tie=add_2_plain_4_clubs. IM-j, IM-o and IM-g add 2, and so does `faroese`.",
        "Gammelmandssjavs, known from an 1890 novel without its rules, is offered as an alias "
        "of `faroese`: a reconstruction.",
    ),
)

UNVERIFIED = "unverified: Smith's table is lost; S3p's rows, of the same town and years"
SMITH_ROWS = tuple(row if row is TIE else replace(row, source=UNVERIFIED) for row in FAROESE.payoff)
FAROESE_SMITH = variant(
    FAROESE,
    name=Cited("faroese_smith", "S0 GM"),
    title=Cited("Faroese Sjavs after Anthony Smith", "S0 GM"),
    payoff=Cited(SMITH_ROWS, BY_ROW),
    tie=Cited("double", "S0: the next deal is played double"),
    tie_stacks=Cited(False, "OURS, IM-a: double stays double"),
    min_bid=Cited(5, "GM; S0's editor takes five for a slip for four, and is wrong"),
    notes=(
        *CUSTOMS,
        "Smith's own table of results could not be read. The rows are those of S3p: both describe "
        "the game of Tórshavn in the same years, and IM-a, modelled on Smith, has 12, 4, 2, a tie, "
        "4, 8 and 16 too.",
        "The editor of S0 takes five, the least length that can be bid, for a slip for four, since "
        "eight cards could not hold two suits of five. They can, for permanent trumps count in "
        "every suit: with four of them and one other card of each suit, all four suits are five "
        "long. GM, Smith's own text, has five.",
    ),
)
FAROESE_WIKI = variant(
    FAROESE,
    name=Cited("faroese_wiki", "S3f"),
    title=Cited("Faroese Sjavs after the Faroese Wikipedia", "S3f"),
    force_clubs_on_equal=Cited(True, "S0 IM-j IM-o; S3f does not say"),
    all_pass=Cited("play_permanents", "S3f; OURS: the six permanent trumps are the only trumps"),
    follow=Cited("whist", "S0 S3p; OURS: S3f's unclear sentence on overtrumping is not followed"),
    payoff=Cited((SINGLE_VOL, VOL, WIN_90, WIN, TIE, LOSE_ANY), BY_ROW),
    tie=Cited("add_2_plain_4_clubs", "S3f; OURS: 2 in a deal without a bid"),
    cross_rule=Cited("standard", "OURS: S3f's cross only for 24-0 is taken as a slip"),
    notes=(
        *CUSTOMS,
        "A possible duty to overtrump is doubted by the source itself; it is offered as "
        'follow="must_overtrump".',
        "Read literally, the source gives a cross only for a rubber won while the losers still "
        'have 24; it is offered as cross_rule="shutout_only".',
    ),
)
SUDUROY = variant(
    FAROESE,
    name=Cited("suduroy", "S3p"),
    title=Cited("Faroese Sjavs of Suðuroy", "S3p"),
    deal_cut=Cited("3-2-3", "S3p"),
    deal_knock=Cited("8", "S3p"),
    payoff=Cited(
        (VOL_BY_ANY, WIN_90, WIN, TIE, LOSE_NO_TRICK, LOSE_30, LOSE),
        BY_ROW,
    ),
    tie=Cited("add_2_declarers_4_defenders", "S3p"),
    double_at_start=Cited(False, "S3p: usually played without"),
    cross_rule=Cited("standard", "S3p: one cross"),
    notes=CUSTOMS,
)
FAROESE_FREE = variant(
    FAROESE,
    name=Cited("faroese_free", "OURS"),
    title=Cited("Faroese Sjavs with a free auction", "OURS: a training game, not attested"),
    auction_mode=Cited("free", "OURS; IM-j and IM-o let players pass or bid short"),
    force_clubs_on_equal=Cited(False, "OURS: the winner names any suit that is long enough"),
    notes=(
        *CUSTOMS,
        "The free auction is not an attested rule: it makes the bidding a real choice.",
    ),
)

# three and two hands

ALONE = "OURS: no more for all tricks, which one player wins here anyway"
EACH = "S3p: each defender subtracts all of it"
SINGLE_VOL_ALONE = replace(
    SINGLE_VOL,
    source="S3f IM-j IM-o, of partners; S3p implies it; with solo_counts_as_single",
    needs="solo_counts_as_single",
)
VOL_ALONE = replace(VOL, source=ALONE)
FAROESE_3 = variant(
    FAROESE,
    name=Cited("faroese_3", "S3p"),
    title=Cited("Faroese Sjavs, three hands", "S3p"),
    players=Cited(3, "S3p IM-g"),
    sides=Cited("alone", "S3p: the declarer plays alone against the other two"),
    talon=Cited(2, "S3p IM-g: the skat"),
    deal_cut=Cited("3-(1)-4-(1)-3", "S3p"),
    deal_knock=Cited("10(1)", "S3p"),
    min_bid=Cited(5, "S3p: bidding as in the four-hand game"),
    no_bid=Cited(AlwaysRedealt, "S3p: as in the four-hand game"),
    exchange=Cited(
        BlindExchange,
        "S3p: up to two cards; OURS: any, and one for the first of the skat, and trumps are named "
        "before it, for the hand as dealt proves the length",
    ),
    payoff=Cited(
        (
            SINGLE_VOL_ALONE,
            VOL_ALONE,
            WIN_90,
            WIN,
            TIE,
            *(replace(row, source=EACH) for row in (LOSE_NO_TRICK, LOSE_30, LOSE)),
        ),
        BY_ROW,
    ),
    solo_counts_as_single=Cited(False, ALONE),
    match=Cited(FirstOutWins, "S3p; OURS: of two the lower score, if equal both"),
    start=Cited(24, "S3p: each player has their own"),
    double_at_start=Cited(True, "OURS: if both others still have 24"),
    notes=CUSTOMS,
)
FAROESE_2 = variant(
    FAROESE,
    name=Cited("faroese_2", "S3p"),
    title=Cited("Faroese Sjavs, two hands", "S3p"),
    players=Cited(2, "S3p IM-g"),
    sides=Cited("alone", "S3p"),
    table_columns=Cited(4, "S3p IM-g: four cards face down, four face up on them"),
    deal_cut=Cited("4d-4u-8", "S3p IM-g; OURS: the order of the cards"),
    deal_knock=Cited("4d-4u-8", "S3p IM-g: dealt in one way; OURS: the order of the cards"),
    min_bid=Cited(5, "S3p: counted over the twelve cards that a player can play"),
    all_pass=Cited("redeal", "S3p: as in the four-hand game"),
    payoff=Cited(
        (
            SINGLE_VOL_ALONE,
            VOL_ALONE,
            WIN_90,
            WIN,
            TIE,
            replace(LOSE_NO_TRICK, source="S3p IM-j IM-o"),
            LOSE_30,
            LOSE,
        ),
        BY_ROW,
    ),
    solo_counts_as_single=Cited(False, ALONE),
    start=Cited(24, "S3p: each player has their own"),
    notes=CUSTOMS,
)
