"""The vocabulary of a rule set: one frozen record in a card player's words.

A preset is a ``RuleSet``; a variant is the same record with some values replaced.  Every
value has a source (``RuleSet.sources``), so that a printed page can cite it.  Nothing
here computes anything about play: ``tables.compile_rules`` turns the words into arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from sjavs_env.cards import Pack, card_names

__all__ = ["Cited", "PayoffRow", "RuleSet", "cite", "differences", "parameters", "with_overrides"]

Party = Literal["declarers", "defenders", "nobody"]
TricksTaken = Literal["any", "none", "all", "all_by_one"]
PAYOFF_PREFIX = "payoff."
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
    declarers: tuple[int, ...]  # change of each declarer's score, one per payoff column
    defenders: tuple[int, ...]  # change of each defender's score, one per payoff column
    source: str = field(default="", compare=False, repr=False)  # repr is part of saved games

    @property
    def amounts(self) -> tuple[int, ...]:
        """The sizes of the change, one per payoff column, as a player would say them."""
        paid = self.declarers if any(self.declarers) else self.defenders
        return tuple(abs(x) for x in paid)


@dataclass(frozen=True)
class RuleSet:
    """Everything that distinguishes one game of the family from another."""

    name: str
    version: int
    title: str
    # players and pack
    players: int
    sides: Literal["partners"]
    ranks: str  # the ranks of the pack, high to low by custom
    permanent_trumps: str  # high to low, above every card of the trump suit
    plain_order: str  # high to low, cards that are not permanent trumps
    points: tuple[tuple[str, int], ...]  # card points by rank, 0 where absent
    # deal
    deal_cut: str  # packets when the neighbour cuts
    deal_knock: str  # packets when he knocks
    # auction
    min_bid: int
    auction_mode: Literal["forced", "optional_pass", "free"]
    better_rule: bool
    force_clubs_on_equal: bool
    all_pass: Literal["redeal", "play_permanents"]
    # play
    follow: Literal["whist", "must_overtrump"]
    # result of a deal
    payoff_columns: tuple[str, ...]
    payoff: tuple[PayoffRow, ...]
    no_bid_value: int
    # rubber
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
        return Pack.of(self.ranks)

    @property
    def hand_size(self) -> int:
        """Cards in a hand at the first lead."""
        return len(self.pack) // self.players

    def problems(self) -> list[str]:
        """Name everything that makes this rule set unplayable; empty when it is sound."""
        found = [p for f in fields(self) if (p := _type_problem(f.name, getattr(self, f.name)))]
        if found:
            return found
        found += _packet_problems(self)
        if not 1 <= self.min_bid <= self.hand_size:
            found.append(f"min_bid is {self.min_bid}; allowed: 1 to {self.hand_size}")
        for name in ("no_bid_value", "version"):
            if not 1 <= getattr(self, name) <= MOST:
                found.append(f"{name} is {getattr(self, name)}; allowed: 1 to {MOST}")
        if not 1 <= self.start <= 255:  # an observation shows it in one byte
            found.append(f"start is {self.start}; allowed: 1 to 255")
        return found + _payoff_problems(self)


def cite(**cited: Cited) -> dict[str, Any]:
    """Split cited values into constructor arguments and one ``sources`` mapping."""
    values: dict[str, Any] = {name: c.value for name, c in cited.items()}
    values["sources"] = {name: c.source for name, c in cited.items()}
    return values


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


def _packet_problems(rules: RuleSet) -> list[str]:
    found = []
    for name in ("deal_cut", "deal_knock"):
        text = getattr(rules, name)
        parts = text.split("-")
        sound = all(p.isascii() and p.isdigit() and int(p) > 0 for p in parts)
        if not sound or sum(map(int, parts)) != rules.hand_size:
            found.append(
                f"{name} is {text!r}; allowed: packets that add up to {rules.hand_size}, "
                "such as '4-4' or '3-2-3'"
            )
    return found


def _payoff_problems(rules: RuleSet) -> list[str]:
    columns = len(rules.payoff_columns)
    found = [
        f"payoff.{row.name} has {len(row.declarers)} values; allowed: {columns}, "
        f"one for each of {', '.join(rules.payoff_columns)}"
        for row in rules.payoff
        if len(row.declarers) != columns or len(row.defenders) != columns
    ]
    names = [row.name for row in rules.payoff]
    covered = {p for row in rules.payoff if row.tricks == "any" for p in _span(row)}
    total = 4 * sum(points for _, points in rules.points)
    missing = sorted(set(range(total + 1)) - covered)
    if missing:
        found.append(
            f"no payoff row of {', '.join(names)} covers {missing[0]} card points of the declarers"
        )
    return found


def _span(row: PayoffRow) -> range:
    return range(row.points[0], row.points[1] + 1)


def parameters(rules: RuleSet) -> list[str]:
    """Names that ``with_overrides`` takes for this rule set, with the payoff rows that pay."""
    fixed = {"name", "version", "title", "sources", "notes", "payoff", "payoff_columns"}
    fixed |= {"players", "sides", "ranks", "permanent_trumps", "plain_order", "points"}
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
    sources = {**rules.sources, **dict.fromkeys(overrides, "override")}
    changed = replace(changed, sources=sources)
    found = changed.problems()
    if found:
        raise ValueError(f"rules {rules.name}: {'; '.join(found)}")
    return changed


def _replace_row(rules: RuleSet, name: str, amounts: object) -> RuleSet:
    if amounts is None:
        kept = tuple(row for row in rules.payoff if row.name != name)
        return replace(rules, payoff=kept)
    columns = len(rules.payoff_columns)
    is_list = isinstance(amounts, (list, tuple)) and len(amounts) == columns
    if not is_list or any(type(x) is not int or not 0 <= x <= MOST for x in amounts):  # type: ignore[attr-defined]  # is_list proves it
        wanted = ", ".join(rules.payoff_columns)
        raise ValueError(
            f"payoff.{name} is {amounts!r}; allowed: {columns} whole numbers from 0 to {MOST} "
            f"({wanted}), "
            "or null to drop the row"
        )
    paid: tuple[int, ...] = tuple(amounts)  # type: ignore[arg-type]  # checked above
    return replace(
        rules, payoff=tuple(_repaid(r, paid) if r.name == name else r for r in rules.payoff)
    )


def _repaid(row: PayoffRow, amounts: tuple[int, ...]) -> PayoffRow:
    """Return the row with new sizes; who is paid, and in which direction, stays."""
    pays_declarers = any(row.declarers) or (row.winner == "declarers" and not any(row.amounts))
    side = "declarers" if pays_declarers else "defenders"
    sign = 1 if any(x > 0 for x in getattr(row, side)) else -1
    paid = tuple(sign * x for x in amounts)
    return replace(row, declarers=paid) if side == "declarers" else replace(row, defenders=paid)


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


def permanent_cards(rules: RuleSet) -> tuple[str, ...]:
    """The permanent trumps, high to low."""
    return card_names(rules.permanent_trumps)
