"""The card of a champion: what it is, how it was trained, and what it was measured to be.

JSON beside the weights, and the same as a page to read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from sjavs_agents.arena.results_folder import read_object
from sjavs_agents.neural.schema import each, mapping, number, one_of, record, text, whole
from sjavs_agents.neural.shelf import champion_files
from sjavs_env import RuleSet
from sjavs_env.rules.pages.markdown import NOTHING, show_table

__all__ = ["CARD", "FORMAT", "LICENCE", "VERSION", "all_cards", "card_page", "gain_cell",
           "read_card", "rules_digest"]  # fmt: skip

FORMAT, VERSION = "sjavs-champion", 1
LICENCE = "Apache-2.0"
MILLION = 10**6

_ESTIMATE = record({"mean": number(), "low": number(), "high": number()})
_SITTING = record(
    {"run": text(), "iterations": whole(), "decisions": whole(), "deals": whole()},
    {"hours": number(0), "seed": whole(0, 2**64), "versions": mapping(text())},
)
_MATCH = record(
    {
        "agent": text(), "boards": whole(2), "seed": whole(0, 2**64), "game_points": _ESTIMATE,
        "card_points": _ESTIMATE, "boards_won": _ESTIMATE, "ms": number(0), "their_ms": number(0),
    }
)  # fmt: skip
CARD = record(
    {
        "format": one_of(FORMAT),
        "version": one_of(VERSION),
        "licence": text(),
        "game": record(
            {
                "rules": record({"name": text(100), "version": whole()}),
                "title": text(), "players": whole(2, 4), "digest": text(64),
            }
        ),
        "weights": record(
            {
                "file": text(), "sha256": text(64), "bytes": whole(), "numbers": whole(),
                "type": text(), "compared": whole(), "same": whole(),
            }
        ),
        "training": record({"config": mapping(), "sittings": each(_SITTING, 100)}),
        "evaluation": each(_MATCH, 100),
    }
)  # fmt: skip


def rules_digest(rules: RuleSet) -> str:
    """Return the SHA-256 of all parameters of a rule set, whatever they are called."""
    return sha256(json.dumps(asdict(rules), sort_keys=True).encode()).hexdigest()


def read_card(weights: Path) -> dict[str, Any]:
    """Return the card beside a file of weights; FolderError or OSError, one line, for none."""
    path = weights.with_suffix(".json")
    card = read_object(path)
    if why := CARD(card, ""):
        raise ValueError(f"{path} is no card of a champion: {why}")
    return card


def all_cards() -> list[dict[str, Any]]:
    """Return the cards of all champions there are; ValueError or OSError for a bad one."""
    return [read_card(path) for path in champion_files().values()]


def gain_cell(estimate: Mapping[str, float], unit: str = "") -> str:
    """Return ``+1.23 ± 0.05``."""
    half = (estimate["high"] - estimate["low"]) / 2
    return f"{estimate['mean']:+.2f} ± {half:.2f}{unit}"


def card_page(card: Mapping[str, Any]) -> str:
    """Return a card as a page of Markdown."""
    game, weights, rules = card["game"], card["weights"], card["game"]["rules"]
    config = json.dumps(card["training"]["config"], indent=2)
    facts = [
        ("rules", f"`{rules['name']}`, version {rules['version']}"),
        ("SHA-256 of all its parameters", f"`{game['digest']}`"),
        ("players", str(game["players"])),
        ("weights", f"{weights['numbers']:,} numbers of type {weights['type']}, "
                    f"{weights['bytes'] / MILLION:.2f} MB"),
        ("SHA-256 of the file", f"`{weights['sha256']}`"),
        ("licence", card["licence"]),
        ("chooses as the weights in 32 bits do", f"in {weights['same']:,} of "
                                                 f"{weights['compared']:,} decisions"),
    ]  # fmt: skip
    parts = [
        f"# Champion of {game['title']} for {game['players']} players",
        show_table(["", ""], facts),
        "## Results\n\nIt without search against others on duplicate boards, with 95% intervals; "
        "CPU time of one core, a decision on average.",
        show_table(
            ["against", "boards", "seed", "game points/deal", "card points/deal", "boards won",
             "ms", "their ms"],
            [_match_row(match) for match in card["evaluation"]],
        ),
        "## Training",
        show_table(
            ["run", "seed", "iterations", "decisions", "deals", "hours", "with"],
            [_sitting_row(sitting) for sitting in card["training"]["sittings"]],
        ),
        f"Settings of the last:\n\n```json\n{config}\n```",
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _match_row(match: Mapping[str, Any]) -> list[str]:
    won = {name: 100 * value for name, value in match["boards_won"].items()}
    return [
        f"`{match['agent']}`", f"{match['boards']:,}", str(match["seed"]),
        gain_cell(match["game_points"]), gain_cell(match["card_points"]),
        f"{won['mean']:.1f} % [{won['low']:.1f}, {won['high']:.1f}]",
        f"{match['ms']:.3g}", f"{match['their_ms']:.3g}",
    ]  # fmt: skip


def _sitting_row(sitting: Mapping[str, Any]) -> list[str]:
    hours, versions = sitting.get("hours"), sitting.get("versions", {})
    return [
        sitting["run"], str(sitting.get("seed", NOTHING)), f"{sitting['iterations']:,}",
        f"{sitting['decisions']:,}", f"{sitting['deals']:,}",
        NOTHING if hours is None else f"{hours:.2f}",
        ", ".join(f"{k} {v}" for k, v in versions.items()) or NOTHING,
    ]  # fmt: skip
