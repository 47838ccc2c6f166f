"""A report from what was read: which sections there are, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sjavs_agents.reporting.about import heading, measured_what, read_what
from sjavs_agents.reporting.agreement import calibration
from sjavs_agents.reporting.blocks import Raw, Section, Table, Text
from sjavs_agents.reporting.contract_counts import contracts
from sjavs_agents.reporting.costs import costs
from sjavs_agents.reporting.evaluation_file import Evaluation
from sjavs_agents.reporting.learning_curves import learning
from sjavs_agents.reporting.population import Population, labels_of, measured
from sjavs_agents.reporting.recorded_bids import RecordedBids, bids_made
from sjavs_agents.reporting.strength import UNIT, crosstable, headline, one_table, ratings
from sjavs_agents.reporting.swing_deals import swings
from sjavs_agents.reporting.training_runs import TrainingRun
from sjavs_agents.reporting.words import interval

__all__ = ["sections"]


def sections(
    evaluations: Sequence[Evaluation],
    runs: Sequence[TrainingRun],
    bids: Sequence[RecordedBids] = (),
) -> list[Section]:
    """Return all sections of a report; ValueError where a package is missing."""
    found = [(evaluation, measured(evaluation)) for evaluation in evaluations]
    titles = labels_of([heading(evaluation) for evaluation in evaluations])
    parts: list[Section | None] = [_overview(titles, found) if len(found) > 1 else None]
    parts += [_evaluation(title, *both) for title, both in zip(titles, found, strict=True)]
    parts += [bids_made(one) for one in bids]
    return [*_present([*parts, learning(runs)]), read_what(evaluations, runs, bids)]


def _evaluation(title: str, evaluation: Evaluation, found: Population) -> Section:
    parts = [
        one_table(evaluation),
        headline(evaluation, found),
        crosstable(evaluation, found),
        ratings(evaluation, found),
        costs(evaluation, found),
        calibration(evaluation, found),
        contracts(evaluation, found),
        swings(evaluation, found),
    ]
    if evaluation.seated:
        parts = parts[:1]
    return Section(title, measured_what(evaluation), _present(parts))


def _present(parts: Iterable[Section | None]) -> list[Section]:
    return [part for part in parts if part is not None]


def _overview(titles: Sequence[str], found: Sequence[tuple[Evaluation, Population]]) -> Section:
    """One line for each agent of each evaluation: its rating."""
    labels = list(dict.fromkeys(label for _, p in found for label in p.labels if p.ratings))
    rows = []
    raw: Raw = [["evaluation", "agent", "rating", "low", "high"]]
    for title, (_, population) in zip(titles, found, strict=True):
        if population.ratings:
            own = dict(zip(population.labels, population.ratings, strict=True))
            rows.append([title,
                         *(interval(own[x]) if x in own else "–" for x in labels)])  # fmt: skip
            raw += [[title, x, e.mean, e.low, e.high] for x, e in own.items()]
    if not rows:
        return Section("Overview", [Text(f"{len(found)} evaluations, each of two agents.")])
    caption = f"Ratings: {UNIT} more than the mean agent of the evaluation, with 95 % intervals"
    table = Table("overview", caption, ["evaluation", *labels], rows, 1, raw)
    text = "Game points are those of each game; between games they are not to be compared."
    return Section("Overview", [table, Text(text)])
