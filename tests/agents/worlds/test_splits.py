"""Kinds of like cards and their splits: each way to fill the piles stands in exactly one split."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod

import numpy as np
import pytest

from sjavs_agents.worlds.counting import count_ways
from sjavs_agents.worlds.packed import FIELD, MOST_PILES, fits, guarded, share
from sjavs_agents.worlds.placement_problems import GROUPS, SUITS, Problems
from sjavs_agents.worlds.splits import number_rooms, sort_cards, space_for, split_stage


def packed(numbers: list[int]) -> int:
    return sum(n << FIELD * pile for pile, n in enumerate(numbers))


def test_packed_numbers_are_compared_pile_by_pile() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        some, room = rng.integers(4, size=(2, MOST_PILES)).tolist()
        assert [share(packed(some), pile) for pile in range(MOST_PILES)] == some
        may = all(n <= most for n, most in zip(some, room, strict=True))
        assert fits(packed(some), guarded(packed(room))) == may


def problem(may: list[int], size: list[int], groups: list[int]) -> Problems:
    """One question about the cards that any pile may take; lengths count for the first pile."""
    n_seats = 1
    place = int(np.bitwise_or.reduce(may))
    arrays = (
        [place], [may], [size], [[0, *[-1] * (len(size) - 1)]],
        np.zeros((1, n_seats, GROUPS)), np.zeros((1, n_seats, SUITS)),
        np.full((1, n_seats, SUITS), 40), np.zeros((1, n_seats)), groups,
    )  # fmt: skip
    return Problems(*(np.array(a, dtype=np.int64) for a in arrays))


def all_ways(may: list[int], size: list[int]) -> list[tuple[int, ...]]:
    """The pile of each card, in every way to fill the piles."""
    cards = [card for card in range(16) if any(pile >> card & 1 for pile in may)]
    takers = [[p for p, pile in enumerate(may) if pile >> card & 1] for card in cards]
    return [way for way in product(*takers) if [way.count(p) for p in range(len(may))] == size]


# cards 0 to 3 may lie in three piles, 4 to 6 in two of them, 7 in a single one
MAY, SIZE = [0b11111111, 0b00001111, 0b01111111], [3, 2, 3]
ONE_GROUP = [0, 0xFFFF, 0, 0, 0]  # all cards are of one suit


def test_all_ways_are_counted_once() -> None:
    question = problem(MAY, SIZE, ONE_GROUP)
    assert count_ways(question, space_for(question, bounded=False)).tolist() == [
        len(all_ways(MAY, SIZE))
    ]


@pytest.mark.parametrize("bounded", [False, True])
def test_splits_of_a_stage_are_those_of_its_kinds_together(bounded: bool) -> None:
    question = problem(MAY, SIZE, ONE_GROUP)
    space = space_for(question, bounded=bounded)
    size = question.size[0]
    empty = number_rooms(size, space.rooms)
    n_stages = sort_cards(question, 0, space, empty.n_piles, bounded)
    assert n_stages == (GROUPS if bounded else 3)
    listed = []
    for stage in range(n_stages):
        split_stage(space, size, stage, empty)
        n = space.of_stage.number[stage]
        shares = [
            tuple(share(int(p), pile) for pile in range(empty.n_piles))
            for p in space.of_stage.packed[stage, :n]
        ]
        assert len(set(shares)) == n
        listed.append(dict(zip(shares, space.of_stage.ways[stage, :n].tolist(), strict=True)))
    full = tuple(size[space.rooms.piles[: empty.n_piles]].tolist())
    found = sum(
        prod(ways for _, ways in chosen)
        for chosen in product(*(stage.items() for stage in listed))
        if tuple(map(sum, zip(*(split for split, _ in chosen), strict=True))) == full
    )
    assert found == len(all_ways(MAY, SIZE))


def test_bounded_lengths_leave_out_the_ways_that_break_them() -> None:
    question = problem(MAY, SIZE, [0, 0b00010011, 0b11101100, 0, 0])
    question.low[0, 0, 0] = 2  # the first pile has two of cards 0, 1 and 4 or more
    lengths = Counter(sum(way[card] == 0 for card in (0, 1, 4)) for way in all_ways(MAY, SIZE))
    counted = count_ways(question, space_for(question, bounded=True))
    assert counted.tolist() == [lengths[2] + lengths[3]]
