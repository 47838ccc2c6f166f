"""Decisions per second of the engine and its environments, side by side with their peers.

``python -m benchmarks.throughput [--quick] [--json FILE]``.  One process, one thread; every
figure is the median of several short runs taken in turns, so that a drift of the machine's
speed meets all of them alike.  Peers that are not installed (the ``bench`` extra) are named as
missing.  A decision is one action of one seat, chosen uniformly among the legal ones.

Without ``--quick`` every rule set is measured, too.  Their observations differ in size; how fast
one would be with an observation as large as that of ``faroese`` is told by adding the time of
the engine, and the time of the rest scaled to that size.
"""

from __future__ import annotations

import contextlib
import io
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np

from benchmarks.arguments import writable
from sjavs_env import (
    PRESETS,
    BatchEnv,
    Game,
    Phase,
    SingleSeatEnv,
    SingleSeatVectorEnv,
    make_rules,
    sample_legal,
)
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, run_command

__all__ = ["main"]

Run = Callable[[float], float]  # seconds to spend -> decisions per second


def engine(batch: int, preset: str = "faroese") -> Run:
    """Engine alone: legal moves, a random choice, the step, the next deal."""
    game = Game(make_rules(preset))
    state = game.new_games(batch, stride=batch, dealer=np.arange(batch))
    rng = np.random.default_rng(0)

    def run(seconds: float) -> float:
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            game.step(state, sample_legal(game.legal_actions(state), rng))
            over = np.flatnonzero(state.phase == Phase.OVER)
            if len(over):
                game.next_deal(state, over)
            steps += 1
        return steps * batch / spent

    return run


def batch_env(batch: int, preset: str = "faroese") -> Run:
    """Batch environment: the same with an observation and a mask for every decision."""
    env = BatchEnv(preset, batch)
    rng = np.random.default_rng(0)
    turn = env.reset(seed=0)

    def run(seconds: float) -> float:
        nonlocal turn
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            turn, _, _ = env.step(sample_legal(turn.mask, rng))
            steps += 1
        return steps * batch / spent

    return run


def vector(opponents: str, batch: int = 1024) -> Run:
    """The vector environment: decisions of its learners, with those of all others between them."""
    more: dict[str, Any] = {} if opponents == "random" else {"opponents": opponents}
    env = SingleSeatVectorEnv("faroese", batch, autoreset_mode="SAME_STEP", **more)
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=0)

    def run(seconds: float) -> float:
        nonlocal info
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            *_, info = env.step(sample_legal(info["action_mask"], rng))
            steps += 1
        return steps * batch / spent

    return run


def single_seat(opponents: str) -> Run:
    """The same with one game."""
    more: dict[str, Any] = {} if opponents == "random" else {"policy": opponents}
    return one_by_one(SingleSeatEnv("faroese", **more))


def cart_pole() -> Run:
    """Gymnasium's CartPole, the usual yardstick of trainers; any action is legal there."""
    return one_by_one(gymnasium.make("CartPole-v1"))


def one_by_one(env: gymnasium.Env[Any, Any]) -> Run:
    """A Gymnasium environment driven by ``step``, its mask heeded if it has one."""
    rng = np.random.default_rng(0)

    def run(seconds: float) -> float:
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            _, info = env.reset(seed=steps)
            over = False
            while not over:
                mask = info.get("action_mask", np.ones(2, dtype=np.int8))
                legal = np.flatnonzero(mask)
                action = int(legal[int(rng.random() * len(legal))])
                _, _, ended, cut, info = env.step(action)
                over = ended or cut
                steps += 1
        return steps / spent

    return run


def aec(env: Any) -> Run:
    """An AEC environment driven by ``last`` and ``step``."""
    rng = np.random.default_rng(0)

    def run(seconds: float) -> float:
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            env.reset(seed=steps)
            while env.agents:
                observation, _, ended, cut, _ = env.last()
                if ended or cut:
                    env.step(None)
                    continue
                legal = np.flatnonzero(observation["action_mask"])
                env.step(int(legal[int(rng.random() * len(legal))]))
                steps += 1
        return steps / spent

    return run


def open_spiel(name: str) -> Run:
    """An OpenSpiel game driven from Python, with observation tensor and legal moves."""
    with contextlib.redirect_stdout(io.StringIO()):
        import pyspiel  # type: ignore[import-not-found]  # an extra, untyped

    game = pyspiel.load_game(name)
    rng = np.random.default_rng(0)
    has_tensor = game.get_type().provides_observation_tensor

    def run(seconds: float) -> float:
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                if state.is_chance_node():
                    legal = [a for a, _ in state.chance_outcomes()]
                else:
                    if has_tensor:
                        state.observation_tensor()
                    else:
                        state.information_state_tensor()
                    state.legal_actions_mask()
                    steps += 1
                state.apply_action(legal[int(rng.random() * len(legal))])
        return steps / spent

    return run


