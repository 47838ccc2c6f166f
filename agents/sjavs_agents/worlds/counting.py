"""Count the ways to place hidden cards: exact, in whole numbers, by dynamic programming.

Kinds of cards (see ``splits``) are placed stage by stage:

- Where calls bound suit lengths, the permanent trumps are placed first, since they count for
  every suit.  For each way to share them among the bounded hands (a *key*) the four suits
  follow, each a stage whose splits must keep to the bounds.
- Else every kind is a stage, and there is a single key.

What is still to be placed before a stage depends on little: the key, the room of the piles, and
which seats still *want* a suit of the length that their calls need.  That is a ``Point``.  From
it each split of the stage leads to a point of the next stage::

    ways(point) = sum over splits:  ways of the split * ways(the point it leads to)

The ways of all points are tabled (``Space.table``) from the last stage back.

All numbers stay below 2^63: the most ways have a seat that is out of the match and sees one card
of 36, 35! / (9!^3 8!) = 5.4 * 10^18; with 24 cards in three hands there are 9.5 * 10^9.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sjavs_agents.card_sets import popcount
from sjavs_agents.compiled import compiled, inlined
from sjavs_agents.worlds.packed import FIELD, fits, guarded, share
from sjavs_agents.worlds.problems import MOST_CARDS, SUITS, Int64, Problems
from sjavs_agents.worlds.splits import Room, Space, number_rooms, sort_cards, split_stage
from sjavs_env.rules.tables import NONE

__all__ = [
    "Plan",
    "Point",
    "count_ways",
    "count_ways_by_card",
    "plan_ways",
    "point_after",
    "point_after_trumps",
    "ways_from",
]

PERMANENT = 0  # the stage of the permanent trumps, where lengths are bounded


class Plan(NamedTuple):
    """What ``plan_ways`` found out about one problem."""

    total: int  # ways there are
    empty: Room
    n_stages: int
    wanted: int  # seats, as bits, that have to reach a length
    bounded: bool  # whether any length can still break a bound


class Point(NamedTuple):
    """What is still to be placed, and what has to come of it."""

    key: int
    stage: int  # the next one
    wanted: int  # seats, as bits, that still have to reach a length
    room: int


@compiled
def count_ways(problems: Problems, space: Space) -> Int64:
    """Return in how many ways the cards of each problem may lie (Q,)."""
    counts = np.zeros(len(problems.place), dtype=np.int64)
    for q in range(len(counts)):
        counts[q] = plan_ways(problems, q, space).total
    return counts


@compiled
def count_ways_by_card(problems: Problems, space: Space) -> tuple[Int64, Int64]:
    """Return the ways of each problem (Q,), and those in which a card lies in a pile (Q, H, N).

    A card is put there and the others are counted anew; cards of one kind have equal numbers.
    """
    n_piles = problems.size.shape[1]
    counts = np.zeros(len(problems.place), dtype=np.int64)
    by_card = np.zeros((len(counts), n_piles, MOST_CARDS), dtype=np.int64)
    cards, n_cards = np.empty_like(space.kinds.cards), np.empty_like(space.kinds.n_cards)
    for q in range(len(counts)):
        plan = plan_ways(problems, q, space)
        counts[q] = plan.total
        n_kinds = space.kinds.first[plan.n_stages] if plan.total else 0
        cards[:n_kinds] = space.kinds.cards[:n_kinds]  # counting anew sorts others
        n_cards[:n_kinds] = space.kinds.n_cards[:n_kinds]
        for kind in range(n_kinds):
            for pile in range(n_piles):
                ways = _count_with(problems, q, space, cards[kind, 0], pile)
                for i in range(n_cards[kind]):
                    by_card[q, pile, cards[kind, i]] = ways
    return counts, by_card


@compiled
def _count_with(problems: Problems, q: int, space: Space, card: int, pile: int) -> int:
    """Count the ways in which a card lies in a pile."""
    if not problems.may[q, pile] >> card & 1 or problems.size[q, pile] == 0:
        return 0
    seat, group = problems.counts_for[q, pile], 0
    while not problems.groups[group] >> card & 1:
        group += 1
    problems.place[q] ^= 1 << card
    problems.size[q, pile] -= 1
    if seat != NONE:
        problems.base[q, seat, group] += 1
    ways = plan_ways(problems, q, space).total
    if seat != NONE:
        problems.base[q, seat, group] -= 1
    problems.size[q, pile] += 1
    problems.place[q] ^= 1 << card
    return ways


@compiled
def plan_ways(problems: Problems, q: int, space: Space) -> Plan:
    """Fill ``space`` with all that is needed to draw one way, and count the ways."""
    size = problems.size[q]
    empty = number_rooms(size, space.rooms)
    bounded, wanted = _look_at_bounds(problems, q)
    n_stages = sort_cards(problems, q, space, empty.n_piles, bounded)
    if n_stages == NONE or size.sum() != popcount(problems.place[q]):
        return Plan(0, empty, 0, wanted, bounded)
    for stage in range(n_stages):
        split_stage(space, size, stage, empty)
    plan = Plan(0, empty, n_stages, wanted, bounded)
    if bounded:
        total = _count_bounded(problems, q, space, plan)
    else:
        _fill_table(space, plan, 0, 0)
        total = _count_from(space, plan, Point(0, 0, 0, empty.n_rooms - 1))
    return Plan(total, empty, n_stages, wanted, bounded)


@compiled
def _look_at_bounds(problems: Problems, q: int) -> tuple[bool, int]:
    """Whether any bound can still be broken, and whose longest suit has to grow (bits)."""
    binds, wanted = False, 0
    for seat in range(problems.need.shape[1]):
        room, may = 0, 0
        for pile in range(problems.size.shape[1]):
            if problems.counts_for[q, pile] == seat:
                room += problems.size[q, pile]
                may |= problems.may[q, pile]
        may &= problems.place[q]
        base, longest = problems.base[q, seat], 0
        for suit in range(SUITS):
            length = base[0] + base[1 + suit]
            to_come = may & (problems.groups[0] | problems.groups[1 + suit])
            most = length + min(room, popcount(to_come))
            if problems.low[q, seat, suit] > length or problems.high[q, seat, suit] < most:
                binds = True
            longest = max(longest, length)
        if problems.need[q, seat] > longest:
            wanted |= 1 << seat
    return binds or wanted > 0, wanted


@compiled
def _count_bounded(problems: Problems, q: int, space: Space, plan: Plan) -> int:
    """Count the ways that keep to the bounds of lengths, by splits of the permanent trumps."""
    _share_among_seats(problems, q, space, plan)
    n_keys = _find_keys(space)
    _keep_bounds(problems, q, space, n_keys)
    for key in range(n_keys):
        _fill_table(space, plan, key, PERMANENT + 1)
    total = 0
    for i in range(space.of_stage.number[PERMANENT]):
        ways = _count_from(space, plan, point_after_trumps(space, plan, i))
        space.opening[i] = ways * space.of_stage.ways[PERMANENT, i]
        total += space.opening[i]
    return total


@compiled
def _share_among_seats(problems: Problems, q: int, space: Space, plan: Plan) -> None:
    """Pack what the seats get of every split, for the lengths that are bounded."""
    counts_for, piles, by_seat = problems.counts_for[q], space.rooms.piles, space.by_seat
    packed, number = space.of_stage.packed, space.of_stage.number
    for stage in range(plan.n_stages):
        for i in range(number[stage]):
            by_seat[stage, i] = 0
            for p in range(plan.empty.n_piles):
                seat = counts_for[piles[p]]
                if seat != NONE:
                    by_seat[stage, i] += share(packed[stage, i], p) << FIELD * seat


@compiled
def _find_keys(space: Space) -> int:
    """Give every split of the permanent trumps its key; return the number of keys."""
    n_keys = 0
    for i in range(space.of_stage.number[PERMANENT]):
        key = 0
        while key < n_keys and space.key_share[key] != space.by_seat[PERMANENT, i]:
            key += 1
        if key == n_keys:
            space.key_share[key] = space.by_seat[PERMANENT, i]
            n_keys += 1
        space.key_of[i] = key
    return n_keys


@compiled
def _keep_bounds(problems: Problems, q: int, space: Space, n_keys: int) -> None:
    """Mark what each split of each suit does to the lengths, under each key."""
    by_seat, reaches, number = space.by_seat, space.reaches, space.of_stage.number
    for suit in range(SUITS):
        stage = PERMANENT + 1 + suit
        base, low, high, need = 0, 0, 0, 0
        for seat in range(problems.need.shape[1]):
            at = FIELD * seat
            base += (problems.base[q, seat, 0] + problems.base[q, seat, 1 + suit]) << at
            low += problems.low[q, seat, suit] << at
            high += problems.high[q, seat, suit] << at
            need += problems.need[q, seat] << at
        for key in range(n_keys):
            for i in range(number[stage]):
                length = base + space.key_share[key] + by_seat[stage, i]
                if fits(low, guarded(length)) and fits(length, guarded(high)):
                    reaches[key, suit, i] = _at_least(length, need)
                else:
                    reaches[key, suit, i] = NONE


@inlined
def _at_least(length: int, need: int) -> int:
    """Which seats (of three at most), as bits, have the length that they need; both are packed."""
    top = guarded(length) - need  # the top bit of a field stays where the need is met
    return top >> 7 & 1 | top >> 14 & 2 | top >> 21 & 4


@compiled
def _fill_table(space: Space, plan: Plan, key: int, first: int) -> None:
    """Table the ways from all points of a key after stage ``first``, from the last stage back."""
    table, ends = space.table, _row(plan, key, plan.n_stages, 0)
    table[_row(plan, key, first + 1, 0) : _row(plan, key, plan.n_stages + 1, 0)] = 0
    table[ends] = 1  # nothing is left, for no room, and nobody wants any more
    alive, n_alive = space.scratch, 1  # room that leads somewhere from the stage after
    alive[0] = 0
    for stage in range(plan.n_stages - 1, first, -1):
        for wanted in range(plan.wanted + 1):
            if wanted & ~plan.wanted == 0:
                _add_ways(space, plan, Point(key, stage, wanted, 0), n_alive)
        row, n_alive = _row(plan, key, stage, 0), 0
        for room in range(plan.empty.n_rooms):
            if table[row + room]:
                alive[n_alive] = room
                n_alive += 1


@inlined
def _add_ways(space: Space, plan: Plan, point: Point, n_alive: int) -> None:
    """Add the ways of one stage to points of any room: each split on top of what leads on."""
    packed, taken, ways = space.of_stage.packed, space.of_stage.room, space.of_stage.ways
    table, alive, packed_of = space.table, space.scratch, space.rooms.packed
    stage, counted = point.stage, plan.empty.counted
    row, most = _row(plan, point.key, stage, point.wanted), plan.empty.packed & counted
    for i in range(space.of_stage.number[stage]):
        reached = _reached(space, plan, point.key, stage, i)
        if reached == NONE:
            continue
        after = _row(plan, point.key, stage + 1, point.wanted & ~reached)
        left = guarded(most) - (packed[stage, i] & counted)
        for j in range(n_alive):
            room = alive[j]
            if fits(packed_of[room], left):
                table[row + taken[stage, i] + room] += ways[stage, i] * table[after + room]


@inlined
def _row(plan: Plan, key: int, stage: int, wanted: int) -> int:
    """Where points with no room are in the table; those with room follow."""
    return ((key * (plan.n_stages + 1) + stage) * (plan.wanted + 1) + wanted) * plan.empty.n_rooms


@inlined
def _reached(space: Space, plan: Plan, key: int, stage: int, i: int) -> int:
    """Which seats, as bits, a split takes to the length that they need; NONE if it is forbidden."""
    return space.reaches[key, stage - PERMANENT - 1, i] if plan.bounded else 0


@compiled
def _count_from(space: Space, plan: Plan, point: Point) -> int:
    """Count the ways from a point on; those from the next stage on are in the table."""
    total, ways = 0, space.of_stage.ways
    if point.stage == plan.n_stages:
        return ways_from(space, plan, point)
    for i in range(space.of_stage.number[point.stage]):
        after = point_after(space, plan, point, i)
        total += ways[point.stage, i] * ways_from(space, plan, after)
    return total


@inlined
def point_after(space: Space, plan: Plan, point: Point, i: int) -> Point:
    """Return where split i of the stage leads; with room NONE if it must not or does not fit."""
    stage, counted = point.stage, plan.empty.counted
    reached = _reached(space, plan, point.key, stage, i)
    room = guarded(space.rooms.packed[point.room])
    if reached == NONE or not fits(space.of_stage.packed[stage, i] & counted, room):
        return Point(point.key, stage + 1, 0, NONE)
    left = point.room - space.of_stage.room[stage, i]
    return Point(point.key, stage + 1, point.wanted & ~reached, left)


@inlined
def point_after_trumps(space: Space, plan: Plan, i: int) -> Point:
    """Return where split i of the permanent trumps leads, which come first with bounds."""
    left = plan.empty.n_rooms - 1 - space.of_stage.room[PERMANENT, i]
    return Point(space.key_of[i], PERMANENT + 1, plan.wanted, left)


@inlined
def ways_from(space: Space, plan: Plan, point: Point) -> int:
    """Look up the ways from a point in the table; none from one that cannot be."""
    if point.room == NONE:
        return 0
    return space.table[_row(plan, point.key, point.stage, point.wanted) + point.room]
