"""Commands: bad arguments, interrupts, readers who leave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import evaluate
import sjavs_agents.__main__ as sjavs
import train
from sjavs_env import __version__
from sjavs_env.cli.command import (
    BAD_INPUT,
    FAILED,
    INTERRUPTED,
    reason,
    run_command,
    settings_apart,
)
from tests.commands import refused

COMMANDS = ["sjavs_env.__main__", "sjavs_agents.__main__", "sjavs_agents.training.command",
            "sjavs_agents.arena.command", "sjavs_env.cli.rules_command",
            "sjavs_agents.analyze.command", "sjavs_agents.puzzles.command",
            "sjavs_agents.belief.command", "sjavs_agents.reporting.command",
            "sjavs_agents.pages", "evaluate", "train"]  # fmt: skip
MEASURES = ["all_ladders", "belief_quality", "fit_totals", "ladder", "sampler", "solver",
            "throughput", "variance", "world_counts"]  # fmt: skip
MODULES = [*COMMANDS, *(f"benchmarks.{name}" for name in MEASURES)]


@pytest.mark.parametrize("name", MODULES)
def test_an_unknown_argument_is_told_in_one_line(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(import_module(name).main, ["--no-such-option", "1"]) == BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


PARTS = [("sjavs_env.__main__", "rules"), ("sjavs_env.__main__", "docs"),
         ("sjavs_agents.puzzles.command", "make"), ("sjavs_agents.puzzles.command", "check"),
         ("sjavs_agents.puzzles.command", "solve")]  # fmt: skip


@pytest.mark.parametrize(("name", "part"), [*((name, "") for name in MODULES), *PARTS])
def test_help_is_written_for_who_runs_a_command(
    name: str, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(import_module(name).main, [*part.split(), "--help"]) == 0
    out = capsys.readouterr().out
    assert "usage: " in out
    assert "``" not in out  # the markup of docstrings
    assert "Here stands" not in out


@pytest.mark.parametrize(
    ("name", "argv", "words"),
    [
        ("ladder", ["--rules", "whist"], "no rules named 'whist'; allowed: "),
        ("ladder", ["--players", "9"], "allowed: "),
        ("ladder", ["--rungs", "random", "nobody"], "there is no agent 'nobody'"),
        ("ladder", ["--against", "nobody"], "there is no agent 'nobody'"),
        ("ladder", ["--seconds", "nan"], "'nan'; allowed: 0.0 to "),
        ("ladder", ["--seed", "-1"], "'-1'; allowed: 0 to "),
        ("belief_quality", ["--rules", "whist"], "no rules named 'whist'; allowed: "),
        ("belief_quality", ["--deals", "0"], "'0'; allowed: 1 to "),
        ("belief_quality", ["--worlds", "many"], "'many'; allowed: 1 to "),
        ("fit_totals", ["--deals", "1.5"], "'1.5'; allowed: 1 to "),
        ("world_counts", ["--worlds", "5", "0"], "'0'; allowed: 1 to "),
        ("world_counts", ["--rules", "handjass"], "handjass with 4 players is no game of two"),
        *((name, ["--json", "no/a.json"], "no/a.json cannot be written") for name in MEASURES
          if name not in ("all_ladders", "fit_totals")),
        ("all_ladders", ["--out", "no/r.html"], "no/r.html cannot be written"),
    ],
)  # fmt: skip
def test_nothing_is_measured_on_bad_input(
    name: str, argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(import_module(f"benchmarks.{name}").main, argv) == BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_more_worlds_are_measured_against_fewer(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    argv = ["--rules", "klorsjavs", "--deals", "3", "--worlds", "4", "1", "--reference", "3"]
    assert import_module("benchmarks.world_counts").main([*argv, "--json", str(path)]) == 0
    found = json.loads(path.read_text())
    assert found["most"] == 4
    (figure,) = found["figures"]
    assert figure["worlds"] == 1
    assert figure["gain"]["low"] <= figure["gain"]["mean"] <= figure["gain"]["high"]
    assert 0 < figure["same_card"] <= 1


def fail(error: BaseException) -> Callable[[], int]:
    def main() -> int:
        raise error

    return main


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (KeyboardInterrupt(), INTERRUPTED, "x: interrupted\n"),
        (OSError(28, "No space left on device"), FAILED,
         "x: error: [Errno 28] No space left on device\n"),
        (OSError(28, "No space left on device", "a.json"), FAILED,
         "x: error: a.json: No space left on device\n"),
    ],
)  # fmt: skip
def test_what_is_no_error_of_the_program_is_one_line(
    error: BaseException, status: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("x", fail(error)) == status
    assert capsys.readouterr().err == line


def test_an_error_of_the_program_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        run_command("x", fail(ZeroDivisionError()))


def test_the_status_of_a_command_is_handed_on() -> None:
    assert [run_command("x", lambda status=status: status) for status in (0, 1, 2)] == [0, 1, 2]  # type: ignore[misc]  # a default binds the loop's value


def test_a_reason_is_one_line() -> None:
    assert reason(ValueError("a\n  b")) == "a b"


def test_a_reason_is_short_and_can_be_shown() -> None:
    text = reason(ValueError("x" * 10**6 + "; allowed: fewer"))
    assert len(text) < 2100
    assert text.endswith("; allowed: fewer")
    assert reason(ValueError("a\ud800")) == "a\\ud800"


def started(*argv: str, **env: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **env},
        cwd=Path(train.__file__).parent,
    )


def test_a_reader_who_has_left_is_not_told_of_it() -> None:
    child = started("-m", "sjavs_env", "rules", "faroese")
    assert child.stdout is not None
    child.stdout.close()
    assert child.stderr is not None
    with child.stderr:
        assert child.stderr.read() == b""
    assert child.wait(60) == FAILED


@pytest.mark.parametrize(
    "argv", [["-m", "sjavs_env", "rules"], [evaluate.__file__, "rules", "random", "--boards", "2"]]
)
def test_a_terminal_without_the_letters_gets_a_result_all_the_same(argv: list[str]) -> None:
    child = started(*argv, PYTHONIOENCODING="ascii")
    out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (0, b"")
    assert b"?" in out


WITHOUT = """
import runpy, sys

