"""Whether the settings that all games share train a player in each of them.

``python -m benchmarks.every_game [--games NAME[/PLAYERS] ...] [--iterations N] [--out FILE]``
trains a player for each rule set and number of players by ``configs/quickstart.yaml``, measures it
against ``greedy`` and ``rules``, and adds a line of JSON to a file for each.  Games that the file
has already are left out, and a run that was stopped goes on from its last checkpoint: the same
command finishes the list.  One process on one thread trains; CPU seconds are those of the training
alone, without evaluation.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.arguments import number
from sjavs_agents.arena.match import play_match
from sjavs_agents.training.config import TrainConfig, load_config
from sjavs_agents.training.run import Training, use_threads
from sjavs_env import PRESETS
from sjavs_env.cli.command import BAD_INPUT, OneLineParser, reason, run_command

__all__ = ["GAMES", "main"]

GAMES = [f"{name}/{n}" for name, rules in PRESETS.items() for n in rules.player_counts]
YARDSTICKS = ("greedy", "rules")


def settings(game: str, iterations: int, runs: Path) -> TrainConfig:
    """Return the settings of the run for one game."""
    name, _, players = game.partition("/")
    of_seats = {"players": int(players)} if PRESETS[name].seats else {}
    config, _ = load_config([
        "--config", "configs/quickstart.yaml", "--rules", name,
        "--overrides", json.dumps(of_seats), "--run.iterations", str(iterations),
        "--run.name", game.replace("/", "_"), "--run.directory", str(runs),
        "--run.processes", "1", "--run.threads", "1", "--run.checkpoint_every", "5",
        "--evaluation.yardsticks", json.dumps(YARDSTICKS),
    ])  # fmt: skip
    return config


def trained(config: TrainConfig) -> tuple[Training, float]:
    """Train to the end; return the run and its CPU seconds, those before an interrupt included."""
    folder = Path(config.run.directory) / config.run.name
    found = Training.resume_newest(config, folder / "checkpoints")
    training = found[0] if found else Training.begin(config)
    while not training.is_finished:
        start = time.process_time()
        training.learn(training.collect())
        training.seconds += time.process_time() - start  # here: CPU time, kept by checkpoints
        if training.iteration % config.run.checkpoint_every == 0 or training.is_finished:
            training.save()
    return training, training.seconds


def measured(game: str, training: Training, seconds: float, boards: int) -> dict[str, Any]:
    """Return the line of a game."""
    config, player = training.config, training.agent()
    line: dict[str, Any] = {
        "game": game,
        "iterations": training.iteration,
        "decisions": training.decisions,
        "cpu_seconds": round(seconds, 1),
        "explore": config.collect.explore,
        "reward_scale": config.collect.reward_scale,
        "boards": boards,
    }
    for name, opponent in training.yardsticks.items():
        match = play_match(training.game, (player, opponent), boards, config.evaluation.seed)
        points = match.estimates()["game_points"]
        line[name] = {"mean": points.mean, "low": points.low, "high": points.high}
    return line


def done(path: Path) -> set[str]:
    """Return the games that a file of results has."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {json.loads(line)["game"] for line in text.splitlines()}


def told(line: dict[str, Any]) -> str:
    """Return a line of results for a reader."""
    ahead = [f"{n} {line[n]['mean']:+.2f} [{line[n]['low']:+.2f}, {line[n]['high']:+.2f}]"
             for n in YARDSTICKS]  # fmt: skip
    return (f"{line['game']:22} {line['iterations']:4} iterations {line['decisions']:11,} decided "
            f"{line['cpu_seconds']:6.0f} CPU s  {'  '.join(ahead)}")  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    """Train, measure and print; return the exit status."""
    parser = OneLineParser(prog="benchmarks.every_game", description=__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES, choices=GAMES, metavar="NAME/PLAYERS")
    parser.add_argument("--iterations", type=number(1, 10**6), default=280)
    parser.add_argument("--boards", type=number(2, 10**6), default=2000)
    parser.add_argument("--runs", type=Path, default=Path("runs/every_game"))
    parser.add_argument("--out", type=Path, default=Path("runs/every_game.jsonl"))
    args = parser.parse_args(argv)
    use_threads(1)
    try:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        ready = done(args.out)
        for game in args.games:
            if game not in ready:
                training, seconds = trained(settings(game, args.iterations, args.runs))
                line = measured(game, training, seconds, args.boards)
                with args.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                print(told(line), flush=True)
    except (OSError, ValueError) as error:
        print(f"benchmarks.every_game: error: {reason(error)}", file=sys.stderr)
        return BAD_INPUT
    return 0


if __name__ == "__main__":
    sys.exit(run_command("benchmarks.every_game", main))
