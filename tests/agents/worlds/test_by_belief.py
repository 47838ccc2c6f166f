"""Worlds are drawn as often as a belief holds them for likely."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from sjavs_agents.arena.match import play_match
from sjavs_agents.base import Floats, Words
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.registry import make_agent
from sjavs_agents.worlds import by_policy
from sjavs_agents.worlds.by_belief import TEMPER, BeliefWorlds
from sjavs_agents.worlds.by_policy import PolicyInference
from sjavs_agents.worlds.sampler import Hands, Sampler
from sjavs_agents.worlds.weighted import OVERSAMPLE
from sjavs_env import Game, GameState, PlayerView, view_of
from tests.agents.belief.tiny import opinionated, written_belief
from tests.agents.solver.late import endings
from tests.agents.worlds.stories import differing
from tests.engine.kinds import EVERY_TRAIT, as_one
from tests.engine.table import game_of, table_of
from tests.engine.test_properties import played_on

WORLDS = 4000


class Fixed:
    """Believes the same of every view."""

    def __init__(self, holders: tuple[str, ...], ratios: Floats) -> None:
        self.holders, self._ratios = holders, ratios.astype(np.float32)

    def log_ratios(self, view: PlayerView, exact: Floats) -> NDArray[np.float32]:
        return np.where(exact > 0, self._ratios, np.float32(0))

    def chances(self, view: PlayerView, exact: Floats) -> Floats:
        return np.asarray(exact * np.exp(self.log_ratios(view, exact)))


def one_view(game: Game, least: int, most: int) -> PlayerView:
    """A view near the end of a deal that leaves so many worlds open."""
    state, rows = endings(game, 64, 3)
    view = view_of(game, state, rows, state.seat[rows])
    open_to = np.array(Sampler(game).count(view))
    return view.select(np.flatnonzero((open_to >= least) & (open_to <= most))[:1])


def test_a_belief_that_says_nothing_leaves_all_worlds_equally_likely() -> None:
    game = game_of()
    sampler = Sampler(game)
    view = one_view(game, 20, 100)
    even = Fixed(sampler.holders, np.zeros((3, 32)))
    drawn = BeliefWorlds(sampler, even).sample(view, WORLDS, np.random.default_rng(0))
    times = counted(drawn, listed(sampler, view)[0])
    assert chisquare(times).pvalue > 0.001


def test_worlds_are_drawn_in_proportion_to_their_weights() -> None:
    game = game_of()
    sampler, rng = Sampler(game), np.random.default_rng(1)
    view = one_view(game, 20, 100)
    leaning = Fixed(sampler.holders, rng.normal(size=(3, 32)))
    source = BeliefWorlds(sampler, leaning)
    states, chance = listed(sampler, view)
    held = game.unpack(others(states, view)).reshape(len(states), -1)
    weight = chance * np.exp(
        TEMPER * held @ leaning.log_ratios(view, sampler.chances(view)).ravel()
    )
    times = counted(source.sample(view, WORLDS, rng), states)
    share = weight / weight.sum()
    spread = np.sqrt(share / WORLDS)  # of single draws; the systematic ones scatter less
    assert (np.abs(times / WORLDS - share) < 5 * spread + 0.002).all()
    assert share.max() > 3 * share.mean()  # far from even


def listed(sampler: Sampler, view: PlayerView) -> tuple[GameState, Floats]:
    found = sampler.all_worlds(view, 1000)
    assert found is not None
    return found.state, found.chance


def others(states: GameState, view: PlayerView) -> Words:
    """Hands of the other seats (W, 3), next seat first."""
    n = states.hand.shape[1]
    return states.hand[:, (view.seat[0] + np.arange(1, n)) % n]


def counted(drawn: GameState, states: GameState) -> NDArray[np.intp]:
    """How often each of the worlds was drawn."""
    same = (drawn.hand[:, None] == states.hand[None]).all(axis=2)
    assert (same.sum(axis=1) == 1).all()
    return same.sum(axis=0)


@pytest.mark.parametrize("table", as_one(EVERY_TRAIT))
def test_every_world_is_one_that_the_seat_may_be_in(table: tuple[str, int]) -> None:
    game = table_of(*table)
    source = BeliefWorlds(Sampler(game), opinionated(game))
    state = played_on(game, 6, 21)
    rows = np.arange(len(state))
    view = view_of(game, state, rows, state.seat.copy())
    drawn, again = (source.sample(view, 3, np.random.default_rng(5)) for _ in range(2))
    assert game.problems(drawn) == []
    at = np.repeat(rows, 3)
    seen = view_of(game, drawn, np.arange(len(drawn)), view.seat[at])
    assert not differing(seen, view.select(at)).any()
    for name, value in drawn.arrays().items():
        np.testing.assert_array_equal(value, again.arrays()[name], err_msg=name)


def test_states_are_built_only_of_the_worlds_that_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a policy weighs them, so many at a time."""
    game = game_of()
    sampler, rng = Sampler(game), np.random.default_rng(0)
    state, rows = endings(game, 24, 3)
    view = view_of(game, state, rows, state.seat[rows])
    built: list[int] = []
    build = sampler.build

    def counting(view: PlayerView, drawn: Hands, rng: np.random.Generator) -> GameState:
        built.append(len(drawn))
        return build(view, drawn, rng)

    monkeypatch.setattr(sampler, "build", counting)
    kept = 5 * len(view)
    BeliefWorlds(sampler, opinionated(game)).sample(view, 5, rng)
    assert built == [kept]
    built.clear()
    monkeypatch.setattr(by_policy, "AT_ONCE", 50)
    PolicyInference(sampler, RuleAgent(game)).sample(view, 5, rng)
    assert built[-1] == kept
    assert sum(built[:-1]) == OVERSAMPLE * kept
    assert max(built[:-1]) == 50


def test_a_policy_and_a_belief_exclude_each_other(tmp_path: Path) -> None:
    game = game_of()
    path = written_belief(tmp_path / "b.safetensors", game)
    for name in (f"pimc:infer=rules,belief={path}", f"rollout:infer=policy,belief={path}"):
        with pytest.raises(ValueError, match=r"infer and belief both weigh .*; allowed: one"):
            make_agent(name, game)


@pytest.mark.parametrize("kind", ["pimc:worlds=2", "rollout:worlds=2", "ismcts:iterations=12"])
def test_players_search_with_a_belief(kind: str, tmp_path: Path) -> None:
    game = game_of("klorsjavs")
    name = f"{kind},belief={written_belief(tmp_path / 'b.safetensors', game)}"
    first, again = (
        play_match(game, (make_agent(name, game), RuleAgent(game)), 2, seed=5) for _ in range(2)
    )
    assert first.agents[0] == name
    np.testing.assert_array_equal(first.game_points, again.game_points)


def test_a_belief_about_other_places_is_refused(tmp_path: Path) -> None:
    game = game_of()
    with pytest.raises(ValueError, match="the belief knows holders hand 1; allowed: hand 1, hand"):
        BeliefWorlds(Sampler(game), Fixed(("hand 1",), np.zeros((1, 32))))
    missing = tmp_path / "nothing.safetensors"
    with pytest.raises(ValueError, match=r"nothing.safetensors: there is no such checkpoint file"):
        make_agent(f"pimc:belief={missing}", game)
    klor = game_of("klorsjavs")
    path = written_belief(tmp_path / "b.safetensors", klor)
    with pytest.raises(
        ValueError, match="trained on klorsjavs for 3 players, whose actions or observations"
    ):
        make_agent(f"pimc:belief={path}", game)
