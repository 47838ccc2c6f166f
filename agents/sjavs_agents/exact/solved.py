"""A solved game as a file, which is also a player: a probability for every action in it.

The file is a checkpoint that holds arrays by information set: what its player sees, as a number
(``information``), and the actions with their probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.base import Floats, Ints
from sjavs_agents.exact.game_tree import GameTree
from sjavs_agents.exact.information import Keys, Reader, seen_by
from sjavs_agents.neural.checkpoint import (
    ORIGIN,
    CheckpointError,
    DamagedError,
    read_checkpoint,
    require,
    require_content,
    require_observation,
    write_checkpoint,
)
from sjavs_agents.neural.schema import number, record, text, whole
from sjavs_env import OBSERVATION_VERSION, Game, PlayerView, RuleSet, rules_to_json
from sjavs_env.rules.structure import entries

__all__ = ["CONTENT", "PolicyTable", "SolvedAgent", "load_solved", "save_solved"]

CONTENT = "solved game"  # what a file of this kind says that it holds
MOST = 10**8  # information sets, and slots
ARRAYS = {"key": np.uint64, "first": np.int32, "action": np.int16, "probability": np.float64}
ROUNDING = 1e-6  # by which probabilities may miss 1

# what the file must say
CHECK = record(
    {**ORIGIN, "digest": text(64), "iterations": whole(), "nash_conv": number(0), "value": number()}
)


@dataclass(frozen=True, eq=False)
class PolicyTable:
    """A policy by what its player sees, in the order of keys."""

    key: Keys  # (infosets,) rising
    first: NDArray[np.int32]  # (infosets + 1,) where the actions of each begin
    action: NDArray[np.int16]  # (slots,) rising within each
    probability: NDArray[np.float64]  # (slots,)

    @classmethod
    def of(cls, tree: GameTree, policy: Floats) -> PolicyTable:
        """Return the table of a policy (slots,) of a tree."""
        order = np.argsort(tree.infoset_key)
        sizes = np.diff(tree.first_slot)[order]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        slots = np.repeat(tree.first_slot[:-1][order] - first[:-1], sizes) + np.arange(len(policy))
        return cls(
            key=tree.infoset_key[order],
            first=first,
            action=tree.slot_action[slots].astype(np.int16),
            probability=policy[slots].astype(np.float64),
        )

    def problem(self, n_actions: int) -> str | None:
        """Return what is wrong with a table of a game of so many actions, if anything is."""
        arrays = {name: getattr(self, name) for name in ARRAYS}
        for name, array in arrays.items():
            if array.dtype != ARRAYS[name] or array.ndim != 1 or len(array) > MOST:
                return f"{name} is an array of {array.dtype} {array.shape}"
        n, k = len(self.key), len(self.action)
        if len(self.first) != n + 1 or self.first[0] != 0 or self.first[-1] != k or not n:
            return "first does not part the actions"
        if (np.diff(self.first) < 2).any() or len(self.probability) != k:
            return "first does not part the actions"
        if (self.key[1:] <= self.key[:-1]).any():
            return "key does not rise"
        rises = np.diff(self.action) > 0
        rises[self.first[1:-1] - 1] = True  # from the last action of one to the first of the next
        if not rises.all() or (self.action < 0).any() or (self.action >= n_actions).any():
            return "action is none of the game, or twice in one place"
        total = np.add.reduceat(self.probability, self.first[:-1])
        if not ((self.probability >= 0).all() and (np.abs(total - 1) <= ROUNDING).all()):
            return "probability does not add up to 1"
        return None

    def spread(self, rows: Ints, n_actions: int) -> Floats:
        """Return the probabilities (R, A) in some places."""
        sizes = (self.first[rows + 1] - self.first[rows]).astype(np.intp)
        starts = np.cumsum(sizes) - sizes
        slots = np.repeat(self.first[rows] - starts, sizes) + np.arange(sizes.sum())
        found = np.zeros((len(rows), n_actions))
        found[np.repeat(np.arange(len(rows)), sizes), self.action[slots]] = self.probability[slots]
        return found


class SolvedAgent:
    """Draws its actions from a table; where it has no choice it needs none."""

    def __init__(self, name: str, game: Game, table: PolicyTable) -> None:
        self.name = name
        self.table = table
        self._reader = Reader(game)

    def probabilities(self, view: PlayerView, mask: NDArray[np.int8]) -> Floats:
        """Return the probabilities (R, A) of actions; ValueError for a view of another game."""
        found = mask / np.maximum(mask.sum(axis=1, keepdims=True, dtype=np.float64), 1)
        rows = np.flatnonzero(mask.sum(axis=1, dtype=np.intp) > 1)
        if not len(rows):
            return found
        keys = seen_by(self._reader.sights(view.select(rows)))
        places = np.searchsorted(self.table.key, keys)
        places[places == len(self.table.key)] = 0
        known = self.table.key[places] == keys
        if known.all():
            told = self.table.spread(places, mask.shape[1])
            known = (told[mask[rows] == 0] == 0).all(keepdims=True)
        if not known.all():
            raise ValueError(f"{self.name} has no answer; allowed: positions of its own game")
        found[rows] = told
        return found

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return legal actions (R,); draws one double for each row."""
        cumulative = np.cumsum(self.probabilities(view, mask), axis=1)
        point = rng.random(len(mask)) * cumulative[:, -1]
        return np.argmax(cumulative > point[:, None], axis=1)


def digest_of(rules: RuleSet) -> str:
    """Return a number, as text, of all that makes up a rule set."""
    values = [
        (e.name, getattr(e.value, "__name__", repr(e.value)) if e.is_part else repr(e.value))
        for e in entries(rules)
    ]
    return blake2b(repr(values).encode(), digest_size=16).hexdigest()


def save_solved(path: Path, game: Game, table: PolicyTable, about: Mapping[str, Any]) -> None:
    """Write a solved game in one atomic step; ``about`` has its iterations, value, nash_conv."""
    meta = {
        "holds": CONTENT,
        "rules": rules_to_json(game.rules),
        "digest": digest_of(game.rules),
        "observation": OBSERVATION_VERSION,
        **about,
    }
    write_checkpoint(path, {name: getattr(table, name) for name in ARRAYS}, meta)


def load_solved(path: str, game: Game) -> SolvedAgent:
    """Return the player in a file; CheckpointError, one line, for a file that is of no use here.

    It plays the game that was solved and no other, for its table knows that alone.
    """
    source = Path(path)
    arrays, meta = read_checkpoint(source)
    require_content(source, meta, CONTENT)
    try:
        require(CHECK, meta)
        require_observation(meta)
    except CheckpointError as error:
        raise type(error)(f"{source}: {error}") from None
    if meta["digest"] != digest_of(game.rules):
        raise CheckpointError(
            f"{source}: solves {meta['rules']['name']!r} with other rules than those of "
            f"{game.rules.name!r} here; allowed: the rules that it solves"
        )
    if set(arrays) != set(ARRAYS):
        raise DamagedError(f"{source}: holds {', '.join(sorted(arrays))[:200]}; allowed: a table")
    table = PolicyTable(**arrays)
    if why := table.problem(game.actions.size):
        raise DamagedError(f"{source}: the table is damaged: {why}")
    return SolvedAgent(path, game, table)
