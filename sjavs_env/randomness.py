"""Generators made from a seed that do not give it away.

The deals of a seed can be dealt again by anybody who knows it, so a player must not find it in
the generator that it draws from.  NumPy keeps the seed of a generator inside it
(``bit_generator.seed_seq.entropy``), and children made by ``spawn`` keep it as well.  Here a
one-way hash stands between: the same seed, domain and keys always give the same generator, others
give one that has nothing to do with it, and no way leads back.  (A seed that can be guessed can
be tried out all the same: where players are not to be trusted, take a large one.)
"""

from __future__ import annotations

from hashlib import blake2b
from operator import index

import numpy as np

__all__ = ["GOLDEN", "MIX_FACTORS", "MIX_SHIFTS", "derived", "derived_word"]

# SplitMix64 makes words that look random of a counter which grows by GOLDEN: the word is shifted
# to the right, combined with itself and multiplied, twice, and then shifted and combined again
# (Steele, Lea and Flood, OOPSLA 2014).
GOLDEN = 0x9E3779B97F4A7C15  # 2**64 / golden ratio
MIX_FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
MIX_SHIFTS = (30, 27, 31)

_PERSON = b"sjavs random"  # sets these apart from other uses of the hash


def derived(seed: int, domain: str, *keys: int | str) -> np.random.Generator:
    """Return the generator of a seed for one purpose, told by ``domain`` and any ``keys``.

    ``seed`` is a whole number of any size.  The generator holds, and hands to its children,
    nothing but a hash of all three.
    """
    return np.random.default_rng(int.from_bytes(_digest(seed, domain, keys, 32), "little"))


def derived_word(seed: int, domain: str, *keys: int | str) -> int:
    """Return a whole number below 2**63 made in the same way, for what wants a seed of its own."""
    return int.from_bytes(_digest(seed, domain, keys, 8), "little") >> 1


def _digest(seed: int, domain: str, keys: tuple[int | str, ...], size: int) -> bytes:
    plain = [key if isinstance(key, str) else index(key) for key in keys]
    words = repr((index(seed), str(domain), *plain))  # no two lists of values are written alike
    return blake2b(words.encode(), digest_size=size, person=_PERSON).digest()