class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == gone:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

gone, command, *sys.argv = sys.argv[1:2] + sys.argv[2:3] + sys.argv[2:]
sys.meta_path.insert(0, Gone())
run = runpy.run_path if command.endswith(".py") else runpy.run_module
run(command, run_name="__main__")
"""  # a program without a package


@pytest.mark.parametrize(
    ("package", "extra", "argv"),
    [
        ("torch", "train", ["train.py"]),
        ("numba", "search", ["evaluate.py", "pimc", "random"]),
        ("numba", "search", ["sjavs_agents", "analyze", "games.jsonl"]),
        ("numba", "search,train", ["sjavs_agents", "belief", "--out", "b.safetensors"]),
        ("torch", "search,train", ["sjavs_agents", "belief", "--out", "b.safetensors"]),
        ("docstring_parser", "train", ["sjavs_agents", "docs", "--check"]),
        ("numba", "search", ["sjavs_agents", "puzzles", "make"]),
        ("numba", "search", ["sjavs_agents", "puzzles", "check"]),
        ("numba", "search", ["sjavs_agents", "puzzles", "solve", "rules"]),
    ],
)
def test_a_missing_package_is_named_with_its_extra(
    package: str, extra: str, argv: list[str]
) -> None:
    child = started("-c", WITHOUT, package, *argv)
    out, err = child.communicate(timeout=60)
    assert (child.returncode in (FAILED, BAD_INPUT), out) == (True, b"")
    assert err.count(b"\n") == 1
    assert f"needs {package}; pip install 'sjavs[{extra}]'".encode() in err


@pytest.mark.parametrize("package", ["torch", "numba", "tensorboard", "pygame"])
def test_players_by_maxims_are_measured_without_what_others_need(package: str) -> None:
    child = started("-c", WITHOUT, package, "evaluate.py", "rules", "random", "--boards", "2")
    out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (0, b"")
    assert b"rules  random" in out


@pytest.mark.parametrize(
    ("words", "apart"),
    [
        ("--set a=1 b.c=2,3 rules random", "--set a=1 --set b.c=2,3 rules random"),
        ("--set a=1 pimc:worlds=2 x", "--set a=1 pimc:worlds=2 x"),
        ("x --set a=1 --set b=2 c=3", "x --set a=1 --set b=2 --set c=3"),
        ("--set a=1 --json b=2", "--set a=1 --json b=2"),
        ("--set a", "--set a"),
        ("a=1 b=2", "a=1 b=2"),
    ],
)
def test_settings_end_at_a_word_of_another_form(words: str, apart: str) -> None:
    assert settings_apart(words.split()) == apart.split()


def test_agents_may_follow_settings(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--boards", "2", "--set", "tie=double", "payoff.vol=10,14", "rules", "random"]
    assert evaluate.main(argv) == 0
    assert "rules  random" in capsys.readouterr().out


HELP = """
import sys

