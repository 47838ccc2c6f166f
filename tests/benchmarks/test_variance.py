"""What the table of variances says of results that are known."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.variance import _shares, _spread
from benchmarks.variance_table import KEPT, called, main, markdown
from sjavs_agents.base import Floats
from sjavs_env import Game
from tests.engine.table import game_of, table_of


def test_results_that_luck_alone_decides_leave_nothing_when_it_is_taken_out() -> None:
    rng = np.random.default_rng(3)
    luck = rng.normal(size=(4000, 1)) * np.array([1.0, -1.0])
    found = _spread("game_points", 0.3 + 2 * luck, 2 * luck, np.abs(luck))
    assert found.plain == pytest.approx(2, rel=0.05)
    assert found.corrected == pytest.approx(0, abs=1e-9)
    assert found.duplicate == pytest.approx(0, abs=1e-9)
    assert abs(found.moved) < 4


def test_what_every_table_adds_on_its_own_is_left_and_counted_by_the_deal() -> None:
    rng = np.random.default_rng(4)
    slips = rng.normal(size=(4000, 2))
    found = _spread("game_points", slips, np.zeros((4000, 2)) + 1e-9 * slips, slips)
    for spread in (found.plain, found.corrected, found.duplicate):
        assert spread == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize(
    "game", [game_of("faroese"), game_of("klorsjavs"), table_of("handjass", 2)]
)
def test_luck_cancels_on_a_board(game: Game) -> None:
    shares = _shares(game)
    rng = np.random.default_rng(5)
    luck: Floats = rng.normal(size=(shares.shape[1],))
    luck -= np.mean(luck)  # of all seats it adds up to zero
    if len(luck) == 4:
        luck = luck[0] * np.array([1.0, -1.0, 1.0, -1.0])  # partners share it
    assert (shares @ luck).sum() == pytest.approx(0, abs=1e-12)
    assert np.abs(shares @ luck).min() > 0


def test_draws_that_are_known_leave_nothing_either() -> None:
    rng = np.random.default_rng(6)
    drawn = rng.normal(size=(1000, 2))
    found = _spread("game_points", 1 + drawn, np.zeros((1000, 2)) + 1e-9 * drawn, drawn, drawn)
    assert found.known == pytest.approx(0, abs=1e-6)
    assert found.corrected == pytest.approx(1, rel=0.05)


def test_the_table_in_the_docs_is_that_of_the_numbers_kept() -> None:
    page = (KEPT.parent / "analysis.md").read_text("utf-8")
    assert "\n".join(markdown(json.loads(KEPT.read_text("utf-8"))["matches"])) in page


def test_a_table_is_made_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.variance_table.KEPT", tmp_path / "kept.json")
    spread = {"unit": "game_points", "plain": 4.0, "corrected": 2.0, "known": 1.0,
              "duplicate": 2.0, "both": 4.0}  # fmt: skip
    found = tmp_path / "found.json"
    rules = {"name": "handjass", "version": 1, "overrides": {"players": 2}}
    agents = ["pimc:worlds=20", "runs/x:temperature=1"]
    found.write_text(json.dumps({
        "rules": rules, "agents": agents, "boards": 9, "seed": 7, "spreads": [spread],
    }))  # fmt: skip
    assert main([str(found)]) == 0
    row = capsys.readouterr().out.splitlines()[2]
    assert row.startswith(
        "| handjass, 2 players, with a crew | `pimc:worlds=20` – trained, drawing"
    )
    assert row.endswith("| 9 | game points | 4.0 | 16.0 | 4.0 | 1.0 |")
    assert called("rules") == "`rules`"
