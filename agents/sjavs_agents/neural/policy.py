"""Masked distributions, sampling, and the agent that plays with trained policies."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sjavs_agents.base import Floats, Ints
from sjavs_agents.neural.arrays import check_weights, load_module, module_arrays
from sjavs_agents.neural.checkpoint import (
    PLAYER,
    CheckpointError,
    DamagedError,
    newest_checkpoint,
    read_checkpoint,
    reading,
    require,
    require_content,
    require_observation,
    write_checkpoint,
)
from sjavs_agents.neural.config import NetworkConfig
from sjavs_agents.neural.device import chosen_device
from sjavs_agents.neural.network import Policies, Precision, infer
from sjavs_env import (
    OBSERVATION_VERSION,
    Encoder,
    Game,
    Phase,
    PlayerView,
    RuleSet,
    rules_from_json,
    rules_to_json,
)
from sjavs_env.rules.overrides import differences

__all__ = [
    "ILLEGAL",
    "NeuralAgent",
    "load_agent",
    "masked_log_probs",
    "masked_logits",
    "of_player",
    "require_same_game",
    "sample_actions",
    "save_agent",
    "split_logits",
]

T = TypeVar("T")

ILLEGAL = -1e9  # finite: minus infinity would poison gradients and entropies


def masked_logits(logits: Tensor, mask: Tensor) -> Tensor:
    """Return logits (R, A) in float32, those of illegal actions lowered by 1e9.

    Sums are several times faster than a choice between two numbers.
    """
    return (mask.to(torch.float32) - 1).mul_(-ILLEGAL).add_(logits)


def masked_log_probs(logits: Tensor, mask: Tensor) -> Tensor:
    """Return log-probabilities (R, A) in float32 over the legal actions; about -1e9 elsewhere."""
    return torch.log_softmax(masked_logits(logits, mask), dim=1)


def sample_actions(log_probs: NDArray[np.float32], rng: np.random.Generator) -> Ints:
    """Draw actions (R,) by inverting the distribution function; one double per row."""
    cumulative = np.cumsum(np.exp(log_probs), axis=1, dtype=np.float64)
    point = rng.random(len(log_probs)) * cumulative[:, -1]
    return np.argmax(cumulative > point[:, None], axis=1)


def split_logits(
    policies: Policies, counts: Tensor, is_play: NDArray[np.bool_], precision: Precision
) -> Tensor:
    """Return logits (R, A): the play policy's where ``is_play``, else the bid policy's."""
    if is_play.all():
        return infer(policies.play, counts, precision)
    if not is_play.any():
        return infer(policies.bid, counts, precision)
    play = torch.from_numpy(is_play)
    at_play = infer(policies.play, counts[play], precision)
    at_bid = infer(policies.bid, counts[~play], precision)
    logits = torch.empty(len(counts), at_play.shape[1])
    logits[play], logits[~play] = at_play, at_bid
    return logits


class NeuralAgent:
    """Plays with trained policies: the likeliest action, or a sample at a temperature."""

    def __init__(
        self,
        name: str,
        game: Game,
        policies: Policies,
        encoder: Encoder,
        precision: Precision,
        temperature: float = 0.0,
    ) -> None:
        self.name = name
        self.game = game
        self.policies = policies
        self.encoder = encoder
        self.precision = precision
        self.temperature = temperature

    @torch.inference_mode()
    def log_probs(
        self, view: PlayerView, mask: NDArray[np.int8], arranged: Ints
    ) -> NDArray[np.float32]:
        """Return log-probabilities (R, A) of the actions as arranged, at temperature 1."""
        counts = torch.from_numpy(self.encoder.encode(view, arranged=arranged))
        legal = torch.from_numpy(self.encoder.encode_mask(mask, arranged)).bool()
        logits = split_logits(self.policies, counts, view.phase == Phase.PLAY, self.precision)
        return masked_log_probs(logits, legal).numpy()

    def action_log_probs(self, view: PlayerView, mask: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return log-probabilities (R, A) of the game's own actions at temperature 1."""
        arranged = self.encoder.arrangement(view)
        log_probs = self.log_probs(view, mask, arranged)
        n_rows, n_actions = log_probs.shape
        places = np.tile(np.arange(n_actions), n_rows)
        actions = self.encoder.decode_actions(places, np.repeat(arranged, n_actions))
        found = np.empty_like(log_probs)
        np.put_along_axis(found, actions.reshape(n_rows, n_actions), log_probs, axis=1)
        return found

    def probabilities(self, view: PlayerView, mask: NDArray[np.int8]) -> Floats | None:
        """Return the probabilities (R, A) of actions; None at temperature 0, which draws none."""
        if self.temperature == 0:
            return None
        log_probs = self.action_log_probs(view, mask).astype(np.float64)
        best = log_probs.max(axis=1, keepdims=True)
        weights = np.where(mask == 1, np.exp((log_probs - best) / self.temperature), 0)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Return legal actions (R,); draws one double per row unless the temperature is 0."""
        arranged = self.encoder.arrangement(view)
        log_probs = self.log_probs(view, mask, arranged)
        if self.temperature == 0:
            actions = log_probs.argmax(axis=1)
        else:
            best = log_probs.max(axis=1, keepdims=True)
            scaled = torch.from_numpy(log_probs - best).double() / self.temperature
            illegal = torch.from_numpy(log_probs < ILLEGAL / 2)
            scaled.masked_fill_(illegal, -torch.inf)  # at any temperature
            actions = sample_actions(torch.log_softmax(scaled, dim=1).numpy(), rng)
        return self.encoder.decode_actions(actions, arranged)


def save_agent(
    path: Path, agent: NeuralAgent, network: NetworkConfig, meta: Mapping[str, Any]
) -> None:
    """Write an agent without anything that only training needs; ``meta`` is kept with it."""
    about = {
        "rules": rules_to_json(agent.game.rules),
        "observation": OBSERVATION_VERSION,
        "config": {"network": asdict(network)},
        **meta,
    }
    write_checkpoint(path, module_arrays(agent.policies, "average"), about)


def load_agent(path: str, game: Game, temperature: float = 0.0, device: str = "cpu") -> NeuralAgent:
    """Return the agent saved in a file, or in the folder of a run, ready to play ``game``.

    Its networks compute on a device of ``DEVICES``; ValueError if there is none.

    A folder gives its finished agent or else its newest sound checkpoint, with a warning about
    newer ones.  CheckpointError if there is none, or if it was trained on a game with other
    actions or observations.
    """
    name = path if temperature == 0 else f"{path}:temperature={temperature:g}"

    place = chosen_device(device)

    def built(source: Path, arrays: Any, meta: dict[str, Any]) -> NeuralAgent:
        agent = _built(name, source, arrays, meta, game, temperature)
        agent.policies.to(place)
        return agent

    return of_player(Path(path), built)


def of_player(path: Path, use: Callable[[Path, Any, dict[str, Any]], T]) -> T:
    """Return what ``use`` makes of the player in a file or in the folder of a run."""
    finished = path / "agent.safetensors"
    source = finished if finished.exists() else path
    if not source.is_dir():
        try:
            return use(source, *read_checkpoint(source))
        except DamagedError as error:
            text = str(error)
            raise CheckpointError(text if str(source) in text else f"{source}: {text}") from None
    for folder in (path / "checkpoints", path):
        found = newest_checkpoint(folder, use)
        if found is not None:
            for trouble in found[2]:
                warnings.warn(f"{trouble}; using an older checkpoint", stacklevel=3)
            return found[0]
    raise CheckpointError(f"{path}: there is no checkpoint in this folder")


def require_same_game(source: Path, meta: Mapping[str, Any], game: Game) -> None:
    """CheckpointError if weights were trained on other actions or observations than these."""
    try:
        require_observation(meta)
    except CheckpointError as error:
        raise CheckpointError(f"{source}: {error}") from None
    trained_on = Game(rules_from_json(meta["rules"]))
    same_actions = trained_on.actions.labels == game.actions.labels
    if not same_actions or Encoder(trained_on).layout != Encoder(game).layout:
        was, now = _told_apart(trained_on.rules, game.rules)
        raise CheckpointError(
            f"{source}: trained on {was}, whose actions or observations differ from those of "
            f"{now}; its game is {_as_options(meta['rules'])}"
        )


def _told_apart(theirs: RuleSet, here: RuleSet) -> tuple[str, str]:
    """Return what to call two rule sets so that it is seen in what they differ."""
    names = [rules.name for rules in (theirs, here)]
    if theirs.players != here.players:
        names = [f"{rules.name} for {rules.players} players" for rules in (theirs, here)]
    elif theirs.name == here.name:
        pairs = differences(theirs, here), differences(here, theirs)
        names = [f"{here.name} with {_settings(values)}" for values in pairs]
    return names[0], names[1]


def _as_options(rules: Mapping[str, Any]) -> str:
    """Return rules of a checkpoint as a command takes them."""
    overrides = rules.get("overrides") or {}
    return f"--rules {rules['name']}{' --set ' if overrides else ''}{_settings(overrides)}"


def _settings(overrides: Mapping[str, Any]) -> str:
    """Return parameters as ``KEY=VALUE`` words."""
    values = {k: json.dumps(v, separators=(",", ":")) for k, v in overrides.items()}
    return " ".join(f"{k}={text.strip(chr(34))}" for k, text in values.items())


def _built(
    name: str, source: Path, arrays: Any, meta: dict[str, Any], game: Game, temperature: float
) -> NeuralAgent:
    require_content(source, meta, "agent")
    require(PLAYER, meta)
    with reading():
        require_same_game(source, meta, game)
        encoder, sizes = Encoder(game, "trump"), NetworkConfig(**meta["config"]["network"])
        with torch.device("meta"):  # sizes that no file has should take no memory
            check_weights(Policies(encoder, sizes), arrays, "average")
        policies = Policies(encoder, sizes).requires_grad_(False)
        load_module(policies, arrays, "average")
    return NeuralAgent(name, game, policies, encoder, Precision("float32"), temperature)
