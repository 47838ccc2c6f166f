"""A process that is lost costs the work since the last checkpoint, and nobody has to be there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import train
from sjavs_agents.neural.checkpoint import checkpoint_files, read_checkpoint
from sjavs_agents.training.run import Training
from tests.agents.training.tiny import tiny_args, tiny_config

ITERATIONS = 60
PATIENCE = 600.0  # seconds: the machine may be slow


def workers(torchrun: int) -> dict[str, int]:
    """The processes that a torchrun has started, by their ranks."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # of others, or ended
            parent = (path.parent / "stat").read_text().rpartition(")")[2].split()[1]
            words = path.read_bytes().decode("utf-8", "replace").split("\0")
            ranks = [word[5:] for word in words if word.startswith("RANK=")]
            if int(parent) == torchrun and ranks:
                found[ranks[0]] = int(path.parent.name)
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("signals_as_in_a_terminal")
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="finds processes as Linux does")
@pytest.mark.parametrize("rank", ["0", "1"])
def test_torchrun_goes_on_by_itself_when_a_worker_is_killed(tmp_path: Path, rank: str) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    settings = {"iterations": ITERATIONS, "keep": 5}
    child = subprocess.Popen(
        [
            sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2",
            "--max-restarts", "2", train.__file__, *tiny_args(broken, **settings),
            "--fresh", "true",
        ],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + PATIENCE
        while len(checkpoint_files(broken / "tiny" / "checkpoints")) < 3:
            assert child.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.kill(workers(child.pid)[rank], signal.SIGKILL)
        out, _ = child.communicate(timeout=PATIENCE)
    finally:
        child.kill()
    assert child.returncode == 0, out
    assert "Resuming" in out
    assert "Trained player" in out
    assert train.main(tiny_args(whole, processes=2, **settings)) == 0
    newest = (checkpoint_files(folder / "tiny" / "checkpoints")[0] for folder in (whole, broken))
    (ours, meta), (theirs, _) = map(read_checkpoint, newest)
    assert meta["iteration"] == ITERATIONS
    for name, value in ours.items():
        np.testing.assert_array_equal(value, theirs[name], err_msg=name)


def test_fresh_is_said_to_the_first_start_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Training(tiny_config(tmp_path, iterations=2))
    run.learn(run.collect())
    kept = run.save()
    args = [*tiny_args(tmp_path, iterations=2), "--learn.magnet", "0.01", "--fresh", "true"]
    config = ["--pool.past_share", "0.4", "--pool.size", "2", "--pool.scripted_share", "0.2",
              "--pool.scripted", "greedy", "--evaluation.every", "2"]  # fmt: skip
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "1")
    assert train.main([*args, *config, "--network.bid_layers", "2"]) == 0
    assert f"Resuming {kept}" in capsys.readouterr().out
