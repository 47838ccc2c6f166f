"""Learn a belief from self-play: deals are played, learned from for a while, and forgotten.

The exact posterior of a view costs some twenty times the play of a decision, and decisions of
one deal tell much the same.  So only some of them are asked about, and more deals are played.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from sjavs_agents.base import Agent
from sjavs_agents.belief.learned_belief import Belief, BeliefConfig, BeliefLearner, Examples
from sjavs_agents.belief.self_play import SelfPlay
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game

__all__ = ["Budget", "Progress", "learn_belief", "stream"]

GAMES = 2048  # deals played in one round
ASKED = 0.25  # share of the decisions that are asked about
ROUNDS = 8  # that are remembered; to learn from the last one alone is to learn it by heart
PASSES = 4  # examples learned from for each new one, from all that are remembered
MINIBATCH = 1024
RATE, LAST_RATE = 1e-3, 2e-5  # Adam step size at the start and at the end


@dataclass(frozen=True)
class Budget:
    """When to stop: after so many deals or, where these are 0, so many minutes.

    A round that has begun is finished.
    """

    deals: int = 0
    minutes: float = 0.0

    def spent(self, deals: int, seconds: float) -> float:
        """Return the share of it that is spent, from 0."""
        return deals / self.deals if self.deals else seconds / (60 * self.minutes)


@dataclass(frozen=True)
class Progress:
    """How far a training has come."""

    deals: int
    seconds: float
    loss: float  # of the last round's examples before they were learned from, nats per card
    exact: float  # the same measure for the exact posterior


def stream(seed: int, purpose: str) -> int:
    """Return a seed (63 bits) of its own for each purpose, so that no two share their deals."""
    words = np.random.SeedSequence([seed, *purpose.encode()]).generate_state(1, np.uint64)
    return int(words[0] >> np.uint64(1))


def learn_belief(
    game: Game,
    agent: Agent,
    config: BeliefConfig,
    budget: Budget,
    seed: int = 0,
    report: Callable[[Progress], None] = lambda progress: None,
    device: str = "cpu",
) -> Belief:
    """Return a belief trained on deals in which ``agent`` plays all seats, on a device.

    The same deals and seed give the same weights on the same machine; minutes do not.
    ValueError for a game of which the sampler cannot tell who may hold what.
    """
    sampler = Sampler(game)
    belief = Belief(agent.name, game, sampler.holders, config)
    learner = BeliefLearner(belief, stream(seed, "weights"), device)
    rng = np.random.default_rng(stream(seed, "order"))
    n_games = min(GAMES, budget.deals) if budget.deals else GAMES
    play = SelfPlay(game, agent, n_games, stream(seed, "deals"))
    memory: deque[Examples] = deque(maxlen=ROUNDS)
    start, deals = perf_counter(), 0
    while (spent := budget.spent(deals, perf_counter() - start)) < 1:
        memory.append(_gather(play, sampler, belief, rng))
        examples = Examples.joined(memory)
        losses = learner.log_loss(memory[-1])
        rows = rng.integers(len(examples), size=PASSES * len(memory[-1]))
        learner.learn(examples, rows, MINIBATCH, RATE + (LAST_RATE - RATE) * spent)
        deals += n_games
        report(Progress(deals, perf_counter() - start, *losses))
    belief.net.requires_grad_(False)
    return belief


def _gather(play: SelfPlay, sampler: Sampler, belief: Belief, rng: np.random.Generator) -> Examples:
    """Play one deal of every game and return some of the decisions in it."""
    parts: list[Examples] = []
    while not parts:
        for everything in play.deal():
            moment = everything.select(rng.random(len(everything)) < ASKED)
            if len(moment):
                exact = sampler.chances(moment.view)
                holder = moment.holder(play.game, exact.sum(axis=1) > 0.5)
                parts.append(belief.examples(moment.view, exact, holder))
    return Examples.joined(parts)
