"""Whether a view may come from a game: what its numbers can be, and how its cards fit together.

Views are mostly made by the engine, and sound.  One that was made by hand or changed by mistake
would lead compiled code astray, or keep it busy; so it is refused first.  Whether a deal agrees
with a view that is sound in itself, only counting tells.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sjavs_agents.worlds.piles import count_bits
from sjavs_env import Phase, PlayerView
from sjavs_env.observation.views import SeatView
from sjavs_env.rules.tables import N_CLASSES, NO_LEAD, NONE, Bool, Ints, RuleTables

__all__ = ["check_views"]

MOST_NUMBER = 2**31  # of points and the like
_OF_SEATS = {"calls", "open", "covering", "trick", "played", "void", "points", "tricks", "score",
             "active", "playing", "zeros", "known", "announced", "melds"}  # fmt: skip
_WORDS = ("hand", "laid", "open", "covering", "played")
_WORDS_APART = ("out", "aside", "known")


def check_views(tables: RuleTables, view: PlayerView) -> None:
    """ValueError, one line, for the first of some views that no game can show."""
    for broken, text in _broken(tables, view):
        if broken.any():
            row = int(np.flatnonzero(broken)[0])
            raise ValueError(f"view {row} cannot come from a game: {text}")


def _broken(t: RuleTables, view: PlayerView) -> Iterator[tuple[Bool, str]]:
    """Yield which views (R,) break a rule, and the rule; each relies on those before it."""
    if (view.seats is None) != (t.seats is None):
        yield np.ones(len(view), dtype=np.bool_), "seats is of another game"
    parts: list[tuple[PlayerView | SeatView, dict[str, tuple[int, int]], tuple[str, ...]]]
    parts = [(view, _ranges(t), _WORDS)]
    if view.seats is not None:
        parts.append((view.seats, _ranges_apart(t), _WORDS_APART))
    pack = np.bitwise_or.reduce(t.cards.bit)
    for part, ranges, words in parts:
        for name, (least, most) in ranges.items():
            value = _shaped(t, view, name, getattr(part, name))
            outside = (value < least) | (value > most)
            yield np.asarray(outside.any(axis=1)), f"{name} is outside {least} to {most}"
        for name in words:
            value = _shaped(t, view, name, getattr(part, name))
            yield (value & ~pack).any(axis=1), f"{name} holds cards that are not in the pack"
    yield from _cards(t, view)


def _shaped(t: RuleTables, view: PlayerView, name: str, value: Ints) -> Ints:
    """Return a field as (R, numbers); ValueError for another shape."""
    columns = {"fell": (t.n_cards,)}.get(name, (t.n_players,) if name in _OF_SEATS else ())
    if value.shape != (len(view), *columns):
        raise ValueError(f"{name} has shape {value.shape}; allowed: {(len(view), *columns)}")
    return value if columns else value[:, None]


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
    """How the cards of a view fit together."""
    known = view.open if view.seats is None else view.seats.known
    # What the viewer gave for the reserve may be out for all to see: it is in both.
    apart = view.laid if view.seats is None else view.seats.out | view.seats.aside
    sets = np.concatenate([view.hand[:, None], view.played, known[:, 1:], apart[:, None]], axis=1)
    once = count_bits(np.bitwise_or.reduce(sets, axis=1)) == count_bits(sets).sum(axis=1)
    yield ~once, "a card lies in two places"
    held = (known[:, 0] & ~view.hand) if view.seats is not None else np.zeros_like(view.hand)
    yield held != 0, "all know the viewer to hold a card that they do not hold"
    yield ((view.covering & ~view.open) != 0).any(axis=1), "a cover does not lie open"
    fallen = view.fell > 0
    by_seat = (view.played[:, None] & t.cards.bit[:, None]) != 0  # (R, N, P)
    yield (by_seat.any(axis=2) != fallen).any(axis=1), "cards played and cards logged differ"
    count = np.zeros((len(view), t.n_tricks + 1, t.n_players), dtype=np.intp)
    row, card, seat = np.nonzero(by_seat)
    np.add.at(count, (row, view.fell[row, card], seat), 1)
    count = count[:, 1:]
    trick = np.arange(t.n_tricks)
    playing = np.ones_like(view.calls) if view.seats is None else view.seats.playing
    in_trick = np.where(trick < view.trick_number[:, None], playing.sum(axis=1)[:, None], 0)
    in_trick = np.where(trick == view.trick_number[:, None], view.trick_size[:, None], in_trick)
    yield np.asarray((count > 1).any(axis=(1, 2))), "a seat has played twice to a trick"
    yield (count.sum(axis=2) != in_trick).any(axis=1), "a trick has too many cards or too few"
