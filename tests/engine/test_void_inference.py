"""What a card played proves: ``void`` marks a class when no hand with a card of it could have
played so, and at no other time.

The engine is asked which cards may be played from small hands; the table of voids is written from
the rules and does not ask it.  A hand that decides is never large: one card more than was played.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from sjavs_env import Game, make_rules, sample_legal
from sjavs_env.engine.phases.tricks import may_play
from sjavs_env.rules.tables import N_CLASSES, TRUMP, Phase
from tests.engine.table import TABLES, seated

FOLLOW = ["whist", "must_overtrump", "simple", "strict"]
GAMES = [
    *((rules, {}) for rules in ("faroese", "klorsjavs", "auction_sjavs")),
    *(("faroese", {"follow": follow}) for follow in FOLLOW[1:]),
    *((rules, {}) for rules in ("handjass", "handjass_strict")),
    *(("handjass", {"follow": follow}) for follow in FOLLOW[:2]),
]


def game_of(rules: str, overrides: dict[str, Any]) -> Game:
    return Game(make_rules(rules, **overrides))


def leads(game: Game, mode: int) -> list[tuple[int, int, int]]:
    """Class led, card that is winning, and its strength: all that a trick can be."""
    power, class_of = game.tables.cards.power[mode], game.tables.cards.class_of[mode]
    return [
        (led, card, int(power[led, card]))
        for led in range(N_CLASSES)
        for card in range(game.tables.n_cards)
        if power[led, card] > 0 and (class_of[card] in (led, TRUMP)) and led in class_of
    ]


@pytest.mark.parametrize("more", [1, 2])
@pytest.mark.parametrize(("rules", "overrides"), GAMES)
def test_a_void_is_marked_exactly_when_no_small_hand_could_have_played_so(
    rules: str, overrides: dict[str, Any], more: int
) -> None:
    game = game_of(rules, overrides)
    t, marked = game.tables, 0
    bit, rng = t.cards.bit, np.random.default_rng(1)
    for mode in (1, 2) if more == 1 else (2,):
        tricks = leads(game, mode)
        if more == 2:  # hands of three are many: some of the tricks
            tricks = [tricks[i] for i in rng.choice(len(tricks), size=2, replace=False)]
        for led, winning, best in tricks:
            for card in range(t.n_cards):
                if card == winning:
                    continue
                others = [c for c in range(t.n_cards) if c not in (card, winning)]
                hands = np.array(list(combinations(others, more)))
                words = np.bitwise_or.reduce(bit[hands], axis=1) | bit[card]
                n = len(words)
                legal = may_play(t, words, *(np.full(n, x) for x in (mode, led, best)))
                could = np.bitwise_or.reduce(words[(legal & bit[card]) != 0], initial=0)
                shown = int(t.play.shows[mode, led, best, card])
                for k in range(N_CLASSES):
                    left = t.play.void_excludes[mode, k] & ~(bit[card] | bit[winning])
                    is_proved = bool(left) and not int(left) & int(could)
                    assert bool(shown >> k & 1) == is_proved, (mode, led, winning, card, k)
                    marked += is_proved
    assert marked


def proved_void(game: Game, state: Any, plays: list[tuple[int, ...]], seat: int) -> int:
    """Classes of which no card that is still out could be in a hand, by all that a seat played."""
    t = game.tables
    bit, out = t.cards.bit, [c for c in range(t.n_cards) if not state.fell[0, c]]
    could = 0
    for card in out:
        held = bit[card]
        fits = True
        for number in range(len(plays) - 1, -1, -1):  # backwards: the hand grows
            mode, led, best, played = plays[number]
            held |= bit[played]
            ask = (np.array([x]) for x in (mode, led, best))
            fits &= bool(may_play(t, np.array([held]), *ask)[0] & bit[played])
        could |= int(bit[card]) if fits else 0
    mode = int(state.mode[0])
    voids = 0
    for k in range(N_CLASSES):
        left = sum(int(bit[c]) for c in out) & int(t.play.void_excludes[mode, k])
        voids |= (1 << k) if left and not left & could else 0
    return voids


@pytest.mark.parametrize(("rules", "n"), TABLES)
def test_at_the_table_a_void_is_never_wrong_and_none_is_missed_where_classes_say_all(
    rules: str, n: int
) -> None:
    """By the duty to beat a trick single cards are excluded too, which no void tells of."""
    game, rng = Game(make_rules(rules, **overrides_of(rules, n))), np.random.default_rng(2)
    t, is_exact = game.tables, game.tables.play.follow in ("whist", "strict")
    for number in range(2):
        state = game.new_games(1, seed=3, numbers=number)
        plays: list[list[tuple[int, ...]]] = [[] for _ in range(t.n_players)]
        while state.phase[0] != Phase.OVER:
            seat = int(state.seat[0])
            action = int(sample_legal(game.legal_actions(state), rng)[0])
            if state.phase[0] == Phase.PLAY and state.trick_size[0]:
                context = (state.mode[0], state.led[0], state.best_power[0])
                plays[seat].append((*map(int, context), action))
            game.step(state, [action])
            if state.phase[0] != Phase.PLAY or t.deal.n_columns:
                continue
            for p in range(t.n_players):
                void, proved = int(state.void[0, p]), proved_void(game, state, plays[p], p)
                out = classes_out(game, state)
                assert not void & out & ~proved
                if is_exact:
                    assert void & out == proved


def classes_out(game: Game, state: Any) -> int:
    """Classes, as bits, of which cards are still out that a void would exclude."""
    t, mode = game.tables, int(state.mode[0])
    out = sum(1 << c for c in range(t.n_cards) if not state.fell[0, c])
    return sum(1 << k for k in range(N_CLASSES) if out & int(t.play.void_excludes[mode, k]))


def overrides_of(rules: str, n: int) -> dict[str, Any]:
    return {"players": n} if seated(rules, n) else {}


def test_a_lower_trump_in_a_plain_trick_shows_a_hand_of_trumps_only() -> None:
    game = game_of("handjass_strict", {})
    pack, t = game.pack, game.tables
    mode, led = 2, 0  # spades are trumps, a club was led
    nine, ten = pack.ids["9S"], pack.ids["TS"]
    best = int(t.cards.power[mode, led, nine])
    assert t.play.shows[mode, led, best, ten] == 0b01101  # clubs, hearts, diamonds
    lower = int(t.cards.power[mode, led, ten])
    assert t.play.shows[mode, led, lower, nine] == 0, "a higher trump shows nothing"
