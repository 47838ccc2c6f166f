"""How good a guess where each hidden card lies: log loss, Brier score and calibration.

``python -m benchmarks.belief_quality [--rules NAME] [--agent NAME] [--belief FILE] [--deals N]
[--worlds K] [--json FILE]``.  An agent, the club player by default, plays all seats; at every
card that it plays, each hidden card is a question: who holds it?  Answers are scored against the
truth:

- ``places``: every card in proportion to the hidden cards that each holder has;
- ``voids``: evenly over the deals that agree with the cards played;
- ``calls``: evenly over those that agree with the calls as well, the exact posterior of a player
  who takes calls as hard facts and draws nothing else from them;
- ``K worlds``: as often as in K worlds drawn by the sampler, (k + 1/2) / (K + H/2) for H holders;
- ``learned``, with ``--belief``: as a belief written by ``sjavs belief`` says.

The measures are explained in ``sjavs_agents.belief.quality``; its exact posterior is ``calls``.
With ``--belief`` it also tells how often searching players draw the true deal by it, as a
multiple of its share in even draws (the true-state sampling ratio of Rebstock et al. 2019): the
geometric mean over decisions of its weight over the mean weight of K worlds drawn evenly.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.arguments import number, writable
from sjavs_agents.base import Floats, Ints
from sjavs_agents.belief.quality import HEAD, Guesses, by_trick
from sjavs_agents.belief.reading import read_belief
from sjavs_agents.belief.self_play import Moment, SelfPlay
from sjavs_agents.registry import make_agent
from sjavs_agents.worlds.by_belief import BeliefWorlds, CardBelief
from sjavs_agents.worlds.sampler import Hands, Sampler
from sjavs_env import Game, Phase
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, reason, run_command
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_of

__all__ = ["main"]

EXACT = "calls"


@dataclass
class Draws:
    """How much more often than by even draws the true deal is drawn, decision by decision."""

    source: BeliefWorlds
    logs: list[Floats] = field(default_factory=list)
    tricks: list[Ints] = field(default_factory=list)

    def add(self, moment: Moment, drawn: Hands, rng: np.random.Generator) -> None:
        """Compare the true deals with K worlds drawn evenly for each decision."""
        true = Hands(moment.true, np.zeros_like(moment.true[:, 0]))  # weights look at holders alone
        weight = self.source.weigh(moment.view, true, rng)
        others = self.source.weigh(moment.view, drawn, rng).reshape(len(moment), -1)
        self.logs.append(weight - np.logaddexp.reduce(others, axis=1) + np.log(others.shape[1]))
        self.tricks.append(moment.view.trick_number)

    def by_trick(self) -> dict[str, float]:
        """Return the ratio over all decisions, then trick by trick."""
        logs, tricks = np.concatenate(self.logs), np.concatenate(self.tricks)
        of_all = {"all": float(np.exp(logs.mean()))}
        each = {str(t + 1): float(np.exp(logs[tricks == t].mean())) for t in np.unique(tricks)}
        return of_all | each


def guess(
    play: SelfPlay, belief: CardBelief | None, worlds: int, seed: int
) -> tuple[Guesses, Draws | None]:
    """Return the answers to all questions of one deal of every game, and draws by the belief."""
    game = play.game
    exact, voids = Sampler(game), Sampler(game, calls=False)
    rng = np.random.default_rng(seed)
    draws = Draws(BeliefWorlds(exact, belief)) if belief else None
    parts = []
    for moment in play.deal():
        plays = moment.select(moment.view.phase == Phase.PLAY)
        if not len(plays):
            continue
        calls = exact.chances(plays.view)
        cards = np.arange(calls.shape[2], dtype=plays.true.dtype)
        drawn = exact.draw(plays.view, worlds, rng)
        words = drawn.holders.reshape(len(plays), worlds, -1)
        times = (words[..., None] >> cards & 1).sum(axis=1)  # (R, H, N)
        room = calls.sum(axis=2, keepdims=True)
        hidden = np.maximum(room.sum(axis=1, keepdims=True), 1)  # nothing is in the last answer
        answers = {
            "places": np.broadcast_to(room / hidden, calls.shape),
            "voids": voids.chances(plays.view),
            EXACT: calls,
            f"{worlds} worlds": (times + 0.5) / (worlds + calls.shape[1] / 2),
        }
        if belief and draws:
            answers["learned"] = belief.chances(plays.view, calls)
            draws.add(plays, drawn, rng)
        parts.append(Guesses.about(game, plays, calls, answers))
    return Guesses.joined(parts), draws


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and write the figures; return the exit status."""
    parser = OneLineParser(prog="benchmarks.belief_quality", description=__doc__)
    add_rule_arguments(parser)
    parser.add_argument("--agent", default="rules", help="plays the deals")
    parser.add_argument("--belief", metavar="FILE", help="a learned belief to be judged as well")
    parser.add_argument("--deals", type=number(1, 10**6), default=400)
    parser.add_argument("--worlds", type=number(1, 10**4), default=64, help="K")
    parser.add_argument("--seed", type=number(0, 2**64 - 1), default=0)
    parser.add_argument("--json", type=writable, metavar="FILE", help="write the figures to FILE")
    args = parser.parse_args(argv)
    try:
        game = Game(rules_of(args))
        agent = make_agent(args.agent, game)
        belief = read_belief(args.belief, game) if args.belief else None
    except ValueError as error:
        parser.error(reason(error))
    guesses, draws = guess(
        SelfPlay(game, agent, args.deals, args.seed), belief, args.worlds, args.seed
    )
    print(f"{game.rules.name}: {len(guesses)} cards in {args.deals} deals of {args.agent}")
    print(HEAD)
    results: dict[str, Any] = {}
    for trick, name, quality in by_trick(guesses, EXACT):
        results.setdefault(trick, {})[name] = quality.as_json()
        print(quality.line(trick, name))
    if draws:
        results["draws"] = draws.by_trick()
        times = ", ".join(f"{trick} {ratio:.2f}" for trick, ratio in results["draws"].items())
        print(f"the true deal is drawn so many times as often, by trick: {times}")
    if args.json:
        write_json(args.json, results)
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.belief_quality", main))
