"""Count the ways to place hidden cards: exact, in whole numbers, by dynamic programming.

A *pile* is where hidden cards may be (a hand, the talon); it takes a known number of cards.
Cards that the same piles may take, and that count for the same suit lengths, are a *class*:
only how many of them each pile gets matters.  Classes are placed stage by stage:

- Where calls bound suit lengths, the permanent trumps are placed first, since they count for
  every suit.  For each way to share them among the bounded hands (a *key*) the four suits
  follow, each a stage whose splits must keep to the bounds.
- Else every class is a stage, and there is a single key.

``ways[key, stage, wanted, room]`` is the number of ways to place the cards of a stage and of all
later ones into piles with so much room, so that of the seats ``wanted`` (bits) each reaches the
length it needs in one of these suits.  The ways to split n cards of a class into x_0, x_1, ...
are the multinomial n! / (x_0! x_1! ...).

Room is one whole number: the cards still to be taken by each pile but the last, mixed radix.
A split is packed besides, 8 bits for each pile, so that one subtraction compares all piles.
All numbers stay below 2^63: the most ways have a seat that is out of the match and sees one card
of 36, 35! / (9!^3 8!) = 5.4 * 10^18; with 24 cards in three hands there are 9.5 * 10^9.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.search.compiled import compiled

__all__ = [
    "FIELD",
    "GROUPS",
    "TOP",
    "Plan",
    "Problems",
    "Space",
    "count_ways",
    "count_ways_by_card",
    "make_space",
    "plan_ways",
    "row_of",
    "ways_from",
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
    group: Int64  # (K,)
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


class Plan(NamedTuple):
    """What ``plan_ways`` found out about one problem."""

    total: int
    n_piles: int
    n_states: int
    n_stages: int
    wanted: int  # seats, as bits, that still have to reach a length
    bounded: bool


def make_space(n_states: int, n_seats: int) -> Space:
    """Return working memory for problems with up to ``n_states`` states of room."""
    z, k, seats = n_states, MOST_CARDS, 1 << n_seats

    def empty(*shape: int) -> Int64:
        return np.empty(shape, dtype=np.int64)

    n_ways = max(z * (GROUPS + 1) * seats, k + 1) * z
    return Space(
        piles=empty(MOST_PILES), stride=empty(MOST_PILES), pack_of=empty(z), room_of_all=empty(1),
        caps=empty(2), cards=empty(k, MOST_CARDS), n_cards=empty(k), mask=empty(k), group=empty(k),
        split_pack=empty(k, z), split_room=empty(k, z), split_ways=empty(k, z), n_splits=empty(k),
        prefix=empty(k, z), first=empty(k + 1), left=empty(k + 1), stage_pack=empty(k, z),
        stage_room=empty(k, z), stage_ways=empty(k, z), n_stage=empty(k), seat_pack=empty(k, z),
        key_of=empty(z), key_share=empty(z), reaches=empty(z, SUITS, z), ways=empty(n_ways),
        opening=empty(z), row=empty(z), shuffled=empty(MOST_CARDS),
    )  # fmt: skip


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
    n_piles, n_states = _lay_out(size, space)
    bounded, wanted = _binds(problems, q)
    n_stages = _sort_cards(problems, q, space, n_piles, bounded)
    plan = Plan(0, n_piles, n_states, n_stages, wanted, bounded)
    if n_stages < 0 or size.sum() != space.left[0]:
        return plan
    for stage in range(n_stages):
        _split_stage(space, size, stage, n_piles, n_states)
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
def _lay_out(size: Int64, space: Space) -> tuple[int, int]:
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
            most = length + min(room, _size_of(open_cards))
            if problems.low[q, seat, suit] > length or problems.high[q, seat, suit] < most:
                binds = True
            longest = max(longest, length)
        if problems.need[q, seat] > longest:
            wanted |= 1 << seat
    return binds or wanted > 0, wanted


@compiled
def _size_of(word: int) -> int:
    n = 0
    while word:
        word &= word - 1
        n += 1
    return n


@compiled
def _sort_cards(problems: Problems, q: int, space: Space, n_piles: int, bounded: bool) -> int:
    """Sort the cards into classes and these into stages; return the stages.

    -1 if no pile may take a card.
    """
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
                mask |= (problems.may[q, space.piles[i]] >> card & 1) << i
            if mask == 0:
                return -1
            at = start
            while at < k and space.mask[at] != mask:
                at += 1
            if at == k:
                space.mask[k], space.n_cards[k], space.group[k] = mask, 0, g
                k += 1
            space.cards[at, space.n_cards[at]] = card
            space.n_cards[at] += 1
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
            space.left[s] += space.n_cards[c]
    return stage


@compiled
def _split_class(space: Space, size: Int64, k: int, n_piles: int) -> None:
    """List the splits of a class over the piles that may take it."""
    pack, room, ways = space.split_pack[k], space.split_room[k], space.split_ways[k]
    left, n = space.row, 1
    pack[0], room[0], ways[0], left[0] = 0, 0, 1, space.n_cards[k]
    for i in range(n_piles):
        if not space.mask[k] >> i & 1:
            continue
        is_last = space.mask[k] >> (i + 1) == 0
        most, old, kept = size[space.piles[i]], n, 0
        for at in range(old):
            if is_last:  # takes the rest
                x = left[at]
                if x <= most:
                    pack[kept] = pack[at] | x << FIELD * i
                    room[kept] = room[at] + x * space.stride[i]
                    ways[kept] = ways[at]
                    kept += 1
                continue
            for x in range(1, min(most, left[at]) + 1):
                pack[n] = pack[at] | x << FIELD * i
                room[n] = room[at] + x * space.stride[i]
                ways[n] = ways[at] * CHOOSE[left[at], x]
                left[n] = left[at] - x
                n += 1
        if is_last:
            n = kept
    space.n_splits[k] = n


@compiled
def _split_stage(space: Space, size: Int64, stage: int, n_piles: int, n_states: int) -> None:
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
        for i in range(n):
            for j in range(space.n_splits[k]):
                both = pack[i] + space.split_pack[k, j]
                if ((caps | TOP) - both) & TOP == TOP:
                    to = room[i] + space.split_room[k, j]
                    total[to] += ways[i] * space.split_ways[k, j]
                    packed[to] = both
        n = 0
        for to in range(n_states):
            if total[to]:
                pack[n], room[n], ways[n] = packed[to], to, total[to]
                n += 1
    space.n_stage[stage] = n


@compiled
def _seat_shares(problems: Problems, q: int, space: Space, n_stages: int, n_piles: int) -> None:
    """Pack what the seats get of every split, for the lengths that are bounded."""
    for stage in range(n_stages):
        for i in range(space.n_stage[stage]):
            share = 0
            for p in range(n_piles):
                seat = problems.counts_for[q, space.piles[p]]
                if seat >= 0:
                    share += (space.stage_pack[stage, i] >> FIELD * p & 255) << FIELD * seat
            space.seat_pack[stage, i] = share


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
        for key in range(n_keys):
            for i in range(space.n_stage[1 + suit]):
                length = base + space.key_share[key] + space.seat_pack[1 + suit, i]
                fits = ((length | TOP) - low) & ((high | TOP) - length) & TOP == TOP
                top = (length | TOP) - need
                reached = top >> 7 & 1 | top >> 14 & 2 | top >> 21 & 4
                space.reaches[key, suit, i] = reached if fits else -1


@compiled
def row_of(space: Space, key: int, stage: int, wanted: int, plan: Plan) -> int:
    """Where the ways of a stage begin in ``space.ways``."""
    return ((key * (plan.n_stages + 1) + stage) * (plan.wanted + 1) + wanted) * plan.n_states


@compiled
def _follow(space: Space, key: int, first: int, plan: Plan) -> None:
    """Fill in the ways of all stages after ``first`` under a key, from the last one back."""
    caps, n_open = space.caps[0] | TOP, 1
    start = row_of(space, key, first + 1, 0, plan)
    space.ways[start : row_of(space, key, plan.n_stages + 1, 0, plan)] = 0
    space.ways[row_of(space, key, plan.n_stages, 0, plan)] = 1
    space.row[0] = 0  # the states that lead somewhere
    for stage in range(plan.n_stages - 1, first, -1):
        for wanted in range(plan.wanted + 1):
            if wanted & ~plan.wanted:
                continue
            to = row_of(space, key, stage, wanted, plan)
            for i in range(space.n_stage[stage]):
                reached = space.reaches[key, stage - 1, i] if plan.bounded else 0
                if reached < 0:
                    continue
                pack, room = space.stage_pack[stage, i] & space.caps[1], space.stage_room[stage, i]
                ways = space.stage_ways[stage, i]
                after = row_of(space, key, stage + 1, wanted & ~reached, plan)
                for j in range(n_open):
                    state = space.row[j]
                    if (caps - pack - space.pack_of[state]) & TOP == TOP:
                        space.ways[to + room + state] += ways * space.ways[after + state]
        n_open, to = 0, row_of(space, key, stage, 0, plan)
        for state in range(plan.n_states):
            if space.ways[to + state]:
                space.row[n_open] = state
                n_open += 1


@compiled
def ways_from(space: Space, key: int, stage: int, wanted: int, room: int, plan: Plan) -> int:
    """Ways to place the cards of a stage and all later ones, of which the later are known."""
    if stage == plan.n_stages:
        return 1 if room == 0 and wanted == 0 else 0
    total, held = 0, space.pack_of[room] | TOP
    for i in range(space.n_stage[stage]):
        reached = space.reaches[key, stage - 1, i] if plan.bounded else 0
        if reached >= 0 and (held - (space.stage_pack[stage, i] & space.caps[1])) & TOP == TOP:
            after = row_of(space, key, stage + 1, wanted & ~reached, plan)
            rest = room - space.stage_room[stage, i]
            total += space.stage_ways[stage, i] * space.ways[after + rest]
    return total
