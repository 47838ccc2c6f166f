"""Decisions learned from per second, and where the time goes (``make bench-training``).

Trains by configurations that come with the program, evaluations aside, each time in a process of
its own.  CPU seconds count all threads of a process and are what a shared machine leaves
comparable; wall seconds are what counts on an accelerator (``--device cuda``).  ``--against DIR``
takes turns with another checkout of the program and tells the ratio, which does not depend on the
machine as much as speeds do.  Medians over rounds; the first iteration of each warms up.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.arguments import number, writable
from sjavs_env.cli.atomic_files import write_json
from sjavs_env.cli.command import OneLineParser, run_command

__all__ = ["main"]

ROOT = Path(__file__).parents[1]
CONFIGS = "quickstart", "faroese"  # 256 and 512 units
PARTS = {  # where time is told apart, by module or attribute of the run, and function
    "infer": ("collect", "split_logits"),
    "encode": ("encoder", "encode"),
    "critic": ("learner", "values"),
}


def timed(holder: Any, name: str, spent: dict[str, float], part: str) -> None:
    """Let a function add the CPU seconds that it takes to ``spent``."""
    inner: Callable[..., Any] = getattr(holder, name)

    def outer(*args: Any, **kwargs: Any) -> Any:
        start = time.process_time()
        try:
            return inner(*args, **kwargs)
        finally:
            spent[part] += time.process_time() - start

    setattr(holder, name, outer)


def measure(config: str, iterations: int, settings: list[str]) -> dict[str, Any]:
    """Train in this process; return decisions, seconds, and microseconds of each part."""
    from sjavs_agents.training import collect
    from sjavs_agents.training.config import load_config
    from sjavs_agents.training.run import Training, use_threads

    path = ROOT / "configs" / f"{config}.yaml"
    loaded, _ = load_config(["--config", str(path), "--run.processes", "1", *settings])
    use_threads(loaded.run.threads)
    training = Training(loaded)
    holders = {"collect": collect, "encoder": training.encoder, "learner": training.learner}
    spent = dict.fromkeys(["collect", "learn", *PARTS], 0.0)
    for part, (holder, name) in PARTS.items():
        timed(holders[holder], name, spent, part)
    timed(training, "collect", spent, "collect")
    timed(training, "learn", spent, "learn")
    training.learn(training.collect())  # warms up
    spent.update(dict.fromkeys(spent, 0.0))
    before, cpu, wall = training.decisions, time.process_time(), time.perf_counter()
    for _ in range(iterations):
        training.learn(training.collect())
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    decisions = training.decisions - before
    return {
        "per_cpu_second": decisions / cpu,
        "per_second": decisions / wall,
        "microseconds": {part: 1e6 * seconds / decisions for part, seconds in spent.items()},
        "precision": training.precision.name,
        "device": str(getattr(training, "device", "cpu")),
    }


def in_process(root: Path, config: str, iterations: int, settings: list[str]) -> dict[str, Any]:
    """Measure the program of a checkout in a process of its own."""
    places = os.pathsep.join([str(root), str(root / "agents")])
    command = [sys.executable, __file__, "--only", config, "--iterations", str(iterations)]
    done = subprocess.run(
        [*command, *settings], stdout=subprocess.PIPE, text=True, check=True,
        env={**os.environ, "PYTHONPATH": places}, cwd=root,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def medians(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the median of each number over rounds, the words of the last."""

    def middle(name: str, of: list[dict[str, Any]]) -> float:
        return statistics.median(found[name] for found in of)

    parts = [found["microseconds"] for found in rounds]
    return {
        **rounds[-1],
        "per_cpu_second": middle("per_cpu_second", rounds),
        "per_second": middle("per_second", rounds),
        "microseconds": {name: middle(name, parts) for name in parts[0]},
    }


def compared(args: argparse.Namespace, config: str, settings: list[str]) -> dict[str, Any]:
    """Return what is found of one configuration here and, if asked for, in another checkout."""
    roots = {"here": ROOT} | ({"against": args.against.resolve()} if args.against else {})
    rounds: dict[str, list[dict[str, Any]]] = {name: [] for name in roots}
    for _ in range(args.rounds):
        for name, root in roots.items():
            given = settings if name == "here" else args.set
            rounds[name].append(in_process(root, config, args.iterations, given))
    found: dict[str, Any] = {name: medians(those) for name, those in rounds.items()}
    if args.against:
        ours, theirs = (found[name]["per_cpu_second"] for name in ("here", "against"))
        found["ratio"] = ours / theirs
    return found


def show(config: str, found: dict[str, Any]) -> None:
    """Print a line for each checkout, and the ratio."""
    for name in ("here", "against"):
        if name not in found:
            continue
        each = found[name]
        parts = ", ".join(f"{part} {us:.1f}" for part, us in each["microseconds"].items())
        print(
            f"{config:10} {name:8} {each['per_cpu_second']:>8,.0f} per CPU s  "
            f"{each['per_second']:>8,.0f} per s  us: {parts}  ({each['device']}, "
            f"{each['precision']})"
        )
    if "ratio" in found:
        print(f"{config:10} ratio {found['ratio']:.2f}")


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and write the figures; return the exit status."""
    parser = OneLineParser(prog="benchmarks.training_speed", description=__doc__)
    add = parser.add_argument
    add("--configs", nargs="+", default=CONFIGS, choices=CONFIGS)
    add("--iterations", type=number(1, 10_000), default=5)
    add("--rounds", type=number(1, 100), default=3)
    add("--device", default="cpu", choices=("cpu", "cuda", "mps"))
    add("--against", type=Path, metavar="DIR", help="another checkout, on the CPU")
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="settings of both")
    add("--json", type=writable, metavar="FILE", help="write the figures to FILE")
    add("--only", choices=CONFIGS, help=argparse.SUPPRESS)
    args, rest = parser.parse_known_args(argv)
    if args.only:
        print(json.dumps(measure(args.only, args.iterations, rest)))
        return 0
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    args.set = [word for given in args.set for word in _setting(parser, given)]
    if args.device != "cpu":
        from sjavs_agents.neural.device import chosen_device

        try:
            chosen_device(args.device)
        except ValueError as error:
            print(f"not measured: {error}")
            return 0
    here = [*args.set, "--run.device", args.device]
    found = {config: compared(args, config, here) for config in args.configs}
    for config, each in found.items():
        show(config, each)
    if args.json:
        write_json(args.json, found)
    return 0


def _setting(parser: argparse.ArgumentParser, word: str) -> list[str]:
    name, equals, value = word.partition("=")
    if not (name and equals):
        parser.error(f"setting is {word!r}; allowed: NAME=VALUE")
    return [f"--{name}", value]


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.training_speed", main))
