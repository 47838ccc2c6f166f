"""What a run takes over: from its own checkpoint, or as first weights from another run.

A checkpoint belongs to a run if all settings that shape what is learned are the same; the others
may change whenever the run goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from sjavs_agents.neural.checkpoint import (
    COUNTERS,
    ORIGIN,
    PLAYER,
    CheckpointError,
    DamagedError,
    checkpoint_name,
    newest_checkpoint,
    read_checkpoint,
    reading,
    require,
    require_content,
)
from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.neural.policy import require_same_game
from sjavs_agents.neural.schema import each, mapping, number, one_of, record, text
from sjavs_agents.neural.setting_bounds import bound_problems
from sjavs_agents.training.config import TrainConfig, config_to_dict
from sjavs_agents.training.derived import AUTO
from sjavs_agents.training.learners.base import Learner
from sjavs_agents.training.learners.schedule import stable_until
from sjavs_env import Game, rules_to_json
from sjavs_env.errors import shown
from sjavs_env.rules.games.presets import rules_for

__all__ = ["MAY_CHANGE", "RUN", "before_cooldown", "settings_of_run", "take_first_weights"]

# what the checkpoint of a run must say
RUN = record(
    {
        **ORIGIN,
        **COUNTERS,
        "config": mapping(),
        "seconds": number(0),
        "precision": one_of("float32", "bfloat16"),
        "pool": record({"names": each(text(), 1000), "won": each(number(0, 1), 1000)}),
        "strength": mapping(mapping(number())),
    }
)
MAY_CHANGE = (  # settings that change nothing about what has been learned so far
    "run.directory", "run.iterations", "run.checkpoint_every", "run.keep", "run.processes",
    "run.threads", "run.precision", "run.device",
    "evaluation.every", "evaluation.boards", "evaluation.final_boards",
    "evaluation.yardsticks", "evaluation.seed",
)  # fmt: skip


def settings_of_run(config: TrainConfig, meta: Mapping[str, Any]) -> TrainConfig:
    """Return the settings with which a run goes on from a checkpoint.

    Those wanted; where they are ``auto``, those that the run has.  CheckpointError, one line, if
    the run was started with others that cannot change, or has already gone further.
    """
    now = _flat(config_to_dict(config))
    then = _flat(config_to_dict(TrainConfig())) | _flat(meta["config"])  # new ones had no effect
    run = config.run.name
    for name in ("explore", "explore_end", "reward_scale"):
        if now[f"collect.{name}"] == AUTO:
            now[f"collect.{name}"] = then[f"collect.{name}"]
            config = replace(
                config, collect=replace(config.collect, **{name: then[f"collect.{name}"]})
            )
    if found := bound_problems(config):
        raise DamagedError(f"the checkpoint is damaged or incomplete: {found[0]}")
    changed = sorted(k for k in then.keys() | now.keys() if then.get(k) != now.get(k))
    fixed = [key for key in changed if key not in MAY_CHANGE]
    if fixed:
        told = ", ".join(
            f"{key[:100]} {shown(then.get(key))}, not {shown(now.get(key))}" for key in fixed[:5]
        )
        raise CheckpointError(
            f"the run {run!r} was started with {told}; allowed: the old value, another run.name, "
            f"or --fresh true (what may change in a run: {', '.join(MAY_CHANGE)})"
        )
    rules = rules_to_json(rules_for(config.rules, config.overrides))
    if meta["rules"] != rules:  # of another version: they have changed since
        raise CheckpointError(
            f"the run {run!r} was started with rules {shown(meta['rules'])}, not {shown(rules)}; "
            "allowed: another run.name, or --fresh true"
        )
    planned, done = then["run.iterations"], meta["iteration"]
    if type(planned) is not int or done > planned:
        raise DamagedError(
            f"the checkpoint is damaged or incomplete: iteration is {done} of {shown(planned)}"
        )
    if done > config.run.iterations:
        raise CheckpointError(
            f"run.iterations is {config.run.iterations}, and the run {run!r} has done {done}; "
            f"allowed: {done} or more, another run.name, or --fresh true"
        )
    return config


def before_cooldown(config: TrainConfig, newest: Path, meta: Mapping[str, Any]) -> Path | None:
    """Return the checkpoint that a longer run goes on from instead of its newest one.

    With ``learn.decay: wsd`` that is the one from which the step size began to fall, if it has
    fallen by the settings that the newest checkpoint was made with, and the run is to be longer.
    None if there is no such checkpoint.
    """
    planned = meta["config"]["run"]["iterations"]
    stable = stable_until(config, planned)
    if stable is None or config.run.iterations <= planned or meta["iteration"] <= stable:
        return None
    path = newest.parent / checkpoint_name(stable)
    return path if path.is_file() else None


def take_first_weights(
    learner: Learner, path: str, game: Game, network: NetworkConfig
) -> list[str]:
    """Let a learner start from the weights of a run or a player; return what was wrong on the way.

    A run gives those of its newest sound checkpoint, critic included, or else its finished
    player.  CheckpointError, one line, for a file that does not fit.
    """

    def take(source: Path, arrays: Any, meta: dict[str, Any]) -> None:
        require_content(source, meta, "agent")
        require(PLAYER, meta)
        with reading():
            require_same_game(source, meta, game)
            _require_same_sizes(source, meta["config"]["network"], asdict(network), arrays)
            learner.start_from(arrays)

    source = Path(path)
    for folder in (source / "checkpoints", source):
        found = newest_checkpoint(folder, take)
        if found is not None:
            return found[2]
    if source.is_dir():
        source /= "agent.safetensors"
    try:
        take(source, *read_checkpoint(source))
    except DamagedError as error:
        said = str(error)
        raise CheckpointError(said if str(source) in said else f"{source}: {said}") from None
    return []


def _require_same_sizes(
    source: Path, theirs: Mapping[str, int], ours: Mapping[str, int], arrays: Mapping[str, Any]
) -> None:
    has_critic = any(name.startswith("critic.") for name in arrays)
    for name, size in theirs.items():
        if size != ours[name] and (has_critic or not name.startswith("critic")):
            raise CheckpointError(
                f"{source}: its network.{name} is {size}, not {ours[name]}; allowed: the same"
            )


def _flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        is_section = isinstance(value, dict) and key != "overrides"
        flat |= _flat(value, f"{prefix}{key}.") if is_section else {prefix + key: value}
    return flat
