"""Evaluations that are stopped politely, or killed, at any moment: nothing is lost or left over."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from evaluate import main
from sjavs_env import read_records
from sjavs_env.cli.command import INTERRUPTED

ROOT = Path(__file__).parents[3]
PATIENCE = 120.0  # of a test: the machine may be slow
NOTICE = 15.0  # seconds within which nothing is left of an evaluation whose leader was killed
SLOW = "tests.agents.arena.drawing:Slow"
SHARD, BOARDS = 8, 124

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="finds processes as Linux lists them"
)


class Started:
    """An evaluation under way, in a session of its own."""

    def __init__(self, folder: Path, *argv: str, **environment: str) -> None:
        self.folder, self.out = folder, folder / "out"
        self.json, self.record = folder / "a.json", folder / "a.jsonl"
        own = ["--json", str(self.json), "--record", str(self.record)]
        words = [sys.executable, "evaluate.py", SLOW, "greedy", "--boards", str(BOARDS), *own]
        self.leader = subprocess.Popen(
            [*words, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
            env={**os.environ, **environment}, start_new_session=True,
        )  # fmt: skip

    def of_session(self) -> list[int]:
        """All processes that live, the leader first."""
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it has just ended
                after_name = path.read_text().rpartition(")")[2].split()
                if after_name[0] != "Z" and int(after_name[3]) == self.leader.pid:
                    found.append((int(after_name[19]), int(path.parent.name)))
        return [pid for _, pid in sorted(found)]

    def workers(self) -> list[int]:
        """Those that the server of processes has forked, the oldest first."""
        return [pid for pid in self.of_session() if parent(pid) not in (self.leader.pid, 1)
                and pid != self.leader.pid]  # fmt: skip

    def shards(self) -> int:
        return len(list(self.out.glob("shards/0-1/*.npz")))

    def end(self) -> tuple[int, str]:
        """Wait for its end; return status and what it has said."""
        _, err = self.leader.communicate(timeout=PATIENCE)
        return self.leader.returncode, err.decode()


def parent(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


@contextmanager
def started(folder: Path, *argv: str, **environment: str) -> Iterator[Started]:
    """Start an evaluation, and see to its end in any case."""
    folder.mkdir(exist_ok=True)
    evaluation = Started(folder, *argv, **environment)
    try:
        yield evaluation
    finally:
        for pid in evaluation.of_session():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        evaluation.leader.communicate()


def until(happened: Callable[[], object], patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the evaluation, had nothing happened to it."""
    folder = tmp_path_factory.mktemp("whole")
    own = ["--json", str(folder / "a.json"), "--record", str(folder / "a.jsonl")]
    assert main([SLOW, "greedy", "--boards", str(BOARDS), "--out", str(folder / "out"), *own]) == 0
    return files(folder)


def files(folder: Path) -> dict[str, bytes]:
    paths = [folder / "a.json", folder / "a.jsonl", *sorted((folder / "out").glob("[rb]*.*"))]
    return {path.name: path.read_bytes() for path in paths}


def goes_on(evaluation: Started, *argv: str) -> dict[str, bytes]:
    """Start it again in the same folder until its end; return its files."""
    with started(evaluation.folder, "--out", str(evaluation.out), *argv) as again:
        assert again.end()[0] == 0
    return files(evaluation.folder)


