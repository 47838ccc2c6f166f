"""Compile a rule set into read-only arrays; the engine sees these and nothing else.

A *mode* is a trump suit or "no suit named" (mode 0: only the permanent trumps are trumps); a
*class* is what a card must follow: four plain suits and, as class 4, trumps.
"""

from __future__ import annotations

from dataclasses import dataclass, is_dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sjavs_env.cards import SUITS
from sjavs_env.rules.checks import rule_problems
from sjavs_env.rules.parts import MOST
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.structure import expect
from sjavs_env.rules.tables.card_tables import (
    CardTables,
    PlayTables,
    SlotTables,
    card_tables,
    play_tables,
    slot_tables,
)
from sjavs_env.rules.tables.course_tables import (
    AuctionTables,
    CourseTables,
    DealTables,
    ExchangeTables,
    auction_tables,
    course_tables,
    deal_tables,
    exchange_tables,
)
from sjavs_env.rules.tables.result_tables import (
    MatchTables,
    ResultTables,
    match_tables,
    result_tables,
)
from sjavs_env.rules.tables.seat_tables import SeatTables, seat_tables

__all__ = ["RuleTables", "compile_rules"]

N_APART = 3  # hidden sets where seats vary: the reserve, the hand given for it, the dead hand


@dataclass(frozen=True, eq=False)
class RuleTables:
    """A compiled rule set.  All arrays are read-only."""

    n_players: int
    n_cards: int
    n_tricks: int
    n_modes: int
    cards: CardTables
    slots: SlotTables
    deal: DealTables
    course: CourseTables
    auction: AuctionTables
    exchange: ExchangeTables
    play: PlayTables
    result: ResultTables
    match: MatchTables
    seats: SeatTables | None  # what a game needs in which seats may be out

    @property
    def seat_rules(self) -> SeatTables:
        """The tables of seats, for behaviour bound to games that have them."""
        return expect(SeatTables, self.seats)

    @cached_property
    def total_points(self) -> int:
        """Card points that can be won in a deal."""
        last_trick = self.seats.last_trick if self.seats else 0
        return int(self.cards.worth.sum(axis=1).max()) + last_trick

    @cached_property
    def n_hidden(self) -> int:
        """Sets of cards that a seat does not see: other hands, cards face down, cards aside."""
        face_down = self.n_players if self.deal.n_columns else 0
        apart = N_APART if self.seats else 1 if self.deal.n_talon else 0
        return self.n_players - 1 + face_down + apart

    @property
    def score_range(self) -> tuple[int, int]:
        """Lowest and highest score that a match may be in before a deal."""
        if self.seats:
            return self.match.least, self.seats.highest
        return (-MOST, MOST) if self.match.kind == "deals" else (1, self.match.start)

    @property
    def word_type(self) -> np.dtype[Any]:
        """The unsigned type of a set of cards."""
        return self.cards.bit.dtype


def compile_rules(rules: RuleSet) -> RuleTables:
    """Turn a rule set into tables.  Raises ValueError if the rule set is unsound."""
    found = rule_problems(rules)
    if found:
        raise ValueError(f"rules {rules.name}: {'; '.join(found)}")
    cards = card_tables(rules)
    word = cards.bit.dtype.type
    result = result_tables(rules)
    tables = RuleTables(
        n_players=rules.players,
        n_cards=len(rules.pack),
        n_tricks=rules.n_tricks,
        n_modes=1 + len(SUITS),
        cards=cards,
        slots=slot_tables(rules, word),
        deal=deal_tables(rules),
        course=course_tables(rules),
        auction=auction_tables(rules),
        exchange=exchange_tables(rules),
        play=play_tables(rules, cards),
        result=result,
        match=match_tables(rules, result.worst),
        seats=seat_tables(rules, word),
    )
    _make_read_only(tables)
    return tables


def _make_read_only(tables: object) -> None:
    """Close all arrays of tables, those of their parts too."""
    for value in vars(tables).values():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
        elif is_dataclass(value):
            _make_read_only(value)