def connect_four() -> Run:
    """PettingZoo's Connect Four, the lightest of its classic games."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo deprecates its own import paths
        from pettingzoo.classic import (  # type: ignore[import-untyped]  # no stubs
            connect_four_v3,
        )

        return aec(connect_four_v3.env())


def sjavs_aec() -> Run:
    """The AEC environment of this project."""
    from sjavs_env import sjavs_v0

    return aec(sjavs_v0.env())


def figures(quick: bool) -> dict[str, Callable[[], Run]]:
    """What is measured, by name."""
    made: dict[str, Callable[[], Run]] = {}
    for batch in (64, 1024, 4096):
        made[f"engine_{batch}"] = partial(engine, batch)
        made[f"batch_{batch}_with_observation"] = partial(batch_env, batch)
    for opponents in ("random", "rules"):
        made[f"vector_1024_{opponents}"] = partial(vector, opponents)
        made[f"single_seat_{opponents}"] = partial(single_seat, opponents)
    made["cart_pole"] = cart_pole
    made["aec"] = sjavs_aec
    made["connect_four_aec"] = connect_four
    made["open_spiel_skat"] = partial(open_spiel, "skat")
    made["open_spiel_euchre"] = partial(open_spiel, "euchre")
    if not quick:
        for name in PRESETS:
            made[f"preset_{name}"] = partial(batch_env, 4096, name)
            made[f"preset_{name}_engine"] = partial(engine, 4096, name)
    return made


def of_rule_sets(medians: dict[str, float]) -> dict[str, dict[str, float]]:
    """Return size of the observation and speed of every rule set measured, by name."""

    def seconds(name: str, size: int) -> float:
        """Seconds per decision if the observation had the size of that of ``faroese``."""
        playing = 1 / medians[f"preset_{name}_engine"]
        observing = 1 / medians[f"preset_{name}"] - playing
        return playing + observing * sizes["faroese"] / size

    names = [name for name in PRESETS if f"preset_{name}" in medians]
    sizes = {name: BatchEnv(name, 1).layout.size for name in names}
    return {
        name: {
            "features": sizes[name],
            "decisions": medians[f"preset_{name}"],
            "same_size": seconds("faroese", sizes["faroese"]) / seconds(name, sizes[name]),
        }
        for name in names
    }


RATIOS = {
    "batch_4096_with_observation / open_spiel_skat": 30,
    "batch_4096_with_observation / open_spiel_euchre": None,
    "aec / connect_four_aec": 2,
    "vector_1024_random / cart_pole": None,
    "vector_1024_rules / cart_pole": None,
    "single_seat_random / cart_pole": None,
}


def measure(quick: bool) -> tuple[dict[str, float], dict[str, str]]:
    """Return medians by name, and what could not be measured and why."""
    runs: dict[str, Run] = {}
    missing: dict[str, str] = {}
    for name, make in figures(quick).items():
        try:
            runs[name] = make()
        except ImportError as error:  # noqa: PERF203  # a peer that is not installed
            missing[name] = f"not measured: {error}"
    rounds, seconds = (3, 0.7) if quick else (7, 1.5)
    for run in runs.values():
        run(0.2)  # warm up
    samples: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            samples[name].append(run(seconds))
    return {name: statistics.median(values) for name, values in samples.items()}, missing


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and write the figures; return the exit status."""
    parser = OneLineParser(prog="benchmarks.throughput", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="under a minute, fewer figures")
    parser.add_argument("--json", type=writable, metavar="FILE", help="write the figures to FILE")
    args = parser.parse_args(argv)
    medians, missing = measure(args.quick)
    width = max(map(len, [*medians, *missing, *RATIOS]))
    print(f"{'decisions per second, one core':{width}}")
    for name, value in medians.items():
        if not name.startswith("preset_"):  # they have a table of their own
            print(f"{name:{width}}  {value:>12,.0f}")
    for name, why in missing.items():
        print(f"{name:{width}}  {why}")
    ratios = {}
    for text, aim in RATIOS.items():
        above, below = text.split(" / ")
        if above in medians and below in medians:
            ratios[text] = medians[above] / medians[below]
            print(f"{text:{width}}  {ratios[text]:>12.1f}" + (f"  (aim: {aim})" if aim else ""))
    rule_sets = of_rule_sets(medians)
    if rule_sets:
        print(f"{'rule set':{width}}  {'decisions':>12}  features  to faroese, same size")
    for name, row in rule_sets.items():
        rate, size, ratio = row["decisions"], row["features"], row["same_size"]
        print(f"{name:{width}}  {rate:>12,.0f}  {size:>8}  {ratio:>21.2f}")
    if args.json:
        result = {**medians, "ratios": ratios, "rule_sets": rule_sets, "missing": missing}
        write_json(args.json, result)
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.throughput", main))
