"""The moves of one game, without what NumPy costs for a batch of one.

The vectorized engine is the reference; these are its batch-of-one shortcuts, held equal by
tests (``tests/engine/test_single.py``).  Both work on the same ``GameState``, so what happens
once in a deal, or ends it, is left to the engine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.auction import CLUBS
from sjavs_env.engine.game import Game
from sjavs_env.engine.state import TRICK, GameState, Phase, rows_of
from sjavs_env.rules.tables import NO_LEAD, NONE, TRUMP

__all__ = ["SingleGame", "bits_of"]

_ROW = np.array([0])
_TRICK_ROWS = rows_of(TRICK)
_DIGITS = bytes.maketrans(b"01", b"\0\1")


class SingleGame:
    """What may be done, and doing it, in a state that holds one game.

    A set of actions is a whole number, bit a for action a.  Cards come first among the
    actions, so a word of cards is such a set.
    """

    def __init__(self, game: Game) -> None:
        """Turn the tables of ``game`` into lists, which plain numbers index faster."""
        t, actions = game.tables, game.actions
        self.game = game
        self._n_actions, self._n_players, self._n_tricks = actions.size, t.n_players, t.n_tricks
        self._pass, self._name = actions.pass_, actions.name
        self._bit, self._card_points = t.bit.tolist(), t.card_points.tolist()
        self._class_of, self._class_set = t.class_of.tolist(), t.class_set.tolist()
        self._power, self._beats = t.power.tolist(), t.beats.tolist()
        self._trump_power, self._must_overtrump = t.trump_power, t.must_overtrump
        self._length_set = t.length_set.tolist()
        self._calls = [
            [[_as_set(calls) << self._pass for calls in by_clubs] for by_clubs in by_longest]
            for by_longest in t.legal_calls
        ]

    def legal(self, state: GameState) -> int:
        """Return the set of legal actions of the seat to act; none where the deal is over."""
        phase = state.phase.item()
        if phase == Phase.PLAY:
            return self._legal_cards(state)
        if phase == Phase.AUCTION:
            hand = state.hand.item(0, state.seat.item())
            lengths = [(hand & counted).bit_count() for counted in self._length_set]
            calls: int = self._calls[state.best_bid.item() + 1][max(lengths)][lengths[CLUBS]]
            return calls
        return _as_set(self.game.legal_actions(state)[0])

    def mask(self, actions: int) -> NDArray[np.int8]:
        """Return a set of actions as a new mask (A,)."""
        return np.frombuffer(bytearray(bits_of(actions, self._n_actions)), np.int8)

    def step(self, state: GameState, action: int) -> None:
        """Carry out a legal action in place, as ``Game.step`` does."""
        phase = state.phase.item()
        if phase == Phase.PLAY:
            self._play(state, action)
        elif phase == Phase.AUCTION:
            self._call(state, action)
        else:
            self.game.step(state, [action])

    def _legal_cards(self, state: GameState) -> int:
        mode, led, best = state.mode.item(), state.led.item(), state.best_power.item()
        hand: int = state.hand.item(0, state.seat.item())
        sets = self._class_set[mode]
        follow: int = hand & sets[led]
        if follow or not self._must_overtrump or led == TRUMP or best < self._trump_power:
            return follow or hand
        return hand & self._beats[mode][led][best] & sets[TRUMP] or hand

    def _call(self, state: GameState, action: int) -> None:
        seat = state.seat.item()
        if seat == state.dealer.item():  # who speaks last and closes the auction
            self.game.step(state, [action])
            return
        call = action - self._pass  # 0 is pass, 1 + k is rung k
        state.calls[0, seat] = call + 1
        if call:
            state.best_bid[0] = call - 1
            state.declarer[0] = seat
        state.seat[0] = (seat + 1) % self._n_players

    def _play(self, state: GameState, card: int) -> None:
        seat, winner, size, led, best, pile = state.game_fields[_TRICK_ROWS, 0].tolist()
        mode, trick_number = state.mode.item(), state.trick_number.item()
        state.hand[0, seat] ^= self._bit[card]
        state.fell[0, card] = trick_number + 1
        suit = self._class_of[mode][card]
        if led == NO_LEAD:
            led = suit
        elif suit != led:
            state.void[0, seat] |= 1 << led
        power = self._power[mode][led][card]
        if power > best or not size:
            best, winner = power, seat
        pile += self._card_points[card]
        size += 1
        if size < self._n_players:
            state.trick[0, seat] = card
            following = (seat + 1) % self._n_players
            state.game_fields[_TRICK_ROWS, 0] = following, winner, size, led, best, pile
            return
        state.points[0, winner] += pile
        state.tricks[0, winner] += 1
        state.trick_number[0] = trick_number + 1
        state.trick[0] = NONE
        state.leader[0] = winner
        state.game_fields[_TRICK_ROWS, 0] = winner, winner, 0, NO_LEAD, 0, 0
        if trick_number + 1 == self._n_tricks:
            self.game.settle(state, _ROW)


def bits_of(number: int, width: int) -> bytes:
    """Return the bits of a number as bytes 0 and 1, the lowest first."""
    return format(number, f"0{width}b")[::-1].encode().translate(_DIGITS)


def _as_set(mask: NDArray[np.int8]) -> int:
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")
