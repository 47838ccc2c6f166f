"""The pipeline: deal -> auction -> naming trumps -> tricks -> scoring -> rubber.

The only module that knows the order of the phases.  ``step`` hands each game to the phase
it is in; a deal that ends is scored and entered in the rubber at once, and waits in
``Phase.OVER`` until ``next_deal``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sjavs_env.engine import auction, deal, declare, rubber, scoring, tricks
from sjavs_env.engine.actions import ActionMap
from sjavs_env.engine.state import GameState, Phase, card_problems, empty_state
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables import Ints, RuleTables, Words, compile_rules

__all__ = ["Game"]


class Game:
    """A rule set made playable: vectorized, in place, no randomness of its own."""

    def __init__(self, rules: RuleSet) -> None:
        """Compile ``rules``; ValueError if they are unsound."""
        self.rules = rules
        self.pack = rules.pack
        self.tables: RuleTables = compile_rules(rules)
        self.actions = ActionMap.of(self.pack, self.tables)

    def new_games(
        self,
        n_games: int,
        *,
        seed: int = 0,
        numbers: ArrayLike | None = None,
        stride: int = 1,
        dealer: ArrayLike = -1,
        cut: ArrayLike = 1,
    ) -> GameState:
        """Return ``n_games`` freshly dealt games.

        Game b plays deals ``numbers[b]``, ``numbers[b] + stride``, ...; ``numbers`` defaults
        to 0, 1, 2, ....  ``dealer`` (scalar or (B,)) defaults to the last seat.
        """
        state = empty_state(self.tables, n_games)
        state.seed[:] = seed
        state.number[:] = np.arange(n_games) if numbers is None else numbers
        state.stride[:] = stride
        state.dealer[:] = np.mod(dealer, self.tables.n_players)
        state.cut[:] = cut
        self._deal(state, np.arange(n_games))
        return state

    def _deal(self, state: GameState, rows: Ints) -> None:
        decks = deal.numbered_decks(len(self.pack), state.seed[rows], state.number[rows])
        deal.deal_cards(self.tables, state, rows, decks)

    def deal_deck(self, state: GameState, rows: Ints, decks: Ints) -> None:
        """Deal given decks (R, N), card ids from the top, instead of the numbered ones."""
        deal.deal_cards(self.tables, state, rows, decks)

    def next_deal(self, state: GameState, rows: Ints) -> None:
        """Deal the next numbered deal to games that are over; a finished rubber starts anew."""
        rubber.pass_deal_on(self.tables, state, rows)
        finished = rows[state.rubber_over[rows] == 1]
        rubber.start_rubbers(self.tables, state, finished)
        state.number[rows] += state.stride[rows]
        self._deal(state, rows)

    def legal_actions(self, state: GameState, rows: Ints | None = None) -> NDArray[np.int8]:
        """Return the masks (R, A) of the seats to act; all zero where the deal is over."""
        at = np.arange(len(state)) if rows is None else rows
        mask = np.zeros((len(at), self.actions.size), dtype=np.int8)
        first_bid, first_name = self.actions.pass_, self.actions.name
        for phase, there in _by_phase(state, at):
            games = at if there is None else at[there]
            where = slice(None) if there is None else there
            if phase == Phase.AUCTION:
                mask[where, first_bid:first_name] = auction.legal_calls(self.tables, state, games)
            elif phase == Phase.NAME_TRUMP:
                mask[where, first_name:] = declare.legal_names(self.tables, state, games)
            elif phase == Phase.PLAY:
                cards = tricks.legal_cards(self.tables, state, games)
                mask[where, : len(self.pack)] = self.unpack(cards)
        return mask

    def unpack(self, words: Words) -> NDArray[np.int8]:
        """Return words (...,) as 0/1 rows (..., N)."""
        as_bytes = np.ascontiguousarray(words).reshape(-1).view(np.uint8)
        bits = np.unpackbits(as_bytes, bitorder="little")
        per_word = bits.reshape(*words.shape, 8 * self.tables.word_type.itemsize)
        return per_word[..., : len(self.pack)].view(np.int8)

    def step(self, state: GameState, actions: ArrayLike, rows: Ints | None = None) -> None:
        """Play legal ``actions`` (R,) in place, in all games or in ``rows``.

        The caller answers for legality (``legal_actions``).  Games that are over stay so.
        """
        at = np.arange(len(state)) if rows is None else rows
        action = np.asarray(actions, dtype=np.intp)
        for phase, there in _by_phase(state, at):
            games, act = (at, action) if there is None else (at[there], action[there])
            if phase == Phase.PLAY:
                played_out = tricks.play_cards(self.tables, state, games, act)
                if len(played_out):
                    self.settle(state, played_out)
            elif phase == Phase.AUCTION:
                auction.apply_call(self.tables, state, games, act - self.actions.pass_)
            elif phase == Phase.NAME_TRUMP:
                declare.apply_name(self.tables, state, games, act - self.actions.name)

    def settle(self, state: GameState, rows: Ints) -> None:
        """Score deals that have just been played out and enter them in the rubber."""
        scoring.score_deals(self.tables, state, rows)
        rubber.record_deals(self.tables, state, rows)

    def gains(self, state: GameState, rows: Ints | None = None) -> NDArray[np.float32]:
        """Return the game points (R, P) that the last deal won for each seat."""
        change = state.change if rows is None else state.change[rows]
        return -change.astype(np.float32)  # scores count down

    def rewards(self, gains: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return zero-sum rewards (R, P): own gain less the mean gain of the opponents."""
        return gains @ self.tables.reward_matrix

    def problems(self, state: GameState) -> list[str]:
        """Name every broken invariant of a dealt state; empty when it is sound."""
        found = card_problems(self.tables, state)
        total = int(self.tables.card_points.sum())
        taken = state.points.sum(axis=1) + state.pile
        fallen = (state.fell > 0) @ self.tables.card_points
        partners = self.tables.ally[:-1]
        checks = {
            "points taken differ from the cards played": taken != fallen,
            f"more than {total} card points": taken > total,
            "tricks taken differ from the tricks completed": (
                state.tricks.sum(axis=1) != state.trick_number
            ),
            "a score is outside the rubber": (
                (state.score < 0) | (state.score > self.tables.start)
            ).any(axis=1),
            "partners have different scores": np.stack(
                [state.score[:, a] != state.score[:, b] for a, b in np.argwhere(partners)], axis=1
            ).any(axis=1),
            "a seat, dealer or phase is out of range": (
                (state.seat < 0)
                | (state.seat >= self.tables.n_players)
                | (state.dealer >= self.tables.n_players)
                | (state.dealer < 0)
                | (state.phase < 0)
                | (state.phase > Phase.OVER)
            ),
        }
        is_out = checks["a seat, dealer or phase is out of range"]
        if not is_out.any():  # else there is no one to ask
            checks["nobody may do anything though the deal goes on"] = (
                state.phase != Phase.OVER
            ) & ~self.legal_actions(state).any(axis=1)
        for text, broken in checks.items():
            if broken.any():
                found.append(f"game {int(np.flatnonzero(broken)[0])}: {text}")
        return found


def _by_phase(state: GameState, at: Ints) -> Iterator[tuple[int, Ints | None]]:
    """Yield each phase present with the places in ``at`` that are in it; None means all."""
    phase = state.phase[at]
    if not len(phase):
        return
    low, high = int(phase.min()), int(phase.max())
    if low == high:
        yield low, None
        return
    for p in range(low, high + 1):
        there = np.flatnonzero(phase == p)
        if len(there):
            yield p, there
