"""Numbered decks and the deal.

A deck is a pure function of (seed, deal number), whatever the batch it is dealt in: a
counter-based hash (the finalizer of SplitMix64) gives each card a key, and the cards in the
order of their keys are the deck.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sjavs_env.engine.course import in_order, open_deal
from sjavs_env.engine.state import GameState
from sjavs_env.randomness import GOLDEN, MIX_FACTORS, MIX_SHIFTS
from sjavs_env.rules.tables import NONE, Ints, RuleTables
from sjavs_env.rules.tables.seat_tables import PILES

__all__ = ["deal_cards", "numbered_decks"]


def _word(value: int) -> NDArray[np.uint64]:
    """Make a constant; as an array it meets others faster than as a scalar."""
    word = np.array(value, dtype=np.uint64)
    word.setflags(write=False)
    return word


_GOLDEN = _word(GOLDEN)
_MIX1, _MIX2 = map(_word, MIX_FACTORS)
_SHIFT1, _SHIFT2, _SHIFT3 = map(_word, MIX_SHIFTS)
_DECK_DOMAIN = _word(0x5361_7673_4465_636B)  # keeps decks apart from other uses of a seed
_CARD_BITS, _OTHER_BITS = _word(63), _word(2**64 - 64)


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64-bit words (SplitMix64 finalizer; arithmetic wraps by design)."""
    x = (x ^ (x >> _SHIFT1)) * _MIX1
    x = (x ^ (x >> _SHIFT2)) * _MIX2
    return x ^ (x >> _SHIFT3)


@cache
def _salted(n_cards: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the ids of the cards and what tells their keys apart."""
    cards = np.arange(n_cards, dtype=np.uint64)
    salts = (cards + _word(1)) * _GOLDEN
    for array in (cards, salts):
        array.setflags(write=False)
    return cards, salts


def numbered_decks(n_cards: int, seed: ArrayLike, number: ArrayLike) -> Ints:
    """Return the decks (R, N) of card ids, first card off the top first.

    ``seed`` and ``number`` are unsigned 64-bit scalars or arrays (R,).
    """
    seeds = np.atleast_1d(np.asarray(seed, dtype=np.uint64))
    numbers = np.atleast_1d(np.asarray(number, dtype=np.uint64))
    game = _mix(_mix(seeds ^ _DECK_DOMAIN) + numbers * _GOLDEN)
    cards, salts = _salted(n_cards)
    keyed = np.sort((_mix(game[:, None] + salts) & _OTHER_BITS) | cards, axis=1)
    return (keyed & _CARD_BITS).astype(np.intp)


def deal_cards(tables: RuleTables, state: GameState, rows: Ints, decks: Ints) -> None:
    """Deal ``decks`` (R, N) to the games ``rows``; forehand is the first to decide."""
    state.clear_deal(rows)
    if tables.seats:
        _deal_to_active(tables, state, rows, decks)
        open_deal(tables, state, rows)
    else:
        _deal_to_all(tables, state, rows, decks)
        state.phase[rows] = tables.course.phases[0]


def _deal_to_all(tables: RuleTables, state: GameState, rows: Ints, decks: Ints) -> None:
    """Deal to all seats."""
    n, cut = tables.n_players, state.cut[rows]
    deck = np.arange(len(rows))[:, None, None]
    hands = np.bitwise_or.reduce(tables.cards.bit[decks[deck, tables.deal.hand[cut]]], axis=2)
    forehand = (state.dealer[rows] + 1) % n
    seats = (forehand[:, None] + np.arange(n)) % n
    state.dealt[rows[:, None], seats] = hands
    state.hand[rows] = state.dealt[rows]
    if tables.deal.n_columns:
        for way, table in zip(tables.deal.table.swapaxes(0, 1), state.table, strict=True):
            table[rows[:, None], seats] = decks[deck, way[cut]]
    if tables.deal.n_talon:
        state.aside[rows] = decks[deck[:, 0], tables.deal.talon[cut]]
        state.talon[rows] = np.bitwise_or.reduce(tables.cards.bit[state.aside[rows]], axis=1)
        state.laid[rows] = 0
    state.seat[rows] = state.leader[rows] = state.winner[rows] = forehand


def _deal_to_active(tables: RuleTables, state: GameState, rows: Ints, decks: Ints) -> None:
    """Deal to the seats still in the match, and turn up the card for trumps (rules 2.2)."""
    n, rules, cut = tables.n_players, tables.seat_rules, state.cut[rows]
    order, count = in_order(state, rows)
    places = rules.piles[cut, count]  # (R, 4, hand)
    deck = np.arange(len(rows))
    piles = np.zeros((len(rows), PILES + 1), dtype=tables.word_type)
    piles[:, :PILES] = np.bitwise_or.reduce(
        tables.cards.bit[decks[deck[:, None, None], places]], axis=2
    )
    hands = np.where(np.arange(n) < count[:, None], piles[:, :n], tables.word_type.type(0))
    state.dealt[rows[:, None], order] = hands
    state.hand[rows] = state.dealt[rows]
    state.talon[rows] = piles[deck, rules.reserve[count]]
    seats = state.seat_state
    seats.dead[rows] = piles[deck, rules.dead[count]]
    state.laid[rows] = seats.gone[rows] = 0
    turned = decks[deck, rules.turned[count]]
    on_table = rules.on_table[count]
    seats.turned[rows] = turned
    seats.on_table[rows] = np.where(on_table, turned, NONE)
    state.mode[rows] = rules.suit_mode[turned]
    seats.known[rows] = 0
    held = rows[~on_table]
    seats.known[held, state.dealer[held]] = tables.cards.bit[turned[~on_table]]
    for name in ("announced", "melds", "six_asked"):
        getattr(seats, name)[rows] = 0
    seats.six_by[rows] = seats.taker[rows] = NONE
    seats.playing[rows] = seats.active[rows]
    seats.n_playing[rows] = count
    eldest = order[:, 0]
    state.seat[rows] = state.leader[rows] = state.winner[rows] = eldest
