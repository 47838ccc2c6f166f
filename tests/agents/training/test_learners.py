"""The learning algorithm of a run is chosen by name; that of the docs works as it stands."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import (
    EventAccumulator,
)

import train
from sjavs_agents.arena.match import play_match
from sjavs_agents.neural.checkpoint import read_checkpoint
from sjavs_agents.registry import make_agent
from sjavs_agents.training.learners.ppo import Ppo
from sjavs_agents.training.learners.registry import LEARNERS, learner_named
from sjavs_agents.training.metrics import Log
from sjavs_agents.training.run import Training
from tests.agents.training.tiny import tiny_args, tiny_config

PAGE = (Path(__file__).parents[3] / "docs" / "add_a_learner.md").read_text("utf-8")


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Save the example of the docs as the page says; return its name."""
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "reinforce.py").write_text(block, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "reinforce", raising=False)
    (name,) = re.findall(r"--learn\.name (\S+)", PAGE)
    return name


def test_ppo_is_the_learner_of_a_run_that_names_none(tmp_path: Path) -> None:
    assert isinstance(Training(tiny_config(tmp_path)).learner, Ppo)
    assert learner_named("ppo") is LEARNERS["ppo"]


def test_the_example_of_the_docs_trains_a_player(
    tmp_path: Path, example: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train.main([*tiny_args(tmp_path), "--learn.name", example]) == 0
    assert "Trained player" in capsys.readouterr().out
    assert (tmp_path / "tiny" / "agent.safetensors").exists()


def test_a_run_of_the_example_can_be_stopped_and_resumed_without_changing_a_bit(
    tmp_path: Path, example: str
) -> None:
    config = tiny_config(tmp_path)
    config.learn.name = example
    whole = Training(config)
    whole.learn(whole.collect())
    resumed = Training.resume(config, *read_checkpoint(whole.save()))
    for run in (whole, resumed):
        run.learn(run.collect())
    for name, value in whole.arrays().items():
        np.testing.assert_array_equal(value, resumed.arrays()[name], err_msg=name)


@pytest.mark.slow
def test_the_example_of_the_docs_learns_to_beat_random_play(tmp_path: Path, example: str) -> None:
    config = tiny_config(tmp_path, iterations=120)
    config.learn.name = example
    config.learn.learning_rate = 2e-3
    config.collect.deals = 512
    training = Training(config)
    while not training.is_finished:
        training.learn(training.collect())
    random = make_agent("random", training.game)
    found = play_match(training.game, (training.agent(), random), 400, seed=1).estimates()
    assert (found["game_points"].low or 0) > 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ppa", f"learn.name is 'ppa'; allowed: {', '.join(LEARNERS)}, module:Class for one of "),
        ("nowhere:Learner", "there is no module 'nowhere'"),
        ("json:dumpz", "module 'json' has no 'dumpz'"),
        ("json:__name__", "module 'json' has no '__name__'; allowed: JSONDecoder, "),
        ("builtins:str", "learner 'builtins:str' lacks explained, policies, average, learn, "),
    ],
)
def test_what_is_no_learner_is_refused_in_one_line_before_any_work(
    tmp_path: Path, name: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train.main([*tiny_args(tmp_path), "--learn.name", name]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("pass", "cannot be called with the setup: "),
        ("def __init__(self, setup, more): pass", "cannot be called with the setup: "),
        ("def __init__(self, setup): setup.nothing", "raised AttributeError: "),
        ("def __init__(self, setup): raise ValueError('too small')", "error: too small"),
    ],
)
def test_a_learner_that_cannot_be_made_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    body: str, message: str,
) -> None:  # fmt: skip
    source = tmp_path / "mine"
    source.mkdir()
    (source / "hasty.py").write_text(f"class L:\n    {body}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(source))
    monkeypatch.delitem(sys.modules, "hasty", raising=False)
    assert train.main([*tiny_args(tmp_path), "--learn.name", "hasty:L"]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def rewritten(folder: Path, old: str, new: str) -> None:
    """Change the example of the docs in one place."""
    path = folder / "reinforce.py"
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def with_method(folder: Path, head: str, body: str) -> None:
    """Give the example of the docs one more method, its last."""
    path = folder / "reinforce.py"
    text = path.read_text("utf-8")
    path.write_text(f"{text}\n    def {head}:\n        {body}\n", encoding="utf-8")


def test_a_number_that_a_learner_does_not_explain_is_logged_and_told_once(
    tmp_path: Path, example: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rewritten(tmp_path, '"value": value', '"worth": value')
    assert train.main([*tiny_args(tmp_path), "--learn.name", example]) == 0
    line = "Iteration 1: the learner does not explain its 'worth', which is logged as losses/worth."
    out = capsys.readouterr().out.splitlines()
    assert [text for text in out if "explain" in text] == [line]
    events = EventAccumulator(str(tmp_path / "tiny")).Reload()
    assert len(events.Scalars("losses/worth")) == 4


def test_whatever_else_is_logged_must_be_explained(tmp_path: Path) -> None:
    log = Log(tmp_path, None, {"own_{net}": "Own."})
    assert log.scalars({"losses/own_play": 1.0, "charts/deals": 2.0}, 0) == []
    with pytest.raises(KeyError, match="charts/worth"):
        log.scalars({"charts/worth": 1.0}, 0)
    log.close()


def test_all_that_ppo_returns_is_explained(tmp_path: Path) -> None:
    training = Training(tiny_config(tmp_path))
    metrics = training.learn(training.collect())
    log = Log(tmp_path, None)
    assert log.scalars({f"losses/{name}": value for name, value in metrics.items()
                        if name not in ("learning_rate", "entropy_bonus")}, 0) == []  # fmt: skip
    log.close()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "return weighted_means(found)",
            "return None",
            "returned None; allowed: a dict of numbers by name",
        ),
        (
            "return weighted_means(found)",
            "return {'value': 'much'}",
            "returned {'value': 'much'}; allowed: a ",
        ),
        (
            "return weighted_means(found)",
            "return {'value': np.ones(2)}",
            "returned {'value': array([1., 1.])",
        ),
        (
            "return weighted_means(found)",
            "return {'a\\ud800': 1.0}",
            "returned {'a\\ud800': 1.0}; allowed: a ",
        ),
        ("return weighted_means(found)", "return {'n' * 101: 1.0}", "returned {'nnn"),
        (
            "return weighted_means(found)",
            "raise SystemExit(0)",
            "raised SystemExit: 0, reinforce.py line ",
        ),
        (
            "return weighted_means(found)",
            "raise BrokenPipeError",
            "raised BrokenPipeError, reinforce.py line ",
        ),
        (
            "return weighted_means(found)",
            "raise ValueError('no')",
            "raised ValueError: no, reinforce.py line ",
        ),
    ],
)
def test_a_report_that_is_none_ends_the_training_in_one_line(
    tmp_path: Path, example: str, old: str, new: str, message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    rewritten(tmp_path, old, new)
    assert train.main([*tiny_args(tmp_path), "--learn.name", example]) == 1
    err = capsys.readouterr().err
    assert f"learner '{example}' {message}" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise SystemExit(0)", "raised SystemExit: 0, reinforce.py line "),
        ("raise MemoryError", "raised MemoryError, reinforce.py line "),
        ("return None", "keeps None; allowed: a dict of arrays by name (arrays)"),
        ("return {'a': np.array([{}])}", "keeps 'a' of type object; allowed: NumPy arrays of "),
        ("return {'a': np.ones(1, complex)}", "keeps 'a' of type complex128; allowed: NumPy "),
        ("return {'a': [1.0]}", "keeps 'a' of type list; allowed: NumPy arrays of "),
        ("return {'a\\ud800': np.ones(1)}", "keeps an array named 'a\\ud800'; allowed: text of "),
    ],
)
def test_arrays_that_cannot_be_kept_end_the_training_in_one_line(
    tmp_path: Path, example: str, body: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with_method(tmp_path, "arrays(self)", body)
    assert train.main([*tiny_args(tmp_path), "--learn.name", example]) == 1
    err = capsys.readouterr().err
    assert f"learner '{example}' {message}" in err
    assert err.count("\n") == 1


def test_a_learner_that_leaves_while_it_restores_fails_and_its_checkpoints_stay(
    tmp_path: Path, example: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    command = [*tiny_args(tmp_path, iterations=8), "--learn.name", example]
    assert train.main([*tiny_args(tmp_path, iterations=2), "--learn.name", example]) == 0
    kept = sorted((tmp_path / "tiny" / "checkpoints").iterdir())
    with_method(tmp_path, "restore(self, arrays)", "raise SystemExit(0)")
    monkeypatch.delitem(sys.modules, "reinforce")
    assert train.main(command) == 1
    err = capsys.readouterr().err
    assert f"learner '{example}' raised SystemExit: 0, reinforce.py line " in err
    assert err.count("\n") == 1
    assert sorted((tmp_path / "tiny" / "checkpoints").iterdir()) == kept


def test_a_way_of_choosing_that_is_none_ends_the_training_in_one_line(
    tmp_path: Path, example: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "reinforce.py"
    source = path.read_text("utf-8")
    path.write_text(source + "\n    choosing = 'the best'\n", encoding="utf-8")
    assert train.main([*tiny_args(tmp_path), "--learn.name", example]) == 1
    err = capsys.readouterr().err
    assert f"learner '{example}' has choosing 'the best'; allowed: a Choosing, or none" in err
    assert err.count("\n") == 1


def test_a_number_that_is_not_finite_is_logged_as_it_is(tmp_path: Path, example: str) -> None:
    rewritten(tmp_path, "return weighted_means(found)", "return {'value': float('nan')}")
    assert train.main([*tiny_args(tmp_path), "--learn.name", example]) == 0
    events = EventAccumulator(str(tmp_path / "tiny")).Reload()
    assert np.isnan(events.Scalars("losses/value")[-1].value)


def test_an_error_of_a_learner_of_ours_stays_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ppo, "learn", lambda *given: given[99])
    with pytest.raises(IndexError):
        train.main(tiny_args(tmp_path))
