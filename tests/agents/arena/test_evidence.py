"""What a match says beside its intervals, in the file of an evaluation."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_agents.arena.evidence import correct_pairs, evidence
from sjavs_agents.arena.match import MatchResult, play_match
from sjavs_agents.arena.report import match_report
from sjavs_agents.registry import make_agent
from sjavs_agents.stats.sample_size import PowerHint, boards_to_find
from sjavs_agents.stats.significance import holm
from sjavs_env import Game, make_rules


def played(boards: int, **options: Any) -> MatchResult:
    game = Game(make_rules("klorsjavs"))
    agents = make_agent("rules", game), make_agent("greedy", game)
    return play_match(game, agents, boards, 7, **options)


def test_the_report_holds_what_the_functions_of_boards_say() -> None:
    result = played(40)
    found = match_report(result)["estimates"]
    points = found["game_points"]
    assert points["sign_flip_p"] == pytest.approx(points["p_value"], abs=0.03)
    assert points["power"]["half_width"] == pytest.approx(points["interval"][1] - points["mean"])
    assert points["power"]["boards_to_find_mean"] == boards_to_find(
        points["spread"], points["mean"]
    )
    assert "power" not in found["boards_won"]
    assert match_report(result)["estimates"] == found


def test_rubbers_are_won_more_often_than_half_of_them() -> None:
    result = played(12, episode="rubber")
    boards, null = result.means()["rubbers_won"]
    assert null == 0.5
    found = evidence(result)
    assert set(found) == set(result.means())
    by_hand = np.abs(((boards - null) * np.array([1, -1])[:, None]).sum(axis=1))
    assert (by_hand[0] == 0) == (found["rubbers_won"]["sign_flip_p"] == 1)


def test_every_hint_is_told_in_the_documentation() -> None:
    page = (Path(__file__).parents[3] / "docs" / "evaluation.md").read_text("utf-8")
    told = page.split("## How sure\n")[1]
    assert [f.name for f in fields(PowerHint) if f"| `{f.name}` |" not in told] == []


def test_a_single_board_has_no_evidence() -> None:
    found = match_report(played(1))["estimates"]["game_points"]
    assert found["sign_flip_p"] is None
    assert set(found["power"].values()) == {None}


def test_pairs_are_corrected_for_their_number_and_one_alone_is_not() -> None:
    def pair(p_value: float | None) -> dict[str, Any]:
        points = {"mean": 1.0, "p_value": p_value, "sign_flip_p": p_value}
        return {"estimates": {"game_points": points, "boards_won": {"mean": 0.5}}}

    p_values = [0.01, None, 0.04, 0.5]
    pairs = correct_pairs([pair(p) for p in p_values])
    assert [p["estimates"]["game_points"]["p_holm"] for p in pairs] == holm(p_values)
    assert "p_holm" not in pairs[0]["estimates"]["boards_won"]
    assert "p_holm" not in correct_pairs([pair(0.01)])[0]["estimates"]["game_points"]
