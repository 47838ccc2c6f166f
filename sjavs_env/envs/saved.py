"""A game in progress as plain values that JSON can hold, and back again, exactly."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.spaces import Discrete

from sjavs_env.engine.game import Game
from sjavs_env.engine.state import GameState
from sjavs_env.records.history import DealLog, History
from sjavs_env.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from sjavs_env.envs.aec import SjavsEnv

__all__ = ["load_env", "restore_env", "save_env"]

FORMAT = "sjavs-state"
VERSION = 1


def save_env(env: SjavsEnv) -> dict[str, Any]:
    """Return everything about an environment that changes while it is used."""
    return {
        **_header(env.game.rules),
        "cards": _save_game(env._state),
        "history": _save_history(env.history),
        "last_result": env.last_result,
        "seed": env.deal_seed,
        "generator": _save_generator(env.np_random),
        "agents": list(env.agents),
        "agent_selection": env.agent_selection,
        "skipped": env._skip_agent_selection,
        "acting": env._acting,
        "rewards": dict(env.rewards),
        "cumulative_rewards": dict(env._cumulative_rewards),
        "terminations": dict(env.terminations),
    }


def load_env(env: SjavsEnv, saved: Mapping[str, Any]) -> None:
    """Put an environment where it was saved; ValueError for a state of other rules.

    Every container is replaced, none changed: clones share the old ones.
    """
    if not isinstance(saved, Mapping):
        raise ValueError(f"the state is {saved!r}; allowed: what get_state returned")
    _check(saved, env.game.rules)
    before = dict(env.__dict__)
    try:
        _put(env, saved)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        env.__dict__.clear()
        env.__dict__.update(before)
        raise ValueError(
            f"the state is damaged ({error!r}); allowed: what get_state returned"
        ) from None


def _put(env: SjavsEnv, saved: Mapping[str, Any]) -> None:
    env._state = _load_game(env._state, saved["cards"])
    found = env.game.problems(env._state) if saved["agents"] else []
    if found:
        raise ValueError("; ".join(found))
    env.history = _load_history(env.game, saved["history"])
    env._last_result = deepcopy(saved["last_result"])
    env.deal_seed = saved["seed"]
    env.np_random = _load_generator(saved["generator"])
    env._seat_agents(saved["agents"])
    if saved["acting"] is not None:
        env._next_turn()
    env.agent_selection = saved["agent_selection"]
    env._skip_agent_selection = saved["skipped"]
    env.rewards = dict(saved["rewards"])
    env._cumulative_rewards = dict(saved["cumulative_rewards"])
    env.terminations = dict(saved["terminations"])


def restore_env(
    kind: type[SjavsEnv],
    rules: RuleSet,
    options: dict[str, Any],
    saved: Mapping[str, Any],
    action_space: dict[str, Discrete],
) -> SjavsEnv:
    """Rebuild a pickled environment: its rules compiled anew, its game where it was."""
    env = kind(rules, **options)
    load_env(env, saved)
    env._action_space = action_space
    return env


def _header(rules: RuleSet) -> dict[str, Any]:
    """Return the entries that say what a saved state belongs to."""
    return {"format": FORMAT, "version": VERSION, "rules": f"{rules.name} {_digest(rules)}"}


@lru_cache(maxsize=16)
def _digest(rules: RuleSet) -> str:
    words = repr(replace(rules, sources={}, notes=()))
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def _check(saved: Mapping[str, Any], rules: RuleSet) -> None:
    """ValueError unless the state was saved by this version in a game of these rules."""
    for name, wanted in _header(rules).items():
        if saved.get(name) != wanted:
            raise ValueError(f"the state has {name} {saved.get(name)!r}; allowed: {wanted!r}")


def _save_game(state: GameState) -> dict[str, Any]:
    """Return the arrays of a game as lists."""
    return {name: array.tolist() for name, array in state.arrays().items()}


def _load_game(like: GameState, saved: Mapping[str, Any]) -> GameState:
    """Rebuild the arrays of a game, with the types that another one has."""
    kinds = {name: array.dtype for name, array in like.arrays().items()}
    return GameState.from_arrays(
        {name: np.array(value, dtype=kinds.get(name)) for name, value in saved.items()}
    )


def _save_history(history: History) -> dict[str, Any]:
    """Return a history without its game."""
    return {
        "seed": history.seed,
        "start": deepcopy(history.start),
        "deals": [_own(vars(log)) for log in history.deals],
    }


def _load_history(game: Game, saved: Mapping[str, Any]) -> History:
    """Rebuild the history of a game."""
    deals = [DealLog(**_own(deal)) for deal in saved["deals"]]
    return History(game, saved["seed"], deepcopy(saved["start"]), deals)


def _own(deal: Mapping[str, Any]) -> dict[str, Any]:
    """Copy the entries of a deal log; only the result holds lists inside."""
    copies = {name: list(x) if isinstance(x, list) else x for name, x in deal.items()}
    return {**copies, "result": deepcopy(deal["result"])}


def _save_generator(generator: np.random.Generator | None) -> dict[str, Any] | None:
    """Return where a generator stands; None for none."""
    return None if generator is None else dict(generator.bit_generator.state)


def _load_generator(saved: Any) -> np.random.Generator | None:
    """Rebuild a generator that goes on from there."""
    if saved is None:
        return None
    bits = np.random.PCG64(0)
    bits.state = deepcopy(saved)
    return np.random.Generator(bits)
