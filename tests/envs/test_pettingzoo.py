"""What PettingZoo demands: its own tests, and the points they leave open."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pettingzoo  # type: ignore[import-untyped]  # PettingZoo ships no types
import pytest

from sjavs_env import SjavsEnv, sjavs_v0
from tests.engine.kinds import EVERY_TRAIT
from tests.engine.table import seated
from tests.envs.pettingzoo_checks import (
    api_test,
    check_state,
    check_state_space,
    render_test,
    seed_test,
)
from tests.envs.play import act, choose, deal, play_out

# PettingZoo spares only its own dictionary observations, by name, the first two warnings; the
# third is about the masks of agents that have left, which are zero by its own documentation.
dictionary_observation = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]
every_game = pytest.mark.parametrize(("rules", "players"), EVERY_TRAIT)
every_episode = pytest.mark.parametrize("episode", ["deal", "rubber"])


def marked(test: Any) -> Any:
    for mark in dictionary_observation:
        test = mark(test)
    return test


@marked
@every_game
@every_episode
def test_every_game_passes_the_api_test(rules: str, players: int, episode: Any) -> None:
    seats = seated(rules, players)
    env = sjavs_v0.env(rules, episode=episode, **seats)
    api_test(env, num_cycles=1000)
    api_test(sjavs_v0.raw_env(rules, episode=episode, illegal="terminate", **seats), num_cycles=50)


@every_game
@every_episode
def test_every_game_passes_the_seed_test(rules: str, players: int, episode: Any) -> None:
    seats = seated(rules, players)
    seed_test(lambda: sjavs_v0.env(rules, episode=episode, **seats), num_cycles=500)


@every_game
@every_episode
def test_every_game_passes_the_render_test(rules: str, players: int, episode: Any) -> None:
    seats = seated(rules, players)
    render_test(
        lambda render_mode: sjavs_v0.env(rules, episode=episode, **seats, render_mode=render_mode),
        custom_tests={"ansi": lambda text: isinstance(text, str) and rules in text},
    )


@every_game
@every_episode
def test_every_game_passes_the_state_test(rules: str, players: int, episode: Any) -> None:
    seats = seated(rules, players)
    env = sjavs_v0.env(rules, episode=episode, **seats, illegal="terminate")
    check_state_space(env)
    check_state(env, 10)  # samples without the mask
    env = sjavs_v0.env(rules, episode=episode, **seats)
    env.reset(seed=1)
    for _ in play_out(env, np.random.default_rng(1)):
        assert env.state_space.contains(env.state())


def test_pettingzoo_finds_the_environment_by_name() -> None:
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo has a registry from 1.27 on")
    env = pettingzoo.make("aec", "sjavs/sjavs_v0", rules="suduroy", tie="add_2")
    assert str(env) == "sjavs_v0"
    assert env.unwrapped.game.rules.value("tie") == "add_2"


def test_metadata_says_what_pettingzoo_wants_to_know() -> None:
    metadata = sjavs_v0.env().metadata
    assert metadata["name"] == "sjavs_v0"
    assert metadata["is_parallelizable"] is False
    assert set(metadata["render_modes"]) == {"ansi", "human"}
    assert "render_fps" in metadata


def test_methods_called_before_the_first_reset_are_refused() -> None:
    env = sjavs_v0.env()
    with pytest.raises(AttributeError, match="reset"):
        env.last()
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)


def test_two_games_are_played_through_the_wrapped_environment() -> None:
    env, rng = sjavs_v0.env(), np.random.default_rng(2)
    first_agents = []
    for dealer in (1, 2):
        env.reset(seed=3 if dealer == 1 else None, options={"dealer": dealer})
        assert env.agents == env.possible_agents
        first_agents.append(env.agent_selection)
        for agent, observation, _, over in play_out(env, rng):
            assert over or observation["action_mask"].any()
            assert agent == env.agent_selection
        assert env.agents == []
    assert first_agents == ["player_2", "player_3"]


def test_a_game_left_before_its_end_does_not_disturb_the_next() -> None:
    env, rng = sjavs_v0.env(), np.random.default_rng(2)
    env.reset(seed=3, options={"dealer": 3})
    while not all(env.terminations.values()):
        env.step(choose(env.last()[0]["action_mask"], rng))
    env.step(None)  # one of four agents leaves, the others never get to
    env.reset(options={"dealer": 0})
    assert env.agent_selection == "player_1"
    seen = {agent for agent, _, _, over in play_out(env, rng) if over}
    assert seen == set(env.possible_agents)


# masks and observations


def seen_by(env: SjavsEnv, agent: str) -> tuple[bytes, bytes]:
    observation = env.observe(agent)
    return observation["observation"].tobytes(), observation["action_mask"].tobytes()


def test_masks_are_contiguous_int8_and_can_be_sampled() -> None:
    env = sjavs_v0.env()
    env.reset(seed=4)
    for agent, observation, _, over in play_out(env, np.random.default_rng(4)):
        mask = observation["action_mask"]
        assert mask.dtype == np.int8
        assert mask.flags.c_contiguous
        assert mask.shape == (env.action_space(agent).n,)
        assert set(np.unique(mask)) <= {0, 1}
        if not over:
            assert mask[env.action_space(agent).sample(mask)] == 1


def test_only_the_agent_on_turn_has_a_mask() -> None:
    env = SjavsEnv()
    env.reset(seed=5)
    for agent, _, _, over in play_out(env, np.random.default_rng(5)):
        for other in env.possible_agents:
            mask = env.observe(other)["action_mask"]
            assert mask.any() == (other == agent and not over)
            if other in env.infos:
                assert np.array_equal(mask, env.infos[other]["action_mask"])


def test_observations_are_given_at_any_time_to_any_agent() -> None:
    env = SjavsEnv()
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))
    env.reset(seed=6)
    for _ in play_out(env, np.random.default_rng(6)):
        for agent in env.possible_agents:
            assert env.observation_space(agent).contains(env.observe(agent))
    assert env.agents == []
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))


def test_writing_into_what_was_handed_out_changes_nothing() -> None:
    env, twin = SjavsEnv(), SjavsEnv()
    for each in (env, twin):
        each.reset(seed=7)
    illegal = int(np.argmin(env.observe(env.agent_selection)["action_mask"]))
    for agent in env.possible_agents:
        env.observe(agent)["observation"][:] = 9
        env.observe(agent)["action_mask"][:] = 1
    with pytest.raises(ValueError, match="is illegal"):
        env.step(illegal)
    action = choose(twin.observe(twin.agent_selection)["action_mask"], np.random.default_rng(0))
    env.step(action)
    twin.step(action)
    for agent in env.possible_agents:
        assert seen_by(env, agent) == seen_by(twin, agent)


def test_later_steps_do_not_change_what_was_handed_out() -> None:
    env = SjavsEnv()
    env.reset(seed=7)
    kept = []
    for agent, observation, _, _ in play_out(env, np.random.default_rng(7)):
        info = env.infos[agent]
        kept.append((observation, info, seen_by(env, agent), info["action_mask"].tobytes()))
    for observation, info, seen, mask in kept:
        assert (observation["observation"].tobytes(), observation["action_mask"].tobytes()) == seen
        assert info["action_mask"].tobytes() == mask


def test_the_same_agent_acts_twice_when_it_names_trumps_and_leads() -> None:
    env = deal("QC QS JC JS JH JD AH 7D\nKH QH 8D AC KC TC AS KS\n"
               "TH 9H 9C TS 9S 8S AD KD\n8H 7H 7S QD TD 9D 8C 7C")  # fmt: skip
    act(env, "7", "pass", "pass", "pass")
    assert env.agent_selection == "player_0"
    act(env, "trump H")
    assert env.agent_selection == "player_0"
    act(env, "play QC")
    assert env.agent_selection == "player_1"


def test_rewards_flags_and_agents_are_plain_python_values() -> None:
    env = SjavsEnv()
    env.reset(seed=8)
    for _ in play_out(env, np.random.default_rng(8)):
        assert {type(x) for x in env.terminations.values()} == {bool}
        assert {type(x) for x in env.truncations.values()} == {bool}
        assert {type(x) for x in env.rewards.values()} == {float}
        keys = set(env.agents)
        for table in (env.rewards, env.terminations, env.truncations, env.infos):
            assert set(table) == keys


# seeds


def stream(env: Any, episodes: int) -> list[tuple[str, bytes]]:
    """The first position of some episodes without a seed."""
    found = []
    for _ in range(episodes):
        env.reset()
        found.append((env.agent_selection, env.unwrapped.state().tobytes()))
    return found


def test_a_seed_repeats_the_whole_stream_and_unseeded_resets_go_on() -> None:
    streams = []
    for _ in range(2):
        env = sjavs_v0.env()
        env.reset(seed=9)
        streams.append(stream(env, 6))
    assert streams[0] == streams[1]
    assert len(set(streams[0])) == 6
    assert len({agent for agent, _ in streams[0]}) > 1  # dealers are drawn
    env.reset(seed=10)
    assert stream(env, 6) != streams[0]


def test_environments_never_seeded_play_different_deals() -> None:
    first, second = (stream(sjavs_v0.env(), 2) for _ in range(2))
    assert first != second


def test_a_drawn_seed_can_be_given_again() -> None:
    env, again = SjavsEnv(), SjavsEnv()
    env.reset()
    again.reset(seed=env.deal_seed)
    assert env.state().tobytes() == again.state().tobytes()
    assert env.agent_selection == again.agent_selection


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7"])
def test_a_wrong_seed_is_refused(seed: Any) -> None:
    env = SjavsEnv()
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises(ValueError, match=r"^seed is .*; allowed: 0 to 2\*\*64 - 1$"):
        env.reset(seed=seed)
    assert env.get_state() == before


def test_rendering_without_a_mode_warns() -> None:
    env = sjavs_v0.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_gymnasium_spaces_are_one_object_for_each_agent() -> None:
    env = sjavs_v0.env()
    spaces = {id(env.action_space(agent)) for agent in env.possible_agents}
    assert len(spaces) == 4
    assert isinstance(env.action_space("player_0"), gymnasium.spaces.Discrete)
