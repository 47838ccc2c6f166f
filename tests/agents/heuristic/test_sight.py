"""What a player sees at a glance, in positions and over whole deals; hearts are trumps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from sjavs_agents.base import Bool, open_decisions
from sjavs_agents.heuristic.random_agent import RandomAgent
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_agents.heuristic.sight import Sight, TableReader
from sjavs_env import Game, Phase, hidden_hands, view_of
from tests.agents.seats import dealt, dealt_alone, seated, view_at
from tests.engine.kinds import EVERY_PAIR
from tests.engine.table import SJAVS, Table, game_of, table_of

SECOND = "pass, 5, pass, pass, trump H"  # seat 1 declares, seat 0 leads
HANDS = {
    0: "AC KC 8C 9S JD 9D TD 7S",
    1: "QC JC AH KH TH 9C 7C KS",
    2: "8H 7H JS TS QD KD 8D AD",
    3: "QS TC AS 8S JH QH 7D 9H",
}
CLUBS, TRUMP = 0, 4


def sight(table: Table) -> Sight:
    reader = TableReader(table.game)
    view, mask = view_at(table)
    return Sight(reader, view, reader.legal_cards(mask))


def own(table: Table, cards: Bool) -> set[str]:
    """Cards of the seat to act that are marked in a row (1, N)."""
    held = set(table.hand(table.seat))
    return held & {table.game.pack.cards[c] for c in np.flatnonzero(cards[0])}


def all_sights(game: Game) -> Iterator[tuple[Sight, np.ndarray]]:
    """Every moment of card play in 200 random deals, with the other hands.

    Cards are laid away with reader: nobody expects trumps there that were announced.
    """
    agent, laying = RandomAgent(), RuleAgent(game)
    reader, rng, state = TableReader(game), np.random.default_rng(2), game.new_games(200)
    for rows, mask in open_decisions(game, state):
        seat = state.seat[rows]
        view = view_of(game, state, rows, seat)
        at = np.flatnonzero(view.phase == Phase.PLAY)
        if len(at):
            seen = Sight(reader, view.select(at), reader.legal_cards(mask[at]))
            yield seen, hidden_hands(game, state, rows[at], seat[at])
        action = agent.act(view, mask, rng)
        lays = np.flatnonzero(view.phase == Phase.LAY)
        action[lays] = laying.act(view.select(lays), mask[lays], rng)
        game.step(state, action, rows)


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


GAMES = [pytest.param(table_of(*t.values), marks=t.marks, id=t.id) for t in EVERY_PAIR]


@pytest.mark.parametrize("game", GAMES)
def test_what_the_others_hold_was_possible(game: Game) -> None:
    t = game.tables
    for seen, hidden in all_sights(game):
        hands = hidden[:, : t.n_players - 1]
        playing = np.where(seen.plays[:, 1:], hands, hands.dtype.type(0))
        assert not (np.bitwise_or.reduce(playing, axis=1) & ~seen.out[:, 0]).any()
        assert not (seen.out[:, 0] & ~np.bitwise_or.reduce(hidden, axis=1)).any()
        if t.deal.n_columns:  # in a trick a card played from the table looks like one from the hand
            hands, seen = hands[seen.leads[:, 0]], select(seen, seen.leads[:, 0])
        unseen = np.where(seen.plays[:, 1:], hands & ~seen.shown[:, 1:], hands.dtype.type(0))
        assert (np.bitwise_count(unseen) == seen.left[:, 1:]).all()
        if t.deal.n_columns:
            continue
        for k in range(TRUMP + 1):
            holds = np.bitwise_count(unseen & t.cards.class_set[seen.view.mode, k][:, None]) > 0
            assert (seen.chance[:, 1:, k][holds] > 0).all()


@pytest.mark.parametrize("name", SJAVS)
def test_all_cards_that_are_out_can_be_somewhere(name: str) -> None:
    for seen, hidden in all_sights(game_of(name)):
        assert (np.bitwise_or.reduce(hidden, axis=1) == seen.out[:, 0]).all()


def select(seen: Sight, rows: np.ndarray) -> Sight:
    return Sight(seen.reader, seen.view.select(rows), seen.legal[rows])


@pytest.mark.parametrize("game", GAMES)
def test_cards_that_somebody_holds_are_somewhere(game: Game) -> None:
    for seen, _ in all_sights(game):
        for k in range(TRUMP + 1):
            cards = game.tables.cards.class_set[seen.view.mode, k][:, None] & seen.unseen
            total = seen.chance[:, :, k].sum(axis=1)
            assert (total <= 1 + 1e-9).all()
            if game.tables.deal.n_columns == 0:
                assert np.allclose(total[(cards[:, 0] > 0) & (seen.aside == 0)], 1)


@pytest.mark.parametrize("game", GAMES)
def test_chances_are_chances_and_count_the_cards_that_are_out(game: Game) -> None:
    for seen, _ in all_sights(game):
        for array in (seen.chance, seen.beaten_by):
            assert ((array >= 0) & (array <= 1 + 1e-12)).all()
        last = seen.view.trick_size == seen.plays.sum(axis=1) - 1
        assert not seen.beaten_by[last].any()


def test_a_lone_declarer_has_no_friend_and_the_others_are_friends() -> None:
    play = "pass, play, take cat, lay QH, lay KH, play on"
    hands = {0: "AS KS 5S JH JD QD", 1: "QC QS JC AC KC AH", -1: "QH KH"}
    table = dealt("klorsjavs", hands, play)
    assert sight(table).friend.tolist() == [[True, False, True]]
    table.play("AS")
    assert sight(table).friend.tolist() == [[True, False, False]]
    assert sight(table).declares[0, 0]


def test_cards_aside_are_in_nobodys_hand() -> None:
    hands = {0: "AS KS 5S JH JD QD", 1: "QC QS JC AC KC AH", -1: "QH KH"}
    table = dealt("klorsjavs", hands, "pass, play, take cat, lay QH, lay KH, play on")
    seen = sight(table)
    assert seen.aside.tolist() == [2]  # what the declarer has laid away
    assert seen.left.tolist() == [[6, 6, 6]]
    assert seen.chance[0, :, 3].sum() == pytest.approx(12 / 14, abs=0.05)
    table.play("AS")
    seen = sight(table)  # the declarer knows where they are
    assert seen.aside.tolist() == [0]
    assert "QH" not in game_of("klorsjavs").pack.names(int(seen.out[0, 0]))


def test_cards_face_up_are_known() -> None:
    hands = {
        0: "QC QS JC AH KH TH 9H 8H AS 8S AD TC",
        1: "JS JH QH 7H AC 9S 7S 9D KS TS KD KC",
    }
    table = dealt("faroese_2", hands, "8, pass, trump H")
    pack, seen = table.game.pack, sight(table)
    assert seen.left[0, 1] == pytest.approx(8)
    assert seen.aside.tolist() == [8]
    assert not {"KS", "TS", "KD", "KC"} & set(pack.names(int(seen.unseen[0, 0])))
    beaten = seen.beaten_by[0, 1]
    assert beaten[pack.ids["8S"]] == 1  # the king lies there
    assert beaten[pack.ids["AS"]] == 0  # and so the ace is not ruffed
    assert own(table, seen.is_master) >= {"AS", "AD", "QC"}


def test_cards_that_lie_on_others_are_followed_by_them() -> None:
    """Of four cards face up two have turned up what lay below: the hand is what is left."""
    hands = {
        0: "QC QS JC AH KH TH 9H 8H AS 8S AD TC",
        1: "JS JH QH 7H AC 9S 7S 9D KS TS KD KC",
    }
    table = dealt("faroese_2", hands, "8, pass, trump H")
    assert sight(table).left.tolist() == [[8, 8]]
    table.play("AS", "KS", "AD", "KD")  # both play from the table twice
    seen = sight(table)
    assert np.bitwise_count(seen.view.covering).tolist() == [[2, 2]]
    assert seen.left.tolist() == [[8, 8]]  # the cards below came up, and are no part of the hand
    table.play("QC", "7H")
    assert sight(table).left.tolist() == [[7, 7]]


POOR = "QC 9C 8C QS 9S 8S TD 8D 7D"


def test_each_plays_for_himself_where_nobody_declares() -> None:
    table = dealt_alone({}, "AH", players=4)
    seen = sight(table)
    assert seen.friend.tolist() == [[True, False, False, False]]
    assert seen.behind.tolist() == [[False, True, True, True]]
    assert not seen.declares.any()
    table.play("AC")
    assert sight(table).behind.tolist() == [[False, True, True, False]]


def test_the_card_turned_up_is_known_to_be_the_dealers() -> None:
    seen = sight(dealt_alone({0: "9H"}, "JH", players=4))
    pack = seen.reader.game.pack
    assert pack.names(int(seen.shown[0, 3])) == ["JH"]
    assert "JH" in pack.names(int(seen.out[0, 0]))
    assert "JH" not in pack.names(int(seen.unseen[0, 0]))
    assert seen.left.tolist() == [[9, 9, 9, 8]]
    assert seen.beaten_by[0, 3, pack.ids["9H"]] == 1  # by nobody else
    assert not seen.beaten_by[0, 1:3, pack.ids["9H"]].any()


def test_who_drops_out_holds_nothing_and_his_cards_are_gone() -> None:
    table = dealt_alone({}, "JH", "handjass_alt", players=4)
    table.act("stay", "drop", "stay", "drop")
    seen = sight(table)
    assert seen.plays.tolist() == [[True, False, True, False]]
    assert seen.behind.tolist() == [[False, False, True, False]]
    assert seen.left.tolist() == [[9, 0, 9, 0]]
    assert "JH" not in table.game.pack.names(int(seen.out[0, 0]))
    assert seen.aside.tolist() == [17]


def test_the_hand_given_for_the_reserve_is_gone_for_its_taker_alone() -> None:
    table = dealt_alone({0: POOR}, "AH")
    table.act("take reserve")
    names = table.game.pack.names
    own_sight = sight(table)
    assert not set(POOR.split()) & set(names(int(own_sight.out[0, 0])))
    assert own_sight.aside.tolist() == [0]
    table.act(next(card for card in table.legal if card[-2:] not in ("AH", "6H")))
    other = sight(table)
    assert set(POOR.split()) <= set(names(int(other.unseen[0, 0])))
    assert other.aside.tolist() == [9]
    # one went with the reserve, the other can be nowhere else: nobody was asked for it
    assert sorted(names(int(other.shown[0, 2]))) == ["6H", "AH"]


@pytest.mark.parametrize(("rules", "ruffs"), [("handjass", False), ("handjass_strict", True)])
def test_by_the_strict_rules_an_ace_may_be_ruffed_by_who_could_follow(
    rules: str, ruffs: bool
) -> None:
    hands = {0: "AC KC QC JC TC 9C 8C 7C AS"}  # six of clubs is out: nobody else need be void
    seen = sight(dealt_alone(hands, "AH", rules, players=4))
    six = dealt_alone({0: "AC KS QS JS TS 9S 8S 7S AS"}, "AH", rules, players=4)
    risk = sight(six).beaten_by[0, 1, six.game.pack.ids["AC"]]
    assert seen.beaten_by[0, 1, seen.reader.game.pack.ids["AC"]] > 0.5
    assert (risk > 0.5) == ruffs


def test_points_do_not_matter_where_all_tricks_are_asked_for() -> None:
    hands = {0: "QC QS JC JS JH JD"}
    for contract, matter in (("stryger", True), ("stroget tout", False)):
        table = dealt("auction_sjavs", hands, f"{contract}, pass, pass, trump H")
        assert sight(table).points_matter.tolist() == [[matter]]


def test_the_announcement_tells_how_many_trumps_the_declarer_still_holds() -> None:
    for seen, hidden in all_sights(game_of("faroese")):
        other = np.flatnonzero(seen.view.declarer > 0)
        declarer = seen.view.declarer[other]
        trumps = seen.reader.game.tables.cards.class_set[seen.view.mode[other], TRUMP]
        holds = np.bitwise_count(hidden[other, declarer - 1] & trumps)
        expected = seen.chance[other, declarer, TRUMP] * seen.trumps_out[other, 0]
        assert np.allclose(expected, holds)
