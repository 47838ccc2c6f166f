"""Every configuration that is not refused can be trained by."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sjavs_agents.neural.checkpoint import read_checkpoint
from sjavs_agents.neural.setting_bounds import Bounds, leaves
from sjavs_agents.training.collect import DivergedError
from sjavs_agents.training.config import LearnConfig, TrainConfig, problems
from sjavs_agents.training.derived import derived_settings, resolved
from sjavs_agents.training.run import Training
from sjavs_agents.training.session import iterate
from sjavs_env import PRESETS, Game, make_rules

SMALL = {  # what would only take time if it were larger
    "epochs": 3, "deals": 5, "boards": 4, "final_boards": 4, "iterations": 4, "size": 3, "every": 3,
    "play_width": 9, "bid_width": 9, "critic_width": 9, "play_layers": 3, "bid_layers": 3,
    "critic_layers": 3, "processes": 1, "threads": 1,
}  # fmt: skip


def numbers(path: str, value: Any, bounds: Bounds) -> st.SearchStrategy[Any]:
    """Draw a value in bounds, their ends among them."""
    name = path.rsplit(".", 1)[-1]
    low, high = bounds.least, min(bounds.most, SMALL.get(name, bounds.most))
    if isinstance(value, int):
        return st.sampled_from([int(low), int(high)]) | st.integers(int(low), int(high))
    ends = [float(low), 1e-9, 0.5, float(high)]
    return st.sampled_from([*ends, *bounds.words])


@st.composite
def configs(draw: st.DrawFn) -> TrainConfig:
    """Draw a configuration of a small run."""
    config = TrainConfig(rules=draw(st.sampled_from(sorted(PRESETS))))
    for path, value, bounds in leaves(config):
        if bounds is not None:
            section, name = path.split(".")
            setattr(getattr(config, section), name, draw(numbers(path, value, bounds)))
    config.run.precision = draw(st.sampled_from(["float32", "bfloat16"]))
    config.learn.decay = draw(st.sampled_from(["linear", "geometric"]))
    config.pool.scripted = draw(st.sampled_from(["greedy", "random"]))
    config.evaluation.yardsticks = draw(st.sampled_from([[], ["random"], ["greedy", "random"]]))
    return config


def train_by(config: TrainConfig) -> None:
    """Do two iterations, save, resume, and do one more; only weights may get out of hand."""
    if problems(config):
        return
    with tempfile.TemporaryDirectory() as folder:
        config.run.directory = folder
        torch.manual_seed(0)
        training = Training.begin(config)
        with suppress(DivergedError):
            for _ in range(min(2, config.run.iterations)):
                iterate(training)
            resumed = Training.resume(config, *read_checkpoint(training.save()))
            if not resumed.is_finished:
                iterate(resumed)


QUICK = (Phase.explicit, Phase.generate)  # a run is long: what fails is not made smaller


@settings(max_examples=6, phases=QUICK, suppress_health_check=list(HealthCheck))
@given(configs())
def test_a_configuration_without_problems_can_be_trained_by(config: TrainConfig) -> None:
    train_by(config)


@pytest.mark.slow
@settings(max_examples=150, phases=QUICK, suppress_health_check=list(HealthCheck))
@given(configs())
def test_many_configurations_without_problems_can_be_trained_by(config: TrainConfig) -> None:
    train_by(config)


@pytest.mark.parametrize("rules", ["faroese", "klorsjavs", "handjass"])
def test_one_deal_is_enough_for_an_iteration(tmp_path: Path, rules: str) -> None:
    config = TrainConfig(rules=rules)
    config.run.directory = str(tmp_path)
    config.run.precision = "float32"
    config.network.play_width = config.network.critic_width = 4
    config.collect.deals = 1
    config.evaluation.every = 10**6
    training = Training(config)
    for _ in range(6):
        iterate(training)
    assert training.deals == 6


def numeric_fields(node: Any) -> Iterator[tuple[str, bool]]:
    """Yield the settings that are numbers, and whether they have bounds."""
    hints = get_type_hints(type(node))
    for f in fields(node):
        value = getattr(node, f.name)
        if is_dataclass(value):
            yield from numeric_fields(value)
        elif {int, float} & {hints[f.name], *get_args(hints[f.name])}:
            yield f.name, "bounds" in f.metadata


def test_every_setting_that_is_a_number_has_bounds_on_its_field() -> None:
    found = list(numeric_fields(TrainConfig()))
    assert len(found) > 30
    assert [name for name, is_bounded in found if not is_bounded] == []


@pytest.mark.parametrize("value", [-1, 10**400, float("nan"), float("inf"), None, True, "x"])
def test_bounds_find_whatever_is_no_number_in_them(value: Any) -> None:
    config = TrainConfig(learn=LearnConfig(epochs=value))
    (found,) = problems(config)
    assert found.startswith("learn.epochs is ")
    assert len(found) < 200


# what the rules of a game decide: explore at the start and at the end, reward_scale
DERIVED = {
    **dict.fromkeys(("faroese", "faroese_smith", "faroese_wiki", "suduroy"), (0.0, 0.0, 0.2)),
    **dict.fromkeys(("faroese_3", "faroese_2"), (0.0, 0.0, 0.2)),
    **dict.fromkeys(("faroese_free", "klorsjavs", "danish_4"), (0.5, 0.1, 0.2)),
    **dict.fromkeys(("auction_sjavs", "auction_sjavs_clubs"), (0.5, 0.1, 0.1)),
    **dict.fromkeys(("handjass", "handjass_strict"), (0.0, 0.0, 1.0)),
    **dict.fromkeys(("handjass_alt", "handjass_swiss", "handjass_schlaeger"), (0.5, 0.1, 2.0)),
}


@pytest.mark.parametrize("name", list(PRESETS))
def test_settings_that_depend_on_the_game_are_derived_from_its_rules(name: str) -> None:
    tables = Game(make_rules(name)).tables
    assert tuple(derived_settings(tables).values()) == DERIVED[name]
    config = TrainConfig(rules=name)
    used = resolved(config, tables).collect
    assert (used.explore, used.explore_end, used.reward_scale) == DERIVED[name]
    assert config.collect.explore == "auto"  # the settings asked for are left as they are
    config.collect.explore = config.collect.reward_scale = 0.4
    used = resolved(config, tables).collect
    assert (used.explore, used.explore_end, used.reward_scale) == (0.4, 0.4, 0.4)


def test_whoever_may_pass_with_a_bid_in_hand_explores() -> None:
    forced, free = (make_rules("faroese", auction_mode=m) for m in ("forced", "optional_pass"))
    found = [derived_settings(Game(rules).tables)["explore"] for rules in (forced, free)]
    assert found == [0.0, 0.5]


@pytest.mark.parametrize("setting", ["name", "directory"])
def test_names_that_are_no_utf_8_are_refused(setting: str) -> None:
    config = TrainConfig()
    assert not problems(config)
    setattr(config.run, setting, "a\udcff")
    found = problems(config)
    assert found == [rf"run.{setting} is 'a\udcff'; allowed: text that UTF-8 can hold"]
