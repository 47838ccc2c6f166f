"""Agents by name: ``random``, ``rules``, a checkpoint; options follow a colon.

``make_agent("random-pass:chance=0.9", game)``; options are separated by commas.  ``champion`` is
the trained player that comes with the program for the game being played.  A name that is none of
these is the path of a checkpoint: a ``.safetensors`` file or a folder.
``"A|B"`` makes the calls of A and decides all else as B, ``"A||B"`` only plays cards as B.
``"module:Class"`` is an agent of your own: what the module holds by that name, a class or a
function, is called with the game.
Players that search are imported only when they are asked for: they need numba.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any

from sjavs_agents.base import Agent
from sjavs_agents.heuristic.greedy_agent import GreedyAgent
from sjavs_agents.heuristic.mixed_agent import MixedAgent
from sjavs_agents.heuristic.random_agent import PassingAgent, RandomAgent
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.neural.config import DEVICES
from sjavs_agents.neural.shelf import CHAMPION, champion_file, champion_files
from sjavs_agents.own_code import own_agent, sources_of
from sjavs_agents.search.budgets import BUDGETS, USUAL_BUDGET, search_within
from sjavs_env import Game
from sjavs_env.cli.extras import needing
from sjavs_env.errors import shown

__all__ = ["AGENTS", "MOST_THREADS", "Recipe", "files_of", "make_agent", "parts_of", "searches",
           "split_names", "weights_path"]  # fmt: skip

MOST_THREADS = 256
OWN_POLICY = "policy"  # in place of a name: that which the same player plays by
SOLVED = "solved game"  # what a file holds that is a table of probabilities
MOST_BARS = 8  # of a name; two agents share one or two


Reader = Callable[[str], Any]  # of an option; ValueError says what is allowed


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not isfinite(value) or value < 0:
        raise ValueError("a number from 0")
    return value


def _count(least: int, most: int = 10**6) -> Reader:
    """Read a whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise ValueError(f"{least} to {most}")
        return int(text)

    return read


def _one_of(*words: str) -> Reader:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError(", ".join(words))
        return text

    return read


def _budget(text: str) -> str:
    """Read how long a trained player may search: milliseconds for a card."""
    if text and text not in BUDGETS:
        raise ValueError(f"{', '.join(BUDGETS)} (milliseconds for a card)")
    return text or USUAL_BUDGET


def _agent(text: str) -> str:
    """Leave the name of an agent as it is, until the game is known for which to make it."""
    return text


def _agent_or_policy(text: str) -> str:
    """Leave a name as it is; ``policy`` is the player's own."""
    return text


def _belief(text: str) -> str:
    """Leave the file of a belief as it is, until the game is known for which to read it."""
    return text


def _found(reader: Reader, value: Any, game: Game) -> Any:
    """Return the agent or belief that an option names, any other value as it is."""
    if not isinstance(value, str):
        return value
    if reader is _belief:
        return import_module("sjavs_agents.belief.reading").read_belief(value, game)
    is_agent = reader is _agent or (reader is _agent_or_policy and value != OWN_POLICY)
    return make_agent(value, game) if is_agent else value


@dataclass(frozen=True)
class Recipe:
    """How to build an agent: ``build(game, **options)``, and how to read each option."""

    build: Callable[..., Agent]
    options: Mapping[str, Reader] = field(default_factory=dict)
    searches: bool = False  # for long; it is told its whole name
    draws: bool = False  # from its generator, as all that search may


def _searching(module: str, kind: str, **options: Reader) -> Recipe:
    """Return the recipe of a player that searches; its options may name agents and beliefs."""

    def build(game: Game, **values: Any) -> Agent:
        with needing("search"):
            maker = getattr(import_module(f"sjavs_agents.search.{module}"), kind)
        known = {
            option: _found(options[option], values[option], game)
            for option in values.keys() & options
        }
        made: Agent = maker(game, **(values | known))
        return made

    return Recipe(build, options, searches=True, draws=True)


_THREADS, _WORLDS, _TRICKS = _count(1, MOST_THREADS), _count(1), _count(1)
_UTILITY = _one_of("score", "points")
_STAGE = {"policy": _agent, "tricks": _TRICKS}  # who decides what is not searched, and what is

# A new agent is one more line here.
AGENTS: dict[str, Recipe] = {
    "random": Recipe(lambda game: RandomAgent(), draws=True),
    "random-pass": Recipe(PassingAgent, {"chance": _number}, draws=True),
    "greedy": Recipe(GreedyAgent),
    "rules": Recipe(RuleAgent, {"bidding": str}),
    "expert": Recipe(RuleAgent.expert, {"bidding": str}),
    "pimc": _searching("pimc", "PimcAgent", worlds=_WORLDS, utility=_UTILITY, threads=_THREADS,
                       ms=_number, infer=_agent_or_policy, belief=_belief, prior=_number, **_STAGE),
    "rollout": _searching("rollout", "RolloutAgent", worlds=_WORLDS, cards=_count(0),
                          exact=_count(0), prior=_number, threads=_THREADS,
                          infer=_one_of(OWN_POLICY), belief=_belief, **_STAGE),
    "ismcts": _searching("ismcts", "IsmctsAgent", iterations=_WORLDS, c=_number,
                         belief=_belief, **_STAGE),
    "lbr": _searching("local_response", "LocalResponseAgent", policy=_agent, worlds=_WORLDS,
                      caution=_number),
    "cheater": _searching("cheater", "CheatingAgent", utility=_UTILITY, threads=_THREADS),
}  # fmt: skip


