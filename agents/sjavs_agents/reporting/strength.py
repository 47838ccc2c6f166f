"""Who is stronger than whom, by how much and how sure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sjavs_agents.reporting.blocks import Block, Cell, Figure, Missing, Raw, Section, Table, Text
from sjavs_agents.reporting.evaluation_file import Evaluation
from sjavs_agents.reporting.plots import rating_plot
from sjavs_agents.reporting.population import Population
from sjavs_agents.reporting.words import counted, interval, p_value, percent, share_of, signed_mean
from sjavs_agents.stats.estimates import Estimate

__all__ = ["UNIT", "crosstable", "headline", "one_table", "ratings"]

UNIT = "game points per deal"
COLUMNS = {
    "game_points": UNIT, "card_points": "card points per deal", "boards_won": "boards won",
    "rubbers_won": "rubbers won", "crosses": "crosses or chips per rubber",
}  # by estimate  # fmt: skip
_SHADES = 3


def headline(evaluation: Evaluation, found: Population) -> Section:
    """Return the table of all pairs."""
    if not evaluation.pairs:
        return Section("Pairs", [Missing("No two agents played each other here.")])
    named = [name for name in COLUMNS if name in found.estimates[0]]
    head = ["A", "B", "boards", *(COLUMNS[name] for name in named), "p", "p corrected"]
    raw: Raw = [["a", "b", "boards", "estimate", "mean", "low", "high", "p_value", "p_corrected",
                 "biased"]]  # fmt: skip
    rows = []
    for pair, estimates, holm in zip(
        evaluation.pairs, found.estimates, found.corrected, strict=True
    ):
        a, b = (found.labels[i] for i in pair.at)
        boards = pair.quoted[0]
        p = None if pair.is_biased else estimates["game_points"].p_value
        cells = [_cell(name, estimates.get(name)) for name in named]
        told = f"{boards:,}" + (", biased" if pair.is_biased else "")
        rows.append([a, b, told, *cells, p_value(p), p_value(holm)])
        for name, e in estimates.items():
            corrected = holm if name == "game_points" else None
            own = None if pair.is_biased else e.p_value
            raw.append([a, b, boards, name, e.mean, e.low, e.high, own, corrected,
                        int(pair.is_biased)])  # fmt: skip
    table = Table("pairs", "A more than B, with 95 % intervals", head, rows, 2, raw)
    return Section("Pairs", [table, Text(_method(evaluation, found)), *_tests(evaluation, found)])


def _method(evaluation: Evaluation, found: Population) -> str:
    """Say where intervals and p-values come from."""
    by_board = found.results is not None
    how = (
        "Intervals of means are bootstrapped over boards (BCa from 100 to 2,000 boards, else "
        "Student's t), p-values are those of sign flips, and intervals of shares know of level "
        "boards."
        if by_board
        else "Intervals and p-values are those of the file, by Student's t; a folder of results "
        "(--out) holds every board, for bootstrap intervals and sign flips."
    )
    n = len(evaluation.pairs)
    return how + (
        f" The corrected p-value of game points allows for {n} comparisons (Holm)." if n > 1 else ""
    )


def _cell(name: str, estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    return share_of(estimate) if name.endswith("_won") else interval(estimate)


def _tests(evaluation: Evaluation, found: Population) -> Iterator[Block]:
    """What sequential tests decided, and what fresh boards say after them."""
    tested = [pair for pair in evaluation.pairs if pair.verdict is not None]
    if not tested:
        return
    rows = []
    for pair in tested:
        boards, estimates = pair.fresh or (0, {})
        fresh = interval(estimates["game_points"]) if boards else "–"
        a, b = (found.labels[i] for i in pair.at)
        stopped = interval(pair.estimates["game_points"])
        rows.append([a, b, str(pair.verdict), f"{pair.boards:,}", stopped, f"{boards:,}", fresh])
    head = ["A", "B", "verdict", "boards", f"{UNIT} there, biased", "fresh boards",
            f"{UNIT}, to be quoted"]  # fmt: skip
    yield Table("tests", "Sequential tests, and the difference on fresh boards", head, rows, 2)
    yield Text(
        "A test stops where the boards so far say much, so what they say is too much on average: "
        "difference, interval and p-value. The fresh boards are not chosen like that. All other "
        "tables and plots of strength are from them; of a pair without any, the numbers are marked "
        "as biased and no p-value is given."
    )


def crosstable(evaluation: Evaluation, found: Population) -> Section | None:
    """Return the table of everybody against everybody; None for two agents."""
    n = len(found.labels)
    if n < 3 or not evaluation.pairs:
        return None
    cells = [["·" if i == j else "" for j in range(n)] for i in range(n)]
    shown: list[list[str | Cell]] = [list(row) for row in cells]
    largest = float(np.nanmax(np.abs(found.margins))) or 1.0
    for pair, estimates in zip(evaluation.pairs, found.estimates, strict=True):
        (i, j), e = pair.at, estimates["game_points"]
        half = "" if e.low is None or e.high is None else f" ± {(e.high - e.low) / 2:.2f}"
        for row, column, mean in ((i, j, e.mean), (j, i, -e.mean)):
            shade = round(_SHADES * mean / largest)
            shown[row][column] = Cell(signed_mean(mean) + half, shade)
    rows = [[f"{i + 1} {found.labels[i]}", *shown[i]] for i in range(n)]
    head = ["", *(str(i + 1) for i in range(n))]
    raw: Raw = [["", *found.labels]]
    raw += [[found.labels[i], *(None if np.isnan(x) else float(x) for x in found.margins[i])]
            for i in range(n)]  # fmt: skip
    caption = f"{UNIT.capitalize()}, row more than column, ± half of the 95 % interval"
    return Section("Crosstable", [Table("crosstable", caption, head, rows, 1, raw)])


def one_table(evaluation: Evaluation) -> Section | None:
    """Return how agents did who all sat at one table; None if they did not."""
    if not evaluation.seated:
        return None
    first = next(iter(evaluation.seated.values()))
    named = [name for name in COLUMNS if name in first]
    rows = [
        [agent, *(_cell(name, estimates.get(name)) for name in named)]
        for agent, estimates in evaluation.seated.items()
    ]
    caption = "Each more than the others at its tables, in all orders, with 95 % intervals"
    head = ["agent", *(COLUMNS[name] for name in named)]
    return Section("All at one table", [Table("one_table", caption, head, rows)])


def ratings(evaluation: Evaluation, found: Population) -> Section | None:
    """Return one number for each agent, and whether one number is enough; None for two agents."""
    if len(found.labels) < 3 or not evaluation.pairs:
        return None
    if not found.ratings:
        return Section("Ratings", [Missing(
            "No ratings: they need pairs that connect all agents, and some never met."
        )])  # fmt: skip
    table, order = _rating_table(found), _by_rating(found)
    best = order[0]
    alt = f"Ratings of {counted(len(order), 'agent')}, {found.labels[best]} highest at " + (
        f"{signed_mean(found.ratings[best].mean)} {UNIT}"
    )
    figure = Figure(
        rating_plot(found.labels, found.ratings, f"{UNIT} more than the mean agent"), alt,
        "Ratings by margin with 95 % intervals" if found.results else "Ratings by margin",
    )  # fmt: skip
    return Section("Ratings", [table, figure, Text(_transitive(found))])


def _by_rating(found: Population) -> list[int]:
    return sorted(range(len(found.labels)), key=lambda i: -found.ratings[i].mean)


def _rating_table(found: Population) -> Table:
    head = ["agent", f"{UNIT} more than the mean agent"]
    keys: list[str | int | float | None] = ["agent", "rating", "low", "high"]
    if found.board_ratings:
        head.append("by boards won (400 = 10:1)")
        keys += ["board_rating", "board_rating_low", "board_rating_high"]
    if found.nash is not None:
        head += ["share of the Nash mix", f"{UNIT} against the mix"]
        keys += ["nash_share", "nash_rating"]
    rows: list[list[str]] = []
    raw: Raw = [keys]
    for i in _by_rating(found):
        r = found.ratings[i]
        row = [found.labels[i], interval(r)]
        values: list[str | int | float | None] = [found.labels[i], r.mean, r.low, r.high]
        if found.board_ratings:
            b = found.board_ratings[i]
            row.append(interval(b, 0))
            values += [b.mean, b.low, b.high]
        if found.nash is not None:
            mix, rating = float(found.nash.mix[i]), float(found.nash.ratings[i])
            row += [percent(mix), signed_mean(rating)]
            values += [mix, rating]
        rows.append(row)
        raw.append(values)
    return Table("ratings", "Ratings, with 95 % intervals where every board is known", head, rows,
                 1, raw)  # fmt: skip


def _transitive(found: Population) -> str:
    assert found.share is not None
    text = f"Differences of ratings explain {percent(found.share)} of the margins"
    if found.transitive is not None:
        text += (
            f"; the rest would be as large by chance alone with p = "
            f"{p_value(found.transitive.p_value)}"
        )
    text += "."
    if found.share < 0.95:
        text += " Under 95 %: who beats whom is more than one number for each agent can say."
    if found.nash is None:
        text += " No Nash average: it needs all pairs."
    else:
        text += (
            " The Nash mix is the choice of agents that no agent gains against; copies and weak "
            "agents do not move it."
        )
    return text
