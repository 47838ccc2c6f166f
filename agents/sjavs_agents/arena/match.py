"""Duplicate matches: the same numbered deals at several tables, the agents exchanged.

A board is a numbered deal, or a stream of them for a rubber, played once at each table of a
seating; board b is dealt by seat b mod P.  The cards never depend on the agents: each table of
board b takes the deals ``b << 16``, ``(b << 16) + 1``, ... of the seed one after the other, a
deal that nobody bids on included.  All tables of a chunk of boards are stepped together, and
each agent is asked once for all seats it has to act for; forced moves are played unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.arena.recording import Notes
from sjavs_agents.arena.tally import Tally
from sjavs_agents.base import Agent, Floats, Ints, OpenHandedAgent, forced, open_decisions
from sjavs_agents.base.asking import AgentError, ask, ask_open
from sjavs_agents.stats.estimates import Estimate, estimate_mean, estimate_share
from sjavs_env import REDEAL, Game, Phase, view_of
from sjavs_env.engine.results.payoff import points_in
from sjavs_env.envs.episode import MOST_PASSED
from sjavs_env.randomness import derived
from sjavs_env.records.history import Record

__all__ = [
    "BOARD_BITS",
    "EPISODES",
    "Episode",
    "MatchError",
    "MatchResult",
    "check_match",
    "play_match",
    "seating",
]

Episode = Literal["deal", "rubber"]
EPISODES: tuple[Episode, ...] = ("deal", "rubber")
BOARD_BITS = 16  # a board owns this many bits of deal numbers
MOST_PLAYED = 4096  # deals of one rubber; in some matches nobody need ever get ahead
MOST_BOARDS = 2**24  # that fit into memory with what comes of them
CHUNK = 1024  # boards stepped together


class MatchError(RuntimeError):
    """A match cannot be finished; the message says whose fault it is."""

    so_far: MatchResult | None = None  # of the boards that were finished before, if any


@dataclass(eq=False)
class Scores:
    """What happened at each table (B,), from A's side."""

    deals: Ints  # deals played
    number: Ints  # the number of the last of them
    game_points: Floats  # own game points less the others', all deals together
    card_points: Floats  # own card points less the others'
    crosses: Floats  # own crosses, or chips, less the others' at the end of a rubber

    @classmethod
    def empty(cls, tables: int) -> Scores:
        """Return scores before the first deal."""
        deals, number = np.zeros((2, tables), dtype=np.intp)
        game_points, card_points, crosses = np.zeros((3, tables))
        return cls(deals, number, game_points, card_points, crosses)


@dataclass(eq=False)
class MatchResult:
    """A match of agent A against agent B; every number is seen from A's side."""

    game: Game
    agents: tuple[str, str]
    seed: int
    episode: Episode
    boards: Ints  # (boards,) board numbers
    deals: Ints  # (boards, tables) deals played at each table
    numbers: Ints  # (boards, tables) the number of the last of them
    game_points: Floats  # (boards, tables) own game points less the others', all deals together
    card_points: Floats  # (boards, tables) own card points less the others'
    crosses: (
        Floats  # (boards, tables) own crosses, or chips, less the others' at the end of a rubber
    )
    tally: Tally

    @classmethod
    def of(
        cls,
        game: Game,
        agents: tuple[str, str],
        seed: int,
        episode: Episode,
        boards: Ints,
        parts: Sequence[Scores],
        tally: Tally,
    ) -> MatchResult:
        """Put the scores of the chunks of some boards together."""

        def joined(name: str) -> NDArray[Any]:  # whole numbers or floats, as the field says
            found = np.concatenate([getattr(part, name) for part in parts])
            return found.reshape(len(boards), -1)

        return cls(
            game, agents, seed, episode, boards, joined("deals"), joined("number"),
            joined("game_points"), joined("card_points"), joined("crosses"), tally,
        )  # fmt: skip

    @property
    def board_game_points(self) -> Floats:
        """Game points per deal (boards,) of each board."""
        return (self.game_points / self.deals).mean(axis=1)

    @property
    def board_card_points(self) -> Floats:
        """Card points per deal (boards,) of each board."""
        return (self.card_points / self.deals).mean(axis=1)

    def estimates(self) -> dict[str, Estimate]:
        """Return the results of the match with their intervals, by name."""
        points = self.board_game_points
        found = {
            "game_points": estimate_mean(points),
            "card_points": estimate_mean(self.board_card_points),
            "boards_won": estimate_share(float(_won(points).mean()), len(points)),
        }
        if self.episode == "rubber":  # the tables of a board share their cards: paired
            found["rubbers_won"] = estimate_mean(_won(self.crosses).mean(axis=1), null=0.5)
            found["crosses"] = estimate_mean(self.crosses.mean(axis=1))
        return found


def _won(margin: Floats) -> Floats:
    """1 for a win, a half for a draw."""
    return np.asarray((1 + np.sign(margin)) / 2)


def _partners(game: Game) -> Ints:
    """The side of seat 0 for one agent, the other side for the other; then exchanged."""
    of_seat_0 = game.tables.result.ally[0].astype(np.intp)
    return np.stack([1 - of_seat_0, of_seat_0])


def _alone(game: Game) -> Ints:
    """One agent alone in each seat against the other in all others; then exchanged.

    Of two players each is alone: there the exchange is the other seat.
    """
    alone = 1 - np.eye(game.tables.n_players, dtype=np.intp)
    return alone if len(alone) == 2 else np.concatenate([alone, 1 - alone[::-1]])


