"""Handjass in the environments: matches that seats leave, options, records, copies."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sjavs_env import BatchEnv, SingleSeatEnv, SjavsEnv, record_so_far, sample_legal, verify
from sjavs_env.engine import Phase
from tests.engine.kinds import EVERY_PAIR_VARYING
from tests.envs.play import act, legal, play_on, play_out
from tests.reference.handjass_deal import stack

# three piles of players, then the reserve; its top card, the ace of spades, is turned up
PILES = [
    "JS 9S AC KC QC JC TC 9C 6H",
    "6S KS QS AH KH TH 9H 8H 7H",
    "TS 8S 7S AD KD QD JD TD 9D",
    "AS QH JH 8C 7C 6C 8D 7D 6D",
]


def deal(rules: str = "handjass", **options: Any) -> SjavsEnv:
    """An environment in which the piles have been dealt to three players, seat 0 first."""
    env = SjavsEnv(rules, players=3, render_mode="ansi", render_ascii=True, **options)
    deck = stack([pile.split() for pile in PILES], 3)
    env.reset(seed=0, options={"deck": deck, "dealer": 2})
    return env


def pickled(env: SjavsEnv) -> Any:
    return pickle.loads(pickle.dumps(env))


def restored(env: SjavsEnv) -> SjavsEnv:
    twin = SjavsEnv(env.game.rules, **dict[str, Any](env.options))
    twin.set_state(json.loads(json.dumps(env.get_state())))
    return twin


@pytest.mark.parametrize(("rules", "players"), EVERY_PAIR_VARYING)
def test_an_agent_that_has_left_the_match_does_not_act_again(rules: str, players: int) -> None:
    env = SjavsEnv(rules, players=players, episode="rubber")
    for seed in range(2):
        env.reset(seed=seed)
        for agent, _, reward, over in play_out(env, np.random.default_rng(seed)):
            seat = env.possible_agents.index(agent)
            if not over:
                assert env._state.seat_state.active[0, seat] == 1
                assert env.agents == env.possible_agents
                assert reward == 0
        lost = [i for i, x in enumerate((env.last_result or {})["crosses"]) if x]
        assert len(lost) == 1


@pytest.mark.parametrize(("rules", "players"), EVERY_PAIR_VARYING)
@pytest.mark.parametrize("copier", [copy.deepcopy, pickled, restored, SjavsEnv.clone])
def test_a_copy_goes_on_as_the_original_does(
    rules: str, players: int, copier: Callable[[Any], Any]
) -> None:
    env = SjavsEnv(rules, players=players, episode="rubber")
    env.reset(seed=4)
    play_on(env, np.random.default_rng(4), 45)
    twin = copier(env)
    for each in (env, twin):
        play_on(each, np.random.default_rng(5), 60)
    assert twin.get_state() == env.get_state()
    assert twin.state().tobytes() == env.state().tobytes()


def test_scores_say_who_is_in_the_match() -> None:
    env = SjavsEnv("handjass", episode="rubber")
    options = {"scores": [5, 1, 6, 4], "zeros": [0, 2, 0, 0], "dealer": 0}
    env.reset(seed=1, options=options)
    assert env._state.seat_state.active[0].tolist() == [0, 1, 0, 1]
    assert env._state.dealer[0] == 1, "the dealer asked for is out, so the next player deals"
    assert (
        env.observe("player_0")["observation"].shape == env.observe("player_1")["observation"].shape
    )
    play_on(env, np.random.default_rng(1), 10**6)
    record = json.loads(json.dumps(env.record()))
    assert record["start"] == {"score": [5, 1, 6, 4], "ties": 0, "zeros": [0, 2, 0, 0]}
    verify(record)
    assert (env.last_result or {})["score"][0] == 5
    assert env.rewards["player_0"] == pytest.approx(1 / 3)


def test_in_a_deal_among_some_the_others_are_rewarded_nothing() -> None:
    env = SjavsEnv("handjass_swiss")
    for seed in range(5):
        env.reset(seed=seed, options={"scores": [7, 1, 0, 4]})
        play_on(env, np.random.default_rng(seed), 10**6)
        assert env.rewards["player_0"] == 0
        assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scores": [5, 5, 5, 1]}, r"scores is \[5, 5, 5, 1\]; allowed: two or more below 5"),
        ({"scores": [-1, 0, 0, 0]}, "scores is .*, from 0 to 8"),
        ({"scores": [0, 0]}, "scores is .*, from 0 to 8"),
        ({"zeros": [1, 2, 3]}, r"zeros is \[1, 2, 3\]; allowed: 4 numbers from 0 to 8"),
        ({"zeros": [-1, 0, 0, 0]}, "zeros is .*; allowed: 4 numbers from 0 to 8"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SjavsEnv("handjass").reset(seed=0, options=options)


def test_a_record_so_far_tells_the_reserve_to_its_taker_alone() -> None:
    env = deal()
    act(env, "swap six", "keep hand", "take reserve")
    mine, other = (record_so_far(env, seat)["deals"][0] for seat in (1, 0))
    assert set(mine["reserve"].split()) == set(PILES[3].split())
    assert (other["reserve"], other["turned"]) == (None, "AS")
    assert set(other["hand"].split()) == set(PILES[0].split())
    assert other["actions"] == ["swap six", "keep hand", "take reserve"]
    assert other["announced"] == [None, None, None]
    assert other["shown"] == ["", "6S", ""], "he has it with the reserve, as all know"
    act(env, "play AC", "play 6C", "play 7S")
    deal_so_far = record_so_far(env, 2)["deals"][0]
    clubs = {"points": 100, "cards": 6, "top": None, "trumps": False}
    assert deal_so_far["announced"][0] == clubs
    assert set(deal_so_far["shown"][0].split()) == {"AC", "KC", "QC", "JC", "TC", "9C"}


def test_the_table_as_text() -> None:
    env = deal()
    text = env.render() or ""
    assert "handjass | dealer seat 2 | trumps spades, AS turned up" in text
    assert "seat 1 is to swap the six or keep it" in text
    assert "on the table: AS" in text
    act(env, "swap six", "keep hand", "keep hand", "take reserve")
    text = env.render() or ""
    assert "6S swapped for AS by seat 1" in text
    assert "turned up" not in text
    assert "on the table" not in text, "it went with the reserve"
    assert "reserve taken by seat 2" in text
    assert "seat 1 shows AS" in text
    assert "seat 2 shows 6S" in text
    act(env, "play AC", "play KS")
    told = "melds: seat 0 100 with 6 cards, seat 1 50 with 4 cards"
    assert told in (env.render() or "").splitlines()
    act(env, "play 8C")
    text = env.render() or ""
    assert "melds: seat 0 100 with 6 cards (100 scored), seat 1 50 with 4 cards, " in text
    assert "seat 0 shows KC QC JC TC 9C" in text


def test_a_deal_in_which_all_drop_out_is_worth_nothing() -> None:
    env = deal("handjass_alt")
    act(env, "keep six", "keep hand", "keep hand", "keep hand")
    assert legal(env) == ["stay", "drop"]
    act(env, "drop", "drop", "drop")
    assert all(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}
    assert (env.last_result or {})["outcome"] == "thrown_in"
    verify(json.loads(json.dumps(env.record())))


def test_an_illegal_action_costs_its_seat_alone() -> None:
    env = deal(illegal="terminate")
    act(env, "play 6S")  # seat 1 is asked for the six
    assert env.illegal_penalty == env.game.tables.result.worst == 3
    assert list(env.rewards.values()) == [1.5, -3.0, 1.5]
    assert (env.last_result or {})["kind"] == "forfeit"


@pytest.mark.parametrize(("rules", "players"), EVERY_PAIR_VARYING)
def test_one_seat_plays_matches_to_their_end(rules: str, players: int) -> None:
    env, rng = SingleSeatEnv(rules, players=players, episode="rubber"), np.random.default_rng(3)
    for seed in range(2):
        env.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        assert reward in (-1, pytest.approx(1 / (players - 1)))


@pytest.mark.parametrize(("rules", "players"), EVERY_PAIR_VARYING)
def test_matches_in_a_batch_pay_the_loss_of_the_last_one(rules: str, players: int) -> None:
    env, rng = BatchEnv(rules, 16, episode="rubber", players=players), np.random.default_rng(3)
    turn, ends = env.turn(), 0
    while ends <= 2:
        at = env.state.phase != Phase.OVER
        assert (env.state.seat_state.active[np.arange(16), turn.seat] == 1)[at].all()
        turn, reward, done = env.step(sample_legal(turn.mask, rng))
        assert ((reward[done] == -1).sum(axis=1) == 1).all()
        ends += int(done.sum())


def test_cards_in_order_of_strength_are_played_as_in_pack_order() -> None:
    plain = BatchEnv("handjass_swiss", 30, seed=5, players=3)
    sorted_ = BatchEnv("handjass_swiss", 30, seed=5, players=3, card_order="trump")
    rng = np.random.default_rng(5)
    for _ in range(150):
        turn, other = plain.turn(), sorted_.turn()
        assert np.array_equal(turn.mask.sum(axis=1), other.mask.sum(axis=1))
        chosen = sample_legal(other.mask, rng)
        same = sorted_.in_pack_order(chosen)
        _, first, _ = plain.step(same)
        _, second, _ = sorted_.step(chosen)
        assert np.array_equal(first, second)
