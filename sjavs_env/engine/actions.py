"""One numbering of actions per rule set: cards first, then calls, then trump suits.

``0 .. N-1`` play the card with that id; ``N`` is "pass"; then one action per rung of the
ladder; then one per suit that can be named.  Labels are the notation of game records.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sjavs_env.cards import SUITS, Pack
from sjavs_env.rules.tables import Ints, RuleTables

__all__ = ["ActionMap", "sample_legal"]


@dataclass(frozen=True)
class ActionMap:
    """Offsets and labels of the actions of one rule set."""

    pack: Pack
    bid_labels: tuple[str, ...]

    @classmethod
    def of(cls, pack: Pack, tables: RuleTables) -> ActionMap:
        """Return the action map of a compiled rule set."""
        return cls(pack, tables.bid_labels)

    @property
    def n_cards(self) -> int:
        """Number of card actions; they come first."""
        return len(self.pack)

    @property
    def pass_(self) -> int:
        """The action "pass"; the bids of the ladder follow it."""
        return len(self.pack)

    @property
    def name(self) -> int:
        """The action that names the first suit; the other suits follow it."""
        return self.pass_ + 1 + len(self.bid_labels)

    @cached_property
    def size(self) -> int:
        """Number of actions."""
        return self.name + len(SUITS)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What each action is called: ``play QC``, ``pass``, ``6 better``, ``trump H``."""
        cards = tuple(f"play {c}" for c in self.pack.cards)
        return (*cards, "pass", *self.bid_labels, *(f"trump {s}" for s in SUITS))

    @cached_property
    def _by_label(self) -> dict[str, int]:
        return {label: a for a, label in enumerate(self.labels)}

    def parse(self, label: str) -> int:
        """Return the action with this label; ValueError naming it if there is none."""
        if label not in self._by_label:
            raise ValueError(f"{label!r} is not an action; allowed: {', '.join(self.labels)}")
        return self._by_label[label]


def sample_legal(mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
    """Return one action (R,) for each mask (R, A), uniform over its ones.

    Draws one double per row from ``rng``.  ValueError for a mask without a one.
    """
    width = 64 * -(-mask.shape[1] // 64)
    padded = np.zeros((len(mask), width), dtype=np.uint8)
    padded[:, : mask.shape[1]] = mask
    packed = np.packbits(padded.reshape(-1), bitorder="little")
    words = packed.view(np.uint64).reshape(len(mask), width // 64)
    ones = np.bitwise_count(words).astype(np.intp)
    before = np.cumsum(ones, axis=1) - ones
    legal = before[:, -1] + ones[:, -1]
    if not legal.all():
        raise ValueError(f"row {int(np.argmin(legal))} of the mask has no legal action")
    rank = (rng.random(len(mask)) * legal).astype(np.intp)
    place = (before <= rank[:, None]).sum(axis=1) - 1  # the word that holds the chosen one
    rows = np.arange(len(mask))
    rest = words[rows, place]
    skip = (rank - before[rows, place]).astype(np.uint8)
    for i in range(int(skip.max(initial=0))):
        rest &= rest - (skip > i)  # clears the lowest one where more are to be skipped
    lowest = rest & (~rest + np.uint64(1))
    return np.bitwise_count(lowest - np.uint64(1)).astype(np.intp) + 64 * place
