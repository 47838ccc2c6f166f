"""Print a rule set as a page that a card player can check.

Reads a rule set and its compiled tables and writes markdown.  Every number, card and amount
comes from there, so the page shows what the engine plays; the sentences for what a rule set
says in a word are in ``wording``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields

import numpy as np

from sjavs_env.cards import SUIT_NAMES, SUIT_SYMBOLS, SUITS
from sjavs_env.rules.ruleset import (
    PAYOFF_PREFIX,
    PayoffRow,
    RuleSet,
    parameters,
    permanent_cards,
)
from sjavs_env.rules.tables import (
    DECLARERS,
    DEFENDERS,
    NO_SUIT,
    TRICKS_SOME,
    TRUMP,
    RuleTables,
    compile_rules,
)
from sjavs_env.rules.wording import CHOICES, ROW_WORDS, SOURCE_TAGS

__all__ = ["describe"]

OVERRIDE = "override"  # the source that ``with_overrides`` notes
NOTHING = "–"


def describe(rules: RuleSet) -> str:
    """Return the page of a rule set.  ValueError if it is unsound."""
    tables = compile_rules(rules)
    parts = [_head(rules)]
    for title, section in SECTIONS.items():
        parts += [f"## {title}", section(rules, tables)]
    if rules.notes:
        parts += ["## Notes", _bullets(rules.notes)]
    parts += ["## All parameters", _parameters(rules)]
    return "\n\n".join(parts) + "\n"


# the page from top to bottom


def _head(rules: RuleSet) -> str:
    changed = [f"`{name}`" for name in _names(rules) if _source(rules, name) == OVERRIDE]
    overridden = f", with {', '.join(changed)} overridden" if changed else ""
    return f"# {rules.title}\n\nRule set `{rules.name}`, version {rules.version}{overridden}."


def _players(rules: RuleSet, tables: RuleTables) -> str:
    sides = dict.fromkeys(tuple(np.flatnonzero(row)) for row in tables.ally)
    seats = " against ".join(" and ".join(map(str, side)) for side in sides)
    return (
        f"{tables.n_players} players, numbered from 0 clockwise, the direction of play. "
        f"{CHOICES['sides'][rules.sides]} Sides: seats {seats}.\n\n"
        "Forehand, the player after the dealer, speaks first and leads first. After a played "
        "deal the next player deals."
    )


def _pack(rules: RuleSet, tables: RuleTables) -> str:
    suits = ", ".join(f"{SUIT_SYMBOLS[s]} {SUIT_NAMES[s]}" for s in SUITS)
    return f"{tables.n_cards} cards: {' '.join(rules.ranks)} of {suits}. T is the ten."


def _trumps(rules: RuleSet, tables: RuleTables) -> str:
    modes = {m: _suit(suit) for m, suit in enumerate(SUITS, start=1)} | {NO_SUIT: "none named"}
    rows = [(name, *_order(rules, tables, m, TRUMP)) for m, name in modes.items()]
    return (
        f"Permanent trumps, in every deal and highest first: {_cards(permanent_cards(rules))}. "
        "They belong to the trumps, never to the suit printed on them.\n\n"
        + _table(("trump suit", "cards", "high to low"), rows)
    )


def _plain_suits(rules: RuleSet, tables: RuleTables) -> str:
    rows = [(_suit(s), *_order(rules, tables, NO_SUIT, k)) for k, s in enumerate(SUITS)]
    return _table(("suit when not trumps", "cards", "high to low"), rows)


def _card_points(rules: RuleSet, tables: RuleTables) -> str:
    listed = ", ".join(f"{rank} {points}" for rank, points in rules.points)
    total = int(tables.card_points.sum())
    return f"{listed}; other cards count nothing. Together {total}, so half is {total // 2}."


def _deal(rules: RuleSet, tables: RuleTables) -> str:
    return (
        f"{tables.n_tricks} cards each, forehand first: {_packets(rules.deal_cut)} if the "
        "dealer's right-hand neighbour cuts the pack, "
        f"{_packets(rules.deal_knock)} if he knocks on it."
    )


def _auction(rules: RuleSet, tables: RuleTables) -> str:
    lines = [
        "The length of a suit is the number of its cards in a hand, all permanent trumps "
        f"included. From {rules.min_bid} on it can be announced.",
        "There is one round from forehand to dealer; each player speaks once. A number does not "
        f"tell the suit. The ladder: {', '.join(tables.bid_labels)}.",
        CHOICES["auction_mode"][rules.auction_mode],
        _better(rules),
        f"Whoever has nothing to say passes. {CHOICES['all_pass'][rules.all_pass]}",
    ]
    return _bullets(lines)


def _better(rules: RuleSet) -> str:
    if not rules.better_rule:
        return "An equal length never outbids the number that stands."
    if rules.auction_mode == "free":
        who = "has clubs of at least that length may say"
    else:
        must = "must" if rules.auction_mode == "forced" else "may"
        who = f"has no longer suit and clubs of just that length {must} say"
    return (
        f'After a number, a player who {who} "better", which outbids it. '
        'An equal length never outbids "better".'
    )


def _naming(rules: RuleSet, tables: RuleTables) -> str:
    length = "exactly" if tables.name_exact else "at least"
    after_better = ', and clubs after "better"' if rules.better_rule else ""
    choice = (
        "If clubs are one of several, it must be clubs."
        if tables.name_clubs_first
        else "Among several the choice is free."
    )
    return (
        "Before the first lead the highest bidder openly names the trumps, a suit of "
        f"{length} the length announced{after_better}. {choice}"
    )


def _play(rules: RuleSet, tables: RuleTables) -> str:
    lines = (
        "Any card may be led. The others play a card of the suit led if they have one; all "
        "trumps together are one suit.",
        CHOICES["follow"][rules.follow],
        "The highest trump takes the trick, without trumps the highest card of the suit led. "
        "Its player leads next.",
    )
    return _bullets(lines)


def _results(rules: RuleSet, tables: RuleTables) -> str:
    head = ("row", "the declarers have", "who subtracts", *_columns(rules, tables))
    rows = [
        (f"`{row.name}`", _condition(row, tables, o), row.winner, *_amounts(row))
        for o, row in enumerate(rules.payoff)
    ]
    text = (
        "The declarers are the side of the highest bidder. The first row that fits counts.\n\n"
        + _table(head, rows)
    )
    return text if tables.redeal_when_all_pass else f"{text}\n\n{_without_bid(tables)}"


def _without_bid(tables: RuleTables) -> str:
    outcome = tables.payoff_row[tables.no_bid_column, :, TRICKS_SOME]
    enough = int(np.argmax(tables.payoff_winner[outcome] == DECLARERS))
    amount = -int(tables.payoff_change[tables.no_bid_column, outcome[enough], DECLARERS])
    return (
        f"In a deal without a bid the side with {enough} card points or more subtracts {amount}, "
        "whatever the margin; equal points are a tie."
    )


def _ties(rules: RuleSet, tables: RuleTables) -> str:
    adds = tables.tie_stacks and tables.tie_factor == 1  # doubling never compounds
    repeated = "add up" if adds else "count as one"
    text = "In a tied deal nobody subtracts; the next decided deal is worth more. "
    if tables.tie_factor > 1:
        return f"{text}Its value is multiplied by {tables.tie_factor}. Ties in a row {repeated}."
    head = ["next deal won by", *_columns(rules, tables)]
    shown = list(range(len(rules.payoff_columns)))
    if not tables.redeal_when_all_pass:
        head.append("without a bid")
        shown.append(tables.no_bid_column)
    rows = [
        (party, *(f"+{tables.tie_extra[c, number]}" for c in shown))
        for party, number in (("declarers", DECLARERS), ("defenders", DEFENDERS))
    ]
    return f"{text}Ties in a row {repeated}.\n\n{_table(head, rows)}"


def _rubber(rules: RuleSet, tables: RuleTables) -> str:
    won, shut_out = tables.crosses
    more = f", or {shut_out} if the losers still have {tables.start}" if shut_out > won else ""
    return (
        f"Both sides start with {tables.start} and subtract. A side that comes to 0 or below has "
        f"won the rubber; points beyond 0 are worth nothing. Crosses for it: {won}{more}."
    )


SECTIONS: dict[str, Callable[[RuleSet, RuleTables], str]] = {
    "Players": _players,
    "Pack": _pack,
    "Trumps": _trumps,
    "Plain suits": _plain_suits,
    "Card points": _card_points,
    "Deal": _deal,
    "Auction": _auction,
    "Naming trumps": _naming,
    "Play": _play,
    "Result of a deal": _results,
    "Ties": _ties,
    "Rubber": _rubber,
}


def _parameters(rules: RuleSet) -> str:
    can_change = parameters(rules)
    dropped = {n for n in _names(rules) if _is_row(n) and _row(rules, n) is None}
    fixed = [f"`{n}`" for n in _names(rules) if n not in {*can_change, *dropped}]
    rows = [
        (f"`{name}`", _value(rules, name), f"**{source}**" if source == OVERRIDE else source)
        for name in _names(rules)
        for source in [_source(rules, name)]
    ]
    cited = set(re.findall(r"[A-Z][A-Z0-9]+[a-z]?(?:-[a-z])?", " ".join(r[2] for r in rows)))
    legend = [(tag, text) for tag, text in SOURCE_TAGS.items() if tag in cited]
    return (
        f"All can be overridden except {', '.join(fixed)}.\n\n"
        f"{_table(('parameter', 'value', 'source'), rows)}\n\n"
        f"{_table(('tag', 'source'), legend)}"
    )


# parameters


def _names(rules: RuleSet) -> list[str]:
    """All parameters in the order of the record, each payoff row by itself, dropped ones too."""
    names = [f.name for f in fields(rules) if f.name not in ("sources", "notes", "payoff")]
    rows = [PAYOFF_PREFIX + row.name for row in rules.payoff]
    dropped = [name for name in rules.sources if _is_row(name) and name not in rows]
    after = names.index("payoff_columns") + 1
    return names[:after] + rows + dropped + names[after:]


def _is_row(name: str) -> bool:
    return name.startswith(PAYOFF_PREFIX)


def _source(rules: RuleSet, name: str) -> str:
    row = _row(rules, name)
    return rules.sources.get(name) or (row.source if row else "") or NOTHING


def _row(rules: RuleSet, name: str) -> PayoffRow | None:
    """The payoff row that a parameter stands for, None if it is none or dropped."""
    return next((row for row in rules.payoff if PAYOFF_PREFIX + row.name == name), None)


def _value(rules: RuleSet, name: str) -> str:
    """The value as ``--set`` takes it, where it can be set."""
    if _is_row(name):
        row = _row(rules, name)
        if row is None:
            return "null"
        return NOTHING if row.winner == "nobody" else ",".join(_amounts(row))
    value = getattr(rules, name)
    if isinstance(value, bool):
        return str(value).lower()
    if name == "points":
        return ", ".join(f"{rank} {points}" for rank, points in value)
    return ", ".join(value) if isinstance(value, tuple) else str(value)


# payoff rows


def _columns(rules: RuleSet, tables: RuleTables) -> list[str]:
    return [
        f"{name} ({' '.join(SUIT_SYMBOLS[s] for s in _suits_of(tables, c))})"
        for c, name in enumerate(rules.payoff_columns)
    ]


def _suits_of(tables: RuleTables, column: int) -> list[str]:
    return [s for m, s in enumerate(SUITS, start=1) if tables.column_of_mode[m] == column]


def _amounts(row: PayoffRow) -> list[str]:
    return [NOTHING if row.winner == "nobody" else str(n) for n in row.amounts]


def _condition(row: PayoffRow, tables: RuleTables, o: int) -> str:
    """What the declarers must have, and the players' word for it."""
    word = f" ({ROW_WORDS[row.name]})" if row.name in ROW_WORDS else ""
    return _needed(row, tables, o) + word


