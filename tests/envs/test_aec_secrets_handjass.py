"""Hidden cards stay hidden in Handjass, as ``test_aec_secrets`` shows for Sjavs.

Two deals are twins for a viewer when they differ only in cards that are hidden from it, the same
actions are legal in both, and all that is public is the same: who is asked for the six, what is
announced for melds, which cards are shown.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sjavs_env import SjavsEnv
from tests.engine.kinds import EVERY_PAIR_VARYING
from tests.engine.table import seated
from tests.envs.play import choose
from tests.envs.test_aec_secrets import random_deck, shown_to, table

PUBLIC = ("phase", "seat", "announced", "melds", "known", "gone", "on_table", "turned")


def public(env: SjavsEnv) -> list[Any]:
    """What all at the table see of the state."""
    cards = env.get_state()["cards"]
    return [cards[name] for name in PUBLIC]


def hidden_from(env: SjavsEnv, viewer: int) -> list[str]:
    """Cards that a seat has not seen, where they lie now."""
    cards, names = env.get_state()["cards"], env.game.pack.names
    others = [s for s in range(env.game.rules.players) if s != viewer]
    hidden = [card for seat in others for card in names(cards["hand"][0][seat])]
    hidden += names(cards["talon"][0]) + names(cards["dead"][0])
    if cards["taker"][0] != viewer:
        hidden += names(cards["laid"][0])
    lies = cards["on_table"][0]
    seen = {env.game.pack.cards[lies]} if lies >= 0 else set()
    for words in (*cards["known"][0], cards["gone"][0]):
        seen |= set(names(words))
    return [card for card in hidden if card not in seen]


def played(
    deck: list[str], actions: list[int], rules: str, viewer: int, players: int
) -> tuple[SjavsEnv, list[Any], list[Any]] | None:
    """Play a deal; return what the viewer and what all were shown, None if it cannot be played."""
    env = table(deck, rules, viewer, **seated(rules, players))
    shown, seen = [shown_to(env, viewer)], [public(env)]
    for action in actions:
        if not env.observe(env.agent_selection)["action_mask"][action]:
            return None
        env.step(action)
        shown.append(shown_to(env, viewer))
        seen.append(public(env))
    return env, shown, seen


@pytest.mark.parametrize(("rules", "players"), EVERY_PAIR_VARYING)
def test_exchanging_hidden_cards_changes_nothing_a_seat_is_shown(rules: str, players: int) -> None:
    rng, twins, differing_states = np.random.default_rng(1), 0, 0
    while twins < 6:
        deck, viewer = random_deck(rules, rng), int(rng.integers(players))
        env = table(deck, rules, viewer, **seated(rules, players))
        stop = int(rng.integers(1, 9 * players))
        actions: list[int] = []
        while len(actions) < stop and not any(env.terminations.values()):
            actions.append(choose(env.observe(env.agent_selection)["action_mask"], rng))
            env.step(actions[-1])
        original = played(deck, actions, rules, viewer, players)
        assert original is not None
        if any(original[0].terminations.values()):
            continue
        hidden = hidden_from(env, viewer)
        for _ in range(20 if len(hidden) > 1 else 0):
            first, second = rng.choice(hidden, size=2, replace=False)
            exchanged = {first: second, second: first}
            twin = [exchanged.get(card, card) for card in deck]
            found = played(twin, actions, rules, viewer, players)
            if found is not None and found[2] == original[2]:
                twins += 1
                assert found[1] == original[1]
                differing_states += found[0].state().tobytes() != env.state().tobytes()
    assert differing_states > twins // 4, "the oracle's view does show the hidden cards"


@pytest.mark.parametrize(("rules", "players"), EVERY_PAIR_VARYING)
def test_the_picture_names_no_card_that_is_hidden(rules: str, players: int) -> None:
    rng = np.random.default_rng(2)
    for seed in range(3):
        env = SjavsEnv(
            rules, render_mode="ansi", render_view=0, render_ascii=True, **seated(rules, players)
        )
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            text = env.render() or ""
            assert not [card for card in hidden_from(env, 0) if card in text]
            env.step(choose(env.observe(env.agent_selection)["action_mask"], rng))
