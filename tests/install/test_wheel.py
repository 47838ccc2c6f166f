"""What the wheel holds, and that it can live beside a user's own files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import sjavs_env
from sjavs_env.cli.shared import IN_CHECKOUT
from tests.install.wheel import ROOT, built, users_folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    return zipfile.ZipFile(built(tmp_path_factory.mktemp("wheel")))


@pytest.fixture(scope="module")
def site(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked, as a folder of installed packages."""
    folder = tmp_path_factory.mktemp("site")
    wheel.extractall(folder)
    return folder


def test_two_packages_and_nothing_else_come_to_the_top_level(wheel: zipfile.ZipFile) -> None:
    info = f"sjavs-{sjavs_env.__version__}.dist-info"
    assert {name.split("/")[0] for name in wheel.namelist()} == {"sjavs_env", "sjavs_agents", info}


def test_every_module_comes_along_with_its_types(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    for folder in (ROOT / "sjavs_env", ROOT / "agents" / "sjavs_agents"):
        wanted = {p.relative_to(folder.parent).as_posix() for p in folder.rglob("*.py")}
        assert wanted <= names
        assert f"{folder.name}/py.typed" in names


def test_shared_files_come_along_as_they_are(wheel: zipfile.ZipFile) -> None:
    for kind, place in IN_CHECKOUT.items():
        files = [path for path in (ROOT / place).rglob("*") if path.is_file()]
        assert files
        for path in files:
            stored = f"sjavs_env/data/{kind}/{path.relative_to(ROOT / place).as_posix()}"
            assert wheel.read(stored) == path.read_bytes()


def test_the_description_says_what_the_package_says(wheel: zipfile.ZipFile) -> None:
    info = f"sjavs-{sjavs_env.__version__}.dist-info"
    text = wheel.read(f"{info}/METADATA").decode("utf-8")
    assert f"\nVersion: {sjavs_env.__version__}\n" in text
    for minor in range(10, 15):
        assert f"\nClassifier: Programming Language :: Python :: 3.{minor}\n" in text
    assert "\nKeywords: " in text
    assert "\nAuthor: " in text
    script = wheel.read(f"{info}/entry_points.txt").decode("utf-8")
    assert "sjavs = sjavs_agents.__main__:script" in script
    needed = re.findall(r"^Requires-Dist: ([\w-]+)[^;\n]*$", text, re.MULTILINE)
    assert sorted(needed) == ["gymnasium", "numpy", "pettingzoo"]


def test_the_sources_hold_all_that_the_wheel_is_made_of(
    tmp_path: Path, wheel: zipfile.ZipFile
) -> None:
    with tarfile.open(built(tmp_path, "sdist")) as sources:
        held = {name.partition("/")[2] for name in sources.getnames()}
    for name in wheel.namelist():
        if name.startswith("sjavs_env/data/"):
            kind, _, rest = name.removeprefix("sjavs_env/data/").partition("/")
            assert f"{IN_CHECKOUT[kind]}/{rest}" in held
        elif not name.startswith("sjavs-"):
            assert held & {name, f"agents/{name}"}, name


def run(folder: Path, site: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(site), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run([sys.executable, *argv], cwd=folder, env=env, capture_output=True,
                          encoding="utf-8", check=False)  # fmt: skip


def test_a_user_keeps_the_names_agents_train_and_evaluate(tmp_path: Path, site: Path) -> None:
    folder = users_folder(tmp_path / "project")
    code = "import agents, sjavs_agents.registry as r; print(agents.whose, r.__file__)"
    assert run(folder, site, "-c", code).stdout.startswith(f"the user {site}")
    for name in ("train", "evaluate"):
        assert run(folder, site, "-m", name).stdout == f"{name} of the user\n"


def test_shared_files_are_found_by_name_without_a_checkout(tmp_path: Path, site: Path) -> None:
    found = run(tmp_path, site, "-m", "sjavs_agents", "docs", "rules/klorsjavs")
    assert found.stdout == (ROOT / "docs" / "rules" / "klorsjavs.md").read_text(encoding="utf-8")
    code = (
        "from sjavs_agents.puzzles.stored import all_stored, place_for\n"
        "from sjavs_agents.training.arguments import TrainArguments\n"
        "from sjavs_env import make_rules\n"
        "print(len(all_stored()), place_for(make_rules('suduroy')))\n"
        "print(TrainArguments.read(['klorsjavs']).settings[1])\n"
    )
    puzzles, config = run(tmp_path, site, "-c", code).stdout.splitlines()
    stored = len(list((ROOT / "benchmarks" / "puzzles").iterdir()))
    assert puzzles == f"{stored} suduroy.jsonl"  # new ones go into the folder of the user
    assert Path(config) == site / "sjavs_env" / "data" / "configs" / "klorsjavs.yaml"
    assert Path(config).is_file()
