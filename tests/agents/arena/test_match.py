"""Duplicate matches: who sits where, what is dealt, and what is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sjavs_agents.arena.playing
from sjavs_agents.arena.match import (
    BOARD_BITS,
    Episode,
    MatchError,
    MatchResult,
    play_match,
    seating,
)
from sjavs_agents.arena.report import match_report
from sjavs_agents.arena.seating import mean_weights
from sjavs_agents.base import Agent, Ints, open_decisions
from sjavs_agents.heuristic.greedy_agent import GreedyAgent
from sjavs_agents.heuristic.random_agent import PassingAgent, RandomAgent
from sjavs_agents.heuristic.rule_agent import RuleAgent
from sjavs_env import Game, GameState, Phase, PlayerView, numbered_decks, sample_legal
from tests.engine.table import game_of

EPISODES: list[Episode] = ["deal", "rubber"]


class Spy:
    """An agent that keeps what it is asked, and answers like another."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.name = agent.name
        self.views: list[PlayerView] = []
        self.masks: list[NDArray[np.int8]] = []

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        self.views.append(view)
        self.masks.append(mask)
        return self.agent.act(view, mask, rng)


def match(game: Game, a: Agent, b: Agent, boards: int = 30, **options: Any) -> MatchResult:
    return play_match(game, (a, b), boards, 7, **options)


def same(one: MatchResult, other: MatchResult) -> bool:
    names = ("deals", "numbers", "game_points", "card_points", "crosses")
    return all(np.array_equal(getattr(one, n), getattr(other, n)) for n in names)


def test_the_sides_are_exchanged_between_the_tables_of_a_board() -> None:
    assert seating(game_of()).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]


@pytest.mark.parametrize("episode", EPISODES)
def test_exchanging_the_agents_negates_the_result(episode: Episode) -> None:
    game = game_of("faroese_free")
    rules, greedy = RuleAgent(game), GreedyAgent(game)
    one = match(game, rules, greedy, episode=episode)
    other = match(game, greedy, rules, episode=episode)
    assert one.game_points.any()
    assert (one.game_points == -other.game_points[:, ::-1]).all()
    assert (one.card_points == -other.card_points[:, ::-1]).all()
    assert (one.crosses == -other.crosses[:, ::-1]).all()
    for name, found in one.estimates().items():
        swapped = other.estimates()[name].mean
        assert found.mean == (1 - swapped if name.endswith("_won") else -swapped)
    for field in fields(one.tally):
        if field.name not in ("redeals", "seconds"):
            mine, theirs = getattr(one.tally, field.name), getattr(other.tally, field.name)
            assert np.array_equal(mine, theirs[::-1])


@pytest.mark.parametrize("episode", EPISODES)
@pytest.mark.parametrize("make", [GreedyAgent, RuleAgent])
def test_an_agent_against_itself_gets_exactly_nothing(make: Any, episode: Episode) -> None:
    game = game_of("faroese_free")
    result = match(game, make(game), make(game), episode=episode)
    assert not result.board_game_points.any()
    assert not result.board_card_points.any()
    assert not result.crosses.sum(axis=1).any()
    assert result.estimates()["boards_won"].mean == 0.5


@pytest.mark.parametrize("episode", EPISODES)
def test_the_same_match_has_the_same_result(episode: Episode) -> None:
    game = game_of("faroese_free")

    def played(seed: int) -> MatchResult:
        pair = (PassingAgent(game), RandomAgent())
        return play_match(game, pair, 7, seed, episode=episode, chunk=5)

    first, again, other = played(3), played(3), played(4)
    assert same(first, again)
    assert match_report(first) == match_report(again)
    assert not same(first, other)


def test_chunks_do_not_matter_to_agents_that_draw_nothing() -> None:
    game = game_of("faroese_free")
    results = [match(game, RuleAgent(game), GreedyAgent(game), chunk=c) for c in (1, 7, 30, 999)]
    assert all(same(results[0], result) for result in results)


