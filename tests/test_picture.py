"""The table as a picture: what the seat sees and no more, in a file that any program can read."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from sjavs_env import Game, view_of
from sjavs_env.cards import SUIT_SYMBOLS
from sjavs_env.engine import Phase
from sjavs_env.picture import draw_table, example_picture
from tests.engine.kinds import EVERY_TRAIT
from tests.engine.table import table_of
from tests.engine.test_properties import played_on

BACK, GOLD = "#7d2f3b", "#f2b705"


def cards_of(picture: str) -> list[str]:
    """Names of the cards that lie face up, by what is written on them."""
    words = [element.text or "" for element in ElementTree.fromstring(picture) if element.text]
    letter = {symbol: suit for suit, symbol in SUIT_SYMBOLS.items()}
    return [
        rank.replace("10", "T") + letter[suit] for rank, suit in pairwise(words) if suit in letter
    ]


@pytest.mark.parametrize(("rules", "players"), EVERY_TRAIT)
def test_it_shows_the_cards_of_its_seat_and_of_the_trick_and_no_other(
    rules: str, players: int
) -> None:
    game: Game = table_of(rules, players)
    shown = 0
    for steps in (3, 14, 23):
        state = played_on(game, 4, steps)
        for row in np.flatnonzero(state.phase == Phase.PLAY)[:, None]:
            view = view_of(game, state, row, state.seat[row])
            picture = draw_table(game, view)
            in_trick = [game.pack.cards[c] for c in view.trick[0].tolist() if c >= 0]
            wanted = [*game.pack.names(int(view.hand[0])), *in_trick]
            assert sorted(cards_of(picture)) == sorted(wanted)
            assert picture.count(GOLD) == bool(in_trick)
            shown += 1
    assert shown > 0


def test_the_example_is_a_position_in_the_second_trick() -> None:
    picture = example_picture()
    assert cards_of(picture)[:7] == ["AC", "KC", "QD", "9D", "KH", "8H", "9S"]
    assert set(cards_of(picture)[7:]) == {"AH", "TH", "QH"}
    assert picture.count(BACK) == 6 + 6 + 6
    assert re.findall(r">(seat \d[^<]*)<", picture) == [
        "seat 0", "seat 1 · 1 trick", "seat 2 · declarer", "seat 3 · dealer", "seat 0 is to play",
    ]  # fmt: skip


@pytest.mark.parametrize(("rules", "players", "left"), [("faroese", 4, 1), ("handjass", 4, 3)])
def test_play_goes_round_in_the_direction_of_the_game(rules: str, players: int, left: int) -> None:
    game = table_of(rules, players)
    state = game.new_games(1, seed=1)
    view = view_of(game, state, np.array([0]), np.array([0]))
    places = re.findall(r'<text x="(\d+)"[^>]*>seat (\d)', draw_table(game, view))
    assert ("130", str(left)) in places
