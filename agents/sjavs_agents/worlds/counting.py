"""Count the ways to place hidden cards: exact, in whole numbers, by dynamic programming.

Classes of cards (see ``splits``) are placed stage by stage:

- Where calls bound suit lengths, the permanent trumps are placed first, since they count for
  every suit.  For each way to share them among the bounded hands (a *key*) the four suits
  follow, each a stage whose splits must keep to the bounds.
- Else every class is a stage, and there is a single key.

``ways[key, stage, wanted, room]`` is the number of ways to place the cards of a stage and of all
later ones into piles with so much room, so that of the seats ``wanted`` (bits) each reaches the
length it needs in one of these suits.

All numbers stay below 2^63: the most ways have a seat that is out of the match and sees one card
of 36, 35! / (9!^3 8!) = 5.4 * 10^18; with 24 cards in three hands there are 9.5 * 10^9.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sjavs_agents.compiled import compiled
from sjavs_agents.worlds.splits import (
    FIELD,
    MOST_CARDS,
    SUITS,
    TOP,
    Int64,
    Problems,
    Space,
    lay_out,
    size_of,
    sort_cards,
    split_stage,
)

__all__ = ["Plan", "count_ways", "count_ways_by_card", "plan_ways", "row_of", "ways_from"]


class Plan(NamedTuple):
    """What ``plan_ways`` found out about one problem."""

    total: int
    n_piles: int
    n_states: int
    n_stages: int
    wanted: int  # seats, as bits, that still have to reach a length
    bounded: bool


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

    A card is put there and the others are counted anew; cards of one class have equal numbers.
    """
    n_piles = problems.size.shape[1]
    counts = np.zeros(len(problems.place), dtype=np.int64)
    by_card = np.zeros((len(counts), n_piles, MOST_CARDS), dtype=np.int64)
    cards, n_cards = np.empty_like(space.cards), np.empty_like(space.n_cards)
    for q in range(len(counts)):
        plan = plan_ways(problems, q, space)
        counts[q] = plan.total
        n_classes = space.first[plan.n_stages] if plan.total else 0
        cards[:n_classes], n_cards[:n_classes] = space.cards[:n_classes], space.n_cards[:n_classes]
        for k in range(n_classes):
            bit, group = 1 << cards[k, 0], 0
            while not problems.groups[group] & bit:
                group += 1
            for h in range(n_piles):
                if not problems.may[q, h] & bit or problems.size[q, h] == 0:
                    continue
                seat = problems.counts_for[q, h]
                problems.place[q] -= bit
                problems.size[q, h] -= 1
                if seat >= 0:
                    problems.base[q, seat, group] += 1
                ways = plan_ways(problems, q, space).total
                problems.place[q] += bit
                problems.size[q, h] += 1
                if seat >= 0:
                    problems.base[q, seat, group] -= 1
                for i in range(n_cards[k]):
                    by_card[q, h, cards[k, i]] = ways
    return counts, by_card


@compiled
def plan_ways(problems: Problems, q: int, space: Space) -> Plan:
    """Fill ``space`` with all that is needed to draw one way, and count the ways."""
    size = problems.size[q]
    n_piles, n_states = lay_out(size, space)
    bounded, wanted = _binds(problems, q)
    n_stages = sort_cards(problems, q, space, n_piles, bounded)
    plan = Plan(0, n_piles, n_states, n_stages, wanted, bounded)
    if n_stages < 0 or size.sum() != space.left[0]:
        return plan
    for stage in range(n_stages):
        split_stage(space, size, stage, n_piles, n_states)
    full = space.room_of_all[0]
    if not bounded:
        _follow(space, 0, 0, plan)
        total = ways_from(space, 0, 0, 0, full, plan)
        return Plan(total, n_piles, n_states, n_stages, wanted, bounded)
    _seat_shares(problems, q, space, n_stages, n_piles)
    n_keys = _share_permanent(space)
    _keep_bounds(problems, q, space, n_keys)
    for key in range(n_keys):
        _follow(space, key, 1, plan)
    total = 0
    for i in range(space.n_stage[0]):
        rest = full - space.stage_room[0, i]
        ways = ways_from(space, space.key_of[i], 1, wanted, rest, plan)
        space.opening[i] = ways * space.stage_ways[0, i]
        total += space.opening[i]
    return Plan(total, n_piles, n_states, n_stages, wanted, bounded)


@compiled
def _binds(problems: Problems, q: int) -> tuple[bool, int]:
    """Whether any bound can still be broken, and whose longest suit has to grow (bits)."""
    binds, wanted = False, 0
    for seat in range(problems.need.shape[1]):
        room, may = 0, 0
        for h in range(problems.size.shape[1]):
            if problems.counts_for[q, h] == seat:
                room += problems.size[q, h]
                may |= problems.may[q, h]
        may &= problems.place[q]
        base, longest = problems.base[q, seat], 0
        for suit in range(SUITS):
            length = base[0] + base[1 + suit]
            open_cards = may & (problems.groups[0] | problems.groups[1 + suit])
            most = length + min(room, size_of(open_cards))
            if problems.low[q, seat, suit] > length or problems.high[q, seat, suit] < most:
                binds = True
            longest = max(longest, length)
        if problems.need[q, seat] > longest:
            wanted |= 1 << seat
    return binds or wanted > 0, wanted


