"""Draw ways to place hidden cards, every one as likely as any other.

A way is drawn from the first stage to the last: each split with the number of ways that begin
with it as its weight, then which cards of a class they are.  Every way has a random stream of
its own (SplitMix64 from a seed), so that the result does not depend on what is drawn with it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.search.compiled import compiled
from agents.search.counting import Plan, plan_ways, row_of
from agents.search.splits import FIELD, TOP, Int64, Problems, Space

__all__ = ["draw_ways"]

UInt64 = NDArray[np.uint64]

GOLDEN, MIX1, MIX2 = (
    np.uint64(x) for x in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
SHIFT1, SHIFT2, SHIFT3, BITS_32, ONE = (np.uint64(x) for x in (30, 27, 31, 32, 1))
HALF, ALL = np.uint64(2**32 - 1), np.uint64(2**64 - 1)


@compiled
def draw_ways(problems: Problems, start: Int64, seeds: UInt64, space: Space) -> tuple[Int64, Int64]:
    """Return words (W, H) of the piles in each of W ways, and the ways there are (Q,).

    Ways ``start[q] : start[q + 1]`` are of problem q, each drawn with its seed (W,).  A problem
    of which none are wanted is not looked at.
    """
    words = np.zeros((len(seeds), problems.size.shape[1]), dtype=np.int64)
    counts = np.zeros(len(problems.place), dtype=np.int64)
    stream = np.zeros(1, dtype=np.uint64)
    for q in range(len(counts)):
        if start[q] == start[q + 1]:
            continue
        plan = plan_ways(problems, q, space)
        counts[q] = plan.total
        for w in range(start[q], start[q + 1] if plan.total else start[q]):
            stream[0] = seeds[w]
            _draw_one(plan, space, stream, words[w])
    return words, counts


@compiled
def _next(stream: UInt64) -> np.uint64:
    """Return the next word of a stream."""
    stream[0] += GOLDEN
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


@compiled
def _draw_one(plan: Plan, space: Space, stream: UInt64, words: Int64) -> None:
    """Draw one way into the words of its piles."""
    key, stage, wanted, room = 0, 0, plan.wanted, space.room_of_all[0]
    ways = plan.total
    if plan.bounded:
        rest, i = _below(plan.total, stream), 0
        while rest >= space.opening[i]:
            rest -= space.opening[i]
            i += 1
        _give_stage(plan, space, 0, i, stream, words)
        key, room, stage = space.key_of[i], room - space.stage_room[0, i], 1
        ways = space.opening[i] // space.stage_ways[0, i]
    while stage < plan.n_stages:
        rest, held, i = _below(ways, stream), space.pack_of[room] | TOP, -1
        while rest >= 0:
            i += 1
            reached = space.reaches[key, stage - 1, i] if plan.bounded else 0
            pack = space.stage_pack[stage, i] & space.caps[1]
            if reached >= 0 and (held - pack) & TOP == TOP:
                after = row_of(space, key, stage + 1, wanted & ~reached, plan)
                ways = space.ways[after + room - space.stage_room[stage, i]]
                rest -= ways * space.stage_ways[stage, i]
        if plan.bounded:
            wanted &= ~space.reaches[key, stage - 1, i]
        room -= space.stage_room[stage, i]
        _give_stage(plan, space, stage, i, stream, words)
        stage += 1


@compiled
def _give_stage(plan: Plan, space: Space, stage: int, i: int, stream: UInt64, words: Int64) -> None:
    """Give out the cards of a stage by its split i, drawing what each of its classes adds."""
    first, end = space.first[stage], space.first[stage + 1]
    pack, room = space.stage_pack[stage, i], space.stage_room[stage, i]
    for k in range(end - 1, first, -1):
        rest, j = _below(space.prefix[k, room], stream), -1
        while rest >= 0:
            j += 1
            if ((pack | TOP) - space.split_pack[k, j]) & TOP == TOP:
                before = space.prefix[k - 1, room - space.split_room[k, j]]
                rest -= before * space.split_ways[k, j]
        _give_class(plan, space, k, space.split_pack[k, j], stream, words)
        pack -= space.split_pack[k, j]
        room -= space.split_room[k, j]
    if end > first:
        _give_class(plan, space, first, pack, stream, words)


@compiled
def _give_class(plan: Plan, space: Space, k: int, pack: int, stream: UInt64, words: Int64) -> None:
    """Give each pile its share of a class, each card as likely as any other; the last the rest."""
    n, at = space.n_cards[k], 0
    cards = space.shuffled[:n]
    cards[:] = space.cards[k, :n]
    for p in range(plan.n_piles - 1):
        word = 0
        for _ in range(pack >> FIELD * p & 255):
            other = at + _below(n - at, stream)
            card = cards[other]
            cards[other] = cards[at]
            cards[at] = card
            word |= 1 << card
            at += 1
        words[space.piles[p]] |= word
    word = 0
    for other in range(at, n):
        word |= 1 << cards[other]
    words[space.piles[plan.n_piles - 1]] |= word
