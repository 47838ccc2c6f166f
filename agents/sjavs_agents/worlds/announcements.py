"""What the calls of a seat prove about the lengths of its hand as dealt.

Which calls a hand may make depends on its longest suit and its clubs alone, and which suits it
may name on these and on the length of the suit.  So a call proves a box: bounds on the length
of each suit, and a number that the longest one must reach.  The boxes are read off the compiled
rules; a rule set whose auction proves anything else is refused.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sjavs_env import PlayerView
from sjavs_env.engine.phases.auction import CLUBS
from sjavs_env.engine.phases.declare import suits_to_name
from sjavs_env.rules.tables import NONE, Ints, Phase, RuleTables

__all__ = ["Announcements", "Bounds"]

SUITS = 4


class Bounds(NamedTuple):
    """Lengths that seats may have been dealt, by seat S: those after the viewer, next seat first.

    A length counts the permanent trumps with the other cards of the suit.
    """

    low: Ints  # (R, S, 4) least length of each suit
    high: Ints  # (R, S, 4) greatest
    need: Ints  # (R, S) what the longest suit has at least


class Announcements:
    """Boxes of lengths by what was said, for one rule set."""

    def __init__(self, tables: RuleTables) -> None:
        """Read the boxes; ValueError for an auction that proves more than boxes say."""
        self._tables = tables
        n_bids, self._most = tables.auction.n_bids, tables.auction.legal_calls.shape[1] - 1
        self._no_bound = tables.n_cards
        # by standing bid + 1 and by call: 0 has not spoken, 1 passed, 2 + k said rung k
        shape = (n_bids + 1, n_bids + 2)
        self._low = np.zeros((*shape, SUITS), dtype=np.intp)
        self._high = np.full((*shape, SUITS), self._no_bound, dtype=np.intp)
        self._need = np.zeros(shape, dtype=np.intp)
        for standing, call in np.ndindex(n_bids + 1, n_bids + 1):
            self._read_call(standing, call)
        # the same for a declarer who has named a suit, by standing bid + 1, their bid and suit
        self._named_low = np.zeros((n_bids + 1, n_bids, SUITS, SUITS), dtype=np.intp)
        self._named_high = np.full_like(self._named_low, self._no_bound)
        self._names = Phase.NAME_TRUMP in tables.course.phases
        for standing, bid, suit in np.ndindex(n_bids + 1, n_bids, SUITS):
            if self._names and bid >= standing:
                self._read_name(standing, bid, suit)
        self.prove_nothing = not (
            self._low.any()
            or self._need.any()
            or self._named_low.any()
            or (self._high < self._no_bound).any()
            or (self._named_high < self._no_bound).any()
        )

    def _read_call(self, standing: int, call: int) -> None:
        """Find the box of a call: the pairs (longest, clubs) that could have made it."""
        allowed = self._tables.auction.legal_calls[standing, :, :, call] == 1
        longest, clubs = np.nonzero(np.tril(allowed))
        if not len(longest):  # no hand could; nobody says it
            return
        low, high, need = clubs.min(), longest.max(), longest.min()
        box = np.tril(np.zeros_like(allowed))
        for n in range(need, high + 1):
            box[n, low : min(n, clubs.max()) + 1] = True
        if not np.array_equal(box, np.tril(allowed)):
            raise ValueError(f"call {call} over {standing} proves no box of lengths")
        at = (standing, call + 1)
        self._low[at][CLUBS] = low
        self._high[at] = self._bound(high)
        self._high[at][CLUBS] = self._bound(clubs.max())
        self._need[at] = need

    def _bound(self, length: int) -> int:
        """A bound that no hand as dealt can break is none, whatever comes to a hand later."""
        return length if length < self._most else self._no_bound

    def _read_name(self, standing: int, bid: int, suit: int) -> None:
        """Narrow the box of a bid by the suit named: its own length and that of clubs."""
        at = (standing, bid + 2)
        low, high = self._low[at].copy(), self._high[at].copy()
        own, clubs = np.indices((self._most + 1, self._most + 1)).reshape(2, -1)
        inside = (low[suit] <= own) & (own <= high[suit])
        inside &= (low[CLUBS] <= clubs) & (clubs <= high[CLUBS])
        if suit == CLUBS:
            inside &= own == clubs
        own, clubs = own[inside], clubs[inside]
        lengths = np.zeros((len(own), SUITS), dtype=np.intp)
        lengths[:, suit], lengths[:, CLUBS] = own, clubs
        bids = np.full(len(own), bid)
        may = suits_to_name(self._tables, bids, lengths)[:, suit] == 1
        if may.any():
            for k, length in ((suit, own), (CLUBS, clubs)):
                low[k], high[k] = length[may].min(), self._bound(length[may].max())
            in_box = (low[suit] <= own) & (own <= high[suit])
            in_box &= (low[CLUBS] <= clubs) & (clubs <= high[CLUBS])
            if not np.array_equal(in_box, may):
                raise ValueError(f"suit {suit} named under bid {bid} proves no box of lengths")
        self._named_low[standing, bid, suit] = low
        self._named_high[standing, bid, suit] = high

    def bounds(self, view: PlayerView, *, proves: bool = True) -> Bounds:
        """Return what the other seats' calls, and the suit named, prove about their hands.

        With ``proves=False`` that they prove nothing.
        """
        rows, n = np.arange(len(view)), view.calls.shape[1]
        if not proves:
            low = np.zeros((len(view), n - 1, SUITS), dtype=np.intp)
            return Bounds(low, np.full_like(low, self._no_bound), low[:, :, 0])
        standing = np.zeros((len(view), n), dtype=np.intp)  # bid + 1 when each seat spoke
        now = np.zeros(len(view), dtype=np.intp)
        for i in range(1, n + 1):
            seat = (view.dealer + i) % n
            standing[rows, seat] = now
            now = np.maximum(now, view.calls[rows, seat] - 1)  # rungs are said in rising order
        low = self._low[standing, view.calls]
        high = self._high[standing, view.calls]
        need = self._need[standing, view.calls]
        if self._names:
            named = np.flatnonzero((view.mode > 0) & (view.declarer != NONE))
            seat = view.declarer[named]
            at = standing[named, seat], view.best_bid[named], view.mode[named] - 1
            low[named, seat], high[named, seat] = self._named_low[at], self._named_high[at]
        return Bounds(low[:, 1:], high[:, 1:], need[:, 1:])
