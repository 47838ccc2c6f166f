"""The luck of a deal: what its cards held with open hands, against what was made of them.

With open hands every card keeps what the deal is worth to a side or loses some of it, so what a
side makes is what it held at the lead, less its own losses and more by those of the others.
"""

from __future__ import annotations

import numpy as np

from sjavs_agents.analyze.card_values import CardValues
from sjavs_agents.analyze.judgement import Luck, Side
from sjavs_agents.analyze.recorded_games import Deal
from sjavs_agents.base import Floats, Ints
from sjavs_agents.solver.solver import Solver
from sjavs_env import Game
from sjavs_env.engine.results.payoff import points_in
from sjavs_env.engine.state import ONLY_GAME
from sjavs_env.rules.tables import NONE, Bool

__all__ = ["luck_of"]


def luck_of(solver: Solver, deal: Deal, lead: int, moves: Ints, values: CardValues) -> Luck:
    """Return the luck of a deal that was played out.

    ``lead`` is the move of the first card, and ``values`` are those of all real choices of cards
    (R,), made at ``moves``.
    """
    game, end = deal.game, deal.end
    declarer = int(end.declarer[0])
    ally = game.tables.result.ally[declarer]  # NONE picks the last row, the side of seat 0
    first = 0 if declarer == NONE else declarer
    seat, at_lead = deal.state.seat[moves], np.array([lead])
    ours, weight = ally[seat], _weights(game, ally)
    held, lost = {}, {}
    for utility in values.value:
        of_leads = solver.card_values(deal.state, at_lead, utility, first)[0]  # type: ignore[arg-type]  # they are the solver's own
        best = np.nanmax if ally[deal.state.seat[lead]] else np.nanmin
        held[utility] = float(best(of_leads))
        scale = weight[first] / weight[seat] if utility == "score" else 1.0
        loss = values.loss(utility) * scale
        lost[utility] = [float(loss[ours].sum()), float(loss[~ours].sum())]
    points, total = _points_made(deal, ally)
    made = {"points": float(2 * points - total), "score": float(_reward(deal)[first])}
    names = [np.flatnonzero(side).tolist() for side in (ally, ~ally)]
    return Luck(
        seat=first,
        held=held,
        made={utility: made[utility] for utility in held},
        held_points=round((held["points"] + total) / 2),
        made_points=points,
        sides=(
            Side(names[0], {u: both[0] for u, both in lost.items()}),
            Side(names[1], {u: both[1] for u, both in lost.items()}),
        ),
    )


def _weights(game: Game, ally: Bool) -> Floats:
    """Return how many game points a seat (P,) wins for each that its side gains on the other."""
    if game.tables.seats:  # two players (``Game.rewards``)
        return np.ones(len(ally))
    opponents = game.tables.result.opponents
    across = np.where(ally[None, :] != ally[:, None], opponents, 0).sum(axis=0)
    return np.asarray(across / opponents[0].sum(), dtype=np.float64)


def _points_made(deal: Deal, ally: Bool) -> tuple[int, int]:
    """Return the card points of the side ``ally`` (P,), and those of both sides."""
    end, tables = deal.end, deal.game.tables
    aside = int(points_in(tables, end.talon | end.laid).sum()) if tables.deal.n_talon else 0
    return int(end.points[0, ally].sum()) + aside, int(end.points[0].sum()) + aside


def _reward(deal: Deal) -> Floats:
    game, rows = deal.game, ONLY_GAME
    gains = game.gains(deal.end)
    rewards = game.rewards(gains, game.taking_part(deal.end, rows))
    return np.asarray(rewards[0], dtype=np.float64)
