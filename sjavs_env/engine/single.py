"""The moves of one game, without NumPy's cost for a batch of one.

The vectorized engine is the reference; these are its batch-of-one shortcuts, held equal by
tests (``tests/engine/test_single.py``).  Both work on the same ``GameState``, so they can
take turns: what is rare, whatever ends the auction or the deal, is left to the engine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.auction import CLUBS
from sjavs_env.engine.game import Game
from sjavs_env.engine.state import TRICK, GameState, Phase, rows_of
from sjavs_env.rules.tables import NO_LEAD, NONE, TRUMP

__all__ = ["SingleGame"]

_TRICK_ROWS = rows_of(TRICK)
# Comparing with a member of an enumeration costs as much as a move.
_AUCTION, _PLAY = int(Phase.AUCTION), int(Phase.PLAY)


class SingleGame:
    """What may be done, and doing it, in a state that holds one game.

    Sets of actions are whole numbers, bit a for action a; cards come first among the actions,
    so a word of cards is such a set.
    """

    def __init__(self, game: Game) -> None:
        """Turn the tables of ``game`` into lists, which plain numbers index faster."""
        t = game.tables
        self.game = game
        self._n_actions = game.actions.size
        self._n_bytes = -(-self._n_actions // 8)
        self._pass, self._n_players, self._last_trick = (
            game.actions.pass_,
            t.n_players,
            t.n_tricks - 1,
        )
        self._bit, self._card_points = t.bit.tolist(), t.card_points.tolist()
        self._class_of, self._class_set = t.class_of.tolist(), t.class_set.tolist()
        self._power, self._beats = t.power.tolist(), t.beats.tolist()
        self._trump_power, self._must_overtrump = t.trump_power, t.must_overtrump
        self._length_sets = t.length_set.tolist()
        self._calls = [
            [[_as_set(calls) << self._pass for calls in by_clubs] for by_clubs in by_longest]
            for by_longest in t.legal_calls
        ]

    def legal(self, state: GameState) -> int:
        """Return the set of legal actions of the seat to act; none where the deal is over."""
        phase = state.phase.item()
        if phase == _PLAY:
            return self._legal_cards(state)
        if phase == _AUCTION:
            hand = state.hand.item(0, state.seat.item())
            lengths = [(hand & counted).bit_count() for counted in self._length_sets]
            return self._calls[state.best_bid.item() + 1][max(lengths)][lengths[CLUBS]]
        return _as_set(self.game.legal_actions(state)[0])

    def mask(self, actions: int) -> NDArray[np.int8]:
        """Return a set of actions as a new mask (A,)."""
        packed = np.frombuffer(actions.to_bytes(self._n_bytes, "little"), np.uint8)
        return np.unpackbits(packed, count=self._n_actions, bitorder="little").view(np.int8)

    def step(self, state: GameState, action: int) -> None:
        """Carry out a legal action in place, as ``Game.step`` does."""
        phase, size = state.phase.item(), state.trick_size.item()
        ends_trick = size + 1 == self._n_players
        if phase == _PLAY and not (ends_trick and state.trick_number.item() == self._last_trick):
            self._play(state, action)
        elif phase == _AUCTION and state.seat.item() != state.dealer.item():
            self._call(state, action - self._pass)
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

    def _call(self, state: GameState, call: int) -> None:
        """Speak before the dealer: 0 is pass, 1 + k is rung k."""
        seat = state.seat.item()
        state.calls[0, seat] = call + 1
        if call:
            state.best_bid[0] = call - 1
            state.declarer[0] = seat
        state.seat[0] = (seat + 1) % self._n_players

    def _play(self, state: GameState, card: int) -> None:
        """Play a card, but not the last one of a deal."""
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
            seat = (seat + 1) % self._n_players
        else:
            state.points[0, winner] += pile
            state.tricks[0, winner] += 1
            state.trick_number[0] = trick_number + 1
            state.trick[0] = NONE
            state.leader[0] = seat = winner
            size, led, best, pile = 0, NO_LEAD, 0, 0
        state.game_fields[_TRICK_ROWS, 0] = seat, winner, size, led, best, pile


def _as_set(mask: NDArray[np.int8]) -> int:
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")
