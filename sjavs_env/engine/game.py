"""The pipeline: deal -> auction -> naming trumps, exchange -> tricks -> scoring -> rubber.

The only module that knows the order of the phases.  ``step`` hands each game to the phase
it is in; a deal that ends is scored and entered in the rubber at once, and waits in
``Phase.OVER`` until ``next_deal``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sjavs_env.engine import deal
from sjavs_env.engine.actions import ActionMap
from sjavs_env.engine.phases import (
    auction,
    concede,
    declare,
    exchange,
    reserve,
    six,
    stay,
    tricks,
)
from sjavs_env.engine.problems import card_problems, score_problems
from sjavs_env.engine.ranges import range_problems
from sjavs_env.engine.results import elimination, payoff, ranks, rubber
from sjavs_env.engine.state import GameState, empty_state
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
    Phase.SIX: (six.legal_sixes, six.apply_six),
    Phase.RESERVE: (reserve.legal_reserves, reserve.apply_reserve),
    Phase.STAY: (stay.legal_stays, stay.apply_stay),
}

Write = Callable[[RuleTables, GameState, Ints], None]


class Scorer(NamedTuple):
    """How deals are scored and a match is kept."""

    score: Write  # deals that have ended
    record: Write  # enter them in the match
    pass_on: Write  # the deal, to the next dealer
    start: Write  # matches anew


# By how the rule set says that a deal is scored.
SCORERS: dict[str, Scorer] = {
    "payoff": Scorer(
        payoff.score_deals, rubber.record_deals, rubber.pass_deal_on, rubber.start_rubbers
    ),
    "ranks": Scorer(
        ranks.score_marks,
        elimination.let_out,
        elimination.leave_and_pass_on,
        elimination.start_matches,
    ),
}


class Game:
    """A rule set made playable: vectorized, in place, no randomness of its own."""

    def __init__(self, rules: RuleSet) -> None:
        """Compile ``rules``; ValueError if they are unsound, TypeError for a name alone."""
        if not isinstance(rules, RuleSet):
            raise TypeError(f"rules is {rules!r}; allowed: a RuleSet, as make_rules(name) returns")
        self.rules = rules
        self.pack = rules.pack
        self.tables: RuleTables = compile_rules(rules)
        self.actions = ActionMap.of(self.pack, self.tables)
        self._scorer = SCORERS[rules.scoring.kind]

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

    def seat_players(self, state: GameState, rows: Ints) -> None:
        """Deal anew to those who are in the match by its scores, where seats can be out."""
        if self.tables.seats:
            elimination.seat_players(self.tables, state, rows)
            self._deal(state, rows)

    def next_deal(self, state: GameState, rows: Ints) -> None:
        """Deal the next numbered deal to games that are over; a finished rubber starts anew."""
        self._scorer.pass_on(self.tables, state, rows)
        finished = rows[state.rubber_over[rows] == 1]
        self._scorer.start(self.tables, state, finished)
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
        ended = []
        for phase, there in _by_phase(state, at):
            games, act = (at, action) if there is None else (at[there], action[there])
            if phase == Phase.PLAY:
                ended.append(tricks.play_cards(self.tables, state, games, act))
            elif phase != Phase.OVER:
                _, apply = PHASES[phase]
                first = self.actions.slices[Phase(phase)].start
                ended.append(apply(self.tables, state, games, act - first))
        if any(map(len, ended)):
            self.settle(state, np.concatenate(ended))

    def settle(self, state: GameState, rows: Ints) -> None:
        """Score deals that have just been played out and enter them in the rubber."""
        self._scorer.score(self.tables, state, rows)
        self._scorer.record(self.tables, state, rows)

    def gains(self, state: GameState, rows: Ints | None = None) -> NDArray[np.float32]:
        """Return the game points (R, P) that the last deal won for each seat."""
        change = state.change if rows is None else state.change[rows]
        return (self.tables.match.gain_sign * change).astype(np.float32)

    def match_gains(self, state: GameState) -> NDArray[np.float32]:
        """Return what each seat (B, P) has won in its match: chips or crosses.

        In a match that the last one loses they alone have a cross, and it counts -1.
        """
        match = self.tables.match
        is_chips = match.kind == "deals"
        return (state.score - match.start if is_chips else state.crosses).astype(np.float32)

    def unscathed(self, state: GameState) -> NDArray[np.bool_]:
        """Return the seats (B, P) that still have the score they began the match with.

        In a match that is lost at 0 they can be made to stand a treat when it is over.
        """
        return np.asarray(state.score == self.tables.match.start)

    def rewards(
        self, gains: NDArray[np.float32], taking_part: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float32]:
        """Return zero-sum rewards (R, P): own gain less the mean gain of the opponents.

        Seats that do not take part (R, P) neither gain nor count as opponents; by default all do.
        """
        if taking_part is None:
            opponents = self.tables.result.opponents
            # sums of whole numbers are exact: equals stay equal
            return gains - gains @ opponents / opponents[0].sum()
        count = taking_part.sum(axis=1, keepdims=True)
        mean = (gains * taking_part).sum(axis=1, keepdims=True) / count
        scale = count / np.maximum(count - 1, 1)
        return (taking_part * (gains - mean) * scale).astype(np.float32)

    def taking_part(self, state: GameState, rows: Ints) -> NDArray[np.bool_] | None:
        """Return the seats (R, P) that the last deal was dealt to; None where all always are."""
        return state.dealt[rows] != 0 if self.tables.seats else None

    def problems(self, state: GameState) -> list[str]:
        """Name every broken invariant of a dealt state; empty when it is sound.

        Numbers that mean nothing are told first, and then alone: little else could be asked.
        """
        return range_problems(self.tables, state) or (
            card_problems(self.tables, state)
            + score_problems(self.tables, state)
            + self._stuck(state)
        )

    def _stuck(self, state: GameState) -> list[str]:
        is_out = (state.seat < 0) | (state.seat >= self.tables.n_players)
        if is_out.any() or not np.isin(state.phase, self.tables.course.phases).all():
            return []  # there is no one to ask
        stuck = (state.phase != Phase.OVER) & ~self.legal_actions(state).any(axis=1)
        text = "nobody may do anything though the deal goes on"
        return [f"game {int(np.flatnonzero(stuck)[0])}: {text}"] if stuck.any() else []


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
        (there,) = (phase == p).nonzero()
        if len(there):
            yield p, there
