"""Write small numbers as bits, many rows at once.

Each number picks a word from a table; the words of a row are put together, unpacked, and copied
into the row, which costs far less than a scattered write for every number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sjavs_env.rules.tables import Ints, Words

__all__ = ["BitWriter", "bits_of_sets", "one_hot"]

WORD_BITS = 64


def one_hot(places: Iterable[int]) -> NDArray[np.uint64]:
    """Return the table that shows value v as the bit ``places[v]``."""
    return np.array([1 << int(place) for place in places], dtype=np.uint64)


def bits_of_sets(sets: Words, size: int) -> NDArray[np.uint8]:
    """Return sets (sets, R) of numbers below ``size``, one after the other, as bits (R, places).

    They are put together without gaps before they are unpacked, which is done a byte at a time.
    """
    words = sets if size == 8 * sets.itemsize else _joined(sets, size)
    by_row = np.ascontiguousarray(words.T).reshape(-1).view(np.uint8)
    bits = np.unpackbits(by_row, bitorder="little")
    return bits.reshape(sets.shape[1], -1)[:, : len(sets) * size]


def _joined(sets: Words, size: int) -> Words:
    """Put sets (sets, R) one after the other into as few words (words, R) as hold them."""
    words = np.zeros((-(-len(sets) * size // WORD_BITS), sets.shape[1]), dtype=np.uint64)
    for i, one in enumerate(sets.astype(np.uint64)):
        word, offset = divmod(i * size, WORD_BITS)
        words[word] |= one << np.uint64(offset)
        if offset + size > WORD_BITS:
            words[word + 1] |= one >> np.uint64(WORD_BITS - offset)
    return words


@dataclass(frozen=True, eq=False)
class _Item:
    """One number: in which word it goes, and what each of its values makes of the word."""

    word: int
    width: int
    table: NDArray[np.uint64]


class BitWriter:
    """Bits of several numbers, one after the other from a column on."""

    def __init__(self, tables: Sequence[NDArray[np.uint64]], column: int) -> None:
        """``tables[i][v]`` are the bits of number i, value v; none is split over two words."""
        self._items: list[_Item] = []
        word = offset = 0
        for table in tables:
            width = int(np.bitwise_or.reduce(table)).bit_length()
            if offset + width > WORD_BITS:
                word, offset = word + 1, 0
            self._items.append(_Item(word, width, table << np.uint64(offset)))
            offset += width
        widths = [sum(i.width for i in self._items if i.word == w) for w in range(word + 1)]
        starts = column + np.cumsum([0, *widths])
        self._columns = [slice(int(a), int(b)) for a, b in pairwise(starts)]

    def write(self, out: NDArray[np.uint8], values: Iterable[Ints]) -> None:
        """Write the numbers, each an array (R,), into their columns of ``out`` (R, F)."""
        words = np.zeros((len(self._columns), len(out)), dtype=np.uint64)
        for item, value in zip(self._items, values, strict=True):
            words[item.word] |= item.table[value]
        flat = np.ascontiguousarray(words.T).reshape(-1).view(np.uint8)
        bits = np.unpackbits(flat, bitorder="little").reshape(len(out), -1)
        for word, columns in enumerate(self._columns):
            start = WORD_BITS * word
            out[:, columns] = bits[:, start : start + columns.stop - columns.start]
