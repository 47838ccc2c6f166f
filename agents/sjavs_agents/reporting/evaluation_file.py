"""The results of ``sjavs evaluate`` as records: what ``--json`` wrote, checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sjavs_agents.arena.match import EPISODES, MatchResult
from sjavs_agents.arena.results_folder import BOARDS, RESULTS, load
from sjavs_agents.arena.tournament.leg import pairings
from sjavs_agents.reporting.checked import Checked, digest_of, read_checked
from sjavs_agents.stats.estimates import Estimate
from sjavs_env import Game, rules_from_json
from sjavs_env.errors import shown

__all__ = ["AgentCounts", "Cost", "Evaluation", "Means", "Pair", "Swing", "evaluation_of",
           "read_evaluation", "read_folder"]  # fmt: skip

MOST_AGENTS = 200
MOST_SWINGS = 100
_MEANS = ("game_points", "card_points", "melds")


@dataclass(frozen=True)
class Means:
    """Means over so many deals, by name."""

    deals: int
    means: Mapping[str, float]


@dataclass(frozen=True)
class AgentCounts:
    """What one agent of a pair did; without a declarer in the game the first four are empty."""

    agent: str
    bids: Mapping[str, int]
    suits: Mapping[str, int]
    results: Mapping[str, int]
    roles: Mapping[str, Means]
    seats: tuple[Means, ...]
    standings: Mapping[str, Means]


@dataclass(frozen=True)
class Swing:
    """A board on which much happened."""

    board: int
    dealer: int
    last_deals: tuple[int, ...]  # the number of the last deal at each table
    game_points: float  # per deal, more than the other agent
    card_points: float


@dataclass(frozen=True)
class Pair:
    """A match of A against B, from A's side.

    Where a test has stopped it, what its boards say is biased; ``quoted`` is what is not.
    """

    at: tuple[int, int]  # places of A and B among the agents
    boards: int
    deals: int
    redeals: int
    estimates: Mapping[str, Estimate]
    by_agent: tuple[AgentCounts, ...]
    swings: tuple[Swing, ...]
    verdict: str | None = None  # of a sequential test
    fresh: tuple[int, Mapping[str, Estimate]] | None = None  # boards measured after it
    match: MatchResult | None = None  # every board, where a folder has them
    fresh_match: MatchResult | None = None

    @property
    def is_biased(self) -> bool:
        """A test has stopped the match, and there are no boards after it."""
        return self.verdict is not None and self.fresh is None

    @property
    def quoted(self) -> tuple[int, Mapping[str, Estimate], MatchResult | None]:
        """How many boards, estimates and results are to be quoted: the fresh ones if any are."""
        if self.fresh is not None:
            return *self.fresh, self.fresh_match
        return self.boards, self.estimates, self.match


@dataclass(frozen=True)
class Cost:
    """What the answers of an agent of a pair cost."""

    decisions: int
    cpu_seconds: float


@dataclass(frozen=True)
class Evaluation:
    """All of one ``sjavs evaluate``."""

    source: str
    digests: Mapping[str, str]  # SHA-256 by file
    game: Game
    versions: Mapping[str, str]
    agents: tuple[str, ...]
    episode: str
    seed: int
    boards: int
    pairs: tuple[Pair, ...]
    costs: tuple[tuple[Cost, ...], ...]  # of each pair; empty without ``--timings``
    seated: Mapping[str, Mapping[str, Estimate]]  # at one table, by agent; else empty
    stopped: str | None
    folder: Path | None = None  # where its shards are


def read_evaluation(path: Path) -> Evaluation:
    """Return what a file holds; ValueError or OSError, one line, if it is no file of results."""
    data, digest = read_checked(path)
    return evaluation_of(data, str(path), {path.name: digest})


def read_folder(folder: Path) -> Evaluation:
    """Return what a folder holds, board by board; ValueError or OSError, as ``read_evaluation``."""
    data, digest = read_checked(folder / RESULTS)
    digests = {RESULTS: digest, BOARDS: digest_of(folder / BOARDS)}
    found = load(folder)
    matches = list(zip(found.pairs, found.fresh, strict=True))
    return replace(evaluation_of(data, str(folder), digests, matches), folder=folder)


def evaluation_of(
    data: Checked,
    source: str,
    digests: Mapping[str, str],
    matches: Sequence[tuple[MatchResult, MatchResult | None]] = (),
) -> Evaluation:
    """Return an evaluation from its JSON value.

    ``matches`` are its pairs board by board, each with the one on fresh boards after a test.
    """
    game = _game(data["rules"])
    agents = tuple(item.text() for item in data["agents"].items(1, MOST_AGENTS))
    episode, seed = data["episode"].text(), data["seed"].count(2**64 - 1)
    if episode not in EPISODES:
        raise ValueError(f"{source}: episode is {shown(episode)}; allowed: {', '.join(EPISODES)}")
    found = data["pairs"].items()
    at = _places(agents, [_names(pair) for pair in found], source)
    boards = [*matches, *[(None, None)] * (len(found) - len(matches))]
    pairs = tuple(_pair(p, i, game, *m) for p, i, m in zip(found, at, boards, strict=True))
    table, timings, stopped = data.get("table"), data.get("timings"), data.get("stopped")
    return Evaluation(
        source=source,
        digests=digests,
        game=game,
        versions={name: value.text() for name, value in data["versions"].members()},
        agents=agents,
        episode=episode,
        seed=seed,
        boards=data["boards"].count(),
        pairs=pairs,
        costs=_costs(timings, pairs) if timings else (),
        seated=dict(_seated(table)) if table else {},
        stopped=stopped.text() if stopped else None,
    )


def _game(rules: Checked) -> Game:
    try:
        return Game(rules_from_json(rules.plain()))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{rules.where} make no game: {error}") from None


def _names(pair: Checked) -> tuple[str, str]:
    a, b = (item.text() for item in pair["agents"].items(2, 2))
    return a, b


def _places(
    agents: Sequence[str], pairs: list[tuple[str, str]], source: str
) -> list[tuple[int, int]]:
    """Return who played whom, by places among the agents, of whom some may have one name.

    Pairs come in the order of a round robin, of a gauntlet of the first agent, or of all against
    the last one; fewer, if the evaluation was stopped.
    """
    for order in pairings(len(agents)):
        at = list(order[: len(pairs)])
        if [(agents[i], agents[j]) for i, j in at] == pairs:
            return at
    raise ValueError(f"{source}: pairs are {shown(pairs)}; allowed: those of the agents, in order")


def _boards(data: Checked, match: MatchResult | None) -> int:
    boards = data["boards"].count()
    if match is not None and len(match.boards) != boards:
        raise ValueError(f"{data['boards'].where} is {boards}; allowed: {len(match.boards)}, as "
                         "the boards beside it")  # fmt: skip
    return boards


def _pair(
    data: Checked,
    at: tuple[int, int],
    game: Game,
    match: MatchResult | None,
    fresh_match: MatchResult | None,
) -> Pair:
    test, fresh = data.get("test"), data.get("fresh")
    return Pair(
        at=at,
        boards=_boards(data, match),
        deals=data["deals"].count(),
        redeals=data["redeals"].count(),
        estimates=_estimates(data["estimates"]),
        by_agent=tuple(_counts_of(item) for item in data["by_agent"].items(2, 2)),
        swings=tuple(_swing(item, game) for item in data["swings"].items(0, MOST_SWINGS)),
        verdict=test["verdict"].text() if test else None,
        fresh=(_boards(fresh, fresh_match), _estimates(fresh["estimates"])) if fresh else None,
        match=match,
        fresh_match=fresh_match,
    )


def _estimates(data: Checked) -> dict[str, Estimate]:
    found = {name: _estimate(value) for name, value in data.members()}
    if "game_points" not in found:
        raise ValueError(f"{data.where} has no game_points")
    return found


def _estimate(data: Checked) -> Estimate:
    mean, interval = data["mean"].number(), data.get("interval")
    spread, p_value = data.get("spread"), data.get("p_value")
    low, high = (x.number() for x in interval.items(2, 2)) if interval else (None, None)
    return Estimate(mean, low, high, spread.number() if spread else None,
                    p_value.number(0.0, 1.0) if p_value else None)  # fmt: skip


def _counts_of(data: Checked) -> AgentCounts:
    def counts(name: str) -> dict[str, int]:
        found = data.get(name)
        return {k: v.count() for k, v in found.members()} if found else {}

    def means(name: str) -> dict[str, Means]:
        found = data.get(name)
        return {k: _means(v) for k, v in found.members()} if found else {}

    return AgentCounts(
        data["agent"].text(), counts("bids"), counts("suits"), counts("results"), means("roles"),
        tuple(_means(item) for item in data["seats"].items(2, 8)), means("standings"),
    )  # fmt: skip


def _means(data: Checked) -> Means:
    found = {name: value for name in _MEANS if (value := data.get(name))}
    return Means(data["deals"].count(), {name: value.number() for name, value in found.items()})


def _swing(data: Checked, game: Game) -> Swing:
    n = game.tables.n_players
    last = [item.count() for item in data["last_deals"].items(1, 64)]
    return Swing(
        data["board"].count(2**40), data["dealer"].count(n - 1), tuple(last),
        data["game_points"].number(), data["card_points"].number(),
    )  # fmt: skip


def _costs(data: Checked, pairs: Sequence[Any]) -> tuple[tuple[Cost, ...], ...]:
    if not pairs:  # one table: its agents are all that cost something
        return ()
    return tuple(
        tuple(
            Cost(x["decisions"].count(), x["cpu_seconds"].number(0.0, 1e15)) for x in one.items(2)
        )
        for one in data.items(len(pairs), len(pairs))
    )


def _seated(table: Checked) -> Iterator[tuple[str, dict[str, Estimate]]]:
    for i, item in enumerate(table["by_agent"].items(2, 8)):
        yield f"{i + 1} {item['agent'].text()}", _estimates(item["estimates"])
