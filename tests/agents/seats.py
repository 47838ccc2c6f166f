"""Asking agents: one seat at a card table, or whole games of a batch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, Ints
from sjavs_env import Game, GameState, Phase, PlayerView, view_of
from tests.engine.table import Table, fill_hands

__all__ = ["choice_at", "every_question", "seated", "view_at"]


def seated(known: dict[int, str], auction: str, plays: str = "", dealer: int = 3) -> Table:
    """Deal the known cards, go through an auction in which all may pass, and play cards.

    Unknown hands are filled up with the rest of the pack.
    """
    table = Table(fill_hands(known), "faroese_free", dealer=dealer)
    table.act(*filter(None, auction.split(", ")))
    table.play(*plays.split())
    return table


def view_at(table: Table) -> tuple[PlayerView, NDArray[np.int8]]:
    """What the seat to act sees, and the mask of what it may do."""
    rows = np.array([0])
    view = view_of(table.game, table.state, rows, table.state.seat[rows])
    return view, table.game.legal_actions(table.state, rows)


def choice_at(table: Table, agent: Agent) -> str:
    """What the agent does on the seat to act: a card, or the label of a call."""
    action = int(agent.act(*view_at(table), np.random.default_rng(0))[0])
    return table.game.actions.labels[action].removeprefix("play ")


def every_question(
    game: Game, agent: Agent, state: GameState, seed: int = 0
) -> Iterator[tuple[PlayerView, NDArray[np.int8], Ints]]:
    """Let the agent play all seats; yield every batch of views, masks and its answers.

    Tables that redeal go on with their next deal, so that the batches hold several phases.
    """
    rng = np.random.default_rng(seed)
    for _ in range(60):
        over = np.flatnonzero(state.phase == Phase.OVER)
        game.next_deal(state, over)
        rows = np.arange(len(state))
        view, mask = view_of(game, state, rows, state.seat.copy()), game.legal_actions(state)
        action = agent.act(view, mask, rng)
        yield view, mask, action
        game.step(state, action)
