"""Agents, and learners, that are not the package's own: ``module:name`` is what a module holds.

Somebody else's code is imported and called here; whatever it raises becomes one line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from sjavs_agents.base import Agent
from sjavs_agents.base.asking import guarded
from sjavs_env import Game
from sjavs_env.errors import MOST_SHOWN, shown

__all__ = ["made_by", "module_of", "own_agent", "own_callable", "sources_of"]


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


def module_of(name: str) -> str | None:
    """Return the module of ``module:name``, or None for another kind of name."""
    place = _place(name)
    return place[0] if place else None


def own_agent(name: str) -> Callable[[Game], Agent] | None:
    """Return what makes the agent that stands in a module, or None for another kind of name."""
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

    return build


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


def sources_of(name: str) -> Iterator[Path]:
    """Yield the files that the module of ``module:name`` may be read from; none for other names.

    Those of the working folder come last.
    """
    place = _place(name)
    if place is None:
        return
    for folder in [*sys.path, str(Path.cwd())]:
        path = Path(folder, *place[0].split("."))
        yield from (path.with_suffix(".py"), path / "__init__.py")
