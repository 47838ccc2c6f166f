"""Whether a view may come from a game: what its numbers can be, and how its cards fit together.

Views are mostly made by the engine, and sound.  One that was made by hand or changed by mistake
would lead compiled code astray, or keep it busy; so it is refused first.  Whether a deal agrees
with a view that is sound in itself, only counting tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.worlds.piles import count_bits
from sjavs_env import Phase, PlayerView
from sjavs_env.observation.views import SeatView
from sjavs_env.rules.tables import N_CLASSES, NO_LEAD, NONE, Bool, Ints, RuleTables

__all__ = ["ViewCheck"]

MOST_NUMBER = 2**31  # of points and the like
_OF_SEATS = {"calls", "open", "covering", "trick", "played", "void", "points", "tricks", "score",
             "active", "playing", "zeros", "known", "announced", "melds"}  # fmt: skip
_WORDS = ("hand", "laid", "open", "covering", "played")
_WORDS_APART = ("out", "aside", "known")


class ViewCheck:
    """Tells views that may come from a game from those that no game can show."""

    def __init__(self, tables: RuleTables) -> None:
        self._tables = tables
        self._parts = [_Part(tables, _ranges(tables), _WORDS)]
        if tables.seats:
            self._parts.append(_Part(tables, _ranges_apart(tables), _WORDS_APART))

    def check(self, view: PlayerView) -> None:
        """ValueError, one line, for the first of some views that no game can show."""
        if (view.seats is None) != (self._tables.seats is None):
            raise _impossible(0, "seats is of another game")
        for part, values in zip(self._parts, (view, view.seats), strict=False):
            part.check(values, len(view))
        for broken, text in _cards(self._tables, view):
            if broken.any():
                raise _impossible(int(broken.argmax()), text)


def _impossible(row: int, text: str) -> ValueError:
    return ValueError(f"view {row} cannot come from a game: {text}")


class _Part:
    """What the fields of a view, or of what it shows of seats, can be, each by itself."""

    def __init__(
        self, t: RuleTables, ranges: dict[str, tuple[int, int]], words: tuple[str, ...]
    ) -> None:
        self._ranges = ranges
        self._numbers, self._words = _Columns.of(t, ranges), _Columns.of(t, words)
        self._least, self._most = np.array([ranges[name] for name in self._numbers.names]).T
        self._foreign = ~np.bitwise_or.reduce(t.cards.bit)

    def check(self, values: PlayerView | SeatView | None, n_views: int) -> None:
        """ValueError for the first field that is not what it can be."""
        numbers = self._numbers.beside(values, n_views)
        outside = (numbers < self._least) | (numbers > self._most)
        if outside.any():
            name, row = self._numbers.first(outside)
            least, most = self._ranges[name]
            raise _impossible(row, f"{name} is outside {least} to {most}")
        foreign = self._words.beside(values, n_views) & self._foreign
        if foreign.any():
            name, row = self._words.first(foreign != 0)
            raise _impossible(row, f"{name} holds cards that are not in the pack")


@dataclass(frozen=True)
class _Columns:
    """Fields that are looked at all together: there are many, and each by itself takes its time."""

    shapes: dict[str, tuple[int, ...]]  # of each for one view
    names: tuple[str, ...]  # the field of each column

    @classmethod
    def of(cls, t: RuleTables, names: Iterable[str]) -> _Columns:
        longer: dict[str, tuple[int, ...]]
        longer = {"fell": (t.n_cards,), **dict.fromkeys(_OF_SEATS, (t.n_players,))}
        shapes = {name: longer.get(name, ()) for name in names}
        return cls(shapes, tuple(n for n, shape in shapes.items() for _ in range(prod(shape))))

    def beside(self, values: PlayerView | SeatView | None, n_views: int) -> NDArray[Any]:
        """Return the fields side by side (R, columns); ValueError for one of another shape."""
        found = []
        for name, shape in self.shapes.items():
            value = getattr(values, name)
            if value.shape != (n_views, *shape):
                raise ValueError(f"{name} has shape {value.shape}; allowed: {(n_views, *shape)}")
            found.append(value if shape else value[:, None])
        return np.concatenate(found, axis=1)

    def first(self, bad: Bool) -> tuple[str, int]:
        """Return the first field with something ``bad`` (R, columns), and its first such view."""
        name = self.names[int(bad.any(axis=0).argmax())]
        own = [column for column, other in enumerate(self.names) if other == name]
        return name, int(bad[:, own].any(axis=1).argmax())


def _ranges(t: RuleTables) -> dict[str, tuple[int, int]]:
    seats, bids = t.n_players - 1, t.auction.n_bids
    return {
        **dict.fromkeys(("seat", "to_act", "dealer", "leader", "winner"), (0, seats)),
        "phase": (0, max(Phase)),
        "calls": (0, bids + 1),
        "best_bid": (NONE, bids - 1),
        "declarer": (NONE, seats),
        "mode": (0, t.n_modes - 1),
        "taken": (0, t.deal.n_talon),
        "trick": (NONE, t.n_cards - 1),
        "trick_size": (0, t.n_players),
        "led": (0, NO_LEAD),
        "trick_number": (0, t.n_tricks),
        "fell": (0, t.n_tricks),
        "void": (0, 2**N_CLASSES - 1),
    }


def _ranges_apart(t: RuleTables) -> dict[str, tuple[int, int]]:
    seats = t.n_players - 1
    return {
        "active": (0, 1),
        "playing": (0, 1),
        "zeros": (0, MOST_NUMBER),
        "turned": (NONE, t.n_cards - 1),
        "six_by": (NONE, seats),
        "taker": (NONE, seats),
        "announced": (0, MOST_NUMBER),
        "melds": (0, MOST_NUMBER),
    }


def _cards(t: RuleTables, view: PlayerView) -> Iterator[tuple[Bool, str]]:
    """Yield which views (R,) break a rule on their cards, and the rule; each needs those before."""
    known = view.open if view.seats is None else view.seats.known
    # What the viewer gave for the reserve may be out for all to see: it is in both.
    apart = view.laid if view.seats is None else view.seats.out | view.seats.aside
    sets = np.concatenate([view.hand[:, None], view.played, known[:, 1:], apart[:, None]], axis=1)
    once = count_bits(np.bitwise_or.reduce(sets, axis=1)) == count_bits(sets).sum(axis=1)
    yield ~once, "a card lies in two places"
    if view.seats is not None:
        held = known[:, 0] & ~view.hand
        yield held != 0, "all know the viewer to hold a card that they do not hold"
    yield ((view.covering & ~view.open) != 0).any(axis=1), "a cover does not lie open"
    fallen = np.bitwise_or.reduce(view.played, axis=1)[:, None] & t.cards.bit != 0  # (R, N)
    yield (fallen != (view.fell > 0)).any(axis=1), "cards played and cards logged differ"
    count = _cards_in_tricks(t, view)
    trick = np.arange(t.n_tricks)
    playing = t.n_players if view.seats is None else view.seats.playing.sum(axis=1)[:, None]
    in_trick = np.where(trick < view.trick_number[:, None], playing, 0)
    in_trick = np.where(trick == view.trick_number[:, None], view.trick_size[:, None], in_trick)
    yield np.asarray((count > 1).any(axis=(1, 2))), "a seat has played twice to a trick"
    yield (count.sum(axis=2) != in_trick).any(axis=1), "a trick has too many cards or too few"


def _cards_in_tricks(t: RuleTables, view: PlayerView) -> Ints:
    """Return how many cards each seat has played to each trick (R, tricks, P)."""
    row, card = np.nonzero(view.fell)
    by = (view.played[row] & t.cards.bit[card, None] != 0).argmax(axis=1)
    place = (row * (t.n_tricks + 1) + view.fell[row, card]) * t.n_players + by
    shape = (len(view), t.n_tricks + 1, t.n_players)
    return np.bincount(place, minlength=prod(shape)).reshape(shape)[:, 1:]
