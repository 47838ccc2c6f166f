"""From what a seat knows, and where the hidden cards lie, to a whole state of the game.

What no view shows and nothing in the rest of a deal depends on is filled in: where the deal
comes from (seed and numbers 0), the way of dealing, deals and crosses of the match so far
(none).  Cards of equal standing are laid out at random: which of them lies below which card
face up, and which lies first in the talon.
"""

from __future__ import annotations

import numpy as np

from sjavs_agents.worlds.piles import Piles, count_bits
from sjavs_agents.worlds.spare_hands import SpareHands
from sjavs_env import Game, GameState, PlayerView
from sjavs_env.engine.state import empty_state
from sjavs_env.rules.tables import NONE, Ints, Words

__all__ = ["WorldBuilder"]

_AS_SEEN = (
    "phase", "best_bid", "mode", "trick_size", "led", "best_power", "pile", "trick_number", "ties",
)  # fmt: skip
_OF_SEATS = ("calls", "points", "tricks", "score", "void", "trick")


class WorldBuilder:
    """Builds states of one game."""

    def __init__(self, game: Game, piles: Piles, spare_hands: SpareHands | None) -> None:
        """``spare_hands`` are those of games that seats may leave."""
        self.tables, self.piles, self._spare_hands = game.tables, piles, spare_hands

    def build_games(
        self, v: PlayerView, words: Words, later: Words, rng: np.random.Generator
    ) -> GameState:
        """Return the state (W,) in which holders (W, H) hold these cards, for views (W,).

        ``later`` (W,) are cards that came from the talon into another seat's hand, where known.
        """
        t, n = self.tables, self.tables.n_players
        state = empty_state(t, len(v))
        for name in _AS_SEEN:
            getattr(state, name)[:] = getattr(v, name)
        seat = v.seat
        at = (np.arange(n) - seat[:, None]) % n  # (W, P) seats at the table, from the viewer
        for name in _OF_SEATS:
            getattr(state, name)[:] = np.take_along_axis(getattr(v, name), at, axis=1)
        for name, away in (
            ("dealer", v.dealer), ("leader", v.leader), ("seat", v.to_act), ("winner", v.winner),
        ):  # fmt: skip
            getattr(state, name)[:] = (away + seat) % n
        state.declarer[:] = np.where(v.declarer == NONE, NONE, (v.declarer + seat) % n)
        hands = np.concatenate([v.hand[:, None], words[:, : n - 1]], axis=1)
        state.hand[:] = np.take_along_axis(hands, at, axis=1)
        state.dealt[:] = np.take_along_axis(hands | v.played, at, axis=1)
        state.fell[:] = v.fell
        state.cut[:] = 1
        if t.deal.n_columns:
            self._lay_table(state, v, words, at, rng)
        if t.deal.n_talon:
            self._lay_aside(state, v, words, later, rng)
        if self._spare_hands:
            self._spare_hands.fill(state, v, words, at)
        return state

    def _lay_table(
        self, state: GameState, v: PlayerView, words: Words, at: Ints, rng: np.random.Generator
    ) -> None:
        """Cards on the table: those on a card face down first, then the bare ones.

        A cover that was played to the trick that goes on still lies there (see ``_turn_up``).
        """
        n, columns = self.tables.n_players, self.tables.deal.n_columns
        first = self.piles.at("face down 0")
        below = self._cards_in(words[:, first : first + n].reshape(-1), columns, rng)
        below = below.reshape(len(v), n, columns)
        covers = self._cards_in(v.covering.reshape(-1), columns).reshape(len(v), n, columns)
        n_covers, n_below = count_bits(v.covering), (below != NONE).sum(axis=2)
        place = np.arange(columns)
        up = np.where(place < n_covers[..., None], covers, NONE)
        pending = (n_covers < n_below)[..., None] & (place == n_covers[..., None])
        up = np.where(pending, v.trick[..., None], up)
        bare = self._cards_in((v.open & ~v.covering).reshape(-1), columns)
        bare = bare.reshape(len(v), n, columns)
        shifted = np.take_along_axis(bare, np.maximum(place - n_below[..., None], 0), axis=2)
        up = np.where(place >= n_below[..., None], shifted, up)
        state.face_up[:] = np.take_along_axis(up, at[..., None], axis=1)
        state.face_down[:] = np.take_along_axis(below, at[..., None], axis=1)

    def _lay_aside(
        self, state: GameState, v: PlayerView, words: Words, later: Words, rng: np.random.Generator
    ) -> None:
        """The talon and what the declarer has laid away.

        Of cards taken from the talon no state but ``aside`` keeps a trace, and nothing reads it
        after the exchange; where the view does not tell, any of the declarer's cards stand for
        them.
        """
        t, rows = self.tables, np.arange(len(v))
        state.talon[:] = words[:, self.piles.at("talon")]
        state.laid[:] = words[:, self.piles.at("laid")] | v.laid
        state.taken[:] = v.taken
        declarer = np.maximum(state.declarer, 0)
        own = state.dealt[rows, declarer] | state.laid
        own = np.where(v.taken > 0, np.where(later > 0, later, own), t.word_type.type(0))
        came = self._cards_in(own, t.deal.n_talon, rng)
        rest = self._cards_in(state.talon, t.deal.n_talon, rng)
        place = np.arange(t.deal.n_talon)
        from_rest = np.maximum(place - v.taken[:, None], 0)
        state.aside[:] = np.where(
            place < v.taken[:, None], came, np.take_along_axis(rest, from_rest, axis=1)
        )

    def _cards_in(self, words: Words, most: int, rng: np.random.Generator | None = None) -> Ints:
        """Return up to ``most`` cards (W, most) of sets (W,), then NONE; shuffled with ``rng``."""
        held = (words[:, None] & self.tables.cards.bit) != 0
        key = np.arange(self.tables.n_cards) + 0.0 if rng is None else rng.random(held.shape)
        order = np.argsort(np.where(held, key, np.inf), axis=1)[:, :most]
        return np.where(np.take_along_axis(held, order, axis=1), order, NONE)
