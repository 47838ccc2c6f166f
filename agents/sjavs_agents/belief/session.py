"""One session of learning where hidden cards lie: learn, write, judge.

An agent plays all seats; a network learns from it which holder has each hidden card.  In the end
it is judged by deals that it has not seen, beside the exact posterior of a player who draws
conclusions from what the rules prove alone.  Searching players and the analysis read the file:
``pimc:belief=FILE``, ``sjavs analyze RECORD --belief FILE``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from sjavs_agents.belief.learned_belief import Belief, BeliefConfig, save_belief
from sjavs_agents.belief.learning import Budget, Progress, learn_belief, stream
from sjavs_agents.belief.quality import HEAD, Guesses, by_trick
from sjavs_agents.belief.self_play import SelfPlay
from sjavs_agents.neural.setting_bounds import bound_problems
from sjavs_agents.registry import make_agent
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game
from sjavs_env.cli.rule_arguments import rules_of

__all__ = ["run_session"]

EXACT, LEARNED = "exact", "learned"
PAUSE = 10.0  # seconds between two lines of progress


def run_session(args: argparse.Namespace, say: Callable[[str], None]) -> None:
    """Learn, write and judge, and ``say`` how it goes; ValueError or OSError for bad arguments."""
    game = Game(rules_of(args))
    agent = make_agent(args.agent, game)
    config = BeliefConfig(args.width, args.layers)
    if found := bound_problems(config):
        raise ValueError(found[0])
    log = _Log(say)
    budget = Budget(args.deals or 0, args.minutes)
    belief = learn_belief(game, agent, config, budget, args.seed, log.report, args.device)
    log.finish()
    meta = {"agent": agent.name, "deals": log.deals, "seed": args.seed}
    save_belief(args.out, belief, meta)
    play = SelfPlay(game, agent, args.test_deals, stream(args.seed, "test"))
    guesses = _judged(game, belief, play)
    say(f"{args.out}: {len(guesses)} hidden cards in {args.test_deals} other deals")
    say(HEAD)
    for trick, name, quality in by_trick(guesses, EXACT):
        say(quality.line(trick, name))


def _judged(game: Game, belief: Belief, play: SelfPlay) -> Guesses:
    """Ask the belief and the exact posterior about one deal of every game."""
    sampler, parts = Sampler(game), []
    for moment in play.deal():
        exact = sampler.chances(moment.view)
        chances = {EXACT: exact, LEARNED: belief.chances(moment.view, exact)}
        parts.append(Guesses.about(game, moment, exact, chances))
    return Guesses.joined(parts)


class _Log:
    """Says how the training goes, not too often."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.deals, self._last, self._printed = 0, Progress(0, 0.0, 0.0, 0.0), 0.0

    def report(self, progress: Progress) -> None:
        self._last, self.deals = progress, progress.deals
        if progress.seconds >= self._printed + PAUSE:
            self._tell()

    def finish(self) -> None:
        if self._last.seconds > self._printed:
            self._tell()

    def _tell(self) -> None:
        p = self._last
        self._printed = p.seconds
        loss = f"log loss on new deals {p.loss:.4f}, exact {p.exact:.4f}"
        self._say(f"{p.seconds:6.0f} s {p.deals:9,} deals, {loss}")
