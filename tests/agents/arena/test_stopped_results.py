"""Results of evaluations that were stopped: they replace nothing that would be lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluate import main
from sjavs_agents.arena.stopped_results import begins_with, holds_stopped, place_for
from sjavs_env.cli.command import FAILED
from tests.agents.arena.drawing import Fickle

FICKLE, BOARDS, SHARD = "tests.agents.arena.drawing:Fickle", 32, 8


def play(folder: Path, patience: int = 2**62, *more: str) -> int:
    """Play into the files ``a.json`` and ``a.jsonl`` until all is done, or the agent has enough."""
    Fickle.patience = patience
    own = ["--json", str(folder / "a.json"), "--record", str(folder / "a.jsonl")]
    argv = [FICKLE, "greedy", "--rules", "handjass", "--players", "2", "--boards", str(BOARDS)]
    return main([*argv, *own, *more])


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How often the agent is asked in all."""
    play(tmp_path_factory.mktemp("all"))
    return 2**62 - Fickle.patience


def boards(path: Path) -> int:
    data = json.loads(path.read_text("utf-8"))
    assert (
        len(path.with_suffix(".jsonl").read_bytes().splitlines()) == 2 * data["pairs"][0]["boards"]
    )
    return int(data["pairs"][0]["boards"])


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_complete_results_stay_and_what_was_played_goes_beside(
    tmp_path: Path, asked: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path) == 0
    whole = {name: (tmp_path / name).read_bytes() for name in ("a.json", "a.jsonl")}
    assert play(tmp_path, asked // 2) == FAILED
    assert {name: (tmp_path / name).read_bytes() for name in whole} == whole
    told = capsys.readouterr().err
    for name in whole:
        beside = tmp_path / name.replace("a.", "a.stopped.")
        assert f"{tmp_path / name} stays as it is; what was played is in {beside}" in told
    done = boards(tmp_path / "a.stopped.json")
    assert 0 < done < BOARDS
    assert whole["a.jsonl"].startswith((tmp_path / "a.stopped.jsonl").read_bytes())


def test_what_was_stopped_is_replaced_by_what_holds_it(tmp_path: Path, asked: int) -> None:
    play(tmp_path, asked // 3)
    assert boards(tmp_path / "a.json") == SHARD
    play(tmp_path, asked * 2 // 3)
    assert files(tmp_path) == ["a.json", "a.jsonl"]
    assert boards(tmp_path / "a.json") == 2 * SHARD
    assert play(tmp_path) == 0
    assert files(tmp_path) == ["a.json", "a.jsonl"]
    assert boards(tmp_path / "a.json") == BOARDS


def test_a_shorter_start_or_another_seed_goes_beside(tmp_path: Path, asked: int) -> None:
    play(tmp_path, asked * 2 // 3)
    play(tmp_path, asked // 3)
    assert (boards(tmp_path / "a.json"), boards(tmp_path / "a.stopped.json")) == (2 * SHARD, SHARD)
    play(tmp_path, asked * 2 // 3, "--seed", "1")
    assert boards(tmp_path / "a.stopped-2.json") == 2 * SHARD
    assert len(files(tmp_path)) == 6


def test_files_of_anything_else_are_not_held(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    data: dict[str, Any] = {"pairs": [{"boards": 8}], "seed": 1, "stopped": "interrupted"}
    for text in ("", "[1]", "{}", json.dumps({**data, "seed": 2}), json.dumps({**data, "table": 1}),
                 json.dumps({"pairs": [{"boards": 8}], "seed": 1})):  # fmt: skip
        path.write_text(text)
        assert not holds_stopped(data, path)
    path.write_text(json.dumps(data))
    assert holds_stopped(data, path)
    assert not holds_stopped({**data, "pairs": [{"boards": 7}]}, path)
    assert not holds_stopped({**data, "pairs": []}, path)


@pytest.mark.parametrize(
    ("old", "is_start"), [(b"", True), (b"ab", True), (b"abcd", True), (b"abx", False),
                          (b"abcde", False), (b"x", False)],
)  # fmt: skip
def test_a_text_in_parts_begins_with_a_file(tmp_path: Path, old: bytes, is_start: bool) -> None:
    (tmp_path / "a").write_bytes(old)
    assert begins_with(iter([b"abc", b"d"]), tmp_path / "a") == is_start


def test_names_beside_are_none_that_are_taken_or_too_long(tmp_path: Path) -> None:
    for name, beside in (("a.json", "a.stopped.json"), ("a", "a.stopped"),
                         ("b" * 250 + ".json", "b" * 40 + ".stopped.json")):  # fmt: skip
        path = tmp_path / name
        assert place_for(path, lambda _: False) == path
        path.write_text("")
        assert place_for(path, lambda _: False) == tmp_path / beside
        assert place_for(path, lambda _: True) == path
    (tmp_path / "a.stopped").symlink_to("nowhere")
    assert place_for(tmp_path / "a", lambda _: False) == tmp_path / "a.stopped-2"
