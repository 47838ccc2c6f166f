"""What an evaluation holds in memory while it plays does not grow with the number of boards."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from sjavs_agents.arena.command import main
from sjavs_agents.arena.shard import Part
from sjavs_agents.arena.tournament.bout import Bout

SHARD = 8  # boards
OF_A_BOARD = 200  # bytes: the numbers of two tables, which stay
NOISE = 60_000
AGENTS = f"""
from sjavs_agents.heuristic.greedy_agent import GreedyAgent

class Greedy(GreedyAgent):
    boards_at_once = {SHARD}
"""


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, int]]]:
    """Bytes that are held after each shard is entered, and the most before that."""
    found: list[tuple[int, int]] = []
    enter = Bout.enter

    def counted(self: Bout, part: Part) -> None:
        enter(self, part)
        gc.collect()
        found.append(tracemalloc.get_traced_memory())

    monkeypatch.setattr(Bout, "enter", counted)
    yield found
    tracemalloc.stop()


def test_recorded_games_are_not_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: list[tuple[int, int]]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("slow_players.py").write_text(AGENTS, "utf-8")
    boards = 12 * SHARD
    argv = ["slow_players:Greedy", "greedy", "--rules", "handjass", "--players", "2"]
    assert main([*argv, "--boards", str(SHARD), "--record", "games.jsonl"]) == 0  # imports, caches
    held.clear()
    tracemalloc.start()
    assert main([*argv, "--boards", str(boards), "--record", "games.jsonl"]) == 0
    assert len(held) == 12
    after_two, at_last = held[1], held[-1]
    written = Path("games.jsonl").stat().st_size
    assert written * 10 / 12 > 1.5 * NOISE + OF_A_BOARD * boards  # else there is nothing to see
    assert at_last[0] - after_two[0] < NOISE + OF_A_BOARD * boards
    assert at_last[1] - after_two[1] < NOISE + OF_A_BOARD * boards
