"""Every setting of a training run, typed and explained; YAML files hold only differences.

``load_config`` reads a YAML file and dotted command-line overrides.  An unknown key, a wrong
type or a value out of range is an error that names it, before any work begins.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from typing import Any, Literal

from docstring_parser import parse_from_object
from jsonargparse import ArgumentError, ArgumentParser, Namespace, set_parsing_settings

from sjavs_agents.arena.match import MOST_BOARDS
from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.neural.setting_bounds import LARGE, bound_problems, bounded
from sjavs_agents.training.config_files import checked_arguments
from sjavs_env.cli.command import reason
from sjavs_env.rules.games.presets import rules_for

__all__ = [
    "CollectConfig",
    "ConfigError",
    "EvalConfig",
    "LearnConfig",
    "PoolConfig",
    "RunConfig",
    "TrainConfig",
    "config_page",
    "config_to_dict",
    "load_config",
]

set_parsing_settings(docstring_parse_attribute_docstrings=True)

MOST_ITERATIONS = 10**8 - 1  # the names of checkpoints have eight digits


@dataclass
class CollectConfig:
    """How deals are played for training."""

    deals: int = bounded(4096, 1, 2**20)
    """Deals played in one iteration; each is played from the first call to the last trick."""
    explore: float | Literal["auto"] = bounded("auto", 0, 1, "auto")
    """Share of calls, and of all else but cards, that is drawn evenly from what is legal, at first.

    It changes linearly to ``explore_end``.  Where everybody may pass, self-play can settle on
    passing for ever without it: ``auto`` is 0.5 where a player may stay out of a deal, else 0.
    """
    explore_end: float | Literal["auto"] = bounded("auto", 0, 1, "auto")
    """The same share at the end; ``auto`` is what ``explore`` is, or 0.1 where that is derived."""
    reward_scale: float | Literal["auto"] = bounded("auto", 0, 1e6, "auto")
    """Factor on the game points of a deal before they reach critic and advantages.

    ``auto`` makes the largest result of a deal about 5: 0.2 in ``faroese``.
    """


@dataclass
class LearnConfig:
    """How policies are improved by the deals of an iteration."""

    name: str = "ppo"
    """The learning algorithm: ``ppo``, ``dmc`` (Deep Monte Carlo), or ``module:Class``."""
    epochs: int = bounded(2, 1, 1000)
    """Passes over the decisions of one iteration."""
    minibatch: int = bounded(8192, 1, LARGE)
    """Decisions in one gradient step."""
    learning_rate: float = bounded(5e-4, 0)
    """Adam step size at the start; it falls to ``learning_rate_end``."""
    learning_rate_end: float = bounded(1e-5, 0)
    """Adam step size at the end."""
    decay: Literal["linear", "geometric", "wsd"] = "linear"
    """How the step size falls: by equal steps, by equal factors, which suits long runs, or late.

    ``wsd`` (warmup-stable-decay) rises to ``learning_rate``, stays there, and falls by equal steps
    in the end alone: such a run is continued from where it began to fall, and loses only that.
    """
    warmup: float = bounded(0.01, 0, 1)
    """Share of the run in which the step size rises from a tenth, with ``decay: wsd``."""
    cooldown: float = bounded(0.2, 0, 1)
    """Share of the run in which it falls, with ``decay: wsd``."""
    clip: float = bounded(0.2, 0)
    """Largest relative change of an action's probability that is still rewarded."""
    gae_lambda: float = bounded(0.9, 0, 1)
    """Weight decay of later value errors, per decision of any seat in the deal."""
    entropy: float = bounded(0.03, 0)
    """Bonus on the entropy of the policy at the start; it changes linearly to ``entropy_end``."""
    entropy_end: float = bounded(0.005, 0)
    """Bonus on the entropy of the policy at the end."""
    magnet: float = bounded(0.0, 0)
    """Weight of the KL divergence to the slow copy of the policy (0 = off)."""
    average_decay: float = bounded(0.95, 0, 1)
    """Share of the slow copy that stays at each iteration; the copy is what is evaluated."""
    value_coefficient: float = bounded(0.5, 0)
    """Weight of the critic's squared error."""
    epsilon: float = bounded(0.01, 0, 1)
    """Share of all choices that ``dmc`` draws evenly, in place of the best."""
    max_grad_norm: float = bounded(0.5, 0)
    """Gradients of each network are scaled down to this norm."""


