"""Options: of the environment, of the rules and of a reset; errors name value and choices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sjavs_env import PRESETS, SjavsEnv, make_rules, numbered_decks, sjavs_v0
from tests.engine.table import deck_of
from tests.envs.play import CASE_F16, CASE_F17

DECK = " ".join(deck_of(CASE_F16[0]))


def started(**options: Any) -> SjavsEnv:
    env = SjavsEnv()
    env.reset(seed=5, options=options)
    return env


def hands(env: SjavsEnv) -> list[list[str]]:
    return [env.game.pack.names(hand) for hand in env.get_state()["cards"]["hand"][0]]


# the environment


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"episode": "match"}, "episode is 'match'; allowed: deal, rubber"),
        ({"render_mode": "rgb_array"}, "render_mode is 'rgb_array'; allowed: None, ansi, human"),
        ({"illegal": "ignore"}, "illegal is 'ignore'; allowed: raise, terminate"),
        ({"redeal": "never"}, "redeal is 'never'; allowed: continue, end"),
        ({"render_view": 4}, "render_view is 4; allowed: to_act, open, a seat 0 to 3"),
        ({"render_view": True}, "render_view is True; allowed: to_act, open, a seat 0 to 3"),
        ({"episode": np.array([1, 2])}, "episode is array([1, 2]); allowed: deal, rubber"),
        (
            {"render_view": np.array([1])},
            "render_view is array([1]); allowed: to_act, open, a seat 0 to 3",
        ),
        ({"render_ascii": "yes"}, "render_ascii is 'yes'; allowed: False, True"),
    ],
)
def test_a_wrong_option_is_refused(option: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011  # compared as a whole below
        sjavs_v0.env(**option)
    assert str(error.value) == message


def test_rules_are_a_name_an_alias_or_a_rule_set_with_overrides() -> None:
    assert SjavsEnv("torshavn").game.rules == PRESETS["faroese"]
    assert SjavsEnv(make_rules("suduroy", start=12)).game.rules.value("start") == 12
    env = SjavsEnv("suduroy", tie="double", overrides={"payoff.vol": [10, 14], "start": 30})
    wanted = make_rules("suduroy", tie="double", start=30, **{"payoff.vol": (10, 14)})
    assert env.game.rules == wanted
    dotted: dict[str, Any] = {"payoff.vol": (10, 14)}
    assert SjavsEnv("suduroy", **dotted).game.rules.payoff == wanted.payoff


@pytest.mark.parametrize("wrong", [{"rules": "bridge"}, {"tie": "half"}, {"stock": 3}])
def test_wrong_rules_are_refused_in_one_line(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="allowed: ") as error:
        sjavs_v0.env(**wrong)
    assert "\n" not in str(error.value)


# a reset


@pytest.mark.parametrize("deck", [DECK, DECK.split(), tuple(DECK.split())])
def test_a_given_deck_is_dealt_from_the_top(deck: Any) -> None:
    env = started(deck=deck, dealer=3)
    assert [sorted(hand) for hand in hands(env)] == [
        sorted(line.split()) for line in CASE_F16[0].strip().splitlines()
    ]


def test_a_pack_that_is_knocked_is_dealt_in_other_packets() -> None:
    cut, knocked = (hands(started(deck=DECK, dealer=3, cut=cut)) for cut in (True, False))
    assert cut != knocked
    assert set(knocked[0]) == set(DECK.split()[:8])
    assert hands(started(deck=DECK, dealer=3)) == cut


@pytest.mark.parametrize("dealer", range(4))
def test_the_seat_after_the_dealer_acts_first(dealer: int) -> None:
    env = started(dealer=dealer)
    assert env.agent_selection == f"player_{(dealer + 1) % 4}"


def test_dealer_3_lets_seat_0_act_first() -> None:
    assert started(dealer=3).agent_selection == "player_0"


def test_a_deal_number_is_that_deal_of_the_seed_and_the_next_follow() -> None:
    env = started(deal_number=17, dealer=3)
    deck = numbered_decks(32, 5, 17)[0].tolist()
    top = {env.game.pack.cards[card] for card in deck[:4]}
    assert top < set(hands(env)[0])
    for number in (18, 19):
        env.reset()
        assert env.get_state()["cards"]["number"] == [number]


def test_a_given_deck_takes_the_place_of_one_numbered_deal() -> None:
    env = started(deck=DECK)
    assert env.get_state()["cards"]["number"] == [0]
    env.reset()
    assert env.get_state()["cards"]["number"] == [1]
    other = started()
    other.reset()
    assert hands(other) == hands(env)


def test_a_dealer_given_once_does_not_disturb_the_dealers_drawn_later() -> None:
    dealers = []
    for options in ({}, {"dealer": 2}):
        env = started(**options)
        drawn = []
        for _ in range(8):
            env.reset()
            drawn.append(env.get_state()["cards"]["dealer"][0])
        dealers.append(drawn)
    assert dealers[0] == dealers[1]
    assert len(set(dealers[0])) > 1


def test_options_of_others_are_ignored() -> None:
    for options in ({"options": 1}, {"colour": "red"}, {"seed": 1, "reset_mask": None}, {}, None):
        sjavs_v0.env().reset(seed=0, options=options)


SLIPS = ["score", "Scores", "tie", "zero", "decks", "deal", "deal number", "dealers", "cuts"]


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_in_the_name_of_an_option_is_refused_and_changes_nothing(name: str) -> None:
    env = SjavsEnv()
    env.reset(seed=5)
    before = env.get_state()
    message = f"^there is no option '{name}', perhaps '.*' is meant; allowed: deck, dealer, cut, "
    with pytest.raises(ValueError, match=message) as error:
        env.reset(seed=6, options={name: None})
    assert "\n" not in str(error.value)
    assert env.get_state() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dealer": 4}, "dealer is 4; allowed: 0 to 3"),
        ({"dealer": -1}, "dealer is -1; allowed: 0 to 3"),
        ({"dealer": "north"}, "dealer is 'north'; allowed: 0 to 3"),
        ({"dealer": True}, "dealer is True; allowed: 0 to 3"),
        ({"cut": 1}, "cut is 1; allowed: True, False"),
        ({"deal_number": -1}, f"deal_number is -1; allowed: 0 to {2**64 - 1}"),
        ({"ties": -1}, "ties is -1; allowed: 0 to 4"),
        ({"ties": 5}, "ties is 5; allowed: 0 to 4"),
        ({"deck": 7}, "deck is 7; allowed: names of cards, as 'QC 8C ...' or a list"),
        ({"deck": "QC 1Z"}, "deck is 'QC 1Z'; '1Z' is not a card; a card is one rank of "
                            "AKQJT98765 and one suit of CSHD"),
        ({"deck": DECK.replace("QC", "6C")},
         f"deck is '{DECK.replace('QC', '6C')}'; 6C is not in this pack of 32 cards"),
        ({"deck": DECK.replace("QC", "QS")},
         f"deck is '{DECK.replace('QC', 'QS')}'; the deck holds QS more than once"),
    ],
)  # fmt: skip
def test_a_wrong_value_of_a_reset_is_refused_and_changes_nothing(
    options: dict[str, Any], message: str
) -> None:
    env = SjavsEnv()
    env.reset(seed=5)
    before = env.get_state()
    with pytest.raises(ValueError) as error:  # noqa: PT011  # compared as a whole below
        env.reset(seed=6, options=options)
    assert str(error.value) == message
    assert env.get_state() == before


def test_where_ties_do_not_add_up_at_most_one_is_pending() -> None:
    env = SjavsEnv("faroese_smith")
    env.reset(seed=5, options={"ties": 1})
    assert env.get_state()["cards"]["ties"] == [1]
    with pytest.raises(ValueError, match=r"^ties is 2; allowed: 0 to 1$"):
        env.reset(seed=5, options={"ties": 2})


@pytest.mark.parametrize("scores", [[24], [0, 24], [25, 24], [24, 24, 20, 24], "24 24", [1.5, 2]])
def test_scores_are_one_for_each_side_or_equal_for_partners(scores: Any) -> None:
    with pytest.raises(ValueError, match=r"^scores is .*; allowed: one for each side"):
        started(scores=scores)
    assert started(scores=[3, 5]).get_state()["cards"]["score"] == [[3, 5, 3, 5]]
    assert started(scores=[3, 5, 3, 5]).get_state()["cards"]["score"] == [[3, 5, 3, 5]]


@pytest.mark.parametrize("rules", ["klorsjavs", "faroese_2", "handjass"])
def test_without_partners_every_seat_has_its_score(rules: str) -> None:
    env = SjavsEnv(rules)
    n = env.game.rules.players
    with pytest.raises(
        ValueError, match=rf"^scores is \[1\]; allowed: {n} numbers, one for each s"
    ):
        env.reset(options={"scores": [1]})


def test_a_deck_is_for_the_first_deal_of_the_episode_only() -> None:
    env = SjavsEnv(episode="rubber")
    env.reset(seed=5, options={"deck": deck_of(CASE_F17[0]), "dealer": 3})
    for label in [*CASE_F17[1], *(f"play {card}" for card in CASE_F17[2].split())]:
        env.step(env.action_of(label))
    again = SjavsEnv()
    again.reset(seed=5, options={"deal_number": 1, "dealer": 0})
    assert hands(env) == hands(again)
