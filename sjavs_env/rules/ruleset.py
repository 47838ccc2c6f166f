"""The vocabulary of a rule set: one frozen record in a card player's words.

A preset is a ``RuleSet``; a variant is the same record with some values replaced.  Every
value has a source (``RuleSet.sources``), so that a printed page can cite it.  Nothing
here computes anything about play: ``tables.compile_rules`` turns the words into arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, NamedTuple, get_type_hints

from sjavs_env.cards import Pack, card_names
from sjavs_env.rules.checks import MOST, has_auction, has_even_sides, rule_problems

__all__ = [
    "OVERRIDE",
    "PAYOFF_PREFIX",
    "Cited",
    "Contract",
    "Dealing",
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
class RuleSet:
    """Everything that distinguishes one game of the family from another."""

    name: str
    version: int
    title: str
    # players and pack
    players: int
    sides: Literal["partners", "alone"]
    direction: Literal["clockwise", "anticlockwise"]  # of play, in which seats are numbered
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
    auction_mode: Literal["forced", "optional_pass", "free", "contracts", "first_bid", "none"]
    better_rule: bool
    force_clubs_on_equal: bool
    all_pass: Literal["redeal", "play_permanents"]
    # between auction and play
    trump: Literal["declarer", "clubs"]
    exchange: Literal["none", "blind", "all_or_nothing"]
    name_trump: Literal["before_exchange", "after_exchange"]
    concede: bool
    # play
    follow: Literal["whist", "must_overtrump", "simple", "strict"]
    # result of a deal
    payoff_columns: tuple[str, ...]
    payoff: tuple[PayoffRow, ...]
    solo_counts_as_single: bool  # all tricks of a declarer alone are those of one of two partners
    jan_on_tout: bool  # the whole slam is doubled and trebled as other contracts are
    no_bid_value: int
    # rubber
    match: Literal["first_out_wins", "first_out_loses", "deals", "last_one_loses"]
    match_deals: int  # counts only in a match of so many deals
    tie: Literal["add_2", "add_2_plain_4_clubs", "add_2_declarers_4_defenders", "double"]
    tie_stacks: bool
    start: int
    double_at_start: bool
    cross_rule: Literal["standard", "shutout_only"]
    # games that are also played when seats have left the match; the others have no such things
    dealings: tuple[Dealing, ...] = ()  # by number of players still in the match
    trump_order: str = ""  # high to low, where the cards of the trump suit rank otherwise
    trump_points: tuple[tuple[str, int], ...] = ()  # card points that trumps count otherwise
    last_trick: int = 0  # card points for the last trick
    six_timing: Literal["before", "after"] = "before"
    may_drop: bool = False
    taker_must_play: bool = False
    weis: Literal["small", "large"] = "small"
    meld_selection: Literal["max_total", "best_first"] = "max_total"
    meld_compare_rank: bool = False
    stock: Literal["meld", "independent"] = "meld"
    scoring: Literal["payoff", "ranks"] = "payoff"
    limit: int = 0  # card points and melds below which a player is in the bag
    rank_marks: tuple[int, ...] = ()  # with four, three and two players in the match
    two_hand_mark: int = 1  # what a mark is worth with two players in the match
    sole_mark: int = 1  # what it is worth if a single player reaches the limit
    lone_mark: int = 0  # what the only one who stays in a deal gets
    rank_tie: Literal["all", "earliest", "none"] = "all"
    bag: Literal["zero", "minus"] = "zero"
    target: int = 0  # game points with which a player leaves the match
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
        points, trumps = dict(self.points), dict(self.trump_points)
        more = sum(trumps[rank] - points.get(rank, 0) for rank in trumps)
        return sum(points.get(card[0], 0) for card in self.pack.cards) + more

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
        hands = max((dealing.hands for dealing in self.dealings), default=self.players)
        return (len(self.pack) - self.talon) // hands

    @property
    def player_counts(self) -> tuple[int, ...]:
        """Numbers of players that the game is made for."""
        return tuple(dealing.players for dealing in self.dealings) or (self.players,)

    @property
    def rows(self) -> tuple[PayoffRow, ...]:
        """The payoff rows that count."""
        return tuple(row for row in self.payoff if not row.needs or getattr(self, row.needs))

    def columns_of(self, row: PayoffRow) -> tuple[str, ...]:
        """The payoff columns that have a row."""
        return row.only or self.payoff_columns

    def problems(self) -> list[str]:
        """Name everything that makes this rule set unplayable; empty when it is sound."""
        return rule_problems(self, _hints())


@cache
def _hints() -> Mapping[str, Any]:
    """Types of the fields."""
    return get_type_hints(RuleSet)


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


def _bids_lengths(rules: RuleSet) -> bool:
    return has_auction(rules) and not rules.contracts


def _is_even_auction(rules: RuleSet) -> bool:
    return has_auction(rules) and has_even_sides(rules)


def _has_ties(rules: RuleSet) -> bool:
    return any(row.winner == "nobody" for row in rules.payoff)


def _seats_vary(rules: RuleSet) -> bool:
    return bool(rules.dealings)


def _has_row_for(name: str) -> Callable[[RuleSet], bool]:
    return lambda rules: any(row.needs == name for row in rules.payoff)


# what a game must have for a parameter to say anything
_NEEDS: Mapping[str, Callable[[RuleSet], bool]] = {
    "players": _seats_vary,
    "min_bid": _bids_lengths,
    "auction_mode": has_auction,
    "better_rule": _bids_lengths,
    "force_clubs_on_equal": _bids_lengths,
    "all_pass": _is_even_auction,
    "trump": lambda rules: bool(rules.contracts),
    "name_trump": lambda rules: bool(rules.contracts) and rules.exchange != "none",
    "concede": _has_row_for("concede"),
    "solo_counts_as_single": _has_row_for("solo_counts_as_single"),
    "jan_on_tout": _has_row_for("jan_on_tout"),
    "no_bid_value": _is_even_auction,
    "start": lambda rules: rules.scoring == "payoff",
    "match_deals": lambda rules: rules.match == "deals",
    "tie": _has_ties,
    "tie_stacks": _has_ties,
    "double_at_start": lambda rules: rules.match == "first_out_wins",
    "cross_rule": lambda rules: rules.match == "first_out_wins",
    **{f.name: _seats_vary for f in fields(RuleSet) if f.default is not MISSING},
}


def parameters(rules: RuleSet) -> list[str]:
    """Names that ``with_overrides`` takes for this rule set, with the payoff rows that pay."""
    fixed = {"name", "version", "title", "sources", "notes", "payoff", "payoff_columns"}
    fixed |= {"sides", "direction", "ranks", "dropped", "permanent_trumps", "plain_order", "points"}
    fixed |= {"talon", "table_columns", "contracts", "exchange", "match", "scoring"}
    fixed |= {"dealings", "trump_order", "trump_points"}
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
            is_tuple = isinstance(value, list) and isinstance(getattr(rules, name), tuple)
            given: Any = tuple(value) if is_tuple else value
            changed = replace(changed, **{name: given})
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
        elif (value := getattr(rules, name)) != getattr(base, name):
            changed[name] = list(value) if isinstance(value, tuple) else value
    return changed


def rule_names(rules: RuleSet) -> list[str]:
    """The fields that hold a rule of this game; results are one of them for each row."""
    names = [f.name for f in fields(rules) if f.name not in ("sources", "notes", "payoff")]
    return [name for name in names if name in rules.sources]


def permanent_cards(rules: RuleSet) -> tuple[str, ...]:
    """The permanent trumps, high to low."""
    return card_names(rules.permanent_trumps)
