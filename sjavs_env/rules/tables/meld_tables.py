"""Melds as arrays: what runs and fours are worth, and which of them a hand declares.

A meld's *key* is one whole number that ranks it: its points in tens, its cards, its top card
(where the rules compare that) and whether it is of trumps; the greater key is the better meld.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from sjavs_env.cards import SUITS
from sjavs_env.rules.parts import Melds
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.terms import Ints, Words

__all__ = ["MARRIAGE", "UNIT", "MeldTables", "key_parts", "meld_tables", "meld_values"]

UNIT = 10  # all melds are worth multiples of it
MARRIAGE = 20
SHORTEST = 3
RUNS = {
    "small": {3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 100, 9: 100},
    "large": {3: 20, 4: 50, 5: 100, 6: 150, 7: 200, 8: 250, 9: 300},
}
SMALL_FOURS = {"J": 200, "9": 150, "A": 100, "K": 100, "Q": 100, "T": 100}
FOURS = {"small": SMALL_FOURS, "large": {**SMALL_FOURS, "8": 100, "7": 100, "6": 100}}


@dataclass(frozen=True, eq=False)
class MeldTables:
    """Arrays over the cards held of one suit, as bits, highest first, and over fours alike.

    Where suits have the same ranks a pattern of bits means the same in each; patterns of suit s
    begin at ``first[s]`` all the same, for a pack may lack some cards.
    """

    choice: str  # how a hand declares: "max_total", "best_first" or "all"
    shifts: Words  # (4,) place of the first card of each suit
    held: Ints  # (4,) the bits of each suit
    first: Ints  # (4,) where its patterns begin
    run_points: Ints  # (patterns,) what the runs chosen there are worth
    run_key: Ints  # (patterns,) key of the best of them, as if of plain cards; 0 without any
    run_count: Ints  # (patterns,)
    run_cards: Ints  # (patterns,) the cards they use
    fours: Words  # (sets,) sets of fours alike without a card in common, single ones first
    four_points: Ints  # (sets,) what each set is worth together
    four_key: Ints  # (sets,) key of the best in it
    four_count: Ints  # (sets,)
    n_fours: int  # so many of them are single
    marriage: Words  # (M,) king and queen of trumps; empty where the pack lacks one of them
    marriage_key: int
    marriage_is_meld: bool  # it competes with the others, and counts only with them

    @property
    def largest(self) -> int:
        """Most points of one meld."""
        return int(max(self.four_points[: self.n_fours].max(initial=0), self.run_points.max()))


class _Chosen(NamedTuple):
    """Runs of one suit; the greatest of several choices is made."""

    points: int
    key: int
    fewer: int  # minus the number of runs
    cards: int


def meld_values(melds: Melds) -> tuple[dict[int, int], dict[str, int]]:
    """Return what runs of each length and fours of each rank are worth."""
    return RUNS[melds.weis], FOURS[melds.weis]


def _key(points: int, cards: int, top: int, is_trump: bool = False) -> int:
    return ((points // UNIT * 16 + cards) * 16 + top) * 2 + is_trump


def key_parts(key: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return points in tens, cards, top card (0: not said) and whether it is of trumps."""
    return key >> 9, key >> 5 & 15, key >> 1 & 15, key & 1


def meld_tables(rules: RuleSet, melds: Melds, word: Any) -> MeldTables:
    """Compile the melds of a rule set."""
    words = _Words(rules, melds)
    held = [words.of_suit(suit) for suit in SUITS]
    sizes = [len(ranks) for ranks in held]
    declared = {ranks: words.patterns(ranks) for ranks in set(held)}  # most suits are alike
    chosen = [run for ranks in held for run in declared[ranks]]
    fours = words.fours()
    sets = [(f,) for f in fours]
    if words.choice == "max_total":
        sets += list(combinations(fours, 2))  # type: ignore[arg-type]  # longer than the first
    return MeldTables(
        choice=words.choice,
        shifts=np.array([sum(sizes[:s]) for s in range(len(SUITS))], dtype=word),
        held=np.array([(1 << n) - 1 for n in sizes], dtype=np.intp),
        first=np.array([sum(1 << n for n in sizes[:s]) for s in range(len(SUITS))], np.intp),
        run_points=np.array([c.points for c in chosen], dtype=np.intp),
        run_key=np.array([c.key for c in chosen], dtype=np.intp),
        run_count=np.array([-c.fewer for c in chosen], dtype=np.intp),
        run_cards=np.array([c.cards for c in chosen], dtype=np.intp),
        fours=np.array([sum(cards for cards, _, _ in s) for s in sets], dtype=word),
        four_points=np.array([sum(points for _, points, _ in s) for s in sets], dtype=np.intp),
        four_key=np.array([max(key for _, _, key in s) for s in sets], dtype=np.intp),
        four_count=np.array([len(s) for s in sets], dtype=np.intp),
        n_fours=len(fours),
        marriage=np.array([0, *(words.together("KQ", suit) for suit in SUITS)], dtype=word),
        marriage_key=_key(MARRIAGE, 2, words.top("K"), is_trump=True),
        marriage_is_meld=melds.stock == "meld",
    )


