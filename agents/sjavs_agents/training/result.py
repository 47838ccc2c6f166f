"""How good the player is: measured against the yardsticks, at the end once and for good."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sjavs_agents.arena.match import MatchError, MatchResult, play_match
from sjavs_agents.training.config import config_to_dict
from sjavs_agents.training.run import Training
from sjavs_env.cli.atomic_files import write_json, write_whole

__all__ = ["evaluate", "final_result"]

T = TypeVar("T")


def evaluate(
    training: Training, boards: int, summary: Callable[[str, MatchResult], dict[str, T]]
) -> dict[str, dict[str, T]]:
    """Play the current player against every yardstick on the fixed boards.

    The team shares the yardsticks out and hears all results.
    """
    team, player, seed = training.team, training.agent(), training.config.evaluation.seed
    found: dict[str, dict[str, T]] = {}
    trouble: MatchError | None = None
    for name, opponent in list(training.yardsticks.items())[team.rank :: team.size]:
        try:
            result = play_match(training.game, (player, opponent), boards, seed)
        except MatchError as error:
            trouble = error
            break
        found[name] = summary(name, result)
    of_all: dict[str, dict[str, T]] = {}
    for theirs, what in team.everyone((found, trouble)):
        if what:
            raise what
        of_all |= theirs
    return {name: of_all[name] for name in training.yardsticks}


def final_result(training: Training) -> dict[str, Any]:
    """Measure the trained player (once), save it, and return the results, also as stored."""
    path, team = training.folder / "result.json", training.team
    wanted = config_to_dict(training.config)["evaluation"]
    result = team.told(_measured(path, wanted, training.decisions))
    if result is None:
        if team.leads:
            training.save_agent()
        boards = training.config.evaluation.final_boards
        found = evaluate(training, boards, _measures)
        result = {"evaluation": wanted, "boards": boards, "deals_trained": training.deals,
                  "decisions_trained": training.decisions, "seconds": round(training.seconds, 1),
                  "against": {name: each["row"] for name, each in found.items()}}  # fmt: skip
        if team.leads:
            _write_boards(training.folder / "boards.csv", found)
            write_json(path, result)
    return result


def _measured(path: Path, wanted: dict[str, Any], decisions: int) -> dict[str, Any] | None:
    """Return the stored result if it is sound, of this player, and measured as wanted."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    asked = {"evaluation": wanted, "decisions_trained": decisions}
    is_it = isinstance(stored, dict) and all(stored.get(k) == v for k, v in asked.items())
    return stored if is_it else None


def _measures(name: str, result: MatchResult) -> dict[str, Any]:
    """Return the estimates of a match and what they are made of, board by board."""
    estimates = result.estimates()
    names = ("game_points", "card_points", "boards_won")
    row = {n: {"mean": e.mean, "low": e.low, "high": e.high}
           for n, e in estimates.items() if n in names}  # fmt: skip
    boards = (result.boards, result.board_game_points, result.board_card_points)
    return {"row": row, "boards": list(zip(*(x.tolist() for x in boards), strict=True))}


def _write_boards(path: Path, found: dict[str, dict[str, Any]]) -> None:
    """Write the points per deal of every board, of which the intervals are made."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["against", "board", "game_points", "card_points"])
    for name, each in found.items():
        table.writerows([name, *values] for values in each["boards"])
    write_whole(path, text.getvalue().encode("utf-8"))
