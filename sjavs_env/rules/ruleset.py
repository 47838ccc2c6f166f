"""A rule set: everything that distinguishes one game of the family from another.

A preset is a ``RuleSet``; a variant is the same record with some values replaced.  Every value has
a source (``RuleSet.sources``), so that a printed page can cite it.  Nothing here computes
anything about play: ``tables.compile_rules`` turns the words into arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from sjavs_env.cards import Pack, card_names
from sjavs_env.rules.parts import (
    FIXED,
    MOST,
    AllOrNothing,
    BlindExchange,
    Cards,
    Contract,
    ContractAuction,
    Deal,
    FirstOutLoses,
    FirstOutWins,
    FixedDeals,
    LastOneLoses,
    LengthAuction,
    Melds,
    Payoff,
    PayoffRow,
    Ranks,
    Seats,
    within,
)
from sjavs_env.rules.structure import NO_RULE, built, entries, values_of

__all__ = ["Cited", "RuleSet", "cited_rules", "permanent_cards", "rule_names", "variant"]


class Cited(NamedTuple):
    """A rule's value, or the kind of a part, with the source that says so."""

    value: Any  # any field type of RuleSet; checked by validation, not by the type system
    source: str = ""  # where none is given, the page is silent


@dataclass(frozen=True)
class RuleSet:
    """Everything that distinguishes one game of the family from another."""

    name: str = field(metadata=FIXED)
    version: int = field(metadata={**FIXED, **within(1, MOST)})
    title: str = field(metadata=FIXED)
    players: int
    sides: Literal["partners", "alone"] = field(metadata=FIXED)
    # of play, in which seats are numbered
    direction: Literal["clockwise", "anticlockwise"] = field(metadata=FIXED)
    cards: Cards
    deal: Deal
    auction: LengthAuction | ContractAuction | None
    exchange: BlindExchange | AllOrNothing | None
    follow: Literal["whist", "must_overtrump", "simple", "strict"]
    scoring: Payoff | Ranks
    match: FirstOutWins | FirstOutLoses | FixedDeals | LastOneLoses
    seats: Seats | None = None
    melds: Melds | None = None
    # where each value comes from, and what the sources say of things that the game has not
    sources: dict[str, str] = field(default_factory=dict, compare=False, metadata=NO_RULE)
    notes: tuple[str, ...] = field(default=(), metadata=NO_RULE)

    @property
    def pack(self) -> Pack:
        """The pack of cards, in id order."""
        return Pack.of(self.cards.ranks, card_names(self.cards.dropped))

    @property
    def total_points(self) -> int:
        """Card points in the pack."""
        points, trumps = dict(self.cards.points), dict(self.cards.trump_points)
        more = sum(trumps[rank] - points.get(rank, 0) for rank in trumps)
        return sum(points.get(card[0], 0) for card in self.pack.cards) + more

    @property
    def side_size(self) -> int:
        """Number of declarers."""
        return self.players // 2 if self.sides == "partners" else 1

    @property
    def has_even_sides(self) -> bool:
        """Both sides play the same number of cards."""
        return 2 * self.side_size == self.players and not self.deal.talon

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """The contracts that can be bid; none where trump lengths are, or nothing."""
        return self.auction.contracts if isinstance(self.auction, ContractAuction) else ()

    @property
    def payoff(self) -> tuple[PayoffRow, ...]:
        """The table of results; no row where the best totals get marks instead."""
        return self.scoring.payoff if isinstance(self.scoring, Payoff) else ()

    @property
    def names_trump(self) -> bool:
        """The declarer names the trumps."""
        auction = self.auction
        is_fixed = isinstance(auction, ContractAuction) and auction.trump == "clubs"
        return auction is not None and not is_fixed

    @property
    def names_after_exchange(self) -> bool:
        """Trumps are named after the exchange."""
        exchange = self.exchange
        return isinstance(exchange, AllOrNothing) and exchange.name_trump == "after_exchange"

    @property
    def may_concede(self) -> bool:
        """The declarer may give up before the first lead."""
        return isinstance(self.scoring, Payoff) and bool(self.scoring.concede)

    @property
    def hand_size(self) -> int:
        """Cards that a player may count for the auction: those in hand or face up."""
        return self.n_tricks - self.deal.table_columns

    @property
    def n_tricks(self) -> int:
        """Number of tricks: all cards but the talon are played."""
        dealings = self.seats.dealings if self.seats else ()
        hands = max((dealing.hands for dealing in dealings), default=self.players)
        return (len(self.pack) - self.deal.talon) // hands

    @property
    def player_counts(self) -> tuple[int, ...]:
        """Numbers of players that the game is made for."""
        return tuple(d.players for d in self.seats.dealings) if self.seats else (self.players,)

    def altered(self, **values: Any) -> RuleSet:
        """Return the rules with values, or the kinds of parts, replaced by name, unchecked."""
        given = {**values_of(self), **values}
        rules = built(RuleSet, given, sources=self.sources, notes=self.notes)
        _check_used(rules, values)
        return rules

    def value(self, name: str) -> Any:
        """Return the value of a parameter by its name; KeyError for one that the game lacks."""
        return values_of(self)[name]


def cited_rules(notes: tuple[str, ...] = (), **cited: Cited) -> RuleSet:
    """Return the rule set of these values, with their sources; for a part, its kind is given."""
    return _cited({}, {}, notes, cited)


def variant(base: RuleSet, notes: tuple[str, ...] | None = None, **cited: Cited) -> RuleSet:
    """Return ``base`` with some values replaced, sources included; its notes where none are given.

    A part of another kind keeps the values that both kinds have.
    """
    return _cited(values_of(base), base.sources, base.notes if notes is None else notes, cited)


def _cited(
    values: dict[str, Any], sources: dict[str, str], notes: tuple[str, ...], cited: dict[str, Cited]
) -> RuleSet:
    values = {**values, **{name: c.value for name, c in cited.items()}}
    sources = {**sources, **{name: c.source for name, c in cited.items()}}
    rules = built(RuleSet, values, notes=notes)
    _check_used(rules, cited)
    names = values_of(rules)
    known = {name: source for name, source in sources.items() if name in names and source}
    return replace(rules, sources=known)


def _check_used(rules: RuleSet, given: Iterable[str]) -> None:
    if surplus := set(given) - set(values_of(rules)):
        raise TypeError(f"{rules.name} has no part for {', '.join(sorted(surplus))}")


def rule_names(rules: RuleSet) -> list[str]:
    """The names of all rules of this game; results are one of them for each row."""
    names = [entry.name for entry in entries(rules) if entry.name != "payoff"]
    return [name for name in names if name in rules.sources]


def permanent_cards(rules: RuleSet) -> tuple[str, ...]:
    """The permanent trumps, high to low."""
    return card_names(rules.cards.permanent_trumps)
