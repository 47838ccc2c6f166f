"""Agents by name: ``random``, ``rules``, a checkpoint; options follow a colon.

``make_agent("random-pass:chance=0.9", game)``; several options are parted by commas.  A name
that is none of ``AGENTS`` is the path of a checkpoint: a ``.safetensors`` file or a folder.
``"A|B"`` makes the calls of A and names trumps and plays as B.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from agents.base import Agent
from agents.greedy_agent import GreedyAgent
from agents.mixed_agent import MixedAgent
from agents.random_agent import PassingAgent, RandomAgent
from agents.rule_agent import RuleAgent
from sjavs_env import Game

__all__ = ["AGENTS", "Recipe", "make_agent"]


def _number(text: str) -> float:
    value = float(text)  # ValueError for anything else
    if not isfinite(value) or value < 0:
        raise ValueError(text)
    return value


@dataclass(frozen=True)
class Recipe:
    """How to build an agent: ``build(game, **options)``, and how to read each option."""

    build: Callable[..., Agent]
    options: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)


# A new agent is one more line here.
AGENTS: dict[str, Recipe] = {
    "random": Recipe(lambda game: RandomAgent()),
    "random-pass": Recipe(PassingAgent, {"chance": _number}),
    "greedy": Recipe(GreedyAgent),
    "rules": Recipe(RuleAgent, {"bidding": str}),
    "expert": Recipe(RuleAgent.expert, {"bidding": str}),
}


def make_agent(name: str, game: Game) -> Agent:
    """Return the agent called ``name``; ValueError, one line, for one that cannot be made."""
    caller, bar, player = name.partition("|")
    if bar:
        return MixedAgent(make_agent(caller, game), make_agent(player, game))
    plain, options = _split(name)
    recipe = AGENTS.get(plain) or _checkpoint(plain)
    if recipe is None:
        allowed = ", ".join([*AGENTS, "the path of a checkpoint (a .safetensors file or a folder)"])
        raise ValueError(f"there is no agent {plain!r}; allowed: {allowed}")
    try:
        return recipe.build(game, **_read(plain, options, recipe))
    except ValueError as error:
        raise ValueError(f"agent {name!r}: {error}") from None


def _split(name: str) -> tuple[str, str]:
    """Part the name from its options; a path may hold colons of its own."""
    known, colon, options = name.partition(":")
    if known in AGENTS:
        return known, options if colon else ""
    path, _, last = name.rpartition(":")
    return (path, last) if "=" in last and path else (name, "")


def _read(name: str, options: str, recipe: Recipe) -> dict[str, Any]:
    allowed = ", ".join(recipe.options) or "none"
    values = {}
    for option in options.split(",") if options else []:
        key, _, text = option.partition("=")
        if key not in recipe.options:
            raise ValueError(f"there is no option {key!r}; allowed: {allowed}")
        try:
            values[key] = recipe.options[key](text)
        except ValueError:
            raise ValueError(f"{key} is {text!r}; allowed: a number from 0") from None
    return values


def _checkpoint(path: str) -> Recipe | None:
    """Return the recipe for trained weights, or None for what cannot be a checkpoint."""
    if not path or not (path.endswith(".safetensors") or Path(path).is_dir()):
        return None

    def load(game: Game, **options: float) -> Agent:
        try:  # here, so that only who plays with networks needs torch
            from agents.neural.policy import load_agent
        except ModuleNotFoundError as error:
            raise ValueError(f"needs {error.name}; pip install 'sjavs[train]'") from None
        return load_agent(path, game, **options)

    return Recipe(load, {"temperature": _number})
