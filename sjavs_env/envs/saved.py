"""A game in progress as plain values that JSON can hold, and back again, exactly.

What is read back has been checked: the game is played again from its first deal, as the history
in the state tells it, and has to come to the cards, scores and results that the state claims.
So a state is refused, with a word about what is wrong, or can be played on from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_env.engine.game import Game
from sjavs_env.engine.state import GameState, empty_state
from sjavs_env.envs.options import whole_number
from sjavs_env.envs.replayed import own_log, played_again, same_game
from sjavs_env.errors import shown
from sjavs_env.records.history import DealLog, History, Result
from sjavs_env.rules.ruleset import RuleSet
from sjavs_env.rules.tables import Phase

__all__ = ["Snapshot", "read_snapshot", "write_snapshot"]

FORMAT = "sjavs-state"
VERSION = 1
_MOST_PAID = 2**32  # to one seat: scores are below half of it
_DIGITS, _DIGITS_OF_0_1 = 20, 16  # of the digest of rules


@dataclass(eq=False)
class Snapshot:
    """All of an environment that changes while it is used."""

    cards: GameState  # one game
    history: History
    last_result: Result | None
    seed: int | None  # of the deals; None before the first reset
    generator: np.random.Generator | None  # draws dealers
    agents: list[str]
    agent_selection: str
    skipped: str | None  # whom PettingZoo returns to once the agents have left
    acting: str | None  # the agent on turn
    rewards: dict[str, float]
    cumulative_rewards: dict[str, float]
    terminations: dict[str, bool]

    def copy(self) -> Snapshot:
        """Return one that shares nothing that changes."""
        return replace(
            self,
            cards=self.cards.clone(),
            history=_read_history(self.history.game, _write_history(self.history)),
            last_result=deepcopy(self.last_result),
            generator=_read_generator(_write_generator(self.generator)),
            agents=list(self.agents),
            rewards=dict(self.rewards),
            cumulative_rewards=dict(self.cumulative_rewards),
            terminations=dict(self.terminations),
        )


def write_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """Return a snapshot as values that JSON can hold; it shares nothing with them."""
    own = snapshot.copy()
    return {
        **_header(own.history.game.rules),
        **{name: getattr(own, name) for name in _PLAIN},
        "cards": {name: array.tolist() for name, array in own.cards.arrays().items()},
        "history": _write_history(own.history),
        "generator": _write_generator(own.generator),
    }


_PLAIN = (
    "last_result", "seed", "agents", "agent_selection", "skipped", "acting", "rewards",
    "cumulative_rewards", "terminations",
)  # fmt: skip


def read_snapshot(game: Game, saved: object, names: list[str]) -> Snapshot:
    """Return the snapshot that was written; ``names`` are the agents at the table.

    ValueError, one line, for a state of other rules and for anything that no game can come to.
    """
    if not isinstance(saved, Mapping):
        raise ValueError(f"the state is {shown(saved)}; allowed: what get_state returned")
    for name, wanted in _header(game.rules).items():
        if saved.get(name) != wanted and not (name == "rules" and _is_of_0_1(saved, game.rules)):
            found = shown(saved.get(name))
            raise ValueError(f"the state has {name} {found}; allowed: {shown(wanted)}")
    try:
        return _read(game, saved, names)
    except _DAMAGE as error:
        said = f"{error}" if type(error) is ValueError else f"{type(error).__name__}: {error}"
        why = " ".join(said.split())[:400]
        raise ValueError(f"the state is damaged: {why}; allowed: what get_state returned") from None


# What reading anything but a state may raise; of recursion, in what is too deep to be copied.
_DAMAGE = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip


def _read(game: Game, saved: Mapping[str, Any], names: list[str]) -> Snapshot:
    cards = _read_cards(game, saved["cards"])
    history = _read_history(game, saved["history"])
    if history.deals:
        found = game.problems(cards)
        if found:
            raise ValueError("; ".join(found))
        cards = played_again(history, cards)
    elif not same_game(cards, empty_state(game.tables, 1)):
        raise ValueError("there are cards but no deal in the history")
    seed = _whole(saved["seed"], "seed", 2**64)
    if history.seed != (seed or 0):
        raise ValueError(f"seed is {seed} with deals of seed {history.seed}")
    snapshot = Snapshot(
        cards=cards,
        history=history,
        last_result=deepcopy(saved["last_result"]),
        seed=seed,
        generator=_read_generator(saved["generator"]),
        agents=list(saved["agents"]),
        agent_selection=saved["agent_selection"],
        skipped=saved["skipped"],
        acting=saved["acting"],
        rewards=_by_agent(saved, "rewards", float),
        cumulative_rewards=_by_agent(saved, "cumulative_rewards", float),
        terminations=_by_agent(saved, "terminations", bool),
    )
    _check_turn(snapshot, names)
    _check_result(snapshot)
    _check_paid(snapshot)
    return snapshot


def _check_paid(snapshot: Snapshot) -> None:
    """ValueError if somebody has been paid though the episode goes on."""
    s = snapshot
    if s.agents and not any(s.terminations.values()):
        for name, paid in (("rewards", s.rewards), ("cumulative_rewards", s.cumulative_rewards)):
            if any(paid.values()):
                raise ValueError(f"{name} is {shown(paid)} though the episode goes on")


def _check_turn(snapshot: Snapshot, names: list[str]) -> None:
    """ValueError unless the agents, and the one on turn, are those of the game."""
    s, over = snapshot, snapshot.terminations.values()
    is_going_on = bool(s.agents) and not any(over)
    leaving = names[len(names) - len(s.agents) :]  # agents leave in their order
    allowed = names if is_going_on else leaving
    if s.agents != allowed or (any(over) and not all(over)):
        raise ValueError(f"agents are {shown(s.agents)}")
    on_turn = names[int(s.cards.seat.item())] if is_going_on else None
    first = on_turn or (s.agents[0] if s.agents else s.agent_selection)
    if s.acting != on_turn or s.agent_selection != first or first not in names:
        raise ValueError(f"{shown(s.acting)} acts, {shown(s.agent_selection)} is selected")
    if s.skipped is not None and (is_going_on or not s.agents or s.skipped not in names):
        raise ValueError(f"skipped is {shown(s.skipped)}")
    deals = s.history.deals
    has_ended = not deals or deals[-1].result is not None
    is_over = s.cards.phase.item() == Phase.OVER
    if is_going_on == has_ended or (is_going_on and is_over) or (s.agents and not deals):
        raise ValueError("the agents are in another deal than the cards")
    if (s.seed is None) != (s.generator is None) or (deals and s.seed is None):
        raise ValueError("there is no seed, or no generator")


def _check_result(snapshot: Snapshot) -> None:
    """ValueError unless the last result is that of the last deal that has ended."""
    found, results = snapshot.last_result, [log.result for log in snapshot.history.deals]
    ended = [result for result in results if result is not None]
    before = found is None or (isinstance(found, dict) and "kind" in found)  # of another episode
    if (found != ended[-1]) if ended else not before:
        raise ValueError(f"last_result is {shown(found)}")


def _by_agent(saved: Mapping[str, Any], name: str, kind: type[Any]) -> dict[str, Any]:
    """Read a value for each agent: a finite number, or true or false."""
    values = dict(saved[name])
    sound = [type(x) is bool if kind is bool else type(x) in (int, float) for x in values.values()]
    if list(values) != list(saved["agents"]) or not all(sound):
        raise ValueError(f"{name} is {shown(values)}")
    if kind is float and not all(abs(x) <= _MOST_PAID for x in values.values()):  # nor nan
        raise ValueError(f"{name} is {shown(values)}")
    return values


def _whole(value: object, name: str, end: int) -> int | None:
    """Read a whole number from 0 and below ``end``, or None."""
    number = whole_number(value)
    if value is not None and (number is None or not 0 <= number < end):
        raise ValueError(f"{name} is {shown(value)}")
    return number


def _header(rules: RuleSet) -> dict[str, Any]:
    """Return the entries that say what a saved state belongs to."""
    return {"format": FORMAT, "version": VERSION, "rules": f"{rules.name} {_digest(rules)}"}


@lru_cache(maxsize=16)
def _digest(rules: RuleSet) -> str:
    words = repr(replace(rules, sources={}, notes=()))
    return hashlib.sha256(words.encode()).hexdigest()[:_DIGITS]


def _is_of_0_1(saved: Mapping[str, Any], rules: RuleSet) -> bool:
    """Whether version 0.1.0 wrote the state, in a game of this name.

    It wrote rules down in another way, whose digest cannot be made any more; whether they were
    these rules is seen when the game is played again.
    """
    name, _, digest = str(saved.get("rules")).partition(" ")
    return name == rules.name and len(digest) == _DIGITS_OF_0_1


def _read_cards(game: Game, saved: Mapping[str, Any]) -> GameState:
    """Rebuild the arrays of a game, of the types and shapes that it has."""
    wanted = empty_state(game.tables, 1).arrays()
    odd = sorted(set(saved) ^ set(wanted))
    if odd:
        raise ValueError(f"missing or surplus in the cards: {shown(odd)}")
    arrays = {name: _read_array(name, saved[name], like) for name, like in wanted.items()}
    return GameState.from_arrays(arrays)


def _read_array(name: str, value: object, like: NDArray[Any]) -> NDArray[Any]:
    """Read whole numbers, no others, in the shape of ``like`` and within its type."""
    found = np.array(value)
    if found.shape != like.shape or (found.size and found.dtype.kind not in "iu"):
        raise ValueError(f"{name} is {shown(value)}")
    limits = np.iinfo(like.dtype)
    if found.size and not limits.min <= int(found.min()) <= int(found.max()) <= limits.max:
        raise ValueError(f"{name} is {shown(value)}")
    return found.astype(like.dtype)


def _write_history(history: History) -> dict[str, Any]:
    """Return a history without its game."""
    return {
        "seed": history.seed,
        "start": deepcopy(history.start),
        "deals": [own_log(vars(log)) for log in history.deals],
    }


def _read_history(game: Game, saved: Mapping[str, Any]) -> History:
    """Rebuild the history of a game."""
    deals = [DealLog(**own_log(deal)) for deal in saved["deals"]]
    return History(game, saved["seed"], deepcopy(saved["start"]), deals)


def _write_generator(generator: np.random.Generator | None) -> dict[str, Any] | None:
    """Return where a generator stands; None for none."""
    return None if generator is None else dict(generator.bit_generator.state)


def _read_generator(saved: Any) -> np.random.Generator | None:
    """Rebuild a generator that goes on from there."""
    if saved is None:
        return None
    bits = np.random.PCG64(0)
    bits.state = deepcopy(saved)
    return np.random.Generator(bits)