def _needed(row: PayoffRow, tables: RuleTables, o: int) -> str:
    """What the declarers must have; the points are those that no earlier row has claimed."""
    every = f"all {tables.n_tricks} tricks"
    tricks = {"none": "no trick", "all": every, "all_by_one": f"{every}, won by one of them"}
    total = tables.payoff_row.shape[1] - 1
    if row.tricks != "any":
        wanted = "" if row.points == (0, total) else f" and {_span(*row.points, total)}"
        return tricks[row.tricks] + wanted
    points = np.flatnonzero(tables.payoff_row[0, :, TRICKS_SOME] == o)
    if not len(points):
        return "never: earlier rows decide"
    runs = np.split(points, np.flatnonzero(np.diff(points) > 1) + 1)
    return " or ".join(_span(int(run[0]), int(run[-1]), total) for run in runs)


def _span(low: int, high: int, total: int) -> str:
    if low == high:
        return f"{low} card points"
    if high == total:
        return f"{low} card points or more"
    return f"{high} card points or fewer" if low == 0 else f"{low} to {high} card points"


# cards and markdown


def _order(rules: RuleSet, tables: RuleTables, mode: int, led: int) -> tuple[str, str]:
    """How many cards a class has in a mode, and which, high to low."""
    power = np.where(tables.class_of[mode] == led, tables.power[mode, led], 0)
    ids = [int(i) for i in np.argsort(-power) if power[i] > 0]
    return str(len(ids)), _cards(rules.pack.cards[i] for i in ids)


def _cards(names: Iterable[str]) -> str:
    return " ".join(name[0] + SUIT_SYMBOLS[name[1]] for name in names)


def _suit(suit: str) -> str:
    return f"{SUIT_SYMBOLS[suit]} {SUIT_NAMES[suit]}"


def _packets(text: str) -> str:
    *others, last = text.split("-")
    return f"packets of {', '.join(others)} and {last}" if others else f"{last} at once"


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
