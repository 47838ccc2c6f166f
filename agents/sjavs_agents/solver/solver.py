"""The exact solver: what each side takes by best play when all hands are open.

It answers for every game in which two sides play each other: partners, a declarer against the
rest, two players.  Hidden cards are no secret to it, so it must see only states that the one
who asks may see: worlds that a search has imagined, or games in an analysis.

Compiled code does the work; the first call after an installation compiles it, which takes
half a minute or so, later processes load it from ``__pycache__``.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sjavs_agents.solver.from_state import allies, check_in_play, deals_of, deck_of, swap_may_follow
from sjavs_agents.solver.memory import NODES, Workspace, make_workspace
from sjavs_agents.solver.payoff_ladder import LadderMaker
from sjavs_agents.solver.position import POINTS, TRICKS, Deals
from sjavs_agents.solver.questions import (
    answer_card_levels,
    answer_card_points,
    answer_points,
    answer_reaches,
)
from sjavs_env import Game, GameState, Phase
from sjavs_env.rules.tables import NONE, Bool, Ints

__all__ = ["MEASURES", "UTILITIES", "Solver", "Utility"]

MEASURES = {"points": POINTS, "tricks": TRICKS}
Utility = Literal["points", "score"]
UTILITIES: tuple[Utility, ...] = ("points", "score")
BLOCKS = 4  # for each thread, so that none waits long for the slowest


class Solver:
    """Open-hand values of positions of one game, many at once.

    Answers are exact, so they depend neither on the size of the table nor on the number of
    threads.  Calls from several Python threads may share a solver; ``threads`` searches run
    at a time.  A search holds no lock of the interpreter.
    """

    def __init__(self, game: Game, table_bits: int = 17, threads: int = 1) -> None:
        """Make a solver whose searches have tables of ``2**table_bits`` entries, 16 bytes each.

        ValueError for a game of more sides than two, and for sizes out of range.
        """
        if not 1 <= table_bits <= 28:
            raise ValueError(f"table_bits is {table_bits!r}; allowed: 1 to 28")
        if threads < 1:
            raise ValueError(f"threads is {threads!r}; allowed: whole numbers from 1")
        self.game = game
        self._deck = deck_of(game)
        self._ladders = LadderMaker(game)
        self._threads = threads
        self._free: SimpleQueue[Workspace] = SimpleQueue()
        self._all = [make_workspace(table_bits) for _ in range(threads)]
        for workspace in self._all:
            self._free.put(workspace)

    @property
    def nodes(self) -> int:
        """Positions searched so far, those within tricks included."""
        return sum(int(workspace.memory[NODES]) for workspace in self._all)

    def points(self, state: GameState, rows: Ints) -> NDArray[np.int64]:
        """Return the card points (R,) that the side to act takes in all, by best play.

        What it has already counts, and so do, for the declarer's side, the cards that lie aside.
        ValueError for games in which no card is to be played, or the lowest trump may still be
        exchanged.
        """
        self._check(state, rows, may_swap=False)
        deals = deals_of(self.game, state, rows)
        found = np.zeros(len(rows), np.int64)
        self._ask(lambda ws, some: answer_points(ws, self._deck, deals, some, found), len(rows))
        return np.where(
            self._acts_for_side_0(state, rows), found, self._total(deals, state, rows) - found
        )

    def reaches(
        self,
        state: GameState,
        rows: Ints,
        threshold: ArrayLike,
        measure: Literal["points", "tricks"] = "points",
    ) -> NDArray[np.bool_]:
        """Say whether the side to act takes at least ``threshold`` (scalar or (R,)) in all (R,).

        Points are counted as in ``points``.  ValueError as there, and for other measures.
        """
        if measure not in MEASURES:
            raise ValueError(f"measure is {measure!r}; allowed: {', '.join(MEASURES)}")
        self._check(state, rows, may_swap=False)
        deals = deals_of(self.game, state, rows)
        is_tricks = measure == "tricks"
        n_tricks = self.game.tables.n_tricks
        total = np.full(len(rows), n_tricks) if is_tricks else self._total(deals, state, rows)
        wanted = np.broadcast_to(np.asarray(threshold, dtype=np.int64), len(rows))
        ours = self._acts_for_side_0(state, rows)
        need = np.where(ours, wanted, total - wanted + 1)  # side 1 gets it unless side 0 stops it
        found = np.zeros(len(rows), np.int64)
        code = MEASURES[measure]
        self._ask(
            lambda ws, some: answer_reaches(ws, self._deck, deals, some, code, need, found),
            len(rows),
        )
        return np.asarray((found == 1) == ours)

    def card_values(
        self,
        state: GameState,
        rows: Ints,
        utility: Utility = "points",
        seat: ArrayLike | None = None,
    ) -> NDArray[np.float64]:
        """Return the value (R, N) of playing each card of the pack, nan where it is illegal.

        The seats to act choose; all play their best afterwards.  Values are those of ``seat``
        (scalar or (R,)), by default the one that is to act.  ``"points"``: the card points of
        their side less those of the other, as ``points`` counts them.  ``"score"``: their reward
        for the deal in the rule set's game points, what they gain less the mean gain of the
        opponents (``Game.rewards``), with pending ties and, where they exist, melds and zeros.

        ValueError for games in which no card is to be played, for another utility, and for
        ``"score"`` in a game that pays less for more.
        """
        if utility not in UTILITIES:
            raise ValueError(f"utility is {utility!r}; allowed: {', '.join(UTILITIES)}")
        late = self._check(state, rows, may_swap=True)
        view = state.seat[rows] if seat is None else self._seats(seat, len(rows))
        find = self._card_points if utility == "points" else self._card_scores
        if not late.any():
            return find(state, rows, view)
        values = np.full((len(rows), self.game.tables.n_cards), np.nan)
        values[~late] = find(state, rows[~late], view[~late])
        values[late] = self._before_swap(state, rows[late], view[late], utility)
        return values

    def _seats(self, seat: ArrayLike, n_rows: int) -> Ints:
        seats = np.broadcast_to(np.asarray(seat, dtype=np.intp), n_rows)
        n = self.game.tables.n_players
        wrong = (seats < 0) | (seats >= n)
        if wrong.any():
            raise ValueError(f"seat is {int(seats[wrong.argmax()])}; allowed: 0 to {n - 1}")
        return seats

    def _card_points(self, state: GameState, rows: Ints, view: Ints) -> NDArray[np.float64]:
        deals, ally = deals_of(self.game, state, rows), allies(self.game, state, rows)
        found = np.full((len(rows), self.game.tables.n_cards), NONE, np.int64)
        self._ask(
            lambda ws, some: answer_card_points(ws, self._deck, deals, some, found), len(rows)
        )
        sign = np.where(ally[np.arange(len(rows)), view], 1, -1)[:, None]
        more = sign * (2 * found - self._total(deals, state, rows)[:, None])
        return np.where(found == NONE, np.nan, more)

    def _card_scores(self, state: GameState, rows: Ints, view: Ints) -> NDArray[np.float64]:
        deals, ally = deals_of(self.game, state, rows), allies(self.game, state, rows)
        taken = (state.points[rows] * ally).sum(axis=1)
        total = self._total(deals, state, rows)
        ladders, which = self._ladders.ladders(state, rows, ally, deals.points - taken, total)
        longest = max((len(ladder.measure) for ladder in ladders), default=1)
        measure = np.full((len(ladders), longest), NONE, np.int64)
        threshold = np.zeros((len(ladders), longest), np.int64)
        payoff = np.full((len(ladders), longest, ally.shape[1]), np.nan)
        for i, ladder in enumerate(ladders):
            levels = slice(len(ladder.measure))
            measure[i, levels], threshold[i, levels] = ladder.measure, ladder.threshold
            payoff[i, levels] = ladder.payoff
        found = np.full((len(rows), self.game.tables.n_cards), NONE, np.int64)
        self._ask(
            lambda ws, some: answer_card_levels(
                ws, self._deck, deals, some, measure[which], threshold[which], found
            ),
            len(rows),
        )
        values = payoff[which[:, None], found, view[:, None]]
        return np.where(found == NONE, np.nan, values)

    def _before_swap(
        self, state: GameState, rows: Ints, view: Ints, utility: Utility
    ) -> NDArray[np.float64]:
        """Value the leads of games in which the second player may then swap the lowest trump.

        A lead is worth what the best reply to it leaves.  Where the one who replies is asked first,
        both answers are tried, and the better one is theirs as well::

            lead --- is asked --- swaps --- replies
              |           `------ keeps --- replies
              `---------- is not asked ---- replies
        """
        n_cards = self.game.tables.n_cards
        game, card = np.nonzero(self.game.legal_actions(state, rows)[:, :n_cards])
        led = state.select(rows[game])  # (leads,) one game for each
        self.game.step(led, card)
        to_reply, lead = self._answered(led)
        seat = view[game]
        everywhere = np.arange(len(to_reply))
        replies = self.card_values(to_reply, everywhere, utility, seat[lead])
        sign = np.where(led.seat == seat, 1, -1)  # whether the reply is chosen for ``view``
        best = np.full(len(game), -np.inf)
        np.maximum.at(best, lead, np.nanmax(sign[lead, None] * replies, axis=1))
        values = np.full((len(rows), n_cards), np.nan)
        values[game, card] = sign * best
        return values

    def _answered(self, led: GameState) -> tuple[GameState, Ints]:
        """Return the positions (R,) after ``led`` in which a card is next, and their leads (R,).

        Two for each lead after which somebody is asked for the lowest trump, else one.
        """
        is_asked = led.phase == Phase.SIX
        asked, others = np.flatnonzero(is_asked), np.flatnonzero(~is_asked)
        lead = np.concatenate([others, asked, asked])
        after = led.select(lead)
        swap = self.game.actions.slices[Phase.SIX].start
        answers = np.repeat([swap, swap + 1], len(asked))
        self.game.step(after, answers, np.arange(len(others), len(lead)))
        return after, lead

    def _check(self, state: GameState, rows: Ints, *, may_swap: bool) -> Bool:
        """Return in which games (R,) a swap may come up after the next card."""
        check_in_play(state, rows)
        late = swap_may_follow(self.game, state, rows)
        if late.any() and not may_swap:
            raise ValueError(
                f"in game {int(rows[np.argmax(late)])} the lowest trump may be exchanged after "
                "this card; allowed: card_values, or games where it is settled"
            )
        return late

    def _acts_for_side_0(self, state: GameState, rows: Ints) -> Bool:
        return np.asarray(allies(self.game, state, rows)[np.arange(len(rows)), state.seat[rows]])

    def _total(self, deals: Deals, state: GameState, rows: Ints) -> NDArray[np.int64]:
        """Return the card points (R,) of both sides together at the end of the deal."""
        theirs = (state.points[rows] * ~allies(self.game, state, rows)).sum(axis=1)
        in_play = np.bitwise_or.reduce(deals.own, axis=1)
        cards = np.arange(self.game.tables.n_cards)
        holds = in_play[:, None] >> cards & 1
        worth = (holds * self._deck.worth[deals.mode]).sum(axis=1)
        return np.asarray(deals.points + theirs + worth + self._deck.last_trick)

    def _ask(self, answer: Callable[[Workspace, NDArray[np.int64]], None], n_rows: int) -> None:
        """Let the searches share the rows; each answers some at a time."""

        def work(rows: NDArray[np.int64]) -> None:
            ws = self._free.get()
            try:
                answer(ws, rows)
            finally:
                self._free.put(ws)

        rows = np.arange(n_rows)
        if self._threads == 1 or n_rows < 2:
            work(rows)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            blocks = np.array_split(rows, min(n_rows, BLOCKS * self._threads))
            for done in pool.map(work, blocks):
                assert done is None  # raises what a block has raised
