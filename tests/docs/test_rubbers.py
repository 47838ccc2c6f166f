"""The page of rubbers: its example runs, and its tables hold what they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sjavs_agents.stats.rubber_deals import KINDS
from sjavs_agents.stats.rubber_equity import RubberEquity
from sjavs_agents.stats.rubber_page import stored_results
from sjavs_env import PRESETS, Game, make_rules

PAGE = (Path(__file__).parents[2] / "docs" / "rubbers.md").read_text("utf-8")


def test_its_example_runs_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    space: dict[str, Any] = {}
    exec(compile(block, "docs", "exec"), space)
    plain, with_tie = map(float, capsys.readouterr().out.split())
    assert 0.5 < with_tie < plain < 1  # a bonus is worth more to those who are behind


def test_every_game_with_such_a_rubber_has_its_section() -> None:
    games = [rules for rules in PRESETS.values() if Game(rules).tables.match.kind in KINDS]
    titles = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert titles == [rules.title for rules in games]


def test_a_cell_is_the_chance_at_its_scores() -> None:
    text = PAGE.split("`faroese`; ")[1]
    equity = RubberEquity.of(Game(make_rules("faroese")), stored_results("faroese").of_equals())
    tables = [part.splitlines() for part in text.split("| ours \\ theirs ")[1:4]]
    for pending, (head, _, *rows) in enumerate(tables):
        theirs = [int(cell) for cell in head.strip("| ").split(" | ")]
        assert theirs == list(range(24, 0, -2))
        ours, *cells = rows[3].strip("| ").split(" | ")
        expected = [f"{100 * equity.win(18, t, pending):.1f}" for t in theirs]
        assert (ours, cells) == ("**18**", expected)