class _Words:
    """What a rule set says of melds."""

    def __init__(self, rules: RuleSet, melds: Melds) -> None:
        self.pack, self.ranks = rules.pack, rules.cards.ranks
        self.compares_rank = melds.meld_compare_rank
        self.choice = "all" if melds.weis == "large" else melds.meld_selection
        self.of_run, self.of_four = meld_values(melds)

    def of_suit(self, suit: str) -> str:
        """The ranks of a suit that the pack has."""
        return "".join(rank for rank in self.ranks if rank + suit in self.pack.ids)

    def top(self, rank: str) -> int:
        """The part of a key that a top card makes."""
        return len(self.ranks) - self.ranks.find(rank) if self.compares_rank else 0

    def together(self, ranks: str, suits: str) -> int:
        """All cards of these ranks and suits; none where the pack does not have each."""
        cards = [rank + suit for rank in ranks for suit in suits]
        return self.pack.word(cards) if set(cards) <= self.pack.ids.keys() else 0

    def fours(self) -> list[tuple[int, int, int]]:
        """Cards, points and key of four alike, of each rank that counts."""
        return [
            (cards, points, _key(points, 4, self.top(rank)))
            for rank, points in self.of_four.items()
            if (cards := self.together(rank, SUITS))
        ]

    def patterns(self, ranks: str) -> list[_Chosen]:
        """The runs that a hand declares, by what it holds of a suit of these ranks."""
        return [self.declared(ranks, pattern) for pattern in range(1 << len(ranks))]

    def declared(self, ranks: str, pattern: int) -> _Chosen:
        """The runs that a hand declares with this pattern of the ranks that a suit has."""
        found = list(self.runs(ranks, pattern))
        if self.choice == "best_first":  # one at a time
            return max(found, key=lambda run: run.key, default=_Chosen(0, 0, 0, 0))
        if self.choice == "all":
            cards = [run.cards for run in found]
            inner = {a for a in cards for b in cards if a & b == a != b}
            return _together([run for run in found if run.cards not in inner])
        return max(_together(chosen) for chosen in _apart(found))

    def runs(self, ranks: str, pattern: int) -> Iterator[_Chosen]:
        """Every run in this pattern, parts of longer runs too; a rank that a suit lacks parts."""
        n = len(ranks)
        for first in range(n):
            for length in range(SHORTEST, n - first + 1):
                cards = ((1 << length) - 1) << first
                is_whole = ranks[first : first + length] in self.ranks
                if is_whole and pattern & cards == cards:
                    points = self.of_run[length]
                    yield _Chosen(points, _key(points, length, self.top(ranks[first])), -1, cards)


def _apart(runs: list[_Chosen]) -> Iterator[list[_Chosen]]:
    """Every set of runs, the empty one too, in which no card is used twice."""
    if not runs:
        yield []
        return
    first, others = runs[0], runs[1:]
    for chosen in _apart([run for run in others if not run.cards & first.cards]):
        yield [first, *chosen]
    yield from _apart(others)


def _together(runs: list[_Chosen]) -> _Chosen:
    cards = 0
    for run in runs:
        cards |= run.cards
    best = max((run.key for run in runs), default=0)
    return _Chosen(sum(run.points for run in runs), best, -len(runs), cards)
