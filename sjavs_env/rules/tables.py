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
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sjavs_env.cards import SUITS, Pack
from sjavs_env.rules.ruleset import RuleSet, permanent_cards

__all__ = [
    "NONE",
    "NO_LEAD",
    "NO_SUIT",
    "N_CLASSES",
    "TRUMP",
    "Bool",
    "Ints",
    "RuleTables",
    "Words",
    "compile_rules",
]

Ints = NDArray[np.intp]
Bool = NDArray[np.bool_]
Words = NDArray[np.unsignedinteger[Any]]  # uint32 for packs of up to 32 cards, else uint64

NONE = -1
NO_SUIT = 0  # the mode in which no suit has been named
TRUMP = 4  # the class of trumps; classes 0-3 are the plain suits in the order of SUITS
N_CLASSES = 5
NO_LEAD = 5  # stands for the class led before a lead: any card follows it
DECLARERS, DEFENDERS, NOBODY = 0, 1, 2
TRICKS_NONE, TRICKS_SOME, TRICKS_ALL, TRICKS_ALL_BY_ONE = range(4)


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
    card_points: Ints  # (N,)
    # Cards in order of strength: plain suits first, trumps last, weakest first.  Arrangement
    # 2 * mode has the suits in the order of SUITS; in 2 * mode + 1 the twins change places: two
    # plain suits with the same ranks, which only their names distinguish.
    twins: Ints  # (M, 2) first slots of the twins, or NONE
    twin_size: Ints  # (M,) cards in each of them
    slot_of: Ints  # (2 M, N) card -> slot
    card_at: Ints  # (2 M, N) slot -> card
    to_slots: Words  # (2 M, bytes, 256) a word's byte -> its cards as slots
    class_place: Ints  # (2 M, 6) class -> its place among the suits as arranged
    # deal
    deal_map: Ints  # (2, P, hand) deck places of each seat counted from forehand; 0 knock, 1 cut
    # auction
    bid_labels: tuple[str, ...]
    bid_length: Ints  # (K,) length announced
    bid_better: Bool  # (K,) the statement says clubs
    legal_calls: NDArray[np.int8]  # (K + 1, L, L, 1 + K) by standing bid + 1, longest, clubs
    name_exact: bool  # the suit named must have exactly the announced length
    name_clubs_first: bool
    redeal_when_all_pass: bool
    must_overtrump: bool
    # result
    payoff_names: tuple[str, ...]
    payoff_winner: Ints  # (O,) DECLARERS, DEFENDERS or NOBODY
    payoff_row: Ints  # (C, points + 1, 4) row by column, declarers' points and tricks taken
    payoff_change: Ints  # (C, O, 2) change of a declarer's and of a defender's score
    column_of_mode: Ints  # (M,)
    no_bid_column: int
    ally: Bool  # (P + 1, P) side of the declarer; the last row stands for no declarer
    # rubber
    tie_extra: Ints  # (C, 3) added per pending tie by column and winning party
    tie_factor: int
    tie_stacks: bool
    start: int
    crosses: tuple[int, int]  # for a rubber won, and for one won against a full score
    reward_matrix: NDArray[np.float32]  # (P, P) gain of each seat -> reward of each seat

    @cached_property
    def n_bids(self) -> int:
        """Number of statements in the auction besides "pass"."""
        return len(self.bid_labels)

    @property
    def word_type(self) -> np.dtype[Any]:
        """The unsigned type of a set of cards."""
        return self.bit.dtype


def compile_rules(rules: RuleSet) -> RuleTables:
    """Turn a rule set into tables.  Raises ValueError if the rule set is unsound."""
    found = rules.problems()
    if found:
        raise ValueError(f"rules {rules.name}: {'; '.join(found)}")
    tables = RuleTables(
        n_players=rules.players,
        n_cards=len(rules.pack),
        n_tricks=rules.hand_size,
        n_modes=1 + len(SUITS),
        deal_map=_deal_map(rules),
        **_card_tables(rules),
        **_auction_tables(rules),
        **_result_tables(rules),
        **_rubber_tables(rules),
    )
    for value in vars(tables).values():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
    return tables


