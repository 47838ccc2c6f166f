"""Trick play: what may be played, playing it, and who wins the trick (rules 2.6).

Legal cards are the first non-empty set in a list of candidates: cards of the class led
(before a lead: any), then (where the rules ask for it) trumps that beat a trick already
trumped, then any card.
"""

from __future__ import annotations

import numpy as np

from sjavs_env.engine.state import TRICK, GameState, rows_of
from sjavs_env.rules.tables import (
    N_CLASSES,
    NO_LEAD,
    NONE,
    TRUMP,
    Ints,
    RuleTables,
    Words,
)

__all__ = ["legal_cards", "play_cards"]

_TRICK_ROWS = rows_of(TRICK)


def legal_cards(tables: RuleTables, state: GameState, rows: Ints) -> Words:
    """Return the cards (R,) that the seats to act may play, as words."""
    hand = state.hand.reshape(-1)[rows * tables.n_players + state.seat[rows]]
    at_led = state.mode[rows] * (N_CLASSES + 1) + state.led[rows]
    follow = hand & tables.class_set.reshape(-1)[at_led]
    otherwise = hand
    if tables.must_overtrump:
        beating = hand & _overtrumps(tables, state, rows)
        otherwise = np.where(beating > 0, beating, hand)
    return np.where(follow > 0, follow, otherwise)


def _overtrumps(tables: RuleTables, state: GameState, rows: Ints) -> Words:
    """Trumps that beat a trick already trumped; nothing where a trump was led or none lies."""
    mode, led, best = state.mode[rows], state.led[rows], state.best_power[rows]
    is_trumped = (best >= tables.trump_power) & (led != TRUMP)
    beats = tables.beats[mode, led, best] & tables.class_set[mode, TRUMP]
    return np.where(is_trumped, beats, tables.word_type.type(0))


def play_cards(tables: RuleTables, state: GameState, rows: Ints, card: Ints) -> Ints:
    """Play ``card`` (R,); return the games whose last trick this completed."""
    n_cards, mode = tables.n_cards, state.mode[rows]
    fields = state.game_fields[_TRICK_ROWS]
    now = fields.take(rows, axis=1)  # (6, R), a copy
    seat, winner, size, led, best, pile = now
    at_seat = rows * tables.n_players + seat
    state.hand.reshape(-1)[at_seat] ^= tables.bit[card]
    state.fell.reshape(-1)[rows * n_cards + card] = state.trick_number[rows] + 1
    state.trick.reshape(-1)[at_seat] = card

    suit = tables.class_of.reshape(-1)[mode * n_cards + card]
    np.copyto(led, suit, where=led == NO_LEAD)
    state.void.reshape(-1)[at_seat] |= (suit != led) << led

    power = tables.power.reshape(-1)[(mode * (N_CLASSES + 1) + led) * n_cards + card]
    takes = (power > best) | (size == 0)
    np.copyto(best, power, where=takes)
    np.copyto(winner, seat, where=takes)
    pile += tables.card_points[card]
    size += 1
    seat += 1
    seat[seat == tables.n_players] = 0
    for field, value in zip(fields, now, strict=True):
        field[rows] = value

    is_full = size == tables.n_players
    return _take_tricks(tables, state, rows[is_full]) if is_full.any() else rows[:0]


def _take_tricks(tables: RuleTables, state: GameState, rows: Ints) -> Ints:
    """Give full tricks to their winners, who lead next; return the games now played out."""
    winner = state.winner[rows]
    at_winner = rows * tables.n_players + winner
    state.points.reshape(-1)[at_winner] += state.pile[rows]
    state.tricks.reshape(-1)[at_winner] += 1
    state.trick_number[rows] += 1
    for array in (state.trick_size, state.pile, state.best_power):
        array[rows] = 0
    state.led[rows] = NO_LEAD
    if tables.n_columns:
        _turn_up(tables, state, rows)
    state.trick[rows] = NONE
    state.leader[rows] = state.seat[rows] = winner
    return rows[state.trick_number[rows] == tables.n_tricks]


def _turn_up(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Turn up the cards below those just played from the table (rules 6)."""
    up, down = state.face_up[rows], state.face_down[rows]  # (R, P, columns)
    is_bare = up == state.trick[rows][..., None]
    turned = np.where(is_bare, down, NONE)
    state.face_up[rows] = np.where(is_bare, down, up)
    state.face_down[rows] = np.where(is_bare, NONE, down)
    bits = np.bitwise_or.reduce(np.where(turned == NONE, 0, tables.bit[turned]), axis=2)
    state.hand[rows] |= bits
    state.dealt[rows] |= bits
