"""All tables of some boards, stepped together to the end of their deals or rubbers.

The cards never depend on the agents: each table of board b takes the deals ``b << 16``,
``(b << 16) + 1``, ... of the seed one after the other, a deal that nobody bids on included.  Each
agent is asked once for all seats it has to act for; forced moves are played unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.arena.recording import Notes
from sjavs_agents.arena.seating import Seating, mean_weights
from sjavs_agents.arena.tally import Tally
from sjavs_agents.base import Agent, Floats, Ints, OpenHandedAgent, forced, open_decisions
from sjavs_agents.base.asking import AgentError, ask, ask_open
from sjavs_env import REDEAL, Game, Phase, view_of
from sjavs_env.engine.results.payoff import points_in
from sjavs_env.envs.episode import MOST_PASSED
from sjavs_env.records.history import Record

if TYPE_CHECKING:
    from sjavs_agents.arena.match import MatchResult

__all__ = ["BOARD_BITS", "EPISODES", "Episode", "MatchError", "Scores", "Tables"]

Episode = Literal["deal", "rubber"]
EPISODES: tuple[Episode, ...] = ("deal", "rubber")
BOARD_BITS = 16  # a board owns this many bits of deal numbers
MOST_PLAYED = 4096  # deals of one rubber; in some matches nobody need ever get ahead


class MatchError(RuntimeError):
    """A match cannot be finished; the message says whose fault it is."""

    so_far: MatchResult | None = None  # of the boards that were finished before, if any


@dataclass(eq=False)
class Scores:
    """What happened at B tables, seen by V parties of which each is measured against the rest."""

    deals: Ints  # (B,) deals played
    numbers: Ints  # (B,) the number of the last of them
    game_points: Floats  # (parties, B) own game points less the others', all deals together
    card_points: Floats  # (parties, B) own card points less the others'
    crosses: Floats  # (parties, B) own crosses, or chips, less the others' at the end of a rubber

    @classmethod
    def empty(cls, parties: int, tables: int) -> Scores:
        """Return scores before the first deal."""
        deals, numbers = np.zeros((2, tables), dtype=np.int64)
        game_points, card_points, crosses = np.zeros((3, parties, tables))
        return cls(deals, numbers, game_points, card_points, crosses)

    def put(self, start: int, part: Scores) -> None:
        """Enter the scores of some of the tables, which begin at ``start``."""
        there = slice(start, start + len(part.deals))
        for name, values in vars(part).items():
            getattr(self, name)[..., there] = values

    def first(self, tables: int) -> Scores:
        """Return the scores of the first tables; they share memory."""
        return Scores(**{name: values[..., :tables] for name, values in vars(self).items()})


class Tables:
    """All tables of some boards, played together.  B tables: so many for each board."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        seating: Seating,
        boards: Ints,
        seed: int,
        rngs: Sequence[np.random.Generator],
    ) -> None:
        """Deal ``boards``; agent i is that of the seating and draws from generator i."""
        self.game, self.agents, self.rngs = game, agents, rngs
        self.tally = Tally.empty(game, len(agents))
        self.agent_at = np.tile(seating.agent_at, (len(boards), 1))  # (B, P)
        self.ours = np.tile(seating.parties, (1, len(boards), 1))  # (parties, B, P)
        self.weight = mean_weights(self.ours)
        self.card_weight = np.where(self.ours, 1, -1) if seating.of_sides else self.weight
        board = np.repeat(boards, len(seating.agent_at))
        numbers = board << BOARD_BITS
        self.state = game.new_games(len(board), seed=seed, numbers=numbers, dealer=board)
        self.scores = Scores.empty(len(self.ours), len(board))
        self.passed = np.zeros(len(board), dtype=np.intp)  # deals in a row that nobody bid on
        self.notes: Notes | None = None

    def play(self, episode: Episode, go_on: Callable[[], object] = bool) -> None:
        """Play every table to the end of its episode; ``go_on`` is called now and then.

        It may raise whatever shall end the play.
        """
        for rows, mask in open_decisions(self.game, self.state):
            go_on()
            self._step(rows, mask)
            over = rows[self.state.phase[rows] == Phase.OVER]
            if len(over):
                if self.notes is not None:
                    self.notes.close(self.state, over)
                goes_on = self._settle(over, episode)
                if self.notes is not None:
                    self.notes.open(self.state, goes_on)

    def keep_records(self) -> None:
        """Write down from now on what happens; call it before anything does."""
        self.notes = Notes(self.game, self.state)

    def records(self) -> list[Record]:
        """Return the record of each table, players named after agents; none without notes."""
        names = np.array([agent.name for agent in self.agents])[self.agent_at]
        return [] if self.notes is None else self.notes.records(names.tolist())

    def _step(self, rows: Ints, mask: NDArray[np.int8]) -> None:
        """Let the seat to act at each of these tables act."""
        action, choices = forced(mask)
        seat = self.state.seat[rows]
        by = self.agent_at[rows, seat]
        for i in range(len(self.agents)):
            asked = choices[by[choices] == i]
            if len(asked):
                action[asked] = self._ask(i, rows[asked], seat[asked], mask[asked])
        np.add.at(self.tally.actions, (by, action), 1)
        if self.notes is not None:
            self.notes.note(rows, seat, action)
        self.game.step(self.state, action, rows)

    def _ask(self, i: int, rows: Ints, seat: Ints, mask: NDArray[np.int8]) -> Ints:
        """Return what agent i does at these tables; MatchError if it fails or that is illegal."""
        agent, rng, labels = self.agents[i], self.rngs[i], self.game.actions.labels
        where = partial(self._decision, rows)
        view = view_of(self.game, self.state, rows, seat)
        start = process_time()
        try:
            if isinstance(agent, OpenHandedAgent):
                action = ask_open(agent, self.state, rows, mask, rng, labels, where)
            else:
                action = ask(agent, view, mask, rng, labels, where)
        except AgentError as error:
            raise MatchError(str(error)) from error
        self.tally.seconds[i] += process_time() - start
        self.tally.decisions[i] += len(rows)
        return action

    def _decision(self, rows: Ints, at: int) -> str:
        """Tell which decision stands at one of these tables."""
        state, table = self.state, rows[at]
        number = int(state.number[table])
        return (
            f"board {number >> BOARD_BITS}, deal {number}, seat {state.seat[table]}, "
            f"phase {Phase(int(state.phase[table])).name}"
        )

    def _settle(self, rows: Ints, episode: Episode) -> Ints:
        """Book deals that are over and deal on; return the tables that have not finished."""
        state, scores = self.state, self.scores
        is_played = state.outcome[rows] != REDEAL
        self._book(rows[is_played])
        self.tally.redeals += int((~is_played).sum())
        ends = is_played & ((episode == "deal") | (state.rubber_over[rows] == 1))
        finished, goes_on = rows[ends], rows[~ends]
        scores.numbers[finished] = state.number[finished]
        won = self.game.match_gains(state)[finished]
        scores.crosses[:, finished] = _margin(won, self.weight[:, finished])
        self._check_progress(goes_on)
        self.game.next_deal(state, goes_on)
        return goes_on

    def _check_progress(self, rows: Ints) -> None:
        """MatchError where a table may never be finished, or is about to use another's deals."""
        is_redeal = self.state.outcome[rows] == REDEAL
        self.passed[rows] = np.where(is_redeal, self.passed[rows] + 1, 0)
        used = self.state.number[rows].astype(np.intp) & (1 << BOARD_BITS) - 1
        if (self.passed[rows] >= MOST_PASSED).any():
            raise MatchError(f"nobody bids: {MOST_PASSED:,} deals in a row were passed")
        if (self.scores.deals[rows] >= MOST_PLAYED).any():
            raise MatchError(f"a rubber is not over after {MOST_PLAYED:,} deals: nobody gets ahead")
        if (used + 1 >> BOARD_BITS).any():
            raise MatchError(
                f"a board has no deals left after {used.max() + 1:,}: hardly anybody bids"
            )

    def _book(self, rows: Ints) -> None:
        """Enter deals that were played out."""
        state, scores, tally = self.state, self.scores, self.tally
        gains, points = self.game.gains(state, rows), self._card_points(rows)
        scores.deals[rows] += 1
        weight, card_weight = self.weight[:, rows], self.card_weight[:, rows]
        part = self.game.taking_part(state, rows)
        if part is not None:
            weight = card_weight = mean_weights(self.ours[:, rows], part)
        scores.game_points[:, rows] += _margin(gains, weight)
        scores.card_points[:, rows] += _margin(points, card_weight)
        declarer = np.maximum(state.declarer[rows], 0)  # nobody: the side of seat 0
        by, bid = self.agent_at[rows, declarer], state.best_bid[rows]
        np.add.at(tally.suits, (by, state.mode[rows]), 1)
        np.add.at(tally.outcomes, (by, state.outcome[rows]), 1)
        np.add.at(tally.bids, (by[bid >= 0], bid[bid >= 0]), 1)
        tally.book_seats(self.game, state, rows, self.agent_at[rows])
        self._book_roles(rows[bid >= 0], gains[bid >= 0], points[bid >= 0])

    def _card_points(self, rows: Ints) -> Ints:
        """Card points (R, P) of each seat; what lies aside is the declarer's if they played on."""
        state, t = self.state, self.game.tables
        points = state.points[rows]
        if t.deal.n_talon:
            aside = points_in(t, state.talon[rows] | state.laid[rows])
            points[np.arange(len(rows)), state.declarer[rows]] += aside * (1 - state.gave_up[rows])
        return points

    def _book_roles(self, rows: Ints, gains: Floats, points: Ints) -> None:
        """Enter by role deals that somebody declared; an agent may be on both sides of one."""
        ally = self.game.tables.result.ally[self.state.declarer[rows]]
        for role, side in enumerate((ally, ~ally)):
            one = np.arange(len(rows)), side.argmax(axis=1)  # all seats of a side win alike
            side_gain, side_points = gains[one], (points * side).sum(axis=1)
            for i in range(len(self.agents)):
                there = (side & (self.agent_at[rows] == i)).any(axis=1)
                self.tally.role_deals[i, role] += there.sum()
                self.tally.role_game_points[i, role] += side_gain[there].sum(dtype=np.float64)
                self.tally.role_card_points[i, role] += side_points[there].sum()


def _margin(per_seat: Ints | Floats, weight: Ints | Floats) -> Floats:
    """Own mean less that of the others (parties, R) of a value of each seat (R, P)."""
    return np.asarray((per_seat * weight).sum(axis=-1))
