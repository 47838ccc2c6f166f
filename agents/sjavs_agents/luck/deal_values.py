"""What the cards of a deal are worth to each seat: numbers that depend on the deal alone.

Deals are played from the first state of a match by cheap players, often, and solved with open
hands at the lead that the rule player's auction comes to; if there is one, a crew plays them as
well, one agent in all seats.  What happened in the deals that are measured has no say in any of
it, so the mean over random deals is the same whoever plays.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sjavs_agents.base import Agent, Floats, Ints, open_decisions
from sjavs_agents.luck.crowd import club, maxim_player, noisy
from sjavs_agents.luck.outcomes import UNITS, Dealt, first_states, margins
from sjavs_agents.search.playouts import played_out
from sjavs_env import Game, GameState, Phase, view_of
from sjavs_env.cli.extras import needing
from sjavs_env.randomness import derived

__all__ = ["DealValues"]

PLAYED = {"club": (club, 32), "noisy": (noisy, 16)}  # crowds, and how often each plays a deal
CREW_TIMES = 16
MOST_TRICKS = 12  # of deals that are solved: from 16 tricks on one takes minutes
CHUNK = 2048  # deals played together


class DealValues:
    """Values of deals of one game, by name (``names``)."""

    def __init__(self, game: Game, crew: Agent | None = None) -> None:
        """Prepare the players, ``crew`` among them, and the solver where the game has one.

        ValueError, one line, where a game has a solver and numba, which it needs, is missing.
        """
        self.game = game
        self._opener = maxim_player(game)
        self.crew = crew
        self._players: dict[str, tuple[Agent, int]] = {
            name: (make(game), times) for name, (make, times) in PLAYED.items()
        }
        if crew is not None:
            self._players["crew"] = crew, CREW_TIMES
        self._solve = _open_hand_solver(game)
        played = [f"{name}_{unit}" for name in self._players for unit in UNITS]
        self.names = (*played, *(["open_hands"] if self._solve else []))

    def of(self, dealt: Dealt, seed: int = 0) -> Floats:
        """Return the values (R, P, values) of deals to each seat, in the order of ``names``.

        The cheap players draw from streams of ``seed``, so the same deals in the same order have
        the same values.
        """
        nothing: Floats = np.zeros((0, self.game.tables.n_players, len(self.names)))
        parts = [nothing]
        for start in range(0, len(dealt.dealer), CHUNK):
            some = Dealt(*(each[start : start + CHUNK] for each in dealt))
            parts.append(self._chunk(some, derived(seed, "luck", start)))
        return np.concatenate(parts)

    def _chunk(self, dealt: Dealt, rng: np.random.Generator) -> Floats:
        values = []
        for agent, times in self._players.values():
            found = [self._played(dealt, agent, rng) for _ in range(times)]
            values += [np.mean([one[unit] for one in found], axis=0) for unit in UNITS]
        if self._solve is not None:
            values.append(self._open_hands(dealt, rng))
        return np.stack(values, axis=2)

    def _played(self, dealt: Dealt, agent: Agent, rng: np.random.Generator) -> dict[str, Floats]:
        state = first_states(self.game, dealt)
        played_out(self.game, state, agent, rng)
        return dict(margins(self.game, state))

    def _open_hands(self, dealt: Dealt, rng: np.random.Generator) -> Floats:
        """Return the values (R, P) at the lead, nothing where no card is played."""
        assert self._solve is not None
        state, going = first_states(self.game, dealt), np.ones(len(dealt.dealer), dtype=np.bool_)
        for rows, mask in open_decisions(self.game, state, going):
            at_lead = state.phase[rows] == Phase.PLAY
            going[rows[at_lead]] = False
            rest = np.flatnonzero(~at_lead)
            if len(rest):
                some = rows[rest]
                view = view_of(self.game, state, some, state.seat[some])
                self.game.step(state, self._opener.act(view, mask[rest], rng), some)
        values = np.zeros((len(state), self.game.tables.n_players))
        lead = np.flatnonzero(state.phase == Phase.PLAY)
        values[lead] = self._solve(state, lead)
        return values


def _open_hand_solver(game: Game) -> Callable[[GameState, Ints], Floats] | None:
    """Return what solves games (R,) at the lead for each seat (R, P).

    None without two sides, and where it would take too long.
    """
    of_many = game.tables.seats and game.tables.n_players > 2
    if of_many or game.tables.n_tricks > MOST_TRICKS:
        return None
    with needing("search"):
        from sjavs_agents.solver.open_value import OpenValue
    return OpenValue(game, falls_back=True).of_seats
