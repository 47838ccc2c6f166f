"""Curves of several runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sjavs_agents.reporting.learning_curves import settings_of
from sjavs_agents.reporting.training_runs import Series, TrainingRun, read_run
from tests.agents.reporting.results import report, tables_of, trained

TAG = "eval/random/game_points"


def run(name: str, seed: int = 0, **settings: str) -> TrainingRun:
    return TrainingRun(name, {}, {}, {"rules": "faroese"} | settings, str(seed), {}, {})


def test_runs_that_differ_in_their_seeds_alone_are_one_setting() -> None:
    runs = [run("a"), run("b", 1), run("c", lr="1"), run("d", 2)]
    first, second = settings_of(runs)
    assert [r.source for r in first.runs] == ["a", "b", "d"]
    assert (first.label, second.label) == ("lr –", "lr 1")
    (alone,) = settings_of(runs[:2])
    assert alone.label == "faroese"
    assert [s.label for s in settings_of([run("a"), run("b", rules="klorsjavs")])] == [
        "faroese", "klorsjavs"]  # fmt: skip


def test_seeds_of_one_training_make_one_setting() -> None:
    (setting,) = settings_of([read_run(trained(seed)) for seed in (0, 1)])
    assert [r.seed for r in setting.runs] == ["0", "1"]


def test_a_curve_of_runs_is_their_mean_with_an_interval_over_them(tmp_path: Path) -> None:
    folders = [trained(seed) for seed in (0, 1, 2)]
    report(tmp_path, *folders)
    series = [read_run(folder).logged[TAG] for folder in folders]
    rows = tables_of(tmp_path, "curve_random")
    assert len(rows) == len(series[0].values) == 4
    for k, row in enumerate(rows):
        values = [float(s.values[k]) for s in series]
        mean, error = np.mean(values), np.std(values, ddof=1) / 3**0.5
        assert float(row["decisions"]) == pytest.approx(np.mean([s.decisions[k] for s in series]))
        assert float(row["middle"]) == pytest.approx(mean)  # of three, the trimmed is the plain one
        half = 4.303 * error  # Student's t of three runs
        assert float(row["high"]) - float(row["low"]) == pytest.approx(2 * half, rel=0.15)


def test_final_players_are_compared_over_runs_and_boards(tmp_path: Path) -> None:
    folders = [trained(seed) for seed in (0, 1, 2)]
    report(tmp_path, *folders)
    (row,) = tables_of(tmp_path, "trained")
    means = [read_run(folder).boards["random"].mean() for folder in folders]
    assert (row["against"], row["runs"], row["boards"]) == ("random", "3", "6")
    assert float(row["mean"]) == pytest.approx(np.mean(means))
    of_runs = 4.303 * np.std(means, ddof=1) / 3**0.5
    assert float(row["high"]) - float(row["low"]) > 2 * of_runs * 0.6  # boards vary as well


def test_a_single_run_has_the_band_of_its_boards(tmp_path: Path) -> None:
    report(tmp_path, trained(0))
    logged = read_run(trained(0)).logged
    rows = tables_of(tmp_path, "curve_random")
    for name, tag in (("middle", TAG), ("low", f"{TAG}_low"), ("high", f"{TAG}_high")):
        assert [float(r[name]) for r in rows] == pytest.approx(logged[tag].values.tolist())


def test_runs_of_different_lengths_share_the_points_that_all_have(tmp_path: Path) -> None:
    from sjavs_agents.reporting.learning_curves import learning

    runs = []
    for seed, n in ((0, 5), (1, 3)):
        logged = {TAG: Series(np.arange(n), np.arange(n) * 1.0)}
        runs.append(TrainingRun(str(seed), {}, {}, {"rules": "x"}, str(seed), logged, {}))
    section = learning(runs)
    assert section is not None
    table = section.parts[0].blocks[1]
    assert len(table.rows) == 3  # type: ignore[union-attr]  # it is a table
