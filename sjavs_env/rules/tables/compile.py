"""Compile a rule set into read-only arrays; the engine sees these and nothing else.

Letters used for shapes, here and everywhere: B games, R a selection of games, P seats,
N cards, T tricks in a deal, M trump modes, K bids, C payoff columns, O payoff rows, A
actions, F observation features.  A *mode* is a trump suit or "no suit named" (mode 0: only
the permanent trumps are trumps); a *class* is what a card must follow: four plain suits
and, as class 4, trumps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_env.cards import SUITS
from sjavs_env.rules.checks import MOST
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables.cards import card_tables
from sjavs_env.rules.tables.course import auction_tables, course_tables, deal_tables
from sjavs_env.rules.tables.results import result_tables, rubber_tables
from sjavs_env.rules.tables.seats import SeatTables, seat_tables
from sjavs_env.rules.terms import (
    DECLARERS,
    DEFENDERS,
    GAVE_UP,
    LONE,
    N_CLASSES,
    NO_LEAD,
    NO_SUIT,
    NOBODY,
    NONE,
    PLAYED,
    THROWN_IN,
    TRICKS_ALL,
    TRICKS_ALL_BY_ONE,
    TRICKS_NONE,
    TRICKS_SOME,
    TRUMP,
    Bool,
    Ints,
    Phase,
    Words,
)

__all__ = [
    "DECLARERS",
    "DEFENDERS",
    "GAVE_UP",
    "LONE",
    "NOBODY",
    "NONE",
    "NO_LEAD",
    "NO_SUIT",
    "N_CLASSES",
    "PLAYED",
    "THROWN_IN",
    "TRICKS_ALL",
    "TRICKS_ALL_BY_ONE",
    "TRICKS_NONE",
    "TRICKS_SOME",
    "TRUMP",
    "Bool",
    "Ints",
    "Phase",
    "RuleTables",
    "Words",
    "compile_rules",
]

N_APART = 3  # hidden sets where seats vary: the reserve, the hand given for it, the dead hand


@dataclass(frozen=True, eq=False)
class RuleTables:
    """A compiled rule set.  All arrays are read-only."""

    n_players: int
    n_cards: int
    n_tricks: int
    n_modes: int
    # cards
    bit: Words  # (N,) the word of each single card
    class_of: Ints  # (M, N) class of a card
    class_set: Words  # (M, 6) cards of a class; at NO_LEAD the whole pack
    power: Ints  # (M, 6, N) strength by class led, 0 cannot win; at NO_LEAD as if it were led
    beats: Words  # (M, 6, S) cards stronger than strength s
    trump_power: int  # from this strength on a card is a trump
    length_set: Words  # (4,) cards that count for the length of each suit
    card_worth: Ints  # (M, N) card points
    top_trump: Words  # (M,) the highest trump
    low_trump: Words  # (M,) the lowest one
    # Cards in order of strength: plain suits first, trumps last, weakest first.  Arrangement
    # 2 * mode has the suits in the order of SUITS; in 2 * mode + 1 the twins change places: two
    # plain suits with the same ranks, which only their names distinguish.
    twins: Ints  # (M, 2) first slots of the twins, or NONE
    twin_size: Ints  # (M,) cards in each of them
    slot_of: Ints  # (2 M, N) card -> slot
    card_at: Ints  # (2 M, N) slot -> card
    to_slots: Words  # (2 M, bytes, 256) a word's byte -> its cards as slots
    class_place: Ints  # (2 M, 6) class -> its place among the suits as arranged
    # deal: places in the deck by way of dealing (0 knock, 1 cut) and seat from forehand
    deal_map: Ints  # (2, P, hand) cards in hand and, last, those face up on the table
    deal_table: Ints  # (2, 2, P, columns) cards face up, and those face down below them
    deal_talon: Ints  # (2, talon)
    n_columns: int  # cards face up in front of each seat
    n_talon: int
    # course of a deal
    phases: tuple[Phase, ...]  # those of this game
    phase_after: Ints  # (K + 1, phases) what follows a phase under a bid; the last row: no bid
    fixed_mode: int  # trump mode of every deal with a bid, 0 where the declarer names it
    # auction
    bid_labels: tuple[str, ...]
    bid_length: Ints  # (K,) length announced
    bid_better: Bool  # (K,) the statement says clubs
    legal_calls: NDArray[np.int8]  # (K + 1, L, L, 1 + K) by standing bid + 1, longest, clubs
    first_bid_ends: bool
    name_exact: bool  # the suit named must have exactly the announced length
    name_clubs_first: bool
    redeal_when_all_pass: bool
    # exchange
    most_laid: int  # cards that the declarer may lay away
    lays_blind: bool  # he takes as many cards as he has laid away, after it
    # play
    follow: str  # what may be played to a trick, a word of the rule set
    shows: Ints  # (5, 5) classes proved void, as bits, by class led and class played
    void_excludes: Words  # (M, 5) cards that a seat cannot hold which has shown a class void
    # result
    payoff_names: tuple[str, ...]
    payoff_winner: Ints  # (O,) DECLARERS, DEFENDERS or NOBODY
    payoff_row: Ints  # (C, points + 1, 5) row by column, declarers' points and tricks taken
    payoff_change: Ints  # (C, O, 2) change of a declarer's and of a defender's score
    column_of: Ints  # (K + 1, M) payoff column by bid and mode; the last row: no bid
    no_bid_column: int
    ally: Bool  # (P + 1, P) side of the declarer; the last row stands for no declarer
    # rubber
    tie_extra: Ints  # (C, 3) added per pending tie by column and winning party
    tie_factor: int
    tie_stacks: bool
    start: int
    least: int  # the lowest score that an observation tells from lower ones
    match: str  # how a match ends, a word of the rule set
    match_deals: int
    gain_sign: int  # -1 where scores count down towards winning
    crosses: tuple[int, int]  # for a rubber won, and for one won against a full score
    opponents: NDArray[np.float32]  # (P, P) 1 where two seats play against each other
    worst: int  # the largest reward of a deal without pending ties, won or lost
    worst_match: int  # the same of a match
    seats: SeatTables  # what a game needs in which seats may be out

    @cached_property
    def n_bids(self) -> int:
        """Number of statements in the auction besides "pass"."""
        return len(self.bid_labels)

    @cached_property
    def card_points(self) -> Ints:
        """Card points (N,) in a mode without a trump suit; in most games those of all modes."""
        return self.card_worth[0]

    @cached_property
    def total_points(self) -> int:
        """Card points that can be won in a deal."""
        return int(self.card_worth.sum(axis=1).max()) + self.seats.last_trick

    @cached_property
    def n_hidden(self) -> int:
        """Sets of cards that a seat does not see: other hands, cards face down, cards aside."""
        face_down = self.n_players if self.n_columns else 0
        apart = N_APART if self.seats.vary else 1 if self.n_talon else 0
        return self.n_players - 1 + face_down + apart

    @property
    def score_range(self) -> tuple[int, int]:
        """Lowest and highest score that a match may be in before a deal."""
        if self.seats.vary:
            return self.least, self.seats.highest
        return (-MOST, MOST) if self.match == "deals" else (1, self.start)

    @property
    def word_type(self) -> np.dtype[Any]:
        """The unsigned type of a set of cards."""
        return self.bit.dtype


def compile_rules(rules: RuleSet) -> RuleTables:
    """Turn a rule set into tables.  Raises ValueError if the rule set is unsound."""
    found = rules.problems()
    if found:
        raise ValueError(f"rules {rules.name}: {'; '.join(found)}")
    cards = card_tables(rules)
    tables = RuleTables(
        n_players=rules.players,
        n_cards=len(rules.pack),
        n_tricks=rules.n_tricks,
        n_modes=1 + len(SUITS),
        **deal_tables(rules),
        **course_tables(rules),
        **cards,
        **auction_tables(rules),
        **(results := result_tables(rules)),
        **rubber_tables(rules, results["worst"]),
        seats=seat_tables(rules, cards["bit"].dtype.type),
    )
    seats = tables.seats
    for value in (*vars(tables).values(), *vars(seats).values(), *vars(seats.melds).values()):
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
    return tables
