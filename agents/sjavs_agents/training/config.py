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


@dataclass
class CollectConfig:
    """How deals are played for training."""

    deals: int = 4096
    """Deals played in one iteration; each is played from the first call to the last trick."""
    explore: float = 0.0
    """Share of calls, and of all else but cards, that is drawn evenly from what is legal.

    Where everybody may pass, self-play can settle on passing for ever without it.
    """
    reward_scale: float = 0.2
    """Factor on the game points of a deal before they reach critic and advantages."""


@dataclass
class LearnConfig:
    """How policies are improved by the deals of an iteration."""

    name: str = "ppo"
    """The learning algorithm: ``ppo``, or ``module:Class`` for one of your own."""
    epochs: int = 2
    """Passes over the decisions of one iteration."""
    minibatch: int = 8192
    """Decisions in one gradient step."""
    learning_rate: float = 5e-4
    """Adam step size at the start; it falls to ``learning_rate_end``."""
    learning_rate_end: float = 1e-5
    """Adam step size at the end."""
    decay: Literal["linear", "geometric"] = "linear"
    """How the step size falls: by equal steps, or by equal factors, which suits long runs."""
    clip: float = 0.2
    """Largest relative change of an action's probability that is still rewarded."""
    gae_lambda: float = 0.9
    """Weight decay of later value errors, per decision of any seat in the deal."""
    entropy: float = 0.03
    """Bonus on the entropy of the policy at the start; it changes linearly to ``entropy_end``."""
    entropy_end: float = 0.005
    """Bonus on the entropy of the policy at the end."""
    magnet: float = 0.0
    """Weight of the KL divergence to the slow copy of the policy (0 = off)."""
    average_decay: float = 0.95
    """Share of the slow copy that stays at each iteration; the copy is what is evaluated."""
    value_coefficient: float = 0.5
    """Weight of the critic's squared error."""
    max_grad_norm: float = 0.5
    """Gradients of each network are scaled down to this norm."""


@dataclass
class PoolConfig:
    """Opponents other than the current policy itself."""

    past_share: float = 0.2
    """Share of deals in which one side is played by an older copy of the policy."""
    size: int = 8
    """Older copies kept; the oldest but one goes when a new one comes."""
    every: int = 20
    """Iterations between two copies."""
    scripted_share: float = 0.0
    """Share of deals in which one side is played by a scripted player."""
    scripted: str = "rules"
    """Name of that player."""


@dataclass
class EvalConfig:
    """Evaluation against fixed yardsticks on fixed duplicate boards."""

    every: int = 25
    """Iterations between two evaluations during training."""
    boards: int = 500
    """Duplicate boards per yardstick during training."""
    final_boards: int = 4000
    """Duplicate boards per yardstick in the table at the end."""
    yardsticks: list[str] = field(default_factory=lambda: ["random", "greedy", "rules"])
    """Players to measure against."""
    seed: int = 1_000_003
    """Seed of the boards; training deals use another stream."""


@dataclass
class RunConfig:
    """Where the run lives and how long it goes on."""

    name: str = "quickstart"
    """Name of the run; its files are in ``<directory>/<name>``."""
    directory: str = "runs"
    """Folder of all runs."""
    iterations: int = 250
    """Iterations of collecting deals and updating.

    A run keeps this number, towards which its step size falls: it cannot be prolonged later.
    """
    seed: int = 0
    """Seed of weights, training deals and all sampling."""
    checkpoint_every: int = 10
    """Iterations between two checkpoints."""
    keep: int = 3
    """Checkpoints kept; older ones are deleted."""
    processes: int = 1
    """Processes that share the deals and the gradients; ``torchrun`` sets their number itself."""
    threads: int = 0
    """PyTorch threads of each process (0 = as many as there are cores for it)."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """Number format of the matrix products; ``auto`` measures which is faster at the start."""


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
    """Add the settings that there are to an error about one that there is not."""
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


_AT_LEAST_ONE = {
    "play_width", "play_layers", "bid_width", "bid_layers", "critic_width", "critic_layers",
    "deals", "epochs", "minibatch", "size", "every", "boards", "final_boards", "iterations",
    "checkpoint_every", "keep",
}  # fmt: skip
_LARGEST = {  # far above what is of use; more would not fit into memory
    **dict.fromkeys(("play_width", "bid_width", "critic_width"), 8192),
    **dict.fromkeys(("play_layers", "bid_layers", "critic_layers"), 64),
    "deals": 2**20,
}
_BOARDS = {"boards", "final_boards"}
_SHARES = {"explore", "past_share", "scripted_share", "gae_lambda", "average_decay"}


def problems(config: TrainConfig) -> list[str]:
    """Name every setting that cannot work; empty when the configuration is sound."""
    found = []
    for path, value in _walk(config):
        name = path.rsplit(".", 1)[-1]
        if value is None:
            found.append(f"{path} is null; allowed: a value, or leave it out")
        elif name == "seed" and not 0 <= value < 2**64:
            found.append(f"{path} is {value}; allowed: 0 to {2**64 - 1}")
        elif name == "processes" and not 1 <= value <= 1024:
            found.append(f"{path} is {value}; allowed: 1 to 1024")
        elif name == "threads" and not 0 <= value <= 1024:
            found.append(f"{path} is {value}; allowed: 0 to 1024")
        elif name in _BOARDS and value > MOST_BOARDS:
            found.append(f"{path} is {value}; allowed: 2 to {MOST_BOARDS}")
        elif name in _LARGEST and value > _LARGEST[name]:
            found.append(f"{path} is {value}; allowed: 1 to {_LARGEST[name]}")
        elif name in _AT_LEAST_ONE and value < 1:
            found.append(f"{path} is {value}; allowed: 1 or more")
        elif name in _SHARES and not 0 <= value <= 1:
            found.append(f"{path} is {value}; allowed: 0 to 1")
        elif isinstance(value, float) and not 0 <= value < float("inf"):
            found.append(f"{path} is {value}; allowed: 0 or more")
    if found:
        return found
    name = config.run.name
    if not name.strip() or name in (".", "..") or set(name) & set("/\\\0") or len(name) > 100:
        found.append(f"run.name is {name!r}; allowed: the name of one folder")
    for path, n in (
        ("boards", config.evaluation.boards),
        ("final_boards", config.evaluation.final_boards),
    ):
        if n == 1:
            found.append(f"evaluation.{path} is 1; allowed: 2 or more, or there is no interval")
    if config.learn.decay == "geometric" and not config.learn.learning_rate_end > 0:
        found.append("learn.learning_rate_end is 0; allowed: above 0 with learn.decay geometric")
    if config.pool.past_share + config.pool.scripted_share > 1:
        found.append("pool.past_share + pool.scripted_share is above 1; allowed: 0 to 1 together")
    try:
        rules_for(config.rules, None, config.overrides)
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
                rows.append((prefix + f.name, value, " ".join((texts[f.name] or "").split())))
        return rows

    return of(TrainConfig(), "")


def _walk(node: Any, prefix: str = "") -> list[tuple[str, Any]]:
    leaves: list[tuple[str, Any]] = []
    for f in fields(node):
        value = getattr(node, f.name)
        path = prefix + f.name
        leaves += _walk(value, path + ".") if is_dataclass(value) else [(path, value)]
    return leaves
