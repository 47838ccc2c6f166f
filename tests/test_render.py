"""The table as text."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from sjavs_env import SjavsEnv, sjavs_v0
from tests.engine.table import TABLES, deck_of, seated
from tests.envs.play import CASE_F16, CASE_F20, act, play_on, play_tricks
from tests.golden_files import Golden


def table(case: Any = CASE_F16, **options: Any) -> SjavsEnv:
    env = SjavsEnv(render_mode="ansi", **options)
    env.reset(seed=1, options={"deck": deck_of(case[0]), "dealer": 3})
    return env


def test_the_picture_follows_a_deal(golden: Golden) -> None:
    env = table()
    pages = [env.render()]
    for label in [*CASE_F16[1], *(f"play {card}" for card in CASE_F16[2].split())]:
        act(env, label)
        pages.append(f"---- {label}\n\n{env.render()}")
    shown = [*pages[:8], pages[11], pages[22], pages[37]]
    golden.check("render/deal.txt", "\n\n".join(map(str, shown)) + "\n")


def test_the_open_table_shows_all_hands_in_plain_letters(golden: Golden) -> None:
    env = table(CASE_F20, render_view="open", render_ascii=True, episode="rubber")
    pages = [env.render()]
    act(env, *CASE_F20[1], "play JC", "play QC")
    pages.append(env.render())
    play_tricks(env, " ".join(CASE_F20[2].split()[2:]))
    pages.append(env.render())
    golden.check("render/open.txt", "\n\n".join(map(str, pages)) + "\n")


def pictures(rules: str, seed: int, labels: str, **options: Any) -> str:
    """The pictures of a deal, one after each action; labels are set apart by commas."""
    env = SjavsEnv(rules, render_mode="ansi", **options)
    env.reset(seed=seed, options={"dealer": env.game.rules.players - 1})
    pages = [f"==== {rules}\n\n{env.render()}"]
    for label in labels.split(", "):
        act(env, label)
        pages.append(f"---- {label}\n\n{env.render()}")
    return "\n\n".join(pages) + "\n"


def test_the_picture_tells_what_became_of_the_talon(golden: Golden) -> None:
    shown = [
        pictures("klorsjavs", 1, "pass, play, take cat, lay AS, lay 5D, play on, play AC"),
        pictures("klorsjavs", 1, "play, leave cat, give up"),
        pictures("auction_sjavs", 1, "spil, stryger, pass, trump H"),
        pictures("faroese_3", 1, "7, pass, pass, trump S, lay 9D, done"),
    ]
    golden.check("render/talon.txt", "\n".join(shown))


def test_the_picture_tells_what_became_of_the_six_and_the_reserve(golden: Golden) -> None:
    shown = [
        pictures("handjass", 0, "swap six, keep hand, take reserve", players=3),
        pictures("handjass", 0, "swap six, take reserve", players=2),
        pictures("handjass", 1, "keep six, take reserve", players=2),
        pictures("handjass_swiss", 0, "keep hand, keep hand, stay, stay, swap six", players=2),
    ]
    golden.check("render/reserve.txt", "\n".join(shown))


def test_plain_text_is_ascii_and_symbols_are_not() -> None:
    rng = np.random.default_rng(1)
    for rules, players in TABLES:
        seats = seated(rules, players)
        env = SjavsEnv(rules, render_mode="ansi", render_ascii=True, **seats)
        env.reset(seed=0)
        while not any(env.terminations.values()):
            assert (env.render() or "").isascii()
            play_on(env, rng, 1)
        assert (env.render() or "").isascii()
    assert "♣" in (table().render() or "")


def test_hands_are_sorted_by_strength_under_the_named_suit() -> None:
    env = table()
    assert (env.render() or "").splitlines()[-2] == "seat 0: Q♣ Q♠ | T♠ 8♠ 7♠ | A♥ 7♥ | 8♦"
    act(env, *CASE_F16[1])
    assert (env.render() or "").splitlines()[-2] == "seat 0: Q♣ Q♠ | T♠ 8♠ 7♠ | A♥ 7♥ | 8♦"
    act(env, "play QC")
    assert (env.render() or "").splitlines()[-2] == "seat 1: J♠ J♥ A♣ 8♣ | A♠ | T♥ | A♦ 9♦"


def test_trumps_that_rank_otherwise_are_sorted_by_their_own_strength() -> None:
    env = SjavsEnv("handjass", render_mode="ansi")
    env.reset(seed=5, options={"dealer": 3})  # trumps are diamonds
    assert (env.render() or "").splitlines()[-2] == "seat 0: 7♦ 6♦ | J♣ 8♣ 6♣ | A♠ Q♠ 9♠ | Q♥"


def test_a_fixed_seat_is_shown_whoever_acts() -> None:
    env = table(render_view=2)
    act(env, *CASE_F16[1], "play QC")
    lines = (env.render() or "").splitlines()
    assert lines[-2:] == ["seat 2: 9♣ | Q♥ 9♥ 8♥ | K♦ Q♦ T♦ 7♦", "seat 1 is to play"]
    assert lines[6].strip() == "seat 2", "the viewer sits at the bottom"


def test_a_deal_played_without_a_suit_says_so() -> None:
    hands = ("QS TC 9C 7C 9H 7H AD QD\nJD 8C TS 7S AH TH 8H 8D\n"
             "QC JH AC KC AS 9S KD 9D\nJC JS KS 8S KH QH TD 7D")  # fmt: skip
    env = SjavsEnv("faroese_wiki", render_mode="ansi")
    env.reset(seed=1, options={"deck": deck_of(hands), "dealer": 3})
    act(env, "pass", "pass", "pass", "pass")
    headline = (env.render() or "").splitlines()[0]
    assert headline == "faroese_wiki | dealer seat 3 | permanent trumps only | trick 1 of 8"


def test_human_mode_writes_each_position_once(capsys: pytest.CaptureFixture[str]) -> None:
    env = sjavs_v0.env(render_mode="human")
    env.reset(seed=1, options={"deck": deck_of(CASE_F16[0]), "dealer": 3})
    act(env, "5", "pass")
    shown = capsys.readouterr().out
    assert shown.count("is to speak") == 3
    assert env.render() is None
    assert capsys.readouterr().out == shown[shown.rindex("faroese |") :]


def test_a_picture_knows_nothing_of_the_episode_before() -> None:
    env = table()
    first = env.render()
    play_on(env, np.random.default_rng(1), 10**6)
    env.reset(options={"deck": deck_of(CASE_F16[0]), "dealer": 3})
    assert env.render() == first


def test_the_picture_can_be_drawn_before_the_first_deal_and_after_the_last() -> None:
    assert "talon" not in (SjavsEnv("klorsjavs", render_mode="ansi").render() or "")
    env = SjavsEnv(render_mode="ansi")
    assert "the deal is over" in (env.render() or "")
    env.reset(seed=1)
    play_on(env, np.random.default_rng(1), 10**6)
    while env.agents:
        assert "last deal: " in (env.render() or "")
        env.step(None)
    assert "the deal is over" in (env.render() or "")


@pytest.mark.parametrize(
    ("rules", "players", "around"),
    [
        ("handjass", 4, ["2", "3", "1", "0"]),  # play goes round to the right
        ("handjass", 3, ["2", "1", "0"]),
        ("handjass", 2, ["1", "0"]),
        ("faroese", 4, ["2", "1", "3", "0"]),  # to the left
        ("klorsjavs", 3, ["1", "2", "0"]),
    ],
)
def test_the_next_player_sits_where_the_direction_of_play_puts_him(
    rules: str, players: int, around: list[str]
) -> None:
    env = SjavsEnv(rules, render_mode="ansi", render_view=0, **seated(rules, players))
    env.reset(seed=0)
    lines = (env.render() or "").split("\n\n")[1]
    assert re.findall(r"seat (\d)", lines) == around
