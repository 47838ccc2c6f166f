"""What the agents of a match did, counted over all its tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sjavs_agents.base import Bool, Floats, Ints
from sjavs_env import Game, GameState
from sjavs_env.rules.tables import PLAYED, RuleTables

__all__ = ["STANDINGS", "Tally", "seats_from_dealer"]


def _seat_of(name: str) -> Callable[[RuleTables, GameState, Ints], Bool]:
    def marked(tables: RuleTables, state: GameState, rows: Ints) -> Bool:
        seat = getattr(state.seat_state, name)[rows, None]
        return np.asarray(seat == np.arange(tables.n_players))

    return marked


def _in_bag(tables: RuleTables, state: GameState, rows: Ints) -> Bool:
    total = state.points[rows] + state.seat_state.melds[rows]
    counts = (state.seat_state.playing[rows] == 1) & (state.outcome[rows, None] == PLAYED)
    return np.asarray(counts & (total < tables.seat_rules.limit))


# What a seat can have done in a deal (R, P), where seats may be out; it may be several things.
STANDINGS: dict[str, Callable[[RuleTables, GameState, Ints], Bool]] = {
    "stayed": lambda t, state, rows: state.seat_state.playing[rows] == 1,
    "dropped": lambda t, state, rows: state.seat_state.playing[rows] == 0,
    "swapped_six": _seat_of("six_by"),
    "took_reserve": _seat_of("taker"),
    "scored_melds": lambda t, state, rows: state.seat_state.melds[rows] > 0,
    "in_bag": _in_bag,
}


@dataclass(eq=False)
class Tally:
    """What each agent did, counted over all tables of a match, of two in most."""

    actions: Ints  # (agents, A) actions taken, forced ones included
    suits: Ints  # (agents, M) deals by declaring agent and trump mode
    bids: Ints  # (agents, K) deals by declaring agent and the bid that held
    outcomes: Ints  # (agents, O) deals by declaring agent and payoff row
    role_deals: Ints  # (agents, 2) deals with a declarer by agent and side: it declares, it defends
    role_game_points: Floats  # (agents, 2) what a seat on that side won in them
    role_card_points: Floats  # (agents, 2) what that side took in them
    seat_deals: Ints  # (agents, P) deals by agent and seat counted from the dealer, who is 0
    seat_game_points: Floats  # (agents, P) what that seat won in them
    standing_deals: Ints  # (agents, standings) deals by agent and what its seat did (``STANDINGS``)
    standing_game_points: Floats  # (agents, standings) what that seat won in them
    standing_card_points: Floats  # (agents, standings) what it took in tricks
    standing_melds: Floats  # (agents, standings) what it scored for melds
    decisions: Ints  # (agents,) questions put to each agent
    seconds: Floats  # (agents,) CPU time of its answers
    redeals: int = 0  # deals that nobody bid on

    @classmethod
    def empty(cls, game: Game, agents: int = 2) -> Tally:
        """Return a tally of nothing."""

        def counts(*shape: int) -> Ints:
            return np.zeros((agents, *shape), dtype=np.intp)

        t = game.tables

        def sums(*shape: int) -> Floats:
            return np.zeros((agents, *shape))

        contracts = (
            counts(t.n_modes),
            counts(t.auction.n_bids),
            counts(len(t.result.payoff_names)),
        )
        roles = (counts(2), sums(2), sums(2))
        seats = (counts(t.n_players), sums(t.n_players))
        done = len(STANDINGS) if t.seats else 0
        standings = (sums(done), sums(done), sums(done))
        actions, did = counts(game.actions.size), counts(done)
        return cls(actions, *contracts, *roles, *seats, did, *standings, counts(), sums())

    def add(self, other: Tally) -> None:
        """Count what another tally has counted as well."""
        for name, values in vars(other).items():
            setattr(self, name, getattr(self, name) + values)

    def book_seats(self, game: Game, state: GameState, rows: Ints, by: Ints) -> None:
        """Enter deals that were played out, seat by seat; ``by`` (R, P) are their agents."""
        gains, part = game.gains(state, rows), game.taking_part(state, rows)
        if part is None:
            part = np.ones(by.shape, dtype=np.bool_)
        place = seats_from_dealer(state.dealer[rows], part)
        np.add.at(self.seat_deals, (by[part], place[part]), 1)
        np.add.at(self.seat_game_points, (by[part], place[part]), gains[part])
        if not game.tables.seats:
            return
        points, melds = state.points[rows], state.seat_state.melds[rows]
        for k, marked in enumerate(STANDINGS.values()):
            did = part & marked(game.tables, state, rows)
            agent = by[did]
            np.add.at(self.standing_deals[:, k], agent, 1)
            np.add.at(self.standing_game_points[:, k], agent, gains[did])
            np.add.at(self.standing_card_points[:, k], agent, points[did])
            np.add.at(self.standing_melds[:, k], agent, melds[did])


def seats_from_dealer(dealer: Ints, part: Bool) -> Ints:
    """Return how many seats that take part (R, P) come before each, counted from the dealer.

    The dealer is 0.  Without meaning for seats that do not take part.
    """
    n = part.shape[1]
    around = (dealer[:, None] + np.arange(n)) % n
    count = np.cumsum(np.take_along_axis(part, around, axis=1), axis=1) - 1
    place = np.empty_like(around)
    np.put_along_axis(place, around, count, axis=1)
    return place