EXTRAS = {"torch", "numba", "rich", "jsonargparse", "yaml", "scipy", "choix", "matplotlib"}

class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Gone())
from sjavs_agents.__main__ import COMMANDS, main

for name in COMMANDS:
    try:
        main([name, "--help"])
    except SystemExit as stop:
        assert stop.code == 0
"""  # in one program, since each takes a while to start


def test_every_command_explains_itself_without_any_extra() -> None:
    child = started("-c", HELP)
    out, err = child.communicate(timeout=300)
    assert (child.returncode, err) == (0, b"")
    for name in sjavs.COMMANDS:
        assert f"usage: sjavs {name} ".encode() in out


def test_the_command_lists_what_it_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in ([], ["--help"]):
        assert sjavs.main(argv) == 0
        out = capsys.readouterr().out
        assert all(f"\n  {name} " in out for name in sjavs.COMMANDS)
    assert sjavs.main(["--version"]) == 0
    assert capsys.readouterr().out == f"sjavs {__version__}\n"


RULES = {  # commands that take a game, as far as it is looked at first
    "train": ["train"], "evaluate": ["evaluate", "rules", "random"], "rules": ["rules"],
    "puzzles make": ["puzzles", "make"], "puzzles solve": ["puzzles", "solve", "rules"],
    "belief": ["belief", "--out", "b.safetensors"], "exploit": ["exploit", "rules"],
}  # fmt: skip
WRONG = [
    (["--rules", "whist"], "no rules named 'whist'; allowed: "),
    (["--rules", "handjass", "--players", "5"], "players is 5 in handjass; allowed: 2, 3, 4"),
    (["--rules", "klorsjavs", "--players", "4"], "players is 4 in klorsjavs; allowed: 3"),
    (["--rules", "handjass", "--players", "3", "--set", "players=2"],
     "--players is 3 with --set players=2; allowed: one of them"),
    (["--rules", "faroese", "--set", "tie=never"], "tie is 'never'; allowed: add_2, "),
    (["--rules", "faroese", "--set", "tie=double", "--set", "tie=add_2"],
     "--set tie is given twice; allowed: once"),
    (["--rules", "faroese", "--set", "tie"], "--set is 'tie'; allowed: KEY=VALUE"),
]  # fmt: skip


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("argv", "message"), WRONG)
def test_a_game_is_asked_for_alike_in_all_commands(
    name: str, argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(sjavs.main, [*RULES[name], *argv]) == BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert err.startswith(f"sjavs {name.split()[0]}")


INTERRUPTED_IMPORT = """
import runpy, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == at:
            raise KeyboardInterrupt

at, command, *sys.argv = sys.argv[1:2] + sys.argv[2:3] + sys.argv[2:]
sys.meta_path.insert(0, Interrupting())
if not command.endswith(".py"):
    sys.argv[0] = "-m"  # as Python has it while it looks for a module to run
run = runpy.run_path if command.endswith(".py") else runpy.run_module
run(command, run_name="__main__")
"""


@pytest.mark.parametrize(
    ("at", "argv"),
    [
        ("numpy", ["train.py", "--fresh"]),
        ("sjavs_env.engine", ["evaluate.py", "rules"]),
        ("gymnasium", ["sjavs_agents", "evaluate", "x"]),
        ("numpy", ["sjavs_env", "rules"]),
        ("gymnasium", ["benchmarks.ladder"]),
    ],
)
def test_an_interrupt_during_imports_is_one_line(at: str, argv: list[str]) -> None:
    child = started("-c", INTERRUPTED_IMPORT, at, *argv)
    out, err = child.communicate(timeout=120)
    assert out == b""
    assert err.endswith(b": interrupted\n")
    assert err.count(b"\n") == 1
    assert child.returncode in (INTERRUPTED, -2)