def _card_tables(rules: RuleSet) -> dict[str, Any]:
    pack, modes = rules.pack, (None, *SUITS)
    word = np.uint32 if len(pack) <= 32 else np.uint64
    orders = [_strength_order(rules, trump) for trump in modes]
    class_of = np.array([[_class(rules, c, trump) for c in pack.cards] for trump in modes])
    trump_power = 1 + len(rules.plain_order)  # above every plain card
    power = np.array(
        [_powers(pack, order, class_of[m], trump_power) for m, order in enumerate(orders)]
    )
    bit = np.array([1 << i for i in range(len(pack))], dtype=word)
    class_set = np.array(
        [
            [_set((class_of[m] == k) | (k == NO_LEAD), bit) for k in range(N_CLASSES + 1)]
            for m in range(len(modes))
        ],
        dtype=word,
    )
    strengths = range(int(power.max()) + 1)
    beats = np.array(
        [[[_set(p > s, bit) for s in strengths] for p in by_class] for by_class in power],
        dtype=word,
    )
    arrangements = [
        _arrangement(orders[m], class_of[m], pack, s) for m in range(len(modes)) for s in (0, 1)
    ]
    card_at = np.array([a.cards for a in arrangements], dtype=np.intp)
    points = dict(rules.points)
    return {
        "bit": bit,
        "class_of": class_of.astype(np.intp),
        "class_set": class_set,
        "power": power.astype(np.intp),
        "beats": beats,
        "trump_power": trump_power,
        "length_set": class_set[1:, TRUMP].copy(),
        "card_points": np.array([points.get(c[0], 0) for c in pack.cards], dtype=np.intp),
        "twins": np.array([a.twins for a in arrangements[::2]], dtype=np.intp),
        "twin_size": np.array([a.twin_size for a in arrangements[::2]], dtype=np.intp),
        "class_place": np.array([a.places for a in arrangements], dtype=np.intp),
        "slot_of": np.argsort(card_at, axis=1).astype(np.intp),
        "card_at": card_at,
        "to_slots": _slot_bytes(card_at, word),
    }


class _Arrangement(NamedTuple):
    cards: list[int]  # by slot
    places: list[int]  # of the classes and of NO_LEAD
    twins: tuple[int, int]
    twin_size: int


def _arrangement(
    order: list[str], class_of: NDArray[Any], pack: Pack, swapped: int
) -> _Arrangement:
    """Lay out the suits of one mode; ``swapped`` exchanges the twins."""
    suits = [[c for c in order if class_of[pack.ids[c]] == k] for k in range(N_CLASSES)]
    plain = [k for k in range(TRUMP) if suits[k]]
    ranks = {k: [c[0] for c in suits[k]] for k in plain}
    named = len(plain) < TRUMP  # before a suit is named, names matter: clubs outbid
    pairs = [(a, b) for a, b in combinations(plain, 2) if named and ranks[a] == ranks[b]]
    twins = pairs[0] if pairs else None
    if twins and swapped:
        a, b = (plain.index(k) for k in twins)
        plain[a], plain[b] = plain[b], plain[a]
    absent = [k for k in range(TRUMP) if not suits[k]]
    laid = [*plain, *absent, TRUMP]
    cards = [pack.ids[c] for k in laid for c in suits[k]]
    starts = [cards.index(pack.ids[suits[k][0]]) for k in twins] if twins else [NONE, NONE]
    places = [laid.index(k) for k in range(N_CLASSES)] + [NO_LEAD]
    size = len(suits[twins[0]]) if twins else 0
    return _Arrangement(cards, places, (starts[0], starts[1]), size)


def _class(rules: RuleSet, card: str, trump: str | None) -> int:
    is_trump = card in permanent_cards(rules) or card[1] == trump
    return TRUMP if is_trump else SUITS.index(card[1])


def _strength_order(rules: RuleSet, trump: str | None) -> list[str]:
    """All cards, plain suits first and trumps last, each weakest first."""
    permanent = permanent_cards(rules)
    ordinary = [r + s for s in SUITS for r in reversed(rules.plain_order)]
    held = [c for c in ordinary if c in rules.pack.ids and c not in permanent]
    plain = [c for c in held if c[1] != trump]
    return plain + [c for c in held if c[1] == trump] + list(reversed(permanent))


