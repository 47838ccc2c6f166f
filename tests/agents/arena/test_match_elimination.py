"""Matches of games in which seats may be out: who counts, and what is told of each seat."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from sjavs_agents.arena.match import Episode, MatchResult, play_match
from sjavs_agents.arena.report import match_report
from sjavs_agents.arena.seating import mean_weights
from sjavs_agents.arena.tally import STANDINGS, seats_from_dealer
from sjavs_agents.registry import make_agent
from tests.agents.arena.test_match import Deals
from tests.engine.kinds import EVERY_PAIR_VARYING
from tests.engine.table import table_of

EPISODES: list[Episode] = ["deal", "rubber"]
PLAYERS = [2, 3, 4]


def match(
    rules: str, players: int, a: str, b: str, boards: int, *, episode: Episode = "deal"
) -> MatchResult:
    game = table_of(rules, players)
    return play_match(game, (make_agent(a, game), make_agent(b, game)), boards, 7, episode=episode)


@pytest.mark.parametrize("episode", EPISODES)
@pytest.mark.parametrize("agent", ["rules", "greedy"])
@pytest.mark.parametrize("players", PLAYERS)
def test_an_agent_against_itself_gets_nothing(players: int, agent: str, episode: Episode) -> None:
    boards = 12 if episode == "deal" else 3
    result = match("handjass_swiss", players, agent, agent, boards, episode=episode)
    assert np.allclose(result.game_points.sum(axis=1), 0)
    assert np.allclose(result.card_points.sum(axis=1), 0)
    assert np.allclose(result.crosses.sum(axis=1), 0)
    assert np.allclose(result.board_game_points, 0)
    if episode == "rubber":
        assert result.estimates()["rubbers_won"].mean == 0.5
        assert (result.crosses != 0).all()  # one of them has lost at every table


@pytest.mark.parametrize(
    ("players", "episode"),
    [
        *((players, "deal") for players in PLAYERS),
        (2, "rubber"),
        (3, "rubber"),
        pytest.param(4, "rubber", marks=pytest.mark.slow),
    ],
)
def test_exchanging_the_agents_negates_the_result(players: int, episode: Episode) -> None:
    boards = 20 if episode == "deal" else 1
    one = match("handjass_alt", players, "rules", "greedy", boards, episode=episode)
    other = match("handjass_alt", players, "greedy", "rules", boards, episode=episode)
    assert one.game_points.any()
    for name in ("game_points", "card_points", "crosses"):
        assert np.allclose(getattr(one, name), -getattr(other, name)[:, ::-1])
    for field in fields(one.tally):
        if field.name not in ("redeals", "seconds"):
            mine, theirs = getattr(one.tally, field.name), getattr(other.tally, field.name)
            assert np.allclose(mine, theirs[::-1])


@pytest.mark.parametrize("players", PLAYERS)
def test_all_tables_of_a_board_are_dealt_the_same_cards(
    monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    deals = Deals(monkeypatch)
    match("handjass_swiss", players, "rules", "random", 30)
    match("handjass_swiss", players, "greedy", "random", 30)
    assert len(deals.seen) == 30
    for (_, number), seen in deals.seen.items():
        assert len(seen) == 1
        assert {dealer for dealer, _ in seen} == {(number >> 16) % players}


def test_seats_that_are_out_of_the_match_do_not_count() -> None:
    agent_at = np.array([[0, 1, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]])
    part = np.array([[1, 1, 0, 1], [0, 1, 1, 1], [0, 1, 1, 1]], dtype=np.bool_)
    assert mean_weights(agent_at == 0, part).tolist() == [
        [1, -0.5, 0, -0.5],
        [0, 1, -0.5, -0.5],
        [0, 0, 0, 0],  # nobody is left to compare with
    ]


def test_places_are_counted_from_the_dealer_among_those_who_take_part() -> None:
    part = np.array([[1, 1, 1, 1], [1, 0, 1, 1], [0, 1, 0, 1]], dtype=np.bool_)
    places = seats_from_dealer(np.array([3, 2, 3]), part)
    found = [row[there].tolist() for row, there in zip(places, part, strict=True)]
    assert found == [[1, 2, 3, 0], [2, 0, 1], [1, 0]]


@pytest.mark.parametrize(("rules", "players"), EVERY_PAIR_VARYING)
def test_the_standings_of_all_seats_add_up(rules: str, players: int) -> None:
    result = match(rules, players, "rules", "random", 30)
    tally, game = result.tally, result.game
    deals = dict(zip(STANDINGS, tally.standing_deals.sum(axis=0), strict=True))
    tables = result.deals.sum()
    assert deals["stayed"] + deals["dropped"] == tables * players
    actions = dict(zip(game.actions.labels, tally.actions.sum(axis=0), strict=True))
    assert deals["took_reserve"] == actions["take reserve"]
    assert deals["swapped_six"] == actions["swap six"]
    assert deals["dropped"] == actions.get("drop", 0)
    assert 0 < deals["scored_melds"] <= deals["stayed"]
    assert 0 < deals["in_bag"] < deals["stayed"]
    gains = tally.seat_game_points.sum()
    both = tally.standing_game_points.sum(axis=0)[:2].sum()
    assert both == pytest.approx(gains)
    assert (tally.standing_melds[:, list(STANDINGS).index("scored_melds")] > 0).all()


def test_the_report_shows_what_the_seats_did() -> None:
    result = match("handjass_alt", 3, "rules", "greedy", 60)
    mine, theirs = match_report(result)["by_agent"]
    assert set(mine["standings"]) == set(STANDINGS)
    assert theirs["standings"]["dropped"]["deals"] == 0  # the greedy player plays every hand
    assert theirs["standings"]["dropped"]["game_points"] is None
    assert mine["standings"]["dropped"]["deals"] > 20
    assert mine["standings"]["dropped"]["card_points"] == 0
    bag = mine["standings"]["in_bag"]
    assert bag["game_points"] == -1  # by these rules
    assert bag["card_points"] + bag["melds"] < result.game.rules.value("limit")
    contracts = {"declared", "suits", "bids", "results", "roles"}
    assert not contracts & set(mine), "nobody declares"
    of_sjavs = match_report(match_of_sjavs())["by_agent"][0]
    assert "standings" not in of_sjavs
    assert contracts <= set(of_sjavs)


def match_of_sjavs() -> MatchResult:
    game = table_of("faroese_3", 3)
    return play_match(game, (make_agent("rules", game), make_agent("greedy", game)), 2)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_match_is_lost_by_one_player(players: int) -> None:
    result = match("handjass", players, "rules", "random", 12, episode="rubber")
    alone = result.crosses[:, :players]
    share = {-1.0, 1 / max(1, players - 1)}
    assert set(np.round(alone.ravel(), 6)) <= {round(x, 6) for x in share}
    assert result.estimates()["rubbers_won"].mean > 0.5


@pytest.mark.parametrize(("rules", "players"), EVERY_PAIR_VARYING)
def test_rules_beat_random_and_greedy_clearly(rules: str, players: int) -> None:
    for other, margin in (("random", 0.1), ("greedy", 0.03)):
        found = match(rules, players, "rules", other, 120).estimates()["game_points"]
        assert (found.low or 0) > margin


@pytest.mark.parametrize("rules", ["handjass_strict", "handjass_swiss"])
def test_the_expert_beats_the_club_player_among_four(rules: str) -> None:
    found = match(rules, 4, "expert", "rules", 600).estimates()["game_points"]
    assert (found.low or 0) > 0