def make_agent(name: str, game: Game) -> Agent:
    """Return the agent called ``name``; ValueError, one line, for one that cannot be made."""
    if name.count("|") > MOST_BARS:
        raise ValueError(f"agent is {shown(name)}; allowed: up to {MOST_BARS} bars in a name")
    caller, bar, player = name.partition("|")
    if bar:
        only_cards = player.startswith("|")
        first, second = make_agent(caller, game), make_agent(player[only_cards:], game)
        return MixedAgent(first, second, only_cards=only_cards)
    plain, options = _split(name)
    own = own_agent(plain)
    recipe = AGENTS.get(plain) or _trained(name, plain) or (Recipe(own) if own else None)
    if recipe is None:
        checkpoint = "the path of a checkpoint (a .safetensors file or a folder)"
        allowed = ", ".join([*AGENTS, CHAMPION, checkpoint, "module:Class for one of your own"])
        raise ValueError(f"there is no agent {shown(plain)}; allowed: {allowed}")
    try:
        given = _read(plain, options, recipe) | ({"name": name} if recipe.searches else {})
        return recipe.build(game, **given)
    except ValueError as error:
        raise ValueError(f"agent {shown(name)}: {error}") from None


def files_of(name: str) -> Iterator[Path]:
    """Yield the files that an agent of this name may be read from, those of its options as well."""
    for part in parts_of(name):
        plain, _ = _split(part)
        yield from (Path(part), Path(plain))
        yield from sources_of(part)
        if plain == CHAMPION:
            yield from champion_files().values()
        if plain and os.path.isdir(plain):
            yield Path(plain, "agent.safetensors")
            yield from Path(plain).glob("iteration_*.safetensors")
            yield from Path(plain).glob("checkpoints/iteration_*.safetensors")


def parts_of(name: str) -> list[str]:
    """Return the agents that a name puts together, and the values of their options."""
    parts = name.split("|")
    for part in parts:  # which grows by the values, each shorter than the name it is from
        _, options = _split(part)
        parts += [value for _, _, value in (x.partition("=") for x in options.split(",")) if value]
    return parts


def split_names(text: str) -> list[str]:
    """Split names of agents at commas; ``key=value`` after one is an option of the name before.

    ValueError for an empty name.
    """
    names: list[str] = []
    for part in text.split(","):
        if names and re.match(r"\w+=", part):
            names[-1] += f",{part}"
        elif part:
            names.append(part)
        else:
            raise ValueError(f"agents is {shown(text)}; allowed: names separated by commas")
    return names


def searches(name: str) -> bool:
    """Say whether an agent of this name searches, so that its boards take long."""
    for part in name.split("|"):
        plain, options = _split(part)
        if (plain in AGENTS and AGENTS[plain].searches) or options.startswith("search"):
            return True
    return False


def weights_path(name: str, game: Game) -> Path | None:
    """Return the file or folder of the weights that an agent plays by; None for other agents.

    ValueError, one line, where the game has no champion.
    """
    plain, _ = _split(name)
    if "|" in name or plain in AGENTS:
        return None
    if plain == CHAMPION:
        return champion_file(game.rules)
    return Path(plain) if _may_be_weights(plain) else None


def _split(name: str) -> tuple[str, str]:
    """Part the name from its options; a path may hold colons of its own."""
    known, colon, options = name.partition(":")
    if known in AGENTS or known == CHAMPION:
        return known, options if colon else ""
    path, _, last = name.rpartition(":")
    return (path, last) if "=" in last and path else (name, "")


def _read(name: str, options: str, recipe: Recipe) -> dict[str, Any]:
    allowed = ", ".join(recipe.options) or "none"
    values = {}
    for option in options.split(",") if options else []:
        key, _, text = option.partition("=")
        if key not in recipe.options:
            raise ValueError(f"there is no option {shown(key)}; allowed: {allowed}")
        if key in values:
            raise ValueError(f"{key} is given twice; allowed: once")
        try:
            values[key] = recipe.options[key](text)
        except ValueError as error:
            raise ValueError(f"{key} is {shown(text)}; allowed: {error}") from None
    return values


def _trained(name: str, plain: str) -> Recipe | None:
    """Return the recipe for a champion or trained weights, or None for what cannot be either."""
    if plain != CHAMPION and not _may_be_weights(plain):
        return None

    def build(game: Game, search: str | None = None, **options: Any) -> Agent:
        path = str(champion_file(game.rules)) if plain == CHAMPION else plain
        agent = _loaded(path, game, options)
        if search is not None:
            kind, settings = search_within(game, search)
            return AGENTS[kind].build(game, policy=agent, name=name, **settings)
        if plain == CHAMPION:
            agent.name = name
        return agent

    return Recipe(build, {"temperature": _number, "device": _one_of(*DEVICES), "search": _budget})


def _may_be_weights(path: str) -> bool:
    return bool(path) and (path.endswith(".safetensors") or Path(path).is_dir())


def _loaded(path: str, game: Game, options: Mapping[str, Any]) -> Agent:
    """Return the player in a file or the folder of a run."""
    with needing("train"):  # here, so that only who plays with networks needs torch
        from sjavs_agents.neural.checkpoint import content_of
    if content_of(Path(path)) == SOLVED:
        solved = import_module("sjavs_agents.exact.solved")
        return _solved(solved.load_solved(path, game), options)
    with needing("train"):
        from sjavs_agents.neural.policy import load_agent
    return load_agent(path, game, **options)


def _solved(agent: Agent, options: Mapping[str, Any]) -> Agent:
    """Return the player of a solved game; ValueError for options, of which it has none."""
    if options:
        raise ValueError(
            f"there is no option {min(options)!r}; allowed: none, for it is a solved game"
        )
    return agent