class Deals:
    """Stands in for a game and keeps every deal: (seed, number, dealer, hands from forehand)."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: dict[tuple[int, int], set[tuple[int, tuple[int, ...]]]] = {}
        new_games, next_deal = Game.new_games, Game.next_deal

        def first(game: Game, *args: Any, **options: Any) -> GameState:
            state = new_games(game, *args, **options)
            self.keep(state, np.arange(len(state)))
            return state

        def further(game: Game, state: GameState, rows: Ints) -> None:
            next_deal(game, state, rows)
            self.keep(state, rows)

        monkeypatch.setattr(Game, "new_games", first)
        monkeypatch.setattr(Game, "next_deal", further)

    def keep(self, state: GameState, rows: Ints) -> None:
        for b in rows:
            dealer = int(state.dealer[b])
            hands = tuple(int(h) for h in np.roll(state.dealt[b], -dealer - 1))
            key = (int(state.seed[b]), int(state.number[b]))
            self.seen.setdefault(key, set()).add((dealer, hands))


@pytest.mark.parametrize("episode", EPISODES)
@pytest.mark.parametrize("rules", ["faroese_free", "faroese_3", "faroese_2", "klorsjavs"])
def test_the_cards_depend_on_the_board_and_not_on_the_agents(
    monkeypatch: pytest.MonkeyPatch, episode: Episode, rules: str
) -> None:
    game = game_of(rules)
    deals = Deals(monkeypatch)
    match(game, RandomAgent(), RuleAgent(game), episode=episode)
    match(game, PassingAgent(game), GreedyAgent(game), episode=episode)
    for (_, number), seen in deals.seen.items():
        assert len({hands for _, hands in seen}) == 1
        if number % 2**BOARD_BITS == 0:
            board = number >> BOARD_BITS
            assert {dealer for dealer, _ in seen} == {board % game.tables.n_players}
    boards = {number >> BOARD_BITS for _, number in deals.seen}
    assert boards == set(range(30))


def test_the_first_deal_of_a_board_is_its_numbered_deck() -> None:
    game = game_of()
    spy = Spy(GreedyAgent(game))
    play_match(game, (spy, GreedyAgent(game)), 1, 5)
    deck = numbered_decks(len(game.pack), 5, 0)[0]
    hands = {
        int(np.bitwise_or.reduce(game.tables.cards.bit[deck[p]])) for p in game.tables.deal.hand[1]
    }
    dealt = {int(h | p) for v in spy.views for h, p in zip(v.hand, v.played[:, 0], strict=True)}
    assert dealt <= hands


def test_a_deal_that_nobody_bids_on_is_dealt_again_by_the_same_dealer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = game_of("faroese_free")
    deals = Deals(monkeypatch)
    result = match(game, PassingAgent(game), PassingAgent(game, 0.95))
    redealt = result.numbers - (result.boards[:, None] << BOARD_BITS)
    assert redealt.sum() == result.tally.redeals > 20
    assert (redealt[:, 0] != redealt[:, 1]).any()  # the agents decide who redeals, not the cards
    assert (result.deals == 1).all()
    for (_, number), seen in deals.seen.items():
        assert {dealer for dealer, _ in seen} == {(number >> BOARD_BITS) % 4}


def test_agents_that_never_bid_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sjavs_agents.arena.playing, "MOST_PASSED", 20)
    game = game_of("faroese_free")
    silent = PassingAgent(game, 1.0)
    with pytest.raises(MatchError, match=r"^nobody bids: 20 deals in a row were passed$"):
        match(game, silent, silent, boards=2)


class Lopsided:
    """Seat 2 bids whenever it may, and plays well; the others pass, and play any card."""

    name = "lopsided"

    def __init__(self, game: Game) -> None:
        self.rules = RuleAgent(game)

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        """Do as the rules agent does in seat 2, and bid; else the first thing that is legal."""
        first, last = mask.argmax(axis=1), mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        well = np.where(view.phase == Phase.AUCTION, last, self.rules.act(view, mask, rng))
        return np.where(view.seat == 2, well, first)


def test_a_rubber_in_which_nobody_gets_ahead_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The defenders of Klørsjavs always lose alike, so the two who pass stay level."""
    monkeypatch.setattr(sjavs_agents.arena.playing, "MOST_PLAYED", 60)
    game = game_of("klorsjavs")
    with pytest.raises(MatchError, match=r"^a rubber is not over after 60 deals: nobody gets"):
        match(game, Lopsided(game), Lopsided(game), boards=4, episode="rubber")


