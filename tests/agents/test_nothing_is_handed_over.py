"""No agent can walk from what it is handed to other hands, or to the seed of the deals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.arena.match import play_match
from sjavs_agents.base import Agent, Ints
from sjavs_agents.heuristic.mixed_agent import MixedAgent
from sjavs_agents.heuristic.random_agent import RandomAgent
from sjavs_agents.training.run import Training
from sjavs_env import Game, GameState, PlayerView, view_of
from tests.agents.training.tiny import tiny_config
from tests.engine.table import game_of
from tests.reachable import reachable, whole_numbers

SEED = 0x1F3A_92C4_77E1_5B0D  # that no other number is by chance
GAMES = ["faroese", "klorsjavs", "danish_4", "faroese_2", "handjass"]


class Nosy(RandomAgent):
    """Looks through all that it is handed for numbers that it should not find."""

    name = "nosy"

    def __init__(self) -> None:
        self.secrets = {SEED}
        self.asked = 0

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        self.asked += 1
        if self.asked <= 40:
            own = set(view.hand.tolist())
            if view.seats is not None:  # of a hand that has been shown all may know each card
                own |= set(view.seats.known.ravel().tolist())
            found = whole_numbers(reachable(view, mask, rng))
            assert not found & (self.secrets - own)
        return super().act(view, mask, rng)


def telling(nosy: Nosy, least: int) -> Any:
    """Return ``view_of`` which tells the agent first what it must not find."""

    def told(game: Game, state: GameState, rows: Ints, viewer: Ints) -> PlayerView:
        others = np.arange(game.tables.n_players) != viewer[:, None]
        hands = state.hand[rows][others]
        large = game.unpack(hands).sum(axis=-1) >= least  # a small set may be some other number
        nosy.secrets = {SEED, *map(int, state.seed), *hands[large].tolist()}
        return view_of(game, state, rows, viewer)

    return told


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("chunk", [1, 8])
def test_an_agent_of_a_match_finds_neither_hands_nor_seed(
    rules: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    nosy = Nosy()
    monkeypatch.setattr("sjavs_agents.arena.playing.view_of", telling(nosy, 4))
    play_match(game_of(rules), (nosy, RandomAgent()), 8, SEED, chunk=chunk)
    assert nosy.asked >= 20


def test_both_parts_of_a_mixed_agent_find_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    nosy = Nosy()
    monkeypatch.setattr("sjavs_agents.arena.playing.view_of", telling(nosy, 4))
    for mixed in (MixedAgent(nosy, RandomAgent()), MixedAgent(RandomAgent(), nosy)):
        nosy.asked = 0
        play_match(game_of("faroese_free"), (mixed, RandomAgent()), 8, SEED)
        assert nosy.asked


@pytest.mark.parametrize("kind", ["policy", "adviser"])
def test_the_policy_within_a_searching_agent_finds_no_seed(kind: str) -> None:
    rollout = pytest.importorskip("sjavs_agents.search.rollout")
    pimc = pytest.importorskip("sjavs_agents.search.pimc")
    nosy, game = Nosy(), game_of()
    agents: dict[str, Agent] = {
        "policy": rollout.RolloutAgent(game, policy=nosy, worlds=2),
        "adviser": pimc.PimcAgent(game, worlds=2, infer=nosy),
    }
    play_match(game, (agents[kind], RandomAgent()), 1, SEED)
    assert nosy.asked


def test_an_opponent_of_training_finds_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nosy = Nosy()
    monkeypatch.setattr("sjavs_agents.training.collect.view_of", telling(nosy, 4))
    monkeypatch.setattr(Training, "_scripted", lambda _: nosy)
    training = Training(tiny_config(tmp_path, seed=SEED))
    training.learn(training.collect())
    assert nosy.asked
