"""The pipeline: deal -> auction -> naming trumps, exchange -> tricks -> scoring -> rubber.

The only module that knows the order of the phases.  ``step`` hands each game to the phase
it is in; a deal that ends is scored and entered in the rubber at once, and waits in
``Phase.OVER`` until ``next_deal``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sjavs_env.engine import auction, concede, deal, declare, exchange, rubber, scoring, tricks
from sjavs_env.engine.actions import ActionMap
from sjavs_env.engine.state import GameState, card_problems, empty_state
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables import Ints, Phase, RuleTables, Words, compile_rules

__all__ = ["Game"]

# A phase says what may be done, as a mask of its own actions, and does it; it returns the games
# whose deal that has ended.  Choices are counted within the actions of the phase.
Legal = Callable[[RuleTables, GameState, Ints], NDArray[np.int8]]
Apply = Callable[[RuleTables, GameState, Ints, Ints], Ints]
PHASES: dict[int, tuple[Legal, Apply]] = {
    Phase.AUCTION: (auction.legal_calls, auction.apply_call),
    Phase.NAME_TRUMP: (declare.legal_names, declare.apply_name),
    Phase.TAKE: (exchange.legal_takes, exchange.apply_take),
    Phase.LAY: (exchange.legal_lays, exchange.apply_lay),
    Phase.CONCEDE: (concede.legal_concessions, concede.apply_concession),
}


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
        for phase, there in _by_phase(state, at):
            games = at if there is None else at[there]
            where = slice(None) if there is None else there
            if phase == Phase.PLAY:  # most games: found for all, which costs less than to pick
                cards = tricks.legal_cards(self.tables, state, at)
                if there is not None:
                    cards[state.phase[at] != Phase.PLAY] = 0
                mask[:, : len(self.pack)] = self.unpack(cards)
            elif phase != Phase.OVER:
                legal, _ = PHASES[phase]
                actions = self.actions.slices[Phase(phase)]
                mask[where, actions] = legal(self.tables, state, games)
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
                ended = tricks.play_cards(self.tables, state, games, act)
            elif phase != Phase.OVER:
                _, apply = PHASES[phase]
                first = self.actions.slices[Phase(phase)].start
                ended = apply(self.tables, state, games, act - first)
            else:
                continue
            if len(ended):
                self.settle(state, ended)

    def settle(self, state: GameState, rows: Ints) -> None:
        """Score deals that have just been played out and enter them in the rubber."""
        scoring.score_deals(self.tables, state, rows)
        rubber.record_deals(self.tables, state, rows)

    def gains(self, state: GameState, rows: Ints | None = None) -> NDArray[np.float32]:
        """Return the game points (R, P) that the last deal won for each seat."""
        change = state.change if rows is None else state.change[rows]
        return (self.tables.gain_sign * change).astype(np.float32)

    def match_gains(self, state: GameState) -> NDArray[np.float32]:
        """Return what each seat (B, P) has won in its match: chips or crosses."""
        is_chips = self.tables.match == "deals"
        return (state.score - self.tables.start if is_chips else state.crosses).astype(np.float32)

    def rewards(self, gains: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return zero-sum rewards (R, P): own gain less the mean gain of the opponents."""
        return gains @ self.tables.reward_matrix

    def problems(self, state: GameState) -> list[str]:
        """Name every broken invariant of a dealt state; empty when it is sound."""
        found = card_problems(self.tables, state)
        total = int(self.tables.card_points.sum())
        taken = state.points.sum(axis=1) + state.pile
        fallen = (state.fell > 0) @ self.tables.card_points
        partners = np.argwhere(self.tables.ally[:-1])
        checks = {
            "points taken differ from the cards played": taken != fallen,
            f"more than {total} card points": taken > total,
            "tricks taken differ from the tricks completed": (
                state.tricks.sum(axis=1) != state.trick_number
            ),
            "a score is outside the rubber": (
                (state.score < self.tables.least)
                | ((state.score > self.tables.start) & (self.tables.match != "deals"))
            ).any(axis=1)
            & (self.tables.match == "first_out_wins"),
            "partners have different scores": np.stack(
                [state.score[:, a] != state.score[:, b] for a, b in partners], axis=1
            ).any(axis=1),
            "a seat, dealer or phase is out of range": (
                (state.seat < 0)
                | (state.seat >= self.tables.n_players)
                | (state.dealer >= self.tables.n_players)
                | (state.dealer < 0)
                | ~np.isin(state.phase, self.tables.phases)
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
