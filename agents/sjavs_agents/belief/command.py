"""Learn where hidden cards lie: what ``python -m sjavs_agents.belief --out FILE`` does.

An agent plays all seats; a network learns from it which holder has each hidden card.  In the end
it is judged by deals that it has not seen, beside the exact posterior of a player who draws
conclusions from what the rules prove alone.  Searching players and the analysis read the file:
``pimc:belief=FILE``, ``python -m sjavs_agents.analyze RECORD --belief FILE``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from math import isfinite
from pathlib import Path

from sjavs_agents.belief.learning import Budget, Progress, learn_belief, stream
from sjavs_agents.belief.network import Belief, BeliefConfig, save_belief
from sjavs_agents.belief.quality import HEAD, Guesses, by_trick
from sjavs_agents.belief.self_play import SelfPlay
from sjavs_agents.neural.bounds import bound_problems
from sjavs_agents.registry import make_agent
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, make_rules, read_overrides
from sjavs_env.cli.command import OneLineParser
from sjavs_env.cli.files import check_writable

__all__ = ["run"]

EXACT, LEARNED = "exact", "learned"
SUFFIX = ".safetensors"
PAUSE = 10.0  # seconds between two lines of progress


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog="python -m sjavs_agents.belief", description=__doc__)
    add = parser.add_argument
    add("--rules", default="faroese", help="the game (default: %(default)s)")
    add("--set", action="extend", nargs="+", default=[], metavar="KEY=VALUE", dest="overrides",
        help="override parameters of the rules, as in players=2")  # fmt: skip
    add("--agent", default="rules", help="plays the deals (default: %(default)s)")
    add("--out", type=Path, required=True, metavar="FILE", help=f"what to write (*{SUFFIX})")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, default=3.0, help="(default: %(default)s)")
    length.add_argument("--deals", type=int, default=0,
        help="learn from so many instead, which can be repeated exactly")  # fmt: skip
    add("--width", type=int, default=BeliefConfig.width,
        help="units in each hidden layer (default: %(default)s)")  # fmt: skip
    add("--layers", type=int, default=BeliefConfig.layers,
        help="hidden layers (default: %(default)s)")  # fmt: skip
    add("--test-deals", type=int, default=400, help="to judge it by (default: %(default)s)")
    add("--seed", type=int, default=0, help="of deals and weights (default: %(default)s)")
    return parser


def run(argv: Sequence[str] | None, say: Callable[[str], None]) -> None:
    """Learn, write and judge, and ``say`` how it goes; ValueError or OSError for bad arguments."""
    args = _parser().parse_args(argv)
    _check(args)
    rules = make_rules(args.rules)
    game = Game(make_rules(rules, **read_overrides(rules, args.overrides)))
    agent = make_agent(args.agent, game)
    config = BeliefConfig(args.width, args.layers)
    if found := bound_problems(config):
        raise ValueError(found[0])
    log = _Log(say)
    budget = Budget(args.deals, args.minutes)
    belief = learn_belief(game, agent, config, budget, args.seed, log.report)
    log.finish()
    meta = {"agent": agent.name, "deals": log.deals, "seed": args.seed}
    save_belief(args.out, belief, meta)
    play = SelfPlay(game, agent, args.test_deals, stream(args.seed, "test"))
    guesses = _judged(game, belief, play)
    say(f"{args.out}: {len(guesses)} hidden cards in {args.test_deals} other deals")
    say(HEAD)
    for trick, name, quality in by_trick(guesses, EXACT):
        say(quality.line(trick, name))


def _check(args: argparse.Namespace) -> None:
    least = {"test_deals": 1, "seed": 0, "deals": 0}
    for name, low in least.items():
        value = getattr(args, name)
        if value < low:
            raise ValueError(f"{name.replace('_', '-')} is {value}; allowed: a number from {low}")
    if not isfinite(args.minutes) or args.minutes <= 0:
        raise ValueError(f"minutes is {args.minutes:g}; allowed: a number above 0")
    if args.out.suffix != SUFFIX:
        raise ValueError(f"out is {str(args.out)!r}; allowed: a name that ends in {SUFFIX}")
    check_writable(args.out)


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