# How agents are seated depends on who plays with whom; games with other sides add a line.
_SEATINGS: dict[str, Callable[[Game], Ints]] = {"partners": _partners, "alone": _alone}
# Card points of an agent: those of its side, or the mean of its seats, none of which is the
# other's partner in every deal.
_CARD_WEIGHTS: dict[str, Callable[[Ints], Ints | Floats]] = {
    "partners": lambda agent_at: 1 - 2 * agent_at,
    "alone": lambda agent_at: _mean_weights(agent_at),
}


def seating(game: Game) -> Ints:
    """Return which agent sits where (tables, P): 0 for A, 1 for B, at each table of a board."""
    return _SEATINGS[game.rules.sides](game)


def check_match(boards: int, seed: int = 0, episode: str = "deal", chunk: int = CHUNK) -> None:
    """Raise ValueError, naming the value and what is allowed, for values that make no match."""
    if episode not in EPISODES:
        raise ValueError(f"episode is {episode!r}; allowed: {', '.join(EPISODES)}")
    wanted = {
        "boards": (boards, 1, MOST_BOARDS),
        "seed": (seed, 0, 2**64 - 1),
        "chunk": (chunk, 1, MOST_BOARDS),
    }
    for name, (value, least, most) in wanted.items():
        if not least <= value <= most:
            raise ValueError(f"{name} is {value}; allowed: {least} to {most}")


def play_match(
    game: Game,
    agents: tuple[Agent, Agent],
    boards: int,
    seed: int = 0,
    *,
    episode: Episode = "deal",
    chunk: int = CHUNK,
    keep: Callable[[list[Record]], object] | None = None,
) -> MatchResult:
    """Play boards 0, 1, ... of the seed; ValueError for values that make no match.

    Agent i draws from a stream of its own for each chunk, so that the same call gives the same
    result; ``chunk`` changes only what agents that draw do.  ``keep`` is called with the records
    of all tables of each chunk, board by board, their players named after the agents.  A
    MatchError brings the result of the chunks before it.
    """
    check_match(boards, seed, episode, chunk)
    numbers, tally = np.arange(boards), Tally.empty(game)
    parts: list[Scores] = []

    def result(done: int, tally: Tally) -> MatchResult:
        names = (agents[0].name, agents[1].name)
        return MatchResult.of(game, names, seed, episode, numbers[:done], parts, tally)

    for i, start in enumerate(range(0, boards, chunk)):
        before = deepcopy(tally)
        tables = _Tables(game, agents, numbers[start : start + chunk], seed, i, tally)
        tables.notes = None if keep is None else Notes(game, tables.state)
        try:
            parts.append(tables.play(episode))
        except MatchError as error:
            error.so_far = result(start, before) if start else None
            raise
        if keep is not None:
            keep(tables.records())
    return result(boards, tally)


class _Tables:
    """All tables of some boards, played together.  B tables: so many for each board."""

    def __init__(
        self,
        game: Game,
        agents: tuple[Agent, Agent],
        boards: Ints,
        seed: int,
        chunk: int,
        tally: Tally,
    ) -> None:
        sides = seating(game)
        self.game, self.agents, self.tally = game, agents, tally
        self.rngs = [derived(seed, "arena", i, chunk) for i in range(len(agents))]
        self.agent_at = np.tile(sides, (len(boards), 1))  # (B, P) 0 for A, 1 for B
        self.weight = _mean_weights(self.agent_at)
        self.card_weight = _CARD_WEIGHTS[game.rules.sides](self.agent_at)
        board = np.repeat(boards, len(sides))
        numbers = board << BOARD_BITS
        self.state = game.new_games(len(board), seed=seed, numbers=numbers, dealer=board)
        self.scores = Scores.empty(len(board))
        self.passed = np.zeros(len(board), dtype=np.intp)  # deals in a row that nobody bid on
        self.notes: Notes | None = None

    def play(self, episode: Episode) -> Scores:
        """Play every table to the end of its episode."""
        for rows, mask in open_decisions(self.game, self.state):
            self._step(rows, mask)
            over = rows[self.state.phase[rows] == Phase.OVER]
            if len(over):
                if self.notes is not None:
                    self.notes.close(self.state, over)
                goes_on = self._settle(over, episode)
                if self.notes is not None:
                    self.notes.open(self.state, goes_on)
        return self.scores

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
        scores.number[finished] = state.number[finished]
        won = self.game.match_gains(state)[finished]
        scores.crosses[finished] = _margin(won, self.weight[finished])
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
        weight, card_weight = self.weight[rows], self.card_weight[rows]
        part = self.game.taking_part(state, rows)
        if part is not None:
            weight = card_weight = _mean_weights(self.agent_at[rows], part)
        scores.game_points[rows] += _margin(gains, weight)
        scores.card_points[rows] += _margin(points, card_weight)
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


def _mean_weights(agent_at: Ints, part: NDArray[np.bool_] | None = None) -> Floats:
    """Weights (B, P) that give the mean of A's seats less the mean of B's.

    Of the seats that take part (B, P), by default all; nothing where an agent has none of them.
    """
    takes_part = np.ones(agent_at.shape, dtype=np.bool_) if part is None else part
    is_a, is_b = takes_part & (agent_at == 0), takes_part & (agent_at == 1)
    by_a, by_b = is_a.sum(axis=1, keepdims=True), is_b.sum(axis=1, keepdims=True)
    counts = (by_a > 0) & (by_b > 0)
    return counts * (is_a / np.maximum(by_a, 1) - is_b / np.maximum(by_b, 1))


def _margin(per_seat: Ints | Floats, weight: Ints | Floats) -> Floats:
    """A's mean less B's mean (R,) of a value of each seat (R, P)."""
    return np.asarray((per_seat * weight).sum(axis=1))
