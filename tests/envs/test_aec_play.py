"""Whole deals and episodes through the PettingZoo environment: results, rewards, illegal acts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sjavs_env import PRESETS, SjavsEnv, sjavs_v0
from tests.engine.kinds import EVERY_PAIR
from tests.engine.table import deck_of, seated
from tests.envs.play import (
    CASE_F16,
    CASE_F17,
    CASE_F20,
    CASE_F22,
    act,
    deal,
    legal,
    play_out,
    play_tricks,
)

NOBODY_BIDS = """
QS TC 9C 7C 9H 7H AD QD
JD 8C TS 7S AH TH 8H 8D
QC JH AC KC AS 9S KD 9D
JC JS KS 8S KH QH TD 7D
"""
EVEN = ("player_0", "player_2")


def play_case(case: Any, rules: str = "faroese", **options: Any) -> SjavsEnv:
    hands, auction, tricks = case
    env = deal(hands, rules, **options)
    act(env, *auction)
    play_tricks(env, tricks)
    return env


def result(env: Any) -> dict[str, Any]:
    found: dict[str, Any] | None = env.unwrapped.last_result
    assert found is not None
    return found


# results of worked deals


@pytest.mark.parametrize("rules", ["faroese", "faroese_smith", "faroese_wiki", "suduroy"])
def test_clubs_won_with_75_points_by_the_odd_side(rules: str) -> None:
    env = play_case(CASE_F16, rules)
    assert result(env) == {
        "kind": "played",
        "outcome": "win",
        "declarer": 3,
        "trump": "C",
        "bid": "5 better",
        "card_points": [45, 37, 0, 38],
        "side_points": [45, 75],
        "tricks": [3, 2, 0, 3],
        "side_tricks": [3, 5],
        "score_change": [0, -4, 0, -4],
        "score": [24, 20, 24, 20],
        "ties": 0,
        "crosses": [0, 0, 0, 0],
        "dealer": 3,
        "deal_number": None,
        "rubber_over": 0,
    }
    assert env.rewards == dict.fromkeys(EVEN, -4.0) | {"player_1": 4.0, "player_3": 4.0}


def test_all_points_without_all_tricks_count_as_90_or_more() -> None:
    env = play_case(CASE_F17)
    assert result(env)["side_points"] == [120, 0]
    assert result(env)["side_tricks"] == [7, 1]
    assert result(env)["outcome"] == "win_90"
    assert env.rewards["player_0"] == 4.0


def test_a_tie_changes_no_score_and_stays_pending() -> None:
    env = play_case(CASE_F20, episode="rubber")
    assert result(env)["outcome"] == "tie"
    assert result(env)["side_points"] == [60, 60]
    assert result(env)["score"] == [24] * 4
    assert result(env)["ties"] == 1
    assert set(env.rewards.values()) == {0.0}
    assert not any(env.terminations.values())
    assert env.agent_selection == "player_1"  # dealer 3 has dealt, now dealer 0 has


@pytest.mark.parametrize(
    ("rules", "paid", "outcome"),
    [
        ("faroese", 16, "lose_no_trick"),
        ("suduroy", 16, "lose_no_trick"),
        ("faroese_wiki", 4, "lose"),
    ],
)
def test_declarers_without_a_trick(rules: str, paid: int, outcome: str) -> None:
    env = play_case(CASE_F22, rules)
    assert result(env)["outcome"] == outcome
    assert result(env)["side_tricks"] == [8, 0]
    assert [env.rewards[agent] for agent in env.agents] == [paid, -paid, paid, -paid]


def test_scores_and_ties_given_at_the_reset_count() -> None:
    hands, auction, tricks = CASE_F16
    env = SjavsEnv(episode="rubber")
    options = {"deck": deck_of(hands), "dealer": 3, "scores": [24, 6], "ties": 1}
    env.reset(seed=1, options=options)
    act(env, *auction)
    play_tricks(env, tricks)
    assert result(env)["score_change"] == [0, -6, 0, -6]  # 4 and 2 for the tie
    assert result(env)["rubber_over"] == 1
    assert result(env)["crosses"] == [0, 2, 0, 2]  # the losers are still on 24
    assert [env.rewards[agent] for agent in env.agents] == [-2.0, 2.0, -2.0, 2.0]
    assert all(env.terminations.values())


def test_a_result_is_there_from_the_end_of_a_deal_to_the_end_of_the_next() -> None:
    env = SjavsEnv()
    env.reset(seed=1)
    assert env.last_result is None
    for _ in play_out(env, np.random.default_rng(1)):
        pass
    first = env.last_result
    assert first is not None
    first["score"][0] = 99
    assert env.last_result != first, "what is handed out is a copy"
    env.reset()
    assert env.last_result is not None
    assert env.last_result["deal_number"] == first["deal_number"]


def test_results_are_plain_python_values() -> None:
    env = SjavsEnv(episode="rubber")
    env.reset(seed=2)
    for _ in play_out(env, np.random.default_rng(2)):
        for value in (env.last_result or {}).values():
            parts = value if isinstance(value, list) else [value]
            assert {type(part) for part in parts} <= {int, str, type(None)}


# rewards


@pytest.mark.parametrize(("rules", "players"), EVERY_PAIR)
@pytest.mark.parametrize("episode", ["deal", "rubber"])
def test_rewards_are_zero_sum_alike_for_partners_and_paid_at_the_end(
    rules: str, players: int, episode: Any
) -> None:
    env = sjavs_v0.env(rules, episode=episode, **seated(rules, players))
    for seed in range(3):
        env.reset(seed=seed)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        for agent, _, reward, over in play_out(env, np.random.default_rng(seed)):
            assert over or reward == 0.0
            paid[agent] += reward
        found, wanted = result(env), PRESETS[rules]
        counts_up = wanted.match.kind != "first_out_wins"
        gains = [change if counts_up else -change for change in found["score_change"]]
        if episode == "rubber":
            gains = found["score"] if wanted.match.kind == "deals" else found["crosses"]
        for seat, agent in enumerate(env.possible_agents):
            against = [x for other, x in enumerate(gains) if other != seat]
            if wanted.sides == "partners":
                against = [gains[seat - 1]]
            assert paid[agent] == pytest.approx(gains[seat] - sum(against) / len(against))
        assert sum(paid.values()) == pytest.approx(0, abs=1e-4)
        if wanted.sides == "partners":
            assert paid["player_0"] == paid["player_2"] == -paid["player_1"] == -paid["player_3"]


# illegal actions


@pytest.mark.parametrize(("said", "offender"), [((), 0), (("pass",), 1), (("pass", "spil"), 2)])
def test_who_plays_alone_pays_alone_for_an_illegal_action(
    said: tuple[str, ...], offender: int
) -> None:
    env = SjavsEnv("auction_sjavs", illegal="terminate")
    env.reset(seed=1, options={"dealer": 2})
    act(env, *said, "play QC")
    payers = {offender} if len(said) < 2 else {0, 2}  # against the declarer they are one side
    for seat, reward in enumerate(env.rewards.values()):
        assert (reward < 0) == (seat in payers)
    assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("make", [sjavs_v0.env, sjavs_v0.raw_env])
def test_an_illegal_action_raises_and_changes_nothing(make: Any) -> None:
    env = make()
    hands, auction, _ = CASE_F16
    env.reset(seed=1, options={"deck": " ".join(deck_of(hands)), "dealer": 3})
    before = env.unwrapped.get_state()
    with pytest.raises(ValueError, match=r"^'play QC' is illegal for player_0; legal: 5$"):
        act(env, "play QC")
    assert env.unwrapped.get_state() == before
    act(env, *auction, "play QC")
    message = r"^'play QC' is illegal for player_1; legal: play AC, play 8C, play JS, play JH$"
    with pytest.raises(ValueError, match=message):
        act(env, "play QC")
    act(env, "play 8C")
    assert env.agent_selection == "player_2"


@pytest.mark.parametrize("illegal", ["raise", "terminate"])
@pytest.mark.parametrize("action", [-1, 45, 10**6, None, 1.5, "5", np.array([1, 2])])
def test_what_is_no_action_raises_in_either_mode(action: Any, illegal: Any) -> None:
    env = sjavs_v0.env(illegal=illegal)
    env.reset(seed=1)
    n_actions = env.action_space("player_0").n
    before = env.unwrapped.get_state()
    with pytest.raises(ValueError, match=rf"is not an action; allowed: 0 to {n_actions - 1}$"):
        env.step(action)
    assert env.unwrapped.get_state() == before


@pytest.mark.parametrize(("episode", "penalty"), [("deal", 24), ("rubber", 2)])
@pytest.mark.parametrize("offender", range(4))
def test_an_illegal_action_loses_the_game_for_the_side(
    offender: int, episode: Any, penalty: int
) -> None:
    hands, auction, _ = CASE_F16
    env = sjavs_v0.env(illegal="terminate", episode=episode)
    env.reset(seed=1, options={"deck": deck_of(hands), "dealer": 3})
    act(env, *auction, *["play QC", "play 8C", "play 9C", "play 7C"][:offender])
    assert env.unwrapped.illegal_penalty == penalty
    assert env.agent_selection == f"player_{offender}"
    act(env, "pass")
    sign = 1 if offender % 2 else -1
    assert list(env.rewards.values()) == [sign * x for x in (penalty, -penalty, penalty, -penalty)]
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    found = result(env)
    assert (found["kind"], found["outcome"], found["score_change"]) == ("forfeit", None, [0] * 4)
    lasts = {agent: reward for agent, _, reward, _ in play_out(env, np.random.default_rng(0))}
    assert sum(lasts.values()) == 0.0
    assert lasts[f"player_{offender}"] == lasts[f"player_{(offender + 2) % 4}"] == -penalty
    env.reset(options={"dealer": 3})
    assert env.agent_selection == "player_0"


# a deal that nobody bids on


def test_a_deal_without_a_bid_is_dealt_again() -> None:
    env = deal(NOBODY_BIDS)
    number = int(env.get_state()["cards"]["number"][0])
    act(env, "pass", "pass", "pass", "pass")
    found = result(env)
    assert (found["kind"], found["outcome"], found["dealer"]) == ("redeal", None, 3)
    assert (found["declarer"], found["trump"], found["bid"]) == (None, None, None)
    assert set(env.rewards.values()) == {0.0}
    assert not any(env.terminations.values())
    assert env.agent_selection == "player_0", "the same dealer deals again"
    state = env.get_state()["cards"]
    assert state["number"] == [number + 1]
    assert state["dealer"] == [3]
    assert (
        int(env.game.new_games(1, seed=0, numbers=number + 1).dealt[0, 0]) == state["dealt"][0][0]
    )


@pytest.mark.parametrize("episode", ["deal", "rubber"])
def test_a_deal_without_a_bid_can_end_the_episode(episode: Any) -> None:
    env = deal(NOBODY_BIDS, redeal="end", episode=episode)
    act(env, "pass", "pass", "pass", "pass")
    assert result(env)["kind"] == "redeal"
    assert env.rewards == dict.fromkeys(env.possible_agents, 0.0)
    assert all(env.terminations.values())


def test_rules_that_play_a_deal_without_a_bid_have_no_redeal() -> None:
    env = deal(NOBODY_BIDS, "faroese_wiki", redeal="end")
    act(env, "pass", "pass", "pass", "pass")
    assert not any(env.terminations.values())
    assert legal(env)[0].startswith("play")
    for _ in play_out(env, np.random.default_rng(0)):
        pass
    assert result(env)["outcome"] in ("no_bid_win", "no_bid_lose", "no_bid_tie")
    assert (result(env)["declarer"], result(env)["trump"]) == (None, None)


# labels


def test_labels_name_all_actions_and_lead_back_to_them() -> None:
    env = sjavs_v0.env()
    labels = env.unwrapped.action_labels
    assert len(labels) == env.action_space("player_0").n
    assert [env.unwrapped.action_of(label) for label in labels] == list(range(len(labels)))
    with pytest.raises(ValueError, match="'play ZZ' is not an action"):
        env.unwrapped.action_of("play ZZ")
