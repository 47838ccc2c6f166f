"""Deal, course and auction of a rule set as arrays: up to the first lead."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sjavs_env.cards import SUITS
from sjavs_env.rules.packets import Place, deal_places
from sjavs_env.rules.parts import BlindExchange, LengthAuction
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.terms import NONE, Bool, Ints, Phase

__all__ = [
    "AuctionTables",
    "CourseTables",
    "DealTables",
    "ExchangeTables",
    "auction_tables",
    "course_tables",
    "deal_tables",
    "exchange_tables",
    "rungs",
]

# Moments of decision of an exchange, by its kind.
EXCHANGES = {"blind": [Phase.LAY], "all_or_nothing": [Phase.TAKE, Phase.LAY]}


@dataclass(frozen=True, eq=False)
class DealTables:
    """Places in the deck by way of dealing (0 knock, 1 cut) and seat from forehand."""

    hand: Ints  # (2, P, hand) cards in hand and, last, those face up on the table
    table: Ints  # (2, 2, P, columns) cards face up, and those face down below them
    talon: Ints  # (2, talon)
    n_columns: int  # cards face up in front of each seat
    n_talon: int


@dataclass(frozen=True, eq=False)
class CourseTables:
    """The moments of decision, and what follows what."""

    phases: tuple[Phase, ...]  # those of this game
    phase_after: Ints  # (K + 1, phases) what follows a phase under a bid; the last row: no bid
    fixed_mode: int  # trump mode of every deal with a bid, 0 where the declarer names it


@dataclass(frozen=True, eq=False)
class AuctionTables:
    """The bids, who may make which, and how trumps are named after them."""

    bid_labels: tuple[str, ...]
    bid_length: Ints  # (K,) length announced
    bid_better: Bool  # (K,) the statement says clubs
    legal_calls: NDArray[
        np.int8
    ]  # (K + 1, lengths, lengths, 1 + K) by standing bid + 1, longest, clubs
    first_bid_ends: bool
    redeal_when_all_pass: bool
    name_exact: bool  # the suit named must have exactly the announced length
    name_clubs_first: bool

    @property
    def n_bids(self) -> int:
        """Number of statements besides "pass"."""
        return len(self.bid_labels)


@dataclass(frozen=True, eq=False)
class ExchangeTables:
    """How the declarer exchanges cards with the talon."""

    most_laid: int  # cards that the declarer may lay away
    lays_blind: bool  # as many cards are taken as have been laid away, after it


def deal_tables(rules: RuleSet) -> DealTables:
    """Compile how the pack of a rule set is dealt."""
    words = rules.deal
    ways = [deal_places(text, rules.players) for text in (words.deal_knock, words.deal_cut)]
    seats = range(rules.players)

    def at(way: list[Place], *zones: str) -> list[list[int]]:
        """Deck places of each seat, zone by zone."""
        return [
            [i for zone in zones for i, place in enumerate(way) if place == (zone, seat)]
            for seat in seats
        ]

    talon = [[i for i, place in enumerate(way) if place.zone == "talon"] for way in ways]
    return DealTables(
        hand=np.array([at(way, "hand", "up") for way in ways], dtype=np.intp),
        table=np.array([[at(way, "up"), at(way, "down")] for way in ways], dtype=np.intp),
        talon=np.array(talon, dtype=np.intp),
        n_columns=words.table_columns,
        n_talon=words.talon,
    )


def course_tables(rules: RuleSet) -> CourseTables:
    """Compile what follows what, by bid."""
    if rules.seats:  # the course does not depend on what is said
        course = [Phase.PLAY, Phase.OVER, Phase.SIX, Phase.RESERVE]
        return CourseTables(
            phases=tuple(course + [Phase.STAY] * rules.seats.may_drop),
            phase_after=np.full((1, len(Phase)), Phase.OVER, dtype=np.intp),
            fixed_mode=0,
        )
    names = [Phase.NAME_TRUMP] if rules.names_trump else []
    swaps = EXCHANGES[rules.exchange.kind] if rules.exchange else []
    first, second = (swaps, names) if rules.names_after_exchange else (names, swaps)
    ends = [*([Phase.CONCEDE] if rules.may_concede else []), Phase.PLAY, Phase.OVER]
    course = [Phase.AUCTION, *first, *second, *ends]
    courses = [[p for p in course if takes or p not in swaps] for takes in _takes_talon(rules)] + [
        [Phase.AUCTION, Phase.PLAY, Phase.OVER]
    ]
    after = np.full((len(courses), len(Phase)), Phase.OVER, dtype=np.intp)
    for k, phases in enumerate(courses):
        for phase, following in pairwise(phases):
            after[k, phase] = following
    return CourseTables(
        phases=tuple(p for p in Phase if p in course),
        phase_after=after,
        fixed_mode=0 if names else 1 + SUITS.index("C"),
    )


def exchange_tables(rules: RuleSet) -> ExchangeTables:
    """Compile the exchange of a rule set; nothing is laid away where there is none."""
    return ExchangeTables(
        most_laid=rules.deal.talon if rules.exchange else 0,
        lays_blind=isinstance(rules.exchange, BlindExchange),
    )


def rungs(rules: RuleSet) -> list[tuple[int, bool]]:
    """The ladder of trump lengths: number, and whether it says clubs."""
    auction = rules.auction
    if not isinstance(auction, LengthAuction):
        return []
    kinds = (False, True) if auction.better_rule else (False,)
    return [(n, b) for n in range(auction.min_bid, rules.hand_size + 1) for b in kinds]


def _takes_talon(rules: RuleSet) -> list[bool]:
    """For each rung of the ladder, whether the talon may be taken."""
    if rules.contracts:
        return [contract.takes_talon for contract in rules.contracts]
    return [True] * len(rungs(rules))


def auction_tables(rules: RuleSet) -> AuctionTables:
    """Compile the auction of a rule set; without bids where there is none."""
    if isinstance(rules.auction, LengthAuction):
        return _length_auction(rules, rules.auction)
    return _contract_auction(rules)


def _contract_auction(rules: RuleSet) -> AuctionTables:
    """An auction in which any contract may be bid that is higher, whatever the hand."""
    n_bids, lengths = len(rules.contracts), rules.hand_size + 1
    legal = np.zeros((n_bids + 1, lengths, lengths, 1 + n_bids), dtype=np.int8)
    for standing in range(n_bids + 1):
        legal[standing, :, :, [0, *range(1 + standing, 1 + n_bids)]] = 1
    return AuctionTables(
        bid_labels=tuple(contract.name for contract in rules.contracts),
        bid_length=np.zeros(n_bids, dtype=np.intp),
        bid_better=np.zeros(n_bids, dtype=np.bool_),
        legal_calls=legal,
        first_bid_ends=bool(rules.auction and rules.auction.auction_mode == "first_bid"),
        redeal_when_all_pass=_is_redealt(rules),
        name_exact=False,
        name_clubs_first=False,
    )


def _length_auction(rules: RuleSet, auction: LengthAuction) -> AuctionTables:
    ladder = rungs(rules)
    n_bids, lengths = len(ladder), rules.hand_size + 1
    legal = np.zeros((n_bids + 1, lengths, lengths, 1 + n_bids), dtype=np.int8)
    for standing in range(n_bids + 1):
        for longest in range(lengths):
            for clubs in range(longest + 1):
                calls = _calls(auction, ladder, standing - 1, longest, clubs)
                legal[standing, longest, clubs, calls] = 1
    return AuctionTables(
        bid_labels=tuple(f"{n} better" if b else str(n) for n, b in ladder),
        bid_length=np.array([n for n, _ in ladder]),
        bid_better=np.array([b for _, b in ladder]),
        legal_calls=legal,
        first_bid_ends=False,
        redeal_when_all_pass=_is_redealt(rules),
        name_exact=auction.auction_mode != "free",
        name_clubs_first=auction.force_clubs_on_equal,
    )


def _is_redealt(rules: RuleSet) -> bool:
    """A deal that nobody bids on is dealt again."""
    return rules.auction is None or rules.auction.no_bid.all_pass == "redeal"


def _calls(
    auction: LengthAuction, ladder: list[tuple[int, bool]], standing: int, longest: int, clubs: int
) -> list[int]:
    """Calls a player may make: 0 is "pass", 1 + k is rung k (rules 3.1)."""
    high, is_better = ladder[standing] if standing != NONE else (0, False)
    numbers = [n for n, b in ladder if not b and high < n <= longest]
    betters = auction.better_rule and high > 0 and not is_better
    if auction.auction_mode == "free":
        said = [(n, False) for n in numbers] + [(high, True)] * (betters and clubs >= high)
        may_pass = True
    else:
        said = [(longest, False)] if numbers else []
        said += [(high, True)] * (betters and high == longest == clubs)
        may_pass = not said or auction.auction_mode == "optional_pass"
    return [0] * may_pass + [1 + ladder.index(s) for s in said]
