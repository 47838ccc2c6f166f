import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import train
from sjavs_agents.training import session
from sjavs_agents.training.config import load_config
from sjavs_agents.training.display import result_table
from sjavs_agents.training.opening import open_run
from sjavs_env.cli.command import BAD_INPUT, INTERRUPTED
from tests.agents.training.tiny import tiny_args
from tests.commands import refused

pytestmark = pytest.mark.usefixtures("signals_as_in_a_terminal")

SCRIPT = Path(train.__file__)


def test_a_run_ends_with_a_table_of_intervals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train.main(tiny_args(tmp_path)) == 0
    shown = capsys.readouterr().out
    assert "random" in shown
    assert "[" in shown
    result = json.loads((tmp_path / "tiny" / "result.json").read_text())
    points = result["against"]["random"]["game_points"]
    assert points["low"] < points["mean"] < points["high"]
    assert (tmp_path / "tiny" / "agent.safetensors").exists()
    assert list((tmp_path / "tiny").glob("events.*"))


def test_a_finished_run_shows_its_table_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train.main(tiny_args(tmp_path))
    first = capsys.readouterr().out
    before = (tmp_path / "tiny" / "result.json").stat().st_mtime_ns
    assert train.main(tiny_args(tmp_path)) == 0
    again = capsys.readouterr().out
    assert again.split("Trained player")[1] == first.split("Trained player")[1]
    assert (tmp_path / "tiny" / "result.json").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_an_interrupted_run_is_saved_and_goes_on(tmp_path: Path, number: signal.Signals) -> None:
    args = tiny_args(tmp_path, iterations=100_000, checkpoint_every=50_000)
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    child = subprocess.Popen([sys.executable, str(SCRIPT), *args], env=env,
                             stdout=subprocess.PIPE, text=True)  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline()  # the first evaluation: training is under way
    child.send_signal(number)
    out, _ = child.communicate(timeout=60)
    assert child.returncode == INTERRUPTED
    assert "goes on" in out
    saved = list((tmp_path / "tiny" / "checkpoints").glob("iteration_*.safetensors"))
    assert len(saved) == 1


