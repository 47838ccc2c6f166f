"""What a run leaves in its folder for a reader: its settings, and what it was made with.

``config.yaml`` holds every setting with the value that was used, the derived ones included;
``versions.json`` what it ran on.  The numbers are in ``result.json``, ``boards.csv`` and the
TensorBoard log, the weights in ``checkpoints`` and ``agent.safetensors``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from sjavs_agents.training.config import config_to_dict
from sjavs_agents.training.run import Training
from sjavs_agents.training.versions import versions
from sjavs_env.cli.atomic_files import write_json, write_whole

__all__ = ["WRITTEN", "write_about"]

# what ``--fresh`` deletes, and nothing else
WRITTEN = (
    "checkpoints/*.safetensors", "events.*", "result.json", "boards.csv", "config.yaml",
    "versions.json", "agent.safetensors",
)  # fmt: skip


def write_about(training: Training) -> None:
    """Write the settings, as ``--config`` takes them, and the versions of a run.

    A run that was continued with others has a line of versions for each time that they changed.
    """
    config, folder, rules = training.config, training.folder, training.game.rules
    used = config_to_dict(config)
    used["run"]["precision"] = training.precision.name
    text = yaml.safe_dump(used, sort_keys=False, allow_unicode=True)
    head = "# Every setting of this run, with the value that was used.\n"
    write_whole(folder / "config.yaml", (head + text).encode("utf-8"))
    now = {**versions(training.device), "rules": f"{rules.name} {rules.version}"}
    before = _sessions(folder / "versions.json")
    last = {k: v for k, v in before[-1].items() if k != "from_iteration"} if before else None
    if now != last:
        sessions = [*before, {"from_iteration": training.iteration, **now}]
        write_json(folder / "versions.json", {"sessions": sessions})


def _sessions(path: Path) -> list[dict[str, Any]]:
    """Return what the file of versions says already; nothing if it says nothing sound."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["sessions"]
    except (OSError, ValueError, LookupError, TypeError):
        return []
    return found if isinstance(found, list) and all(isinstance(x, dict) for x in found) else []
