"""All worlds that a seat may be in, each with its chance, where there are few enough to list.

Two worlds are one if the other seats hold the same cards, in the same order where cards lie on
others.  What lies apart from the hands can no longer be played, and counts for the same side
wherever it lies; it is filled in, and the ways in which it may lie are counted as chance.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.worlds.builder import WorldBuilder
from sjavs_agents.worlds.constraints import Constraints
from sjavs_agents.worlds.counting import count_ways
from sjavs_agents.worlds.drawing import draw_ways
from sjavs_agents.worlds.meld_facts import MeldFacts
from sjavs_agents.worlds.piles import LATER, Cases
from sjavs_env import Game, GameState, Phase, PlayerView
from sjavs_env.rules.tables import NONE, Ints, Words

__all__ = ["Census", "Worlds"]


class Worlds(NamedTuple):
    """The worlds of one view."""

    state: GameState  # W games
    chance: NDArray[np.float64]  # (W,) sums to 1


class Census:
    """Lists every world of a view of one game, in the sampler's measure."""

    def __init__(
        self, game: Game, constraints: Constraints, melds: MeldFacts | None, builder: WorldBuilder
    ) -> None:
        """``melds`` only in games that have them."""
        self.game, self._known, self._melds, self._builder = game, constraints, melds, builder
        n = game.tables.n_players
        # piles that play depends on
        self._n_hands = n - 1 + (n if game.tables.deal.n_columns else 0)
        names = constraints.piles.names
        self._later = names.index(LATER) if LATER in names else None

    def list_worlds(self, view: PlayerView, most: int) -> Worlds | None:
        """Return all worlds of a view of one game, or None where they may be more than ``most``.

        Fails as ``Sampler.all_worlds`` does.
        """
        if len(view) != 1 or view.phase[0] != Phase.PLAY:
            raise ValueError(
                f"{len(view)} views, phases {view.phase.tolist()}; allowed: one, in phase PLAY"
            )
        cases = self._known.cases(view)
        parts = []
        for q in range(len(cases.row)):
            found = _share_out(*self._question(view, cases, q), most)
            if found is None:
                return None
            parts.append(found)
        case = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        hands = np.concatenate(parts).astype(view.hand.dtype)
        return self._weigh(view, cases, case, hands, most) if len(hands) <= most else None

    def _question(self, view: PlayerView, cases: Cases, q: int) -> tuple[int, list[int], list[int]]:
        """Return the cards not played that one case leaves open, who may have them and how many.

        The last place stands for all that is no hand.  Which cards a hand has got since it was
        dealt is left open, and so are played cards among these.
        """
        n, played = self._n_hands, int(np.bitwise_or.reduce(view.played[0]))
        may, size = cases.may[q].tolist(), cases.size[q].tolist()
        if self._later is not None:
            seat, later = int(self._known.receiver(view)[0]), self._later
            may[seat] |= may[later] if size[later] else 0
            size[seat] += size[later] - (int(cases.place[q]) & played).bit_count()
            may[later] = size[later] = 0
        elsewhere = 0
        for pile, room in zip(may[n:], size[n:], strict=True):
            elsewhere |= pile if room else 0
        return int(cases.place[q]) & ~played, [*may[:n], elsewhere], [*size[:n], sum(size[n:])]

    def _weigh(
        self, view: PlayerView, cases: Cases, case: Ints, hands: Words, most: int
    ) -> Worlds | None:
        """Count the ways of all else under each choice of hands (W, hands), and build worlds."""
        left, filled = self._fill(view, cases.select(case), hands)
        problems, space = self._known.problems(view, left)
        ways = count_ways(problems, space)
        there = np.flatnonzero(ways)
        if not len(there):
            raise ValueError("no deal agrees with the view")
        # Of the ways of all else any one will do: it is out of play.
        start = np.searchsorted(there, np.arange(len(ways) + 1))
        piles, _ = draw_ways(problems, start, np.zeros(len(there), dtype=np.uint64), space)
        piles[:, filled] |= hands[there][:, filled].astype(np.int64)
        words, later = self._known.fill_holders(view, cases, case[there], piles)
        told = self._as_announced(view, words)
        # Only the order of cards that are out of play is drawn here.
        rng = np.random.default_rng(0)
        repeated = view.select(np.zeros(len(told), dtype=np.intp))
        state = self._builder.build_games(repeated, words[told], later[told], rng)
        chance = ways[there][told].astype(np.float64)
        return _lay_out(Worlds(state, chance / chance.sum()), most)

    def _fill(self, view: PlayerView, cases: Cases, hands: Words) -> tuple[Cases, list[int]]:
        """Give hands (W, hands) their cards; return what cases (W,) leave open, and filled piles.

        Where cards came to a hand later, it stays open which: that hand is still a pile to be
        filled, but from these cards and those that it has played alone.
        """
        filled = list(range(self._n_hands))
        cases.place &= ~np.bitwise_or.reduce(hands, axis=1)
        if self._later is not None:
            seat = int(self._known.receiver(view)[0])
            filled.remove(seat)
            own = hands[:, seat] | np.bitwise_or.reduce(view.played[0])
            both = cases.may[:, [seat, self._later]] & own[:, None]
            cases.may &= ~own[:, None]
            cases.may[:, [seat, self._later]] = both
            cases.place |= hands[:, seat]
        cases.may[:, filled] = cases.size[:, filled] = 0
        for pile in filled:
            row = np.flatnonzero(cases.counts_for[:, pile] != NONE)
            cases.base[row, cases.counts_for[row, pile]] |= hands[row, pile]
        return cases, filled

    def _as_announced(self, view: PlayerView, words: Words) -> Ints:
        """Return the worlds that agree with the melds announced and scored."""
        if self._melds is None or not view.played.any():
            return np.arange(len(words))
        others = words[:, : self.game.tables.n_players - 1]
        repeated = view.select(np.zeros(len(words), dtype=np.intp))
        hands = np.concatenate([repeated.hand[:, None], others], axis=1)
        return np.flatnonzero(self._melds.agrees(repeated, hands | repeated.played))


