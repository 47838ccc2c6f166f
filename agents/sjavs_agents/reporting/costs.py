"""Strength against what it costs."""

from __future__ import annotations

import numpy as np

from sjavs_agents.reporting.blocks import Figure, Missing, Raw, Section, Table, Text
from sjavs_agents.reporting.evaluation_file import Evaluation
from sjavs_agents.reporting.plots import cost_plot
from sjavs_agents.reporting.population import Population
from sjavs_agents.reporting.strength import UNIT
from sjavs_agents.reporting.words import interval, milliseconds
from sjavs_env.rules.terms import Floats, Ints

__all__ = ["costs", "pareto", "per_decision"]


def costs(evaluation: Evaluation, found: Population) -> Section:
    """Return CPU time per decision of each agent, and strength against it."""
    title = "Strength against cost"
    if not evaluation.costs:
        return Section(title, [Missing("No times: evaluate with --timings.")])
    cost, decisions = per_decision(evaluation)
    if not found.ratings or not (cost > 0).all():
        return Section(title, [_table(found, cost, decisions, np.zeros(0, dtype=np.intp))])
    strength = np.array([r.mean for r in found.ratings])
    best = pareto(cost, strength)
    figure = Figure(
        cost_plot(found.labels, cost, found.ratings, f"rating ({UNIT})", best),
        "Rating against CPU milliseconds per decision, on a logarithmic scale; the line joins "
        + ", ".join(found.labels[i] for i in best),
        "The dashed line joins agents that no agent beats at the same cost or less",
    )
    text = Text(
        "CPU time of the process that asked, of decisions with a choice, over all matches. It "
        "depends on the machine and, with batches, on how many tables are played together."
    )
    return Section(title, [figure, _table(found, cost, decisions, best), text])


def pareto(cost: Floats, strength: Floats) -> Ints:
    """Return the places, by rising cost, of what is stronger than all that costs no more."""
    order = np.lexsort((-strength, cost))
    reached = np.maximum.accumulate(strength[order])
    is_new = np.concatenate([[True], strength[order][1:] > reached[:-1]])
    return np.asarray(order[is_new])


def per_decision(evaluation: Evaluation) -> tuple[Floats, Ints]:
    """Return milliseconds per decision, and decisions, of the agents (agents,) in all matches."""
    n = len(evaluation.agents)
    seconds, decisions = np.zeros(n), np.zeros(n, dtype=np.intp)
    for pair, both in zip(evaluation.pairs, evaluation.costs, strict=True):
        for i, cost in zip(pair.at, both, strict=False):
            seconds[i] += cost.cpu_seconds
            decisions[i] += cost.decisions
    return 1000 * seconds / np.maximum(1, decisions), decisions


def _table(found: Population, cost: Floats, decisions: Ints, best: Ints) -> Table:
    rows = []
    raw: Raw = [["agent", "decisions", "ms_per_decision", "rating", "unbeaten"]]
    for i in np.argsort(cost, kind="stable").tolist():
        rating = found.ratings[i] if found.ratings else None
        is_best = i in best.tolist()
        label, ms = found.labels[i], float(cost[i])
        rows.append([label, f"{decisions[i]:,}", milliseconds(ms),
                     interval(rating) if rating else "–", "yes" if is_best else ""])  # fmt: skip
        raw.append([label, int(decisions[i]), ms, rating.mean if rating else None, int(is_best)])
    head = ["agent", "decisions", "CPU ms per decision", UNIT, "unbeaten at its cost"]
    return Table("costs", "Cost of a decision", head, rows, 1, raw)
