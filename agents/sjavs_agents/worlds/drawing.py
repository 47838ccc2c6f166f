"""Draw ways to place hidden cards, every one as likely as any other.

A way is drawn from the first stage to the last: each split with the number of ways that begin
with it as its weight, then which cards of a kind they are.  Every way has a random stream of
its own (SplitMix64 from a seed), so that the result does not depend on what is drawn with it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.compiled import compiled, spliced
from sjavs_agents.worlds.counting import (
    PERMANENT,
    Plan,
    Point,
    plan_ways,
    point_after,
    point_after_trumps,
    ways_from,
)
from sjavs_agents.worlds.packed import fits, guarded, share
from sjavs_agents.worlds.problems import MOST_CARDS, Int64, Problems
from sjavs_agents.worlds.splits import Space
from sjavs_env.randomness import GOLDEN, MIX_FACTORS, MIX_SHIFTS

__all__ = ["draw_ways"]

UInt64 = NDArray[np.uint64]

STEP, MIX1, MIX2 = (np.uint64(x) for x in (GOLDEN, *MIX_FACTORS))
SHIFT1, SHIFT2, SHIFT3 = (np.uint64(x) for x in MIX_SHIFTS)
BITS_32, ONE = np.uint64(32), np.uint64(1)
HALF, ALL = np.uint64(2**32 - 1), np.uint64(2**64 - 1)


@compiled
def draw_ways(problems: Problems, start: Int64, seeds: UInt64, space: Space) -> tuple[Int64, Int64]:
    """Return words (W, H) of the piles in each of W ways, and the ways there are (Q,).

    Ways ``start[q] : start[q + 1]`` are of problem q, each drawn with its seed (W,).  A problem
    of which none are wanted is not looked at.
    """
    words = np.zeros((len(seeds), problems.size.shape[1]), dtype=np.int64)
    counts = np.zeros(len(problems.place), dtype=np.int64)
    streams, chosen = seeds.copy(), np.zeros(MOST_CARDS + 1, dtype=np.int64)
    for q in range(len(counts)):
        if start[q] == start[q + 1]:
            continue
        plan = plan_ways(problems, q, space)
        counts[q] = plan.total
        if plan.total:
            for w in range(start[q], start[q + 1]):
                stream = streams[w : w + 1]
                _choose_splits(space, plan, stream, chosen)
                _give_cards(space, plan, stream, chosen, words[w])
    return words, counts


@compiled
def _choose_splits(space: Space, plan: Plan, stream: UInt64, chosen: Int64) -> None:
    """Choose the split (stages,) of every stage."""
    point, ways = Point(0, 0, plan.wanted, plan.empty.n_rooms - 1), plan.total
    if plan.bounded:
        rest, i = _below(ways, stream), 0
        while rest >= space.opening[i]:
            rest -= space.opening[i]
            i += 1
        chosen[PERMANENT], point = i, point_after_trumps(space, plan, i)
        ways = space.opening[i] // space.of_stage.ways[PERMANENT, i]
    while point.stage < plan.n_stages:
        rest, i, after = _below(ways, stream), -1, point
        while rest >= 0:
            i += 1
            after = point_after(space, plan, point, i)
            ways = ways_from(space, plan, after)
            rest -= ways * space.of_stage.ways[point.stage, i]
        chosen[point.stage], point = i, after


@compiled
def _give_cards(space: Space, plan: Plan, stream: UInt64, chosen: Int64, words: Int64) -> None:
    """Give piles (H,) their cards of every stage, from its last kind to its first."""
    stages, kinds, first = space.of_stage, space.of_kind, space.kinds.first
    for stage in range(plan.n_stages):
        packed, room = stages.packed[stage, chosen[stage]], stages.room[stage, chosen[stage]]
        for kind in range(first[stage + 1] - 1, first[stage], -1):
            j = _choose_part(space, kind, packed, room, stream)
            _give_kind(space, plan, kind, kinds.packed[kind, j], stream, words)
            packed -= kinds.packed[kind, j]
            room -= kinds.room[kind, j]
        if first[stage] < first[stage + 1]:
            _give_kind(space, plan, first[stage], packed, stream, words)


@compiled
def _choose_part(space: Space, kind: int, packed: int, room: int, stream: UInt64) -> int:
    """Choose which split of a kind is in a split of its stage up to this kind."""
    up_to, kinds = space.up_to, space.of_kind
    rest, j = _below(up_to[kind, room], stream), -1
    while rest >= 0:
        j += 1
        if fits(kinds.packed[kind, j], guarded(packed)):
            rest -= up_to[kind - 1, room - kinds.room[kind, j]] * kinds.ways[kind, j]
    return j


@compiled
def _give_kind(
    space: Space, plan: Plan, kind: int, packed: int, stream: UInt64, words: Int64
) -> None:
    """Give each pile (H,) its share of a kind, each card as likely as any other."""
    piles, last = space.rooms.piles, plan.empty.n_piles - 1
    cards, n = space.unsorted, space.kinds.n_cards[kind]
    cards[:n] = space.kinds.cards[kind, :n]
    at = 0
    for i in range(last):
        words[piles[i]] |= _draw_cards(cards, at, n, share(packed, i), stream)
        at += share(packed, i)
    for place in range(at, n):  # all that are left
        words[piles[last]] |= 1 << cards[place]


@compiled
def _draw_cards(cards: Int64, at: int, n: int, number: int, stream: UInt64) -> int:
    """Draw a set of the cards from ``at`` to n - 1; those not drawn come to stand behind."""
    word = 0
    for place in range(at, at + number):
        other = place if place + 1 == n else place + _below(n - place, stream)
        word |= 1 << cards[other]
        cards[other] = cards[place]
    return word


@spliced
def _next(stream: UInt64) -> np.uint64:
    """Return the next word of a stream."""
    stream[0] += STEP
    x = stream[0]
    x = (x ^ (x >> SHIFT1)) * MIX1
    x = (x ^ (x >> SHIFT2)) * MIX2
    return x ^ (x >> SHIFT3)


@compiled
def _below(m: int, stream: UInt64) -> int:
    """Draw a whole number from 0 to m - 1, each as likely as any other.

    Below 2^32 by the multiplication of Lemire (ACM Trans. Model. Comput. Simul. 29(1), 2019),
    else by the remainder; words that would favour some numbers are drawn anew.
    """
    size = np.uint64(m)
    if size <= HALF:
        product = (_next(stream) >> BITS_32) * size
        if (product & HALF) < size:
            least = (HALF - size + ONE) % size
            while (product & HALF) < least:
                product = (_next(stream) >> BITS_32) * size
        return int(product >> BITS_32)
    surplus = (ALL - size + ONE) % size  # 2^64 modulo m
    word = _next(stream)
    while word > ALL - surplus:
        word = _next(stream)
    return int(word % size)
