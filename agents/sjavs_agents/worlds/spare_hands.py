"""Hands that nobody plays, in games that seats may leave.

They are the reserve, the hand that was given for it, and a dead hand, which is never played.

Besides what a view lists, it tells by what has not been asked who cannot hold the lowest trump:
its holder is always asked whether to take the card on the table for it.
"""

from __future__ import annotations

import numpy as np

from sjavs_agents.worlds.piles import Cases, Piles, count_bits
from sjavs_env import Game, GameState, Phase, PlayerView
from sjavs_env.engine.course import next_in
from sjavs_env.observation.views import SeatView
from sjavs_env.rules.tables import NONE, Bool, Ints, Words
from sjavs_env.rules.tables.seat_tables import NO_PILE

__all__ = ["SpareHands", "seats_of"]

_OF_SEATS = ("active", "playing", "zeros", "announced", "melds", "known")


class SpareHands:
    """The hands that nobody plays, in views of one game and in its states."""

    def __init__(self, game: Game, piles: Piles) -> None:
        self.tables = t = game.tables
        self._hand = game.rules.hand_size
        self._reserve, self._given, self._dead = map(piles.at, ("reserve", "given", "dead"))
        rules = t.seat_rules
        counts = range(len(rules.turned))
        self._has_reserve, self._has_dead = rules.reserve != NO_PILE, rules.dead != NO_PILE
        self._in_reserve = np.array(
            [
                bool(self._has_reserve[c])
                and rules.turned[c] in rules.piles[0, c, rules.reserve[c]]
                for c in counts
            ]
        )
        self._nothing = t.word_type.type(0)
        self._bit = np.append(t.cards.bit, self._nothing)
        self._low_card = (t.cards.bit == t.cards.low_trump[:, None]).argmax(axis=1)

    def on_table(self, v: PlayerView) -> Ints:
        """Return the card (Q,) that lies face up on the table, or NONE."""
        seats = seats_of(v)
        is_taken = self.table_in_reserve(v) & (seats.taker != NONE)
        card = np.where(seats.six_by == NONE, self.table_as_dealt(v), self._low_card[v.mode])
        return np.where(is_taken, NONE, card)

    def table_as_dealt(self, v: PlayerView) -> Ints:
        """Return the card (Q,) that was turned up on the table, or NONE if in a hand."""
        seats = seats_of(v)
        lies = self.tables.seat_rules.on_table[seats.active.sum(axis=1)]
        return np.where(lies, seats.turned, NONE)

    def table_in_reserve(self, v: PlayerView) -> Bool:
        """Whether the card on the table is part of the reserve (Q,)."""
        return np.asarray(self._in_reserve[seats_of(v).active.sum(axis=1)])

    def has_dead(self, v: PlayerView) -> Bool:
        """Whether there is a dead hand (Q,)."""
        return np.asarray(self._has_dead[seats_of(v).active.sum(axis=1)])

    def add(self, cases: Cases, v: PlayerView) -> None:
        """Add the spare hands to cases of the hands of the other seats, in place."""
        seats, table = seats_of(v), self._bit[self.on_table(v)]
        count = seats.active.sum(axis=1)
        others = cases.base.shape[1]
        out = seats.active[:, 1:] == 0
        cases.size[:, :others] = np.where(out, 0, self._hand - count_bits(cases.base))
        cases.place &= ~(seats.out | seats.aside)
        cases.may[:, :others] &= cases.place[:, None]
        cases.may[:, others:] = cases.place[:, None]
        gone, in_reserve = seats.out & ~table, self._in_reserve[count]
        waits = self._has_reserve[count] & (seats.taker == NONE)
        for pile, is_there, held in (
            (self._reserve, waits, np.where(in_reserve, table, self._nothing)),
            (self._given, seats.taker > 0, gone),
            (self._dead, self._has_dead[count], np.where(in_reserve, self._nothing, table)),
        ):
            cases.held[:, pile] = np.where(is_there, held, self._nothing)
            cases.size[:, pile] = np.where(is_there, self._hand - count_bits(held), 0)
        self._place_lowest(cases, v)

    def _place_lowest(self, cases: Cases, v: PlayerView) -> None:
        """Take the lowest trump from those who would have been asked for it."""
        t, seats = self.tables, seats_of(v)
        low = t.cards.low_trump[v.mode]
        others = np.arange(1, cases.base.shape[1] + 1)
        is_asking = v.phase == Phase.SIX
        if t.seat_rules.asks_late:
            opens = (v.phase == Phase.PLAY) & (v.trick_number == 0)
            has_begun = (v.played[:, 1:] != 0) | (opens & (v.to_act == others[:, None])).T
            lacks = has_begun & (self.on_table(v) != NONE)[:, None]
            lacks_given = np.zeros(len(v), dtype=np.bool_)
        else:
            lacks_given = t.seat_rules.on_table[seats.active.sum(axis=1)]
            lacks = lacks_given[:, None] & (seats.taker[:, None] != others)
        lacks[is_asking] = v.to_act[is_asking, None] != others
        lacks_given = lacks_given | is_asking
        taken = np.zeros(cases.may.shape, dtype=np.bool_)
        taken[:, : len(others)] = lacks
        taken[:, self._given] = lacks_given
        taken[:, [self._reserve, self._dead]] = is_asking[:, None]
        cases.may[...] = np.where(taken, cases.may & ~low[:, None], cases.may)

    def fill(self, state: GameState, v: PlayerView, words: Words, at: Ints) -> None:
        """Write the spare hands (W, H) into states (W,), and who takes part.

        ``at`` (W, P) are the seats at the table, counted from the viewer.
        """
        t, seats, new = self.tables, seats_of(v), state.seat_state
        n = t.n_players
        for name in _OF_SEATS:
            getattr(new, name)[:] = np.take_along_axis(getattr(seats, name), at, axis=1)
        for name in ("six_by", "taker"):
            away = getattr(seats, name)
            getattr(new, name)[:] = np.where(away == NONE, NONE, (away + v.seat) % n)
        new.turned[:] = seats.turned
        new.on_table[:] = self.on_table(v)
        state.talon[:] = words[:, self._reserve]
        state.laid[:] = words[:, self._given] | seats.aside
        new.dead[:] = words[:, self._dead]
        new.gone[:] = seats.out & ~self._bit[new.on_table]
        low = t.cards.low_trump[v.mode]
        seen = np.bitwise_or.reduce(seats.known | v.played, axis=1)
        new.six_asked[:] = (seats.six_by != NONE) | ((seen & low) != 0) & (v.phase != Phase.SIX)
        plays = self._plays(v)
        new.following[:] = next_in(np.where(plays[:, None], new.playing, 1))
        new.n_playing[:] = np.where(plays, new.playing.sum(1), new.active.sum(1))

    def _plays(self, v: PlayerView) -> Bool:
        """Whether the play has begun (Q,)."""
        return (v.phase == Phase.PLAY) | ((v.phase == Phase.SIX) & self.tables.seat_rules.asks_late)


def seats_of(v: PlayerView) -> SeatView:
    """Return what a view of a game that seats may leave has besides."""
    assert v.seats is not None  # the rules say so
    return v.seats
