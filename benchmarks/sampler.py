"""Consistent deals per second that the sampler draws, by trick, on one core.

``python -m benchmarks.sampler [--quick] [--json FILE]``.  Views are those of seats that lead to
a trick, after auctions and play of the club player (of random play where it does not know the
game); figures are per second of CPU time of this process, so that other programs do not count.
``deals`` are drawn by ``Sampler.hands``, ``states`` are whole games by ``Sampler.sample``; every
view gets all the worlds it asks for.  ``counts`` are views whose ways are counted, ``ways`` the
geometric mean of these numbers.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.arguments import writable
from sjavs_agents.base import open_decisions
from sjavs_agents.registry import make_agent
from sjavs_agents.worlds.sampler import Sampler
from sjavs_env import PRESETS, Game, Phase, PlayerView, make_rules, view_of
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, run_command

__all__ = ["main"]

QUICK = ("faroese", "faroese_3", "klorsjavs", "handjass")


class Speed(NamedTuple):
    """Figures of one game at one trick."""

    deals: float  # per second
    states: float
    counts: float
    ways: float


def leads(game: Game, n_views: int, seed: int = 0) -> dict[int, PlayerView]:
    """Return views of seats that lead, by trick."""
    rng = np.random.default_rng(seed)
    player = make_agent("rules" if Phase.AUCTION in game.actions.slices else "random", game)
    state = game.new_games(n_views, seed=seed, stride=n_views, dealer=np.arange(n_views))
    found: dict[int, list[PlayerView]] = {t: [] for t in range(game.rules.n_tricks)}
    for rows, mask in open_decisions(game, state):
        if all(sum(map(len, views)) >= n_views for views in found.values()):
            break
        view = view_of(game, state, rows, state.seat.copy())
        is_lead = (state.phase == Phase.PLAY) & (state.trick_size == 0)
        for trick, views in found.items():
            at = np.flatnonzero(is_lead & (state.trick_number == trick))
            if len(at) and sum(map(len, views)) < n_views:
                views.append(view.select(at))
        game.step(state, player.act(view, mask, rng), rows)
        game.next_deal(state, np.flatnonzero(state.phase == Phase.OVER))
    return {trick: max(views, key=len) for trick, views in found.items()}


def per_second(run: Callable[[], int], seconds: float) -> float:
    """Return what ``run`` gets done per second of CPU time, the median of five runs or more."""
    run()
    rates: list[float] = []
    start = time.process_time()
    while time.process_time() - start < seconds or len(rates) < 5:
        begin = time.process_time()
        done = run()
        rates.append(done / max(time.process_time() - begin, 1e-9))
    return statistics.median(rates)


def measure(game: Game, n_views: int, worlds: int, seconds: float) -> dict[int, Speed]:
    """Return the figures of a game by trick."""
    sampler, rng = Sampler(game), np.random.default_rng(0)
    figures = {}
    for trick, view in leads(game, n_views).items():
        number = len(view) * worlds

        def deals(view: PlayerView = view, number: int = number) -> int:
            sampler.hands(view, worlds, rng)
            return number

        def states(view: PlayerView = view, number: int = number) -> int:
            sampler.sample(view, worlds, rng)
            return number

        def counts(view: PlayerView = view) -> int:
            sampler.count(view)
            return len(view)

        figures[trick] = Speed(
            deals=per_second(deals, seconds),
            states=per_second(states, seconds),
            counts=per_second(counts, seconds),
            ways=float(np.exp(np.log(sampler.count(view)).mean())),
        )
    return figures


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and write the figures; return the exit status."""
    parser = OneLineParser(prog="benchmarks.sampler", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="under a minute, fewer games")
    parser.add_argument("--json", type=writable, metavar="FILE", help="write the figures to FILE")
    args = parser.parse_args(argv)
    n_views, worlds, seconds = (32, 64, 0.1) if args.quick else (128, 64, 0.5)
    games = QUICK if args.quick else tuple(PRESETS)
    results = {}
    print(f"{worlds} worlds for each of up to {n_views} views at once; per second on one core")
    print("game                 trick        deals       states       counts       ways")
    for name in games:
        figures = measure(Game(make_rules(name)), n_views, worlds, seconds)
        results[name] = {trick + 1: speed._asdict() for trick, speed in figures.items()}
        for trick, s in figures.items():
            print(
                f"{name:20} {trick + 1:5} {s.deals:12,.0f} {s.states:12,.0f} {s.counts:12,.0f}"
                f" {s.ways:10.3g}"
            )
    if args.json:
        write_json(args.json, results)
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.sampler", main))
