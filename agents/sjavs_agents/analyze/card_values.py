"""The values of cards: with open hands, and on average over the worlds of a seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.analyze.judgement import UTILITIES, Cards
from sjavs_agents.base import Floats, Ints
from sjavs_agents.solver.solver import Solver
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, GameState, PlayerView

__all__ = ["CardValues", "imagined_values", "open_values", "utilities_of"]

EQUAL = 1e-9  # values that differ by less are equal; sums of floats differ that much


@dataclass(eq=False)
class CardValues:
    """Values of the cards in R positions in which these cards (R,) were played."""

    value: Mapping[str, Floats]  # utility -> (R, N), nan where illegal
    played: Ints  # (R,)
    worlds: Ints  # (R,) that they are means over
    exact: NDArray[np.bool_]  # (R,)
    error: Mapping[str, Floats]  # utility -> (R,) standard error of the loss

    def loss(self, utility: str) -> Floats:
        """Return how much less value the card played has than the best one (R,)."""
        value = self.value[utility]
        return np.asarray(np.nanmax(value, axis=1) - value[np.arange(len(value)), self.played])

    def cards(self, game: Game, row: int) -> Cards:
        """Return the values of one position by the names of the cards."""
        legal = np.flatnonzero(~np.isnan(next(iter(self.value.values()))[row])).tolist()
        names = game.pack.cards
        by_utility = {u: value[row] for u, value in self.value.items()}
        return Cards(
            values={names[c]: {u: float(v[c]) for u, v in by_utility.items()} for c in legal},
            best={
                u: [names[c] for c in legal if v[c] >= np.nanmax(v) - EQUAL]
                for u, v in by_utility.items()
            },
            loss={u: float(self.loss(u)[row]) for u in by_utility},
            worlds=int(self.worlds[row]),
            exact=bool(self.exact[row]),
            error={u: float(e[row]) for u, e in self.error.items()},
        )


def utilities_of(solver: Solver, state: GameState, row: int) -> tuple[tuple[str, ...], str]:
    """Return the utilities that a game knows, and why one is missing ("" if none is).

    ``row`` is a game in which a card is to be played.
    """
    try:
        solver.card_values(state, np.array([row]), "score")
    except ValueError as error:
        return ("points",), f"game points are not judged: {error}"
    return UTILITIES, ""


def open_values(
    solver: Solver, state: GameState, rows: Ints, played: Ints, utilities: tuple[str, ...]
) -> CardValues:
    """Return the values of cards in the games ``rows`` (R,), with all hands open."""
    value = {u: solver.card_values(state, rows, u) for u in utilities}  # type: ignore[arg-type]  # they are the solver's own
    none = np.zeros(len(rows))
    return CardValues(
        value, played, np.ones(len(rows), np.intp), none == 0, dict.fromkeys(utilities, none)
    )


def imagined_values(
    solver: Solver,
    sampler: Sampler,
    view: PlayerView,
    played: Ints,
    utilities: tuple[str, ...],
    worlds: int,
    rng: np.random.Generator,
) -> CardValues:
    """Return mean values over the worlds that agree with each view (R,).

    All of them, each with its chance, where there are no more than ``worlds``; else as many
    drawn by ``Sampler.sample``.  All worlds of all views are solved in one call.
    """
    n = len(view)
    listed = [sampler.all_worlds(view.select(np.array([i])), worlds) for i in range(n)]
    exact = np.array([one is not None for one in listed], dtype=np.bool_)
    states = [one.state for one in listed if one is not None]
    chances = [one.chance for one in listed if one is not None]
    at = [np.full(len(one.chance), i) for i, one in enumerate(listed) if one is not None]
    drawn = np.flatnonzero(~exact)
    if len(drawn):
        states.append(sampler.sample(view.select(drawn), worlds, rng))
        chances.append(np.full(len(drawn) * worlds, 1 / worlds))
        at.append(np.repeat(drawn, worlds))
    state, chance, row = GameState.joined(states), np.concatenate(chances), np.concatenate(at)
    value, error = {}, {}
    for utility in utilities:
        each = solver.card_values(state, np.arange(len(state)), utility)  # type: ignore[arg-type]  # they are the solver's own
        mean = np.zeros((n, each.shape[1]))
        np.add.at(mean, row, chance[:, None] * each)
        value[utility] = mean
        error[utility] = np.where(exact, 0.0, _errors(each, mean, played, row, chance))
    return CardValues(value, played, np.bincount(row, minlength=n), exact, error)


def _errors(each: Floats, mean: Floats, played: Ints, row: Ints, chance: Floats) -> Floats:
    """Return the standard error (R,) of the best card's lead over the one played."""
    best = np.nanargmax(mean, axis=1)
    at = np.arange(len(row))
    lead = each[at, best[row]] - each[at, played[row]]
    centre = np.bincount(row, chance * lead)
    count = np.bincount(row)
    spread = np.bincount(row, (lead - centre[row]) ** 2)
    return np.asarray(np.sqrt(spread / np.maximum(count - 1, 1) / count))
