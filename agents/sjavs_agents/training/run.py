"""One training run: everything it is made of, and the verbs that ``train.py`` tells.

A run's whole state between two iterations is its networks, optimizers, pool, games and a
few counters; ``save`` writes all of it and ``resume`` reads it back, so that N + M iterations
equal N, a kill, and M, bit for bit on the same machine with as many processes.  What is random
in an iteration depends on its number, the seed and the rank of the process, on nothing before.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from sjavs_agents.base import fair
from sjavs_agents.neural import checkpoint as files
from sjavs_agents.neural.arrays import load_module, module_arrays, under
from sjavs_agents.neural.checkpoint import reading, require, require_observation
from sjavs_agents.neural.device import chosen_device
from sjavs_agents.neural.network import Policies, Precision, copy_of, fastest_precision
from sjavs_agents.neural.policy import NeuralAgent, save_agent
from sjavs_agents.registry import make_agent, weights_path
from sjavs_agents.training.collect import Choosing, Collector, DivergedError, Rollout, can_choose
from sjavs_agents.training.config import TrainConfig, config_to_dict
from sjavs_agents.training.continuing import RUN, settings_of_run, take_first_weights
from sjavs_agents.training.derived import resolved
from sjavs_agents.training.learners.base import Setup
from sjavs_agents.training.learners.registry import make_learner
from sjavs_agents.training.learners.schedule import stable_until
from sjavs_agents.training.pool import Pool
from sjavs_agents.training.team import Team
from sjavs_agents.training.versions import versions
from sjavs_env import (
    OBSERVATION_VERSION,
    Encoder,
    Game,
    GameState,
    rules_to_json,
)
from sjavs_env.cli.cores import usable_cores
from sjavs_env.randomness import derived
from sjavs_env.rules.games.presets import rules_for

__all__ = ["Training", "use_threads"]


def use_threads(wanted: int, processes: int = 1) -> None:
    """Let PyTorch use this many threads; 0 stands for every core that a process has."""
    torch.set_num_threads(wanted or max(1, usable_cores() // processes))


class Training:
    """A run in progress, as one process of its team sees it."""

    def __init__(
        self, config: TrainConfig, precision: Precision | None = None, team: Team | None = None
    ) -> None:
        """Build a run at iteration 0; ``precision`` defaults to what the config says."""
        self.team = team or Team()
        if config.collect.deals < self.team.size:
            raise ValueError(
                f"collect.deals is {config.collect.deals}; allowed: {self.team.size} or more, "
                "one for each process"
            )
        self.game = Game(rules_for(config.rules, config.overrides))
        self.config = config = resolved(config, self.game.tables)
        self.encoder = Encoder(self.game, "trump")
        self.yardsticks = {n: make_agent(n, self.game) for n in config.evaluation.yardsticks}
        self.device = chosen_device(config.run.device, self.team.rank_here, "run.device")
        self.precision = precision or self._precision()
        setup = Setup(
            self.encoder, config.network, config.learn, float(config.collect.reward_scale),
            self.precision, config.run.seed, self.team, self.device,
        )  # fmt: skip
        self.learner = make_learner(config.learn.name, setup)
        self.collector = Collector(
            self.game, self.encoder, config.collect.deals, _deal_seed(config.run.seed),
            share=self.team.share(config.collect.deals),
        )  # fmt: skip
        self.pool = Pool(config.pool, self.game.tables.result.ally[:-1], self._scripted())
        self.iteration = 0
        self.decisions = 0
        self.deals = 0
        self.seconds = 0.0
        self.strength: dict[str, dict[str, float]] = {}  # the last evaluation, by yardstick

    @classmethod
    def begin(
        cls, config: TrainConfig, precision: Precision | None = None, team: Team | None = None
    ) -> Training:
        """Build a run that starts from random weights, or from those that it is told to.

        Each process of a team reads them itself.
        """
        run = cls(config, precision, team)
        if config.run.init:
            try:
                path = str(weights_path(config.run.init, run.game) or config.run.init)
                found = take_first_weights(run.learner, path, run.game, config.network)
            except ValueError as error:
                raise ValueError(f"run.init: {error}") from None
            for trouble in found:
                warnings.warn(f"run.init: {trouble}; using an older checkpoint", stacklevel=2)
        return run

    def _precision(self) -> Precision:
        wanted = self.config.run.precision
        if wanted == "auto":
            return fastest_precision(self.encoder, self.config.network, self.device)
        return Precision(wanted)

    def _scripted(self) -> Any:
        pool = self.config.pool
        return fair(make_agent(pool.scripted, self.game)) if pool.scripted_share > 0 else None

    @property
    def is_finished(self) -> bool:
        """True when all iterations are done."""
        return self.iteration >= self.config.run.iterations

    # -- the verbs of an iteration

    def collect(self) -> Rollout:
        """Play this process's share of the deals of this iteration."""
        rng = self._random(_COLLECT)
        self.collector.explore = self._explored()
        self.collector.choosing = self.choosing
        seating = self.pool.seat(self.collector.n_games, rng)
        rollout = self.collector.collect(self.learner.policies, self.precision, seating, rng)
        self.pool.record(self.team.total(self.pool.met(seating, rollout.rewards)))
        return rollout

    @property
    def choosing(self) -> Choosing:
        """How the learner wants its deals to be played: by samples, if it does not say."""
        found: Choosing = getattr(self.learner, "choosing", Choosing())
        return found

    def _explored(self) -> float:
        """Return the share of calls that is drawn evenly in this iteration."""
        collect = self.config.collect
        start, end = float(collect.explore), float(collect.explore_end)
        return start + (end - start) * self.progress

    @property
    def progress(self) -> float:
        """The share of the run that is done."""
        return self.iteration / self.config.run.iterations

    def learn(self, rollout: Rollout) -> dict[str, float]:
        """Learn from the deals; return losses and diagnostics."""
        metrics = self.learner.learn(rollout, self.progress, self._random(_LEARN))
        self._require_sound(rollout)
        self.iteration += 1
        self.decisions += int(self.team.total(np.array([len(rollout)]))[0])
        self.deals += self.config.collect.deals
        if self.iteration % self.config.pool.every == 0:
            self.pool.add(self._copy(f"iteration {self.iteration}"))
        return metrics

    def _require_sound(self, rollout: Rollout) -> None:
        """DivergedError, for the whole team, unless the weights are numbers to play by."""
        n_seen = self.encoder.layout.size
        wrong = ""
        if not all(np.isfinite(kept).all() for kept in self.learner.arrays().values()):
            wrong = "are not finite"
        elif self.team.any(
            not can_choose(self.learner.policies, self.precision, rollout, n_seen)
            or not can_choose(self.learner.average, self.precision, rollout, n_seen)
        ):
            wrong = "are too large to play by"
        if wrong:
            raise DivergedError(
                f"the weights {wrong} after iteration {self.iteration + 1}; allowed: "
                "a smaller learn.learning_rate, collect.reward_scale or learn.entropy"
            )

    def _random(self, purpose: int) -> np.random.Generator:
        """Return the generator of this process for one part of this iteration."""
        key = (purpose, self.iteration, self.team.rank)
        return derived(self.config.run.seed, "training", *key)

    def agent(self, name: str = "trained") -> NeuralAgent:
        """Return the player to be measured: the slow copy, choosing its likeliest action."""
        return NeuralAgent(name, self.game, self.learner.average, self.encoder, self.precision)

    def _copy(self, name: str) -> NeuralAgent:
        """Return a frozen copy of the current policy that chooses as the learner does."""
        return self._member(name, copy_of(self.learner.policies, self.encoder, self.config.network))

    def _member(self, name: str, policies: Policies) -> NeuralAgent:
        temperature = 0.0 if self.choosing.greedy else 1.0
        return NeuralAgent(name, self.game, policies, self.encoder, self.precision, temperature)

    # -- checkpoints

    @property
    def folder(self) -> Path:
        """Folder of the run."""
        return Path(self.config.run.directory) / self.config.run.name

    def save(self) -> Path:
        """Write a checkpoint of everything and delete the oldest ones; return its path.

        The whole team calls it and the leader writes.
        """
        path = self.folder / "checkpoints" / files.checkpoint_name(self.iteration)
        arrays = self.arrays()
        if self.team.leads:
            files.write_checkpoint(path, arrays, self.meta())
            stable = stable_until(self.config)
            spared = "" if stable is None else files.checkpoint_name(stable)
            files.prune_checkpoints(path, self.config.run.keep, spared)
        return path

    def save_agent(self) -> Path:
        """Write the finished player, without what only training needs; return its path."""
        path = self.folder / "agent.safetensors"
        counters = {"iteration": self.iteration, "decisions": self.decisions, "deals": self.deals}
        save_agent(path, self.agent(), self.config.network, counters)
        return path

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what the learner keeps, the pool and the games of the team by name."""
        arrays = self.learner.arrays()
        for i, member in enumerate(self.pool.members):
            assert isinstance(member, NeuralAgent)
            arrays |= module_arrays(member.policies, f"pool.{i}")
        games = GameState.joined(self.team.everyone(self.collector.state))
        arrays |= {f"games.{k}": v for k, v in games.arrays().items()}
        return arrays

    def meta(self) -> dict[str, Any]:
        """Return all else about the run, as JSON values."""
        return {
            "config": config_to_dict(self.config),
            "rules": rules_to_json(self.game.rules),
            "observation": OBSERVATION_VERSION,
            "iteration": self.iteration,
            "decisions": self.decisions,
            "deals": self.deals,
            "seconds": self.seconds,
            "precision": self.precision.name,
            "pool": {
                "names": [m.name for m in self.pool.members],
                "won": self.pool.won.tolist(),
            },
            "strength": self.strength,
            "versions": versions(self.device),
        }

    @classmethod
    def resume(
        cls,
        config: TrainConfig,
        arrays: dict[str, NDArray[Any]],
        meta: dict[str, Any],
        team: Team | None = None,
    ) -> Training:
        """Rebuild a run from a checkpoint; CheckpointError if it belongs to another run.

        DamagedError if no run can be made of it; ValueError for settings that cannot be used.
        """
        require(RUN, meta)
        with reading():
            config = settings_of_run(config, meta)
        require_observation(meta)
        run = cls(config, Precision(meta["precision"]), team)
        with reading():
            run._restore(arrays, meta)
        return run

    @classmethod
    def resume_newest(
        cls, config: TrainConfig, folder: Path, team: Team | None = None
    ) -> tuple[Training, Path, list[str]] | None:
        """Rebuild a run from its newest whole checkpoint; None if the folder has none at all.

        Also returns the checkpoint and what was wrong with newer ones.  CheckpointError if
        none is whole, or if they belong to another run.
        """
        return files.newest_checkpoint(
            folder, lambda path, arrays, meta: cls.resume(config, arrays, meta, team)
        )

    def _restore(self, arrays: dict[str, NDArray[Any]], meta: dict[str, Any]) -> None:
        """Put everything where a checkpoint has it."""
        self.learner.restore(arrays)
        names, won = meta["pool"]["names"], np.array(meta["pool"]["won"], dtype=np.float64)
        if won.shape != (len(names),) or len(names) > self.config.pool.size:
            raise ValueError(f"{len(names)} copies in the pool, {won.size} results")
        for i, name in enumerate(names):
            policies = Policies(self.encoder, self.config.network).requires_grad_(False)
            load_module(policies.to(self.device), arrays, f"pool.{i}")
            self.pool.add(self._member(name, policies))
        self.pool.won = won
        games = GameState.from_arrays(self._game_arrays(arrays))
        own = games.select(np.array(self.team.share(self.config.collect.deals)))
        if found := self.game.problems(own):
            raise ValueError(found[0])
        self.collector.restore(own)
        for name, found in meta["strength"].items():
            if f"eval/{name}/game_points" not in found:
                raise ValueError(f"strength.{name} has no game points")
        for name in ("iteration", "decisions", "deals", "seconds", "strength"):
            setattr(self, name, meta[name])

    def _game_arrays(self, arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Return the games in a checkpoint; ValueError for types that no game has."""
        own, wanted = under(arrays, "games"), self.collector.state.arrays()
        for name, value in own.items():
            if name in wanted and value.dtype != wanted[name].dtype:
                raise ValueError(
                    f"games.{name} has type {value.dtype}; allowed: {wanted[name].dtype}"
                )
        return own


def _deal_seed(seed: int) -> int:
    """Return the seed of the training decks: no seed that an evaluation would be given."""
    domain = np.random.SeedSequence(seed, spawn_key=(0x5472_6169_6E,))  # apart from all others
    return int(domain.generate_state(1, np.uint64)[0])


_COLLECT, _LEARN = range(2)  # parts of an iteration that draw