@pytest.mark.parametrize(
    ("number", "processes"),
    [
        (signal.SIGINT, "1"), (signal.SIGTERM, "2"),
        pytest.param(signal.SIGHUP, "2", marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, "2", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_a_polite_stop_shows_and_keeps_what_is_there(
    tmp_path: Path, whole: dict[str, bytes], number: signal.Signals, processes: str
) -> None:
    with started(tmp_path, "--out", str(tmp_path / "out"), "--processes", processes) as evaluation:
        until(lambda: evaluation.shards() >= 2)
        if number == signal.SIGTERM:
            evaluation.leader.send_signal(number)
        else:  # as a terminal does
            os.killpg(evaluation.leader.pid, number)
        out, err = (text.decode() for text in evaluation.leader.communicate(timeout=PATIENCE))
        until(lambda: not evaluation.of_session(), NOTICE)
    assert evaluation.leader.returncode == INTERRUPTED
    data = json.loads(evaluation.json.read_text())
    (pair,) = data["pairs"]
    done = pair["boards"]
    assert done % SHARD == 0
    assert 0 < done < BOARDS
    assert data["stopped"] == "interrupted"
    assert f"interrupted after {done} boards of slow and greedy; the same command goes on" in err
    assert f"{done} boards of one deal" in out
    records = list(read_records(evaluation.record))
    assert len(records) == 2 * done
    assert whole["a.jsonl"].startswith(evaluation.record.read_bytes())
    assert goes_on(evaluation) == whole


def test_a_stop_without_a_folder_keeps_the_files_that_were_asked_for(tmp_path: Path) -> None:
    with started(tmp_path) as evaluation:
        time.sleep(3)
        evaluation.leader.send_signal(signal.SIGINT)
        status, _ = evaluation.end()
    assert status == INTERRUPTED
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left in ([], ["a.json", "a.jsonl"])  # nothing if no shard was finished yet


def test_a_worker_that_is_killed_changes_nothing(tmp_path: Path, whole: dict[str, bytes]) -> None:
    with started(tmp_path, "--out", str(tmp_path / "out"), "--processes", "2") as evaluation:
        until(lambda: evaluation.shards() >= 1 and evaluation.workers())
        os.kill(evaluation.workers()[-1], signal.SIGKILL)
        status, err = evaluation.end()
        until(lambda: not evaluation.of_session(), NOTICE)
    assert (status, "Traceback" in err) == (0, False)
    assert files(tmp_path) == whole


def test_nothing_is_left_of_an_evaluation_whose_leader_is_killed(
    tmp_path: Path, whole: dict[str, bytes]
) -> None:
    with started(tmp_path, "--out", str(tmp_path / "out"), "--processes", "2") as evaluation:
        until(lambda: evaluation.shards() >= 1)
        evaluation.leader.kill()
        until(lambda: not evaluation.of_session(), NOTICE)
        _, err = evaluation.leader.communicate()
        assert b"Traceback" not in err
    assert goes_on(evaluation, "--processes", "2") == whole


@pytest.mark.slow
def test_kills_at_random_moments_change_nothing(tmp_path: Path, whole: dict[str, bytes]) -> None:
    rng = random.Random(0)
    for kill in range(20):
        with started(tmp_path, "--out", str(tmp_path / "out"), "--processes", "2") as evaluation:
            time.sleep(rng.uniform(0, 4))
            living = evaluation.of_session()
            if living:
                os.kill(living[0] if kill % 2 else rng.choice(living), signal.SIGKILL)
            if kill % 2 == 0:
                continue
            until(lambda: not evaluation.of_session(), NOTICE)
    assert goes_on(evaluation) == whole


def test_ranks_share_the_work_in_a_folder(tmp_path: Path, whole: dict[str, bytes]) -> None:
    out = ["--out", str(tmp_path / "out")]
    with (
        started(tmp_path, *out, RANK="0", WORLD_SIZE="2") as first,
        started(tmp_path, *out, RANK="1", WORLD_SIZE="2") as second,
    ):
        assert [first.end()[0], second.end()[0]] == [0, 0]
    assert files(tmp_path) == whole


@pytest.mark.slow
def test_torchrun_shares_the_work(tmp_path: Path, whole: dict[str, bytes]) -> None:
    pytest.importorskip("torch")
    words = ["-m", "torch.distributed.run", "--nproc-per-node", "2", "evaluate.py"]
    own = ["--json", str(tmp_path / "a.json"), "--record", str(tmp_path / "a.jsonl")]
    argv = [SLOW, "greedy", "--boards", str(BOARDS), "--out", str(tmp_path / "out"), *own]
    done = subprocess.run(
        [sys.executable, *words, *argv],
        cwd=ROOT,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert files(tmp_path) == whole
