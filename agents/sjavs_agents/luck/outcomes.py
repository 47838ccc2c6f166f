"""What a deal brought each seat, in the units that luck is measured in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from sjavs_agents.base import Bool, Floats, Ints
from sjavs_env import REDEAL, Game, GameState
from sjavs_env.engine.results.payoff import points_in
from sjavs_env.rules.tables import NONE

__all__ = ["UNITS", "Dealt", "first_states", "margins", "was_played"]

UNITS = ("game_points", "card_points")


class Dealt(NamedTuple):
    """R deals: what chance decides of them."""

    decks: Ints  # (R, N) card ids in dealing order
    dealer: Ints  # (R,)
    cut: Ints  # (R,) 1 where the deck was cut


def first_states(game: Game, dealt: Dealt) -> GameState:
    """Return games (R,) in which these deals are the first ones, with all seats in."""
    state = game.new_games(len(dealt.dealer), dealer=dealt.dealer, cut=dealt.cut)
    game.deal_deck(state, np.arange(len(state)), dealt.decks)
    return state


def was_played(state: GameState) -> Bool:
    """Return the games (B,) whose deal was played out: not passed by all, nor broken off."""
    return np.asarray((state.outcome != REDEAL) & (state.outcome != NONE))


def margins(game: Game, state: GameState) -> Mapping[str, Floats]:
    """Return by unit what the last deal brought each seat (B, P) more than its opponents.

    Game points as rewards (``Game.rewards``); card points of a side less those of the other, or,
    where each plays alone, of a seat less the mean of the others.  What lies aside counts for a
    declarer who played on.  Zero for seats that took no part and for deals that nobody bid on.
    """
    every = np.arange(len(state))
    part = game.taking_part(state, every)
    rewards = np.asarray(game.rewards(game.gains(state), part), dtype=np.float64)
    points = _card_points(game, state)
    if game.rules.sides == "partners":
        with_0 = game.tables.result.ally[0]
        lead = points @ np.where(with_0, 1.0, -1.0)
        cards = np.where(with_0, lead[:, None], -lead[:, None])
    else:
        cards = np.asarray(game.rewards(points.astype(np.float32), part), dtype=np.float64)
    played = was_played(state)[:, None]
    return {"game_points": rewards * played, "card_points": cards * played}


def _card_points(game: Game, state: GameState) -> Floats:
    """Card points (B, P) of each seat; what lies aside is the declarer's if they played on."""
    points = state.points.astype(np.float64)
    if game.tables.deal.n_talon:
        aside = points_in(game.tables, state.talon | state.laid) * (1 - state.gave_up)
        declared = np.flatnonzero(state.declarer != NONE)
        points[declared, state.declarer[declared]] += aside[declared]
    return points
