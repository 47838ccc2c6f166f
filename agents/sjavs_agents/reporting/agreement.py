"""Calibration: what was predicted, against what came of it."""

from __future__ import annotations

import numpy as np

from sjavs_agents.reporting.blocks import Block, Figure, Missing, Raw, Section, Table, Text
from sjavs_agents.reporting.evaluation_file import Evaluation
from sjavs_agents.reporting.plots import prediction_plot
from sjavs_agents.reporting.population import Population
from sjavs_agents.reporting.words import percent, share_of
from sjavs_agents.stats.effect_sizes import ELO
from sjavs_agents.stats.won_boards import estimate_won

__all__ = ["calibration"]


def calibration(evaluation: Evaluation, found: Population) -> Section:
    """Return whether the ratings predict the results of pairs."""
    title = "Calibration of the ratings"
    if found.results is None or not found.board_ratings:
        return Section(title, [Missing(
            "Not told: it needs the boards of three agents or more (evaluate with --out)."
        )])  # fmt: skip
    rows, predicted, observed = [], [], []
    raw: Raw = [["a", "b", "predicted", "observed", "low", "high"]]
    for (i, j), boards in found.results.boards.items():
        a, b = found.labels[i], found.labels[j]
        ahead = (found.board_ratings[i].mean - found.board_ratings[j].mean) / ELO
        share, seen = float(1 / (1 + np.exp(-ahead))), estimate_won(boards)
        assert seen.low is not None
        assert seen.high is not None
        is_within = seen.low <= share <= seen.high
        rows.append([a, b, percent(share), share_of(seen), "yes" if is_within else "no"])
        raw.append([a, b, share, seen.mean, seen.low, seen.high])
        predicted.append(share)
        observed.append(seen)
    head = ["A", "B", "predicted", "observed", "within the interval"]
    within = sum(row[-1] == "yes" for row in rows)
    figure = Figure(
        prediction_plot(np.array(predicted), observed, "share of boards"),
        f"Observed against predicted shares of boards: {within} of {len(rows)} predictions lie "
        "within the interval of what was observed",
        "Shares of boards that the ratings predict, and those observed with 95 % intervals",
    )
    blocks: list[Block] = [
        Table("rating_calibration", "Boards that A wins of B, level ones half", head, rows, 2, raw),
        figure,
        Text(
            "The ratings were fitted to these boards, so this tells whether one number for each "
            "agent is enough, not how well it foretells boards to come."
        ),
    ]
    return Section(title, blocks)
