"""How near an equilibrium learners come: CFR+ and PPO on the mini games, judged exactly.

``python -m benchmarks.exact_games [--rules NAME] [--deals N] [--iterations N] [--only WORD]
[--json FILE] [--svg FILE]``.  CFR+ runs on the whole tree; PPO is ``sjavs train`` with one setting
after another.  From time to time the policy is laid out as a table and its NashConv computed: what
best responses in both seats gain together per deal, 0 in an equilibrium alone.  The x axis counts
decisions: those that PPO has played, and the nodes that CFR+ has looked at, once for each player's
update.  ``--json`` keeps the curves of other games that are in the file already, and ``--svg``
draws all that it then holds.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from benchmarks.arguments import number, writable
from sjavs_agents.base import Floats
from sjavs_agents.exact.cfr import CfrPlus
from sjavs_agents.exact.game_tree import GameTree
from sjavs_agents.exact.growing import grow_tree
from sjavs_agents.exact.tabulating import tabulate
from sjavs_agents.exact.valuation import exploitability
from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.neural.policy import NeuralAgent
from sjavs_agents.training.config import (
    CollectConfig,
    LearnConfig,
    PoolConfig,
    RunConfig,
    TrainConfig,
)
from sjavs_agents.training.run import Training
from sjavs_env import Game
from sjavs_env.cli.atomic_files import write_json, write_whole
from sjavs_env.cli.command import OneLineParser, reason, run_command
from sjavs_env.cli.extras import needing
from sjavs_env.cli.rule_arguments import add_rule_arguments, rules_from
from sjavs_env.randomness import derived

__all__ = ["SETTINGS", "config_of", "drawn", "main", "rows_of", "train"]

DEALS = 2048  # of an iteration
ONE_PERCENT = "1 % of the range of results"
EVEN = {"explore": 0.0, "explore_end": 0.0}  # what is drawn evenly besides, of calls
# What differs from the defaults: of learning, and of playing deals.
SETTINGS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "PPO, defaults": ({}, {}),
    "PPO, no entropy": ({"entropy": 0.0, "entropy_end": 0.0}, EVEN),
    "PPO, entropy 0.1 to 0.01": ({"entropy": 0.1, "entropy_end": 0.01}, EVEN),
    "PPO, the same and magnet 0.1": (
        {"entropy": 0.1, "entropy_end": 0.01, "magnet": 0.1},
        EVEN,
    ),
    "PPO, entropy 0.3 to 0.003, magnet 0.3": (
        {"entropy": 0.3, "entropy_end": 0.003, "magnet": 0.3},
        EVEN,
    ),
}


@dataclass(frozen=True)
class Point:
    """How good a policy was."""

    decisions: int
    nash_conv: float


def train(config: TrainConfig, tree: GameTree, looks: float = 1.5) -> Iterator[Point]:
    """Yield points of the curve of a training run, one for its end as well.

    A policy is judged after iterations that grow by the factor ``looks``.
    """
    training, look = Training(config), 1.0
    while not training.is_finished:
        training.learn(training.collect())
        if training.iteration >= look or training.is_finished:
            look = training.iteration * looks
            yield Point(
                training.decisions, exploitability(tree, policy_of(training, tree)).nash_conv
            )


def policy_of(training: Training, tree: GameTree) -> Floats:
    """Return the policy (K,) by which the slow copy draws."""
    plain = training.agent()
    drawing = NeuralAgent(
        plain.name, plain.game, plain.policies, plain.encoder, plain.precision, temperature=1.0
    )
    return tabulate(tree, drawing, derived(0, "exact games")).policy


def config_of(rules: str, setting: str, iterations: int, deals: int, seed: int) -> TrainConfig:
    """Return the run of one setting."""
    learn, collect = SETTINGS[setting]
    return TrainConfig(
        rules=rules,
        run=RunConfig(iterations=iterations, precision="float32", threads=1, seed=seed),
        network=NetworkConfig(128, 3, 128, 3, 128, 3),
        collect=replace(CollectConfig(deals=deals), **collect),
        learn=replace(
            LearnConfig(minibatch=1024, learning_rate=2e-3, learning_rate_end=1e-5), **learn
        ),
        pool=PoolConfig(past_share=0.0),
    )


def solve(tree: GameTree, iterations: int, looks: float) -> Iterator[Point]:
    """Yield points of the curve of CFR+."""
    solver, look = CfrPlus(tree), 1.0
    for iteration in solver.run(iterations):
        if iteration >= look or iteration == iterations:
            look = iteration * looks
            yield Point(solver.decisions, exploitability(tree, solver.average()).nash_conv)


def curves(tree: GameTree, args: Any) -> Iterator[tuple[str, list[Point]]]:
    """Yield each curve by name, told as it grows."""
    name = tree.game.rules.name
    runs = {"CFR+": partial(solve, tree, args.iterations, args.looks)}
    for setting in SETTINGS:
        config = config_of(name, setting, args.ppo_iterations, DEALS, args.seed)
        runs[setting] = partial(train, config, tree, args.looks)
    for label, run in runs.items():
        if args.only not in label:
            continue
        points = []
        for point in run():
            points.append(point)
            share = point.nash_conv / tree.score_range
            print(f"{name}  {label:34} {point.decisions:12,}  {point.nash_conv:9.5f}  {share:.4%}",
                  flush=True)  # fmt: skip
        yield label, points


def stored(path: Path | None) -> dict[str, Any]:
    """Return the curves in a file, by game; none if there is no such file."""
    if path is None or not path.exists():
        return {}
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def rows_of(games: dict[str, Any]) -> list[str]:
    """Return where each curve ends, as the rows of a table of the documentation."""
    labels = dict.fromkeys(k for found in games.values() for k in found["curves"])
    return [f"| {label} | {' | '.join(_end(games[g], label) for g in games)} |" for label in labels]


def _end(found: dict[str, Any], label: str) -> str:
    curve = found["curves"].get(label)
    if curve is None:
        return "– | –"
    end = curve["nash_conv"][-1]
    return f"{curve['decisions'][-1]:,} | {end:.2g} ({100 * end / found['score_range']:.2g} %)"


def drawn(games: dict[str, Any]) -> bytes:
    """Return a picture of all curves, one game beside the other, as SVG."""
    with needing("evaluate"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    labels = list(dict.fromkeys(k for found in games.values() for k in found["curves"]))
    with mpl.rc_context({"svg.hashsalt": "sjavs", "svg.fonttype": "path"}):
        figure = Figure(figsize=(4.8 * len(games), 5.0), layout="constrained")
        plots = figure.subplots(1, len(games), sharey=True, squeeze=False)[0]
        for axes, (name, found) in zip(plots, games.items(), strict=True):
            for label, curve in found["curves"].items():
                points = curve["decisions"], curve["nash_conv"]
                axes.loglog(*points, label=label, marker=".", color=f"C{labels.index(label)}")
            axes.axhline(found["score_range"] / 100, color="grey", linestyle=":", label=ONE_PERCENT)
            axes.set(title=name, xlabel="decisions")
            axes.grid(alpha=0.3)
        plots[0].set_ylabel("NashConv, game points per deal")
        handles = {t: h for x in plots for h, t in zip(*x.get_legend_handles_labels(), strict=True)}
        figure.legend(
            handles.values(), handles.keys(), loc="outside lower center", ncols=2, fontsize="small"
        )
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return b"\n".join(line.rstrip() for line in out.getvalue().splitlines()) + b"\n"


def main(argv: list[str] | None = None) -> int:
    """Run, print, and write curves and picture; return the exit status."""
    parser = OneLineParser(prog="benchmarks.exact_games", description=__doc__)
    add_rule_arguments(parser, "default: mini_8")
    parser.add_argument("--iterations", type=number(1, 10**6), default=1000, help="of CFR+")
    parser.add_argument("--ppo-iterations", type=number(1, 10**6), default=120,
        help=f"of PPO, {DEALS} deals each")  # fmt: skip
    parser.add_argument("--looks", type=number(1.01, 10.0), default=1.5, metavar="FACTOR",
        help="by which the iterations grow after which a policy is judged")  # fmt: skip
    parser.add_argument("--only", default="", metavar="WORD", help="runs whose name has it")
    parser.add_argument("--seed", type=number(0, 2**64 - 1), default=0)
    parser.add_argument("--json", type=writable, metavar="FILE", help="keep the curves in FILE")
    parser.add_argument("--svg", type=writable, metavar="FILE", help="draw them")
    args = parser.parse_args(argv)
    try:
        tree = grow_tree(Game(rules_from(args.rules or "mini_8", args.players, args.overrides)))
        games = stored(args.json)
    except ValueError as error:
        parser.error(reason(error))
    torch.set_num_threads(1)
    game = games.setdefault(tree.game.rules.name, {"score_range": tree.score_range, "curves": {}})
    for label, points in curves(tree, args):
        game["curves"][label] = {
            "decisions": [point.decisions for point in points],
            "nash_conv": [point.nash_conv for point in points],
        }
        if args.json:
            write_json(args.json, games)
    if args.svg:
        write_whole(args.svg, drawn(games))
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.exact_games", main))
