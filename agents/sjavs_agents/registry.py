"""Agents by name: ``random``, ``rules``, a checkpoint; options follow a colon.

``make_agent("random-pass:chance=0.9", game)``; options are separated by commas.  A name
that is none of ``AGENTS`` is the path of a checkpoint: a ``.safetensors`` file or a folder.
``"A|B"`` makes the calls of A and decides all else as B, ``"A||B"`` only plays cards as B.
``"module:Class"`` is an agent of your own: what the module holds by that name, a class or a
function, is called with the game.
Players that search are imported only when they are asked for: they need numba.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from inspect import signature
from math import isfinite
from pathlib import Path
from typing import Any

from sjavs_agents.base import Agent
from sjavs_agents.base.asking import guarded
from sjavs_agents.heuristic.greedy_agent import GreedyAgent
from sjavs_agents.heuristic.mixed_agent import MixedAgent
from sjavs_agents.heuristic.random_agent import PassingAgent, RandomAgent
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_env import Game
from sjavs_env.cli.extras import needing
from sjavs_env.errors import MOST_SHOWN, shown

__all__ = ["AGENTS", "MOST_THREADS", "Recipe", "files_of", "made_by", "make_agent", "own_callable",
           "weights_path"]  # fmt: skip

MOST_THREADS = 256
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


def _agent(text: str) -> str:
    """Leave the name of an agent as it is, until the game is known for which to make it."""
    return text


def _belief(text: str) -> str:
    """Leave the file of a belief as it is, until the game is known for which to read it."""
    return text


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
        for option in values.keys() & options.keys():
            if options[option] is _agent:
                values[option] = make_agent(values[option], game)
            elif options[option] is _belief:
                reading = import_module("sjavs_agents.belief.reading")
                values[option] = reading.read_belief(values[option], game)
        made: Agent = maker(game, **values)
        return made

    return Recipe(build, options, searches=True, draws=True)


_THREADS, _WORLDS, _TRICKS = _count(1, MOST_THREADS), _count(1), _count(1)
_UTILITY = _one_of("score", "points")

# A new agent is one more line here.
AGENTS: dict[str, Recipe] = {
    "random": Recipe(lambda game: RandomAgent(), draws=True),
    "random-pass": Recipe(PassingAgent, {"chance": _number}, draws=True),
    "greedy": Recipe(GreedyAgent),
    "rules": Recipe(RuleAgent, {"bidding": str}),
    "expert": Recipe(RuleAgent.expert, {"bidding": str}),
    "pimc": _searching("pimc", "PimcAgent", worlds=_WORLDS, utility=_UTILITY, threads=_THREADS,
                       ms=_number, tricks=_TRICKS, infer=_agent, belief=_belief),
    "rollout": _searching("rollout", "RolloutAgent", policy=_agent, worlds=_WORLDS,
                          cards=_count(0), exact=_count(0), prior=_number, threads=_THREADS,
                          infer=_one_of("policy"), belief=_belief),
    "ismcts": _searching("ismcts", "IsmctsAgent", iterations=_WORLDS, c=_number,
                         belief=_belief),
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
    recipe = AGENTS.get(plain) or _checkpoint(plain) or _own(plain)
    if recipe is None:
        checkpoint = "the path of a checkpoint (a .safetensors file or a folder)"
        allowed = ", ".join([*AGENTS, checkpoint, "module:Class for one of your own"])
        raise ValueError(f"there is no agent {shown(plain)}; allowed: {allowed}")
    try:
        given = _read(plain, options, recipe) | ({"name": name} if recipe.searches else {})
        return recipe.build(game, **given)
    except ValueError as error:
        raise ValueError(f"agent {shown(name)}: {error}") from None


def files_of(name: str) -> Iterator[Path]:
    """Yield the files that an agent of this name may be read from, those of its options as well."""
    parts = name.split("|")
    for part in parts:  # which grows by the values of options, each shorter than its name
        plain, options = _split(part)
        parts += [value for _, _, value in (x.partition("=") for x in options.split(",")) if value]
        yield from (Path(part), Path(plain))
        if place := _place(part):
            yield from _sources(place[0])
        if plain and os.path.isdir(plain):
            yield Path(plain, "agent.safetensors")
            yield from Path(plain).glob("iteration_*.safetensors")
            yield from Path(plain).glob("checkpoints/iteration_*.safetensors")


def _sources(module: str) -> Iterator[Path]:
    """Yield the files that a module of this name may be read from, the working folder's last."""
    for folder in [*sys.path, str(Path.cwd())]:
        path = Path(folder, *module.split("."))
        yield from (path.with_suffix(".py"), path / "__init__.py")


def weights_path(name: str) -> Path | None:
    """Return the file or folder of the weights that an agent plays by; None for other agents."""
    plain, _ = _split(name)
    is_weights = "|" not in name and plain not in AGENTS and _checkpoint(plain) is not None
    return Path(plain) if is_weights else None


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
            raise ValueError(f"there is no option {shown(key)}; allowed: {allowed}")
        if key in values:
            raise ValueError(f"{key} is given twice; allowed: once")
        try:
            values[key] = recipe.options[key](text)
        except ValueError as error:
            raise ValueError(f"{key} is {shown(text)}; allowed: {error}") from None
    return values


