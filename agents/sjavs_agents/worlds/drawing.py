"""Draw ways to place hidden cards, every one as likely as any other.

A way is drawn from the first stage to the last: each split with the number of ways that begin
with it as its weight, then which cards of a class they are.  Every way has a random stream of
its own (SplitMix64 from a seed), so that the result does not depend on what is drawn with it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.compiled import compiled, spliced
from sjavs_agents.worlds.counting import Plan, plan_ways, row_of
from sjavs_agents.worlds.splits import FIELD, MOST_CARDS, TOP, Int64, Problems, Space

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
    chosen = np.zeros(MOST_CARDS + 1, dtype=np.int64)
    for q in range(len(counts)):
        if start[q] == start[q + 1]:
            continue
        plan = plan_ways(problems, q, space)
        counts[q] = plan.total
        if plan.total:
            _draw(plan, space, stream, chosen, seeds, start[q], start[q + 1], words)
    return words, counts


@compiled
def _draw(
    plan: Plan,
    space: Space,
    stream: UInt64,
    chosen: Int64,
    seeds: UInt64,
    begin: int,
    end: int,
    words: Int64,
) -> None:
    """Draw the ways of one problem.

    What the loops read is taken out of ``space`` once: every look into it counts references.
    """
    piles, cards, shuffled = space.piles, space.cards, space.shuffled
    first, n_cards, prefix = space.first, space.n_cards, space.prefix
    split_pack, split_room, split_ways = space.split_pack, space.split_room, space.split_ways
    stage_pack, stage_room, stage_ways = space.stage_pack, space.stage_room, space.stage_ways
    reaches, ways, opening, key_of = space.reaches, space.ways, space.opening, space.key_of
    pack_of, most, fields = space.pack_of, space.room_of_all[0], space.caps[1]
    n_piles, n_stages = plan.n_piles, plan.n_stages
    for w in range(begin, end):
        stream[0] = seeds[w]
        _choose(
            plan, stream, chosen, reaches, ways, opening, key_of, pack_of, stage_pack, stage_room,
            stage_ways, most, fields,
        )  # fmt: skip
        for stage in range(n_stages):
            pack, room = stage_pack[stage, chosen[stage]], stage_room[stage, chosen[stage]]
            for k in range(first[stage + 1] - 1, first[stage] - 1, -1):
                own = pack
                if k > first[stage]:
                    j = _part(k, pack, room, stream, prefix, split_pack, split_room, split_ways)
                    own = split_pack[k, j]
                    pack, room = pack - own, room - split_room[k, j]
                _give(k, own, n_piles, stream, cards, n_cards, piles, shuffled, words, w)


@spliced
def _choose(
    plan: Plan, stream: UInt64, chosen: Int64, reaches: Int64, ways: Int64, opening: Int64,
    key_of: Int64, pack_of: Int64, stage_pack: Int64, stage_room: Int64, stage_ways: Int64,
    most: int, fields: int,
) -> None:  # fmt: skip
    """Choose the split of every stage."""
    key, stage, wanted, room, number = 0, 0, plan.wanted, most, plan.total
    if plan.bounded:
        rest, i = _below(number, stream), 0
        while rest >= opening[i]:
            rest -= opening[i]
            i += 1
        chosen[0], number = i, opening[i] // stage_ways[0, i]
        key, room, stage = key_of[i], room - stage_room[0, i], 1
    while stage < plan.n_stages:
        rest, held, i, reached = _below(number, stream), pack_of[room] | TOP, -1, 0
        while rest >= 0:
            i += 1
            if plan.bounded:
                reached = reaches[key, stage - 1, i]
            if reached >= 0 and (held - (stage_pack[stage, i] & fields)) & TOP == TOP:
                after = row_of(key, stage + 1, wanted & ~reached, plan)
                number = ways[after + room - stage_room[stage, i]]
                rest -= number * stage_ways[stage, i]
        wanted &= ~reached
        room -= stage_room[stage, i]
        chosen[stage] = i
        stage += 1


@spliced
def _part(
    k: int, pack: int, room: int, stream: UInt64, prefix: Int64, split_pack: Int64,
    split_room: Int64, split_ways: Int64,
) -> int:  # fmt: skip
    """Choose what class k adds to a split of its stage up to this class."""
    rest, j = _below(prefix[k, room], stream), -1
    while rest >= 0:
        j += 1
        if ((pack | TOP) - split_pack[k, j]) & TOP == TOP:
            rest -= prefix[k - 1, room - split_room[k, j]] * split_ways[k, j]
    return j


@spliced
def _give(
    k: int, pack: int, n_piles: int, stream: UInt64, cards: Int64, n_cards: Int64, piles: Int64,
    shuffled: Int64, words: Int64, w: int,
) -> None:  # fmt: skip
    """Give each pile its share of a class, each card as likely as any other; the last the rest."""
    n, at = n_cards[k], 0
    for i in range(n):
        shuffled[i] = cards[k, i]
    for p in range(n_piles - 1):
        word = 0
        for _ in range(pack >> FIELD * p & 255):
            other = at if at + 1 == n else at + _below(n - at, stream)
            word |= 1 << shuffled[other]
            shuffled[other] = shuffled[at]
            at += 1
        words[w, piles[p]] |= word
    word = 0
    for i in range(at, n):
        word |= 1 << shuffled[i]
    words[w, piles[n_piles - 1]] |= word


@spliced
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