def test_a_run_whose_reader_has_left_is_saved(tmp_path: Path) -> None:
    args = tiny_args(tmp_path, iterations=100_000, checkpoint_every=50_000)
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    child = subprocess.Popen([sys.executable, str(SCRIPT), *args], env=env,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline()
    child.stdout.close()  # as ``| head -1`` does
    assert child.stderr is not None
    with child.stderr:
        assert child.stderr.read() == ""
    assert child.wait(60) == INTERRUPTED
    saved = list((tmp_path / "tiny" / "checkpoints").glob("iteration_*.safetensors"))
    assert len(saved) == 1


def test_once_trained_ctrl_c_ends_the_program_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.getsignal(signal.SIGINT)
    held: dict[str, object] = {}

    def note(name: str) -> Callable[..., Any]:
        real = getattr(session, name)

        def noted(*args: Any) -> Any:
            held[name] = signal.getsignal(signal.SIGINT)
            return real(*args)

        return noted

    for name in ("go_on", "final_result"):
        monkeypatch.setattr(session, name, note(name))
    assert train.main(tiny_args(tmp_path)) == 0
    assert held["go_on"] != before  # the iteration is finished and saved
    assert held["final_result"] == before


def test_a_killed_run_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    args = tiny_args(tmp_path, iterations=100_000)
    child = subprocess.Popen([sys.executable, str(SCRIPT), *args], stdout=subprocess.DEVNULL)
    folder = tmp_path / "tiny" / "checkpoints"
    deadline = time.monotonic() + 60
    while not list(folder.glob("iteration_*.safetensors")) and time.monotonic() < deadline:
        time.sleep(0.05)
    child.kill()
    child.wait()
    newest = max(int(p.stem.split("_")[1]) for p in folder.glob("iteration_*.safetensors"))
    assert newest >= 1
    config, _ = load_config(args)
    with ExitStack() as held:
        training = open_run(config, False, Console(quiet=True), held)
    assert training.iteration == newest


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--learn.clipp", "1"], "clipp"),
        (["--learn.clip", "much"], "clip"),
        (["--learn.epochs", "0"], "learn.epochs is 0; allowed: 1 to 1000"),
        (["--rules", "whist"], "no rules named 'whist'"),
        (["--overrides", "{follow: maybe}"], "follow is 'maybe'; allowed: whist, must_overtrump"),
        (["--pool.past_share", "1.5"], "pool.past_share is 1.5; allowed: 0 to 1"),
        (["--config", "nothing.yaml"], "nothing.yaml"),
        (["--evaluation.yardsticks", "[nobody]"], "nobody"),
        (
            ["--evaluation.yardsticks", "feeder:Feeder"],
            "evaluation.yardsticks is 'feeder:Feeder'; allowed: a list, as in '[a,b]'",
        ),
        (["--pool.scripted_share", "0.1", "--pool.scripted", "nobody"], "nobody"),
        (["--pool.scripted_share", "0.1", "--pool.scripted", "cheater"], "looks into all hands"),
    ],
)
def test_a_wrong_setting_is_named_before_any_work(
    tmp_path: Path, args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(train.main, ["--run.directory", str(tmp_path), *args]) == BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_every_configuration_in_configs_is_sound() -> None:
    folder = SCRIPT.parent / "configs"
    files = sorted(folder.glob("*.yaml"))
    assert files
    for path in files:
        config, fresh = load_config(["--config", str(path)])
        assert config.run.name == path.stem
        assert not fresh


def finished(tmp_path: Path) -> Path:
    assert train.main(tiny_args(tmp_path)) == 0
    return tmp_path / "tiny"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--evaluation.yardsticks", "[nobody]"], "nobody"),
        (["--run.seed", "-1"], "run.seed is -1"),
    ],
)
def test_a_fresh_start_deletes_nothing_if_its_settings_are_refused(
    tmp_path: Path, args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = finished(tmp_path)
    before = sorted(p.name for p in folder.rglob("*"))
    assert train.main([*tiny_args(tmp_path), *args, "--fresh", "true"]) == 2
    assert message in capsys.readouterr().err
    assert sorted(p.name for p in folder.rglob("*")) == before


@pytest.mark.parametrize("fresh", ["false", "true"])
def test_a_run_that_is_being_trained_is_left_alone(
    tmp_path: Path, fresh: str, capsys: pytest.CaptureFixture[str]
) -> None:
    args = tiny_args(tmp_path)
    unfinished = [*args, "--run.iterations", "5"]
    config, _ = load_config(unfinished)
    with ExitStack() as held:
        training = open_run(config, False, Console(quiet=True), held)
        training.learn(training.collect())
        saved = training.save()
        assert train.main([*unfinished, "--fresh", fresh]) == 2
        err = capsys.readouterr().err
        assert "in use by another training; allowed: another run.name" in err
        assert err.count("\n") == 1
        assert saved.exists()
    assert train.main([*unfinished, "--fresh", fresh]) == 0  # the other has ended


def test_a_finished_player_without_checkpoints_is_not_trained_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = finished(tmp_path)
    for path in (folder / "checkpoints").iterdir():
        path.unlink()
    assert train.main(tiny_args(tmp_path)) == 2
    assert "--fresh true" in capsys.readouterr().err
    assert (folder / "agent.safetensors").exists()


def test_other_boards_measure_a_finished_run_again(tmp_path: Path) -> None:
    folder = finished(tmp_path)
    args = [*tiny_args(tmp_path), "--evaluation.final_boards", "8"]
    assert train.main(args) == 0
    assert json.loads((folder / "result.json").read_text())["boards"] == 8


@pytest.mark.parametrize("text", ["", "[]", "no json"])
def test_a_spoiled_result_is_measured_again(tmp_path: Path, text: str) -> None:
    folder = finished(tmp_path)
    (folder / "result.json").write_text(text)
    assert train.main(tiny_args(tmp_path)) == 0
    assert json.loads((folder / "result.json").read_text())["against"]


def test_a_yardstick_can_be_a_trained_player(tmp_path: Path) -> None:
    folder = finished(tmp_path)
    args = [*tiny_args(tmp_path), "--run.name", "next", "--evaluation.yardsticks", f"[{folder}]"]
    assert train.main(args) == 0


def test_weights_that_are_no_numbers_are_not_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = [*tiny_args(tmp_path), "--learn.learning_rate", "1e30"]
    assert train.main(args) == 1
    assert "not finite" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", ".", "..", "../out", "a/b", "x" * 300])
def test_a_run_stays_in_its_folder(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train.main([*tiny_args(tmp_path), "--run.name", name]) == 2
    assert "allowed: the name of one folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_final_table_fits_into_eighty_columns() -> None:
    row = {
        "game_points": {"mean": 14.2512, "low": 13.9, "high": 14.549},
        "card_points": {"mean": -98.84, "low": -100.02, "high": -97.1},
        "boards_won": {"mean": 0.92345, "low": 0.9111, "high": 1.0},
    }
    result = {"boards": 4000, "deals_trained": 573440, "seconds": 200.0,
              "against": {"random": row, "rules": row}}  # fmt: skip
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(result_table(result, Path("runs/auction_sjavs/agent.safetensors")))
    lines = console.export_text().splitlines()
    assert any(line.startswith("rules") for line in lines)
    for line in lines:
        if line.startswith(("random", "rules")):
            assert "+14.25 [13.90, 14.55]" in line
            assert "-98.8 [-100.0, -97.1]" in line
            assert "92.3% [91.1%, 100.0%]" in line
    assert sum("[" in line for line in lines) == 2