def _checkpoint(path: str) -> Recipe | None:
    """Return the recipe for trained weights, or None for what cannot be a checkpoint."""
    if not path or not (path.endswith(".safetensors") or Path(path).is_dir()):
        return None

    def load(game: Game, **options: float) -> Agent:
        with needing("train"):  # here, so that only who plays with networks needs torch
            from sjavs_agents.neural.checkpoint import content_of
        if content_of(Path(path)) == SOLVED:
            solved = import_module("sjavs_agents.exact.solved")
            return _solved(solved.load_solved(path, game), options)
        with needing("train"):
            from sjavs_agents.neural.policy import load_agent
        return load_agent(path, game, **options)

    return Recipe(load, {"temperature": _number})


def _solved(agent: Agent, options: Mapping[str, float]) -> Agent:
    """Return the player of a solved game; ValueError for options, of which it has none."""
    if options:
        raise ValueError(
            f"there is no option {min(options)!r}; allowed: none, for it is a solved game"
        )
    return agent


def own_callable(name: str) -> Callable[..., Any] | None:
    """Return what a module holds by ``module:name``, or None for another kind of name.

    ValueError, one line, where there is no such thing or it cannot be called.
    """
    place = _place(name)
    found = _attribute(*place) if place else None
    if place and not callable(found):
        raise ValueError(f"{place[1]} is {found!r}; allowed: a class or a function")
    return found


def _place(name: str) -> tuple[str, str] | None:
    """Part ``module:name``; None for another kind of name."""
    module, _, attribute = name.partition(":")
    if not attribute.isidentifier() or not all(map(str.isidentifier, module.split("."))):
        return None
    return module, attribute


def _own(name: str) -> Recipe | None:
    """Return the recipe of an agent that stands in a module, or None for another kind of name."""
    place = _place(name)
    if place is None:
        return None
    module, attribute = place

    def build(game: Game) -> Agent:
        maker = _attribute(module, attribute)
        if not callable(maker):
            raise ValueError(
                f"{attribute} is {shown(maker)}; allowed: a class or a function of a game"
            )
        made = made_by(maker, attribute, game, "the game")
        if not _theirs(attribute, lambda: _is_agent(made)):
            raise ValueError(
                f"{attribute} returned {type(made).__name__!r}; allowed: an agent, with a name "
                "(text) and act(view, mask, rng)"
            )
        _check_call(made.act, f"act of {attribute}", (None, None, None), "view, mask, rng")
        _check_name(made.name, attribute)
        agent: Agent = made
        return agent

    return Recipe(build)


def made_by(maker: Callable[..., Any], name: str, given: object, words: str) -> Any:
    """Call somebody's class or function with one thing, which ``words`` name.

    ValueError, one line, where it cannot be called so, and for whatever it raises.
    """
    _check_call(maker, name, (given,), words)
    return _theirs(name, lambda: maker(given))


def _theirs(name: str, call: Callable[[], Any]) -> Any:
    """Call somebody's code; ValueError, one line, for whatever it raises."""
    try:
        return guarded(call, lambda raised: ValueError(f"{name} {raised}"))
    except ValueError as error:
        own = error.__cause__
        raise (own if isinstance(own, ValueError) else error) from None


def _is_agent(made: object) -> bool:
    if isinstance(made, type):
        return False
    return isinstance(getattr(made, "name", None), str) and callable(getattr(made, "act", None))


def _check_name(name: str, attribute: str) -> None:
    """ValueError for a name that no table or file of results could hold."""
    if not name.isprintable() or not 0 < len(name) <= MOST_SHOWN:
        raise ValueError(
            f"{attribute} is named {shown(name)}; allowed: one line of at most {MOST_SHOWN} "
            "characters that can be printed"
        )


def _attribute(module: str, attribute: str) -> Any:
    """Import what a module holds; it is looked for in the working folder last of all."""
    here = str(Path.cwd())
    if not {"", here} & set(sys.path):
        sys.path.append(here)  # for good: the module may import its neighbours later
    try:
        found = _imported(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise ValueError(
                f"module {shown(module)} needs {error.name!r}, which is not there"
            ) from None
        raise ValueError(
            f"there is no module {error.name!r}; allowed: one that is installed or in this folder"
        ) from None
    if attribute.startswith("__") or not hasattr(found, attribute):  # not a module's own
        held = [n for n, x in vars(found).items() if callable(x) and not n.startswith("_")]
        allowed = ", ".join(held) or "nothing that is called there"
        raise ValueError(f"module {shown(module)} has no {shown(attribute)}; allowed: {allowed}")
    return getattr(found, attribute)


def _imported(module: str) -> Any:
    """Import a module; ValueError, one line, for whatever it does but miss another one."""

    def load() -> Any:
        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            return error

    found = guarded(load, lambda raised: ValueError(f"module {shown(module)} {raised}"))
    if isinstance(found, ModuleNotFoundError):
        raise found
    return found


def _check_call(what: Callable[..., Any], name: str, given: tuple[Any, ...], words: str) -> None:
    """ValueError unless something can be called with these arguments."""
    try:
        signature(what).bind(*given)
    except TypeError as error:
        raise ValueError(f"{name} cannot be called with {words}: {error}") from None
    except ValueError:  # written in C, it does not tell
        return
