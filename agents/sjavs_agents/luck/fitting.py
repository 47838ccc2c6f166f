"""Fitting a luck model: what agents made of deals, against what the deals were worth.

With a crew, what is left is fitted to the luck of those agents that draw by known probabilities.

The deals of the fit are those of a seed of their own; the model is for other deals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sjavs_agents.base import Agent, Floats, Ints, fair, forced, open_decisions
from sjavs_agents.base.asking import ask, told
from sjavs_agents.luck.deal_values import DealValues
from sjavs_agents.luck.drawn_actions import DrawLuck, draws_of
from sjavs_agents.luck.luck_model import Correction, LuckModel, places
from sjavs_agents.luck.outcomes import UNITS, Dealt, first_states, margins
from sjavs_env import Game, rules_to_json, view_of
from sjavs_env.engine.deal import numbered_decks
from sjavs_env.randomness import derived

__all__ = ["LEAST_DEALS", "fit_model", "numbered_deals", "play_deals"]

LEAST_DEALS = 50
SMALLEST = 1e-9  # of the largest singular value: smaller ones tell of values that depend on others


def numbered_deals(game: Game, deals: int, seed: int) -> Dealt:
    """Return deals 0, 1, ... of a seed, dealt by one seat after the other."""
    numbers = np.arange(deals)
    decks = numbered_decks(len(game.pack), seed, numbers)
    return Dealt(decks, numbers % game.tables.n_players, np.ones(deals, dtype=np.intp))


def play_deals(
    game: Game, agents: Sequence[Agent], dealt: Dealt, seed: int, luck: DrawLuck | None = None
) -> dict[str, Floats]:
    """Let agents play deals, each seat one drawn among them; return ``margins`` (R, P).

    ``luck`` is told what those do by chance who say how likely it was.  AgentError for an agent
    that does not know what to do; ValueError for probabilities that are none.
    """
    state = first_states(game, dealt)
    rng = derived(seed, "luck agents")
    at_seat = rng.integers(len(agents), size=(len(state), game.tables.n_players))
    for rows, mask in open_decisions(game, state):
        action, choices = forced(mask)
        seat = state.seat[rows]
        for i, agent in enumerate(agents):
            asked = choices[at_seat[rows[choices], seat[choices]] == i]
            if len(asked):
                view = view_of(game, state, rows[asked], seat[asked])
                known = None if luck is None else told(agent, view, mask[asked])
                action[asked] = ask(agent, view, mask[asked], rng, game.actions.labels)
                if luck is not None and known is not None:
                    luck.add(draws_of(state, rows[asked], known, action[asked], rows[asked]))
        game.step(state, action, rows)
    return dict(margins(game, state))


def fit_model(
    game: Game,
    agents: Sequence[Agent],
    deals: int,
    seed: int,
    crew: Agent | None = None,
    files: Sequence[str] = (),
) -> LuckModel:
    """Fit what agents make of ``deals`` numbered deals of ``seed`` by least squares.

    ``crew`` plays all deals as well, and values actions; ``files`` are digests of what it is read
    from.  ValueError for too few deals and for agents that look into all hands.
    """
    if deals < LEAST_DEALS:
        raise ValueError(f"deals is {deals}; allowed: {LEAST_DEALS} or more")
    dealt = numbered_deals(game, deals, seed)
    values = DealValues(game, None if crew is None else fair(crew))
    luck = None if crew is None else DrawLuck(game, crew, seed)
    results = play_deals(game, [fair(agent) for agent in agents], dealt, seed, luck)
    found = values.of(dealt, seed)
    drawn = dict.fromkeys(UNITS) if luck is None else luck.of(deals)
    made = {"agents": [agent.name for agent in agents], "deals": deals, "seed": seed}
    made |= {} if crew is None else {"crew": crew.name, "files": list(files)}
    return LuckModel(
        rules_to_json(game.rules),
        made,
        {unit: _fit(values.names, found, results[unit], dealt, drawn[unit]) for unit in UNITS},
    )


def _fit(
    names: tuple[str, ...], values: Floats, results: Floats, dealt: Dealt, drawn: Floats | None
) -> Correction:
    """Fit results (R, P) by values (R, P, values), each seat with a mean of its own.

    What that leaves is fitted by the luck of draws ``drawn`` (R, P), if there is any.
    """
    place = places(dealt.dealer, values.shape[1])
    by_place = np.zeros_like(values)
    np.put_along_axis(by_place, place[:, :, None], values, axis=1)
    gained = np.zeros_like(results)
    np.put_along_axis(gained, place, results, axis=1)
    weights = _least_squares(by_place, gained)
    worth = by_place @ weights
    covariance = np.atleast_2d(np.cov(worth, rowvar=False)) / len(worth)
    return Correction(
        dict(zip(names, weights.tolist(), strict=True)),
        worth.mean(axis=0).tolist(),
        covariance.tolist(),
        _explained(by_place, gained),
        0.0 if drawn is None else _share_of(drawn, gained - worth, place),
    )


def _share_of(drawn: Floats, rest: Floats, place: Ints) -> float:
    """Return the share of the luck of draws (R, P) that least squares finds in the ``rest``."""
    by_place = np.zeros_like(drawn)
    np.put_along_axis(by_place, place, drawn, axis=1)
    size = float((by_place**2).sum())
    return float((by_place * (rest - rest.mean(axis=0))).sum()) / size if size > 0 else 0.0


def _least_squares(values: Floats, results: Floats) -> Floats:
    """Return weights (values,): least squares after the means of each place are taken off."""
    columns = (values - values.mean(axis=0)).reshape(-1, values.shape[2])
    wanted = (results - results.mean(axis=0)).reshape(-1)
    return np.linalg.lstsq(columns, wanted, rcond=SMALLEST)[0]


def _explained(values: Floats, results: Floats) -> float:
    """Return the share of variance explained where each half is told by the fit of the other."""
    off, total = 0.0, 0.0
    for half in (0, 1):
        fit, test = slice(half, None, 2), slice(1 - half, None, 2)
        weights = _least_squares(values[fit], results[fit])
        rest = results[test] - values[test] @ weights
        off += float(((rest - rest.mean(axis=0)) ** 2).sum())
        total += float(((results[test] - results[test].mean(axis=0)) ** 2).sum())
    return 1 - off / total if total > 0 else 0.0