@dataclass
class PoolConfig:
    """Opponents other than the current policy itself."""

    past_share: float = bounded(0.2, 0, 1)
    """Share of deals in which one side is played by an older copy of the policy."""
    size: int = bounded(8, 1, 1000)
    """Older copies kept; the oldest but one goes when a new one comes."""
    every: int = bounded(20, 1, LARGE)
    """Iterations between two copies."""
    scripted_share: float = bounded(0.0, 0, 1)
    """Share of deals in which one side is played by a scripted player."""
    scripted: str = "rules"
    """Name of that player."""
    learner_seats: Literal["side", "one"] = "side"
    """What the learner holds against an opponent: its whole side, or one seat, its partner's as
    well being the opponent's.

    It is the same where each seat is a side of its own.
    """


@dataclass
class EvalConfig:
    """Evaluation against fixed yardsticks on fixed duplicate boards."""

    every: int = bounded(25, 1, LARGE)
    """Iterations between two evaluations during training."""
    boards: int = bounded(500, 2, MOST_BOARDS)
    """Duplicate boards per yardstick during training; one alone has no interval."""
    final_boards: int = bounded(4000, 2, MOST_BOARDS)
    """Duplicate boards per yardstick in the table at the end."""
    yardsticks: list[str] = field(default_factory=lambda: ["random", "greedy", "rules"])
    """Players to measure against."""
    seed: int = bounded(1_000_003, 0, 2**64 - 1)
    """Seed of the boards; training deals use another stream."""


