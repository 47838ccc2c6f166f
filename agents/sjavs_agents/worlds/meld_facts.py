"""What announced and scored melds prove about hands.

An announcement tells the best meld of a hand; after the first trick the melds scored are known.
Such facts are no counts of cards, so worlds are drawn without some of them and kept only if the
engine, asked what these hands would have announced and scored, says the same.

That alone would be slow after a rare announcement.  So each *explanation*, one meld with the
announced value for each seat that announced something, makes a case of its own with these cards
forced.  A world that fits k explanations is drawn k times as often as one that fits a single
one, and is kept with probability 1 / k: what is left is uniform (the union of sets of Karp and
Luby, FOCS 1983).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from sjavs_agents.worlds.piles import Cases, count_bits
from sjavs_agents.worlds.spare_hands import SpareHands, seats_of
from sjavs_env import Game, PlayerView
from sjavs_env.cards import SUITS
from sjavs_env.engine.course import next_in
from sjavs_env.engine.melds import announced_by, scored_by
from sjavs_env.rules.tables import NONE, Bool, Ints, Words
from sjavs_env.rules.tables.meld_tables import SHORTEST

__all__ = ["MeldFacts"]


class MeldFacts:
    """Melds of one game as facts about hidden hands."""

    def __init__(self, game: Game, spare_hands: SpareHands) -> None:
        self._tables, self._spare_hands = game.tables, spare_hands
        self._melds = melds = game.tables.seat_rules.melds
        marriages = [pair for pair in melds.marriage.tolist() if pair]
        sets = [*_runs(game), *melds.fours[: melds.n_fours].tolist(), *marriages]
        self._sets = np.array(sets, dtype=game.tables.word_type)  # every single meld
        modes = np.repeat(np.arange(game.tables.n_modes), len(sets))
        keys = announced_by(melds, np.tile(self._sets, game.tables.n_modes), modes)
        self._keys = keys.reshape(-1, len(sets))  # (M, sets) what each of them announces
        self._nothing = game.tables.word_type.type(0)

    def explain(self, cases: Cases, view: PlayerView) -> Cases:
        """Return the cases, each once for every explanation of what its seats announced."""
        open_seats = self._unexplained(view)
        explained = [
            (q, forced)
            for q, row in enumerate(cases.row)
            for forced in self._explanations(cases, view, q, np.flatnonzero(open_seats[row]))
        ]
        n_seats = cases.base.shape[1]
        found = cases.select(np.array([q for q, _ in explained], dtype=np.intp))
        cards = np.array([forced for _, forced in explained], dtype=self._sets.dtype)
        cards = cards.reshape(-1, n_seats)
        found.place &= ~np.bitwise_or.reduce(cards, axis=1)
        found.size[:, :n_seats] -= count_bits(cards)
        found.held[:, :n_seats] |= cards
        return found

    def _unexplained(self, view: PlayerView) -> Bool:
        """Which other seats (R, S) announced a meld that their public cards do not show."""
        seats = seats_of(view)
        public = (view.played | seats.known)[:, 1:]
        fits = self._fits(public, seats.announced[:, 1:], view.mode)
        return np.asarray((seats.announced[:, 1:] > 0) & ~fits.any(axis=2))

    def _fits(self, hands: Words, announced: Ints, mode: Ints) -> Bool:
        """Which melds (W, S, sets) of the value announced are in the hands (W, S)."""
        held = (self._sets & ~hands[..., None]) == 0
        return np.asarray(held & (self._keys[mode][:, None] == announced[..., None]))

    def _explanations(self, cases: Cases, view: PlayerView, q: int, seats: Ints) -> Iterator[Words]:
        """Yield the cards (S,) to be forced into each hand, for each explanation of a case.

        It takes one meld for each of ``seats``, of cards that the others do not take.
        """
        r = cases.row[q]
        options = []
        for seat in seats:
            public = (view.played | seats_of(view).known)[r, 1 + seat]
            value = seats_of(view).announced[r, 1 + seat]
            sets = self._sets[self._keys[view.mode[r]] == value]
            may_have = public | (cases.place[q] & cases.may[q, seat])
            sets = sets[(sets & ~may_have) == 0] & ~public
            options.append(sets[count_bits(sets) <= cases.size[q, seat]])
        for chosen in product(*options):
            forced = np.zeros(cases.base.shape[1], dtype=self._sets.dtype)
            forced[seats] = chosen
            if count_bits(np.bitwise_or.reduce(forced)) == count_bits(forced).sum():
                yield forced

    def keep(self, view: PlayerView, hands: Words, rng: np.random.Generator) -> Bool:
        """Choose worlds to keep: views (W,) with the other seats' hands (W, S).

        Draws one double for each world.
        """
        seats = seats_of(view)
        dealt = np.concatenate([view.hand[:, None], hands], axis=1) | view.played
        fits = self._fits(dealt[:, 1:], seats.announced[:, 1:], view.mode).sum(axis=2)
        number = np.where(self._unexplained(view), fits, 1).prod(axis=1)
        kept = rng.random(len(view)) * number < 1
        at = np.flatnonzero(kept & (view.played != 0).any(axis=1))
        kept[at] = self.agrees(view.select(at), dealt[at])
        return kept

    def agrees(self, view: PlayerView, dealt: Words) -> Bool:
        """Whether hands as played from (W, P) would have announced and scored what they have."""
        seats, has_spoken = seats_of(view), view.played != 0
        announced = np.zeros_like(seats.announced)
        row, seat = np.nonzero(has_spoken)
        announced[row, seat] = announced_by(self._melds, dealt[row, seat], view.mode[row])
        scored, known = np.zeros_like(seats.melds), self._known_before(view, dealt)
        over = np.flatnonzero(view.trick_number > 0)  # the first trick is
        first_leader = next_in(seats.playing)[over, view.dealer[over]]
        scored[over], shown = scored_by(
            self._melds, dealt[over], view.mode[over], announced[over], seats.playing[over] == 1,
            first_leader,
        )  # fmt: skip
        known[over] |= shown
        same = (announced == seats.announced) & (scored == seats.melds)
        held = dealt & ~view.played
        same &= (view.trick_number == 0)[:, None] | ((known & held) == seats.known)
        return np.asarray(same.all(axis=1))

    def _known_before(self, view: PlayerView, dealt: Words) -> Words:
        """Cards (W, P) that all knew to be in a hand before the first trick was over.

        The card turned up, in the hand that it came to: the dealer's where it did not lie on the
        table, or that of who put the lowest trump in its place; what lay on the table with the
        reserve, in the hand that took it; and the lowest trump that somebody kept when asked, or
        that came with the reserve because nobody could be asked.
        """
        t, seats, spare = self._tables, seats_of(view), self._spare_hands
        bit, seat = np.append(t.cards.bit, self._nothing), np.arange(dealt.shape[1])
        turned, low = bit[seats.turned], t.cards.low_trump[view.mode]
        table = spare.table_as_dealt(view)
        is_taker = seat == seats.taker[:, None]
        has_turned = (seat == view.dealer[:, None]) & (table == NONE)[:, None]
        has_turned |= (seat == seats.six_by[:, None]) & (~is_taker | t.seat_rules.asks_late)
        took_table = is_taker & spare.table_in_reserve(view)[:, None]
        on_table = np.where(seats.six_by == NONE, turned, low)
        if t.seat_rules.asks_late:
            was_asked = (spare.on_table(view) != NONE)[:, None] & (view.played != 0)
        else:
            is_proved = ~is_taker | ~spare.has_dead(view)[:, None]
            was_asked = (table != NONE)[:, None] & is_proved
        knows_low = was_asked & ((dealt & low[:, None]) != 0) & (turned != low)[:, None]
        known: Words = np.where(has_turned, turned[:, None], self._nothing)
        known |= np.where(took_table, on_table[:, None], self._nothing)
        known |= np.where(knows_low, low[:, None], self._nothing)
        return known


def _runs(game: Game) -> Iterator[int]:
    """Every run of three cards or more, as a set."""
    ranks = game.rules.cards.ranks
    for suit in SUITS:
        for first in range(len(ranks)):
            for end in range(first + SHORTEST, len(ranks) + 1):
                cards = [rank + suit for rank in ranks[first:end]]
                if set(cards) <= game.pack.ids.keys():
                    yield game.pack.word(cards)
