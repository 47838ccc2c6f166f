"""Views that no game can show are refused at once, in one line; all others are left alone."""

from __future__ import annotations

import time
from copy import deepcopy
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sjavs_agents.worlds.sampler import Sampler
from sjavs_agents.worlds.sound_views import ViewCheck
from sjavs_env import Game, Phase, PlayerView, view_of
from tests.engine.table import game_of
from tests.engine.test_properties import play

GAMES = ["faroese", "faroese_2", "klorsjavs", "auction_sjavs", "handjass", "handjass_strict"]
LONGEST = 10.0  # seconds of processor time; mostly it is hundredths of one


@cache
def shown(rules: str) -> tuple[Game, Sampler, list[PlayerView]]:
    """Views of random play of a game, each of one seat."""
    game, rng, found = game_of(rules), np.random.default_rng(3), []
    state = game.new_games(4, seed=3, stride=4, dealer=np.arange(4) % game.tables.n_players)
    for i, _ in enumerate(play(game, state, 60, rng)):
        rows = np.flatnonzero(state.phase != Phase.OVER)
        if i % 3 == 0 and len(rows):
            found.append(view_of(game, state, rows[:1], state.seat[rows[:1]]))
    sampler = Sampler(game)
    for view in found:  # what has to be compiled is, before anything is timed
        sampler.hands(view, 2, rng)
    return game, sampler, found


def parts(view: PlayerView) -> list[tuple[Any, str]]:
    """Every array of a view, as its record and name."""
    found: list[tuple[Any, str]] = [(view, f.name) for f in fields(view) if f.name != "seats"]
    if view.seats is not None:
        found += [(view.seats, f.name) for f in fields(view.seats)]
    return found


@pytest.mark.parametrize("rules", GAMES)
def test_views_of_games_are_sound(rules: str) -> None:
    game, _, views = shown(rules)
    soundness = ViewCheck(game.tables)
    for view in views:
        soundness.check(view)


NUMBERS = st.one_of(
    st.integers(-2, 9), st.integers(0, 2**36 - 1), st.sampled_from([-(2**63), 2**63 - 1, 255])
)


@pytest.mark.parametrize(
    "rules",
    [*GAMES[:4], *(pytest.param(name, marks=pytest.mark.slow) for name in GAMES[4:])],
)
@settings(max_examples=30)
@given(st.data())
def test_a_changed_view_is_sampled_or_refused_in_a_line(rules: str, data: st.DataObject) -> None:
    _, sampler, views = shown(rules)
    view = deepcopy(data.draw(st.sampled_from(views)))
    for _ in range(data.draw(st.integers(1, 3))):
        part, name = data.draw(st.sampled_from(parts(view)))
        array = np.array(getattr(part, name))
        at = data.draw(st.integers(0, array.size - 1))
        number = data.draw(NUMBERS) & 2 ** (8 * array.itemsize) - 1
        array.reshape(-1)[at] = np.array([number], dtype=f"u{array.itemsize}").view(array.dtype)[0]
        setattr(part, name, array)
    start, told = time.process_time(), ""
    try:
        hands = sampler.hands(view, 2, np.random.default_rng(0))
        assert hands.shape[:2] == (1, 2)
    except ValueError as error:
        told = str(error)
    assert "\n" not in told
    assert time.process_time() - start < LONGEST


def test_what_is_wrong_is_told() -> None:
    _, sampler, views = shown("faroese")
    late = next(view for view in views if view.played.any())
    changes = [
        ("calls", 99, "calls is outside 0 to "),
        ("hand", 2**20 - 1, "a card lies in two places"),
        ("fell", 0, "cards played and cards logged differ"),
        ("trick_number", 9, "trick_number is outside 0 to 8"),
        ("trick_size", (int(late.trick_size[0]) + 1) % 4, "a trick has too many cards or too few"),
    ]
    for name, number, words in changes:
        view = deepcopy(late)
        setattr(view, name, np.full_like(getattr(view, name), number))
        with pytest.raises(ValueError, match="^view 0 cannot come from a game: " + words):
            sampler.hands(view, 2, np.random.default_rng(0))
    odd = deepcopy(late)
    odd.calls = odd.calls[:, :3]
    with pytest.raises(ValueError, match=r"^calls has shape \(1, 3\); allowed: \(1, 4\)$"):
        sampler.hands(odd, 2, np.random.default_rng(0))


def test_the_first_view_that_is_wrong_is_named_by_its_first_wrong_field() -> None:
    game, _, views = shown("handjass")
    three = views[0].select(np.zeros(3, np.intp))
    assert three.seats is not None
    ViewCheck(game.tables).check(three)
    outside = game.tables.word_type.type(1 << game.tables.n_cards)
    for part, name, number, words in [
        (three.seats, "known", outside, "known holds cards that are not in the pack"),
        (three.seats, "six_by", 9, "six_by is outside -1 to 3"),
        (three, "covering", outside, "covering holds cards that are not in the pack"),
        (three, "calls", -1, "calls is outside 0 to "),
    ]:
        getattr(part, name)[1:, ...] = number
        with pytest.raises(ValueError, match=f"^view 1 cannot come from a game: {words}"):
            ViewCheck(game.tables).check(three)
