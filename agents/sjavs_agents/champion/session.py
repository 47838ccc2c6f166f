"""A champion made from a run: its player in 16 bits, measured, with its card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from sjavs_agents.champion.model_card import FORMAT, LICENCE, VERSION, card_page, rules_digest
from sjavs_agents.champion.narrowing import count_same, narrowed
from sjavs_agents.champion.origin import Origin, read_origin, sittings, told_settings
from sjavs_agents.champion.yardsticks import Yardsticks, able, measured
from sjavs_agents.neural.checkpoint import write_checkpoint
from sjavs_agents.neural.policy import load_agent
from sjavs_agents.neural.shelf import SUFFIX, game_key
from sjavs_env import OBSERVATION_VERSION, rules_to_json
from sjavs_env.cli.atomic_files import check_writable, json_bytes, write_all
from sjavs_env.errors import shown

__all__ = ["Export", "export_champion"]

COMPARED = 2000  # deals in which the weights in 16 bits are asked what those in 32 do
Say = Callable[[str], None]


@dataclass(frozen=True)
class Export:
    """What is asked for: the run, the folder of champions, and whom they are measured against."""

    run: Path
    out: Path
    replace: bool
    yardsticks: Yardsticks
    strict: bool  # each yardstick must be able to play the game
    compared: int = COMPARED


def export_champion(wanted: Export, say: Say) -> Path:
    """Make, measure and write a champion; return the file of its weights.

    The weights, the card and its page are written together at the end.  Until then everything is
    kept in the folder of the run, so that the same command goes on after an interrupt.  ValueError
    or OSError, one line, for bad input; StoppedError where the matches are not played to the end.
    """
    origin = read_origin(wanted.run)
    history = sittings(origin)
    game = origin.game
    names, refused = able(wanted.yardsticks.names, game)
    if refused and wanted.strict:
        raise ValueError(refused[0])
    path = wanted.out / f"{game_key(game.rules)}{SUFFIX}"
    files = (path, path.with_suffix(".json"), path.with_suffix(".md"))
    wanted.out.mkdir(parents=True, exist_ok=True)
    _check_place(path, files, wanted.replace)
    for line in refused:
        say(line)
    staged, digest = _staged(origin, wanted.run)
    data = staged.read_bytes()
    pair = load_agent(str(origin.source), game), load_agent(str(staged), game)
    counts = count_same(game, *pair, wanted.compared, wanted.yardsticks.seed)
    say(f"in 16 bits it chooses the same in {counts[1]:,} of {counts[0]:,} decisions")
    yardsticks = replace(wanted.yardsticks, names=names)
    rows = measured(staged, game, yardsticks, staged.parent / digest[:12])
    card = {
        "format": FORMAT, "version": VERSION, "licence": LICENCE,
        "game": {"rules": rules_to_json(game.rules), "title": game.rules.title,
                 "players": game.rules.players, "digest": rules_digest(game.rules)},
        "weights": {"file": path.name, "sha256": digest, "bytes": len(data),
                    "numbers": sum(value.size for value in origin.weights.values()),
                    "type": "float16", "compared": counts[0], "same": counts[1]},
        "training": {"config": told_settings(origin.meta), "sittings": history},
        "evaluation": rows,
    }  # fmt: skip
    contents = (data, json_bytes(card), card_page(card).encode())
    write_all(dict(zip(files, contents, strict=True)))
    return path


def _check_place(path: Path, files: tuple[Path, ...], may_replace: bool) -> None:
    """ValueError or OSError, one line, for a place that is taken or cannot be written."""
    if path.exists() and not may_replace:
        raise ValueError(
            f"out holds {shown(path.name)} already; allowed: another --out, or --replace"
        )
    for file in files:
        check_writable(file)


def _staged(origin: Origin, run: Path) -> tuple[Path, str]:
    """Write the weights in 16 bits into the folder of the run; return the file and its SHA-256."""
    meta: dict[str, Any] = {
        "rules": dict(origin.meta["rules"]),
        "observation": OBSERVATION_VERSION,
        "config": {"network": dict(origin.meta["config"]["network"])},
        "licence": LICENCE,
        **{name: origin.meta[name] for name in ("iteration", "decisions", "deals")},
    }
    folder = (run if run.is_dir() else run.parent) / "champion"
    path = folder / f"weights{SUFFIX}"
    write_checkpoint(path, narrowed(origin.weights), meta)
    return path, sha256(path.read_bytes()).hexdigest()
