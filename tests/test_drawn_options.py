"""Overrides, options and arguments drawn at random: played, or refused in one line."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sjavs_env import BatchEnv, Game, SingleSeatEnv, SjavsEnv, rules_from_json, rules_to_json
from sjavs_env.__main__ import main
from sjavs_env.engine import Phase, sample_legal
from sjavs_env.rules import PRESETS, make_rules
from sjavs_env.rules.pages.describe import describe
from tests.commands import refused
from tests.engine.table import game_of
from tests.rules.samples import SAMPLES

LONGEST = 4000  # letters of a message, the longest list of what is allowed included
RESET = ["deck", "dealer", "cut", "deal_number", "scores", "ties", "zeros"]

names = st.sampled_from([*PRESETS])
junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["", "QC", "4-4", "double", -1, 0, 1, 2**31, 2**63, 2**64]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=4), inner, max_size=2)
    ),
    max_leaves=6,
)
settings_of_rules = st.text(max_size=12) | st.sampled_from(["start=1", "tie=", "=", "start=[[["])


@st.composite
def sensible(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A rule set with some of its parameters overridden, each by a value that it may have."""
    name = draw(names)
    chosen = draw(st.lists(st.sampled_from(sorted(SAMPLES[name])), unique=True, max_size=6))
    return name, {key: draw(st.sampled_from(SAMPLES[name][key])) for key in chosen}


@st.composite
def misfitting(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A rule set with parameters of its own or of another game, and values of any kind."""
    keys = st.sampled_from(sorted({key for values in SAMPLES.values() for key in values}))
    return draw(names), draw(st.dictionaries(keys | st.text(max_size=8), junk, max_size=3))


def one_line(error: BaseException) -> str:
    """The message of an error, which a user can read."""
    text = str(error)
    assert text
    assert "\n" not in text
    assert len(text) < LONGEST
    return text


@given(sensible())
def test_parameters_overridden_together_are_played_printed_and_kept(
    drawn: tuple[str, dict[str, Any]],
) -> None:
    name, overrides = drawn
    try:
        rules = make_rules(name, **overrides)
    except ValueError as error:  # some values exclude each other
        one_line(error)
        return
    game, rng = Game(rules), np.random.default_rng(1)
    state = game.new_games(3, seed=2)
    while len(rows := np.flatnonzero(state.phase != Phase.OVER)):
        game.step(state, sample_legal(game.legal_actions(state, rows), rng), rows)
    assert game.problems(state) == []
    assert describe(rules).startswith("# ")
    assert rules_from_json(json.loads(json.dumps(rules_to_json(rules)))) == rules
    again = make_rules(PRESETS[name], **dict(reversed(overrides.items())))
    assert again == rules, "the order says nothing"


@given(misfitting())
@example(("faroese", {"start": True}))
@example(("faroese", {"payoff.vol": float("nan")}))
def test_a_misfitting_override_is_refused_in_one_line(drawn: tuple[str, dict[str, Any]]) -> None:
    name, overrides = drawn
    try:
        rules = make_rules(name, **overrides)
    except ValueError as error:
        one_line(error)
    else:
        Game(rules)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names, st.lists(settings_of_rules, min_size=1, max_size=3))
def test_the_command_prints_a_page_or_one_line_whatever_is_set(
    capsys: pytest.CaptureFixture[str], name: str, texts: list[str]
) -> None:
    status = refused(main, ["rules", name, *(f"--set={text}" for text in texts)])
    out, err = capsys.readouterr()
    assert status in (0, 2)
    if status == 0:
        assert out.startswith("# ")
    else:
        assert err.count("\n") == 1
        assert "Traceback" not in err


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=8) | st.sampled_from(["rules", "docs", "faroese", "--set", "-h"]),
                max_size=3).filter(lambda words: words[:1] != ["docs"]))  # fmt: skip
def test_any_arguments_end_in_an_exit_status(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert refused(main, words) in (0, 2)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("kind", [SjavsEnv, SingleSeatEnv, BatchEnv])
@given(data=st.data())
def test_an_environment_takes_its_options_or_refuses_them_in_one_line(
    kind: Any, data: st.DataObject
) -> None:
    options = ["episode", "players", "num_players", "overrides", "illegal", "redeal",
               "render_mode", "render_view", "render_ascii", "seat", "policy", "autoreset",
               "card_order", "seed", "tie", "start"]  # fmt: skip
    chosen = data.draw(st.dictionaries(st.sampled_from(options), junk, min_size=1, max_size=2))
    try:
        kind(data.draw(names | junk), **chosen)
    except (ValueError, TypeError) as error:
        one_line(error)


@given(st.dictionaries(st.sampled_from(RESET) | st.text(max_size=6), junk, max_size=3),
       st.sampled_from(["faroese", "handjass", "klorsjavs"]))  # fmt: skip
def test_a_reset_takes_its_options_or_refuses_them_and_nothing_has_happened(
    chosen: dict[str, Any], name: str
) -> None:
    env = SjavsEnv(game_of(name).rules)
    env.reset(seed=1)
    before = env.state().tobytes()
    try:
        env.reset(seed=1, options=chosen)
    except ValueError as error:
        one_line(error)
        assert env.state().tobytes() == before
    else:
        assert env.observe(env.agent_selection)["action_mask"].any()
