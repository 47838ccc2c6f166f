"""The parts of a rule set: frozen records in a card player's words.

What belongs together is one part, and a game simply lacks the parts it does not have.  Where
there are several kinds of a part, ``kind`` is the word for each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

__all__ = [
    "FIXED",
    "MOST",
    "AllOrNothing",
    "AlwaysRedealt",
    "BlindExchange",
    "Cards",
    "Contract",
    "ContractAuction",
    "Deal",
    "Dealing",
    "FirstOutLoses",
    "FirstOutWins",
    "FixedDeals",
    "LastOneLoses",
    "LengthAuction",
    "MayBePlayed",
    "Melds",
    "Payoff",
    "PayoffRow",
    "Ranks",
    "Seats",
    "Ties",
    "TricksTaken",
    "within",
]

Party = Literal["declarers", "defenders", "nobody"]
TricksTaken = Literal["any", "none", "all", "all_by_one", "given_up"]
MOST = 10_000  # game points; far above any game's, far below what arrays can hold
FIXED = {"is_fixed": True}  # metadata of a field without which a game is another one


def within(low: int, high: int) -> dict[str, Any]:
    """Metadata of a field that holds a number: its bounds."""
    return {"bounds": (low, high)}


@dataclass(frozen=True)
class PayoffRow:
    """One line of the table of results; the first line that matches a deal decides it."""

    name: str
    winner: Party
    points: tuple[int, int]  # the declarers' card points, both ends included
    tricks: TricksTaken  # what the declarers took
    declarers: tuple[int, ...]  # change of each declarer's score, one per column of the row
    defenders: tuple[int, ...]  # change of each defender's score, one per column of the row
    source: str = field(default="", compare=False, repr=False)
    only: tuple[str, ...] = ()  # the payoff columns that have this row; all if empty
    needs: str = ""  # the parameter that must be true for the row to count; none if empty

    @property
    def amounts(self) -> tuple[int, ...]:
        """The sizes of the change, one per column of the row, as a player would say them.

        Where both sides change, each defender settles this much with the declarer.
        """
        return tuple(abs(x) for x in (self.defenders if any(self.defenders) else self.declarers))


@dataclass(frozen=True)
class Contract:
    """A rung of an auction in which contracts are bid instead of trump lengths."""

    name: str  # what is said
    column: str  # the payoff column it is settled by
    takes_talon: bool  # the declarer may take the talon
    source: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True)
class Dealing:
    """How the pack is dealt to so many players where seats may be out of the match.

    Hands are dealt in turn: those of the players, then, if there are more, the reserve and the
    dead hand.  What is left of the pack is the next of these.
    """

    players: int
    hands: int  # dealt in turn
    turned: int  # place in the deck of the card turned up for trumps
    on_table: bool  # it lies on the table; else the dealer holds it
    source: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True)
class Cards:
    """The pack, how its cards rank and what they count."""

    ranks: str = field(metadata=FIXED)  # the ranks of the pack, high to low by custom
    dropped: str = field(metadata=FIXED)  # cards of these ranks that the pack lacks
    permanent_trumps: str = field(metadata=FIXED)  # high to low, above all cards of the trump suit
    plain_order: str = field(metadata=FIXED)  # high to low, cards that are not permanent trumps
    points: tuple[tuple[str, int], ...] = field(metadata=FIXED)  # by rank, 0 where absent
    # high to low, where the cards of the trump suit rank otherwise
    trump_order: str = field(default="", metadata=FIXED)
    # card points that trumps count otherwise
    trump_points: tuple[tuple[str, int], ...] = field(default=(), metadata=FIXED)
    last_trick: int | None = field(default=None, metadata=within(0, 100))  # card points for it


@dataclass(frozen=True)
class Deal:
    """How the cards are dealt."""

    # cards of each player that lie face down, one more face up on each
    table_columns: int = field(metadata=FIXED)
    deal_cut: str  # packets when the neighbour cuts
    deal_knock: str  # packets when they knock
    talon: int = field(default=0, metadata=FIXED)  # cards laid aside


@dataclass(frozen=True)
class AlwaysRedealt:
    """A deal that nobody bids on is dealt again."""

    kind: ClassVar[str] = "redeal"
    all_pass: ClassVar[str] = "redeal"


@dataclass(frozen=True)
class MayBePlayed:
    """A deal that nobody bids on may be played, for the sides are even."""

    kind: ClassVar[str] = "may_be_played"
    all_pass: Literal["redeal", "play_permanents"]
    no_bid_value: int = field(metadata=within(1, MOST))  # what such a deal is worth


@dataclass(frozen=True)
class LengthAuction:
    """An auction in which players announce the length of their longest suit."""

    kind: ClassVar[str] = "lengths"
    min_bid: int
    auction_mode: Literal["forced", "optional_pass", "free"]
    better_rule: bool
    force_clubs_on_equal: bool
    no_bid: AlwaysRedealt | MayBePlayed


@dataclass(frozen=True)
class ContractAuction:
    """An auction in which players bid contracts."""

    kind: ClassVar[str] = "contracts"
    contracts: tuple[Contract, ...] = field(metadata=FIXED)  # in ascending order
    auction_mode: Literal["contracts", "first_bid"]
    no_bid: AlwaysRedealt | MayBePlayed
    trump: Literal["declarer", "clubs"]


@dataclass(frozen=True)
class BlindExchange:
    """The declarer lays cards away before they take as many; trumps are named before it."""

    kind: ClassVar[str] = "blind"


@dataclass(frozen=True)
class AllOrNothing:
    """The declarer takes the whole talon and lays as many cards away, or leaves it."""

    kind: ClassVar[str] = "all_or_nothing"
    name_trump: Literal["before_exchange", "after_exchange"]


@dataclass(frozen=True)
class Ties:
    """What a tied deal adds to the next one."""

    kind: ClassVar[str] = "ties"
    tie: Literal["add_2", "add_2_plain_4_clubs", "add_2_declarers_4_defenders", "double"]
    tie_stacks: bool


@dataclass(frozen=True)
class Payoff:
    """A table of results: what a deal between two sides is worth."""

    kind: ClassVar[str] = "payoff"
    payoff_columns: tuple[str, ...] = field(metadata=FIXED)
    payoff: tuple[PayoffRow, ...] = field(metadata=FIXED)  # its rows are parameters one by one
    ties: Ties | None
    # the declarer may give up before the first lead
    concede: bool | None = None
    # all tricks of a declarer alone are those of one of two partners
    solo_counts_as_single: bool | None = None
    # the whole slam is doubled and trebled as other contracts are
    jan_on_tout: bool | None = None

    @property
    def rows(self) -> tuple[PayoffRow, ...]:
        """The rows that count."""
        return tuple(row for row in self.payoff if not row.needs or getattr(self, row.needs))

    def columns_of(self, row: PayoffRow) -> tuple[str, ...]:
        """The columns that have a row."""
        return row.only or self.payoff_columns


@dataclass(frozen=True)
class Ranks:
    """Marks for the best totals: what a deal is worth in which each plays for themselves."""

    kind: ClassVar[str] = "ranks"
    # card points and melds below which a player is in the bag
    limit: int = field(metadata=within(0, 200))
    rank_marks: tuple[int, ...]  # with four, three and two players in the match
    # what a mark is worth with two players in the match
    two_hand_mark: int = field(metadata=within(1, 10))
    # what it is worth if a single player reaches the limit
    sole_mark: int = field(metadata=within(1, 10))
    # what the only one who stays in a deal gets
    lone_mark: int = field(metadata=within(0, 10))
    rank_tie: Literal["all", "earliest", "none"]
    bag: Literal["zero", "minus"]


@dataclass(frozen=True)
class FirstOutWins:
    """A rubber, won by whoever first comes to 0."""

    kind: ClassVar[str] = "first_out_wins"
    start: int = field(metadata=within(1, 255))  # an observation shows it in one byte
    double_at_start: bool
    cross_rule: Literal["standard", "shutout_only"]


@dataclass(frozen=True)
class FirstOutLoses:
    """A match that is lost by whoever first comes to 0."""

    kind: ClassVar[str] = "first_out_loses"
    start: int = field(metadata=within(1, 255))


@dataclass(frozen=True)
class FixedDeals:
    """A match of so many deals."""

    kind: ClassVar[str] = "deals"
    match_deals: int = field(metadata=within(1, MOST))
    start: int = field(metadata=within(0, 255))


@dataclass(frozen=True)
class LastOneLoses:
    """A match that players leave one after the other."""

    kind: ClassVar[str] = "last_one_loses"
    target: int = field(metadata=within(1, 100))  # game points with which a player leaves


@dataclass(frozen=True)
class Seats:
    """What a game needs that is also played when seats have left the match."""

    kind: ClassVar[str] = "seats"
    dealings: tuple[Dealing, ...] = field(metadata=FIXED)  # by number of players in the match
    six_timing: Literal["before", "after"]
    may_drop: bool
    taker_must_play: bool


@dataclass(frozen=True)
class Melds:
    """What melds count."""

    kind: ClassVar[str] = "melds"
    weis: Literal["small", "large"]
    meld_selection: Literal["max_total", "best_first"]
    meld_compare_rank: bool
    stock: Literal["meld", "independent"]
