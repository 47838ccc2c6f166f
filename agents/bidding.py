"""The auction: what a hand is worth as declarer, what it says, and which suit it names."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.base import Ints
from agents.card_sense import Bool, CardSense, Floats
from sjavs_env import PlayerView

__all__ = [
    "call_longest",
    "call_worthwhile",
    "hand_value",
    "name_longest",
    "name_worthwhile",
]

LOW = -(10**6)  # below every worth of a legal action

# The value of a hand, in game points at the rate of a plain suit.  Least-squares fit to 78,000
# hands of ``faroese_free`` that declared and were played out by the rule player in all seats.
TRUMP = 1.05  # for each trump held ...
TRUMP_OF_PACK = -0.35  # ... and for each trump in the pack
STRENGTH = 0.8  # for a trump that beats all others; one that beats half of them counts half
MASTER = 1.0  # for a plain card that nothing in its suit beats
VOID = 1.0  # for a plain suit without a card
NOTHING = -2.9  # where counting starts

ENOUGH = -0.5  # from which value on a hand bids where it may also pass; found by matches


def hand_value(sense: CardSense, view: PlayerView) -> Floats:
    """Return what it is worth to the viewer (R, 4) to name each suit."""
    held = sense.game.unpack(view.hand).view(np.bool_)
    modes = range(1, sense.game.tables.n_modes)
    return np.stack([_value_in(sense, view, held, mode) for mode in modes], axis=1)


def _value_in(sense: CardSense, view: PlayerView, held: Bool, mode: int) -> Floats:
    t, hand = sense.game.tables, view.hand[:, None]
    is_trump = t.class_of[mode] == sense.trump
    own = held & is_trump
    trumps, of_pack = own.sum(axis=1), int(is_trump.sum())
    stronger = np.bitwise_count(sense.above[mode] & ~hand).astype(np.intp)
    others = np.maximum(of_pack - trumps, 1)
    strength = trumps - (stronger * own).sum(axis=1) / others
    masters = (held & ~is_trump & (stronger == 0)).sum(axis=1)
    plain = t.class_set[mode, : sense.trump]
    voids = ((hand & plain[plain > 0]) == 0).sum(axis=1)
    counted = TRUMP * trumps + TRUMP_OF_PACK * of_pack + STRENGTH * strength
    return np.asarray(counted + MASTER * masters + VOID * voids + NOTHING)


def _stakes(sense: CardSense) -> Floats:
    """How much is paid (4,) when each suit is trumps, as multiples of the cheapest."""
    t = sense.game.tables
    paid = np.abs(t.payoff_change).sum(axis=(1, 2))[t.column_of_mode[1:]]
    return np.asarray(paid / max(1, int(paid.min())))


def call_worthwhile(sense: CardSense, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
    """Return the honest call (R,), the longest length, or "pass" if the hand is too weak."""
    game, t = sense.game, sense.game.tables
    value, length = hand_value(sense, view) * _stakes(sense), _lengths(sense, view)
    clubs = np.arange(value.shape[1]) == game.actions.parse("trump C") - game.actions.name
    longest = length == length.max(axis=1, keepdims=True)
    says = t.bid_length[:, None] == np.where(longest, length, -1)[:, None, :]  # (R, K, 4)
    honest = says & (clubs | ~t.bid_better[:, None])
    of_bid = np.where(honest, value[:, None, :], LOW).max(axis=2)
    worth = np.concatenate([np.full((len(view), 1), ENOUGH), of_bid], axis=1)
    first, last = game.actions.pass_, game.actions.name
    return first + np.where(mask[:, first:last] == 1, worth, 2 * LOW).argmax(axis=1)


def name_worthwhile(sense: CardSense, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
    """Return the action (R,) that names the suit worth most."""
    return _name(sense, hand_value(sense, view) * _stakes(sense), mask)


def call_longest(sense: CardSense, mask: NDArray[np.int8]) -> Ints:
    """Return the highest bid (R,) that is legal, or "pass" if there is none."""
    first, last = sense.game.actions.pass_, sense.game.actions.name
    return first + (mask[:, first:last] * np.arange(1, 1 + last - first)).argmax(axis=1)


def name_longest(sense: CardSense, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
    """Return the action (R,) that names the longest suit; among equals the strongest cards."""
    held = sense.game.unpack(view.hand).view(np.bool_)[:, None, :]
    is_trump = sense.game.tables.class_of[1:] == sense.trump  # (4, N)
    strength = (held * (sense.rank[1:] * is_trump)).sum(axis=2)
    most = int(strength.max(initial=0)) + 1
    return _name(sense, _lengths(sense, view) * most + strength, mask)


def _lengths(sense: CardSense, view: PlayerView) -> Ints:
    """Length (R, 4) of each suit: permanent trumps count in all."""
    length_set = sense.game.tables.length_set
    return np.bitwise_count(view.hand[:, None] & length_set).astype(np.intp)


def _name(sense: CardSense, worth: Floats | Ints, mask: NDArray[np.int8]) -> Ints:
    first = sense.game.actions.name
    return first + np.where(mask[:, first:] == 1, worth, LOW).argmax(axis=1)
