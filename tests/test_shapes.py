"""Arrays have the shapes and types that are declared for them, in every game."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from beartype import beartype
from jaxtyping import Bool, Float32, Int, Int8, TypeCheckError, UInt, UInt8, jaxtyped

import sjavs_agents
import sjavs_env
from sjavs_agents.arena.tally import Tally
from sjavs_agents.stats.rubber_deals import RubberDeals
from sjavs_agents.stats.rubber_decider import Decider
from sjavs_agents.stats.rubber_equity import RubberEquity
from sjavs_env import (
    BatchEnv,
    Encoder,
    Game,
    GameState,
    PlayerView,
    hidden_hands,
    make_rules,
    view_of,
)
from sjavs_env.engine import Phase, sample_legal
from sjavs_env.engine.state import SeatState
from sjavs_env.rules.tables import Ints
from tests.agents.stats.test_rubber_equity import GAMES, drawn_results, game_of
from tests.engine.table import TABLES, seated, table_of
from tests.engine.test_properties import played_on
from tests.shapes import LEGENDS, OF_GAME, declared, letters_of, misshapen, shapes_in

checked = jaxtyped(typechecker=beartype)


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_tables_states_and_views_are_as_they_are_declared(rules: str, players: int) -> None:
    game = table_of(rules, players)
    letters = letters_of(game)
    assert list(misshapen(game.tables, letters)) == []
    for steps in (1, 9, 30):
        state = played_on(game, 5, steps)
        assert list(misshapen(state, letters)) == []
        assert state.seats is None or list(misshapen(state.seats, letters)) == []
        rows = np.array([0, 2, 3])
        view = view_of(game, state, rows, state.seat[rows])
        assert list(misshapen(view, letters)) == []
        assert list(misshapen(view.select(np.array([1])), letters)) == []


def test_most_arrays_are_declared_with_their_shapes() -> None:
    assert len(declared(GameState)) > 10
    assert len(declared(SeatState)) == 15
    assert len(declared(PlayerView)) > 25


# What the public functions promise, with R, B and the sizes of the game, in one place.


@checked
def a_turn(
    env: BatchEnv,
    observation: UInt8[np.ndarray, "B {env.layout.size}"],
    mask: Int8[np.ndarray, "B {env.actions.size}"],
    seat: Int[np.ndarray, " B"],
    action: Int[np.ndarray, " B"],
    reward: Float32[np.ndarray, "B {env.game.tables.n_players}"],
    done: Bool[np.ndarray, " B"],
) -> None:
    """A turn of the batch, the answer to it, and what comes of that."""


@checked
def encoded(
    game: Game,
    encoder: Encoder,
    arranged: Int[np.ndarray, " R"],
    seen: UInt8[np.ndarray, "R {encoder.layout.size}"],
    oracle: UInt8[np.ndarray, "R {encoder.oracle_size}"],
    hidden: UInt[np.ndarray, "R hidden"],
    bits: UInt8[np.ndarray, "R {encoder.oracle_size-encoder.layout.size}"],
    mask: Int8[np.ndarray, "R {game.actions.size}"],
    action: Int[np.ndarray, " R"],
) -> None:
    """Views of R seats as a network sees them."""


@checked
def settled(
    game: Game,
    gain: Float32[np.ndarray, "R {game.tables.n_players}"],
    part: Bool[np.ndarray, "R {game.tables.n_players}"] | None,
    reward: Float32[np.ndarray, "R {game.tables.n_players}"],
) -> None:
    """What R deals have paid."""


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_public_functions_return_what_they_promise(rules: str, players: int) -> None:
    env = BatchEnv(rules, 3, seed=1, **seated(rules, players))
    turn, rng = env.reset(seed=1), np.random.default_rng(1)
    for _ in range(3):
        action = sample_legal(turn.mask, rng)
        turn, reward, done = env.step(action)
        a_turn(env, turn.observation, turn.mask, turn.seat, action, reward, done)
    game: Game = env.game
    state = played_on(game, 4, 12)
    rows: Ints = np.flatnonzero(state.phase != Phase.OVER)
    view = view_of(game, state, rows, state.seat[rows])
    hidden = hidden_hands(game, state, rows, state.seat[rows])
    for encoder in (Encoder(game), Encoder(game, "trump")):
        order = encoder.arrangement(view)
        mask = encoder.encode_mask(game.legal_actions(state, rows), order)
        encoded(game, encoder, order, encoder.encode(view), encoder.encode_oracle(view, hidden),
                hidden, encoder.hidden_bits(hidden, order), mask,
                encoder.decode_actions(mask.argmax(axis=1), order))  # fmt: skip
    over = np.arange(4)
    gain, part = game.gains(state, over), game.taking_part(state, over)
    settled(game, gain, part, game.rewards(gain, part))


def test_counts_and_chances_of_rubbers_are_as_they_are_declared() -> None:
    for name in ("faroese", "faroese_3", "klorsjavs"):
        game = game_of(name) if name in GAMES else Game(make_rules(name, start=4))
        results = drawn_results(game, name)
        letters = letters_of(game)
        assert list(misshapen(results, letters)) == []
        assert list(misshapen(RubberEquity.of(game, results), letters)) == []
        deals = RubberDeals(game, results)
        decider = Decider.of(deals, lambda won, crosses, _: won.astype(np.float64), farthest=4)
        assert (decider is None) == (deals.kind == "first_out_wins")
        assert decider is None or list(misshapen(decider, letters)) == []
    assert len(declared(RubberEquity)) == 2
    assert len(declared(Decider)) == 2


def test_what_agents_did_is_as_it_is_declared() -> None:
    for rules, players in TABLES:
        game = table_of(rules, players)
        assert list(misshapen(Tally.empty(game, 2), letters_of(game))) == []
    assert len(declared(Tally)) == 15


# What is written in the source


def letters_written(package: ModuleType) -> dict[str, str]:
    """Each letter in a shape written in comments and docstrings, and one place of it."""
    found: dict[str, str] = {}
    for path in sorted(Path(package.__path__[0]).rglob("*.py")):
        for text in remarks(path.read_text("utf-8")):
            for shape, letters in shapes_in(text):
                found |= dict.fromkeys(letters, f"{path.name}: {shape}")
    return found


def remarks(source: str) -> Iterator[str]:
    """Comments and docstrings."""
    tokens = tokenize.generate_tokens(StringIO(source).readline)
    yield from (token.string for token in tokens if token.type == tokenize.COMMENT)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def test_the_letters_of_shapes_are_explained_and_no_others() -> None:
    env, agents = ({k: v for part in LEGENDS[name].values() for k, v in part.items()}
                   for name in ("sjavs_env", "sjavs_agents"))  # fmt: skip
    assert not set(env) & set(agents)
    by_env, by_agents = letters_written(sjavs_env), letters_written(sjavs_agents)
    assert {k: v for k, v in by_env.items() if k not in env} == {}
    assert {k: v for k, v in by_agents.items() if k not in env | agents} == {}
    assert set(by_env) == set(env)
    assert set(agents) <= set(by_agents)


def test_what_knows_no_game_has_no_letter_of_one() -> None:
    """A population has as many agents as it likes: no N, which is the number of cards."""
    package, seen = Path(sjavs_agents.__path__[0]), 0
    for folder in ("stats", "reporting"):
        for path in sorted((package / folder).glob("*.py")):
            source = path.read_text("utf-8")
            if re.search(r"\b(Game|RuleSet|PlayerView)\b", source):
                continue
            shapes = [found for text in remarks(source) for found in shapes_in(text)]
            assert [shape for shape, letters in shapes if letters & OF_GAME] == [], path.name
            seen += 1
    assert seen > 20


# The checks themselves


@dataclass
class Pair:
    """Two arrays of the same games."""

    seat: Ints  # (B,)
    score: Ints  # (B, P)


@pytest.mark.parametrize(
    ("seat", "score", "wrong"),
    [
        (np.zeros(3, np.intp), np.zeros((3, 4), np.intp), None),
        (np.zeros(3, np.intp), np.zeros((3, 3), np.intp), "Pair.score is int64(3, 3)"),
        (np.zeros(2, np.intp), np.zeros((3, 4), np.intp), "Pair.score is int64(3, 4)"),
        (np.zeros((3, 1), np.intp), np.zeros((3, 4), np.intp), "Pair.seat is int64(3, 1)"),
        (np.zeros(3), np.zeros((3, 4), np.intp), "Pair.seat is float64(3,)"),
    ],
)
def test_an_array_of_another_shape_or_type_is_named(seat: Any, score: Any, wrong: Any) -> None:
    found = list(misshapen(Pair(seat, score), {"P": 4}))
    assert [text.partition(";")[0] for text in found] == ([wrong] if wrong else [])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("led: Ints  # (B,) class led", {"(B,)": {"B"}}),
        ("of n views (n, 2 M), or (R,\n    F + (P - 1) * N):",
         {"(n, 2 M)": {"n", "M"}, "(R, F + (P - 1) * N)": {"R", "F", "P", "N"}}),
        ("sets (..., X) of (W, places - 1)", {"(..., X)": {"X"}, "(W, places - 1)": {"W"}}),
        ("f(a, B), (a hand, B), (sets,), (B), (as Q, say)", {}),
    ],
)  # fmt: skip
def test_a_shape_is_told_from_other_words(text: str, found: dict[str, set[str]]) -> None:
    assert dict(shapes_in(text)) == found


def test_a_promise_that_is_broken_is_found() -> None:
    env = BatchEnv("faroese", 3)
    turn = env.turn()
    reward, done = np.zeros((3, 4), np.float32), np.zeros(3, np.bool_)
    good: list[Any] = [turn.observation, turn.mask, turn.seat, turn.seat, reward, done]
    a_turn(env, *good)
    for i, wrong in [(0, turn.observation[:, 1:]), (1, turn.mask[:2]), (4, reward[:, :3]),
                     (4, reward.astype(np.float64)), (5, done[:, None])]:  # fmt: skip
        bad = list(good)
        bad[i] = wrong
        with pytest.raises(TypeCheckError):
            a_turn(env, *bad)
