"""Players of records whose probabilities are known: what they drew by chance, deal by deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sjavs_agents.base import Agent
from sjavs_agents.base.asking import named, told
from sjavs_agents.luck.drawn_actions import DrawLuck, draws_of
from sjavs_env import Game, GameState, view_of
from sjavs_env.errors import shown
from sjavs_env.records.files import Position

__all__ = ["KnownPlayers"]


class KnownPlayers:
    """The agents behind the names of some players, and what their draws brought."""

    def __init__(self, game: Game, agents: Mapping[str, Agent], luck: DrawLuck) -> None:
        """``agents`` by the name of the player in records."""
        self.game, self.agents, self.luck = game, agents, luck

    def read(
        self, positions: Sequence[Position], players: Sequence[str], number: Mapping[int, int]
    ) -> None:
        """Enter the decisions of a record that fall into the deals which ``number`` has.

        It gives the number of a deal by its place in the record.  ValueError, one line, where an
        agent does not tell its probabilities, or would never have done what the record says.
        """
        for player, agent in self.agents.items():
            own = [
                p for p in positions
                if p.action is not None and p.deal in number and players[p.seat] == player
            ]  # fmt: skip
            if own:
                self._enter(player, agent, own, np.array([number[p.deal] for p in own]))

    def _enter(self, player: str, agent: Agent, own: Sequence[Position], deal: np.ndarray) -> None:
        state, every = GameState.joined([p.state for p in own]), np.arange(len(own))
        mask = self.game.legal_actions(state, every)
        known = told(agent, view_of(self.game, state, every, state.seat), mask)
        if known is None:
            raise ValueError(
                f"player {shown(player)} is known as {shown(named(agent))}, which does not tell "
                "its probabilities; allowed: agents that draw and tell them, as trained players "
                "do at a temperature"
            )
        labels = self.game.actions.labels
        done = np.array([labels.index(str(p.action)) for p in own])
        never = np.flatnonzero(known[every, done] <= 0)
        if len(never):
            p = own[never[0]]
            raise ValueError(
                f"deal {p.deal + 1}, action {p.move + 1}: player {shown(player)} did {p.action}, "
                f"which {shown(named(agent))} never does; allowed: the agent that played"
            )
        self.luck.add(draws_of(state, every, known, done, deal))
