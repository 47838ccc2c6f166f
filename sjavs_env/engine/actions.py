"""One numbering of actions per rule set: cards first, then calls, then trump suits.

``0 .. N-1`` play the card with that id; ``N`` is "pass"; then one action per rung of the
ladder; then one per suit that can be named.  Labels are the notation of game records.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sjavs_env.cards import SUITS, Pack
from sjavs_env.rules.tables import RuleTables

__all__ = ["ActionMap"]


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
