"""The parts of play that two agents can exchange: bidding, exchange, cards."""

from __future__ import annotations

from collections.abc import Sequence

from sjavs_agents.base import Agent
from sjavs_agents.heuristic.mixed_agent import MixedAgent
from sjavs_env import Game, Phase

__all__ = ["factors_of", "mixed"]

BIDDING, EXCHANGE, CARDS = "bidding", "exchange", "cards"
# What belongs to the bidding where nothing but these comes before the cards.
CALLS = {Phase.AUCTION, Phase.NAME_TRUMP}


def factors_of(game: Game) -> tuple[str, ...]:
    """Return the parts of play of a game, in the order of a deal.

    ``"exchange"`` is all between the auction and the cards, where there is more than naming
    trumps: taking and laying away, giving up, the lowest trump, the reserve, dropping out.  Trumps
    are named by the bidder in games without an exchange, else by the one who exchanges.
    """
    phases = set(game.actions.slices) - {Phase.PLAY}
    has_exchange = bool(phases - CALLS)
    bids = [BIDDING] if Phase.AUCTION in phases else []
    return (*bids, *([EXCHANGE] if has_exchange else []), CARDS)


def mixed(game: Game, agents: Sequence[Agent]) -> Agent:
    """Return one agent whose parts (``factors_of``) are played by these, one for each."""
    factors = factors_of(game)
    if len(agents) != len(factors):
        raise ValueError(f"agents are {len(agents)}; allowed: one for each of {factors}")
    if len(factors) == 1:
        return agents[0]
    *before, cards = agents
    last = MixedAgent(before[-1], cards, only_cards=True)
    return last if len(before) == 1 else MixedAgent(before[0], last)
