"""The README and the generated pages say what is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sjavs_agents.__main__ import main as agents_main
from sjavs_agents.training.config import load_config
from sjavs_env import ALIASES, PRESETS, SingleSeatEnv
from sjavs_env.__main__ import main as env_main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_example_runs_alone_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    spaces: list[dict[str, Any]] = [{} for _ in blocks]
    for block, space in zip(blocks, spaces, strict=True):
        exec(compile(block, "README.md", "exec"), space)
    first, second, third = spaces
    assert sum(first["total"].values()) == 0
    assert isinstance(second["learner"], SingleSeatEnv)
    assert len(third["turn"].mask) == 1024
    game, batch = capsys.readouterr().out.strip().splitlines()
    assert "player_3" in game
    assert batch.startswith("(1024, ")
    assert third["ended"] > 0


def test_the_first_example_is_about_twenty_lines() -> None:
    block = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]
    assert len([line for line in block.splitlines() if line.strip()]) <= 22


def test_every_rule_set_and_alias_is_listed() -> None:
    missing = [name for name in (*PRESETS, *ALIASES) if f"`{name}`" not in README]
    assert missing == []


def test_it_leads_with_a_picture_two_commands_and_five_links() -> None:
    picture, commands, links = (
        README.index(x) for x in ("](docs/table.svg)", "```\nmake", "\n- [")
    )
    assert picture < commands < links < README.index("```python")
    assert len(re.findall(r"^make ", README, re.MULTILINE)) == 2
    assert len(re.findall(r"^- \[", README, re.MULTILINE)) == 5
    assert len(README.splitlines()) <= 140


def test_every_file_and_target_it_names_exists() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
    training = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    for config in re.findall(r"configs/\w+\.yaml", training):
        load_config(["--config", str(ROOT / config)])
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make ([a-z-]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("main", [env_main, agents_main])
def test_generated_pages_are_fresh(main: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert callable(main)
    assert main(["docs", "--check"]) == 0
