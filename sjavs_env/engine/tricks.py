"""Trick play: what may be played, playing it, and who wins the trick (rules 2.6).

Legal cards are the first non-empty set in a list of candidates: cards of the class led,
then (where the rules ask for it) trumps that beat a trick already trumped, then any card.
"""

from __future__ import annotations

import numpy as np

from sjavs_env.engine.state import GameState
from sjavs_env.rules.tables import NONE, TRUMP, Ints, RuleTables, Words

__all__ = ["legal_cards", "play_cards"]


def legal_cards(tables: RuleTables, state: GameState, rows: Ints) -> Words:
    """Return the cards (R,) that the seats to act may play, as words."""
    hand = state.hand.reshape(-1)[rows * tables.n_players + state.seat[rows]]
    mode, led = state.mode[rows], state.led[rows]
    follow = hand & tables.class_set.reshape(-1)[mode * 5 + led]
    otherwise = hand
    if tables.must_overtrump:
        beating = hand & _overtrumps(tables, state, rows)
        otherwise = np.where(beating > 0, beating, hand)
    leads = state.trick_size[rows] == 0
    return np.where(leads, hand, np.where(follow > 0, follow, otherwise))


def _overtrumps(tables: RuleTables, state: GameState, rows: Ints) -> Words:
    """Trumps that beat a trick already trumped; nothing where a trump was led or none lies."""
    mode, led, best = state.mode[rows], state.led[rows], state.best_power[rows]
    beats = tables.beats[mode, led, best] & tables.class_set[mode, TRUMP]
    is_trumped = (best >= tables.trump_power) & (led != TRUMP)
    return np.where(is_trumped, beats, tables.word_type.type(0))


def play_cards(tables: RuleTables, state: GameState, rows: Ints, card: Ints) -> Ints:
    """Play ``card`` (R,); return the games whose last trick this completed."""
    seat, mode, size = state.seat[rows], state.mode[rows], state.trick_size[rows]
    at_seat = rows * tables.n_players + seat
    state.hand.reshape(-1)[at_seat] ^= tables.bit[card]
    state.fell.reshape(-1)[rows * tables.n_cards + card] = state.trick_number[rows] + 1
    state.trick.reshape(-1)[at_seat] = card

    leads = size == 0
    suit = tables.class_of.reshape(-1)[mode * tables.n_cards + card]
    led = np.where(leads, suit, state.led[rows])
    state.led[rows] = led
    state.void.reshape(-1)[at_seat] |= (suit != led).astype(np.intp) << led

    power = tables.power.reshape(-1)[(mode * 5 + led) * tables.n_cards + card]
    takes = (power > state.best_power[rows]) | leads
    state.best_power[rows] = np.where(takes, power, state.best_power[rows])
    state.winner[rows] = np.where(takes, seat, state.winner[rows])
    state.pile[rows] += tables.card_points[card]
    state.trick_size[rows] = size + 1
    seat += 1
    seat[seat == tables.n_players] = 0
    state.seat[rows] = seat

    full = rows[size == tables.n_players - 1]
    return _take_tricks(tables, state, full) if len(full) else full


def _take_tricks(tables: RuleTables, state: GameState, rows: Ints) -> Ints:
    """Give full tricks to their winners, who lead next; return the games now played out."""
    winner = state.winner[rows]
    at_winner = rows * tables.n_players + winner
    state.points.reshape(-1)[at_winner] += state.pile[rows]
    state.tricks.reshape(-1)[at_winner] += 1
    state.trick_number[rows] += 1
    for array in (state.trick_size, state.pile, state.best_power, state.led):
        array[rows] = 0
    state.trick[rows] = NONE
    state.leader[rows] = state.seat[rows] = winner
    return rows[state.trick_number[rows] == tables.n_tricks]
