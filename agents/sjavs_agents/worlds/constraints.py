"""What a seat knows about the hidden cards, as counting problems; and what their answers mean.

A view may stand for several *cases* that differ in how many cards lie where; each is a problem
of its own, and each way of any of them is as likely as any other::

    view -> cases -> problems  ->  ways to fill the piles  ->  cards of the holders
"""

from __future__ import annotations

import numpy as np

from sjavs_agents.worlds.announcements import Announcements
from sjavs_agents.worlds.piles import LATER, Cases, Piles, count_bits
from sjavs_agents.worlds.placement_problems import Int64, Problems
from sjavs_agents.worlds.proofs import Proofs
from sjavs_agents.worlds.sound_views import ViewCheck
from sjavs_agents.worlds.spare_hands import SpareHands
from sjavs_agents.worlds.splits import Space, space_for
from sjavs_env import Game, PlayerView
from sjavs_env.rules.tables import NONE, Ints, Phase, Words

__all__ = ["Constraints"]


class Constraints:
    """Turns views of one game into counting problems, and ways back into cards.

    ``holders`` names where hidden cards may be (H): the hands of the other seats, next seat
    first; cards face down of every seat, the viewer's first; the talon and what another seat
    has laid away.
    """

    def __init__(self, game: Game, *, calls: bool = True) -> None:
        """Read the rules; ValueError for rules that cannot be taken into account.

        With ``calls=False`` nothing is concluded from calls and the suit named.
        """
        self.tables = t = game.tables
        self.announcements = Announcements(t)
        self.lengths_count = calls and not self.announcements.prove_nothing
        if self.lengths_count and t.exchange.most_laid and not t.exchange.lays_blind:
            raise ValueError("lengths announced before an exchange with seen cards; allowed: blind")
        if t.deal.n_columns and t.n_players != 2:
            raise ValueError(f"cards on the table with {t.n_players} players; allowed: 2")
        self.proofs = Proofs(game)
        self._soundness = ViewCheck(t)
        self.piles = Piles.of(t, self.lengths_count)
        self.holders = self.piles.names[: self.piles.n_public]
        self.spare_hands = SpareHands(game, self.piles) if t.seats else None
        self._pack = np.bitwise_or.reduce(t.cards.bit)
        self._nothing = t.word_type.type(0)
        self._dealt = game.rules.hand_size
        common = np.bitwise_and.reduce(t.cards.length_set)
        self._groups = np.array([common, *(t.cards.length_set & ~common)])

    def cases(self, view: PlayerView) -> Cases:
        """Return the cases of the views, those of a view one after the other.

        ValueError for a deal that is over, and for a view that no game can show.
        """
        self._soundness.check(view)
        over = np.flatnonzero(view.phase == Phase.OVER)
        if len(over):
            raise ValueError(f"the deal of view {over[0]} is over; allowed: deals that go on")
        row, extra = self._branches(view)
        v, excluded = view.select(row), self.proofs.excluded(view)[row]
        known = v.open if v.seats is None else v.seats.known
        cases = self._hands(row, v, excluded, known)
        if self.tables.deal.n_columns:
            self._add_table(cases, v, extra)
        if self.tables.deal.n_talon:
            self._add_talon(cases, v, extra)
        if self.spare_hands:
            self.spare_hands.add(cases, v)
        return cases.select(np.asarray((cases.size >= 0).all(axis=1)))

    def problems(self, view: PlayerView, cases: Cases) -> tuple[Problems, Space]:
        """Return the cases as whole numbers, with the bounds that the calls set.

        And the working memory that the largest of them takes.
        """
        bounds = self.announcements.bounds(view, proves=self.lengths_count)
        of_group = cases.base[..., None] & self._groups
        arrays = (
            cases.place, cases.may, cases.size, cases.counts_for, count_bits(of_group),
            *(b[cases.row] for b in bounds), self._groups,
        )  # fmt: skip
        problems = Problems(*(np.ascontiguousarray(a, dtype=np.int64) for a in arrays))
        return problems, space_for(problems, bounded=self.lengths_count)

    def sum_by_view(self, view: PlayerView, cases: Cases, counts: Int64) -> Ints:
        """Add up the ways of the cases of each view (R,); ValueError where there are none."""
        total = np.zeros(len(view), dtype=np.intp)
        np.add.at(total, cases.row, counts)
        if len(total) and total.min() == 0:
            raise ValueError(f"no deal agrees with view {int(total.argmin())}")
        return total

    def fill_holders(
        self, view: PlayerView, cases: Cases, case: Ints, filled: Int64
    ) -> tuple[Words, Words]:
        """Return what the holders (W, H) have now, in ways (W, piles) to fill the piles of cases.

        Known cards are included.  Besides, what of it (W,) came to another seat's hand later.
        """
        words = filled.astype(self.tables.word_type)
        later = np.zeros(len(case), dtype=words.dtype)
        row, n_public = cases.row[case], len(self.holders)
        if n_public < words.shape[1]:
            later = words[:, self.piles.at(LATER)]
            words[np.arange(len(case)), self.receiver(view)[row]] |= later
        played = np.bitwise_or.reduce(view.played, axis=1)
        held = (words[:, :n_public] & ~played[row, None]) | cases.held[case][:, :n_public]
        return held, later

    def receiver(self, view: PlayerView) -> Ints:
        """Which of the other seats' hands (R,) cards came to that it had not been dealt."""
        return np.maximum(view.declarer, 1) - 1

    def _branches(self, view: PlayerView) -> tuple[Ints, Ints]:
        """Return the view (Q,) and the number (Q,) that tells the cases of a view apart.

        It is the cards that another seat has laid away so far, or the cards face down whose
        cover was played to the trick that goes on.
        """
        more = np.zeros(len(view), dtype=np.intp)
        if self.tables.deal.n_columns:
            more = (view.trick[:, 1] != NONE).astype(np.intp)
        if self.tables.exchange.most_laid:
            is_laying = (view.phase == Phase.LAY) & (view.declarer > 0)
            more = np.where(is_laying, self.tables.exchange.most_laid - 1, 0)
        row = np.repeat(np.arange(len(view)), more + 1)
        first = np.cumsum(more + 1) - (more + 1)
        return row, np.arange(len(row)) - first[row]

    def _hands(self, row: Ints, v: PlayerView, excluded: Words, known: Words) -> Cases:
        """Start with the hands of the other seats, as if there were nothing else."""
        n_cases, n_piles = len(row), len(self.piles.names)
        others = v.calls.shape[1] - 1
        seen = v.hand | np.bitwise_or.reduce(v.played | known, axis=1)
        place = self._pack & ~seen
        may = np.zeros((n_cases, n_piles), dtype=self.tables.word_type)
        size = np.zeros((n_cases, n_piles), dtype=np.intp)
        counts_for = np.full((n_cases, n_piles), NONE)
        may[:, :others] = place[:, None] & ~excluded[:, 1:]
        public = v.played[:, 1:] | known[:, 1:]
        size[:, :others] = self._dealt - count_bits(public)
        counts_for[:, :others] = np.arange(others)
        held = np.zeros_like(may)
        held[:, :others] = known[:, 1:]
        return Cases(row, place, may, size, held, counts_for, public)

    def _add_table(self, cases: Cases, v: PlayerView, pending: Ints) -> None:
        """Cards face down, and those of them that were turned up and have been played.

        Which of the other seat's played cards lay face down once, the view does not tell; but
        for the first trick any may have.  They did not count in the auction.
        """
        n, columns = self.tables.n_tricks, self.tables.deal.n_columns
        own, other = (self.piles.at(f"face down {seat}") for seat in range(2))
        covering, bare = v.covering[:, 1], v.open[:, 1] & ~v.covering[:, 1]
        below = count_bits(covering) + pending
        cases.size[:, own] = n - count_bits(v.played[:, 0]) - count_bits(v.hand)
        cases.size[:, other] = below
        cases.may[:, [own, other]] = cases.place[:, None]
        turned = columns - below - count_bits(bare)  # and played
        hidden = n - below - count_bits(v.played[:, 1] | v.open[:, 1])
        fits = (turned >= 0) & (hidden <= self._dealt - columns)
        cases.size[:, 0] = np.where(fits, hidden, NONE)
        if not self.lengths_count:
            return
        later = self.piles.at(LATER)
        not_first = ((v.fell > 1) * self.tables.cards.bit).sum(axis=1, dtype=self.tables.word_type)
        unclear = np.where(turned > 0, v.played[:, 1] & not_first, self._nothing)
        bit = np.append(self.tables.cards.bit, self._nothing)
        unclear &= ~np.where(pending == 1, bit[v.trick[:, 1]], self._nothing)
        cases.size[:, later] = turned
        cases.size[:, 0] += np.where(fits, count_bits(unclear) - turned, 0)
        cases.base[:, 0] &= ~(unclear | bare)
        cases.place |= unclear
        cases.may[:, 0] |= unclear
        cases.may[:, later] = unclear

    def _add_talon(self, cases: Cases, v: PlayerView, laid_so_far: Ints) -> None:
        """The talon, and what another seat has laid away for cards of the talon.

        Where lengths were announced, cards that came from the talon did not count: the view
        does not tell them from those dealt, whether held or played.
        """
        t, rows = self.tables, np.arange(len(v))
        talon, laid = self.piles.at("talon"), self.piles.at("laid")
        cases.place &= ~v.laid
        cases.may &= cases.place[:, None]
        cases.may[:, [talon, laid]] = cases.place[:, None]
        cases.size[:, talon] = t.deal.n_talon - v.taken
        is_other = v.declarer > 0
        other, seat = rows[is_other], v.declarer[is_other] - 1
        is_laying = v.phase[other] == Phase.LAY
        away = np.where(is_laying, laid_so_far[other], v.taken[other])
        cases.size[other, laid] = away
        cases.counts_for[other, laid] = seat
        cases.size[other, seat] += v.taken[other] - away
        if not self.lengths_count:
            return
        came, seat = other[v.taken[other] > 0], seat[v.taken[other] > 0]
        later, taken = self.piles.at(LATER), v.taken[came]
        played = v.played[came, seat + 1]
        cases.size[came, later] = taken
        cases.size[came, seat] += count_bits(played) - taken
        cases.base[came, seat] = 0
        cases.place[came] |= played
        cases.may[came, seat] |= played
        cases.may[came, later] = cases.may[came, seat]
