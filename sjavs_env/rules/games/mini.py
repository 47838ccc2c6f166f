"""Mini games: two hands and a handful of cards, small enough to be solved exactly.

Nobody plays them at a table.  They have what makes the family hard for a learner (bids that tell
of a hand, trumps of one's own choice, cards that nobody sees, unequal stakes) in a tree of
which a computer sees every node, so that what is learned can be held against what is right.
The source of all their values is ours; what a game does not change is that of two hands.
"""

from __future__ import annotations

from sjavs_env.cards import SUITS
from sjavs_env.rules.games.faroese import FAROESE_2
from sjavs_env.rules.parts import AlwaysRedealt, PayoffRow
from sjavs_env.rules.ruleset import Cited, RuleSet, variant

__all__ = ["MINI_8", "MINI_10"]

OURS = "OURS: small enough to be solved"
ALL_RANKS = "AKQJT9"
PERMANENT = "QC JS"
SUITS_IN_PACK = "CS"
TALON = 2
NOTES = (
    "A mini game is not attested: it is here because all of it can be computed. `sjavs exact` "
    "solves it, and tells how much an opponent who knows a player can win from them.",
    "What is solved is one deal at the scores of a match that begins. If nobody bids it is "
    "worth nothing.",
)


def _dropped(ranks: str, plain: str) -> str:
    """The cards of these ranks that a pack of two suits and the permanent trumps lacks."""
    kept = {rank + suit for rank in plain for suit in SUITS_IN_PACK} | set(PERMANENT.split())
    return " ".join(r + s for s in SUITS for r in ranks if r + s not in kept)


def _rows(total: int) -> tuple[PayoffRow, ...]:
    """The table of results of two hands, its bands the same shares of the card points."""
    more, most, least = total // 2 + 1, -(-3 * total // 4), total // 4
    scaled = "OURS: the share of the points that it is in the game of two hands, and its amounts"
    return (
        PayoffRow("vol", "declarers", (0, total), "all", (-12, -16), (0, 0), scaled),
        PayoffRow("win_high", "declarers", (most, total), "any", (-4, -8), (0, 0), scaled),
        PayoffRow("win", "declarers", (more, total), "any", (-2, -4), (0, 0), scaled),
        PayoffRow("lose_no_trick", "defenders", (0, total), "none", (0, 0), (-16, -16), scaled),
        PayoffRow("lose_low", "defenders", (0, least), "any", (0, 0), (-8, -16), scaled),
        PayoffRow("lose", "defenders", (0, more - 1), "any", (0, 0), (-4, -8), scaled),
    )


def _mini(plain: str, each: int, total: int, min_bid: int) -> RuleSet:
    """A game of the ranks ``plain`` in two suits and two permanent trumps, ``each`` in a hand."""
    ranks = "".join(rank for rank in ALL_RANKS if rank in plain + "QJ")
    cards = 2 * each + TALON
    dealt = Cited(f"{each}-({TALON})", OURS)
    return variant(
        FAROESE_2,
        notes=NOTES,
        name=Cited(f"mini_{cards}", OURS),
        title=Cited(f"Mini game of {cards} cards", "OURS: for exact solutions, not attested"),
        players=Cited(2, OURS),
        ranks=Cited(ranks, OURS),
        dropped=Cited(_dropped(ranks, plain), f"OURS: a pack of {cards} cards"),
        permanent_trumps=Cited(PERMANENT, "OURS: two of the six"),
        plain_order=Cited(plain, OURS),
        talon=Cited(TALON, "OURS: cards that neither hand sees; they count for the declarer"),
        table_columns=Cited(0, OURS),
        deal_cut=dealt,
        deal_knock=dealt,
        min_bid=Cited(min_bid, OURS),
        auction_mode=Cited("free", "OURS: bidding is a choice"),
        force_clubs_on_equal=Cited(False, "OURS: the winner names any suit that is long enough"),
        no_bid=Cited(AlwaysRedealt, "OURS: the deal is worth nothing"),
        payoff=Cited(_rows(total), "each row has its own"),
        ties=Cited(None, "OURS: the sum of the points is odd"),
        solo_counts_as_single=Cited(None, OURS),
    )


MINI_8 = _mini("AK9", each=3, total=35, min_bid=2)
MINI_10 = _mini("AKT9", each=4, total=55, min_bid=3)
