"""Generators that are made from a seed and do not give it away."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from sjavs_env.randomness import derived, derived_word

SEEDS = (0, 1, 7, 987654321, 2**53 + 1, 2**64 - 1, 2**100 + 3)


def numbers_in(value: Any) -> Iterator[int]:
    """Every whole number in nested containers and arrays."""
    if isinstance(value, dict):
        for part in value.values():
            yield from numbers_in(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from numbers_in(part)
    elif isinstance(value, np.ndarray):
        yield from map(int, value.ravel())
    elif isinstance(value, (int, np.integer)):
        yield int(value)


def held_by(rng: np.random.Generator) -> set[int]:
    """Every number that a generator shows of itself, with those of its children."""
    found: set[int] = set()
    for one in (rng, *rng.spawn(2)):
        seeds: Any = one.bit_generator.seed_seq
        found |= set(numbers_in([one.bit_generator.state, seeds.state, seeds.pool]))
    return found


@pytest.mark.parametrize("seed", [s for s in SEEDS if s > 2**20])
def test_a_derived_generator_holds_neither_the_seed_nor_a_part_of_it(seed: int) -> None:
    rng = derived(seed, "policy", 3)
    words = {seed, *(seed >> shift & 0xFFFFFFFF for shift in (0, 32, 64))}
    parts = {word for word in words if word > 2**20}  # small numbers stand for much else
    assert not parts & held_by(rng)
    assert str(seed).encode() not in pickle.dumps(rng)
    assert parts & held_by(np.random.default_rng(seed)), "the check finds a seed that is there"


def test_the_same_seed_domain_and_keys_give_the_same_numbers() -> None:
    for seed in SEEDS:
        first, again = (derived(seed, "policy", 3, "a").integers(2**62, size=4) for _ in range(2))
        assert (first == again).all()
        assert derived_word(seed, "policy") == derived_word(seed, "policy")


def test_any_other_seed_domain_or_key_gives_other_numbers() -> None:
    ways: list[tuple[Any, ...]] = [
        *((seed, "policy") for seed in SEEDS),
        (1, "arena"),
        (1, "policy", 0),
        (1, "policy", "0"),
        (1, "policy", 0, 0),
        (1, "policy", 11),
        (1, "policy", 1, 1),
        (1, "policy', 1, '"),
        (11, "policy"),
        (-1, "policy"),
    ]
    drawn = [(derived(*way).integers(2**62), derived_word(*way)) for way in ways]
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in combinations(drawn, 2))


def test_numbers_of_numpy_count_as_the_numbers_they_are() -> None:
    kinds: list[Any] = [int, np.uint64, np.int8]
    words = {derived_word(kind(5), "policy", kind(2)) for kind in kinds}
    assert len(words) == 1
    assert 0 <= words.pop() < 2**63


@pytest.mark.parametrize("seed", [1.0, "1", None])
def test_a_seed_that_is_no_whole_number_is_an_error(seed: Any) -> None:
    with pytest.raises(TypeError):
        derived(seed, "policy")


def test_derived_numbers_stay_what_they_are() -> None:
    """Results of seeded matches rest on them."""
    assert derived_word(0, "policy") == WORD_0
    assert derived(7, "arena", 1, 2).integers(1000, size=4).tolist() == DRAWN_7


WORD_0 = 4659897439242434294
DRAWN_7 = [664, 161, 790, 537]