def test_agents_are_asked_only_where_they_have_a_choice_and_for_their_own_seats() -> None:
    game = game_of("faroese_free")
    spies = Spy(RuleAgent(game)), Spy(RandomAgent())
    result = match(game, *spies)
    for i, spy in enumerate(spies):
        assert all((mask.sum(axis=1) > 1).all() for mask in spy.masks)
        assert all((view.to_act == 0).all() for view in spy.views)
        assert result.tally.decisions[i] == sum(map(len, spy.views))
        assert len({int(s) % 2 for view in spy.views for s in view.seat}) == 2


class Cheat:
    """Plays the first card of the pack, held or not."""

    name = "cheat"

    def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
        return np.zeros(len(view), dtype=np.intp)


def test_an_illegal_action_is_named() -> None:
    with pytest.raises(MatchError, match="cheat chose 'play AC'; allowed: "):
        match(game_of(), Cheat(), RandomAgent())


def test_the_decision_of_an_illegal_action_is_told() -> None:
    class Late(RandomAgent):
        """Plays as it may until the last row it is asked about."""

        name = "late"

        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
            view.seat[:] = -1  # its own to spoil
            actions = super().act(view, mask, rng)
            actions[-1] = mask[-1].argmin()
            mask[:] = 1
            return actions

    told = r" \(board 9, deal 589824, seat \d, phase [A-Z_]+\)$"
    with pytest.raises(MatchError, match="^late chose .*; allowed: .*" + told):
        match(game_of(), Late(), RandomAgent(), boards=10)


class Surprise(BaseException):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (SystemExit(3), "raised SystemExit: 3, "),
        (OSError(28, "No space left on device"), "raised OSError: .*No space left on device, "),
        (ValueError("first\nsecond"), "raised ValueError: first second, "),
        (KeyError("x" * 10**6), "raised KeyError: 'xxx.{180,200}\\.\\.\\., "),
        (Surprise(), "raised Surprise, "),
    ],
)
def test_whatever_an_agent_raises_is_told_with_its_decision(
    raised: BaseException, words: str
) -> None:
    class Failing(RandomAgent):
        name = "failing"

        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
            raise raised

    line = rf"^failing {words}test_match.py line \d+ \(board \d+, deal \d+, seat \d, phase [A-Z_]+"
    with pytest.raises(MatchError, match=line + r", first of \d+ asked at once\)$"):
        match(game_of(), RandomAgent(), Failing())


def test_ctrl_c_is_no_fault_of_an_agent() -> None:
    class Interrupted(RandomAgent):
        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match(game_of(), Interrupted(), RandomAgent())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda n: np.full(n, np.nan), "answered an array of float64"),
        (lambda n: np.zeros((n, 2), dtype=int), r"answered an array of shape"),
        (lambda n: np.zeros(n, dtype=bool), "answered an array of bool"),
        (lambda n: np.full(n, 2**63, dtype=np.uint64), "chose 9223372036854775808; allowed: 0 to"),
        (lambda n: [None] * n, "answered an array of object"),
        (lambda n: [[1], [1, 2]], "raised ValueError: setting an array element"),
        (lambda n: iter(range(n)), "answered a range_iterator"),
        (lambda n: "x" * 10**6, "answered a str"),
        (lambda n: np.zeros(10**7, dtype=np.int8), r"answered an array of shape \(10000000,\)"),
    ],
)
def test_an_answer_of_another_form_is_told_in_a_line(
    answer: Callable[[int], Any], words: str
) -> None:
    class Odd(Cheat):
        name = "odd"

        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Any:
            return answer(len(view))

    with pytest.raises(MatchError, match=f"^odd {words}") as caught:
        match(game_of(), Odd(), RandomAgent())
    assert len(str(caught.value)) < 500


def test_what_was_finished_before_a_failure_is_kept() -> None:
    class Tiring(RandomAgent):
        name = "tiring"
        asked = 0

        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Ints:
            self.asked += len(view)
            if self.asked > 200:
                raise RuntimeError("tired")
            return super().act(view, mask, rng)

    game = game_of()
    with pytest.raises(MatchError, match="tired") as caught:
        play_match(game, (Tiring(), RandomAgent()), 20, 1, chunk=4)
    so_far = caught.value.so_far
    assert so_far is not None
    done = len(so_far.boards)
    assert done in range(4, 20, 4)
    whole = play_match(game, (RandomAgent(), RandomAgent()), done, 1, chunk=4)
    np.testing.assert_array_equal(so_far.game_points, whole.game_points)
    np.testing.assert_array_equal(so_far.tally.actions, whole.tally.actions)


