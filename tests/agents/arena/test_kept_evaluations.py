"""Evaluations that are kept in a folder: whatever happens on the way, the end is the same."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from evaluate import main
from sjavs_agents.arena.match import play_match
from sjavs_agents.arena.results_folder import FolderError, load
from sjavs_agents.arena.shard import play_shard
from sjavs_agents.arena.tournament.entrants import fingerprint
from sjavs_agents.registry import make_agent
from sjavs_env import verify_file
from sjavs_env.cli.claim import claimed
from tests.engine.table import game_of

SMALL = "tests.agents.arena.drawing:Small"
ARGV = [SMALL, "greedy", "--rules", "faroese_free", "--seed", "5"]
BOARDS = 44  # five shards and a half


class Kept:
    """An evaluation in a folder, with its results and records beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "out"
        self.json, self.record = folder / "a.json", folder / "a.jsonl"
        folder.mkdir(exist_ok=True)

    def run(self, *argv: str, boards: int = BOARDS) -> int:
        own = ["--out", str(self.out), "--json", str(self.json), "--record", str(self.record)]
        return main([*ARGV, "--boards", str(boards), *own, *argv])

    def files(self) -> dict[str, bytes]:
        """What must be the same, by name; shards hold CPU times."""
        paths = [self.json, self.record, self.out / "results.json", self.out / "boards.npz"]
        return {path.name: path.read_bytes() for path in paths}

    @property
    def shards(self) -> list[Path]:
        return sorted((self.out / "shards" / "0-1").glob("*.npz"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """The evaluation, played in one go."""
    kept = Kept(tmp_path_factory.mktemp("whole"))
    assert kept.run() == 0
    return kept


@pytest.fixture
def copied(whole: Kept, tmp_path: Path) -> Kept:
    """A copy of it that may be spoiled."""
    shutil.copytree(whole.folder, tmp_path / "copy")
    return Kept(tmp_path / "copy")


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the shards that are played from now on, as they are."""
    numbers: list[int] = []

    def noting(*args: object, **options: object) -> object:
        numbers.append(args[3].number)  # type: ignore[attr-defined]
        return play_shard(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("sjavs_agents.arena.tournament.player.play_shard", noting)
    return numbers


def test_it_is_the_match_that_is_played_without_a_folder(whole: Kept, tmp_path: Path) -> None:
    game = game_of("faroese_free")
    agents = make_agent(SMALL, game), make_agent("greedy", game)
    result = play_match(game, agents, BOARDS, 5)
    (found,) = load(whole.out).pairs
    assert (found.agents, found.seed, found.episode) == (result.agents, 5, "deal")
    for name in ("boards", "deals", "numbers", "game_points", "card_points", "crosses"):
        np.testing.assert_array_equal(getattr(found, name), getattr(result, name))
    for name, value in vars(result.tally).items():
        if name != "seconds":
            np.testing.assert_array_equal(getattr(found.tally, name), value)
    assert found.estimates() == result.estimates()
    other = tmp_path / "b.json"
    assert main([*ARGV, "--boards", str(BOARDS), "--json", str(other)]) == 0
    assert other.read_bytes() == whole.json.read_bytes()
    assert [p.name for p in tmp_path.iterdir()] == ["b.json"]
    assert verify_file(whole.record) == 2 * BOARDS


def test_two_processes_write_the_same_bytes(whole: Kept, tmp_path: Path) -> None:
    kept = Kept(tmp_path / "two")
    assert kept.run("--processes", "2") == 0
    assert kept.files() == whole.files()


def test_what_is_finished_is_not_played_again(whole: Kept, copied: Kept, played: list[int]) -> None:
    assert copied.run() == 0
    assert played == []
    assert copied.files() == whole.files()


def test_more_boards_go_on_from_the_last_whole_shard(
    whole: Kept, tmp_path: Path, played: list[int]
) -> None:
    kept = Kept(tmp_path / "more")
    assert kept.run(boards=20) == 0
    assert kept.run() == 0
    assert played == [0, 1, 2, 2, 3, 4, 5]  # the third was cut at 20 boards
    assert kept.files() == whole.files()


SPOILED: dict[str, Callable[[Path], object]] = {
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "empty": lambda path: path.write_bytes(b""),
    "another shard": lambda path: shutil.copy(path.with_name("000000.npz"), path),
    "gone": lambda path: path.rename(path.with_name("elsewhere")),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
}


@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_shard_is_played_again(
    whole: Kept, copied: Kept, played: list[int], how: str
) -> None:
    SPOILED[how](copied.shards[3])
    assert copied.run() == 0
    assert played == [3]
    assert copied.files() == whole.files()


def test_a_shard_of_another_seed_does_not_pass_for_one(
    whole: Kept, copied: Kept, tmp_path: Path, played: list[int]
) -> None:
    other = Kept(tmp_path / "other")
    assert other.run("--seed", "6") == 0
    played.clear()
    shutil.copy(other.shards[2], copied.shards[2])
    assert copied.run() == 0
    assert played == [2]
    assert copied.files() == whole.files()


def test_games_that_were_not_recorded_are_played_again_for_their_records(
    whole: Kept, tmp_path: Path, played: list[int]
) -> None:
    kept = Kept(tmp_path / "kept")
    argv = [*ARGV, "--boards", str(BOARDS), "--out", str(kept.out)]
    assert main(argv) == 0
    played.clear()
    assert kept.run() == 0
    assert played == [0, 1, 2, 3, 4, 5]
    assert kept.files() == whole.files()


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--seed", "6"], "seed 5, not 6"),
        (["--boards", "43"], "boards 44, not 43"),
        (["--episode", "rubber"], "episode 'deal', not 'rubber'"),
        (["--gauntlet"], "matches 'pairs', not 'gauntlet'"),
        (["--set", "tie=double"], "rules {"),
    ],
)
def test_a_folder_is_for_one_evaluation(
    copied: Kept, played: list[int], capsys: pytest.CaptureFixture[str], argv: list[str], told: str
) -> None:
    assert copied.run(*argv) == 2
    err = capsys.readouterr().err
    assert f"{copied.out} was begun with {told}" in err
    assert "allowed: the same, more boards, or another --out" in err
    assert err.count("\n") == 1
    assert played == []


def test_a_folder_is_for_agents_of_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = tmp_path / "own_changing.py"
    module.write_text("from tests.agents.arena.drawing import Small\n")
    monkeypatch.syspath_prepend(tmp_path)
    argv = ["own_changing:Small", "greedy", "--boards", "8", "--out", str(tmp_path / "out")]
    assert main(argv) == 0
    module.write_text("from tests.agents.arena.drawing import Small  # changed\n")
    capsys.readouterr()
    assert main(argv) == 2
    told = (
        f"{tmp_path / 'out'} was begun with other files of 'small'; allowed: the same, or another"
    )
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "name",
    ["own_of_options:Small", "rules||own_of_options:Small",
     "lbr:policy=own_of_options:Small,worlds=2", "pimc:worlds=2,infer=own_of_options:Small",
     "greedy|rollout:policy=own_of_options:Small"],
)  # fmt: skip
def test_a_module_is_digested_wherever_it_stands_in_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    module = tmp_path / "own_of_options.py"
    module.write_text("from tests.agents.arena.drawing import Small\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "own_of_options", None)
    del sys.modules["own_of_options"]
    import_module("own_of_options")
    before = fingerprint(name)
    assert len(before) == 1
    assert before == fingerprint(name)
    module.write_text("from tests.agents.arena.drawing import Small  # changed\n")
    assert fingerprint(name) != before


def test_what_python_has_of_the_same_name_is_no_file_of_an_agent() -> None:
    assert "random" in sys.modules
    assert fingerprint("random") == fingerprint("greedy|pimc:utility=score") == ()


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"\xff", b"[" * 10_000])
def test_a_spoiled_specification_is_told_in_a_line(
    copied: Kept, capsys: pytest.CaptureFixture[str], text: bytes
) -> None:
    (copied.out / "match.json").write_bytes(text)
    assert copied.run() == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "match.json is damaged or no file of an evaluation" in err


def test_two_evaluations_do_not_share_a_folder(
    copied: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    with claimed(copied.out, "another", "none"):
        assert copied.run() == 2
    told = (
        f"{copied.out} is in use by another evaluation; allowed: another --out, or wait for its end"
    )
    assert told in capsys.readouterr().err


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").touch()
    assert Kept(tmp_path).run() == 2
    assert "a file; allowed: a folder" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["results.json", "boards.npz"])
@pytest.mark.parametrize("text", [b"{}", b'{"pairs": 1, "rules": {}}', b"x"])
def test_a_folder_that_holds_no_results_is_told_in_a_line(
    copied: Kept, name: str, text: bytes
) -> None:
    (copied.out / name).write_bytes(text)
    with pytest.raises(FolderError) as caught:
        load(copied.out)
    assert "\n" not in str(caught.value)
    assert str(copied.out) in str(caught.value)


RANKS = {"RANK": "0", "WORLD_SIZE": "2"}


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        (RANKS | {"RANK": "2"}, "RANK is 2 of 2; allowed"),
        (RANKS | {"RANK": "x"}, "RANK and WORLD_SIZE are 'x' and '2'; allowed: two numbers"),
        ({"RANK": "0"}, "WORLD_SIZE are '0' and None"),
        (RANKS, "WORLD_SIZE is 2 without --out; allowed: a folder that all processes share"),
    ],
)
def test_ranks_have_to_be_sound_and_share_a_folder(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    environment: dict[str, str],
    told: str,
) -> None:
    for name, value in environment.items():
        monkeypatch.setitem(os.environ, name, value)
    assert main(ARGV) == 2
    assert told in capsys.readouterr().err
