"""The vocabulary of a rule set: one frozen record in a card player's words.

A preset is a ``RuleSet``; a variant is the same record with some values replaced.  Every
value has a source (``RuleSet.sources``), so that a printed page can cite it.  Nothing
here computes anything about play: ``tables.compile_rules`` turns the words into arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from sjavs_env.cards import Pack, card_names
from sjavs_env.rules.packets import packet_problem

__all__ = [
    "OVERRIDE",
    "PAYOFF_PREFIX",
    "Cited",
    "Contract",
    "PayoffRow",
    "RuleSet",
    "TricksTaken",
    "cite",
    "differences",
    "parameters",
    "permanent_cards",
    "rule_names",
    "variant",
    "with_overrides",
]

Party = Literal["declarers", "defenders", "nobody"]
TricksTaken = Literal["any", "none", "all", "all_by_one", "given_up"]
PAYOFF_PREFIX = "payoff."
OVERRIDE = "override"  # the source of a value that was overridden
MOST = 10_000  # game points; far above any game's, far below what arrays can hold


class Cited(NamedTuple):
    """A rule's value with the source that says so."""

    value: Any  # any field type of RuleSet; checked by validation, not by the type system
    source: str


@dataclass(frozen=True)
class PayoffRow:
    """One line of the table of results; the first line that matches a deal decides it."""

    name: str
    winner: Party
    points: tuple[int, int]  # the declarers' card points, both ends included
    tricks: TricksTaken  # what the declarers took
    declarers: tuple[int, ...]  # change of each declarer's score, one per column of the row
    defenders: tuple[int, ...]  # change of each defender's score, one per column of the row
    source: str = field(default="", compare=False, repr=False)  # repr is part of saved games
    only: tuple[str, ...] = ()  # the payoff columns that have this row; all if empty

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
class RuleSet:
    """Everything that distinguishes one game of the family from another."""

    name: str
    version: int
    title: str
    # players and pack
    players: int
    sides: Literal["partners", "alone"]
    ranks: str  # the ranks of the pack, high to low by custom
    dropped: str  # cards of these ranks that the pack lacks
    permanent_trumps: str  # high to low, above every card of the trump suit
    plain_order: str  # high to low, cards that are not permanent trumps
    points: tuple[tuple[str, int], ...]  # card points by rank, 0 where absent
    # deal
    talon: int  # cards laid aside
    table_columns: int  # cards of each player that lie face down, one more face up on each
    deal_cut: str  # packets when the neighbour cuts
    deal_knock: str  # packets when he knocks
    # auction
    contracts: tuple[Contract, ...]  # in ascending order; none where trump lengths are bid
    min_bid: int
    auction_mode: Literal["forced", "optional_pass", "free", "contracts", "first_bid"]
    better_rule: bool
    force_clubs_on_equal: bool
    all_pass: Literal["redeal", "play_permanents"]
    # between auction and play
    trump: Literal["declarer", "clubs"]
    exchange: Literal["none", "blind", "all_or_nothing"]
    name_trump: Literal["before_exchange", "after_exchange"]
    concede: bool
    # play
    follow: Literal["whist", "must_overtrump"]
    # result of a deal
    payoff_columns: tuple[str, ...]
    payoff: tuple[PayoffRow, ...]
    no_bid_value: int
    # rubber
    match: Literal["first_out_wins", "first_out_loses", "deals"]
    match_deals: int  # counts only in a match of so many deals
    tie: Literal["add_2", "add_2_plain_4_clubs", "add_2_declarers_4_defenders", "double"]
    tie_stacks: bool
    start: int
    double_at_start: bool
    cross_rule: Literal["standard", "shutout_only"]
    # where each value comes from
    sources: dict[str, str] = field(default_factory=dict, compare=False)
    notes: tuple[str, ...] = ()

    @property
    def pack(self) -> Pack:
        """The pack of cards, in id order."""
        return Pack.of(self.ranks, card_names(self.dropped))

    @property
    def total_points(self) -> int:
        """Card points in the pack."""
        points = dict(self.points)
        return sum(points.get(card[0], 0) for card in self.pack.cards)

    @property
    def side_size(self) -> int:
        """Number of declarers."""
        return self.players // 2 if self.sides == "partners" else 1

    @property
    def hand_size(self) -> int:
        """Cards that a player may count for the auction: those in hand or face up."""
        return self.n_tricks - self.table_columns

    @property
    def n_tricks(self) -> int:
        """Tricks in a deal: all cards but the talon are played."""
        return (len(self.pack) - self.talon) // self.players

    def columns_of(self, row: PayoffRow) -> tuple[str, ...]:
        """The payoff columns that have a row."""
        return row.only or self.payoff_columns

    def problems(self) -> list[str]:
        """Name everything that makes this rule set unplayable; empty when it is sound."""
        found = [p for f in fields(self) if (p := _type_problem(f.name, getattr(self, f.name)))]
        if found:
            return found
        held = self.hand_size - self.table_columns
        for name in ("deal_cut", "deal_knock"):
            wrong = packet_problem(
                getattr(self, name), self.players, held, self.talon, self.table_columns
            )
            found += [f"{name} is {wrong}"] if wrong else []
        if not 1 <= self.min_bid <= self.hand_size:
            found.append(f"min_bid is {self.min_bid}; allowed: 1 to {self.hand_size}")
        for name in ("no_bid_value", "version", "match_deals"):
            if not 1 <= getattr(self, name) <= MOST:
                found.append(f"{name} is {getattr(self, name)}; allowed: 1 to {MOST}")
        lowest = 0 if self.match == "deals" else 1
        if not lowest <= self.start <= 255:  # an observation shows it in one byte
            found.append(f"start is {self.start}; allowed: {lowest} to 255")
        if bool(self.contracts) != (self.auction_mode in ("contracts", "first_bid")):
            fitting = "contracts, first_bid" if self.contracts else "forced, optional_pass, free"
            found.append(f"auction_mode is {self.auction_mode!r}; allowed: {fitting}")
        return found + _course_problems(self) + _payoff_problems(self)