def test_an_answer_that_is_no_array_is_named() -> None:
    class Scalar(Cheat):
        def act(self, view: PlayerView, mask: NDArray[np.int8], rng: np.random.Generator) -> Any:
            return 3

    message = "^cheat answered 3; allowed: an array of [0-9]+ whole numbers, one for each row of"
    with pytest.raises(MatchError, match=message):
        match(game_of(), Scalar(), RandomAgent())


def test_game_points_are_the_rewards_of_the_game() -> None:
    game = game_of()
    state = game.new_games(300, seed=7)
    rng = np.random.default_rng(0)
    for rows, mask in open_decisions(game, state):
        game.step(state, sample_legal(mask, rng), rows)
    gains = game.gains(state)
    agent_at = seating(game)[np.zeros(300, dtype=np.intp)]
    weights = mean_weights(agent_at == 0)
    assert ((gains * weights).sum(axis=1) == game.rewards(gains)[:, 0]).all()


def test_the_tally_counts_every_deal_once() -> None:
    game = game_of("faroese_free")
    result = match(game, RuleAgent(game), PassingAgent(game), boards=100)
    tally = result.tally
    assert tally.suits.sum() == tally.bids.sum() == tally.outcomes.sum() == 200
    n = game.actions.n_cards
    assert tally.actions[:, :n].sum() == 32 * 200
    assert tally.actions[:, n : game.actions.name].sum() == 4 * (200 + tally.redeals)
    assert tally.actions[:, game.actions.name :].sum() == 200
    assert (tally.actions[:, game.actions.name :] == tally.suits[:, 1:]).all()


def test_a_deal_without_a_bid_that_is_played_is_counted() -> None:
    game = game_of("faroese_wiki")
    result = match(game, RuleAgent(game), GreedyAgent(game), boards=300)
    played = result.tally.suits[:, 0].sum()
    assert 10 < played < 80
    assert result.tally.redeals == 0
    names = dict(
        zip(game.tables.result.payoff_names, result.tally.outcomes.sum(axis=0), strict=True)
    )
    assert played == sum(n for name, n in names.items() if name.startswith("no_bid"))
    assert result.tally.bids.sum() + played == 600


def test_a_rubber_ends_when_a_side_has_won_it() -> None:
    game = game_of()
    result = match(game, RuleAgent(game), RandomAgent(), boards=40, episode="rubber")
    assert (np.abs(result.crosses) >= 1).all()
    assert (result.deals >= 1).all()
    found = result.estimates()
    assert found["rubbers_won"].mean > 0.9
    assert found["rubbers_won"].low is not None
    assert found["crosses"].mean > 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"boards": 0}, "boards is 0; allowed: 1 to"),
        ({"seed": -1}, "seed is -1; allowed: 0 to"),
        ({"seed": 2**64}, "seed is 18446744073709551616"),
        ({"boards": 1, "chunk": 0}, "chunk is 0"),
        ({"boards": 1, "episode": "match"}, "episode is 'match'; allowed: deal, rubber"),
    ],
)
def test_what_makes_no_match_is_refused(options: dict[str, Any], message: str) -> None:
    agent = RandomAgent()
    with pytest.raises(ValueError, match=message):
        play_match(game_of(), (agent, agent), **{"boards": 1, **options})


def test_rules_beat_random_and_greedy_clearly() -> None:
    game = game_of()
    found = play_match(game, (RuleAgent(game), RandomAgent()), 2000, 1).estimates()
    assert (found["game_points"].low or 0) >= 2.3
    assert (found["card_points"].low or 0) >= 26
    found = play_match(game, (RuleAgent(game), GreedyAgent(game)), 1000, 1).estimates()
    assert (found["game_points"].low or 0) > 0.5
    assert (found["card_points"].low or 0) > 6


def test_the_expert_beats_the_club_player() -> None:
    game = game_of()
    found = play_match(game, (RuleAgent.expert(game), RuleAgent(game)), 2000, 1).estimates()
    assert (found["game_points"].low or 0) > 0.2
    assert (found["card_points"].low or 0) > 2


def test_judging_hands_is_not_worse_than_always_bidding() -> None:
    game = game_of("faroese_free")
    pair = (RuleAgent(game), RuleAgent(game, "longest"))
    found = play_match(game, pair, 4000, 1).estimates()
    assert (found["game_points"].high or 0) > 0
    assert found["game_points"].mean > -0.02
