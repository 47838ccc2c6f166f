"""The files around the code say what is so: versions, pins, Pythons, what is safe to load."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from sjavs_env import __version__

ROOT = Path(__file__).parent.parent
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
SOURCES = [
    *sorted((ROOT / "sjavs_env").rglob("*.py")),
    *sorted((ROOT / "agents" / "sjavs_agents").rglob("*.py")),
]
RUNS_CODE = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "joblib"}


def read_yaml(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


def code_run_from_data(source: str) -> list[str]:
    """Imports and calls by which data of others could run code."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [a.name for a in node.names if a.name.split(".")[0] in RUNS_CODE]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in RUNS_CODE:
            found.append(node.module or "")
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in {"eval", "exec", "torch.load", "yaml.load", "yaml.unsafe_load"}:
                found.append(called)
            if called == "np.load" and "allow_pickle=True" in ast.unparse(node):
                found.append(called)
    return found


def test_no_file_that_is_loaded_can_run_code() -> None:
    assert {p.name: f for p in SOURCES if (f := code_run_from_data(p.read_text("utf-8")))} == {}


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from dill import loads",
        "torch.load(path)",
        "yaml.load(text, Loader=yaml.Loader)",
        "eval(text)",
        "np.load(path, allow_pickle=True)",
    ],
)
def test_what_would_run_code_is_found(source: str) -> None:
    assert len(code_run_from_data(source)) == 1


def test_the_citation_names_the_version_and_the_licence_of_the_package() -> None:
    citation = read_yaml("CITATION.cff")
    licence = re.search(r'^license = "(.+)"', PYPROJECT, re.MULTILINE)
    assert licence is not None
    assert (citation["version"], citation["license"]) == (__version__, licence[1])
    assert citation["cff-version"] == "1.2.0"
    assert citation["title"]
    assert citation["authors"]


def test_the_workflow_tests_every_python_that_the_package_supports() -> None:
    jobs = read_yaml(".github/workflows/test.yml")["jobs"]
    pythons = jobs["test"]["strategy"]["matrix"]["python"]
    oldest = re.search(r'requires-python = ">=3\.(\d+)"', PYPROJECT)
    assert oldest is not None
    assert pythons == [f"3.{minor}" for minor in range(int(oldest[1]), int(oldest[1]) + 5)]
    run = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for command in run:
        targets = [word for word in command.split()[1:] if "=" not in word]
        assert command.startswith("make ")
        assert targets
        assert all(re.search(rf"^{target}: ", makefile, re.MULTILINE) for target in targets)


def test_every_package_that_developers_need_is_pinned() -> None:
    pins = (ROOT / "constraints.txt").read_text("utf-8")
    pinned = {pin.lower().replace("_", "-") for pin in re.findall(r"^([\w.-]+)==", pins, re.M)}
    wanted = re.findall(r'"([\w-]+)(?:\[\w+\])?>=[\d.]+"', PYPROJECT)
    assert len(wanted) > 15
    missing = {name.lower().replace("_", "-") for name in wanted} - pinned - {"hatchling"}
    assert missing == set()
