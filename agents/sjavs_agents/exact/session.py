"""What ``sjavs exact`` does: it grows the tree of a game, and solves, measures or writes it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from sjavs_agents.base import Agent
from sjavs_agents.exact.cfr import CfrPlus
from sjavs_agents.exact.efg import efg_lines
from sjavs_agents.exact.game_tree import GameTree
from sjavs_agents.exact.growing import grow_tree
from sjavs_agents.exact.tabulating import check_answers, tabulate
from sjavs_agents.exact.valuation import Exploitability, exploitability
from sjavs_agents.registry import make_agent
from sjavs_env import Game, rules_to_json
from sjavs_env.cli.atomic_files import write_json, write_whole
from sjavs_env.cli.columns import in_columns
from sjavs_env.cli.command import INTERRUPTED
from sjavs_env.cli.extras import needing
from sjavs_env.cli.rule_arguments import rules_of
from sjavs_env.cli.stop import StopSignal
from sjavs_env.randomness import derived

__all__ = ["RUN", "measure", "solve"]

Say = Callable[[str], object]
LOOKS = 1.3  # the iterations after which the policy is judged grow by this factor


def _tree(args: argparse.Namespace) -> GameTree:
    return grow_tree(Game(rules_of(args)))


def tell_size(args: argparse.Namespace, say: Say) -> int:
    """Print how large a game is."""
    tree = _tree(args)
    seats = [int((tree.infoset_seat == seat).sum()) for seat in (0, 1)]
    rows = [
        ("deals", f"{tree.n_deals:,}"),
        ("positions, ends and those without a choice included", f"{tree.n_positions:,}"),
        ("positions with a choice", f"{tree.n_nodes:,}"),
        ("information sets of forehand", f"{seats[0]:,}"),
        ("information sets of the dealer", f"{seats[1]:,}"),
        ("actions in all of them", f"{tree.n_slots:,}"),
        ("smallest and largest result", f"{tree.end_value.min():+g}, {tree.end_value.max():+g}"),
    ]
    for line in in_columns(rows):
        say(line)
    return 0


def solve(args: argparse.Namespace, say: Say) -> int:
    """Run CFR+ until it is near enough an equilibrium, or stopped; write what it has reached."""
    with needing("train"):  # its file is of the kind that weights are
        from sjavs_agents.exact.solved import PolicyTable, save_solved
    tree = _tree(args)
    solver, look, found = CfrPlus(tree), 1.0, None
    with StopSignal() as stop:
        for iteration in solver.run(args.iterations):
            is_last = stop.is_set or iteration == args.iterations
            if iteration < look and not is_last:
                continue
            look = max(iteration + 1, iteration * LOOKS)
            found = exploitability(tree, solver.average())
            say(f"iteration {iteration}: {_in_words(tree, found)}")
            if is_last or found.nash_conv <= args.until:
                break
        assert found is not None  # there is at least one iteration, which is looked at
        about = {
            "iterations": solver.iterations,
            "value": found.value,
            "nash_conv": max(found.nash_conv, 0.0),  # rounding may take it below
        }
        save_solved(args.out, tree.game, PolicyTable.of(tree, solver.average()), about)
    say(f"{args.out}: forehand gains {found.value:+.4f} game points per deal")
    return INTERRUPTED if stop.is_set else 0


def _in_words(tree: GameTree, found: Exploitability) -> str:
    share = found.nash_conv / tree.score_range
    return f"NashConv {found.nash_conv:.6f}, {share:.4%} of the range of results"


def measure(args: argparse.Namespace, say: Say) -> int:
    """Print what best responses gain against agents, each agent once it is known."""
    game = Game(rules_of(args))
    agents = [make_agent(name, game) for name in args.agents]
    tree = grow_tree(game)
    for agent in agents:  # before any is measured, which may take long
        check_answers(tree, agent, derived(args.seed, "exact", "check", agent.name), args.asks)
    head = ["agent", "policy", "NashConv", "of the range", "gained as forehand", "as dealer"]
    widths = [max(len(head[0]), *(len(agent.name) for agent in agents)), 14, 9, 12, 18, 9]
    say(f"{game.rules.name}: what best responses gain, in game points per deal")
    say(*in_columns([head], widths))
    results = []
    for agent in agents:
        result = _measured(tree, agent, args)
        results.append(result)
        say(*in_columns([_row(result)], widths))
    if any(result["policy"]["is_estimated"] for result in results):
        say("estimated: best responses also profit from what chance did to the estimates, so the "
            "true number tends to be smaller")  # fmt: skip
    if args.json is not None:
        rules = rules_to_json(game.rules)
        write_json(args.json, {"rules": rules, "seed": args.seed, "agents": results})
    return 0


def _measured(tree: GameTree, agent: Agent, args: argparse.Namespace) -> dict[str, Any]:
    rng = derived(args.seed, "exact", "ask", agent.name)
    table = tabulate(tree, agent, rng, args.asks)
    found = exploitability(tree, table.policy)
    return {
        "agent": agent.name,
        "policy": {"asked": table.asked, "is_estimated": table.is_estimated},
        "value": found.value,
        "nash_conv": found.nash_conv,
        "of_range": found.nash_conv / tree.score_range,
        "gained": {"forehand": found.against[0], "dealer": found.against[1]},
    }


def _row(result: dict[str, Any]) -> list[str]:
    asked = result["policy"]["asked"]
    how = {0: "told", 1: "never draws"}.get(asked, f"estimated, {asked}")
    gained = [f"{value:.4f}" for value in result["gained"].values()]
    return [
        result["agent"], how, f"{result['nash_conv']:.4f}", f"{result['of_range']:.3%}", *gained
    ]  # fmt: skip


def export(args: argparse.Namespace, say: Say) -> int:
    """Write a game for other programs."""
    tree = _tree(args)
    text = "".join(f"{line}\n" for line in efg_lines(tree))
    write_whole(args.out, text.encode())
    say(f"{args.out}: {tree.n_deals:,} deals, {tree.n_nodes:,} nodes, {len(tree.ends):,} ends")
    return 0


RUN: dict[str, Callable[[argparse.Namespace, Say], int]] = {
    "size": tell_size,
    "solve": solve,
    "measure": measure,
    "export": export,
}
