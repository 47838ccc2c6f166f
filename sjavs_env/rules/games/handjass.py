"""Handjass, a Swiss game for two to four players, who all play for themselves.

The game after Parlett is the base; every other preset is written as its differences.  All are
written for four players; with ``players=3`` or ``players=2`` fewer sit down, and a match that
players leave goes on as the game of those who remain.  The source tags are those of
``wording.SOURCE_TAGS``.
"""

from __future__ import annotations

from sjavs_env.rules.parts import Dealing, LastOneLoses, Melds, Ranks, Seats
from sjavs_env.rules.ruleset import Cited, cited_rules, variant

__all__ = [
    "HANDJASS",
    "HANDJASS_ALT",
    "HANDJASS_SCHLAEGER",
    "HANDJASS_STRICT",
    "HANDJASS_SWISS",
]

LAST_TRICK = (
    "S1 does not mention points for the last trick; last_trick=0 leaves them out, as S1 does."
)
ANNOUNCED = (
    "By S1 a player who announces a meld says no more than is needed to find the best; here all "
    "that is compared is told at once."
)
BEST_NUMBER = (
    "S1 calls three the best number of players; here it is four unless players says otherwise."
)
WITHOUT_TRICK = (
    "JV says that a meld counts even if its owner wins no trick; S1 sets no such condition."
)
COMMON = (LAST_TRICK, BEST_NUMBER, ANNOUNCED, WITHOUT_TRICK)
IN_THE_BAG = (
    "S1 does not say whether a player in the bag can be one of the two best; here they cannot."
)
DEALINGS = (
    Dealing(4, hands=4, turned=35, on_table=False, source="S1 JO JW: the dealer's last card"),
    Dealing(3, hands=3, turned=27, on_table=True, source="S1: the top card of the reserve"),
    Dealing(2, hands=4, turned=35, on_table=True, source="S1; OURS: the dead hand's last card"),
)
HANDJASS = cited_rules(
    name=Cited("handjass", "S1: after Parlett"),
    version=Cited(1, "this project"),
    title=Cited("Handjass", "S1"),
    players=Cited(4, "S1 PP JO JW: two to four; S1: best with three; OURS: four at first"),
    sides=Cited("alone", "S1 PP JO JW"),
    direction=Cited("anticlockwise", "S1 PP JO JW"),
    ranks=Cited("AKQJT9876", "S1 PP JO JW"),
    dropped=Cited("", "S1 PP JO JW: all of the 36 cards"),
    permanent_trumps=Cited("", "S1 PP JO JW: none"),
    plain_order=Cited("AKQJT9876", "S1 PP JO JW"),
    points=Cited((("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2)), "S1 PP JO JW"),
    trump_order=Cited("J9AKQT876", "S1 PP JO JW"),
    trump_points=Cited((("J", 20), ("9", 14)), "S1 PP JO JW"),
    last_trick=Cited(5, "PP JW JV PH; 0 would follow S1 to the letter"),
    table_columns=Cited(0, "S1: all cards are held in the hand"),
    deal_cut=Cited("3-3-3", "S1 PP JO JW"),
    deal_knock=Cited("3-3-3", "S1: dealt in one way"),
    auction=Cited(None, "S1 PP JO JW: a card is turned up for trumps"),
    exchange=Cited(None),
    follow=Cited("simple", "S1; OURS: whoever must trump may have to do so in vain"),
    seats=Cited(Seats),
    dealings=Cited(
        DEALINGS,
        "S1 JO JW; OURS: with two players the last card of the dead hand is its top card",
    ),
    six_timing=Cited(
        "before",
        "S1: before the reserve is offered; OURS: not one found in it; only the holder is asked, "
        "which tells all who has it",
    ),
    may_drop=Cited(False, "S1"),
    taker_must_play=Cited(False, "OURS: for a game with may_drop"),
    melds=Cited(Melds),
    weis=Cited(
        "small", "S1 JO; four tens: JO, and S1's general clause, though S1's list omits them"
    ),
    meld_selection=Cited("max_total", "OURS: the choice is automatic; announced in full"),
    meld_compare_rank=Cited(False, "S1: points, cards, trumps, then who is earlier"),
    stock=Cited("meld", "S1"),
    scoring=Cited(Ranks, "S1 JO JW"),
    limit=Cited(21, "S1 JO JW"),
    rank_marks=Cited((2, 2, 1), "S1: the two best; OURS: of two players one, and none in the bag"),
    two_hand_mark=Cited(1, "OURS: no more than any mark"),
    sole_mark=Cited(1, "OURS: no more than any mark"),
    lone_mark=Cited(0, "OURS: for a game with may_drop"),
    rank_tie=Cited("all", "OURS: no seat is favoured"),
    bag=Cited("zero", "S1; OURS: zeros add up, as the minus strokes of JO JW"),
    match=Cited(
        LastOneLoses,
        "S1 JO JW: marks are collected; OURS: of all who leave at once the weakest loses, "
        "and who loses gets a cross",
    ),
    target=Cited(5, "S1; OURS: a zero holds nobody back"),
    notes=(*COMMON, IN_THE_BAG),
)
HANDJASS_STRICT = variant(
    HANDJASS,
    name=Cited("handjass_strict", "S1: a variant"),
    title=Cited("Handjass with the strict rules of play", "S1 JO JW JV"),
    follow=Cited("strict", "S1 JO JW JV"),
)
HANDJASS_ALT = variant(
    HANDJASS_STRICT,
    notes=(
        *COMMON,
        "S1 has the strict rules of play and this way of scoring as two variants, each by itself; "
        "here they are played together. follow=simple separates them.",
    ),
    name=Cited("handjass_alt", "S1: another way of scoring"),
    title=Cited("Handjass with the alternative scoring", "S1"),
    follow=Cited("strict", "S1, a variant of its own; OURS: joined with this scoring"),
    may_drop=Cited(True, "S1; OURS: asked in turn, after the exchange"),
    taker_must_play=Cited(False, "OURS: who took the reserve may drop out too"),
    rank_marks=Cited((1, 1, 1), "S1: the highest total alone"),
    lone_mark=Cited(
        1, "OURS: as much as the best gets; if all drop out, the next dealer deals, as in JO JW"
    ),
    bag=Cited("minus", "S1: loses a point; OURS: and may go below zero"),
    target=Cited(7, "S1"),
)
HANDJASS_SWISS = variant(
    HANDJASS_STRICT,
    notes=(ANNOUNCED, WITHOUT_TRICK),
    name=Cited("handjass_swiss", "JO JW"),
    title=Cited("Handjass as played in Switzerland", "JO JW"),
    follow=Cited("strict", "JO JW JV"),
    six_timing=Cited(
        "after",
        "JO JW: before their own first card; OURS: with three players not once the reserve is "
        "taken; only the holder is asked, which tells all who has it",
    ),
    may_drop=Cited(True, "JO JW: after the reserve"),
    taker_must_play=Cited(True, "JO JW: who takes the reserve plays"),
    meld_compare_rank=Cited(True, "JO; PP implies it"),
    stock=Cited("independent", "JW PP: always to its holder"),
    rank_marks=Cited(
        (2, 2, 1),
        "JO JW: a stroke for the two best; JW's Blinder: of three players only the best",
    ),
    two_hand_mark=Cited(2, "JW"),
    sole_mark=Cited(2, "JV JO; OURS: never more than 2, with two players either"),
    lone_mark=Cited(2, "JO; JW has the deal thrown in"),
    bag=Cited("minus", "JO JW: a minus stroke"),
    target=Cited(7, "JW PH; JO: 5, 7 or 9"),
)
HANDJASS_SCHLAEGER = variant(
    HANDJASS_SWISS,
    name=Cited("handjass_schlaeger", "JW"),
    title=Cited("Schläger, Handjass with a higher limit", "JW"),
    limit=Cited(26, "JW PH"),
    rank_marks=Cited((3, 2, 1), "JW: three strokes among four"),
)
