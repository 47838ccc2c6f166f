"""Training on other devices than the processor.

On the device ``meta``, which computes shapes alone, an operation on tensors of two devices fails
as it does on an accelerator, and so does whoever asks for a number before the end of an iteration.
Where there is an accelerator, it is compared with the processor.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.distributed as dist
from torch import Tensor, nn

import train
from sjavs_agents.belief import learned_belief
from sjavs_agents.belief.learned_belief import Belief, BeliefConfig, BeliefLearner, Examples
from sjavs_agents.neural.config import DEVICES
from sjavs_agents.neural.device import chosen_device
from sjavs_agents.neural.network import Precision
from sjavs_agents.registry import make_agent
from sjavs_agents.training.collect import Rollout
from sjavs_agents.training.learners.base import Setup
from sjavs_agents.training.learners.dmc import Dmc
from sjavs_agents.training.learners.ppo import Ppo
from sjavs_agents.training.learners.schedule import Schedule
from sjavs_agents.training.processes import can_link_gpus, run_team
from sjavs_agents.training.run import Training
from sjavs_agents.training.team import Team
from tests.agents.training.test_team import in_turn
from tests.agents.training.tiny import tiny_args, tiny_config
from tests.engine.table import game_of

META = torch.device("meta")
THERE = [name for name in ("cuda", "mps") if getattr(torch, name).is_available()]
ACCELERATOR = THERE[0] if THERE else "cuda"
on_accelerator = pytest.mark.skipif(not THERE, reason="this machine has no accelerator")


def setup_on(training: Training, device: torch.device) -> Setup:
    config = training.config
    return Setup(
        training.encoder, config.network, config.learn, 0.2, Precision("float32"), 0,
        device=device,
    )  # fmt: skip


def zeros(rollout: Rollout) -> Any:
    return np.zeros((len(rollout), rollout.rewards.shape[1]), np.float32)


def test_forward_loss_and_step_stay_on_one_device(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path))
    rollout = training.collect()
    learner = Ppo(setup_on(training, META))
    batch = learner.batch(rollout, zeros(rollout), zeros(rollout))
    schedule = Schedule.at(training.config.learn, 0.5)
    for kind, chosen in (("play", rollout.is_play), ("bid", ~rollout.is_play)):
        found = learner.descend(kind, batch.at(np.flatnonzero(chosen)), schedule)
        assert {value.device for value in found.values()} == {META}
        assert all(p.grad is not None for p in learner.modules()[kind].parameters())
        learner.step((kind, "critic"), int(chosen.sum()))
    learner.move_average()
    moments = [m for o in learner.optimizers.values() for s in o.state.values() for m in s.values()]
    assert {m.device for m in moments if m.ndim} == {META}
    with pytest.raises(RuntimeError, match="meta"):  # the test would notice
        learner.descend("play", training_batch(training, rollout), schedule)


def test_deep_monte_carlo_stays_on_one_device(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path))
    rollout = training.collect()
    learner = Dmc(setup_on(training, META))
    batch = learner.batch(rollout, zeros(rollout), zeros(rollout))
    found = learner.descend("play", batch.at(np.flatnonzero(rollout.is_play)))
    assert found["q_play"].device == META
    learner.step(("play",), len(rollout))
    assert {p.device for p in learner.policies.parameters()} == {META}


def training_batch(training: Training, rollout: Rollout) -> Any:
    """Decisions that were left on the processor."""
    learner = training.learner
    assert isinstance(learner, Ppo)
    return learner.batch(rollout, zeros(rollout), zeros(rollout)).at(
        np.flatnonzero(rollout.is_play)
    )


def test_a_belief_learns_on_one_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned_belief, "chosen_device", torch.device)
    game, rng = game_of("faroese"), np.random.default_rng(0)
    belief = Belief("a", game, ("x", "y", "z"), BeliefConfig(8, 1))
    learner = BeliefLearner(belief, 0, "meta")
    counts = rng.integers(2, size=(6, belief.encoder.layout.size)).astype(np.uint8)
    exact = rng.random((6, 3, game.tables.n_cards)).astype(np.float32)
    holder = rng.integers(-1, 3, size=(6, game.tables.n_cards)).astype(np.int8)
    learner.learn(Examples(counts, exact, holder), np.arange(6), 3, 1e-3)
    assert {p.device for p in belief.net.parameters()} == {META}


def test_gpus_that_are_linked_exchange_gradients_that_lie_on_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    summed: list[Tensor] = []
    monkeypatch.setattr(dist, "all_reduce", summed.append)
    net = nn.Linear(3, 2, device="meta")
    Team(0, 2, links_gpus=True).average_gradients([net], 5)
    assert [(t.device, t.shape) for t in summed] == [(META, (9,))]
    assert net.weight.grad is not None
    assert net.weight.grad.device == META


def with_gpus(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: n > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: n)
    monkeypatch.setattr(dist, "is_nccl_available", lambda: n > 0)


def test_processes_take_the_gpus_of_their_machine_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    with_gpus(monkeypatch, 2)
    for name in ("auto", "cuda"):
        assert [chosen_device(name, rank).index for rank in range(4)] == [0, 1, 0, 1]
    assert chosen_device("cpu", 1) == torch.device("cpu")
    assert [can_link_gpus("auto", size) for size in (1, 2, 3)] == [True, True, False]
    assert not can_link_gpus("cpu", 1)


def test_without_a_gpu_the_processor_does_it_and_no_other_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_gpus(monkeypatch, 0)
    assert chosen_device("auto") == torch.device("cpu")
    assert not can_link_gpus("auto", 1)
    with pytest.raises(ValueError, match=r"^run\.device is 'cuda'; allowed on this machine: auto,"):
        chosen_device("cuda", setting="run.device")


@pytest.mark.parametrize("processes", [1, 2])
def test_a_device_that_is_not_there_is_refused_before_anything_is_done(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    processes: int,
) -> None:
    with_gpus(monkeypatch, 0)
    args = tiny_args(tmp_path, device="cuda", processes=processes)
    assert train.main(args) == 2
    err = capsys.readouterr().err
    assert "run.device is 'cuda'; allowed on this machine: auto, cpu" in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_player_computes_on_the_device_that_its_name_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_gpus(monkeypatch, 0)
    path = Training(tiny_config(tmp_path)).save_agent()
    game = game_of("faroese")
    named: Any = make_agent(f"{path}:device=cpu,temperature=1", game)
    assert named.policies.play.scale.device == torch.device("cpu")
    with pytest.raises(ValueError, match="device is 'cuda'; allowed on this machine: auto, cpu"):
        make_agent(f"{path}:device=cuda", game)
    with pytest.raises(ValueError, match=f"device is 'tpu'; allowed: {', '.join(DEVICES)}"):
        make_agent(f"{path}:device=tpu", game)


@on_accelerator
def test_an_accelerator_learns_what_the_processor_learns(tmp_path: Path) -> None:
    found = []
    for device in ("cpu", ACCELERATOR):
        training = Training(tiny_config(tmp_path / device, device=device))
        training.learn(training.collect())
        found.append((training.arrays(), training.decisions))
    (ours, n), (theirs, m) = found
    assert n == pytest.approx(m, rel=0.02)  # a draw between two actions may fall otherwise
    for name, value in ours.items():
        if name.startswith(("policies.", "critic.")):
            np.testing.assert_allclose(theirs[name], value, atol=3e-3, err_msg=name)


@on_accelerator
def test_a_run_goes_on_with_another_device(tmp_path: Path) -> None:
    assert train.main(tiny_args(tmp_path, device=ACCELERATOR, iterations=2)) == 0
    assert train.main(tiny_args(tmp_path, device="cpu", iterations=4)) == 0
    assert train.main(tiny_args(tmp_path, device=ACCELERATOR, iterations=6, precision="auto")) == 0


@on_accelerator
def test_processes_that_share_an_accelerator_hold_the_same_weights(tmp_path: Path) -> None:
    path = tmp_path / "found"
    config = tiny_config(tmp_path, device=ACCELERATOR)
    assert run_team(2, in_turn, (config, path), ACCELERATOR) == 7
    _, (ours, theirs) = pickle.loads(path.read_bytes())
    for name, value in ours[0].items():
        np.testing.assert_array_equal(value, theirs[0][name], err_msg=name)
