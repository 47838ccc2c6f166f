"""Records that come through a pipe, as in ``sjavs luck measure <(zcat games.jsonl.gz)``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from sjavs_agents.analyze.recorded_games import read_games
from sjavs_agents.luck.recorded_results import read_episodes
from sjavs_env import read_records, verify_file
from sjavs_env.cli.readable import check_readable
from tests.agents.analyze.games import record_of, written

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes have no names there")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    return written(folder / "games.jsonl", *(record_of("handjass", 2, seed) for seed in (1, 2)))


@contextmanager
def through_a_pipe(file: Path) -> Iterator[Path]:
    """Name the reading end of a pipe as shells do; all of the file goes through it, once."""
    reading, writing = os.pipe()

    def fill() -> None:
        with open(writing, "wb") as pipe:
            pipe.write(file.read_bytes())

    writer = Thread(target=fill)
    writer.start()
    try:
        yield Path(f"/dev/fd/{reading}")
    finally:
        writer.join()
        os.close(reading)


def episodes(path: Path) -> Any:
    return {k: v for k, v in asdict(read_episodes(path)).items() if k in ("players", "dealt")}


def judged(path: Path) -> Any:
    return [(game.line, game.players, game.deals[0].action.tolist()) for game in read_games(path)]


@pytest.mark.parametrize("read", [lambda p: list(read_records(p)), verify_file, episodes, judged])
def test_a_pipe_is_read_as_the_file_is(games: Path, read: Callable[[Path], Any]) -> None:
    with through_a_pipe(games) as pipe:
        assert read(pipe) == read(games)


def test_the_lines_of_a_pipe_are_counted_without_reading_it_again(games: Path) -> None:
    with through_a_pipe(games) as pipe, pytest.raises(ValueError, match=r"line is 9; .* 1 to 2$"):
        read_games(pipe, line=9)


@pytest.mark.parametrize(("name", "more"), [("swings", []), ("reporting", ["--out", "r.html"])])
def test_who_reads_twice_refuses_a_pipe_in_one_line(
    games: Path, name: str, more: list[str], capsys: pytest.CaptureFixture[str],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    main: Any = import_module(f"sjavs_agents.{name}.command").main
    with through_a_pipe(games) as pipe:
        assert main([str(pipe), *more]) == 2
    told = capsys.readouterr().err
    assert "is a pipe, which can be read but once; allowed: the name of a file" in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_devices_are_refused_and_what_is_not_there_is_for_who_opens_it(tmp_path: Path) -> None:
    check_readable(tmp_path)
    check_readable(tmp_path / "nothing", again=True)
    check_readable(tmp_path / "nothing" / "in it")
    with pytest.raises(ValueError, match="is no ordinary file; allowed: the name of a file"):
        check_readable(Path(os.devnull))
