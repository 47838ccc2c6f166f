"""Playing environments in tests: random legal play, or actions by their labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sjavs_env import SjavsEnv
from tests.engine.table import deck_of

__all__ = [
    "CASE_F16", "CASE_F17", "CASE_F20", "CASE_F22", "act", "choose", "deal", "legal", "play_on",
    "play_out", "play_tricks",
]  # fmt: skip


def choose(mask: np.ndarray[Any, Any], rng: np.random.Generator) -> int:
    """A legal action, each with the same chance."""
    return int(rng.choice(np.flatnonzero(mask)))


def play_out(env: Any, rng: np.random.Generator) -> Iterator[tuple[str, Any, float, bool]]:
    """Play an episode to its end, yielding agent, observation, reward and termination."""
    for agent in env.agent_iter():
        observation, reward, over, truncated, info = env.last()
        assert not truncated
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        yield agent, observation, reward, over
        env.step(None if over else choose(observation["action_mask"], rng))


def play_on(env: SjavsEnv, rng: np.random.Generator, steps: int) -> None:
    """Play some random legal actions, or up to the end of the episode."""
    for _ in range(steps):
        if env.terminations[env.agent_selection]:
            return
        env.step(choose(env.observe(env.agent_selection)["action_mask"], rng))


def deal(hands: str, rules: str = "faroese", dealer: int = 3, **options: Any) -> SjavsEnv:
    """An environment in which these hands (seat 0 first) have been dealt."""
    env = SjavsEnv(rules, **options)
    deck = deck_of(hands, env.game.rules.deal.deal_cut, dealer)
    env.reset(seed=0, options={"deck": deck, "dealer": dealer})
    return env


def act(env: Any, *labels: str) -> None:
    """Carry out actions by their labels."""
    for label in labels:
        env.step(env.unwrapped.action_of(label))


def play_tricks(env: Any, tricks: str) -> None:
    """Play whole tricks, one a line, the cards in the order of play."""
    act(env, *(f"play {card}" for card in tricks.split()))


def legal(env: SjavsEnv) -> list[str]:
    """Labels of what the agent on turn may do."""
    mask = env.observe(env.agent_selection)["action_mask"]
    return [env.action_labels[a] for a in np.flatnonzero(mask)]


# Worked deals: hands of the seats 0 to 3, the statements and the name, the tricks.

CASE_F16 = (
    """
    QC QS TS 8S 7S AH 7H 8D
    JS JH AC 8C AS TH AD 9D
    9C QH 9H 8H KD QD TD 7D
    JC JD KC TC 7C KS 9S KH
    """,
    ("5", "pass", "pass", "5 better", "trump C"),
    """
    QC 8C 9C 7C
    QS JH TD JD
    AH TH 8H KH
    TS AS 7D KS
    JS 9H TC 7H
    AC QD JC 7S
    KC 8D 9D QH
    9S 8S AD KD
    """,
)
CASE_F17 = (
    """
    QC QS JC JS JH JD AH 7D
    KH QH 8D AC KC TC AS KS
    TH 9H 9C TS 9S 8S AD KD
    8H 7H 7S QD TD 9D 8C 7C
    """,
    ("7", "pass", "pass", "pass", "trump H"),
    """
    QC KH TH 8H
    QS QH 9H 7H
    JC AC TS TD
    JS TC AD QD
    JH AS KD 9D
    JD KS 9C 8C
    AH KC 8S 7C
    7D 8D 9S 7S
    """,
)
CASE_F20 = (
    """
    JC KC 9C 8C AS 9S KD QD
    QC JH TC KS AH KH TH AD
    JD AC 7C 7S 9H 8H TD 8D
    QS JS TS 8S QH 7H 9D 7D
    """,
    ("pass", "5", "pass", "pass", "trump H"),
    """
    JC QC 8H QH
    JH 9H QS 8C
    JS 9C AH JD
    7H 9S KH 7C
    TH 7S 7D QD
    AD 8D 9D KD
    KS TD 8S AS
    KC TC AC TS
    """,
)
CASE_F22 = (
    """
    QS AC TC 8C TS AH QH 9H
    JS JD 7C 8S TH TD 9D 8D
    QC JC JH 9C AS KH KD QD
    KC KS 9S 7S 8H 7H AD 7D
    """,
    ("pass", "5", "pass", "pass", "trump D"),
    """
    QS 8D KD 7D
    AH TH KH 7H
    AC 7C 9C KC
    QH JS QC 8H
    JC AD TS 9D
    JH 7S TC JD
    QD 9S 8C TD
    AS KS 9H 8S
    """,
)
