"""What a deal pays, as a ladder of levels that side 0 may reach, derived from the engine.

The result of a deal depends on the card points of the declarer's side and on whether it took no
trick, some, all, or all by one hand.  The deals that can come about form a line, from no trick
over some tricks with ever more points to all tricks.  The engine scores an imagined end of the
deal at each place of the line; wherever the payoff rises a level begins, and the place says what
has to be taken for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.solver.position import ALL_BY_ONE, POINTS, TRICKS
from sjavs_env import Game, GameState
from sjavs_env.engine.melds import announce, score_melds
from sjavs_env.rules.tables import NONE, Bool, Ints

__all__ = ["Ladder", "LadderMaker"]


@dataclass(frozen=True, eq=False)
class Ladder:
    """The levels of a deal, lowest first; each implies those below it."""

    measure: NDArray[
        np.int64
    ]  # (levels,) what is counted; NONE for level 0, which asks for nothing
    threshold: NDArray[np.int64]  # (levels,) how much side 0 must take in all
    payoff: NDArray[np.float64]  # (levels, P) what each seat gets


class LadderMaker:
    """Makes the ladders of one game and keeps them: most deals share theirs with others."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._kept: dict[bytes, Ladder] = {}

    def ladders(
        self, state: GameState, rows: Ints, ally: Bool, base: Ints, total: Ints
    ) -> tuple[list[Ladder], Ints]:
        """Return ladders, and which of them is that of each game (R,).

        Side 0 (``ally`` (R, P)) has ``base`` (R,) card points without a trick and ``total`` (R,)
        with all of them.  ValueError for a game that pays less for more.
        """
        keys = self._keys(state, rows, base, total)
        _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        found = []
        for place in first:
            name = keys[place].tobytes()
            if name not in self._kept:
                self._kept[name] = self._make(
                    state, int(rows[place]), ally[place], int(base[place]), int(total[place])
                )
            found.append(self._kept[name])
        return found, which.reshape(-1)

    def _keys(self, state: GameState, rows: Ints, base: Ints, total: Ints) -> Ints:
        """Everything (R, parts) that the payoff depends on besides points and tricks."""
        fields = [base, total, state.declarer[rows], state.best_bid[rows], state.mode[rows]]
        fields.append(state.ties[rows])
        if seats := state.seats:
            fields += [state.dealer[rows], *self._melds(state, rows).T]
            fields += [*seats.zeros[rows].T, *seats.active[rows].T]
        return np.ascontiguousarray(np.stack(fields, axis=1))

    def _melds(self, state: GameState, rows: Ints) -> Ints:
        """What seats (R, P) score for melds; until the first trick is over, what they will."""
        t = self._game.tables
        early = rows[state.trick_number[rows] == 0]
        melds = state.seat_state.melds[rows]
        if len(early):
            ahead, all_of = state.select(early), np.arange(len(early))
            for seat in range(t.n_players):
                silent = all_of[ahead.trick[:, seat] == NONE]
                announce(t, ahead, silent, np.full(len(silent), seat))
            score_melds(t, ahead, all_of)
            melds[state.trick_number[rows] == 0] = ahead.seat_state.melds
        return melds

    def _make(self, state: GameState, row: int, ally: Bool, base: int, total: int) -> Ladder:
        n = self._game.tables.n_tricks
        some = np.arange(base, total + 1)
        points = np.concatenate([[base], some, [total, total]])
        measure = np.concatenate([[NONE, TRICKS], np.full(len(some) - 1, POINTS), [TRICKS, 2]])
        measure[-1] = ALL_BY_ONE
        threshold = np.concatenate([[0, 1], some[1:], [n, n]])
        payoff = self._score(state, row, ally, points)
        own = payoff[:, int(np.argmax(ally))]
        falls = np.flatnonzero(np.diff(own) < 0)
        if len(falls):
            less, more = own[falls[0]], own[falls[0] + 1]
            raise ValueError(
                f"{self._game.rules.name} pays {more:g} for more than what it pays {less:g} for; "
                "allowed: payoffs that never fall as a side takes more (utility 'points' always)"
            )
        begins = np.concatenate([[True], (np.diff(payoff, axis=0) != 0).any(axis=1)])
        return Ladder(
            measure[begins].astype(np.int64), threshold[begins].astype(np.int64), payoff[begins]
        )

    def _score(self, state: GameState, row: int, ally: Bool, points: Ints) -> NDArray[np.float64]:
        """Let the engine score imagined ends (levels, P): no trick, some, all, all by one hand."""
        t, game = self._game.tables, self._game
        rows = np.arange(len(points))
        ends = state.select(np.full(len(points), row))
        for array in (ends.points, ends.tricks, ends.talon, ends.laid):
            array[...] = 0
        ours, theirs = int(np.argmax(ally)), int(np.argmin(ally))
        ends.points[:, ours] = points
        ends.points[:, theirs] = points[-1] - points
        mine = np.ones(len(points), dtype=np.intp)
        mine[[0, -2, -1]] = 0, t.n_tricks, t.n_tricks
        partner = int(np.flatnonzero(ally)[-1])  # a lone player takes all tricks by one hand
        ends.tricks[:, ours] = mine
        ends.tricks[:, theirs] = t.n_tricks - mine
        ends.tricks[-2, ours] -= 1
        ends.tricks[-2, partner] += 1
        if ends.seats:
            ends.seats.melds[:] = self._melds(state, np.array([row]))
        game.settle(ends, rows)
        gains = game.gains(ends)
        return game.rewards(gains, game.taking_part(ends, rows)).astype(np.float64)
