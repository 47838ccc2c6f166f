"""Hidden cards as classes of like cards, and the ways to split a class over piles.

A *pile* is where hidden cards may be (a hand, the talon); it takes a known number of cards.
Cards that the same piles may take, and that count for the same suit lengths, are a *class*:
only how many of them each pile gets matters.  The ways to split n cards of a class into
x_0, x_1, ... are the multinomial n! / (x_0! x_1! ...).

Room is one whole number: the cards still to be taken by each pile but the last, mixed radix.
A split is packed besides, 8 bits for each pile, so that one subtraction compares all piles.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sjavs_agents.compiled import compiled

__all__ = [
    "FIELD",
    "GROUPS",
    "MOST_CARDS",
    "SUITS",
    "TOP",
    "Int64",
    "Problems",
    "Space",
    "lay_out",
    "make_space",
    "size_of",
    "sort_cards",
    "split_stage",
]

Int64 = NDArray[np.int64]

GROUPS = 5  # permanent trumps and the rest of each suit: what suit lengths are made of
SUITS = GROUPS - 1
MOST_PILES = 7  # so that packed counts stay positive
MOST_CARDS = 48
FIELD = 8  # bits for each pile in a packed split
EACH = sum(1 << (FIELD * i) for i in range(MOST_PILES))
TOP = EACH << (FIELD - 1)  # the top bit of each field
CHOOSE = np.array([[comb(n, k) for k in range(MOST_CARDS)] for n in range(MOST_CARDS)], np.int64)


class Problems(NamedTuple):
    """Q times the question how cards may lie.  H piles, S seats whose lengths may be bounded.

    Words are whole numbers with bit k for card k.
    """

    place: Int64  # (Q,) cards to be placed
    may: Int64  # (Q, H) those that each pile may take
    size: Int64  # (Q, H) cards that each pile takes
    counts_for: Int64  # (Q, H) seat for whose lengths the pile counts, or -1
    base: Int64  # (Q, S, GROUPS) known cards that count besides
    low: Int64  # (Q, S, SUITS) bounds of each suit length
    high: Int64  # (Q, S, SUITS)
    need: Int64  # (Q, S) what the longest suit has at least
    groups: Int64  # (GROUPS,) cards of each group


class Space(NamedTuple):
    """Working memory for one problem at a time; K classes, T stages, Z states of room."""

    piles: Int64  # (H,) the piles with room; the largest is last
    stride: Int64  # (H,) of each of them in ``room``
    pack_of: Int64  # (Z,) a state of room, packed
    room_of_all: Int64  # (1,) the state with all piles empty
    caps: Int64  # (2,) that state packed, and the bits of all piles but the last
    cards: Int64  # (K, N) cards of each class
    n_cards: Int64  # (K,)
    mask: Int64  # (K,) piles that may take them, as bits
    split_pack: Int64  # (K, Z) splits of each class
    split_room: Int64
    split_ways: Int64
    n_splits: Int64  # (K,)
    prefix: Int64  # (K, Z) ways for the classes of a stage up to this one, by room they take
    first: Int64  # (T + 1,) first class of each stage
    left: Int64  # (T + 1,) cards of the stage and all later ones
    stage_pack: Int64  # (T, Z) splits of each stage
    stage_room: Int64
    stage_ways: Int64
    n_stage: Int64  # (T,)
    seat_pack: Int64  # (T, Z) what the seats get of a split, packed
    key_of: Int64  # (Z,) key of each split of the permanent trumps
    key_share: Int64  # (Z,) what the seats get of them under a key, packed
    reaches: Int64  # (Z, SUITS, Z) seats that a split takes to their need, or -1 beyond bounds
    ways: Int64  # (flat) see the module
    opening: Int64  # (Z,) ways that begin with each split of the permanent trumps
    row: Int64  # (Z,) scratch
    shuffled: Int64  # (N,) scratch


def make_space(n_states: int, n_seats: int) -> Space:
    """Return working memory for problems with up to ``n_states`` states of room.

    ``n_seats`` is the number of seats whose lengths may be bounded, 0 where none are.
    """
    z, k, keys = n_states, MOST_CARDS, n_states if n_seats else 1

    def empty(*shape: int) -> Int64:
        return np.empty(shape, dtype=np.int64)

    n_ways = max(keys * (GROUPS + 1) * (1 << n_seats), k + 1) * z
    return Space(
        piles=empty(MOST_PILES), stride=empty(MOST_PILES), pack_of=empty(z), room_of_all=empty(1),
        caps=empty(2), cards=empty(k, MOST_CARDS), n_cards=empty(k), mask=empty(k),
        split_pack=empty(k, z), split_room=empty(k, z), split_ways=empty(k, z), n_splits=empty(k),
        prefix=empty(k, z), first=empty(k + 1), left=empty(k + 1), stage_pack=empty(k, z),
        stage_room=empty(k, z), stage_ways=empty(k, z), n_stage=empty(k), seat_pack=empty(k, z),
        key_of=empty(z), key_share=empty(z), reaches=empty(keys, SUITS, z), ways=empty(n_ways),
        opening=empty(z), row=empty(z), shuffled=empty(MOST_CARDS),
    )  # fmt: skip


@compiled
def lay_out(size: Int64, space: Space) -> tuple[int, int]:
    """Number the piles that take cards, the largest last; return how many, and the states."""
    last = 0
    for h in range(len(size)):
        if size[h] > size[last]:
            last = h
    n = 0
    for h in range(len(size)):
        if size[h] > 0 and h != last:
            space.piles[n] = h
            n += 1
    space.piles[n] = last
    states = 1
    for i in range(n):
        space.stride[i] = states
        states *= size[space.piles[i]] + 1
    space.stride[n] = 0
    for room in range(states):
        rest, pack = room, 0
        for i in range(n):
            base = size[space.piles[i]] + 1
            pack |= rest % base << FIELD * i
            rest //= base
        space.pack_of[room] = pack
    space.room_of_all[0] = states - 1
    space.caps[0], space.caps[1] = 0, (1 << FIELD * n) - 1
    for i in range(n):
        space.caps[0] |= size[space.piles[i]] << FIELD * i
    return n + 1, states


@compiled
def size_of(word: int) -> int:
    """Number of cards in a set."""
    n = 0
    while word:
        word &= word - 1
        n += 1
    return n


@compiled
def sort_cards(problems: Problems, q: int, space: Space, n_piles: int, bounded: bool) -> int:
    """Sort the cards into classes and these into stages; return the stages.

    -1 if no pile may take a card.
    """
    may, piles, cards, n_cards = problems.may, space.piles, space.cards, space.n_cards
    masks = space.mask
    k = stage = 0
    for g in range(GROUPS if bounded else 1):
        start, word = k, problems.place[q]
        if bounded:
            word &= problems.groups[g]
        card = -1
        while word:
            card += 1
            if not word & 1:
                word >>= 1
                continue
            word >>= 1
            mask = 0
            for i in range(n_piles):
                mask |= (may[q, piles[i]] >> card & 1) << i
            if mask == 0:
                return -1
            at = start
            while at < k and masks[at] != mask:
                at += 1
            if at == k:
                masks[k], n_cards[k] = mask, 0
                k += 1
            cards[at, n_cards[at]] = card
            n_cards[at] += 1
        if bounded:
            space.first[stage] = start
            stage += 1
    if not bounded:
        for stage in range(k):
            space.first[stage] = stage
        stage = k
    space.first[stage] = k
    space.left[stage] = 0
    for s in range(stage - 1, -1, -1):
        space.left[s] = space.left[s + 1]
        for c in range(space.first[s], space.first[s + 1]):
            space.left[s] += n_cards[c]
    return stage


@compiled
def _split_class(space: Space, size: Int64, k: int, n_piles: int) -> None:
    """List the splits of a class over the piles that may take it."""
    pack, room, ways = space.split_pack[k], space.split_room[k], space.split_ways[k]
    left, piles, strides, n = space.row, space.piles, space.stride, 1
    mask = space.mask[k]
    pack[0], room[0], ways[0], left[0] = 0, 0, 1, space.n_cards[k]
    for i in range(n_piles):
        if not mask >> i & 1:
            continue
        is_last, stride = mask >> (i + 1) == 0, strides[i]
        most, old, kept = size[piles[i]], n, 0
        for at in range(old):
            if is_last:  # takes the rest
                x = left[at]
                if x <= most:
                    pack[kept] = pack[at] | x << FIELD * i
                    room[kept] = room[at] + x * stride
                    ways[kept] = ways[at]
                    kept += 1
                continue
            for x in range(1, min(most, left[at]) + 1):
                pack[n] = pack[at] | x << FIELD * i
                room[n] = room[at] + x * stride
                ways[n] = ways[at] * CHOOSE[left[at], x]
                left[n] = left[at] - x
                n += 1
        if is_last:
            n = kept
    space.n_splits[k] = n


@compiled
def split_stage(space: Space, size: Int64, stage: int, n_piles: int, n_states: int) -> None:
    """List the splits of a stage; where it has several classes, add up what comes to the same."""
    first, end = space.first[stage], space.first[stage + 1]
    pack, room, ways = space.stage_pack[stage], space.stage_room[stage], space.stage_ways[stage]
    pack[0], room[0], ways[0], n = 0, 0, 1, 1
    caps = space.caps[0] | size[space.piles[n_piles - 1]] << FIELD * (n_piles - 1)
    for k in range(first, end):
        _split_class(space, size, k, n_piles)
        if k == first:
            n = space.n_splits[k]
            pack[:n], room[:n] = space.split_pack[k, :n], space.split_room[k, :n]
            ways[:n] = space.split_ways[k, :n]
        total, packed = space.prefix[k], space.row
        if end - first > 1:
            total[:n_states] = 0
        if k == first:
            for i in range(n if end - first > 1 else 0):
                total[room[i]] = ways[i]
            continue
        split_pack, split_room, split_ways = (
            space.split_pack[k],
            space.split_room[k],
            space.split_ways[k],
        )
        for i in range(n):
            for j in range(space.n_splits[k]):
                both = pack[i] + split_pack[j]
                if ((caps | TOP) - both) & TOP == TOP:
                    to = room[i] + split_room[j]
                    total[to] += ways[i] * split_ways[j]
                    packed[to] = both
        n = 0
        for to in range(n_states):
            if total[to]:
                pack[n], room[n], ways[n] = packed[to], to, total[to]
                n += 1
    space.n_stage[stage] = n
