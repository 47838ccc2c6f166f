"""What more worlds are worth to ``pimc``, in its own eyes, without playing matches.

``python -m benchmarks.world_counts [--rules NAME] [--deals N] [--worlds 5 20 100]
[--reference K] [--json FILE]``.  The agent ``rules`` plays all seats; wherever a card is to be
chosen, ``pimc`` chooses one from the first 5, 20 and 100 of the same worlds.  K other worlds say
what each of these cards is worth, so that no choice is judged by what it was made from.  Worth
is the open-handed one that ``pimc`` goes by (see ``sjavs_agents.search.pimc``): this tells how much
chance there still is in its choices, not how good they are.  The luck of the deal does not come
in, so few deals tell what takes thousands in a match.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import number, writable
from sjavs_agents.base import Floats
from sjavs_agents.belief.self_play import SelfPlay
from sjavs_agents.registry import make_agent
from sjavs_agents.solver.solver import Solver
from sjavs_agents.stats.estimates import estimate_mean
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import Game, Phase, PlayerView, rules_to_json
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, reason, run_command
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_of

__all__ = ["main"]


class Chooser:
    """Chooses one card after the other from ever more worlds, and judges the choices."""

    def __init__(self, game: Game, counts: list[int], reference: int, seed: int) -> None:
        self.counts, self.reference = sorted(counts), reference
        self._solver, self._sampler = Solver(game), Sampler(game)
        self._rng = np.random.default_rng(seed)

    def _worths(self, view: PlayerView, worlds: int) -> Floats:
        """Return what each card (worlds, N) is worth in that many worlds of a view."""
        states = self._sampler.sample(view, worlds, self._rng)
        return self._solver.card_values(states, np.arange(worlds), "score")

    def choices(self, view: PlayerView, legal: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Return the cards (C,) chosen for one view (1,), and the worth (C,) of each."""
        seen = self._worths(view, self.counts[-1])
        worth = self._worths(view, self.reference).mean(axis=0)
        means = np.stack([seen[:count].mean(axis=0) for count in self.counts])
        cards = np.where(legal, means, -np.inf).argmax(axis=1)
        return cards, worth[cards]


def gains(game: Game, chooser: Chooser, n_deals: int, seed: int) -> tuple[Floats, Floats]:
    """Return what most worlds gain on each count, per deal and side (D, C), and the agreement.

    The agreement (C,) is the share of choices in which both take the same card.  Deals that
    nobody bids on are left out.
    """
    play = SelfPlay(game, make_agent("rules", game), n_deals, seed)
    n_sides = len(np.unique(game.tables.result.ally[: game.tables.n_players], axis=0))
    gained = np.zeros((n_deals, len(chooser.counts)))
    agreed, asked = np.zeros(len(chooser.counts)), np.zeros(n_deals, dtype=np.intp)
    for moment in play.deal():
        is_choice = (moment.view.phase == Phase.PLAY) & (moment.mask.sum(axis=1) > 1)
        for i in np.flatnonzero(is_choice):
            legal = moment.mask[i, : game.tables.n_cards] == 1
            cards, worth = chooser.choices(moment.view.select(np.array([i])), legal)
            gained[moment.rows[i]] += (worth[-1] - worth) / n_sides
            agreed += cards == cards[-1]
            asked[moment.rows[i]] += 1
    return gained[asked > 0], agreed / max(1, asked.sum())


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and write the figures; return the exit status."""
    parser = OneLineParser(prog="benchmarks.world_counts", description=__doc__)
    add_rule_arguments(parser)
    parser.add_argument("--deals", type=number(2, 10**6), default=24)
    parser.add_argument("--worlds", type=number(1, 10**5), nargs="+", default=[5, 20, 100])
    parser.add_argument("--reference", type=number(1, 10**5), default=400, help="worlds that judge")
    parser.add_argument("--seed", type=number(0, 2**63), default=0)
    parser.add_argument("--json", type=writable, metavar="FILE", help="write the figures to FILE")
    args = parser.parse_args(argv)
    try:
        game = Game(rules_of(args))
        chooser = Chooser(game, args.worlds, args.reference, args.seed)
    except ValueError as error:
        parser.error(reason(error))
    gained, agreed = gains(game, chooser, args.deals, args.seed)
    if len(gained) < 2:
        parser.error(f"deals is {args.deals}, of which {len(gained)} were bid on; allowed: more")
    most, figures = chooser.counts[-1], []
    print(f"{game.rules.name}, {len(gained)} deals: pimc gains by {most} worlds, per deal and side")
    for k, count in enumerate(chooser.counts[:-1]):
        gain = estimate_mean(gained[:, k])
        figures.append({"worlds": count, "gain": vars(gain), "same_card": float(agreed[k])})
        interval = f"[{gain.low:.2f}, {gain.high:.2f}]"
        print(f"on {count:5} worlds {gain.mean:+.2f} {interval:16} same card {agreed[k]:.2f}")
    if args.json:
        found = {"rules": rules_to_json(game.rules), "deals": len(gained), "most": most,
                 "reference": args.reference, "figures": figures}  # fmt: skip
        write_json(args.json, found)
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.world_counts", main))
