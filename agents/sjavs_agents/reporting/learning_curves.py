"""Learning curves of runs that differ in their seeds alone, as one with an interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sjavs_agents.reporting.blocks import Block, Figure, Missing, Raw, Section, Table, Text
from sjavs_agents.reporting.plots import Curve, curve_plot
from sjavs_agents.reporting.training_runs import Series, TrainingRun
from sjavs_agents.reporting.words import counted, interval, percent
from sjavs_agents.stats.bootstrap import Band, runs_interval
from sjavs_agents.stats.estimates import Estimate, estimate_mean
from sjavs_env.randomness import derived

__all__ = ["Setting", "learning", "settings_of"]

_PREFIX, _SUFFIX = "eval/", "/game_points"
_EXPLAINED = "losses/explained_variance"
_ROWS = 12  # points of a curve in the table


@dataclass(frozen=True)
class Setting:
    """Runs of the same settings."""

    label: str  # what it does not share with the others
    runs: tuple[TrainingRun, ...]


def settings_of(runs: Sequence[TrainingRun]) -> list[Setting]:
    """Return runs by what they were trained with, in the order in which they were read."""
    groups: dict[str, list[TrainingRun]] = {}
    for run in runs:
        groups.setdefault(repr(sorted(run.settings.items())), []).append(run)
    firsts = [group[0].settings for group in groups.values()]
    names = list(dict.fromkeys(name for settings in firsts for name in settings))
    differ = [n for n in names if len({settings.get(n) for settings in firsts}) > 1]
    return [Setting(_label(group[0].settings, differ), tuple(group)) for group in groups.values()]


def _label(settings: Mapping[str, str], differ: Sequence[str]) -> str:
    if not differ:
        return settings.get("rules", "one setting")
    return ", ".join(
        settings.get(n, "–") if n == "rules" else f"{n} {settings.get(n, '–')}" for n in differ
    )


def learning(runs: Sequence[TrainingRun]) -> Section | None:
    """Return the curves of all runs, against each opponent that they were measured against."""
    if not runs:
        return None
    settings = settings_of(runs)
    opponents = dict.fromkeys(
        tag[len(_PREFIX) : -len(_SUFFIX)]
        for run in runs for tag in run.logged
        if tag.startswith(_PREFIX) and tag.endswith(_SUFFIX)
    )  # fmt: skip
    parts = [_against(settings, opponent) for opponent in opponents]
    blocks: list[Block] = [Text(_told(settings))]
    if not parts:
        blocks.append(Missing("No curves: the runs have logged no evaluations (evaluation.every)."))
    parts += [_final(settings), _critic(settings)]
    return Section("Training runs", blocks, parts)


def _told(settings: Sequence[Setting]) -> str:
    named = "; ".join(
        f"{s.label}: {counted(len(s.runs), 'run')}, "
        f"{'seed' if len(s.runs) == 1 else 'seeds'} {', '.join(r.seed for r in s.runs)}"
        for s in settings
    )
    return (
        f"{named}. Curves of several runs are their interquartile mean with a 95 % interval over "
        "runs, at equal numbers of evaluations; all play the same boards, whose chance the "
        "interval leaves out. The band of a single run is that of its boards alone, and tells "
        "nothing of other seeds."
    )


def _against(settings: Sequence[Setting], opponent: str) -> Section:
    """The curves against one opponent."""
    title, tag = f"Learning curve against {opponent}", f"{_PREFIX}{opponent}{_SUFFIX}"
    curves = [c for s in settings if (c := _curve(s, tag, opponent)) is not None]
    if not curves:
        return Section(title, [Missing("No curve: no two points that all runs have.")])
    raw: Raw = [["setting", "decisions", "middle", "low", "high"]]
    rows = []
    for curve in curves:
        values = list(zip(curve.x, curve.middle, curve.low, curve.high, strict=True))
        raw += [[curve.name, *map(float, four)] for four in values]
        at = np.unique(np.linspace(0, len(values) - 1, min(_ROWS, len(values))).round())
        for x, middle, low, high in (values[int(i)] for i in at):
            rows.append([curve.name, f"{x:,.0f}", interval(Estimate(middle, low, high))])
    ends = "; ".join(f"{c.name} ends at {c.middle[-1]:+.2f}" for c in curves)
    figure = Figure(
        curve_plot(curves, "decisions learned from", "game points per deal"),
        f"Game points per deal more than {opponent} against decisions learned from: {ends}",
        f"Game points per deal more than {opponent}",
    )
    table = Table(f"curve_{opponent}", "Points of the curves", ["setting", "decisions",
                  "game points per deal"], rows, 2, raw)  # fmt: skip
    return Section(title, [figure, table])


def _curve(setting: Setting, tag: str, opponent: str) -> Curve | None:
    """One curve; None where there are no points that all runs have."""
    series = [run.logged.get(tag) for run in setting.runs]
    known = [s for s in series if s is not None]
    n = min((len(s.values) for s in known), default=0)
    if not n or len(known) < len(series):
        return None
    x = np.mean([s.decisions[:n] for s in known], axis=0)
    if len(known) == 1:
        low, high = (setting.runs[0].logged.get(f"{tag}_{end}") for end in ("low", "high"))
        middle = known[0].values
        return Curve(setting.label, x, middle, _values(low, known[0]), _values(high, known[0]))
    band = _over_runs(known, n, opponent)
    return Curve(setting.label, x, band.middle, band.low, band.high)


def _values(series: Series | None, other: Series) -> np.ndarray:
    fits = series is not None and len(series.values) == len(other.values)
    return series.values if series is not None and fits else other.values


def _over_runs(series: Sequence[Series], n: int, opponent: str) -> Band:
    """The interval over runs of curves that hold means over boards alone."""
    means = np.array([s.values[:n] for s in series])
    boards = np.repeat(means[:, None], 2, axis=1)  # whose mean they are, whatever they were
    return runs_interval(boards, derived(0, "report", "curve", opponent), same_boards=False)


def _final(settings: Sequence[Setting]) -> Section:
    """How strong the trained players are, over runs and boards."""
    title = "Trained players"
    rows = []
    raw: Raw = [["setting", "against", "runs", "boards", "mean", "low", "high"]]
    for setting in settings:
        for opponent, (e, boards) in _finals(setting):
            n = len(setting.runs)
            each = ", ".join(f"{r.boards[opponent].mean():+.2f}" for r in setting.runs)
            rows.append([setting.label, opponent, str(n), f"{boards:,}", interval(e), each])
            raw.append([setting.label, opponent, n, boards, e.mean, e.low, e.high])
    if not rows:
        return Section(title, [Missing("Not told: no run has finished, with its boards.csv.")])
    head = ["setting", "against", "runs", "boards", "game points per deal", "each run"]
    table = Table("trained", "Final players, with 95 % intervals over runs and boards", head, rows,
                  2, raw)  # fmt: skip
    text = (
        "Several runs: their interquartile mean, with runs and boards both left to chance. One "
        "run: Student's t of its boards."
    )
    return Section(title, [table, Text(text)])


def _finals(setting: Setting) -> Iterator[tuple[str, tuple[Estimate, int]]]:
    """Yield opponents whose boards all runs have, with the estimate and the number of boards."""
    for opponent in setting.runs[0].boards:
        boards = [run.boards.get(opponent) for run in setting.runs]
        known = [b for b in boards if b is not None]
        if len(known) < len(boards) or len({len(b) for b in known}) != 1:
            continue
        if len(known) == 1:
            yield opponent, (estimate_mean(known[0]), len(known[0]))
        elif len(known[0]) > 1:
            results = np.stack(known)[:, :, None]
            band = runs_interval(results, derived(0, "report", "trained", opponent))
            ends = (float(x[0]) for x in (band.middle, band.low, band.high))
            yield opponent, (Estimate(*ends), len(known[0]))


def _critic(settings: Sequence[Setting]) -> Section:
    """How much of the returns the critics foretold."""
    title = "Calibration of the critic"
    rows = []
    for setting in settings:
        for run in setting.runs:
            if (series := run.logged.get(_EXPLAINED)) is not None:
                last = series.values[-max(1, len(series.values) // 10) :]
                rows.append([setting.label, f"seed {run.seed}", percent(float(series.values[0])),
                             percent(float(last.mean()))])  # fmt: skip
    if not rows:
        return Section(title, [Missing(f"Not told: no run has logged {_EXPLAINED}.")])
    head = ["setting", "run", "at first", "last tenth"]
    table = Table("critic", "Variance of the returns that the critic explains", head, rows, 2)
    text = (
        "Of what deals brought, as the critic foresaw it with all hands open. A curve of "
        "predicted against observed values would need both for every decision, which runs do not "
        "keep."
    )
    return Section(title, [table, Text(text)])
