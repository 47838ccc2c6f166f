"""What the cards that fell prove: which cards a seat cannot hold.

A card may be played from a hand unless one single other card of the hand forbids it; that is so
for every way to follow (a test replays whole deals).  So what a play proves is a set of cards:
those x for which the card was not legal in a hand of the card and x alone.  The sets are asked
of the engine once.  Where they depend only on the class led and the class played, the record
of voids in the view says all; else the deal is played through again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.compiled.compiler import compiled
from sjavs_agents.worlds.placement_problems import Int64
from sjavs_env import Game, PlayerView
from sjavs_env.engine.phases.tricks import may_play
from sjavs_env.rules.tables import N_CLASSES, NONE, RuleTables, Words

__all__ = ["Proofs"]


class Proofs:
    """Cards excluded from hands by play, for one game."""

    def __init__(self, game: Game) -> None:
        """Ask the engine what each play would prove."""
        self._tables = t = game.tables
        self.sets = _proved_by_play(t)
        self._voids_tell_all = bool((self.sets == _proved_by_voids(t)).all())
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


def _proved_by_play(t: RuleTables) -> Int64:
    """Return which cards x a play excludes (M, 5, strengths, N), as sets.

    By mode, class led, strength of the card that is winning, and card played: for each of these
    the engine is asked about the hands of that card and one other.
    """
    shape = (t.n_modes, N_CLASSES, t.cards.beats.shape[2], t.n_cards, t.n_cards)
    mode, led, best, card, other = np.indices(shape).reshape(5, -1)
    bit = t.cards.bit
    legal = may_play(t, bit[card] | bit[other], mode, led, best)
    is_forbidden = (legal & bit[card]) == 0
    excluded = np.where(is_forbidden, bit[other].astype(np.int64), 0).reshape(shape)
    return np.asarray(np.bitwise_or.reduce(excluded, axis=4))


def _proved_by_voids(t: RuleTables) -> Int64:
    """Return the cards that the classes exclude which a play shows void, as sets.

    (M, 5, strengths, N), as ``_proved_by_play``.
    """
    is_shown = t.play.shows[..., None] >> np.arange(N_CLASSES) & 1  # (M, 5, strengths, N, 5)
    by_class = t.play.void_excludes.astype(np.int64)[:, None, None, None]  # (M, 1, 1, 1, 5)
    return np.asarray(np.bitwise_or.reduce(is_shown * by_class, axis=4))


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
        _sort_by_trick(fell[r], played[r], card_of)
        by_mode = power[mode[r]], class_of[mode[r]], excluded[mode[r]]
        leader, trick = _next(playing[r], dealer[r]), 1
        while card_of[trick, leader] != NONE:
            leader = _play_trick(card_of[trick], leader, playing[r], by_mode, proved[r])
            trick += 1
    return proved


@compiled
def _sort_by_trick(fell: NDArray[np.uint8], played: Int64, card_of: Int64) -> None:
    """Write which card each seat has played to each trick (tricks + 1, P), or NONE."""
    card_of[:] = NONE
    for card in range(len(fell)):
        for seat in range(len(played) if fell[card] else 0):
            if played[seat] >> card & 1:
                card_of[fell[card], seat] = card


@compiled
def _play_trick(
    cards: Int64,  # (P,) played by each seat, NONE where it has not yet
    leader: int,
    playing: Int64,  # (P,)
    by_mode: tuple[Int64, Int64, Int64],  # (6, N) power, (N,) class and (5, strengths, N) proofs
    proved: Int64,  # (P,) sets of cards that are in no hand of a seat; more are added
) -> int:
    """Play a trick again; return who wins it."""
    power, class_of, excluded = by_mode
    led, best = class_of[cards[leader]], 0
    seat = winner = leader
    while cards[seat] != NONE:
        card = cards[seat]
        if seat != leader:
            proved[seat] |= excluded[led, best, card]
        if power[led, card] > best:
            best, winner = power[led, card], seat
        seat = _next(playing, seat)
        if seat == leader:
            break
    return winner


@compiled
def _next(playing: Int64, seat: int) -> int:
    """The next seat that takes part."""
    seat = (seat + 1) % len(playing)
    while not playing[seat]:
        seat = (seat + 1) % len(playing)
    return seat
