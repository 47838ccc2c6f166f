import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import train
from sjavs_agents.base import open_decisions
from sjavs_agents.neural.checkpoint import (
    CheckpointError,
    checkpoint_files,
    newest_checkpoint,
    read_checkpoint,
    write_checkpoint,
)
from sjavs_agents.registry import make_agent
from sjavs_agents.training.collect import DivergedError
from sjavs_agents.training.config import ConfigError, LearnConfig, load_config
from sjavs_agents.training.learners.schedule import Schedule
from sjavs_agents.training.run import Training
from sjavs_agents.training.session import iterate
from sjavs_env import Game, make_rules, view_of
from tests.agents.training.tiny import tiny_args, tiny_config


def advance(training: Training, iterations: int) -> None:
    for _ in range(iterations):
        training.learn(training.collect())


def resumed(training: Training) -> Training:
    path = training.save()
    return Training.resume(training.config, *read_checkpoint(path))


GAMES = [
    "faroese", "faroese_3", "klorsjavs", "handjass_swiss",
    *(
        pytest.param(rules, marks=pytest.mark.slow)
        for rules in ("faroese_free", "faroese_2", "auction_sjavs", "handjass")
    ),
]  # fmt: skip


@pytest.mark.parametrize("rules", GAMES)
def test_stopping_and_resuming_changes_no_bit(tmp_path: Path, rules: str) -> None:
    whole = Training(tiny_config(tmp_path / "a", rules, iterations=6))
    advance(whole, 5)
    broken = Training(tiny_config(tmp_path / "b", rules, iterations=6))
    advance(broken, 2)
    broken = resumed(broken)
    advance(broken, 3)
    ours, theirs = whole.arrays(), broken.arrays()
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        np.testing.assert_array_equal(value, theirs[name], err_msg=name)
    assert (whole.decisions, whole.deals) == (broken.decisions, broken.deals)


def test_a_run_can_be_saved_before_its_first_iteration(tmp_path: Path) -> None:
    whole = Training(tiny_config(tmp_path / "a"))
    broken = resumed(Training(tiny_config(tmp_path / "b")))
    advance(whole, 1)
    advance(broken, 1)
    for name, value in whole.arrays().items():
        np.testing.assert_array_equal(value, broken.arrays()[name], err_msg=name)


def test_other_seeds_give_other_runs(tmp_path: Path) -> None:
    a, b = (Training(tiny_config(tmp_path, seed=seed)) for seed in (0, 1))
    advance(a, 1)
    advance(b, 1)
    weights = [run.arrays()["policies.play.head.weight"] for run in (a, b)]
    assert (weights[0] != weights[1]).any()
    assert (a.collector.state.dealt != b.collector.state.dealt).any()


def test_old_checkpoints_are_deleted(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path, keep=2))
    for _ in range(4):
        advance(training, 1)
        training.save()
    names = [p.name for p in checkpoint_files(training.folder / "checkpoints")]
    assert names == ["iteration_00000004.safetensors", "iteration_00000003.safetensors"]
    assert len(list((training.folder / "checkpoints").iterdir())) == 2


def test_later_names_do_not_push_out_the_checkpoints_of_a_run(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path, keep=1))
    advance(training, 1)
    stray = training.folder / "checkpoints" / "iteration_00000009.safetensors"
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"x")
    assert training.save().exists()
    assert stray.exists()


@pytest.mark.parametrize("damage", ["cut", "empty", "foreign"])
def test_a_damaged_checkpoint_is_named_and_the_one_before_it_used(
    tmp_path: Path, damage: str
) -> None:
    training = Training(tiny_config(tmp_path))
    for _ in range(2):
        advance(training, 1)
        last = training.save()
    whole = last.read_bytes()
    last.write_bytes({"cut": whole[:-100], "empty": b"", "foreign": b"\x80\x04 a pickle"}[damage])
    found = newest_checkpoint(last.parent, lambda path, arrays, meta: meta["iteration"])
    assert found is not None
    iteration, path, troubles = found
    assert (iteration, path.name) == (1, "iteration_00000001.safetensors")
    assert len(troubles) == 1
    assert last.name in troubles[0]
    assert re.search("not a whole safetensors file|lies outside the file", troubles[0])


def test_a_safetensors_file_of_another_program_is_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "other.safetensors"
    save_file({"x": np.zeros(3)}, path)
    with pytest.raises(CheckpointError, match="not a Sjavs checkpoint"):
        read_checkpoint(path)
    with pytest.raises(ValueError, match="not a Sjavs checkpoint"):
        make_agent(str(path), Game(make_rules()))


def test_a_run_is_not_resumed_with_other_settings(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path))
    arrays, meta = read_checkpoint(training.save())
    changed = tiny_config(tmp_path)
    changed.learn.clip = 0.3
    with pytest.raises(CheckpointError, match=r"learn\.clip 0\.2, not 0\.3"):
        Training.resume(changed, arrays, meta)
    shorter = tiny_config(tmp_path, keep=7)
    Training.resume(shorter, arrays, meta)  # says nothing about what was learned


def test_a_saved_agent_plays_as_the_run_does(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path))
    advance(training, 2)
    path = training.save_agent()
    loaded: Any = make_agent(str(path), Game(make_rules()))
    for name, value in training.learner.average.state_dict().items():
        np.testing.assert_array_equal(value, loaded.policies.state_dict()[name])
    assert "critic" not in " ".join(read_checkpoint(path)[0])


