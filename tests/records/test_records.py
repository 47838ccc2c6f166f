"""Game records: written, read, replayed and verified; wrong ones are told where they err."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sjavs_env import (
    Game,
    History,
    RuleSet,
    SjavsEnv,
    make_rules,
    read_records,
    record_so_far,
    replay,
    sample_legal,
    sjavs_v0,
    verify,
    verify_file,
    write_record,
)
from tests.engine.kinds import EVERY_TRAIT
from tests.engine.table import deck_of, seated
from tests.envs.play import CASE_F16, act, deal, play_on, play_tricks

Record = dict[str, Any]


def played(rules: str | RuleSet = "faroese", seed: int = 1, **options: Any) -> SjavsEnv:
    env = SjavsEnv(rules, **options)
    env.reset(seed=seed)
    play_on(env, np.random.default_rng(seed), 10**6)
    return env


def case_record(**options: Any) -> Record:
    """The record of a worked deal: clubs, won by the odd side with 75 points."""
    env = deal(CASE_F16[0], **options)
    act(env, *CASE_F16[1])
    play_tricks(env, CASE_F16[2])
    return env.record()


# writing down


def test_a_record_says_everything_in_words() -> None:
    record = case_record()
    assert list(record) == ["format", "version", "rules", "seed", "start", "deals"]
    assert record["rules"] == {"name": "faroese", "version": 1, "overrides": {}}
    assert record["start"] == {"score": [24, 24, 24, 24], "ties": 0}
    (first,) = record["deals"]
    assert first["deck"] == " ".join(deck_of(CASE_F16[0]))
    assert (first["deal_number"], first["dealer"], first["cut"]) == (None, 3, True)
    assert first["actions"][:6] == ["5", "pass", "pass", "5 better", "trump C", "play QC"]
    assert len(first["actions"]) == 37
    assert first["result"]["side_points"] == [45, 75]
    assert first["result"]["score_change"] == [0, -4, 0, -4]


@pytest.mark.parametrize(("rules", "players"), EVERY_TRAIT)
@pytest.mark.parametrize("episode", ["deal", "rubber"])
def test_every_episode_gives_a_record_that_verifies(rules: str, players: int, episode: Any) -> None:
    for seed in range(3):
        record = played(rules, seed, episode=episode, **seated(rules, players)).record()
        verify(json.loads(json.dumps(record)))


def test_records_keep_overrides_scores_ties_knocks_and_redeals() -> None:
    env = SjavsEnv(
        "suduroy", episode="rubber", tie="add_2", overrides={"payoff.vol": [10, 14], "start": 9}
    )
    for seed in range(8):
        options = {"scores": [5, 9], "ties": 2, "cut": False, "dealer": 1, "deal_number": 40}
        env.reset(seed=seed, options=options)
        play_on(env, np.random.default_rng(seed), 10**6)
        record = env.record()
        verify(record)
        assert record["start"] == {"score": [5, 9, 5, 9], "ties": 2}
        assert record["rules"]["overrides"] == {"tie": "add_2", "payoff.vol": [10, 14], "start": 9}
        assert [log["cut"] for log in record["deals"]] == [False] * len(record["deals"])
        assert record["deals"][0]["deal_number"] == 40


def test_a_redeal_is_part_of_the_record() -> None:
    for seed in range(60):
        record = played(seed=seed).record()
        if len(record["deals"]) > 1:
            break
    assert [log["result"]["kind"] for log in record["deals"]][-2:] == ["redeal", "played"]
    assert record["deals"][-2]["actions"] == ["pass"] * 4
    verify(record)


def test_a_forfeited_deal_ends_a_record() -> None:
    env = deal(CASE_F16[0], illegal="terminate")
    act(env, "5", "play QC")
    record = env.record()
    assert record["deals"][0]["actions"] == ["5"]
    assert record["deals"][0]["result"]["kind"] == "forfeit"
    verify(record)
    record["deals"].append(copy.deepcopy(record["deals"][0]))
    with pytest.raises(ValueError, match=r"^deal 2 follows a deal that was forfeited$"):
        verify(record)


def test_players_may_be_named() -> None:
    env = played()
    names = ["Anna", "Bárður", "Jákup", "Sunnvá"]
    record = env.record(names)
    assert record["players"] == names
    verify(record)
    with pytest.raises(ValueError, match=r"^players is \['Anna'\]; allowed: 4 names$"):
        env.record(["Anna"])


def test_a_deal_that_goes_on_has_no_record_yet() -> None:
    env = sjavs_v0.env(episode="rubber")
    env.reset(seed=1)
    for steps in (0, 3, 60):
        play_on(env.unwrapped, np.random.default_rng(1), steps)
        with pytest.raises(ValueError, match="the deal goes on"):
            env.unwrapped.record()


def test_rules_that_a_record_cannot_name_are_refused() -> None:
    home_made = make_rules("faroese")
    for rules in (
        RuleSet(**{**vars(home_made), "name": "home"}),
        RuleSet(**{**vars(home_made), "title": "At home"}),
    ):
        with pytest.raises(ValueError, match=r"^rules '\w+' are neither a preset nor one with"):
            played(rules).record()


def test_a_game_of_a_batch_can_be_written_down() -> None:
    game, rng = Game(make_rules("suduroy")), np.random.default_rng(3)
    state = game.new_games(3, seed=8, dealer=[0, 1, 2])
    histories = [History.begin(game, state, row=b) for b in range(3)]
    while not (state.phase == 3).all():
        actions = sample_legal(
            np.maximum(game.legal_actions(state), (state.phase == 3)[:, None]), rng
        )
        for b in np.flatnonzero(state.phase != 3).tolist():
            histories[b].note(int(actions[b]), int(state.seat[b]))
        game.step(state, actions)
    for b, history in enumerate(histories):
        history.close_deal(state, b)
        record = history.record()
        assert record["deals"][0]["deal_number"] == b
        verify(record)


# replay


def test_a_replay_goes_through_the_positions_of_the_game() -> None:
    env = deal(CASE_F16[0])
    seats, hands = [], []
    for label in [*CASE_F16[1], *(f"play {card}" for card in CASE_F16[2].split())]:
        seats.append(int(env.agent_selection[-1]))
        hands.append(env.get_state()["cards"]["hand"])
        act(env, label)
    positions = list(replay(env.record()))
    assert [p.seat for p in positions[:-1]] == seats
    assert [p.state.hand.tolist() for p in positions[:-1]] == hands
    assert [p.action for p in positions] == [*env.record()["deals"][0]["actions"], None]
    assert [(p.deal, p.move) for p in positions] == [(0, move) for move in range(38)]
    assert positions[-1].state.score.tolist() == [[24, 20, 24, 20]]


def test_a_replay_ends_in_the_very_state_of_the_game() -> None:
    env = played("faroese_wiki", 4, episode="rubber")
    *_, last = replay(env.record())
    now = env.get_state()["cards"]
    for name, array in last.state.arrays().items():
        if name not in ("seed", "number", "stride"):  # a replay deals the decks of the record
            assert array.tolist() == now[name], name


# files


def test_records_are_appended_one_a_line_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    records = [played(seed=seed).record(["Á", "B\n", "C", "D"]) for seed in range(3)]
    for record in records:
        write_record(path, record)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3
    assert list(read_records(path)) == records
    assert verify_file(path) == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{oops", "no JSON: Expecting property name"),
        ("", "no JSON: Expecting value"),
        ("[]", r"the record is \[\]; allowed: an object"),
        ("{}", "the record has no 'deals'"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "games.jsonl"
    write_record(path, case_record())
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(ValueError, match=rf"games.jsonl, line 2: {message}"):
        list(read_records(path))


def test_a_wrong_record_in_a_file_is_named_by_its_line(tmp_path: Path) -> None:
    path, record = tmp_path / "games.jsonl", case_record()
    write_record(path, record)
    record["deals"][0]["actions"][0] = "6"
    write_record(path, record)
    assert len(list(read_records(path))) == 2, "well formed both"
    message = r"games.jsonl, line 2: deal 1, action 1: '6' is illegal for seat 0; legal: 5$"
    with pytest.raises(ValueError, match=message):
        verify_file(path)


@pytest.mark.parametrize(
    ("rules", "ties", "most"), [("faroese", 2**64 - 1, 255), ("faroese_smith", 2, 1)]
)
def test_too_many_ties_are_refused(tmp_path: Path, rules: str, ties: int, most: int) -> None:
    path, record = tmp_path / "games.jsonl", case_record()
    write_record(path, record)
    write_record(path, {**record, "rules": {"name": rules}, "start": {"ties": ties}})
    message = rf"games.jsonl, line 2: start ties is {ties}; allowed: 0 to {most}, or null$"
    with pytest.raises(ValueError, match=message):
        verify_file(path)


# tampering


def first_deal(name: str, value: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["deals"][0][name] = value

    return change


def top(name: str, value: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record[name] = value

    return change


def action(place: int, label: str) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["deals"][0]["actions"][place - 1] = label

    return change


def result(name: str, value: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["deals"][0]["result"][name] = value

    return change


def drop(*path: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        inside: Any = record
        for name in path[:-1]:
            inside = inside[name]
        del inside[path[-1]]

    return change


def more_actions(record: Record) -> None:
    record["deals"][0]["actions"].append("play QC")


def second_deal(dealer: int) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["deals"].append({**copy.deepcopy(record["deals"][0]), "dealer": dealer})

    return change


def swap_cards(record: Record) -> None:
    deck = record["deals"][0]["deck"].split()
    deck[0], deck[1] = deck[1], deck[0]
    record["deals"][0]["deck"] = " ".join(deck)


DECK = " ".join(deck_of(CASE_F16[0]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (top("format", "pgn"), "format 'pgn' version 1 cannot be read; "
                               "allowed: 'sjavs-record' version 1"),
        (top("version", 2), "format 'sjavs-record' version 2 cannot be read; "
                            "allowed: 'sjavs-record' version 1"),
        (top("notes", ""), "the record has 'notes'; allowed: deals, format, players, rules, seed, "
                           "start, version"),
        (drop("rules"), "the record has no 'rules'"),
        (top("rules", "faroese"), "rules is 'faroese'; allowed: an object"),
        (top("seed", -1), "seed is -1; allowed: a whole number from 0, or null"),
        (top("start", {"score": [24]}), "start score is [24]; allowed: 4 numbers from 1 to 24"),
        (top("start", {"score": [9, 5, 8, 5]}),
         "start score is [9, 5, 8, 5]; allowed: the same for partners"),
        (top("start", {"score": 24}), "start score is 24; allowed: 4 numbers from 1 to 24"),
        (top("start", {"score": [24, 24, 24, True]}),
         "start score is [24, 24, 24, True]; allowed: 4 numbers from 1 to 24"),
        (top("start", {"zeros": [1, 0, 0, 0]}),
         "start zeros is [1, 0, 0, 0]; allowed: 4 numbers from 0 to 0"),
        (top("start", {"ties": "no"}), "start ties is 'no'; allowed: 0 to 255, or null"),
        (top("players", ["A"]), "players is ['A']; allowed: 4 names"),
        (top("deals", []), "deals is []; allowed: a list of one or more deals"),
        (drop("deals", 0, "deck"), "deal 1 has no 'deck'"),
        (first_deal("deck", "QC"), "deal 1: the deck has 1 of 32 cards; missing: AC KC JC TC 9C "
                                   "8C 7C AS KS QS JS TS 9S 8S 7S AH KH QH JH TH 9H 8H 7H AD KD "
                                   "QD JD TD 9D 8D 7D"),
        (first_deal("deck", DECK.replace("QC", "AC")), "deal 1: the deck holds AC more than once"),
        (first_deal("deck", None), "deal 1: deck is None; allowed: names of cards, 'QC 8C ...'"),
        (first_deal("dealer", 4), "deal 1: dealer is 4; allowed: 0 to 3"),
        (first_deal("cut", 1), "deal 1: cut is 1; allowed: true, false"),
        (first_deal("actions", "5"), "deal 1: actions is '5'; allowed: a list of labels"),
        (first_deal("result", None), "deal 1: result is None; allowed: an object"),
        (first_deal("deal_number", 1.5), "deal 1: deal_number is 1.5; allowed: a whole number "
                                         "from 0, or null"),
        (action(1, "pass"), "deal 1, action 1: 'pass' is illegal for seat 0; legal: 5"),
        (action(5, "trump H"), "deal 1, action 5: 'trump H' is illegal for seat 3; legal: trump C"),
        (action(7, "play JC"), "deal 1, action 7: 'play JC' is illegal for seat 1; legal: play AC, "
                               "play 8C, play JS, play JH"),
        (action(7, "play ZZ"), "deal 1, action 7: 'play ZZ' is illegal for seat 1; legal: play AC, "
                               "play 8C, play JS, play JH"),
        (drop("deals", 0, "actions", 36), "deal 1 stops after 36 actions; legal: play KD"),
        (more_actions, "deal 1, action 38: 'play QC' is illegal for seat 3; legal: nothing, the "
                       "deal is over"),
        (result("score", [24, 22, 24, 22]), "deal 1: result score is [24, 22, 24, 22]; the replay "
                                            "gives [24, 20, 24, 20]"),
        (result("trump", "S"), "deal 1: result trump is 'S'; the replay gives 'C'"),
        (result("kind", "forfeit"), "deal 1: result kind is 'forfeit'; the replay gives 'played'"),
        (result("stars", 5), "deal 1: result stars is 5; the replay gives None"),
        (drop("deals", 0, "result", "ties"), "deal 1: result ties is 'missing'; the replay gives "
                                             "0"),
        (second_deal(3), "deal 2: dealer is 3; by the rules 0 deals"),
        (second_deal(0), "deal 2: result declarer is 3; the replay gives 0"),
    ],
)  # fmt: skip
def test_a_wrong_record_is_told_where_it_errs(
    change: Callable[[Record], None], message: str
) -> None:
    record = case_record()
    verify(record)
    change(record)
    with pytest.raises(ValueError) as error:  # noqa: PT011  # compared as a whole below
        verify(record)
    assert str(error.value) == message


def test_a_deck_must_be_the_numbered_deal_it_claims_to_be() -> None:
    record = played(seed=1).record()
    swap_cards(record)
    with pytest.raises(ValueError, match=r"^deal 1: the deck is not deal 0 of seed 1$"):
        verify(record)


def test_the_optional_entries_may_be_left_out() -> None:
    record = case_record()
    for name in ("seed", "start"):
        del record[name]
    del record["deals"][0]["deal_number"]
    verify(record)


@pytest.mark.parametrize(
    "change", [{"name": "bridge"}, {"version": 7}, {"overrides": {"tie": "half"}}, {"name": None}]
)
def test_rules_of_a_record_are_checked(change: dict[str, Any]) -> None:
    record = case_record()
    record["rules"] = {**record["rules"], **change}
    with pytest.raises(ValueError, match=r"rules|tie"):
        verify(record)


# a game in progress


def test_a_record_so_far_is_what_the_seat_knows() -> None:
    env = sjavs_v0.env()
    env.reset(seed=1, options={"deck": deck_of(CASE_F16[0]), "dealer": 3})
    act(env, *CASE_F16[1], "play QC", "play 8C")
    so_far = record_so_far(env, 1)
    assert so_far["format"] == "sjavs-record-so-far"
    assert so_far["seat"] == 1
    (log,) = so_far["deals"]
    assert set(log["hand"].split()) == {"JS", "JH", "AC", "8C", "AS", "TH", "AD", "9D"}
    assert log["actions"] == [*CASE_F16[1], "play QC", "play 8C"]
    assert log["result"] is None
    json.dumps(so_far)
