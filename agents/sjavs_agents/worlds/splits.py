"""Hidden cards as kinds of like cards, and the ways to split a kind over piles.

A *pile* is where hidden cards may be (a hand, the talon); it takes a known number of cards.
Cards that the same piles may take, and that count for the same suit lengths, are of one *kind*:
only how many of them each pile gets matters.  A *split* says how many, and stands for
n! / (x_0! x_1! ...) ways to give pile i x_i of the n cards::

    kind                   may be in piles         a split     its ways
    four spades            0, 1 and 2              2, 1, 1     4! / (2! 1! 1!) = 12
    three hearts           0 and 2: 1 is void      1, 0, 2     3! / (1! 2!)    =  3

*Room* is what the piles may still take, as one whole number: a digit for each pile but the last,
which takes what is left over.  0 is no room, and the largest number that of the empty piles::

    piles of 3, 2 and more     room = x_0 + 4 * x_1, one of 4 * 3

Kinds are placed in *stages*: all kinds of one group of suit lengths together where lengths are
bounded, else one kind at a time.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from sjavs_agents.compiled.card_sets import lowest
from sjavs_agents.compiled.compiler import compiled, inlined
from sjavs_agents.worlds.packed import FIELD, MOST_PILES, fits, guarded
from sjavs_agents.worlds.placement_problems import GROUPS, MOST_CARDS, SUITS, Int64, Problems
from sjavs_env.rules.tables import NONE

__all__ = [
    "Kinds",
    "Room",
    "Rooms",
    "Space",
    "Splits",
    "make_space",
    "number_rooms",
    "sort_cards",
    "space_for",
    "split_stage",
]

CHOOSE = np.array([[comb(n, k) for k in range(MOST_CARDS)] for n in range(MOST_CARDS)], np.int64)


class Room(NamedTuple):
    """The empty piles of one problem, in the order in which they are numbered."""

    n_piles: int  # those that take cards
    n_rooms: int  # numbers of room
    packed: int  # what all of them take
    counted: int  # the bits of packed numbers that room counts: of all piles but the last


class Rooms(NamedTuple):
    """What the numbers of room mean."""

    piles: Int64  # (piles,) which ones take cards; the largest is last
    stride: Int64  # (piles,) what a card of each of them takes of the room
    packed: Int64  # (rooms,) what each pile may still take


class Kinds(NamedTuple):
    """The cards of one problem, kind by kind, and the kinds of each stage."""

    takers: Int64  # (kinds,) piles that may take them, as bits
    cards: Int64  # (kinds, MOST_CARDS)
    n_cards: Int64  # (kinds,)
    first: Int64  # (stages + 1,) first kind of each stage


class Splits(NamedTuple):
    """Lists of splits: of every kind, or of every stage."""

    packed: Int64  # (lists, splits) what each pile gets
    room: Int64  # (lists, splits) the room that it takes
    ways: Int64  # (lists, splits)
    number: Int64  # (lists,) splits in each list


class Space(NamedTuple):
    """Working memory for one problem at a time."""

    rooms: Rooms
    kinds: Kinds
    of_kind: Splits
    of_stage: Splits
    up_to: Int64  # (kinds, rooms) ways of the kinds of a stage up to this one, by the room taken
    by_seat: Int64  # (stages, splits) what the seats get of a split, packed
    key_of: Int64  # (splits,) key of each split of the permanent trumps
    key_share: Int64  # (keys,) what the seats get of them under a key, packed
    reaches: Int64  # (keys, SUITS, splits) seats that a split takes to their need; NONE: forbidden
    table: Int64  # (flat) ways by key, stage, seats and room: see ``counting``
    opening: Int64  # (splits,) ways that begin with each split of the permanent trumps
    scratch: Int64  # (rooms,)
    unsorted: Int64  # (MOST_CARDS,)


def make_space(n_rooms: int, n_seats: int) -> Space:
    """Return working memory for problems with up to ``n_rooms`` numbers of room.

    ``n_seats`` is the number of seats whose lengths may be bounded, 0 where none are.
    """
    n_kinds, n_keys = MOST_CARDS, n_rooms if n_seats else 1

    def empty(*shape: int) -> Int64:
        return np.empty(shape, dtype=np.int64)

    def splits() -> Splits:
        packed, room, ways = (empty(n_kinds, n_rooms) for _ in range(3))
        return Splits(packed, room, ways, empty(n_kinds))

    return Space(
        rooms=Rooms(empty(MOST_PILES), empty(MOST_PILES), empty(n_rooms)),
        kinds=Kinds(empty(n_kinds), empty(n_kinds, MOST_CARDS), empty(n_kinds), empty(n_kinds + 1)),
        of_kind=splits(),
        of_stage=splits(),
        up_to=empty(n_kinds, n_rooms),
        by_seat=empty(n_kinds, n_rooms),
        key_of=empty(n_rooms),
        key_share=empty(n_rooms),
        reaches=empty(n_keys, SUITS, n_rooms),
        table=empty(max(n_keys * (GROUPS + 1) * (1 << n_seats), n_kinds + 1) * n_rooms),
        opening=empty(n_rooms),
        scratch=empty(n_rooms),
        unsorted=empty(MOST_CARDS),
    )


def space_for(problems: Problems, *, bounded: bool) -> Space:
    """Return working memory for the largest of some problems, with ``bounded`` lengths or not."""
    digits = problems.size + 1
    n_rooms = digits.prod(axis=1) // digits.max(axis=1)
    return make_space(int(n_rooms.max(initial=1)), problems.need.shape[1] if bounded else 0)


@compiled
def number_rooms(size: Int64, rooms: Rooms) -> Room:
    """Put the piles (piles,) that take cards in order, the largest last, and number their room."""
    piles, stride, packed = rooms.piles, rooms.stride, rooms.packed
    largest, n = np.argmax(size), 0
    for pile in range(len(size)):
        if size[pile] > 0 and pile != largest:
            piles[n] = pile
            n += 1
    piles[n], stride[n] = largest, 0
    all_of_them, n_rooms = size[largest] << FIELD * n, 1
    for i in range(n):
        all_of_them |= size[piles[i]] << FIELD * i
        stride[i] = n_rooms
        n_rooms *= size[piles[i]] + 1
    for room in range(n_rooms):
        left, shares = room, 0
        for i in range(n):
            digits = size[piles[i]] + 1
            shares |= left % digits << FIELD * i
            left //= digits
        packed[room] = shares
    return Room(n + 1, n_rooms, all_of_them, (1 << FIELD * n) - 1)


@compiled
def sort_cards(problems: Problems, q: int, space: Space, n_piles: int, bounded: bool) -> int:
    """Sort the cards into kinds and these into stages; return how many stages there are.

    NONE if no pile may take a card.
    """
    may, kinds, piles = problems.may[q], space.kinds, space.rooms.piles[:n_piles]
    if not bounded:
        n_kinds = _sort_into_kinds(kinds, piles, may, problems.place[q], 0)
        for stage in range(n_kinds + 1):
            kinds.first[stage] = stage
        return n_kinds
    n_kinds = 0
    for group in range(GROUPS):
        kinds.first[group] = n_kinds
        cards = problems.place[q] & problems.groups[group]
        n_kinds = _sort_into_kinds(kinds, piles, may, cards, n_kinds)
        if n_kinds == NONE:
            return NONE
    kinds.first[GROUPS] = n_kinds
    return GROUPS


@inlined
def _sort_into_kinds(kinds: Kinds, piles: Int64, may: Int64, cards: int, n_kinds: int) -> int:
    """Add the kinds of some cards to those found before; return how many there are, or NONE."""
    takers_of, cards_of, n_cards, first = kinds.takers, kinds.cards, kinds.n_cards, n_kinds
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        takers = 0
        for i in range(len(piles)):
            takers |= (may[piles[i]] >> card & 1) << i
        if not takers:
            return NONE
        kind = first
        while kind < n_kinds and takers_of[kind] != takers:
            kind += 1
        if kind == n_kinds:
            takers_of[kind], n_cards[kind] = takers, 0
            n_kinds += 1
        cards_of[kind, n_cards[kind]] = card
        n_cards[kind] += 1
    return n_kinds


@compiled
def split_stage(space: Space, size: Int64, stage: int, empty: Room) -> None:
    """List the splits of a stage: of its first kind, then of that and the next one together ..."""
    first, end = space.kinds.first[stage], space.kinds.first[stage + 1]
    for kind in range(first, end):
        _split_kind(space, size, kind, empty.n_piles)
    _begin_stage(space, stage, empty)
    for kind in range(first + 1, end):
        _add_kind(space, stage, kind, empty)


@inlined
def _begin_stage(space: Space, stage: int, empty: Room) -> None:
    """Take over the splits of the first kind of a stage; a stage of no kind has an empty split."""
    one, all_ = space.of_kind, space.of_stage
    first, end = space.kinds.first[stage], space.kinds.first[stage + 1]
    if first == end:
        all_.packed[stage, 0], all_.room[stage, 0], all_.ways[stage, 0] = 0, 0, 1
        all_.number[stage] = 1
        return
    n = all_.number[stage] = one.number[first]
    all_.packed[stage, :n] = one.packed[first, :n]
    all_.room[stage, :n] = one.room[first, :n]
    all_.ways[stage, :n] = one.ways[first, :n]
    if end - first > 1:
        up_to, room, ways = space.up_to[first], one.room[first], one.ways[first]
        up_to[: empty.n_rooms] = 0
        for i in range(n):
            up_to[room[i]] = ways[i]


@inlined
def _add_kind(space: Space, stage: int, kind: int, empty: Room) -> None:
    """Join every split of a stage with every one of a further kind, as far as both fit.

    Pairs that take the same room give each pile as many cards: they are one split, with the ways
    of all of them.
    """
    packed, room = space.of_stage.packed[stage], space.of_stage.room[stage]
    ways, n = space.of_stage.ways[stage], space.of_stage.number[stage]
    more_packed, more_room = space.of_kind.packed[kind], space.of_kind.room[kind]
    more_ways, n_more = space.of_kind.ways[kind], space.of_kind.number[kind]
    total, packed_of, most = space.up_to[kind], space.scratch, guarded(empty.packed)
    total[: empty.n_rooms] = 0
    for i in range(n):
        for j in range(n_more):
            both = packed[i] + more_packed[j]
            if fits(both, most):
                taken = room[i] + more_room[j]
                total[taken] += ways[i] * more_ways[j]
                packed_of[taken] = both
    n = 0
    for taken in range(empty.n_rooms):
        if total[taken]:
            packed[n], room[n], ways[n] = packed_of[taken], taken, total[taken]
            n += 1
    space.of_stage.number[stage] = n


class _Partial(NamedTuple):
    """Splits of a kind as far as they have got, pile by pile."""

    packed: Int64  # (splits,) what the piles so far get
    room: Int64  # (splits,) the room that it takes
    ways: Int64  # (splits,)
    left: Int64  # (splits,) cards for the piles to come


@inlined
def _split_kind(space: Space, size: Int64, kind: int, n_piles: int) -> None:
    """List the splits of a kind over the piles that may take it; the last one takes the rest."""
    listed, piles, takers = space.of_kind, space.rooms.piles, space.kinds.takers[kind]
    partial = _Partial(listed.packed[kind], listed.room[kind], listed.ways[kind], space.scratch)
    partial.packed[0], partial.room[0], partial.ways[0] = 0, 0, 1
    partial.left[0], n = space.kinds.n_cards[kind], 1
    for i in range(n_piles):
        if takers >> (i + 1) == 0 and takers >> i & 1:
            n = _give_rest(partial, n, i, size[piles[i]], space.rooms.stride[i])
        elif takers >> i & 1:
            n = _give_some(partial, n, i, size[piles[i]], space.rooms.stride[i])
    listed.number[kind] = n


@inlined
def _give_some(partial: _Partial, n: int, pile: int, most: int, stride: int) -> int:
    """Give a pile none, one, two ... of the cards left in each of n splits; return the new n."""
    packed, room, ways, left = partial
    for at in range(n):  # as it is, the pile gets none
        for x in range(1, min(most, left[at]) + 1):
            packed[n] = packed[at] | x << FIELD * pile
            room[n] = room[at] + x * stride
            ways[n] = ways[at] * CHOOSE[left[at], x]
            left[n] = left[at] - x
            n += 1
    return n


@inlined
def _give_rest(partial: _Partial, n: int, pile: int, most: int, stride: int) -> int:
    """Give a pile all cards left in each of n splits; return how many it has room for."""
    packed, room, ways, left = partial
    kept = 0
    for at in range(n):
        if left[at] <= most:
            packed[kept] = packed[at] | left[at] << FIELD * pile
            room[kept] = room[at] + left[at] * stride
            ways[kept] = ways[at]
            kept += 1
    return kept
