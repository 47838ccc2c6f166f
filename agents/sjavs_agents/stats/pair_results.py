"""Board results of all pairs of a population, as matrices, and drawn again board by board.

What a pair compares is agents that play all seats of a side: a board is one result between two of
them, however many seats a side has.  Pairs that were not played are told, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from sjavs_env.rules.terms import Bool, Floats, Ints

__all__ = ["PairResults", "parts"]

_BATCH = 2**20  # weights held at once


@dataclass(frozen=True, eq=False)
class PairResults:
    """Board results of pairs of agents; ValueError for what is none.

    ``boards[i, j]`` with i < j are (boards,), seen from agent i's side, of boards 0, 1, ....
    All pairs play the same boards, so results of one board belong together; pairs may have
    played different numbers of them.
    """

    agents: tuple[str, ...]
    boards: Mapping[tuple[int, int], Floats]

    def __post_init__(self) -> None:
        """Check the pairs and their results."""
        n = len(self.agents)
        for pair, results in self.boards.items():
            if not 0 <= pair[0] < pair[1] < n:
                raise ValueError(f"pair is {pair}; allowed: two numbers, the lower first, "
                                 f"from 0 to {n - 1}")  # fmt: skip
            if np.ndim(results) != 1 or not len(results) or not np.isfinite(results).all():
                raise ValueError(f"results of pair {pair} are {results}; allowed: a row of "
                                 "finite numbers, one or more")  # fmt: skip

    @property
    def unplayed(self) -> list[tuple[str, str]]:
        """The pairs that were not played."""
        pairs = [p for p in combinations(range(len(self.agents)), 2) if p not in self.boards]
        return [(self.agents[i], self.agents[j]) for i, j in pairs]

    @cached_property
    def played(self) -> Bool:
        """Which pairs (agents, agents) were played, symmetric."""
        found = np.zeros((len(self.agents),) * 2, dtype=np.bool_)
        for i, j in self.boards:
            found[i, j] = found[j, i] = True
        return found

    def margins(self, weights: Floats | None = None) -> Floats:
        """Return the mean board results (..., agents, agents) from the row's side, NaN without any.

        ``weights`` (..., boards) say how often each board counts, by default once.
        """
        weights = self._once if weights is None else weights
        found = np.full((*weights.shape[:-1], *self.played.shape), np.nan)
        for i in range(len(self.agents)):
            found[..., i, i] = 0.0
        for (i, j), results in self.boards.items():
            counts = weights[..., : len(results)]
            found[..., i, j] = counts @ results / counts.sum(axis=-1)
            found[..., j, i] = -found[..., i, j]
        return found

    def wins(self, weights: Floats | None = None) -> Floats:
        """Return the boards (..., agents, agents) that the row won of the column, level ones half.

        ``weights`` (..., boards) as for ``margins``.
        """
        weights = self._once if weights is None else weights
        found = np.zeros((*weights.shape[:-1], *self.played.shape))
        for (i, j), results in self.boards.items():
            counts = weights[..., : len(results)]
            found[..., i, j] = counts @ ((1 + np.sign(results)) / 2)
            found[..., j, i] = counts.sum(axis=-1) - found[..., i, j]
        return found

    @property
    def _once(self) -> Floats:
        return np.ones(max(map(len, self.boards.values()), default=0))

    def resampled(self, rng: np.random.Generator, times: int) -> Iterator[Floats]:
        """Yield weights (batch, boards) of boards drawn with replacement, the same for all pairs.

        So many times in all, a batch at a time.  Boards are drawn among those that the same pairs
        have played, so that no pair gains or loses boards.
        """
        ends = sorted({len(results) for results in self.boards.values()})
        sizes = np.diff([0, *ends]).tolist()
        batch = max(1, _BATCH // max(1, ends[-1]))
        for start in range(0, times, batch):
            many = min(batch, times - start)
            drawn = [rng.multinomial(n, np.full(n, 1 / n), size=many) for n in sizes]
            yield np.concatenate(drawn, axis=1).astype(np.float64)

    def check_connected(self) -> None:
        """ValueError where the population falls into parts that never met."""
        if len(found := parts(self.played)) != 1:
            named = " | ".join(", ".join(self.agents[i] for i in part) for part in found)
            raise ValueError(
                f"the pairs played fall apart: {named}; allowed: pairs that connect all agents"
            )


def parts(leads: Bool) -> list[Ints]:
    """Return the strongly connected parts of a graph (agents, agents), the largest first."""
    reach = leads | np.eye(len(leads), dtype=np.bool_)
    for _ in range(len(leads).bit_length()):  # paths of twice the length
        reach = (reach.astype(np.intp) @ reach) > 0
    together = reach & reach.T
    first = together.argmax(axis=1)
    found = [np.flatnonzero(first == i) for i in np.unique(first)]
    return sorted(found, key=len, reverse=True)
