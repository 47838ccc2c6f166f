"""How strong a player is: matches against yardsticks, kept in a folder while they are played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sjavs_agents.arena.command import main as evaluate
from sjavs_agents.arena.results_folder import RESULTS, read_object
from sjavs_agents.registry import make_agent, searches
from sjavs_env import Game

__all__ = ["StoppedError", "Yardsticks", "able", "measured"]

ESTIMATES = ("game_points", "card_points", "boards_won")


class StoppedError(RuntimeError):
    """The matches were not played to the end; ``status`` is the exit status of the command."""

    def __init__(self, status: int) -> None:
        super().__init__("stopped before all boards were played; the same command goes on")
        self.status = status


@dataclass(frozen=True)
class Yardsticks:
    """Whom a player is measured against, and on how many boards."""

    names: Sequence[str]
    boards: int
    search_boards: int  # against players that search
    seed: int
    processes: str


def able(names: Sequence[str], game: Game) -> tuple[list[str], list[str]]:
    """Return which players can play a game, and why the others cannot, a line each."""
    refused = {name: why for name in names if (why := _refusal(name, game)) is not None}
    lines = [f"not measured against {name}: {why}" for name, why in refused.items()]
    return [name for name in names if name not in refused], lines


def _refusal(name: str, game: Game) -> str | None:
    try:
        make_agent(name, game)
    except ValueError as error:
        return str(error)
    return None


def measured(weights: Path, game: Game, wanted: Yardsticks, folder: Path) -> list[dict[str, Any]]:
    """Play what has not been played yet; return a row of a card for each match.

    Each match has a folder of its own in ``folder``, by which it goes on.  StoppedError if one
    comes to no end.
    """
    rows = []
    for name in wanted.names:
        boards = wanted.search_boards if searches(name) else wanted.boards
        key = sha256(f"{name} {wanted.seed}".encode()).hexdigest()[:12]
        rows.append(_played(weights, game, name, boards, wanted, folder / key))
    return rows


def _played(
    weights: Path, game: Game, name: str, boards: int, wanted: Yardsticks, folder: Path
) -> dict[str, Any]:
    words = [
        str(weights), name, "--rules", game.rules.name, "--players", str(game.rules.players),
        "--boards", str(boards), "--seed", str(wanted.seed), "--processes", wanted.processes,
        "--timings", "--out", str(folder),
    ]  # fmt: skip
    if status := evaluate(words, "sjavs champion export"):
        raise StoppedError(status)
    data = read_object(folder / RESULTS)
    return _row(name, boards, wanted.seed, data["pairs"][0], data["timings"][0])


def _row(
    name: str, boards: int, seed: int, pair: Mapping[str, Any], times: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    found = {kind: pair["estimates"][kind] for kind in ESTIMATES}
    estimates = {
        kind: {"mean": e["mean"], "low": e["interval"][0], "high": e["interval"][1]}
        for kind, e in found.items()
    }
    ms, their_ms = (round(time["ms_per_decision"], 5) for time in times)
    return {"agent": name, "boards": boards, "seed": seed, **estimates, "ms": ms,
            "their_ms": their_ms}  # fmt: skip