def _powers(pack: Pack, order: list[str], class_of: NDArray[Any], trump_power: int) -> NDArray[Any]:
    """Strength of every card by the class led: 0, plain from 1, trumps from ``trump_power``."""
    power = np.zeros((N_CLASSES + 1, len(pack)), dtype=np.intp)
    suits = [[c for c in order if class_of[pack.ids[c]] == k] for k in range(N_CLASSES)]
    for k in range(TRUMP):
        for strength, card in enumerate(suits[k], start=1):
            power[[k, NO_LEAD], pack.ids[card]] = strength
    for strength, card in enumerate(suits[TRUMP], start=trump_power):
        power[:, pack.ids[card]] = strength
    return power


def _set(member: Bool, bit: NDArray[Any]) -> int:
    return int(np.bitwise_or.reduce(bit[member])) if member.any() else 0


def _slot_bytes(card_at: Ints, word: Any) -> Words:
    """(M, bytes, 256): the slots of the cards that one byte of a word holds."""
    modes, n_cards = card_at.shape
    n_bytes = np.dtype(word).itemsize
    table = np.zeros((modes, n_bytes, 256), dtype=word)
    slot_of = np.argsort(card_at, axis=1)
    values = np.arange(256)
    for m in range(modes):
        for card in range(n_cards):
            holds = (values >> (card % 8) & 1).astype(bool)
            table[m, card // 8, holds] |= word(1 << int(slot_of[m, card]))
    return table


def _deal_map(rules: RuleSet) -> Ints:
    """Places in the deck of each seat's cards, by way of dealing and seat from forehand."""
    return np.stack([_packets(rules.players, text) for text in (rules.deal_knock, rules.deal_cut)])


def _packets(players: int, text: str) -> Ints:
    hands: list[list[int]] = [[] for _ in range(players)]
    top = 0
    for size in map(int, text.split("-")):
        for hand in hands:
            hand.extend(range(top, top + size))
            top += size
    return np.array(hands, dtype=np.intp)


def _auction_tables(rules: RuleSet) -> dict[str, Any]:
    kinds = (False, True) if rules.better_rule else (False,)
    ladder = [(n, b) for n in range(rules.min_bid, rules.hand_size + 1) for b in kinds]
    lengths = rules.hand_size + 1
    legal = np.zeros((len(ladder) + 1, lengths, lengths, 1 + len(ladder)), dtype=np.int8)
    for standing in range(len(ladder) + 1):
        for longest in range(lengths):
            for clubs in range(longest + 1):
                calls = _calls(rules, ladder, standing - 1, longest, clubs)
                legal[standing, longest, clubs, calls] = 1
    return {
        "bid_labels": tuple(f"{n} better" if b else str(n) for n, b in ladder),
        "bid_length": np.array([n for n, _ in ladder], dtype=np.intp),
        "bid_better": np.array([b for _, b in ladder], dtype=np.bool_),
        "legal_calls": legal,
        "name_exact": rules.auction_mode != "free",
        "name_clubs_first": rules.force_clubs_on_equal,
        "redeal_when_all_pass": rules.all_pass == "redeal",
        "must_overtrump": rules.follow == "must_overtrump",
    }


def _calls(
    rules: RuleSet, ladder: list[tuple[int, bool]], standing: int, longest: int, clubs: int
) -> list[int]:
    """Calls a player may make: 0 is "pass", 1 + k is rung k (rules of the auction, 4.4)."""
    high, is_better = ladder[standing] if standing != NONE else (0, False)
    numbers = [n for n, b in ladder if not b and high < n <= longest]
    betters = rules.better_rule and high > 0 and not is_better
    if rules.auction_mode == "free":
        said = [(n, False) for n in numbers] + [(high, True)] * (betters and clubs >= high)
        may_pass = True
    else:
        said = [(longest, False)] if numbers else []
        said += [(high, True)] * (betters and high == longest == clubs)
        may_pass = not said or rules.auction_mode == "optional_pass"
    return [0] * may_pass + [1 + ladder.index(s) for s in said]


def _result_tables(rules: RuleSet) -> dict[str, Any]:
    """Payoffs: the rule set's columns, then one for a deal played without a bid."""
    total = 4 * sum(points for _, points in rules.points)
    columns = len(rules.payoff_columns)
    payoff = [(r.name, r.winner, r.points, r.tricks) for r in rules.payoff]
    won_no_bid = total // 2 + 1
    no_bid = [
        ("no_bid_win", "declarers", (won_no_bid, total), "any"),
        ("no_bid_tie", "nobody", (total // 2, total // 2), "any"),
        ("no_bid_lose", "defenders", (0, won_no_bid - 2), "any"),
    ]
    rows = [*payoff, *no_bid]
    change = np.zeros((columns + 1, len(rows), 2), dtype=np.intp)
    for o, row in enumerate(rules.payoff):
        change[:columns, o, DECLARERS] = row.declarers
        change[:columns, o, DEFENDERS] = row.defenders
    change[columns, len(payoff), DECLARERS] = -rules.no_bid_value
    change[columns, len(payoff) + 2, DEFENDERS] = -rules.no_bid_value
    row_of = np.zeros((columns + 1, total + 1, 4), dtype=np.intp)
    for points in range(total + 1):
        for taken in range(4):
            row_of[:columns, points, taken] = _first_row(payoff, points, taken)
            row_of[columns, points, taken] = len(payoff) + _first_row(no_bid, points, taken)
    parties = ("declarers", "defenders", "nobody")
    clubs = rules.payoff_columns.index("clubs")
    plain = rules.payoff_columns.index("plain")
    return {
        "payoff_names": tuple(r[0] for r in rows),
        "payoff_winner": np.array([parties.index(r[1]) for r in rows], dtype=np.intp),
        "payoff_row": row_of,
        "payoff_change": change,
        "column_of_mode": np.array([columns] + [clubs if s == "C" else plain for s in SUITS]),
        "no_bid_column": columns,
        "ally": _allies(rules),
    }


def _first_row(rows: list[tuple[Any, ...]], points: int, taken: int) -> int:
    fits = {
        "any": True,
        "none": taken == TRICKS_NONE,
        "all": taken in (TRICKS_ALL, TRICKS_ALL_BY_ONE),
        "all_by_one": taken == TRICKS_ALL_BY_ONE,
    }
    return next(i for i, r in enumerate(rows) if fits[r[3]] and r[2][0] <= points <= r[2][1])


def _allies(rules: RuleSet) -> Bool:
    """Who plays with the declarer; without one, the side of seat 0 stands in his place."""
    seats = np.arange(rules.players)
    together = (seats[:, None] + seats[None, :]) % 2 == 0
    return np.concatenate([together, together[:1]])


def _rubber_tables(rules: RuleSet) -> dict[str, Any]:
    columns = len(rules.payoff_columns)
    clubs = np.array([name == "clubs" for name in rules.payoff_columns] + [False])
    extra = np.zeros((columns + 1, 3), dtype=np.intp)
    if rules.tie != "double":
        extra[:, :NOBODY] = 2
    if rules.tie == "add_2_plain_4_clubs":
        extra[clubs, :NOBODY] = 4
    if rules.tie == "add_2_declarers_4_defenders":
        extra[:columns, DEFENDERS] = 4
    return {
        "tie_extra": extra,
        "tie_factor": 2 if rules.tie == "double" else 1,
        "tie_stacks": rules.tie_stacks,
        "start": rules.start,
        "crosses": (0, 1) if rules.cross_rule == "shutout_only" else (1, 1 + rules.double_at_start),
        "reward_matrix": _reward_matrix(_allies(rules)[: rules.players]),
    }


def _reward_matrix(partners: Bool) -> NDArray[np.float32]:
    """A seat's reward is its gain less the mean gain of its opponents: zero-sum over seats."""
    against = ~partners
    share = against / against.sum(axis=1, keepdims=True)
    return (np.eye(len(partners)) - share.T).astype(np.float32)
