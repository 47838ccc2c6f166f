"""Whatever stands on a command line or in a file: a result, or one line and an exit status."""

from __future__ import annotations

import io
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sjavs_agents.arena.match import MatchError
from sjavs_agents.training.config import load_config
from sjavs_env.cli.command import BAD_INPUT, FAILED

pytest.importorskip("numba")

SLOWEST = 5.0  # seconds of processor time; mostly it is hundredths of one
LONGEST = 3000  # characters of an error

EVERYTHING = st.characters(exclude_categories=())  # lone surrogates as well
JUNK = st.one_of(
    st.text(EVERYTHING, max_size=30),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(
        ["", "-", "--", "nan", "1e999", "9" * 5000, "a" * 100_000, "\0", "x:y=z", "rules|", "||",
         "pimc:worlds=0", "pimc:infer=pimc", "rules:bidding=", "a.safetensors", "/dev/null", "/",
         ".", "..", "no/where", "sys:exit", "builtins:print", "os:__class__", "antigravity.x:y",
         "players=10000000", "payoff.vol=" + "[" * 10_000, "tie=", "=", "deal_cut=99999999999",
         "[[[[", "{a: *a}", "&a [*a]", "num_players=1e9", "start=-1", "start=" + "9" * 4000]
    ),
)  # fmt: skip


def played(*_: object, **__: object) -> NoReturn:
    raise MatchError("it was played")


def worked(*_: object, **__: object) -> NoReturn:
    raise ValueError("it was begun")


COMMANDS: dict[str, tuple[Sequence[str], Sequence[str], dict[str, Callable[..., object]]]] = {
    # a command: arguments that are sound, options with a value, and what would take long
    "sjavs_agents.arena.command": (
        ["rules", "random"],
        ["", "--rules", "--set", "--episode", "--boards", "--seed", "--json", "--record", "--out",
         "--against", "--until-sure", "--gauntlet", "--partners", "--table"],
        {"sjavs_agents.arena.tournament.player.play_shard": played},
    ),
    "sjavs_agents.analyze.command": (
        ["games.jsonl"],
        ["", "--agents", "--belief", "--worlds", "--seed", "--line", "--deal", "--threads",
         "--json"],
        {"sjavs_agents.analyze.command._judged": worked},
    ),
    "sjavs_agents.puzzles.command": (
        ["solve", "rules"],
        ["", "--rules", "--set", "--file", "--seed"],
        {"sjavs_agents.puzzles.solving.solve": worked},
    ),
    "sjavs_agents.reporting.command": (
        ["a.json"],
        ["", "--out", "--markdown", "--csv", "--title"],
        {"sjavs_agents.reporting.command.sections": worked},
    ),
    "sjavs_agents.belief.command": (
        ["--out", "b.safetensors"],
        ["", "--rules", "--set", "--agent", "--out", "--minutes", "--deals", "--width", "--layers",
         "--test-deals", "--seed"],
        {"sjavs_agents.belief.session.learn_belief": worked},
    ),
    "sjavs_agents.exact.command": (
        ["measure", "greedy"],
        ["", "--rules", "--set", "--asks", "--seed", "--json"],
        {"sjavs_agents.exact.session.grow_tree": worked},
    ),
    "sjavs_agents.champion.command": (
        ["export", "a.safetensors"],
        ["", "--out", "--against", "--boards", "--search-boards", "--seed", "--processes"],
        {"sjavs_agents.champion.session.measured": worked},
    ),
    "sjavs_agents.exploit.command": (
        ["rules"],
        ["", "--rules", "--set", "--method", "--seats", "--from", "--budget", "--tries", "--config",
         "--worlds", "--boards", "--pick-boards", "--local-boards", "--scale", "--threads",
         "--seed", "--out", "--json"],
        {"sjavs_agents.exploit.session.Exploitation.run": worked},
    ),
}  # fmt: skip


@contextmanager
def in_an_empty_folder() -> Iterator[Path]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def outcome(main: Callable[[list[str]], object], argv: list[str]) -> tuple[object, str]:
    """Return the exit status of a command and what it says on stderr."""
    out, err, start = io.StringIO(), io.StringIO(), time.process_time()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(argv)
        except SystemExit as stop:
            status = stop.code
    assert time.process_time() - start < SLOWEST
    return status, err.getvalue()


def check(main: Callable[[list[str]], object], argv: list[str]) -> None:
    status, err = outcome(main, argv)
    if status in (0, None):
        return
    assert status in (FAILED, BAD_INPUT)
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert len(err) < LONGEST


@pytest.mark.parametrize("name", COMMANDS)
@settings(max_examples=20)
@given(data=st.data())
def test_junk_on_a_command_line_is_told_in_one_line(name: str, data: st.DataObject) -> None:
    sound, options, slow = COMMANDS[name]
    main: Any = import_module(name).main
    option, value = data.draw(st.sampled_from(options)), data.draw(JUNK)
    argv = [*sound, *([option] if option else []), value]
    with pytest.MonkeyPatch.context() as patch, in_an_empty_folder():
        for place, instead in slow.items():
            patch.setattr(place, instead)
        check(main, argv)


