"""The auction: what a hand is worth as declarer, what it says, and which suit it names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Bool, Floats, Ints
from sjavs_agents.heuristic.promise import hand_features
from sjavs_agents.heuristic.sight import TableReader
from sjavs_env import Phase, PlayerView
from sjavs_env.rules.tables import NO_SUIT

__all__ = [
    "call_longest",
    "call_worthwhile",
    "hand_value",
    "name_longest",
    "name_worthwhile",
    "with_trumps",
]

CLUBS = 0  # place of the suit among the four
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


def hand_value(reader: TableReader, view: PlayerView) -> Floats:
    """Return what it is worth to the viewer (R, 4) to name each suit."""
    held = reader.game.unpack(view.hand).view(np.bool_)
    modes = range(1, reader.game.tables.n_modes)
    return np.stack([_value_in(reader, view, held, mode) for mode in modes], axis=1)


def _value_in(reader: TableReader, view: PlayerView, held: Bool, mode: int) -> Floats:
    found = hand_features(reader, view.hand, held, mode)
    of_pack = int((reader.game.tables.cards.class_of[mode] == reader.trump).sum())
    counted = TRUMP * found.trumps + TRUMP_OF_PACK * of_pack + STRENGTH * found.strength
    return np.asarray(counted + MASTER * found.masters + VOID * found.voids + NOTHING)


def _stakes(reader: TableReader) -> Floats:
    """How much is paid (4,) when each suit is trumps, as multiples of the cheapest."""
    t = reader.game.tables
    paid = np.abs(t.result.payoff_change).sum(axis=(1, 2))[t.result.column_of[0, 1:]]
    return np.asarray(paid / max(1, int(paid.min())))


def call_worthwhile(reader: TableReader, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
    """Return the honest call (R,), the longest length, or "pass" if the hand is too weak."""
    game, t = reader.game, reader.game.tables
    value, length = hand_value(reader, view) * _stakes(reader), _lengths(reader, view)
    clubs = np.arange(value.shape[1]) == CLUBS
    longest = length == length.max(axis=1, keepdims=True)
    says = t.auction.bid_length[:, None] == np.where(longest, length, -1)[:, None, :]  # (R, K, 4)
    honest = says & (clubs | ~t.auction.bid_better[:, None])
    of_bid = np.where(honest, value[:, None, :], LOW).max(axis=2)
    worth = np.concatenate([np.full((len(view), 1), ENOUGH), of_bid], axis=1)
    calls = game.actions.slices[Phase.AUCTION]
    return calls.start + np.where(mask[:, calls] == 1, worth, 2 * LOW).argmax(axis=1)


def name_worthwhile(reader: TableReader, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
    """Return the action (R,) that names the suit worth most."""
    return _name(reader, hand_value(reader, view) * _stakes(reader), mask)


def with_trumps(reader: TableReader, view: PlayerView) -> PlayerView:
    """Return the views as if the suit worth most were named where none is yet."""
    if (view.mode != NO_SUIT).all():
        return view
    best = 1 + hand_value(reader, view).argmax(axis=1)
    return replace(view, mode=np.where(view.mode == NO_SUIT, best, view.mode))


def call_longest(reader: TableReader, mask: NDArray[np.int8]) -> Ints:
    """Return the highest bid (R,) that is legal, or "pass" if there is none.

    Contracts say nothing about the hand: there the lowest is bid while nobody has bid.
    """
    calls = reader.game.actions.slices[Phase.AUCTION]
    if reader.game.rules.contracts:
        return calls.start + mask[:, calls.start + 1].astype(np.intp)
    legal = mask[:, calls]
    return calls.start + (legal * np.arange(1, 1 + legal.shape[1])).argmax(axis=1)


def name_longest(reader: TableReader, view: PlayerView, mask: NDArray[np.int8]) -> Ints:
    """Return the action (R,) that names the longest suit; among equals the strongest cards."""
    held = reader.game.unpack(view.hand).view(np.bool_)[:, None, :]
    is_trump = reader.game.tables.cards.class_of[1:] == reader.trump  # (4, N)
    strength = (held * (reader.rank[1:] * is_trump)).sum(axis=2)
    most = int(strength.max(initial=0)) + 1
    return _name(reader, _lengths(reader, view) * most + strength, mask)


def _lengths(reader: TableReader, view: PlayerView) -> Ints:
    """Length (R, 4) of each suit: permanent trumps count in all."""
    length_set = reader.game.tables.cards.length_set
    return np.bitwise_count(view.hand[:, None] & length_set).astype(np.intp)


def _name(reader: TableReader, worth: Floats | Ints, mask: NDArray[np.int8]) -> Ints:
    names = reader.game.actions.slices[Phase.NAME_TRUMP]
    return names.start + np.where(mask[:, names] == 1, worth, LOW).argmax(axis=1)
