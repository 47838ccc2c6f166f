"""The package in clean environments: each extra, the smallest and the newest versions allowed.

``make test-install`` runs them; a package index is needed, and for torch some gigabytes, unless
TORCH_INDEX or pip's own PIP_CONSTRAINT leads to builds without CUDA.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.install.wheel import ROOT, built, users_folder

pytestmark = pytest.mark.install

VERSIONS = [("3.10", "smallest"), ("3.10", "newest"), ("3.13", "newest")]
# What an extra is for, as commands with a part of what they print.
WORKS = {
    "base": [
        ("sjavs evaluate expert rules --boards 4", "expert  rules"),
        ("sjavs evaluate expert rules --boards 2 --rules handjass --players 3", "expert  rules"),
        ("sjavs rules suduroy", "Suðuroy"),
        ("sjavs docs rules/klorsjavs", "Klørsjavs"),
        ("sjavs exact measure greedy --rules mini_8", "never draws"),
    ],
    "search": [
        ("sjavs puzzles solve rules --rules klorsjavs", "rules"),
        ("sjavs evaluate pimc:worlds=2,tricks=3 rules --boards 2", "pimc"),
    ],
    "evaluate": [
        ("sjavs evaluate rules greedy random --boards 20 --json games.json", "greedy"),
        ("sjavs report games.json --out report.html", "wrote report.html"),
    ],
    "train": [
        (
            "sjavs train klorsjavs --run.iterations 2 --collect.deals 32 --evaluation.boards 2 "
            "--evaluation.final_boards 4 --run.precision float32",
            "points",
        ),
        ("sjavs train --config quickstart --rules klorsjavs --run.iterations 1 --collect.deals 32 "
         "--run.processes 1 --evaluation.final_boards 4 --run.precision float32", "points"),
        ("sjavs evaluate runs/klorsjavs rules --rules klorsjavs --boards 2", "runs/klorsjavs"),
        ("tensorboard --inspect --logdir runs/klorsjavs", "charts/deals"),
    ],
}  # fmt: skip
LACKS = {  # commands that say in one line which extra they need
    "sjavs train suduroy": "needs torch; pip install 'sjavs[train]'",
    "sjavs evaluate pimc rules": "needs numba; pip install 'sjavs[search]'",
    "sjavs report a.json": "needs choix; pip install 'sjavs[evaluate]'",
    "sjavs puzzles solve rules": "needs numba; pip install 'sjavs[search]'",
    "sjavs belief --out b.safetensors": "needs numba; pip install 'sjavs[search,train]'",
    "sjavs exact solve --out s.safetensors": "needs safetensors; pip install 'sjavs[train]'",
}
COMMANDS = ("train", "evaluate", "champion", "report", "rules", "analyze", "credit", "swings",
            "luck", "puzzles", "belief", "exact", "exploit", "docs")  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_of_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no path to the checkout stand before what is installed."""
    monkeypatch.delenv("PYTHONPATH", raising=False)


def interpreter(version: str) -> str:
    """Return a Python of this version; skip where there is none that runs."""
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = [sys.executable] if own == version else [shutil.which(f"python{version}")]
    found += [str(path) for path in sorted(pyenv.glob(f"{version}.*/bin/python"))]
    for path in found:
        if path and is_python(path, version):
            return path
    pytest.skip(f"there is no Python {version} on this machine")


def is_python(path: str, version: str) -> bool:
    """Say whether this runs; pyenv leaves commands on the path that only print an error."""
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.startswith(f"Python {version}.")


def install(python: Path, *what: str) -> None:
    """Install it there; ``-I`` because the folder that pip runs in is no package either."""
    command = [str(python), "-I", "-m", "pip", "install", "-q", "--prefer-binary", *what]
    subprocess.run(command, check=True)


def smallest(extra: str) -> list[str]:
    """Return the oldest versions that pyproject.toml allows, as requirements."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    names = ["dependencies", *([extra] if extra != "base" else [])]
    lists = [re.search(rf"^{name} = \[(.*?)\]$", text, re.MULTILINE | re.DOTALL) for name in names]
    wanted = [w for found in lists if found for w in re.findall(r'"([^"]+)>=([\d.]+)"', found[1])]
    return [f"{name}=={version}" for name, version in wanted]


@pytest.mark.parametrize("extra", WORKS)
@pytest.mark.parametrize(("version", "age"), VERSIONS)
def test_an_extra_brings_what_its_commands_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, age: str, extra: str
) -> None:
    wheel = built(tmp_path / "wheel")
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([interpreter(version), "-m", "venv", str(tmp_path / "venv")], check=True)
    wanted = str(wheel) if extra == "base" else f"{wheel}[{extra}]"
    if age == "smallest":
        monkeypatch.delenv("PIP_CONSTRAINT", raising=False)  # these are versions of their own
        install(python, wanted, *smallest(extra))
    else:
        install(python, wanted)
    folder = users_folder(tmp_path / "project")

    def ran(line: str) -> subprocess.CompletedProcess[str]:
        program, *arguments = line.split()
        command = [str(python.parent / program), *arguments]
        return subprocess.run(
            command, cwd=folder, capture_output=True, encoding="utf-8", check=False
        )

    for line, part in [*WORKS["base"], *WORKS[extra]]:
        done = ran(line)
        assert (done.returncode, part in done.stdout) == (0, True), (line, done)
    if extra == "base":
        for line, message in LACKS.items():
            done = ran(line)
            assert done.returncode == 2, (line, done)
            assert done.stderr.endswith(f"{message}\n"), (line, done)
            assert done.stderr.count("\n") == 1
        for name in COMMANDS:
            assert ran(f"sjavs {name} --help").stdout.startswith("usage: sjavs"), name
    run = [str(python), "-c", "import agents; print(agents.whose)"]
    assert subprocess.check_output(run, cwd=folder, text=True) == "the user\n"
    check = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python),
             "--cache-dir", str(tmp_path / "cache"), "consumer.py"]  # fmt: skip
    checked = subprocess.run(check, cwd=folder, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_the_sources_can_be_installed_and_for_work_on_them_too(
    tmp_path: Path, version: str
) -> None:
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([interpreter(version), "-m", "venv", str(tmp_path / "venv")], check=True)
    for what in ([str(built(tmp_path / "sdist", "sdist"))], ["-e", str(ROOT)]):
        install(python, *what)
        folder = users_folder(tmp_path / what[0].strip("-").replace(os.sep, "_"))
        command = [str(python.parent / "sjavs"), *["evaluate", "rules", "random", "--boards", "2"]]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done
        run = [str(python), "-c", "import agents; print(agents.whose)"]
        assert subprocess.check_output(run, cwd=folder, text=True) == "the user\n"