@settings(max_examples=20)
@given(
    st.sampled_from(["--config", "--rules", "--overrides", "--run", "--run.iterations", "--learn",
                     "--evaluation.yardsticks", "--pool.scripted", "--fresh", "--no"]),
    JUNK,
)  # fmt: skip
def test_junk_as_a_setting_is_told_in_one_line(option: str, value: str) -> None:
    def main(argv: list[str]) -> int:
        try:
            load_config(argv)
        except ValueError as error:
            io_line = str(error).splitlines()
            assert len(io_line) == 1
        return 0

    with in_an_empty_folder():
        check(main, [option, value])


CONTENTS = st.one_of(
    st.binary(max_size=300),
    st.sampled_from([b"[" * 100_000, b"a" * 10**6, b'"' + b"a" * 10**6 + b'"', b"{}", b"[]",
                     b'{"format": "sjavs-record", "version": ' + b"9" * 5000 + b"}",
                     b'{"format": "sjavs-puzzle", "version": 1, "rules": {"name": "faroese"}}',
                     b"rules: [" * 2000, b"a: &a [*a]", b"\x00" * 100]),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "argv"),
    [
        ("sjavs_agents.analyze.command", ["FILE"]),
        ("sjavs_agents.puzzles.command", ["solve", "rules", "--file", "FILE"]),
        ("sjavs_agents.puzzles.command", ["check", "FILE"]),
        ("sjavs_agents.arena.command", ["rules", "FILE.safetensors"]),
        ("sjavs_agents.reporting.command", ["FILE"]),
    ],
)
@settings(max_examples=12)
@given(content=CONTENTS)
def test_a_file_of_junk_is_told_in_one_line(name: str, argv: list[str], content: bytes) -> None:
    main: Any = import_module(name).main
    with in_an_empty_folder() as folder:
        for path in ("FILE", "FILE.safetensors"):
            (folder / path).write_bytes(content)
        check(main, list(argv))


@settings(max_examples=12)
@given(content=CONTENTS)
def test_a_file_of_junk_settings_is_told_in_one_line(content: bytes) -> None:
    with in_an_empty_folder() as folder:
        (folder / "x.yaml").write_bytes(content)
        try:
            load_config(["--config", "x.yaml"])
        except ValueError as error:
            told = str(error)
            assert "\n" not in told  # either may happen
            assert len(told) < LONGEST


@pytest.mark.parametrize(
    ("name", "argv"),
    [
        ("analyze", ["FILE", "--json", "FILE"]),
        ("analyze", ["games.jsonl", "--belief", "FILE", "--json", "FILE"]),
        ("analyze", ["games.jsonl", "--agents", "rules,pimc:belief=FILE", "--json", "FILE"]),
        ("arena", ["FILE", "random", "--json", "FILE"]),
        ("arena", ["rules|FILE", "random", "--record", "FILE"]),
        ("belief", ["--agent", "FILE", "--out", "FILE"]),
        ("reporting", ["FILE", "--out", "FILE"]),
        ("reporting", ["FILE", "--markdown", "FILE"]),
        ("puzzles", ["make", "--agent", "FILE", "--out", "FILE"]),
    ],
)
def test_a_file_that_is_read_is_never_overwritten(name: str, argv: list[str]) -> None:
    main: Any = import_module(f"sjavs_agents.{name}.command").main
    with in_an_empty_folder() as folder:
        file = folder / "a.safetensors"
        file.write_bytes(b"old")
        (folder / "link.safetensors").symlink_to(file)
        *reading, out = [word.replace("FILE", file.name) for word in argv]
        for path in (out, "link.safetensors"):
            status, err = outcome(main, [*reading, path])
            assert status == BAD_INPUT
            assert "which is read; allowed: another file" in err
        assert file.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "argv"),
    [("analyze", ["FILE"]), ("puzzles", ["check", "FILE"]),
     ("puzzles", ["solve", "rules", "--file", "FILE"])],
)  # fmt: skip
def test_devices_and_files_without_end_are_not_read(name: str, argv: list[str]) -> None:
    main: Any = import_module(f"sjavs_agents.{name}.command").main
    with in_an_empty_folder() as folder:
        with (folder / "sparse").open("wb") as file:
            file.truncate(30 * 2**30)
        for path, words in (("/dev/zero", "is no ordinary file"), ("sparse", "is longer than")):
            if not Path(path).exists():
                continue  # not on this system
            status, err = outcome(main, [word.replace("FILE", path) for word in argv])
            assert status == BAD_INPUT
            assert words in err
            assert err.count("\n") == 1
