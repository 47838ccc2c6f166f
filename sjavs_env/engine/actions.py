"""One numbering of actions per rule set: cards first, then what else its phases ask for.

``0 .. N-1`` play the card with that id; then come "pass" and the rungs of the ladder, the
suits that can be named, and what other moments need.  Labels are the notation of game records.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sjavs_env.cards import SUITS, Pack
from sjavs_env.errors import shown
from sjavs_env.rules.tables import Ints, Phase, RuleTables

__all__ = ["ActionMap", "sample_legal"]


@dataclass(frozen=True)
class ActionMap:
    """Offsets and labels of the actions of one rule set."""

    pack: Pack
    sections: tuple[tuple[Phase, tuple[str, ...]], ...]  # labels of each phase, in order

    @classmethod
    def of(cls, pack: Pack, tables: RuleTables) -> ActionMap:
        """Return the action map of a compiled rule set."""
        labels: dict[Phase, tuple[str, ...]] = {
            Phase.PLAY: tuple(f"play {c}" for c in pack.cards),
            Phase.AUCTION: ("pass", *tables.auction.bid_labels),
            Phase.NAME_TRUMP: tuple(f"trump {s}" for s in SUITS),
            Phase.TAKE: ("take cat", "leave cat"),
            Phase.LAY: (*(f"lay {c}" for c in pack.cards), "done"),
            Phase.CONCEDE: ("play on", "give up"),
            Phase.SIX: ("swap six", "keep six"),
            Phase.RESERVE: ("take reserve", "keep hand"),
            Phase.STAY: ("stay", "drop"),
        }
        return cls(
            pack, tuple((p, text) for p, text in labels.items() if p in tables.course.phases)
        )

    @cached_property
    def slices(self) -> dict[Phase, slice]:
        """Phase -> its actions."""
        ends = np.cumsum([len(labels) for _, labels in self.sections]).tolist()
        return {
            phase: slice(end - len(labels), end)
            for (phase, labels), end in zip(self.sections, ends, strict=True)
        }

    @property
    def n_cards(self) -> int:
        """Number of card actions; they come first."""
        return len(self.pack)

    @cached_property
    def card_starts(self) -> tuple[int, ...]:
        """First actions of the sections that have one action per card."""
        per_card = (Phase.PLAY, Phase.LAY)
        return tuple(self.slices[p].start for p in per_card if p in self.slices)

    @property
    def pass_(self) -> int:
        """The action "pass"; the bids of the ladder follow it."""
        return int(self.slices[Phase.AUCTION].start)

    @property
    def name(self) -> int:
        """The action that names the first suit; the other suits follow it."""
        return int(self.slices[Phase.NAME_TRUMP].start)

    @cached_property
    def size(self) -> int:
        """Number of actions."""
        return len(self.labels)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What each action is called: ``play QC``, ``pass``, ``6 better``, ``trump H``."""
        return tuple(label for _, labels in self.sections for label in labels)

    @cached_property
    def _by_label(self) -> dict[str, int]:
        return {label: a for a, label in enumerate(self.labels)}

    def parse(self, label: str) -> int:
        """Return the action with this label; ValueError naming it if there is none."""
        if label not in self._by_label:
            raise ValueError(f"{shown(label)} is not an action; allowed: {', '.join(self.labels)}")
        return self._by_label[label]


def sample_legal(mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
    """Return one action (R,) for each mask (R, A), uniform over its ones.

    Draws one double per row from ``rng``.  ValueError for a mask without a one.
    """
    if np.ndim(mask) != 2:
        raise ValueError(f"the mask has shape {np.shape(mask)}; allowed: (R, A), one for each row")
    words = _as_words(mask)
    ones = np.bitwise_count(words)
    if len(words) == 1:
        legal, before = ones[0], None
    else:
        before = np.cumsum(ones, axis=0, dtype=np.uint8) - ones  # set bits in the words before
        legal = before[-1] + ones[-1]
    if not legal.all():
        raise ValueError(f"row {int(np.argmin(legal))} of the mask has no legal action")
    rank = (rng.random(len(mask)) * legal).astype(np.uint8)
    if before is None:
        return _nth_one(words[0], rank)
    place = (before <= rank).sum(axis=0, dtype=np.intp) - 1  # the word that holds the chosen one
    rows = np.arange(len(mask))
    return _nth_one(words[place, rows], rank - before[place, rows]) + 64 * place


def _as_words(mask: NDArray[np.int8]) -> NDArray[np.uint64]:
    """Return masks (R, A) as words (words, R) of 64 actions each."""
    n_words = -(-mask.shape[1] // 64)
    padded = np.zeros((len(mask), 64 * n_words), dtype=np.uint8)
    padded[:, : mask.shape[1]] = mask
    packed = np.packbits(padded.reshape(-1), bitorder="little")
    return packed.view(np.uint64).reshape(len(mask), n_words).T


def _nth_one(words: NDArray[np.uint64], n: NDArray[np.uint8]) -> Ints:
    """Return the place of the set bit (R,) of each word that has ``n`` lower ones."""
    rest = words.copy()
    clear = np.empty(len(rest), dtype=np.bool_)
    for i in range(int(n.max(initial=0))):
        np.greater(n, i, out=clear)
        np.bitwise_and(rest, rest - clear, out=rest)  # clears the lowest one
    lowest = rest & (~rest + np.uint64(1))
    return np.bitwise_count(lowest - np.uint64(1)).astype(np.intp)
