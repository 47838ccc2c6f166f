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

from sjavs_agents.compiled.card_sets import popcount
from sjavs_agents.compiled.compiler import compiled, inlined
from sjavs_agents.worlds.packed import FIELD, fits, guarded, share
from sjavs_agents.worlds.placement_problems import MOST_CARDS, SUITS, Int64, Problems
from sjavs_agents.worlds.splits import Room, Space, number_rooms, sort_cards, split_stage
from sjavs_env.rules.tables import NONE

__all__ = [
    "PERMANENT",
    "Plan",
    "Point",
    "count_ways",
    "count_ways_by_card",
    "plan_ways",
    "point_after",
    "row_of",
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
    """Return the ways of each problem (Q,), and those in which a card lies in a pile (Q, piles, N).

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


@inlined
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


@inlined
def _count_bounded(problems: Problems, q: int, space: Space, plan: Plan) -> int:
    """Count the ways that keep to the bounds of lengths, by splits of the permanent trumps."""
    _share_among_seats(problems, q, space, plan)
    n_keys = _find_keys(space)
    _keep_bounds(problems, q, space, n_keys)
    for key in range(n_keys):
        _fill_table(space, plan, key, PERMANENT + 1)
    taken, ways, opening = space.of_stage.room, space.of_stage.ways, space.opening
    begin, total = Point(0, PERMANENT, plan.wanted, plan.empty.n_rooms - 1), 0
    for i in range(space.of_stage.number[PERMANENT]):
        after = point_after(begin, space.key_of[i], 0, taken[PERMANENT, i])
        opening[i] = ways[PERMANENT, i] * _count_from(space, plan, after)
        total += opening[i]
    return total


@inlined
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


@inlined
def _find_keys(space: Space) -> int:
    """Give every split of the permanent trumps its key; return the number of keys."""
    by_seat, key_of, key_share, n_keys = space.by_seat, space.key_of, space.key_share, 0
    for i in range(space.of_stage.number[PERMANENT]):
        key = 0
        while key < n_keys and key_share[key] != by_seat[PERMANENT, i]:
            key += 1
        if key == n_keys:
            key_share[key] = by_seat[PERMANENT, i]
            n_keys += 1
        key_of[i] = key
    return n_keys


@inlined
def _keep_bounds(problems: Problems, q: int, space: Space, n_keys: int) -> None:
    """Mark what each split of each suit does to the lengths, under each key."""
    by_seat, key_share, reaches = space.by_seat, space.key_share, space.reaches
    for suit in range(SUITS):
        stage = PERMANENT + 1 + suit
        n_splits = space.of_stage.number[stage]
        base, low, high, need = 0, 0, 0, 0
        for seat in range(problems.need.shape[1]):
            at = FIELD * seat
            base += (problems.base[q, seat, 0] + problems.base[q, seat, 1 + suit]) << at
            low += problems.low[q, seat, suit] << at
            high += problems.high[q, seat, suit] << at
            need += problems.need[q, seat] << at
        for key in range(n_keys):
            share_of_key = base + key_share[key]
            for i in range(n_splits):
                length = share_of_key + by_seat[stage, i]
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
    """Table the ways from all points of a key after stage ``first``, from the last stage back.

    Each split of a stage is put on top of every room that leads on from the stage after it.
    """
    table, alive, reaches, packed_of = space.table, space.scratch, space.reaches, space.rooms.packed
    stages, counted = space.of_stage, plan.empty.counted
    packed, taken, ways, number = stages.packed, stages.room, stages.ways, stages.number
    most, n_alive = guarded(plan.empty.packed & counted), _end_table(plan, key, first, table, alive)
    for stage in range(plan.n_stages - 1, first, -1):
        for wanted in range(plan.wanted + 1):
            if wanted & ~plan.wanted:
                continue
            point = Point(key, stage, wanted, 0)
            for i in range(number[stage]):
                reached = reaches[key, stage - PERMANENT - 1, i] if plan.bounded else 0
                if reached == NONE:
                    continue
                here, times = row_of(plan, point) + taken[stage, i], ways[stage, i]
                after = row_of(plan, point_after(point, key, reached, 0))
                left = most - (packed[stage, i] & counted)
                for place in range(n_alive):
                    room = alive[place]
                    if fits(packed_of[room], left):
                        table[here + room] += times * table[after + room]
        n_alive = _list_alive(plan, Point(key, stage, 0, 0), table, alive)


@inlined
def _end_table(plan: Plan, key: int, first: int, table: Int64, alive: Int64) -> int:
    """Clear the table after stage ``first``, but for its end; return how much room leads on.

    In the end nothing is left, for no room, and nobody wants any more: that is one way.
    """
    begin, end = Point(key, first + 1, 0, 0), Point(key, plan.n_stages + 1, 0, 0)
    for place in range(row_of(plan, begin), row_of(plan, end)):
        table[place] = 0
    table[row_of(plan, Point(key, plan.n_stages, 0, 0))] = 1
    alive[0] = 0
    return 1


@inlined
def _list_alive(plan: Plan, point: Point, table: Int64, alive: Int64) -> int:
    """List the room from which ways lead on; return how much there is."""
    row, n = row_of(plan, point), 0
    for room in range(plan.empty.n_rooms):
        if table[row + room]:
            alive[n] = room
            n += 1
    return n


@compiled
def _count_from(space: Space, plan: Plan, point: Point) -> int:
    """Count the ways from a point on; those from the next stage on are in the table."""
    stage, table = point.stage, space.table
    if stage == plan.n_stages:
        return table[row_of(plan, point) + point.room]
    stages, reaches, counted, total = space.of_stage, space.reaches, plan.empty.counted, 0
    packed, taken, ways, room = stages.packed, stages.room, stages.ways, space.rooms.packed
    most = guarded(room[point.room])
    for i in range(stages.number[stage]):
        reached = reaches[point.key, stage - PERMANENT - 1, i] if plan.bounded else 0
        if reached != NONE and fits(packed[stage, i] & counted, most):
            after = point_after(point, point.key, reached, taken[stage, i])
            total += ways[stage, i] * table[row_of(plan, after) + after.room]
    return total


@inlined
def point_after(point: Point, key: int, reached: int, taken: int) -> Point:
    """Return where a split leads: it takes so much room, and ``reached`` seats want no more."""
    return Point(key, point.stage + 1, point.wanted & ~reached, point.room - taken)


@inlined
def row_of(plan: Plan, point: Point) -> int:
    """Return where the points with no room are in the table; those with room follow."""
    row = (point.key * (plan.n_stages + 1) + point.stage) * (plan.wanted + 1) + point.wanted
    return row * plan.empty.n_rooms
