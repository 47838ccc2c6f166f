"""Overrides: each changes one value, and the game with it can be played."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from sjavs_env.engine import Game, Phase, sample_legal
from sjavs_env.rules import PRESETS, RuleSet, make_rules
from sjavs_env.rules.overrides import parameters
from sjavs_env.rules.pages.describe import describe
from sjavs_env.rules.parts import PayoffRow
from sjavs_env.rules.tables import NONE
from tests.rules.samples import SAMPLES, samples


def payoff(rules: RuleSet, name: str) -> PayoffRow:
    """Return a row of the table of results."""
    return next(row for row in rules.payoff if row.name == name)


@pytest.mark.parametrize(("preset", "name", "value"), samples())
def test_an_override_changes_its_own_value_alone_and_is_its_own_source(
    preset: str, name: str, value: Any
) -> None:
    base, rules = PRESETS[preset], make_rules(preset, **{name: value})
    if name.startswith("payoff."):
        row = name.removeprefix("payoff.")
        kept = {r.name: r for r in rules.payoff}
        if value is None:
            assert row not in kept
        else:
            assert kept[row].amounts == value
            assert kept[row].winner == payoff(base, row).winner
        assert [r for r in rules.payoff if r.name != row] == [
            r for r in base.payoff if r.name != row
        ]
        assert rules.altered(payoff=base.payoff) == base
    else:
        assert rules.value(name) == value
        assert rules.altered(**{name: base.value(name)}) == base
    assert rules.sources[name] == "override"
    assert {k: v for k, v in rules.sources.items() if k != name} == {
        k: v for k, v in base.sources.items() if k != name
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_offers_these_parameters_and_no_others(preset: str) -> None:
    assert set(parameters(PRESETS[preset])) == set(SAMPLES[preset])


def play_out(rules: RuleSet, n_games: int = 6) -> Game:
    """Play random deals, the pack cut in every other one, and look for problems at each step."""
    game, rng = Game(rules), np.random.default_rng(11)
    state = game.new_games(n_games, seed=4, dealer=0, cut=np.arange(n_games) % 2)
    assert game.problems(state) == []
    while len(rows := np.flatnonzero(state.phase != Phase.OVER)):
        game.step(state, sample_legal(game.legal_actions(state, rows), rng), rows)
        assert game.problems(state) == []
    assert (state.outcome != NONE).all()
    return game


def each_override() -> list[Any]:
    """Every parameter of every preset; slow where a game has shown the same values."""
    shown: Counter[str] = Counter()
    found = []
    for preset in PRESETS:
        for name, values in SAMPLES[preset].items():
            shown[key := f"{name} {values}"] += 1
            marks = pytest.mark.slow if shown[key] > 1 else ()
            found.append(pytest.param(preset, name, marks=marks, id=f"{preset}-{name}"))
    return found


@pytest.mark.parametrize(("preset", "name"), each_override())
def test_a_game_with_an_override_can_be_played_and_printed(preset: str, name: str) -> None:
    for value in SAMPLES[preset][name]:
        rules = make_rules(preset, **{name: value})
        play_out(rules)
        assert f"| `{name}` | " in describe(rules)


@pytest.mark.parametrize("which", [0, -1])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_with_everything_overridden_can_be_played(preset: str, which: int) -> None:
    overrides = {name: values[which] for name, values in SAMPLES[preset].items()}
    play_out(make_rules(preset, **overrides))


def test_a_game_has_the_moments_of_decision_that_its_overrides_ask_for() -> None:
    def phases(preset: str, **overrides: Any) -> list[str]:
        return [
            phase.name for phase in play_out(make_rules(preset, **overrides)).tables.course.phases
        ]

    auction, play = ["AUCTION"], ["PLAY", "OVER", "TAKE", "LAY"]
    assert phases("klorsjavs") == [*auction, *play, "CONCEDE"]
    assert phases("klorsjavs", concede=False) == auction + play
    assert phases("klorsjavs", trump="declarer", concede=False) == [*auction, "NAME_TRUMP", *play]
    assert phases("auction_sjavs", trump="clubs") == auction + play


def test_giving_up_without_a_price_takes_both_overrides_in_any_order() -> None:
    free = {"payoff.concede": None, "concede": False}
    rules = make_rules("klorsjavs", **free)
    assert rules == make_rules("klorsjavs", **dict(reversed(free.items())))
    assert "Giving up" not in describe(rules)
    with pytest.raises(ValueError, match="klorsjavs: concede is True; allowed: False"):
        make_rules(rules, concede=True)


def test_overrides_can_be_put_on_top_of_overrides() -> None:
    rules = make_rules(make_rules("suduroy", start=12), tie="double")
    assert rules == make_rules("suduroy", tie="double", start=12)


@pytest.mark.parametrize("row", ["win", "lose"])
@pytest.mark.parametrize(
    ("preset", "amounts"),
    [("faroese", (2, 4)), ("faroese_3", (2, 4)), ("klorsjavs", (4,)), ("auction_sjavs", (2, 3))],
)
def test_a_row_set_to_nothing_can_be_given_amounts_again(
    preset: str, amounts: tuple[int, ...], row: str
) -> None:
    name = f"payoff.{row}"
    emptied = make_rules(preset, **{name: (0,) * len(amounts)})
    assert make_rules(emptied, **{name: amounts}) == make_rules(preset, **{name: amounts})


@pytest.mark.parametrize(
    ("preset", "row", "amounts", "declarers", "defenders"),
    [
        ("faroese", "vol", (10, 14), (-10, -14), (0, 0)),
        ("faroese_3", "lose", (5, 7), (0, 0), (-5, -7)),
        ("klorsjavs", "win", (3,), (0,), (-3,)),
        ("klorsjavs", "no_trick", (9,), (-9,), (0,)),
        ("danish_4", "concede", (5,), (-5,), (0,)),
        ("auction_sjavs", "win", (2, 5), (4, 10), (-2, -5)),
        ("auction_sjavs", "lose_jan", (3, 9), (-6, -18), (3, 9)),
        ("auction_sjavs_clubs", "tout_made", (20, 30), (40, 60), (-20, -30)),
    ],
)
def test_an_override_keeps_who_pays_whom(
    preset: str,
    row: str,
    amounts: tuple[int, ...],
    declarers: tuple[int, ...],
    defenders: tuple[int, ...],
) -> None:
    changed = payoff(make_rules(preset, **{f"payoff.{row}": amounts}), row)
    assert (changed.declarers, changed.defenders) == (declarers, defenders)
