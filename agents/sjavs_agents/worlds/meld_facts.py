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
from types import SimpleNamespace
from typing import Any

import numpy as np

from sjavs_agents.worlds.apart import Apart, seats_of
from sjavs_agents.worlds.cases import Cases, count_bits
from sjavs_env import Game, PlayerView
from sjavs_env.cards import SUITS
from sjavs_env.engine.course import next_in
from sjavs_env.engine.melds import announce, score_melds
from sjavs_env.rules.tables import NONE, Bool, Ints, Words
from sjavs_env.rules.tables.melds import SHORTEST

__all__ = ["MeldFacts"]


class MeldFacts:
    """Melds of one game as facts about hidden hands."""

    def __init__(self, game: Game, apart: Apart) -> None:
        self.tables, self._apart = game.tables, apart
        melds = game.tables.seats.melds
        sets = [*_runs(game), *melds.fours[: melds.n_fours].tolist(), *melds.marriage[1:].tolist()]
        self._sets = np.array(sets, dtype=game.tables.word_type)
        modes = range(game.tables.n_modes)
        self._keys = np.stack([self._key(self._sets, np.full(len(sets), m)) for m in modes])
        self._nothing = game.tables.word_type.type(0)

    def _key(self, hands: Words, mode: Ints) -> Ints:
        """What hands (W,) announce."""
        at = np.arange(len(hands))
        state: Any = SimpleNamespace(
            hand=hands[:, None], mode=mode, announced=np.zeros((len(hands), 1), dtype=np.intp)
        )
        announce(self.tables, state, at, np.zeros(len(hands), dtype=np.intp))
        return np.asarray(state.announced[:, 0])

    def explain(self, cases: Cases, view: PlayerView) -> Cases:
        """Return the cases, each once for every explanation of what its seats announced."""
        row, forced = [], []
        n_seats = cases.base.shape[1]
        open_seats = self._unexplained(view)
        for q in range(len(cases.row)):
            seats = np.flatnonzero(open_seats[cases.row[q]])
            for chosen in self._explanations(cases, view, q, seats):
                row.append(q)
                forced.append(np.zeros(n_seats, dtype=self.tables.word_type))
                forced[-1][seats] = chosen
        explained = cases.select(np.array(row, dtype=np.intp))
        cards = np.array(forced, dtype=self.tables.word_type).reshape(-1, n_seats)
        explained.place &= ~np.bitwise_or.reduce(cards, axis=1)
        explained.size[:, :n_seats] -= count_bits(cards)
        explained.held[:, :n_seats] |= cards
        return explained

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

    def _explanations(
        self, cases: Cases, view: PlayerView, q: int, seats: Ints
    ) -> Iterator[list[Any]]:
        """Cards to be forced into the hands of ``seats``, for each explanation."""
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
            together = np.array(chosen, dtype=self.tables.word_type)
            if count_bits(np.bitwise_or.reduce(together)) == count_bits(together).sum():
                yield list(chosen)

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
        seats, rows = seats_of(view), np.arange(len(view))
        n_seats = dealt.shape[1]
        follows = next_in(seats.playing)
        state: Any = SimpleNamespace(
            hand=dealt, dealt=dealt, mode=view.mode, playing=seats.playing,
            announced=np.zeros_like(seats.announced), melds=np.zeros_like(seats.melds),
            leader=follows[rows, view.dealer], known=self._known_before(view, dealt),
        )  # fmt: skip
        for seat in range(n_seats):
            spoke = np.flatnonzero(view.played[:, seat] != 0)
            announce(self.tables, state, spoke, np.full(len(spoke), seat))
        score_melds(self.tables, state, np.flatnonzero(view.trick_number > 0))
        same = (state.announced == seats.announced) & (state.melds == seats.melds)
        held = dealt & ~view.played
        same &= (view.trick_number == 0)[:, None] | ((state.known & held) == seats.known)
        return np.asarray(same.all(axis=1))

    def _known_before(self, view: PlayerView, dealt: Words) -> Words:
        """Cards (W, P) that all knew to be in a hand before the first trick was over."""
        t, seats = self.tables, seats_of(view)
        bit = np.append(t.cards.bit, self._nothing)
        each = np.arange(dealt.shape[1])
        turned, low = bit[seats.turned], t.cards.low_trump[view.mode]
        table = self._apart.table_as_dealt(view)
        is_taker = each == seats.taker[:, None]
        shown = (each == view.dealer[:, None]) & (table == NONE)[:, None]
        shown |= (each == seats.six_by[:, None]) & (~is_taker | t.seats.asks_late)
        known: Words = np.where(shown, turned[:, None], self._nothing)
        with_it = np.where(seats.six_by == NONE, turned, low)[:, None]
        took = is_taker & self._apart.table_in_reserve(view)[:, None]
        known |= np.where(took, with_it, self._nothing)
        if t.seats.asks_late:
            was_asked = (self._apart.on_table(view) != NONE)[:, None] & (view.played != 0)
        else:
            was_asked = (table != NONE)[:, None] & ~is_taker
        has_low = (dealt & low[:, None]) != 0
        kept = was_asked & has_low & (turned != low)[:, None]
        known |= np.where(kept, low[:, None], self._nothing)
        return known


def _runs(game: Game) -> Iterator[int]:
    """Every run of three cards or more, as a set."""
    ranks = game.rules.ranks
    for suit in SUITS:
        for first in range(len(ranks)):
            for end in range(first + SHORTEST, len(ranks) + 1):
                yield game.pack.word([rank + suit for rank in ranks[first:end]])
