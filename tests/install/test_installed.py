"""The package in clean environments: each extra, the smallest and the newest versions allowed.

``make test-install`` runs them; a package index is needed, and for torch some gigabytes.
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
        ("evaluate expert rules --boards 4", "expert  rules"),
        ("evaluate expert rules --boards 2 --rules handjass --players 3", "expert  rules"),
        ("rules suduroy", "Suðuroy"),
        ("docs rules/klorsjavs", "Klørsjavs"),
    ],
    "search": [
        ("puzzles solve rules --rules klorsjavs", "rules"),
        ("evaluate pimc:worlds=2,tricks=3 rules --boards 2", "pimc"),
    ],
    "train": [
        (
            "train klorsjavs --run.iterations 2 --collect.deals 32 --evaluation.boards 2 "
            "--evaluation.final_boards 4 --run.precision float32",
            "points",
        ),
        ("train --config quickstart --rules klorsjavs --run.iterations 1 --collect.deals 32 "
         "--run.processes 1 --evaluation.final_boards 4 --run.precision float32", "points"),
        ("evaluate runs/klorsjavs rules --rules klorsjavs --boards 2", "runs/klorsjavs"),
    ],
}  # fmt: skip
LACKS = {  # commands that say in one line which extra they need
    "train suduroy": "needs torch; pip install 'sjavs[train]'",
    "evaluate pimc rules": "needs numba; pip install 'sjavs[search]'",
    "puzzles solve rules": "needs numba; pip install 'sjavs[search]'",
    "belief --out b.safetensors": "needs numba; pip install 'sjavs[search]'",
}
COMMANDS = ("train", "evaluate", "rules", "analyze", "puzzles", "belief", "docs")


def interpreter(version: str) -> str:
    """Return a Python of this version; skip where there is none."""
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = [str(path) for path in sorted(pyenv.glob(f"{version}.*/bin/python"))]
    path = sys.executable if own == version else shutil.which(f"python{version}") or found[-1:]
    if not path:
        pytest.skip(f"there is no Python {version} on this machine")
    return path if isinstance(path, str) else path[0]


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
    tmp_path: Path, version: str, age: str, extra: str
) -> None:
    wheel = built(tmp_path / "wheel")
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([interpreter(version), "-m", "venv", str(tmp_path / "venv")], check=True)
    wanted = str(wheel) if extra == "base" else f"{wheel}[{extra}]"
    oldest = smallest(extra) if age == "smallest" else []
    command = [str(python), "-m", "pip", "install", "-q", "--prefer-binary", wanted, *oldest]
    subprocess.run(command, check=True, cwd=tmp_path)
    folder = users_folder(tmp_path / "project")

    def sjavs(line: str) -> subprocess.CompletedProcess[str]:
        command = [str(python.parent / "sjavs"), *line.split()]
        return subprocess.run(
            command, cwd=folder, capture_output=True, encoding="utf-8", check=False
        )

    for line, part in [*WORKS["base"], *WORKS[extra]]:
        done = sjavs(line)
        assert (done.returncode, part in done.stdout) == (0, True), (line, done)
    if extra == "base":
        for line, message in LACKS.items():
            done = sjavs(line)
            assert done.returncode == 2, (line, done)
            assert done.stderr.endswith(f"{message}\n"), (line, done)
            assert done.stderr.count("\n") == 1
        for name in COMMANDS:
            assert sjavs(f"{name} --help").stdout.startswith("usage: sjavs"), name
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
        subprocess.run([str(python), "-m", "pip", "install", "-q", *what], check=True, cwd=tmp_path)
        folder = users_folder(tmp_path / what[0].strip("-").replace(os.sep, "_"))
        command = [str(python.parent / "sjavs"), *["evaluate", "rules", "random", "--boards", "2"]]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done
        run = [str(python), "-c", "import agents; print(agents.whose)"]
        assert subprocess.check_output(run, cwd=folder, text=True) == "the user\n"
