"""Trick play: what may be played, playing it, and who wins the trick (rules 4.1).

Legal cards are mostly the first non-empty set in a list of candidates: cards of the class led
(before a lead: any), then (where the rules ask for it) trumps that beat a trick already
trumped, then any card.  Which list it is, the rule set says in a word.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from sjavs_env.engine.course import ask_late
from sjavs_env.engine.melds import announce, score_melds
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

__all__ = ["legal_cards", "may_play", "play_cards"]

_TRICK_ROWS = rows_of(TRICK)


def legal_cards(tables: RuleTables, state: GameState, rows: Ints) -> Words:
    """Return the cards (R,) that the seats to act may play, as words."""
    hand = state.hand.reshape(-1)[rows * tables.n_players + state.seat[rows]]
    return may_play(tables, hand, state.mode[rows], state.led[rows], state.best_power[rows])


def may_play(tables: RuleTables, hand: Words, mode: Ints, led: Ints, best: Ints) -> Words:
    """Return the cards (R,) that hands (R,) may play to tricks (R,).

    A trick is the class led and the strength of the card that is winning it.
    """
    follow = hand & tables.cards.class_set.reshape(-1)[mode * (N_CLASSES + 1) + led]
    return _FOLLOWING[tables.play.follow](tables, hand, follow, mode, led, best)


def _first(*candidates: Words) -> Words:
    """The first of the sets (R,) that is not empty."""
    return reduce(lambda rest, wanted: np.where(wanted > 0, wanted, rest), reversed(candidates))


def _any_if_void(
    tables: RuleTables, hand: Words, follow: Words, mode: Ints, led: Ints, best: Ints
) -> Words:
    return np.where(follow > 0, follow, hand)


def _overtrump(
    tables: RuleTables, hand: Words, follow: Words, mode: Ints, led: Ints, best: Ints
) -> Words:
    """Only a trick already trumped has to be beaten, and not where a trump was led."""
    is_trumped = (best >= tables.cards.trump_power) & (led != TRUMP)
    beats = tables.cards.beats[mode, led, best] & tables.cards.class_set[mode, TRUMP]
    return _first(follow, hand & np.where(is_trumped, beats, tables.word_type.type(0)), hand)


def _beat_or_trump(
    tables: RuleTables, hand: Words, follow: Words, mode: Ints, led: Ints, best: Ints
) -> Words:
    """Follow, else trump, and beat the trick while doing either if able (rules 4.1)."""
    beats = tables.cards.beats[mode, led, best]
    trumps = hand & tables.cards.class_set[mode, TRUMP]
    return _first(follow & beats, follow, trumps & beats, trumps, hand)


def _follow_or_trump(
    tables: RuleTables, hand: Words, follow: Words, mode: Ints, led: Ints, best: Ints
) -> Words:
    """Follow or trump, but do not trump lower; the highest trump alone may be kept (rules 4.1)."""
    trumps = hand & tables.cards.class_set[mode, TRUMP]
    plain = hand ^ trumps
    higher = trumps & tables.cards.beats[mode, led, best]
    is_bound = (trumps & ~tables.cards.top_trump[mode]) > 0
    to_trump = np.where(is_bound, trumps, hand)
    to_plain = np.where(plain > 0, _first(follow, plain) | higher, hand)
    return np.where(led == TRUMP, to_trump, to_plain)


# What may be played (R,) from hands (R,), of which some cards are of the class led.
_FOLLOWING: dict[str, Callable[[RuleTables, Words, Words, Ints, Ints, Ints], Words]] = {
    "whist": _any_if_void,
    "must_overtrump": _overtrump,
    "simple": _beat_or_trump,
    "strict": _follow_or_trump,
}


def play_cards(tables: RuleTables, state: GameState, rows: Ints, card: Ints) -> Ints:
    """Play ``card`` (R,); return the games whose last trick this completed."""
    n_cards, mode = tables.n_cards, state.mode[rows]
    fields = state.game_fields[_TRICK_ROWS]
    now = fields.take(rows, axis=1)  # (6, R), a copy
    seat, winner, size, led, best, pile = now
    at_seat = rows * tables.n_players + seat
    if tables.seats:
        opens = state.trick_number[rows] == 0
        announce(tables, state, rows[opens], seat[opens])
    state.hand.reshape(-1)[at_seat] ^= tables.cards.bit[card]
    state.fell.reshape(-1)[rows * n_cards + card] = state.trick_number[rows] + 1
    state.trick.reshape(-1)[at_seat] = card

    at_card = mode * n_cards + card
    suit = tables.cards.class_of.reshape(-1)[at_card]
    np.copyto(led, suit, where=led == NO_LEAD)
    shows = tables.play.shows
    at_shown = ((mode * N_CLASSES + led) * shows.shape[2] + best) * n_cards + card
    state.void.reshape(-1)[at_seat] |= shows.reshape(-1)[at_shown]

    power = tables.cards.power.reshape(-1)[(mode * (N_CLASSES + 1) + led) * n_cards + card]
    takes = (power > best) | (size == 0)
    np.copyto(best, power, where=takes)
    np.copyto(winner, seat, where=takes)
    pile += tables.cards.worth.reshape(-1)[at_card]
    size += 1
    if seats := state.seats:
        seat[:] = seats.following.reshape(-1)[at_seat]
        is_full = size == seats.n_playing[rows]
    else:
        seat += 1
        seat[seat == tables.n_players] = 0
        is_full = size == tables.n_players
    for field, value in zip(fields, now, strict=True):
        field[rows] = value

    if tables.seats and tables.seats.asks_late:
        ask_late(tables, state, rows[~is_full])
    return _take_tricks(tables, state, rows[is_full]) if is_full.any() else rows[:0]


def _take_tricks(tables: RuleTables, state: GameState, rows: Ints) -> Ints:
    """Give full tricks to their winners, who lead next; return the games now played out."""
    winner = state.winner[rows]
    at_winner = rows * tables.n_players + winner
    state.points.reshape(-1)[at_winner] += state.pile[rows]
    state.tricks.reshape(-1)[at_winner] += 1
    state.trick_number[rows] += 1
    if tables.seats:
        score_melds(tables, state, rows[state.trick_number[rows] == 1])
        last = state.trick_number[rows] == tables.n_tricks
        state.points[rows[last], winner[last]] += tables.seats.last_trick
    for array in (state.trick_size, state.pile, state.best_power):
        array[rows] = 0
    state.led[rows] = NO_LEAD
    if tables.deal.n_columns:
        _turn_up(tables, state, rows)
    state.trick[rows] = NONE
    state.leader[rows] = state.seat[rows] = winner
    return rows[state.trick_number[rows] == tables.n_tricks]


def _turn_up(tables: RuleTables, state: GameState, rows: Ints) -> None:
    """Turn up the cards below those just played from the table (rules 2.2)."""
    up, down = state.face_up[rows], state.face_down[rows]  # (R, P, columns)
    is_bare = up == state.trick[rows][..., None]
    turned = np.where(is_bare, down, NONE)
    state.face_up[rows] = np.where(is_bare, down, up)
    state.face_down[rows] = np.where(is_bare, NONE, down)
    bits = np.bitwise_or.reduce(np.where(turned == NONE, 0, tables.cards.bit[turned]), axis=2)
    state.hand[rows] |= bits
    state.dealt[rows] |= bits