@dataclass
class RunConfig:
    """Where the run lives and how long it goes on."""

    name: str = "quickstart"
    """Name of the run; its files are in ``<directory>/<name>``."""
    directory: str = "runs"
    """Folder of all runs."""
    iterations: int = bounded(250, 1, MOST_ITERATIONS)
    """Iterations of collecting deals and updating.

    The step size falls towards this number.  A run can be continued to a larger one: from there
    on it goes by the schedule of the new length, so that its step size rises once and falls again,
    unless ``learn.decay`` is ``wsd``.
    """
    seed: int = bounded(0, 0, 2**64 - 1)
    """Seed of weights, training deals and all sampling."""
    checkpoint_every: int = bounded(10, 1, LARGE)
    """Iterations between two checkpoints."""
    keep: int = bounded(3, 1, LARGE)
    """Checkpoints kept; older ones are deleted."""
    processes: int = bounded(1, 1, 1024)
    """Processes that share the deals and the gradients; ``torchrun`` sets their number itself."""
    threads: int = bounded(0, 0, 1024)
    """PyTorch threads of each process (0 = as many as there are cores for it)."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """Number format of the matrix products; ``auto`` measures which is faster at the start."""
    device: Literal["auto", "cpu", "cuda", "mps"] = "auto"
    """What the networks compute on; ``auto`` is a CUDA GPU where there is one, else the CPU.

    Deals are played by the CPU.  Processes of one machine take its GPUs one after the other, and
    share them where there are fewer.
    """
    init: str = ""
    """Run folder, checkpoint or player whose weights are the first ones (none: random).

    ``champion`` is the player that comes with the program for the game. Sizes must be the same.
    """


@dataclass
class TrainConfig:
    """A whole training run."""

    rules: str = "faroese"
    """Rule set to train on."""
    overrides: dict[str, Any] = field(default_factory=dict)
    """Parameters of the rule set to replace, as in ``{follow: must_overtrump}``."""
    run: RunConfig = field(default_factory=RunConfig)
    network: NetworkConfig = field(default_factory=NetworkConfig)
    collect: CollectConfig = field(default_factory=CollectConfig)
    learn: LearnConfig = field(default_factory=LearnConfig)
    pool: PoolConfig = field(default_factory=PoolConfig)
    evaluation: EvalConfig = field(default_factory=EvalConfig)


class ConfigError(ValueError):
    """A setting cannot be used; the message names it and what is allowed."""


def load_config(argv: Sequence[str] | None = None) -> tuple[TrainConfig, bool]:
    """Return the configuration of a command line and whether a fresh start is asked for.

    ConfigError with a one-line message on bad input.
    """
    parser = ArgumentParser(
        prog="train.py", description="Train a Sjavs player by self-play.", exit_on_error=False
    )
    parser.add_argument("--config", action="config", help="YAML file with settings")
    parser.add_argument(
        "--fresh", type=bool, default=False, help="start over, even if the run has checkpoints"
    )
    parser.add_class_arguments(TrainConfig, as_group=False)
    try:
        given = checked_arguments(sys.argv[1:] if argv is None else argv)
        parsed = parser.parse_args(given)
    except (ArgumentError, ValueError) as error:
        raise ConfigError(_with_allowed(reason(error))) from None
    for f in fields(TrainConfig):
        value = getattr(parsed, f.name)
        if is_dataclass(getattr(TrainConfig(), f.name)) and not isinstance(value, Namespace):
            raise ConfigError(f"{f.name} is {value!r}; allowed: settings, as in {f.name}: {{...}}")
    made = parser.instantiate(parsed)
    config = TrainConfig(**{f.name: getattr(made, f.name) for f in fields(TrainConfig)})
    found = problems(config)
    if found:
        raise ConfigError("; ".join(found))
    return config, bool(parsed.fresh)


def _with_allowed(text: str) -> str:
    """Add to an error the settings that there are, or how a list is written."""
    unlisted = re.search(r"""key "([\w.]+)": Expected a <class 'list'>\. Got value: (.*)""", text)
    if unlisted:
        return f"{unlisted[1]} is {unlisted[2]!r}; allowed: a list, as in '[a,b]'"
    if not re.search(r"not accept|unrecognized", text):
        return text
    all_settings = TrainConfig()
    named = re.search(r"(?:Group '|--|Option ')(\w+)", text)
    section = getattr(all_settings, named[1], None) if named else None
    names = [f.name for f in fields(section if is_dataclass(section) else all_settings)]
    return f"{text}; allowed: {', '.join(names)}"


def config_to_dict(config: TrainConfig) -> dict[str, Any]:
    """Return plain nested dictionaries, ready for JSON."""
    return asdict(config)


def problems(config: TrainConfig) -> list[str]:
    """Name every setting that cannot work; empty when the configuration is sound."""
    found = bound_problems(config)
    if found:
        return found
    name = config.run.name
    if not name.strip() or name in (".", "..") or set(name) & set("/\\\0") or len(name) > 100:
        found.append(f"run.name is {name!r}; allowed: the name of one folder")
    for setting in ("name", "directory"):
        text = getattr(config.run, setting)
        if text.encode("utf-8", "replace").decode() != text:  # a byte of a name that is no UTF-8
            found.append(f"run.{setting} is {text!r}; allowed: text that UTF-8 can hold")
    if config.learn.decay == "geometric" and not config.learn.learning_rate_end > 0:
        found.append("learn.learning_rate_end is 0; allowed: above 0 with learn.decay geometric")
    if config.learn.warmup + config.learn.cooldown > 1:
        found.append("learn.warmup + learn.cooldown is above 1; allowed: 0 to 1 together")
    if config.pool.past_share + config.pool.scripted_share > 1:
        found.append("pool.past_share + pool.scripted_share is above 1; allowed: 0 to 1 together")
    try:
        rules_for(config.rules, config.overrides)
    except ValueError as error:
        found.append(str(error))
    return found


def config_page() -> str:
    """Return the page of the docs that explains every setting."""
    lines = [
        "# Configuration",
        "",
        "A YAML file in `configs/` holds what differs from these defaults; a setting is "
        "overridden on the command line by its dotted name, as in `--learn.clip 0.1`. Unknown "
        "names and impossible values are errors.",
        "",
        "| setting | default | meaning |",
        "|---|---|---|",
    ]
    lines += [f"| `{name}` | `{value}` | {text} |" for name, value, text in _explained()]
    return "\n".join([*lines, ""])


def _explained() -> list[tuple[str, Any, str]]:
    """List every setting with its default and its docstring."""

    def of(node: Any, prefix: str) -> list[tuple[str, Any, str]]:
        texts = {p.arg_name: p.description for p in parse_from_object(type(node)).params}
        rows = []
        for f in fields(node):
            value = getattr(node, f.name)
            if is_dataclass(value):
                rows += of(value, f"{prefix}{f.name}.")
            else:
                text = " ".join((texts[f.name] or "").split()).replace("``", "`")
                rows.append((prefix + f.name, value if value != "" else "''", text))
        return rows

    return of(TrainConfig(), "")
