"""What the cards that fell prove: which cards a seat cannot hold.

A card may be played from a hand unless one single other card of the hand forbids it; that is so
for every way to follow (a test replays whole deals).  So what a play proves is a set of cards:
those x for which the card was not legal in a hand of the card and x alone.  The sets are asked
of the engine once.  Where they depend only on the class led and the class played, the record
of voids in the view says all; else the deal is played through again.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.compiled import compiled
from sjavs_env import Game, PlayerView
from sjavs_env.engine.phases.tricks import FOLLOWING
from sjavs_env.rules.tables import N_CLASSES, RuleTables, Words

__all__ = ["Proofs"]

Int64 = NDArray[np.int64]


class Proofs:
    """Cards excluded from hands by play, for one game."""

    def __init__(self, game: Game) -> None:
        """Ask the engine what each play would prove."""
        self._tables = t = game.tables
        self.sets = _excluded(t)  # (M, 5, strengths, N) what a card proves over a winning card
        classes = np.arange(N_CLASSES)
        by_class = np.zeros((t.n_modes, N_CLASSES, N_CLASSES), dtype=np.int64)
        for k in range(N_CLASSES):
            is_shown = t.play.shows[:, classes] >> k & 1  # (led, played)
            by_class |= is_shown * t.play.void_excludes[:, k].astype(np.int64)[:, None, None]
        of_card = by_class[:, :, t.cards.class_of].swapaxes(1, 2)  # (M, M, 5, N)
        of_card = of_card[np.arange(t.n_modes), np.arange(t.n_modes)]
        self._voids_tell_all = bool((self.sets == of_card[:, :, None]).all())
        self._power = np.ascontiguousarray(t.cards.power, dtype=np.int64)
        self._class_of = np.ascontiguousarray(t.cards.class_of, dtype=np.int64)

    def excluded(self, view: PlayerView) -> Words:
        """Return the cards (R, P) that each seat cannot hold in its hand."""
        t = self._tables
        if self._voids_tell_all:
            sets = t.play.void_excludes[view.mode]  # (R, 5)
            shown = view.void[..., None] >> np.arange(N_CLASSES) & 1
            nothing = t.word_type.type(0)
            return np.bitwise_or.reduce(np.where(shown == 1, sets[:, None], nothing), axis=2)
        playing = np.ones(view.calls.shape, np.int64) if view.seats is None else view.seats.playing
        proved = _replay(
            view.fell,
            view.played.astype(np.int64),
            view.mode.astype(np.int64),
            view.dealer.astype(np.int64),
            np.ascontiguousarray(playing, dtype=np.int64),
            self._power,
            self._class_of,
            self.sets,
        )
        return proved.astype(t.word_type)


def _excluded(t: RuleTables) -> Int64:
    """Sets of cards by mode, class led, strength of the winning card and card played."""
    shape = (t.n_modes, N_CLASSES, t.cards.beats.shape[2], t.n_cards, t.n_cards)
    mode, led, best, card, other = np.indices(shape).reshape(5, -1)
    state: Any = SimpleNamespace(mode=mode, led=led, best_power=best)
    hand = t.cards.bit[card] | t.cards.bit[other]
    follow = hand & t.cards.class_set[mode, led]
    legal = FOLLOWING[t.play.follow](t, state, np.arange(len(mode)), hand, follow)
    forbids = (legal & t.cards.bit[card]) == 0
    word = np.where(forbids, t.cards.bit[other].astype(np.int64), 0)
    return np.asarray(np.bitwise_or.reduce(word.reshape(shape), axis=4))


@compiled
def _replay(
    fell: NDArray[np.uint8],  # (R, N)
    played: Int64,  # (R, P)
    mode: Int64,  # (R,)
    dealer: Int64,  # (R,)
    playing: Int64,  # (R, P)
    power: Int64,  # (M, 6, N)
    class_of: Int64,  # (M, N)
    excluded: Int64,  # (M, 5, strengths, N)
) -> Int64:
    """Play the tricks again; return the cards (R, P) proved to be in no hand of each seat."""
    n_seats, n_cards = played.shape[1], fell.shape[1]
    proved = np.zeros(played.shape, dtype=np.int64)
    card_of = np.empty((n_cards + 1, n_seats), dtype=np.int64)  # by trick, counted from 1
    for r in range(len(mode)):
        card_of[:] = -1
        for card in range(n_cards):
            for seat in range(n_seats if fell[r, card] else 0):
                if played[r, seat] >> card & 1:
                    card_of[fell[r, card], seat] = card
        leader, trick = _next(playing[r], dealer[r]), 1
        while card_of[trick, leader] >= 0:
            seat, best, winner = leader, 0, leader
            led = class_of[mode[r], card_of[trick, leader]]
            while card_of[trick, seat] >= 0:
                card = card_of[trick, seat]
                if seat != leader:
                    proved[r, seat] |= excluded[mode[r], led, best, card]
                if power[mode[r], led, card] > best:
                    best, winner = power[mode[r], led, card], seat
                seat = _next(playing[r], seat)
                if seat == leader:
                    break
            leader, trick = winner, trick + 1
    return proved


@compiled
def _next(playing: Int64, seat: int) -> int:
    """The next seat that takes part."""
    seat = (seat + 1) % len(playing)
    while not playing[seat]:
        seat = (seat + 1) % len(playing)
    return seat
