"""What a player sees at a glance, in positions and over whole deals; hearts are trumps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from agents.card_sense import Bool, CardSense, Sight
from agents.random_agent import RandomAgent
from sjavs_env import Game, Phase, hidden_hands, view_of
from tests.agents.seats import seated, view_at
from tests.engine.table import Table, game_of

SECOND = "pass, 5, pass, pass, trump H"  # seat 1 declares, seat 0 leads
HANDS = {
    0: "AC KC 8C 9S JD 9D TD 7S",
    1: "QC JC AH KH TH 9C 7C KS",
    2: "8H 7H JS TS QD KD 8D AD",
    3: "QS TC AS 8S JH QH 7D 9H",
}
CLUBS, TRUMP = 0, 4


def sight(table: Table) -> Sight:
    sense = CardSense(table.game)
    view, mask = view_at(table)
    return Sight(sense, view, sense.legal_cards(mask))


def own(table: Table, cards: Bool) -> set[str]:
    """Cards of the seat to act that are marked in a row (1, N)."""
    held = set(table.hand(table.seat))
    return held & {table.game.pack.cards[c] for c in np.flatnonzero(cards[0])}


def all_sights(game: Game) -> Iterator[tuple[Sight, np.ndarray]]:
    """Every moment of card play in 200 random deals, with the other hands."""
    sense, rng, state = CardSense(game), np.random.default_rng(2), game.new_games(200)
    while True:
        rows = np.flatnonzero(state.phase != Phase.OVER)
        if not len(rows):
            return
        seat, mask = state.seat[rows], game.legal_actions(state, rows)
        view = view_of(game, state, rows, seat)
        at = np.flatnonzero(view.phase == Phase.PLAY)
        if len(at):
            seen = Sight(sense, view.select(at), sense.legal_cards(mask[at]))
            yield seen, hidden_hands(game, state, rows[at], seat[at])
        game.step(state, RandomAgent().act(view, mask, rng), rows)


def test_permanent_trumps_belong_to_the_trump_suit_alone() -> None:
    table = seated(HANDS, SECOND)
    seen = sight(table)
    assert own(table, seen.is_trump) == {"JD"}
    assert own(table, seen.is_master) == {"AC", "KC"}  # QC is no club
    assert seen.stronger_out[0, table.game.pack.ids["JD"]] == 5
    assert own(table, seen.is_alone) == {"JD"}


def test_a_card_becomes_master_when_the_higher_ones_have_fallen() -> None:
    table = seated({0: "AC 7D", 1: "KC 8C QC QS JC JS JH", 2: "9C 8D", 3: "TC 9D"}, SECOND)
    assert "KC" not in own(table, sight(table).is_master)
    table.play("AC")
    assert own(table, sight(table).is_master) >= {"KC", "QC", "QS"}


def test_friends_are_read_from_the_sides_of_the_rules() -> None:
    seen = sight(seated(HANDS, SECOND, "AC"))  # the declarer is to act
    assert seen.friend[0].tolist() == [True, False, True, False]
    assert seen.behind[0].tolist() == [False, True, True, False]
    assert seen.declares[0, 0]
    assert not seen.ours_now[0, 0]
    assert sight(seated(HANDS, SECOND, "AC 7C")).ours_now[0, 0]


def test_a_seat_that_has_shown_a_void_holds_no_card_of_the_suit() -> None:
    table = seated(HANDS, SECOND, "AC 7C 8H TC AD")  # seat 2 ruffed; seat 3 is to act
    chance = sight(table).chance[0]
    assert chance[3, CLUBS] == 0
    assert chance[1, CLUBS] + chance[2, CLUBS] == pytest.approx(1)


def test_the_last_hand_is_beaten_by_nobody_and_the_highest_trump_never() -> None:
    table = seated(HANDS, SECOND, "AC 7C 8H")
    assert not sight(table).beaten_by.any()
    table = seated(HANDS, SECOND, "8C")
    assert not sight(table).beaten_by[..., table.game.pack.ids["QC"]].any()


GAMES = [game_of("faroese"), game_of("faroese_free"), game_of("faroese_wiki")]


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.rules.name)
def test_what_the_others_hold_was_possible(game: Game) -> None:
    for seen, hidden in all_sights(game):
        assert (np.bitwise_or.reduce(hidden, axis=1) == seen.unseen[:, 0]).all()
        assert (np.bitwise_count(hidden) == seen.left[:, 1:]).all()
        for k in range(TRUMP + 1):
            cards = game.tables.class_set[seen.view.mode, k][:, None]
            holds = np.bitwise_count(hidden & cards) > 0
            assert (seen.chance[:, 1:, k][holds] > 0).all()
            total = seen.chance[:, :, k].sum(axis=1)
            assert np.allclose(total[holds.any(axis=1)], 1)


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.rules.name)
def test_chances_are_chances_and_count_the_cards_that_are_out(game: Game) -> None:
    for seen, _ in all_sights(game):
        for array in (seen.chance, seen.beaten_by):
            assert ((array >= 0) & (array <= 1 + 1e-12)).all()
        last = seen.view.trick_size == game.tables.n_players - 1
        assert not seen.beaten_by[last].any()


def test_the_announcement_tells_how_many_trumps_the_declarer_still_holds() -> None:
    for seen, hidden in all_sights(game_of("faroese")):
        other = np.flatnonzero(seen.view.declarer > 0)
        declarer = seen.view.declarer[other]
        trumps = seen.sense.game.tables.class_set[seen.view.mode[other], TRUMP]
        holds = np.bitwise_count(hidden[other, declarer - 1] & trumps)
        expected = seen.chance[other, declarer, TRUMP] * seen.trumps_out[other, 0]
        assert np.allclose(expected, holds)