def cite(**cited: Cited) -> dict[str, Any]:
    """Split cited values into constructor arguments and one ``sources`` mapping."""
    values: dict[str, Any] = {name: c.value for name, c in cited.items()}
    values["sources"] = {name: c.source for name, c in cited.items()}
    return values


def variant(base: RuleSet, notes: tuple[str, ...] = (), **cited: Cited) -> RuleSet:
    """Return ``base`` with some values replaced, sources included."""
    new = cite(**cited)
    sources = {**base.sources, **new.pop("sources")}
    return replace(base, sources=sources, notes=notes, **new)


_HINTS: dict[str, Any] = {}


def _hint(name: str) -> Any:
    if not _HINTS:
        _HINTS.update(get_type_hints(RuleSet))
    return _HINTS[name]


def _type_problem(name: str, value: object) -> str | None:
    hint = _hint(name)
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        return None if value in allowed else f"{name} is {value!r}; allowed: {', '.join(allowed)}"
    if hint in (int, bool, str) and type(value) is not hint:
        return f"{name} is {value!r}; allowed: a value of type {hint.__name__}"
    return None


def _course_problems(rules: RuleSet) -> list[str]:
    """Choices that contradict each other."""
    found = []
    if rules.trump != "declarer" and not rules.contracts:
        found.append(f"trump is {rules.trump!r}; allowed: declarer, for trump lengths are bid")
    if rules.exchange != "none" and not rules.talon:
        found.append(f"exchange is {rules.exchange!r}; allowed: none, for there is no talon")
    if rules.name_trump == "after_exchange" and (rules.exchange == "none" or not rules.contracts):
        reason = "nothing is exchanged" if rules.contracts else "the cards dealt prove the length"
        found.append(f"name_trump is 'after_exchange'; allowed: before_exchange, for {reason}")
    priced = {c for row in rules.payoff if row.tricks == "given_up" for c in rules.columns_of(row)}
    if rules.concede and priced != set(rules.payoff_columns):
        found.append("concede is True; allowed: False, for no payoff row prices giving up")
    if rules.all_pass != "redeal" and not _has_even_sides(rules):
        found.append(f"all_pass is {rules.all_pass!r}; allowed: redeal, for the sides are not even")
    return found


def _payoff_problems(rules: RuleSet) -> list[str]:
    own = {row.name: rules.columns_of(row) for row in rules.payoff}
    found = [
        f"payoff.{row.name} has {len(row.declarers)} values; allowed: {len(own[row.name])}, "
        f"one for each of {', '.join(own[row.name])}"
        for row in rules.payoff
        if not len(row.declarers) == len(row.defenders) == len(own[row.name])
    ]
    for column in rules.payoff_columns:
        rows = [row for row in rules.payoff if column in own[row.name]]
        names = ", ".join(row.name for row in rows)
        covered = {p for row in rows if row.tricks == "any" for p in _span(row)}
        missing = sorted(set(range(rules.total_points + 1)) - covered)
        if missing:
            return [
                *found,
                f"no payoff row of {names} covers {missing[0]} card points of the declarers",
            ]
        winners = {row.winner for row in rows}
        found += [
            f"no payoff row of {names} lets the {party} win"
            for party in ("declarers", "defenders")
            if party not in winners
        ]
    return found


def _span(row: PayoffRow) -> range:
    return range(row.points[0], row.points[1] + 1)


def _bids_lengths(rules: RuleSet) -> bool:
    return not rules.contracts


def _has_even_sides(rules: RuleSet) -> bool:
    return 2 * rules.side_size == rules.players and not rules.talon


def _has_ties(rules: RuleSet) -> bool:
    return any(row.winner == "nobody" for row in rules.payoff)


# what a game must have for a parameter to say anything
_NEEDS: Mapping[str, Callable[[RuleSet], bool]] = {
    "min_bid": _bids_lengths,
    "better_rule": _bids_lengths,
    "force_clubs_on_equal": _bids_lengths,
    "all_pass": _has_even_sides,
    "trump": lambda rules: bool(rules.contracts),
    "name_trump": lambda rules: bool(rules.contracts) and rules.exchange != "none",
    "concede": lambda rules: any(row.tricks == "given_up" for row in rules.payoff),
    "no_bid_value": _has_even_sides,
    "match_deals": lambda rules: rules.match == "deals",
    "tie": _has_ties,
    "tie_stacks": _has_ties,
    "double_at_start": lambda rules: rules.match == "first_out_wins",
    "cross_rule": lambda rules: rules.match == "first_out_wins",
}