@compiled
def _seat_shares(problems: Problems, q: int, space: Space, n_stages: int, n_piles: int) -> None:
    """Pack what the seats get of every split, for the lengths that are bounded."""
    counts_for, piles, stage_pack = problems.counts_for, space.piles, space.stage_pack
    seat_pack, n_stage = space.seat_pack, space.n_stage
    for stage in range(n_stages):
        for i in range(n_stage[stage]):
            share = 0
            for p in range(n_piles):
                seat = counts_for[q, piles[p]]
                if seat >= 0:
                    share += (stage_pack[stage, i] >> FIELD * p & 255) << FIELD * seat
            seat_pack[stage, i] = share


@compiled
def _share_permanent(space: Space) -> int:
    """Give every split of the permanent trumps its key; return the number of keys."""
    n_keys = 0
    for i in range(space.n_stage[0]):
        key = 0
        while key < n_keys and space.key_share[key] != space.seat_pack[0, i]:
            key += 1
        if key == n_keys:
            space.key_share[key] = space.seat_pack[0, i]
            n_keys += 1
        space.key_of[i] = key
    return n_keys


@compiled
def _keep_bounds(problems: Problems, q: int, space: Space, n_keys: int) -> None:
    """Mark what each split of each suit does to the lengths, under each key."""
    for suit in range(SUITS):
        base, low, high, need = 0, 0, 0, 0
        for seat in range(problems.need.shape[1]):
            at = FIELD * seat
            base += (problems.base[q, seat, 0] + problems.base[q, seat, 1 + suit]) << at
            low += problems.low[q, seat, suit] << at
            high += problems.high[q, seat, suit] << at
            need += problems.need[q, seat] << at
        seat_pack, reaches, n_splits = space.seat_pack, space.reaches, space.n_stage[1 + suit]
        for key in range(n_keys):
            share = base + space.key_share[key]
            for i in range(n_splits):
                length = share + seat_pack[1 + suit, i]
                fits = ((length | TOP) - low) & ((high | TOP) - length) & TOP == TOP
                top = (length | TOP) - need
                reached = top >> 7 & 1 | top >> 14 & 2 | top >> 21 & 4
                reaches[key, suit, i] = reached if fits else -1


@compiled
def row_of(key: int, stage: int, wanted: int, plan: Plan) -> int:
    """Where the ways of a stage begin in ``space.ways``."""
    return ((key * (plan.n_stages + 1) + stage) * (plan.wanted + 1) + wanted) * plan.n_states


@compiled
def _follow(space: Space, key: int, first: int, plan: Plan) -> None:
    """Fill in the ways of all stages after ``first`` under a key, from the last one back."""
    ways, row, pack_of, reaches = space.ways, space.row, space.pack_of, space.reaches
    stage_pack, stage_room, stage_ways = space.stage_pack, space.stage_room, space.stage_ways
    n_stage, caps, fields, n_open = space.n_stage, space.caps[0] | TOP, space.caps[1], 1
    for at in range(row_of(key, first + 1, 0, plan), row_of(key, plan.n_stages + 1, 0, plan)):
        ways[at] = 0
    ways[row_of(key, plan.n_stages, 0, plan)] = 1
    row[0] = 0  # the states that lead somewhere
    for stage in range(plan.n_stages - 1, first, -1):
        for wanted in range(plan.wanted + 1):
            if wanted & ~plan.wanted:
                continue
            to = row_of(key, stage, wanted, plan)
            for i in range(n_stage[stage]):
                reached = reaches[key, stage - 1, i] if plan.bounded else 0
                if reached < 0:
                    continue
                left, room = caps - (stage_pack[stage, i] & fields), stage_room[stage, i]
                after = row_of(key, stage + 1, wanted & ~reached, plan)
                for j in range(n_open):
                    state = row[j]
                    if (left - pack_of[state]) & TOP == TOP:
                        ways[to + room + state] += stage_ways[stage, i] * ways[after + state]
        n_open, to = 0, row_of(key, stage, 0, plan)
        for state in range(plan.n_states):
            if ways[to + state]:
                row[n_open] = state
                n_open += 1


@compiled
def ways_from(space: Space, key: int, stage: int, wanted: int, room: int, plan: Plan) -> int:
    """Ways to place the cards of a stage and all later ones, of which the later are known."""
    if stage == plan.n_stages:
        return 1 if room == 0 and wanted == 0 else 0
    ways, reaches, fields = space.ways, space.reaches, space.caps[1]
    stage_pack, stage_room, stage_ways = space.stage_pack, space.stage_room, space.stage_ways
    total, held = 0, space.pack_of[room] | TOP
    for i in range(space.n_stage[stage]):
        reached = reaches[key, stage - 1, i] if plan.bounded else 0
        if reached >= 0 and (held - (stage_pack[stage, i] & fields)) & TOP == TOP:
            after = row_of(key, stage + 1, wanted & ~reached, plan)
            total += stage_ways[stage, i] * ways[after + room - stage_room[stage, i]]
    return total
