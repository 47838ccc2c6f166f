"""The moves of one game, without what NumPy costs for a batch of one.

The vectorized engine is the reference; these are its batch-of-one shortcuts, held equal by
tests (``tests/engine/test_single.py``).  What is rare in a deal is left to the engine.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from sjavs_env.engine.game import Game
from sjavs_env.engine.phases.auction import CLUBS
from sjavs_env.engine.state import ONLY_GAME, TRICK, GameState, rows_of
from sjavs_env.rules.tables import NO_LEAD, NONE, Phase

__all__ = ["SingleGame"]

_AUCTION, _NAME_TRUMP, _PLAY, _OVER = map(int, list(Phase)[:4])  # a member costs 0.1 us
_TRICK_ROWS = rows_of(TRICK)


class SingleGame:
    """What may be done, and doing it, in a state that holds one game.

    A set of actions is a whole number, bit a for action a.  Cards come first among the
    actions, so a word of cards is such a set.
    """

    def __init__(self, game: Game) -> None:
        """Turn the tables of ``game`` into lists, which plain numbers index faster."""
        self.game, tables = game, game.tables
        slices = game.actions.slices
        self._pass = slices[Phase.AUCTION].start if Phase.AUCTION in slices else 0
        self._name = slices[Phase.NAME_TRUMP].start if Phase.NAME_TRUMP in slices else 0
        follow, has_apart = tables.play.follow, bool(tables.deal.n_columns or tables.seats)
        self._legal_in = _PLAY if follow in ("whist", "must_overtrump") else NONE
        self._plays_in = NONE if has_apart else _PLAY  # the phase with a shortcut
        self._overtrumps = follow == "must_overtrump"
        parts = (vars(part) for part in (tables, tables.cards, tables.auction, tables.play))
        self._tables = SimpleNamespace(
            **{
                name: x.tolist() if isinstance(x, np.ndarray) else x
                for part in parts
                for name, x in part.items()
            }
        )

    def legal(self, state: GameState) -> int:
        """Return the set of legal actions of the seat to act; none where the deal is over."""
        phase, hand = state.phase.item(), state.hand.item(0, state.seat.item())
        if phase == self._legal_in:
            return self._legal_cards(state, hand)
        if phase == _OVER:
            return 0
        if phase > _OVER or phase == _PLAY:
            return sum(1 << a for a in np.flatnonzero(self.game.legal_actions(state)).tolist())
        t, bid = self._tables, state.best_bid.item()
        lengths = [(hand & counted).bit_count() for counted in t.length_set]
        if phase == _AUCTION:
            first, allowed = self._pass, t.legal_calls[bid + 1][max(lengths)][lengths[CLUBS]]
        else:
            first, allowed = self._name, self._legal_names(bid, lengths)
        return sum(1 << action for action, is_legal in enumerate(allowed, first) if is_legal)

    def step(self, state: GameState, action: int) -> None:
        """Carry out a legal action in place, as ``Game.step`` does."""
        phase = state.phase.item()
        if phase == self._plays_in:
            self._play(state, action)
        elif phase == _AUCTION:
            self._call(state, action)
        else:
            self.game.step(state, [action])

    def _legal_names(self, bid: int, lengths: list[int]) -> list[bool]:
        t, announced = self._tables, self._tables.bid_length[bid]
        fits = [n == announced if t.name_exact else n >= announced for n in lengths]
        if t.bid_better[bid] or (t.name_clubs_first and fits[CLUBS]):
            return [suit == CLUBS for suit in range(len(fits))]
        return fits

    def _legal_cards(self, state: GameState, hand: int) -> int:
        t, mode, led = self._tables, state.mode.item(), state.led.item()
        follow: int = hand & t.class_set[mode][led]
        best = state.best_power.item()
        if follow or not self._overtrumps or best < t.trump_power:
            return follow or hand
        return hand & t.beats[mode][led][best] or hand  # only trumps beat a trump

    def _call(self, state: GameState, action: int) -> None:
        seat, call = state.seat.item(), action - self._pass  # 0 pass, 1 + k rung k
        if seat == state.dealer.item() or (call and self._tables.first_bid_ends):
            self.game.step(state, [action])  # the auction is over
            return
        state.calls[0, seat] = call + 1
        if call:
            state.best_bid[0] = call - 1
            state.declarer[0] = seat
        state.seat[0] = (seat + 1) % self._tables.n_players

    def _play(self, state: GameState, card: int) -> None:
        t, mode, trick_number = self._tables, state.mode.item(), state.trick_number.item()
        seat, winner, size, led, best, pile = state.game_fields[_TRICK_ROWS, 0].tolist()
        state.hand[0, seat] ^= t.bit[card]
        state.fell[0, card] = trick_number + 1
        state.trick[0, seat] = card
        suit = t.class_of[mode][card]
        if led == NO_LEAD:
            led = suit
        elif shown := t.shows[mode][led][best][card]:
            state.void[0, seat] |= shown
        power = t.power[mode][led][card]
        if power > best:  # the first card always has more
            best, winner = power, seat
        size, pile, following = size + 1, pile + t.worth[mode][card], (seat + 1) % t.n_players
        if size == t.n_players:
            state.points[0, winner] += pile
            state.tricks[0, winner] += 1
            state.trick_number[0] = trick_number + 1
            state.trick[0] = NONE
            state.leader[0] = following = winner
            size, led, best, pile = 0, NO_LEAD, 0, 0
        state.game_fields[_TRICK_ROWS, 0] = following, winner, size, led, best, pile
        if not size and trick_number + 1 == t.n_tricks:
            self.game.settle(state, ONLY_GAME)