def _share_out(place: int, may: list[int], size: list[int], most: int) -> NDArray[np.int64] | None:
    """Return every way (W, places - 1) to give places the cards, what is left going to the last.

    None for more than ``most``.  Bounds that calls set are not looked at.
    """
    cards = [card for card in range(place.bit_length()) if place >> card & 1]
    cards.sort(key=lambda card: sum(pile >> card & 1 for pile in may))
    words = np.zeros((1, len(may)), dtype=np.int64)
    room = np.array(size)[None, :]
    for card in cards:
        rows, piles = np.nonzero((room > 0) & [bool(pile >> card & 1) for pile in may])
        if len(rows) > most:
            return None
        words, room = words[rows], room[rows]
        words[np.arange(len(rows)), piles] |= 1 << card
        room[np.arange(len(rows)), piles] -= 1
    return words[:, :-1]


def _lay_out(worlds: Worlds, most: int) -> Worlds | None:
    """Tell worlds apart in which the cards face down lie in another order."""
    state, chance = worlds
    if not state.face_down.size:
        return worlds
    n_below = (state.face_down != NONE).sum(axis=2)  # those that lie on others come first
    parts, chances = [], []
    for kind in np.unique(n_below, axis=0):
        rows = np.flatnonzero((n_below == kind).all(axis=1))
        orders = list(product(*(permutations(range(k)) for k in kind.tolist())))
        if len(orders) * len(rows) > most:
            return None
        for order in orders:
            part = state.select(rows)
            for seat, places in enumerate(order):
                old = state.face_down[rows, seat]
                part.face_down[:, seat, : len(places)] = old[:, list(places)]
            parts.append(part)
            chances.append(chance[rows] / len(orders))
    if sum(map(len, parts)) > most:
        return None
    return Worlds(GameState.joined(parts), np.concatenate(chances))
