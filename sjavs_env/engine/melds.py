"""Melds: what a hand declares, announced with the first card and scored after the first trick.

The choice among melds that share cards is automatic (rules 4.2).  An announcement tells all that
a comparison may ask for: points, number of cards, top card where the rules compare it, and
whether the meld is of trumps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import NONE, Bool, Ints, RuleTables, Words
from sjavs_env.rules.tables.meld_tables import MARRIAGE, MeldTables

__all__ = ["announce", "announced_by", "declared", "has_marriage", "score_melds", "scored_by"]

Some = Ints | int
Declared = tuple[Ints, Ints, Words]  # points, key of the best one and cards, without a marriage


def announce(tables: RuleTables, state: GameState, rows: Ints, seat: Ints) -> None:
    """Announce the best meld of seats that are about to play their first card."""
    hand, mode = state.hand[rows, seat], state.mode[rows]
    state.seat_state.announced[rows, seat] = announced_by(tables.seat_rules.melds, hand, mode)


def announced_by(melds: MeldTables, hand: Words, mode: Ints) -> Ints:
    """Return what hands (R,) announce: the key of their best meld, 0 without any."""
    _, key, _ = declared(melds, hand, mode)
    if not melds.marriage_is_meld:
        return key
    return np.where(has_marriage(melds, hand, mode), np.maximum(key, melds.marriage_key), key)


def score_melds(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """After the first trick write what melds have scored, and the cards that were shown for it."""
    melds = tables.seat_rules.melds
    seats = state.seat_state
    announced, playing = seats.announced[rows], seats.playing[rows] == 1
    scored, shown = scored_by(
        melds, state.dealt[rows], state.mode[rows], announced, playing, state.leader[rows]
    )
    seats.melds[rows] = scored
    seats.known[rows] |= shown


def scored_by(
    melds: MeldTables, dealt: Words, mode: Ints, announced: Ints, playing: Bool, leader: Ints
) -> tuple[Ints, Words]:
    """Return what each seat (R, P) scores for melds of its hand as dealt, and the cards it shows.

    The owner of the best meld scores all of theirs.  Of equal melds the one announced earlier, from
    the ``leader`` (R,) on, is the better.  Where the marriage is independent, whoever has it scores
    and shows it, as far as they are ``playing`` (R, P).
    """
    n, at = dealt.shape[1], np.arange(len(dealt))
    around = (leader[:, None] + np.arange(n)) % n
    keys = announced[at[:, None], around]
    first = keys.argmax(axis=1)
    owner = np.where(keys[at, first] > 0, around[at, first], NONE)
    is_owner = np.arange(n) == owner[:, None]
    married = has_marriage(melds, dealt, mode[:, None]) & playing
    if melds.marriage_is_meld:
        married &= is_owner
    points, _, cards = declared(melds, dealt[at, owner], mode)
    nothing = dealt.dtype.type(0)
    shown = np.where(is_owner, cards[:, None], nothing)
    shown |= np.where(married, melds.marriage[mode][:, None], nothing)
    return np.where(is_owner, points[:, None], 0) + MARRIAGE * married, shown


def has_marriage(melds: MeldTables, hand: Words, mode: Ints) -> Bool:
    """Return which hands (...,) hold king and queen of trumps."""
    pair = melds.marriage[mode]
    return np.asarray(((hand & pair) == pair) & (pair != 0))


def declared(melds: MeldTables, hand: Words, mode: Ints) -> Declared:
    """Return what hands (R,) declare; a marriage comes on top."""
    return CHOICES[melds.choice](melds, hand, mode)


def _patterns(melds: MeldTables, hand: Words) -> Ints:
    """The patterns (R, 4) of the cards held of each suit."""
    return ((hand[:, None] >> melds.shifts).astype(np.intp) & melds.held) + melds.first


def _runs_key(melds: MeldTables, patterns: Ints, mode: Ints) -> Ints:
    """Key of the best run in each suit (R, 4)."""
    key = melds.run_key[patterns]
    return key + ((np.arange(1, 5) == mode[:, None]) & (key > 0))


def _run_words(melds: MeldTables, held: Ints) -> Words:
    """Bits of each suit (R, 4) as sets of cards (R,)."""
    return np.bitwise_or.reduce(held.astype(melds.shifts.dtype) << melds.shifts, axis=1)


def _max_total(melds: MeldTables, hand: Words, mode: Ints) -> Declared:
    """The largest total, then the best single meld, then the fewest melds."""
    rank, points, key, cards = _with_runs(melds, hand, mode, 0, 0, 0, hand.dtype.type(0))
    single = melds.fours[: melds.n_fours]
    some = np.flatnonzero(((hand[:, None] & single) == single).any(axis=1))
    if len(some):
        at, four = np.nonzero((hand[some][:, None] & melds.fours) == melds.fours)
        row, cards_of = some[at], melds.fours[four]
        values = melds.four_points[four], melds.four_key[four], melds.four_count[four]
        found = _with_runs(melds, hand[row] & ~cards_of, mode[row], *values, cards_of)
        best_first = np.argsort(-found[0], kind="stable")
        row, first = np.unique(row[best_first], return_index=True)
        best = best_first[first]
        better = found[0][best] > rank[row]
        for kept, new in zip((points, key, cards), found[1:], strict=True):
            kept[row[better]] = new[best[better]]
    return points, key, cards


def _with_runs(
    melds: MeldTables, rest: Words, mode: Ints, worth: Some, best: Some, count: Some, four: Any
) -> tuple[Ints, Ints, Ints, Words]:
    """Add the runs in the rest of hands to fours (words); the first value ranks such choices."""
    patterns = _patterns(melds, rest)
    points = worth + melds.run_points[patterns].sum(axis=1)
    key = np.maximum(best, _runs_key(melds, patterns, mode).max(axis=1))
    number = count + melds.run_count[patterns].sum(axis=1)
    cards = _run_words(melds, melds.run_cards[patterns]) | four
    return (points << 20) + (key << 4) - number, points, key, cards


def _best_first(melds: MeldTables, hand: Words, mode: Ints) -> Declared:
    """The best single meld, then the best of the cards left, and so on."""
    at, rest = np.arange(len(hand)), hand.copy()
    points, key = np.zeros((2, len(hand)), dtype=np.intp)
    while len(hand):
        patterns = _patterns(melds, rest)
        keys = _runs_key(melds, patterns, mode)
        suit = keys.argmax(axis=1)
        held = np.where(np.arange(4) == suit[:, None], melds.run_cards[patterns], 0)
        best, cards = keys[at, suit], _run_words(melds, held)
        worth = melds.run_points[patterns[at, suit]]
        for i in range(melds.n_fours):
            four = melds.fours[i]
            is_best = ((rest & four) == four) & (melds.four_key[i] > best)
            best = np.where(is_best, melds.four_key[i], best)
            cards = np.where(is_best, four, cards)
            worth = np.where(is_best, melds.four_points[i], worth)
        if not best.any():
            break
        points += worth
        key = np.maximum(key, best)
        rest &= ~cards
    return points, key, hand ^ rest


def _all(melds: MeldTables, hand: Words, mode: Ints) -> Declared:
    """Every longest run and all fours, whatever cards they have in common."""
    _, points, key, cards = _with_runs(melds, hand, mode, 0, 0, 0, hand.dtype.type(0))
    has = (hand[:, None] & melds.fours) == melds.fours
    points += has @ melds.four_points
    key = np.maximum(key, (has * melds.four_key).max(axis=1, initial=0))
    nothing = melds.fours.dtype.type(0)
    return points, key, cards | np.bitwise_or.reduce(np.where(has, melds.fours, nothing), axis=1)


CHOICES: dict[str, Callable[[MeldTables, Words, Ints], Declared]] = {
    "max_total": _max_total,
    "best_first": _best_first,
    "all": _all,
}
