"""Worlds that a seat may be in: drawn uniformly, counted exactly, and how likely each card is.

The measure: every deal that agrees with all that the seat knows is as likely as any other, and
with it every hidden choice that it allows (which cards another seat has laid away).  Calls are
hard facts: a deal agrees if every seat could have made its calls with its cards, whatever the
chance that it would.  The order of cards in a pile is not counted; where a state has one, it is
drawn evenly.

A view has no memory.  Two things that a player has seen are not in it, so that here the deals
are those of all pasts with the same view: which cards of the talon the viewer took in, which
does not matter to the hidden cards; and which of the other seat's played cards had been turned
up on the table.  Of the second a way says that much: so many of them, none in the first trick.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.worlds.builder import WorldBuilder
from sjavs_agents.worlds.cases import LATER, Cases
from sjavs_agents.worlds.constraints import Constraints
from sjavs_agents.worlds.counting import count_ways, count_ways_by_card
from sjavs_agents.worlds.drawing import draw_ways
from sjavs_agents.worlds.meld_facts import MeldFacts
from sjavs_agents.worlds.problems import Problems
from sjavs_agents.worlds.splits import Space, make_space
from sjavs_env import Game, GameState, Phase, PlayerView
from sjavs_env.rules.tables import Ints, Words

__all__ = ["Hands", "Sampler"]

GROWTH = 32.0  # so many times the worlds still missing are drawn at once at most
MOST_DRAWN = 2**24  # worlds of a view drawn without finding enough before giving up


@dataclass(frozen=True, slots=True)
class Hands:
    """All that is drawn of W worlds: some bytes each, where a whole state takes hundreds."""

    holders: Words  # (W, H) what each holder has, known cards included
    later: Words  # (W,) what of it came from the talon into another seat's hand, where known

    def __len__(self) -> int:
        return len(self.later)

    def select(self, at: Ints) -> Hands:
        """Return some of the worlds."""
        return Hands(self.holders[at], self.later[at])


class Sampler:
    """The worlds of one game, seen from any seat.

    ``holders`` names where hidden cards may be (H): the hands of the other seats, next seat
    first; cards face down of every seat, the viewer's first; the talon and what another seat
    has laid away.
    """

    def __init__(self, game: Game, *, calls: bool = True) -> None:
        """Read the rules; ValueError for rules that cannot be taken into account.

        With ``calls=False`` nothing is concluded from calls and the suit named.
        """
        self.game = game
        self._constraints = Constraints(game, calls=calls)
        piles = self._constraints.piles
        self.holders = piles.names[: piles.n_public]
        apart = self._constraints.apart
        self._melds = MeldFacts(game, apart) if apart else None
        self._builder = WorldBuilder(game, piles, apart)

    def count(self, view: PlayerView) -> list[int]:
        """Return how many ways the hidden cards of each view (R,) may lie; ValueError if none.

        What announced melds prove is left out, so where there are melds this is an upper bound.
        """
        cases, problems, space = self.prepare(view)
        return self.totals(view, cases, count_ways(problems, space)).tolist()

    def hands(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> Words:
        """Return the cards (R, worlds, H) of each holder in that many worlds of each view.

        Draws one 64-bit word from ``rng`` for each world, and a whole number where a view leaves
        open how many cards lie where.  ValueError where no deal agrees with a view.
        """
        drawn = self.draw(view, worlds, rng)
        return drawn.holders.reshape(len(view), worlds, len(self.holders))

    def sample(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> GameState:
        """Return states of R * worlds games; game i * worlds + j is world j of view i.

        Seats are those at the table; ``view_of`` gives every state the view it was drawn for.
        What no view shows is filled in (see ``worlds``).  Draws as ``hands`` does, then what
        lies in an order.  ValueError for fewer than one world, for a deal that is over and
        where no deal agrees with a view.
        """
        drawn = self.draw(view, worlds, rng)
        return self.build(view.select(np.repeat(np.arange(len(view)), worlds)), drawn, rng)

    def build(self, view: PlayerView, drawn: Hands, rng: np.random.Generator) -> GameState:
        """Return the states of worlds (W,) drawn for these views (W,): one world of each.

        Draws from ``rng`` what lies in an order.
        """
        return self._builder.build(view, drawn.holders, drawn.later, rng)

    def belief(self, view: PlayerView) -> NDArray[np.float64]:
        """Return the chance (R, H, N) that each hidden card is with each holder, exactly.

        It is the share of the ways that ``count`` counts in which the card lies there.  Zero for
        cards that are not hidden.  See ``lacks_melds``.
        """
        cases, problems, space = self.prepare(view)
        counts, by_card = count_ways_by_card(problems, space)
        total = self.totals(view, cases, counts)
        n_public, n_cards = len(self.holders), self.game.tables.n_cards
        if n_public < by_card.shape[1]:
            later = by_card[:, self._constraints.piles.at(LATER)]
            by_card[np.arange(len(later)), self._receiver(view)[cases.row]] += later
        ways = np.zeros((len(view), n_public, n_cards))
        np.add.at(ways, cases.row, by_card[:, :n_public, :n_cards])
        played = np.bitwise_or.reduce(view.played, axis=1)
        ways[np.broadcast_to(self.game.unpack(played)[:, None] == 1, ways.shape)] = 0
        return ways / total[:, None, None]

    def lacks_melds(self, view: PlayerView) -> NDArray[np.bool_]:
        """Say in which views (R,) melds may prove what ``count`` and ``belief`` leave out."""
        return np.asarray(view.played.any(axis=1) & (self._melds is not None))

    def drawn_belief(
        self, view: PlayerView, worlds: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return the share (R, H, N) of that many worlds in which a card is with a holder.

        An estimate of what ``belief`` returns, with melds taken into account.  Draws and fails as
        ``hands`` does.
        """
        cases, _, _ = self.prepare(view)
        hidden = np.zeros(len(view), dtype=cases.place.dtype)
        np.bitwise_or.at(hidden, cases.row, cases.place)
        hidden &= ~np.bitwise_or.reduce(view.played, axis=1)
        shares = np.zeros((len(view), len(self.holders), self.game.tables.n_cards))
        for i, word in enumerate(hidden):  # all at once could be gigabytes
            hands = self.hands(view.select(np.array([i])), worlds, rng)[0] & word
            shares[i] = self.game.unpack(hands).mean(axis=0)
        return shares

    def _receiver(self, view: PlayerView) -> Ints:
        """Which of the other seats' hands (R,) cards came to that it had not been dealt."""
        return np.maximum(view.declarer, 1) - 1

    def prepare(
        self, view: PlayerView, *, explained: bool = False
    ) -> tuple[Cases, Problems, Space]:
        """Turn views into problems, with working memory for the largest.

        Announced melds are ``explained`` by cases of their own, or not taken into account.
        """
        over = np.flatnonzero(view.phase == Phase.OVER)
        if len(over):
            raise ValueError(f"the deal of view {over[0]} is over; allowed: deals that go on")
        cases = self._constraints.cases(view)
        if explained and self._melds:
            cases = self._melds.explain(cases, view)
        return cases, *self.count_space(view, cases)

    def count_space(self, view: PlayerView, cases: Cases) -> tuple[Problems, Space]:
        """Return cases as problems, with working memory for the largest."""
        states = (cases.size + 1).prod(axis=1) // (cases.size.max(axis=1) + 1)
        problems = self._constraints.problems(view, cases)
        n_bounded = problems.need.shape[1] if self._constraints.lengths_count else 0
        return problems, make_space(int(states.max(initial=1)), n_bounded)

    def totals(self, view: PlayerView, cases: Cases, counts: NDArray[np.int64]) -> Ints:
        """Add up the ways of each view; ValueError where there are none."""
        total = np.zeros(len(view), dtype=np.intp)
        np.add.at(total, cases.row, counts)
        if len(total) and total.min() == 0:
            raise ValueError(f"no deal agrees with view {int(total.argmin())}")
        return total

    def to_holders(
        self, view: PlayerView, cases: Cases, case: Ints, piles: NDArray[np.int64]
    ) -> tuple[Words, Words]:
        """Turn piles into what the holders hold now, known cards included."""
        n_public, word = len(self.holders), self.game.tables.word_type
        words = piles.astype(word)
        later = np.zeros(len(case), dtype=word)
        row = cases.row[case]
        if n_public < words.shape[1]:
            later = words[:, self._constraints.piles.at(LATER)]
            words[np.arange(len(case)), self._receiver(view)[row]] |= later
        played = np.bitwise_or.reduce(view.played, axis=1)
        holders = (words[:, :n_public] & ~played[row, None]) | cases.held[case][:, :n_public]
        return holders, later

    def draw(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> Hands:
        """Return R * worlds worlds; world i * worlds + j is world j of view i.

        Draws and fails as ``hands`` does.
        """
        if worlds < 1:
            raise ValueError(f"worlds is {worlds}; allowed: a number from 1")
        draw = _Draw(self, view, rng)
        if self._melds is None:
            return Hands(*draw.worlds(np.full(len(view), worlds)))
        parts, taken = [], [np.zeros(0, dtype=np.intp)]
        missing, drawn, kept = np.full(len(view), worlds), np.ones(len(view)), np.ones(len(view))
        while missing.any():
            if (drawn * (missing > 0)).max() > MOST_DRAWN:
                raise ValueError(f"no deal agrees with view {int(missing.argmax())}")
            number = np.ceil(missing * np.minimum(drawn / kept, GROWTH)).astype(np.intp)
            row = np.repeat(np.arange(len(view)), number)
            words, _ = draw.worlds(number)
            keep = self._melds.keep(view.select(row), words[:, : view.calls.shape[1] - 1], rng)
            at = np.flatnonzero(keep)
            drawn += number
            np.add.at(kept, row[at], 1)
            rank = np.arange(len(at)) - np.searchsorted(row[at], row[at])
            at = at[rank < missing[row[at]]]
            np.subtract.at(missing, row[at], 1)
            parts.append(words[at])
            taken.append(row[at])
        order = np.argsort(np.concatenate(taken), kind="stable")
        found = np.concatenate(parts)[order]
        return Hands(found, np.zeros(len(found), dtype=found.dtype))


class _Draw:
    """Worlds of some views, drawn as often as need be."""

    def __init__(self, sampler: Sampler, view: PlayerView, rng: np.random.Generator) -> None:
        self._sampler, self._view, self._rng = sampler, view, rng
        self._cases, self._problems, self._space = sampler.prepare(view, explained=True)
        self._one_each = np.array_equal(self._cases.row, np.arange(len(view)))
        if not self._one_each:
            self._counts = count_ways(self._problems, self._space)
            self._total = sampler.totals(view, self._cases, self._counts)

    def worlds(self, number: Ints) -> tuple[Words, Words]:
        """Return ``number`` (R,) worlds of each view: holders (sum, H), what came later (sum,)."""
        row = np.repeat(np.arange(len(number)), number)
        seeds = self._rng.integers(2**64, size=len(row), dtype=np.uint64)
        if self._one_each:
            start = np.concatenate([[0], np.cumsum(number)])
            piles, counts = draw_ways(self._problems, start, seeds, self._space)
            counts[number == 0] = 1  # not looked at
            self._sampler.totals(self._view, self._cases, counts)
            return self._sampler.to_holders(self._view, self._cases, row, piles)
        case = self._choose_cases(number)
        order = np.argsort(case, kind="stable")
        start = np.searchsorted(case[order], np.arange(len(self._cases.row) + 1))
        drawn, _ = draw_ways(self._problems, start, seeds[order], self._space)
        piles = np.empty_like(drawn)
        piles[order] = drawn
        return self._sampler.to_holders(self._view, self._cases, case, piles)

    def _choose_cases(self, number: Ints) -> Ints:
        """Choose the case of each world by the number of its ways."""
        chosen = self._rng.integers(np.repeat(self._total, number))
        ends, begins = np.cumsum(number), np.searchsorted(self._cases.row, np.arange(len(number)))
        case = np.empty(len(chosen), dtype=np.intp)
        for r in np.flatnonzero(number):  # totals may be too large to be added over views
            mine = slice(ends[r] - number[r], ends[r])
            counts = self._counts[self._cases.row == r]
            case[mine] = begins[r] + np.searchsorted(np.cumsum(counts), chosen[mine], "right")
        return case
