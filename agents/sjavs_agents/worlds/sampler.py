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

``Sampler`` is the door to all of this; how it is done stands behind it::

    view     -> constraints   what the seat knows: announcements, proofs, spare_hands, meld_facts
             -> counting      in how many ways the hidden cards may lie: splits, problems, packed
             -> hands         some of these ways, drawn evenly: drawing
                census        or all of them, where they are few
             -> builder       each as a whole state of the game
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.worlds.builder import WorldBuilder
from sjavs_agents.worlds.census import Census, Worlds
from sjavs_agents.worlds.constraints import Constraints
from sjavs_agents.worlds.counting import count_ways, count_ways_by_card
from sjavs_agents.worlds.hands import HandDrawer, Hands
from sjavs_agents.worlds.meld_facts import MeldFacts
from sjavs_agents.worlds.piles import LATER
from sjavs_env import Game, GameState, PlayerView
from sjavs_env.rules.tables import Words

__all__ = ["Hands", "Sampler", "Worlds"]


class Sampler:
    """The worlds of one game, seen from any seat; ``holders`` as in ``Constraints``."""

    def __init__(self, game: Game, *, calls: bool = True) -> None:
        """Read the rules; ValueError for rules that cannot be taken into account.

        With ``calls=False`` nothing is concluded from calls and the suit named.
        """
        self.game = game
        self._constraints = known = Constraints(game, calls=calls)
        self.holders = known.holders
        self._melds = MeldFacts(game, known.spare_hands) if known.spare_hands else None
        self._builder = WorldBuilder(game, known.piles, known.spare_hands)
        self._drawer = HandDrawer(known, self._melds)
        self._census = Census(game, known, self._melds, self._builder)

    def count(self, view: PlayerView) -> list[int]:
        """Return how many ways the hidden cards of each view (R,) may lie; ValueError if none.

        What announced melds prove is left out, so where there are melds this is an upper bound.
        """
        cases = self._constraints.cases(view)
        counts = count_ways(*self._constraints.problems(view, cases))
        return self._constraints.sum_by_view(view, cases, counts).tolist()

    def sample(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> GameState:
        """Return states of R * worlds games; game i * worlds + j is world j of view i.

        Seats are those at the table; ``view_of`` gives every state the view it was drawn for.
        What no view shows is filled in (see ``builder``).  Draws as ``draw`` does, then what
        lies in an order.  ValueError for fewer than one world, for a deal that is over and
        where no deal agrees with a view.
        """
        drawn = self.draw(view, worlds, rng)
        return self.build(view.select(np.repeat(np.arange(len(view)), worlds)), drawn, rng)

    def draw(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> Hands:
        """Return the cards of the holders in R * worlds worlds, in the order of ``sample``.

        Draws one 64-bit word from ``rng`` for each world, and a whole number where a view leaves
        open how many cards lie where.  Fails as ``sample`` does.
        """
        return self._drawer.draw_hands(view, worlds, rng)

    def hands(self, view: PlayerView, worlds: int, rng: np.random.Generator) -> Words:
        """Return the same for each view (R, worlds, H)."""
        drawn = self.draw(view, worlds, rng)
        return drawn.holders.reshape(len(view), worlds, len(self.holders))

    def build(self, view: PlayerView, drawn: Hands, rng: np.random.Generator) -> GameState:
        """Return the states of worlds (W,) drawn for these views (W,): one world of each.

        Draws from ``rng`` what lies in an order.
        """
        return self._builder.build_games(view, drawn.holders, drawn.later, rng)

    def all_worlds(self, view: PlayerView, most: int) -> Worlds | None:
        """Return all worlds of a view of one game, or None where they may be more than ``most``.

        That is so where the hands may be filled in more ways before calls and melds are looked at.
        ValueError for views of another number of games, for phases in which no card is played
        and where no deal agrees with the view.
        """
        return self._census.list_worlds(view, most)

    def chances(self, view: PlayerView) -> NDArray[np.float64]:
        """Return the chance (R, H, N) that each hidden card is with each holder, exactly.

        It is the share of the ways that ``count`` counts in which the card lies there.  Zero for
        cards that are not hidden.  See ``lacks_melds``.
        """
        known = self._constraints
        cases = known.cases(view)
        counts, by_card = count_ways_by_card(*known.problems(view, cases))
        total = known.sum_by_view(view, cases, counts)
        n_public, n_cards = len(self.holders), self.game.tables.n_cards
        if n_public < by_card.shape[1]:
            later = by_card[:, known.piles.at(LATER)]
            by_card[np.arange(len(later)), known.receiver(view)[cases.row]] += later
        ways = np.zeros((len(view), n_public, n_cards))
        np.add.at(ways, cases.row, by_card[:, :n_public, :n_cards])
        played = np.bitwise_or.reduce(view.played, axis=1)
        ways[np.broadcast_to(self.game.unpack(played)[:, None] == 1, ways.shape)] = 0
        return ways / total[:, None, None]

    def lacks_melds(self, view: PlayerView) -> NDArray[np.bool_]:
        """Say in which views (R,) melds may prove what ``count`` and ``chances`` leave out."""
        return np.asarray(view.played.any(axis=1) & (self._melds is not None))

    def drawn_chances(
        self, view: PlayerView, worlds: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return the share (R, H, N) of that many worlds in which a card is with a holder.

        An estimate of what ``chances`` returns, with melds taken into account.  Draws and fails
        as ``draw`` does.
        """
        cases = self._constraints.cases(view)
        hidden = np.zeros(len(view), dtype=cases.place.dtype)
        np.bitwise_or.at(hidden, cases.row, cases.place)
        hidden &= ~np.bitwise_or.reduce(view.played, axis=1)
        shares = np.zeros((len(view), len(self.holders), self.game.tables.n_cards))
        for i, word in enumerate(hidden):  # all at once could be gigabytes
            hands = self.hands(view.select(np.array([i])), worlds, rng)[0] & word
            shares[i] = self.game.unpack(hands).mean(axis=0)
        return shares
