"""Before the first lead: the lowest trump, the reserve, and whether to play at all.

All three compare what hands are worth (``RankValue``).  Of the reserve only what all can see is
known; the rest is taken to be any of the cards that are out.
"""

from __future__ import annotations

from math import comb

import numpy as np

from sjavs_agents.base import Bool, Floats, Words
from sjavs_agents.heuristic.expected_totals import hands_of_unseen
from sjavs_agents.heuristic.rank_value import RankValue
from sjavs_agents.heuristic.sight import Sight, TableReader
from sjavs_env import Phase, PlayerView, SeatView
from sjavs_env.rules.tables import NONE

__all__ = ["Entry"]

# Found by duplicate matches between players that differ in one of them.
STAYS = 0.8  # chance that a player who has not said so stays in
ENOUGH = 0.1  # game points from which a hand is played
HANDS = 24  # that the reserve might be


class Entry:
    """Decisions before the lead, for batches of views.  Needs a game in which seats vary."""

    def __init__(self, reader: TableReader) -> None:
        self.reader, self.value = reader, RankValue(reader)

    def swaps(self, view: PlayerView) -> Bool:
        """Return whether to put the lowest trump (R,) in the place of the card turned up.

        That card is a better trump; only a meld with the lowest one may be worth more.
        """
        t, seats = self.reader.game.tables, _seats(view)
        changed = view.hand ^ t.cards.low_trump[view.mode] ^ t.cards.bit[seats.turned]
        return self._played(view, changed) >= self._played(view, view.hand)

    def takes_reserve(self, view: PlayerView) -> Bool:
        """Return whether to give the hand (R,) for the reserve."""
        t, n_hands = self.reader.game.tables, HANDS
        lies = self._lies_in_reserve(view)
        sight = Sight(self.reader, view, np.zeros((len(view), t.n_cards), dtype=np.bool_))
        unseen = sight.unseen[:, 0]
        found: Floats = np.zeros((len(view), n_hands))
        for size in (t.n_tricks - 1, t.n_tricks):
            rows = np.flatnonzero((lies != 0) == (size < t.n_tricks))
            if not len(rows):
                continue
            hands = hands_of_unseen(self.reader, unseen[rows], size, n_hands)
            each = np.repeat(rows, n_hands)
            worth = self._played(view.select(each), hands.reshape(-1) | lies[each])
            found[rows] = worth.reshape(-1, n_hands)
        if not t.seat_rules.taker_must_play:
            found = self._at_best(found)
        return found.mean(axis=1) > self._at_best(self._played(view, view.hand))

    def stays(self, view: PlayerView) -> Bool:
        """Return whether to play the hand (R,)."""
        return self._played(view, view.hand) >= ENOUGH

    def _at_best(self, worth: Floats) -> Floats:
        """A hand that promises too little can be dropped, where the rules let it."""
        return np.maximum(worth, ENOUGH) if self.reader.game.tables.seat_rules.may_drop else worth

    def _played(self, view: PlayerView, hand: Words) -> Floats:
        """Game points (R,) to expect from playing a hand."""
        active = _seats(view).active.sum(axis=1, dtype=np.intp)
        return self.value.game_points(hand, view.mode, active, self._players(view))

    def _players(self, view: PlayerView) -> Floats:
        """Chances (R, P + 1) that so many play if the viewer does."""
        t, seats = self.reader.game.tables, _seats(view)
        n, playing = t.n_players, seats.playing == 1
        place = (np.arange(n) - view.dealer[:, None] - 1) % n  # in the order of asking
        asked = view.phase == Phase.STAY
        certain = asked[:, None] & (place < place[:, :1])
        if not t.seat_rules.may_drop:
            certain[:] = True
        certain |= (view.phase == Phase.PLAY)[:, None]
        if t.seat_rules.taker_must_play:
            certain |= np.arange(n) == seats.taker[:, None]
        others = playing & (np.arange(n) > 0)
        sure, open_ = (others & certain).sum(axis=1), (others & ~certain).sum(axis=1)
        chances = np.zeros((len(view), n + 1))
        for more in range(n):
            ways = np.array([comb(k, more) for k in range(n)])[open_]
            likely = ways * STAYS**more * (1 - STAYS) ** np.maximum(open_ - more, 0)
            rows = np.flatnonzero(ways)
            chances[rows, (1 + sure + more)[rows]] = likely[rows]
        return chances

    def _lies_in_reserve(self, view: PlayerView) -> Words:
        """The card on the table (R,) that goes with the reserve; none where it lies elsewhere."""
        t, seats = self.reader.game.tables, _seats(view)
        active = seats.active.sum(axis=1)
        pile = t.seat_rules.piles[0, active, np.minimum(t.seat_rules.reserve[active], 3)]
        in_reserve = (pile == t.seat_rules.turned[active][:, None]).any(axis=1)
        lies = np.where(
            seats.six_by == NONE, t.cards.bit[seats.turned], t.cards.low_trump[view.mode]
        )
        return np.where(in_reserve, lies, t.word_type.type(0))


def _seats(view: PlayerView) -> SeatView:
    assert view.seats is not None  # games in which seats vary have it
    return view.seats
