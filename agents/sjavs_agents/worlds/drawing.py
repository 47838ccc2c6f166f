"""Draw ways to place hidden cards, every one as likely as any other.

A way is drawn from the first stage to the last: each split with the number of ways that begin
with it as its weight, then which cards of a kind they are.  Every way has a random stream of
its own (SplitMix64 from a seed), so that the result does not depend on what is drawn with it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.compiled.compiler import compiled, spliced
from sjavs_agents.worlds.counting import PERMANENT, Plan, Point, plan_ways, point_after, row_of
from sjavs_agents.worlds.packed import fits, guarded, share
from sjavs_agents.worlds.placement_problems import Int64, Problems
from sjavs_agents.worlds.splits import Space
from sjavs_env.randomness import GOLDEN, MIX_FACTORS, MIX_SHIFTS
from sjavs_env.rules.tables import NONE

__all__ = ["draw_ways"]

UInt64 = NDArray[np.uint64]

STEP, MIX1, MIX2 = (np.uint64(x) for x in (GOLDEN, *MIX_FACTORS))
SHIFT1, SHIFT2, SHIFT3 = (np.uint64(x) for x in MIX_SHIFTS)
BITS_32, ONE = np.uint64(32), np.uint64(1)
HALF, ALL = np.uint64(2**32 - 1), np.uint64(2**64 - 1)


@compiled
def draw_ways(problems: Problems, start: Int64, seeds: UInt64, space: Space) -> tuple[Int64, Int64]:
    """Return words (W, piles) of the piles in each of W ways, and the ways there are (Q,).

    Ways ``start[q] : start[q + 1]`` are of problem q, each drawn with its seed (W,).  A problem
    of which none are wanted is not looked at.
    """
    words = np.zeros((len(seeds), problems.size.shape[1]), dtype=np.int64)
    counts = np.zeros(len(problems.place), dtype=np.int64)
    streams = seeds.copy()
    for q in range(len(counts)):
        begin, end = start[q], start[q + 1]
        if begin == end:
            continue
        plan = plan_ways(problems, q, space)
        counts[q] = plan.total
        if plan.total:
            chosen = _choose_splits(space, plan, streams[begin:end])
            for stage in range(plan.n_stages):
                _give_stage(space, plan, stage, chosen[stage], streams[begin:end], words[begin:end])
    return words, counts


# What the loops below read is taken out of ``space`` once: every look into it counts references.


@compiled
def _choose_splits(space: Space, plan: Plan, streams: UInt64) -> Int64:
    """Choose the split of every stage (stages, W), in ways with these streams (W,)."""
    packed, taken, ways = space.of_stage.packed, space.of_stage.room, space.of_stage.ways
    opening, key_of, table, reaches = space.opening, space.key_of, space.table, space.reaches
    packed_of, counted = space.rooms.packed, plan.empty.counted
    chosen = np.empty((plan.n_stages, len(streams)), dtype=np.int64)
    for w in range(len(streams)):
        point, number = Point(0, PERMANENT, plan.wanted, plan.empty.n_rooms - 1), plan.total
        if plan.bounded:
            rest, i = _below(number, streams, w), 0
            while rest >= opening[i]:
                rest -= opening[i]
                i += 1
            chosen[PERMANENT, w], number = i, opening[i] // ways[PERMANENT, i]
            point = point_after(point, key_of[i], 0, taken[PERMANENT, i])
        while point.stage < plan.n_stages:
            stage, room = point.stage, guarded(packed_of[point.room])
            rest, i, after = _below(number, streams, w), -1, point
            while rest >= 0:
                i += 1
                reached = reaches[point.key, stage - PERMANENT - 1, i] if plan.bounded else 0
                if reached != NONE and fits(packed[stage, i] & counted, room):
                    after = point_after(point, point.key, reached, taken[stage, i])
                    number = table[row_of(plan, after) + after.room]
                    rest -= number * ways[stage, i]
            chosen[stage, w], point = i, after
    return chosen


@compiled
def _give_stage(
    space: Space, plan: Plan, stage: int, chosen: Int64, streams: UInt64, words: Int64
) -> None:
    """Give piles (W, piles) the cards of a stage as chosen (W,), from last kind to first."""
    first, end = space.kinds.first[stage], space.kinds.first[stage + 1]
    packed, room = space.of_stage.packed[stage][chosen], space.of_stage.room[stage][chosen]
    for kind in range(end - 1, first, -1):
        part = _choose_parts(space, kind, packed, room, streams)
        _give_kind(space, plan, kind, part, streams, words)
    if first < end:
        _give_kind(space, plan, first, packed, streams, words)


@compiled
def _choose_parts(space: Space, kind: int, packed: Int64, room: Int64, streams: UInt64) -> Int64:
    """Choose which split of a kind (W,) is in splits of its stage up to this kind (W,).

    It is taken out of these.
    """
    up_to, before, part = space.up_to[kind], space.up_to[kind - 1], np.empty_like(packed)
    of_kind, taken, ways = space.of_kind.packed[kind], space.of_kind.room[kind], space.of_kind.ways
    for w in range(len(streams)):
        rest, j, most = _below(up_to[room[w]], streams, w), -1, guarded(packed[w])
        while rest >= 0:
            j += 1
            if fits(of_kind[j], most):
                rest -= before[room[w] - taken[j]] * ways[kind, j]
        part[w] = of_kind[j]
        packed[w] -= of_kind[j]
        room[w] -= taken[j]
    return part


@compiled
def _give_kind(
    space: Space, plan: Plan, kind: int, packed: Int64, streams: UInt64, words: Int64
) -> None:
    """Give piles (W, piles) their shares (W,) of a kind, each card as likely as any other."""
    piles, last = space.rooms.piles, plan.empty.n_piles - 1
    of_kind, cards, n = space.kinds.cards[kind], space.unsorted, space.kinds.n_cards[kind]
    for w in range(len(streams)):
        for place in range(n):
            cards[place] = of_kind[place]
        at = 0
        for i in range(last):
            end, word = at + share(packed[w], i), 0
            while at < end:
                other = at if at + 1 == n else at + _below(n - at, streams, w)
                word |= 1 << cards[other]
                cards[other] = cards[at]  # what is not drawn comes to stand behind
                at += 1
            words[w, piles[i]] |= word
        for place in range(at, n):  # the last pile gets the rest
            words[w, piles[last]] |= 1 << cards[place]


@spliced
def _next(streams: UInt64, w: int) -> np.uint64:
    """Return the next word of a stream."""
    streams[w] += STEP
    x = streams[w]
    x = (x ^ (x >> SHIFT1)) * MIX1
    x = (x ^ (x >> SHIFT2)) * MIX2
    return x ^ (x >> SHIFT3)


@compiled
def _below(m: int, streams: UInt64, w: int) -> int:
    """Draw a whole number from 0 to m - 1 with stream w, each as likely as any other.

    Below 2^32 by the multiplication of Lemire (ACM Trans. Model. Comput. Simul. 29(1), 2019),
    else by the remainder; words that would favour some numbers are drawn anew.
    """
    size = np.uint64(m)
    if size <= HALF:
        product = (_next(streams, w) >> BITS_32) * size
        if (product & HALF) < size:
            least = (HALF - size + ONE) % size
            while (product & HALF) < least:
                product = (_next(streams, w) >> BITS_32) * size
        return int(product >> BITS_32)
    surplus = (ALL - size + ONE) % size  # 2^64 modulo m
    word = _next(streams, w)
    while word > ALL - surplus:
        word = _next(streams, w)
    return int(word % size)
