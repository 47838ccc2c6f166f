"""What a report says of matches that a sequential test has ended."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from sjavs_agents.arena.command import main as evaluate
from sjavs_agents.arena.results_folder import load
from sjavs_agents.reporting.evaluation_file import read_evaluation, read_folder
from sjavs_agents.reporting.population import measured
from tests.agents.reporting.results import report, tables_of

pytest.importorskip("matplotlib")

AGENTS = ("greedy", "random", "random-pass")


@cache
def stopped_by_tests() -> Path:
    folder = Path(mkdtemp()) / "out"
    argv = [
        *AGENTS,
        "--rules",
        "klorsjavs",
        "--boards",
        "256",
        "--until-sure",
        "0,1",
        "--seed",
        "5",
    ]
    assert evaluate([*argv, "--out", str(folder)]) == 0
    return folder


def without_fresh(folder: Path) -> Path:
    data = json.loads((stopped_by_tests() / "results.json").read_text("utf-8"))
    for pair in data["pairs"]:
        del pair["fresh"]
    (folder / "stopped.json").write_text(json.dumps(data), "utf-8")
    return folder / "stopped.json"


def test_all_numbers_of_strength_are_from_the_fresh_boards() -> None:
    found, boards = measured(read_folder(stopped_by_tests())), load(stopped_by_tests())
    for estimates, fresh, first in zip(found.estimates, boards.fresh, boards.pairs, strict=True):
        assert fresh is not None
        assert estimates["game_points"].mean == pytest.approx(fresh.board_game_points.mean())
        assert estimates["game_points"].mean != pytest.approx(first.board_game_points.mean())
    of_file = measured(read_evaluation(stopped_by_tests() / "results.json"))
    assert of_file.margins == pytest.approx(found.margins)
    assert [r.mean for r in of_file.ratings] == pytest.approx([r.mean for r in found.ratings])


def test_what_the_test_stopped_at_is_shown_as_biased(tmp_path: Path) -> None:
    page = report(tmp_path, stopped_by_tests())
    rows, pairs = tables_of(tmp_path, "tests"), load(stopped_by_tests()).data["pairs"]
    assert "what they say is too much on average" in page
    for row, pair in zip(rows, pairs, strict=True):
        assert row["verdict"] == pair["test"]["verdict"]
        for column, source in (("game points per deal there, biased", pair),
                               ("game points per deal, to be quoted", pair["fresh"])):  # fmt: skip
            mean = source["estimates"]["game_points"]["mean"]
            shown = row[column].partition(" ")[0].replace("\N{MINUS SIGN}", "-")
            assert float(shown) == pytest.approx(mean, abs=0.006)
    assert {row["biased"] for row in tables_of(tmp_path, "pairs")} == {"0"}


def test_without_fresh_boards_no_p_value_is_given(tmp_path: Path) -> None:
    page = report(tmp_path, without_fresh(tmp_path))
    for row in tables_of(tmp_path, "pairs"):
        assert (row["biased"], row["p_value"], row["p_corrected"]) == ("1", "", "")
    assert page.count("256, biased") == 3
    assert set(measured(read_evaluation(tmp_path / "stopped.json")).corrected) == {None}