def test_a_run_folder_gives_its_newest_checkpoint_as_an_agent(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path))
    advance(training, 1)
    training.save()
    agent = make_agent(f"{training.folder}:temperature=0.5", Game(make_rules()))
    assert "temperature=0.5" in agent.name
    with pytest.raises(ValueError, match="there is no"):
        make_agent(str(tmp_path / "nothing"), Game(make_rules()))


def test_an_agent_of_another_game_is_refused(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path))
    path = training.save_agent()
    with pytest.raises(ValueError, match="actions or observations differ"):
        make_agent(str(path), Game(make_rules(better_rule=False)))


@pytest.mark.parametrize("temperature", ["1e300", "1e-300", "1e-40", "1000000"])
def test_no_temperature_makes_an_illegal_action_likely(tmp_path: Path, temperature: str) -> None:
    path = Training(tiny_config(tmp_path)).save_agent()
    game = Game(make_rules())
    agent = make_agent(f"{path}:temperature={temperature}", game)
    state, rng = game.new_games(64), np.random.default_rng(0)
    for rows, mask in open_decisions(game, state):
        actions = agent.act(view_of(game, state, rows, state.seat[rows]), mask, rng)
        assert mask[np.arange(len(rows)), actions].all()
        game.step(state, actions, rows)


@pytest.mark.parametrize("missing", ["config", "precision", "rules", "pool"])
def test_a_checkpoint_with_a_part_missing_is_refused_in_one_line(
    tmp_path: Path, missing: str
) -> None:
    training = Training(tiny_config(tmp_path))
    arrays, meta = read_checkpoint(training.save())
    del meta[missing]
    if missing == "rules":
        path = tmp_path / "cut.safetensors"
        write_checkpoint(path, arrays, {k: v for k, v in meta.items() if k != "version"})
        with pytest.raises(ValueError, match="damaged or incomplete: rules"):
            make_agent(str(path), Game(make_rules()))
    else:
        with pytest.raises(CheckpointError, match="incomplete"):
            Training.resume(training.config, arrays, meta)


@pytest.mark.parametrize(
    ("decay", "rates"),
    [("linear", [1e-3, 0.000505, 1e-5]), ("geometric", [1e-3, 1e-4, 1e-5])],
)
def test_the_step_size_falls_by_equal_steps_or_factors(decay: Any, rates: list[float]) -> None:
    config = LearnConfig(learning_rate=1e-3, learning_rate_end=1e-5, decay=decay)
    found = [Schedule.at(config, progress).learning_rate for progress in (0.0, 0.5, 1.0)]
    assert found == pytest.approx(rates)


def test_a_step_size_cannot_fall_to_nothing_by_factors(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^learn\.learning_rate_end is 0; allowed: above 0"):
        load_config(["--learn.decay", "geometric", "--learn.learning_rate_end", "0"])


def test_weights_from_observations_of_another_meaning_are_refused(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path))
    advance(training, 1)
    arrays, meta = read_checkpoint(training.save())
    old = tmp_path / "old.safetensors"
    write_checkpoint(old, arrays, {**meta, "observation": 0})
    with pytest.raises(CheckpointError, match=r"trained on observations of version 0; this"):
        Training.resume(training.config, arrays, {**meta, "observation": 0})
    with pytest.raises(ValueError, match=r"old\.safetensors: the weights were trained on"):
        make_agent(str(old), training.game)


def test_training_and_evaluation_do_not_share_their_decks(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path))
    seeds = set(training.collector.state.seed.tolist())
    assert seeds.isdisjoint({training.config.run.seed, training.config.evaluation.seed})


@pytest.mark.parametrize("text", ["", "\n# nothing yet\n"])
def test_a_file_that_says_nothing_changes_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text(text)
    plain, _ = load_config([])
    assert load_config(["--config", str(path)])[0] == plain
    assert load_config([f"--config={path}", "--run.seed", "3"])[0].run.seed == 3


@pytest.mark.parametrize("name", ["network.play_width", "network.critic_layers", "collect.deals"])
def test_sizes_that_no_memory_holds_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=rf"^{name} is 100000000; allowed: 1 to \d+$"):
        load_config([f"--{name}", "100000000"])


@pytest.mark.parametrize("which", ["policies", "average"])
def test_weights_too_large_to_play_by_are_told_before_they_are_saved(
    tmp_path: Path, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = Training(tiny_config(tmp_path))

    def leap(*given: object) -> dict[str, float]:
        for parameter in getattr(training.learner, which).parameters():
            parameter.data.fill_(3e38)
        return {}

    monkeypatch.setattr(training.learner, "learn", leap)
    with pytest.raises(DivergedError, match="too large to play by after iteration 1; allowed: "):
        iterate(training)
    assert training.iteration == 0


def test_first_weights_too_large_to_play_by_are_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = Training(tiny_config(tmp_path / "first"))
    for parameter in first.learner.average.parameters():
        parameter.fill_(3e38)
    start = ["--run.init", str(first.save_agent()), "--network.bid_layers", "2"]
    assert train.main([*tiny_args(tmp_path), *start]) == 1
    err = capsys.readouterr().err
    assert "the policies give no probabilities to choose by, for their weights are too" in err
    assert err.count("\n") == 1
