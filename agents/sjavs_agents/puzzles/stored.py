"""Where puzzles are stored: those of every game come with the program."""

from __future__ import annotations

from pathlib import Path

from sjavs_env import RuleSet, make_rules
from sjavs_env.cli.shared import in_checkout, shared_folder

__all__ = ["all_stored", "file_of", "place_for", "seated", "stored"]


def file_of(rules: RuleSet) -> Path:
    """Return where puzzles of a rule set are stored: by name, and players if unusual."""
    usual = rules.players == make_rules(rules.name).players
    name = rules.name if usual else f"{rules.name}_{rules.players}"
    return shared_folder("puzzles") / f"{name}.jsonl"


def place_for(rules: RuleSet) -> Path:
    """Return where new puzzles go: with the stored ones in a checkout, else into this folder."""
    return file_of(rules) if in_checkout() else Path(file_of(rules).name)


def stored(rules: RuleSet) -> Path:
    """Return ``file_of`` rules; ValueError if there is none."""
    path = file_of(rules)
    if not path.exists():
        counts = rules.player_counts
        others = [n for n in counts if n != rules.players and file_of(seated(rules, n)).exists()]
        allowed = "".join(f"--players {n}, or " for n in others)
        raise ValueError(
            f"no puzzles are stored for {rules.name} with {rules.players} players; allowed: "
            f"{allowed}--file with a file of them"
        )
    return path


def all_stored() -> list[Path]:
    """Return all files of puzzles that come with the program."""
    return sorted(shared_folder("puzzles").glob("*.jsonl"))


def seated(rules: RuleSet, players: int) -> RuleSet:
    """Return rules for so many players, one of their ``player_counts``."""
    return rules if players == rules.players else make_rules(rules, players=players)