def parameters(rules: RuleSet) -> list[str]:
    """Names that ``with_overrides`` takes for this rule set, with the payoff rows that pay."""
    fixed = {"name", "version", "title", "sources", "notes", "payoff", "payoff_columns"}
    fixed |= {"players", "sides", "ranks", "dropped", "permanent_trumps", "plain_order", "points"}
    fixed |= {"talon", "table_columns", "contracts", "exchange", "match"}
    fixed |= {name for name, is_met in _NEEDS.items() if not is_met(rules)}
    names = [f.name for f in fields(rules) if f.name not in fixed]
    return names + [PAYOFF_PREFIX + row.name for row in rules.payoff if row.winner != "nobody"]


def with_overrides(rules: RuleSet, overrides: dict[str, Any]) -> RuleSet:
    """Return ``rules`` with single parameters replaced, checked.

    ``payoff.<row>`` takes one amount per payoff column, or None to drop the row (the next
    row that matches then decides).  Raises ValueError naming the value and what is allowed.
    """
    changed = rules
    for name, value in overrides.items():
        if name not in parameters(rules):
            allowed = ", ".join(parameters(rules))
            raise ValueError(f"{rules.name} has no parameter {name!r}; allowed: {allowed}")
        if name.startswith(PAYOFF_PREFIX):
            changed = _replace_row(changed, name.removeprefix(PAYOFF_PREFIX), value)
        else:
            changed = replace(changed, **{name: value})
    sources = {**rules.sources, **dict.fromkeys(overrides, OVERRIDE)}
    changed = replace(changed, sources=sources)
    found = changed.problems()
    if found:
        raise ValueError(f"rules {rules.name}: {'; '.join(found)}")
    return changed


def _replace_row(rules: RuleSet, name: str, amounts: object) -> RuleSet:
    """Return the rules with new amounts in a row, or without it."""
    if amounts is None:
        kept = tuple(row for row in rules.payoff if row.name != name)
        return replace(rules, payoff=kept)
    row = next(row for row in rules.payoff if row.name == name)
    own = rules.columns_of(row)
    given = [amounts] if len(own) == 1 and type(amounts) is int else amounts
    is_list = isinstance(given, (list, tuple)) and len(given) == len(own)
    if not is_list or any(type(x) is not int or not 0 <= x <= MOST for x in given):  # type: ignore[attr-defined]  # is_list proves it
        wanted = f"{len(own)} whole number{'s' if len(own) > 1 else ''} from 0 to {MOST}"
        raise ValueError(
            f"payoff.{name} is {amounts!r}; allowed: {wanted} ({', '.join(own)}), "
            "or null to drop the row"
        )
    paid: tuple[int, ...] = tuple(given)  # type: ignore[arg-type]  # checked above
    repaid = _repaid(rules, row, paid)
    return replace(rules, payoff=tuple(repaid if r is row else r for r in rules.payoff))


def _repaid(rules: RuleSet, row: PayoffRow, amounts: tuple[int, ...]) -> PayoffRow:
    """Return the row with new sizes; who pays, and in which direction, stays."""
    nothing, less = (0,) * len(amounts), tuple(-x for x in amounts)
    declarers_win = row.winner == "declarers"
    if rules.match == "deals":  # each defender settles with the declarer
        others = (rules.players - rules.side_size) // rules.side_size
        declarers, defenders = (amounts, less) if declarers_win else (less, amounts)
        return replace(row, declarers=tuple(others * x for x in declarers), defenders=defenders)
    winners_subtract = rules.match == "first_out_wins"
    if declarers_win == winners_subtract:
        return replace(row, declarers=less, defenders=nothing)
    return replace(row, declarers=nothing, defenders=less)


def differences(rules: RuleSet, base: RuleSet) -> dict[str, Any]:
    """Return the overrides that turn ``base`` into ``rules`` (JSON values)."""
    changed: dict[str, Any] = {}
    for name in parameters(base):
        if name.startswith(PAYOFF_PREFIX):
            row = {r.name: r for r in rules.payoff}.get(name.removeprefix(PAYOFF_PREFIX))
            was = {r.name: r for r in base.payoff}[name.removeprefix(PAYOFF_PREFIX)]
            if row != was:
                changed[name] = None if row is None else list(row.amounts)
        elif getattr(rules, name) != getattr(base, name):
            changed[name] = getattr(rules, name)
    return changed


def rule_names() -> list[str]:
    """The fields that hold a rule; results are one of them for each row."""
    return [f.name for f in fields(RuleSet) if f.name not in ("sources", "notes", "payoff")]


def permanent_cards(rules: RuleSet) -> tuple[str, ...]:
    """The permanent trumps, high to low."""
    return card_names(rules.permanent_trumps)
