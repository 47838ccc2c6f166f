"""The numbers of an evaluation that a report tells: estimates, ratings and what they rest on.

With the result of every board, means of ``RESAMPLED`` boards have BCa intervals (others Student's),
p-values are those of sign flips, shares of boards have score intervals, and ratings have intervals
from boards drawn anew.  From estimates alone, these are taken as they are, and ratings have no
interval.  Where a test has ended a match all is from the fresh boards after it; without them its
p-value is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sjavs_agents.arena.match import MatchResult
from sjavs_agents.reporting.evaluation_file import Evaluation, Pair
from sjavs_agents.stats.bootstrap import bca_interval
from sjavs_agents.stats.estimates import Estimate
from sjavs_agents.stats.nash import NashAverage, nash_average
from sjavs_agents.stats.pair_results import PairResults
from sjavs_agents.stats.ratings import (
    Transitivity,
    board_ratings,
    margin_ratings,
    project,
    transitive_share,
    transitivity,
)
from sjavs_agents.stats.significance import holm, sign_flip_p
from sjavs_agents.stats.won_boards import estimate_won
from sjavs_env.randomness import derived
from sjavs_env.rules.terms import Floats

__all__ = ["Population", "labels_of", "measured"]

RESAMPLED = range(100, 2001)  # boards: of fewer BCa is too narrow, of more it is Student's t
LEAST_FLIPPED = 3  # boards
LEAST_RATED = 3  # agents; of two, the difference says it all


@dataclass(frozen=True, eq=False)
class Population:
    """The agents of an evaluation and how they did against each other."""

    labels: tuple[str, ...]  # of the agents, no two alike
    estimates: tuple[Mapping[str, Estimate], ...]  # of each pair
    corrected: tuple[float | None, ...]  # p-values by Holm's method
    margins: Floats  # (agents, agents) game points per deal, NaN where none was played
    results: PairResults | None  # board by board
    ratings: tuple[Estimate, ...]  # by margins; empty for two agents, and where pairs fall apart
    board_ratings: tuple[Estimate, ...]  # by boards won; empty without ``results``
    transitive: Transitivity | None
    share: float | None  # that differences of ratings explain of the margins
    nash: NashAverage | None


def labels_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return names, those that have been there before with a number."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(found)


def measured(evaluation: Evaluation) -> Population:
    """Return the numbers of an evaluation; ValueError where an extra is missing."""
    agents, pairs = labels_of(evaluation.agents), evaluation.pairs
    estimates = tuple(_estimates(pair, evaluation.seed) for pair in pairs)
    margins = np.full((len(agents),) * 2, np.nan)
    np.fill_diagonal(margins, 0.0)
    for pair, found in zip(pairs, estimates, strict=True):
        (i, j), mean = pair.at, found["game_points"].mean
        margins[i, j], margins[j, i] = mean, -mean
    p_values = [
        None if pair.is_biased else found["game_points"].p_value
        for pair, found in zip(pairs, estimates, strict=True)
    ]
    plain = Population(
        agents, estimates, tuple(holm(p_values)), margins, _results(agents, pairs),
        (), (), None, None, None,
    )  # fmt: skip
    return _rated(plain, evaluation.seed) if pairs and len(agents) >= LEAST_RATED else plain


def _estimates(pair: Pair, seed: int) -> Mapping[str, Estimate]:
    _, estimates, match = pair.quoted
    if match is None or len(match.boards) < LEAST_FLIPPED:
        return estimates
    points, cards = match.board_game_points, match.board_card_points
    found = dict(estimates)
    for name, boards in (("game_points", points), ("card_points", cards)):
        rng = derived(seed, "report", *pair.at, name)
        p_value = sign_flip_p(boards, rng)
        if len(boards) in RESAMPLED:
            found[name] = bca_interval(boards, rng)
        found[name] = replace(found[name], p_value=p_value)
    found["boards_won"] = estimate_won(points)
    return found


def _results(agents: Sequence[str], pairs: Sequence[Pair]) -> PairResults | None:
    matches: dict[tuple[int, int], MatchResult] = {
        pair.at: match for pair in pairs if (match := pair.quoted[2]) is not None
    }
    if not matches or len(matches) < len(pairs):
        return None
    boards = {at: match.board_game_points for at, match in matches.items()}
    return PairResults(tuple(agents), boards)


def _rated(plain: Population, seed: int) -> Population:
    results, n = plain.results, len(plain.labels)
    met = ~np.isnan(plain.margins)
    try:
        PairResults(plain.labels, {(i, j): plain.margins[[i], j]
                                   for i in range(n) for j in range(i + 1, n) if met[i, j]}
                    ).check_connected()  # fmt: skip
    except ValueError:
        return plain
    nash = nash_average(plain.margins) if met.all() else None
    share = transitive_share(plain.margins)
    if results is None:
        ratings = tuple(Estimate(float(x), None, None) for x in project(plain.margins))
        return replace(plain, ratings=ratings, share=share, nash=nash)
    return replace(
        plain,
        ratings=tuple(margin_ratings(results, derived(seed, "report", "margins"))),
        board_ratings=tuple(board_ratings(results, derived(seed, "report", "boards"))),
        transitive=transitivity(results, derived(seed, "report", "transitivity")),
        share=share,
        nash=nash,
    )
