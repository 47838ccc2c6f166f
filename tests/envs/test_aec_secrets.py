"""Hidden cards stay hidden, and seats are relative: twin deals that look alike to a seat.

Two deals are twins for a viewer when they differ only in cards that are hidden from it, and
everything said and played so far is legal, and the same, in both.  Then all it is shown must be
the same, byte for byte.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from sjavs_env import PRESETS, SjavsEnv, record_so_far, seat_view
from tests.engine.kinds import EVERY_PAIR
from tests.engine.table import SJAVS, deck_of, seated
from tests.envs.play import choose

Deck = list[str]


def random_deck(rules: str, rng: np.random.Generator) -> Deck:
    return list(rng.permutation(list(PRESETS[rules].pack.cards)))


def table(deck: Deck, rules: str, viewer: int, **options: Any) -> SjavsEnv:
    env = SjavsEnv(rules, render_mode="ansi", render_view=viewer, **options)
    env.reset(seed=0, options={"deck": deck, "dealer": env.game.rules.players - 1})
    return env


def shown_to(env: SjavsEnv, viewer: int) -> tuple[Any, ...]:
    """Everything that reaches a seat."""
    agent = f"player_{viewer}"
    observation = env.observe(agent)
    last = env.last() if env.agent_selection == agent else ()
    return (
        observation["observation"].tobytes(),
        observation["action_mask"].tobytes(),
        env.infos[agent]["action_mask"].tobytes(),
        sorted(env.infos[agent]),
        env.render(),
        json.dumps(record_so_far(env, viewer)),
        json.dumps(env.last_result),
        written(seat_view(env, agent)),
        env.agent_selection,
        [part.tobytes() for part in last[0].values()] if last else None,
        last[1:4],
    )


def written(view: Any) -> list[Any]:
    """Every field of a view, those of the views inside it as well."""
    values = [(f.name, getattr(view, f.name)) for f in fields(view)]
    return [
        (name, value.tolist() if isinstance(value, np.ndarray) else value and written(value))
        for name, value in values
    ]


def hidden_from(env: SjavsEnv, viewer: int) -> list[str]:
    """Cards that a seat has not seen: others' hands, cards face down, aside, or laid away."""
    cards, pack = env.get_state()["cards"], env.game.pack
    held = cards["hand"][0]
    words = [word for seat, word in enumerate(held) if seat != viewer] + cards["talon"]
    if cards["declarer"][0] != viewer:
        words += cards["laid"]
    up = {pack.cards[card] for column in cards["face_up"][0] for card in column if card >= 0}
    down = [pack.cards[card] for column in cards["face_down"][0] for card in column if card >= 0]
    return [card for word in words for card in pack.names(word) if card not in up] + down


def replayed(
    deck: Deck, actions: list[tuple[int, str]], rules: str, viewer: int, exchanged: dict[str, str]
) -> tuple[SjavsEnv, list[Any]] | None:
    """The twin deal with the same actions, if all are legal, and what the viewer was shown.

    Where another seat lays a card away, it lays away what it holds in its place.
    """
    env = table(deck, rules, viewer)
    shown = [shown_to(env, viewer)]
    for seat, label in actions:
        if label.startswith("lay ") and seat != viewer:
            card = label.removeprefix("lay ")
            label = f"lay {exchanged.get(card, card)}"
        action = env.action_of(label)
        if not env.observe(env.agent_selection)["action_mask"][action]:
            return None
        env.step(action)
        shown.append(shown_to(env, viewer))
    return env, shown


@pytest.mark.parametrize("rules", SJAVS)
def test_exchanging_hidden_cards_changes_nothing_a_seat_is_shown(rules: str) -> None:
    rng, twins, differing_states = np.random.default_rng(1), 0, 0
    n_players, n_cards = PRESETS[rules].players, len(PRESETS[rules].pack)
    while twins < 6:
        deck, viewer = random_deck(rules, rng), int(rng.integers(n_players))
        stop = int(rng.integers(1, n_cards + 2))
        env = table(deck, rules, viewer)
        shown = [shown_to(env, viewer)]
        actions: list[tuple[int, str]] = []
        while len(actions) < stop and not any(env.terminations.values()):
            seat = int(env.agent_selection[-1])
            action = choose(env.observe(env.agent_selection)["action_mask"], rng)
            actions.append((seat, env.action_labels[action]))
            env.step(action)
            shown.append(shown_to(env, viewer))
        if any(env.terminations.values()) or len(env.history.deals) > 1:
            continue
        hidden = hidden_from(env, viewer)
        for _ in range(30 if len(hidden) > 1 else 0):
            first, second = rng.choice(hidden, size=2, replace=False)
            exchanged = {first: second, second: first}
            twin = [exchanged.get(card, card) for card in deck]
            found = replayed(twin, actions, rules, viewer, exchanged)
            if found is not None:
                twins += 1
                assert found[1] == shown
                differing_states += found[0].state().tobytes() != env.state().tobytes()
    assert differing_states > twins // 4, "the oracle's view does show the hidden cards"


@pytest.mark.parametrize("render_view", ["to_act", 1])
def test_the_picture_names_no_card_of_a_hidden_hand(render_view: Any) -> None:
    rng = np.random.default_rng(2)
    for seed in range(6):
        env = SjavsEnv(render_mode="ansi", render_view=render_view, render_ascii=True)
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            seat = int(env.agent_selection[-1]) if render_view == "to_act" else 1
            text = env.render() or ""
            for other, hand in enumerate(env.get_state()["cards"]["hand"][0]):
                cards = env.game.pack.names(hand)
                assert all((card in text) == (other == seat) for card in cards)
            env.step(choose(env.observe(env.agent_selection)["action_mask"], rng))


@pytest.mark.parametrize("ending", ["redeal", "forfeit"])
def test_hands_stay_hidden_when_a_deal_ends_unplayed(ending: str) -> None:
    options = {"redeal": "end", "illegal": "terminate"}
    for render_view in ("to_act", 0):
        env = SjavsEnv(render_mode="ansi", render_view=render_view, render_ascii=True, **options)  # type: ignore[arg-type]  # the two words above
        deck = deck_of("QS TC 9C 7C 9H 7H AD QD\nJD 8C TS 7S AH TH 8H 8D\n"
                       "QC JH AC KC AS 9S KD 9D\nJC JS KS 8S KH QH TD 7D")  # fmt: skip
        env.reset(seed=0, options={"deck": deck, "dealer": 3})
        for _ in range(4 if ending == "redeal" else 1):
            env.step(env.action_of("pass" if ending == "redeal" else "8"))
        assert (env.last_result or {})["kind"] == ending
        text, so_far = env.render() or "", json.dumps(record_so_far(env, 0))
        for seat, hand in enumerate(env.get_state()["cards"]["hand"][0]):
            for card in env.game.pack.names(hand):
                assert (card in text) == (seat == 0 == render_view)
                assert (f"{card} " in so_far or f'{card}"' in so_far) == (seat == 0)


def test_a_record_so_far_tells_neither_decks_nor_seed_nor_number() -> None:
    env, rng = SjavsEnv(episode="rubber"), np.random.default_rng(3)
    env.reset(seed=987654321)
    while len(env.history.deals) < 4:
        env.step(choose(env.observe(env.agent_selection)["action_mask"], rng))
    so_far = record_so_far(env, 2)
    assert "987654321" not in json.dumps(so_far)
    assert set(so_far) == {"format", "version", "rules", "seat", "start", "deals"}
    for log in so_far["deals"]:
        assert set(log) == {"hand", "dealer", "cut", "actions", "result"}
        assert log["result"] is None or log["result"]["deal_number"] is None
    with pytest.raises(ValueError, match=r"^seat is 4; allowed: 0 to 3$"):
        record_so_far(env, 4)


@pytest.mark.parametrize(("rules", "n"), EVERY_PAIR)
def test_turning_the_table_by_one_seat_changes_no_observation(rules: str, n: int) -> None:
    rng, seats = np.random.default_rng(4), seated(rules, n)
    for _ in range(3):
        deck = random_deck(rules, rng)
        env = table(deck, rules, 0, **seats)
        turned = SjavsEnv(rules, **seats)
        turned.reset(seed=0, options={"deck": deck, "dealer": 0})
        while not any(env.terminations.values()) and len(env.history.deals) == 1:
            for seat in range(n):
                here = env.observe(f"player_{seat}")
                there = turned.observe(f"player_{(seat + 1) % n}")
                assert here["observation"].tobytes() == there["observation"].tobytes()
                assert here["action_mask"].tobytes() == there["action_mask"].tobytes()
            action = choose(env.observe(env.agent_selection)["action_mask"], rng)
            env.step(action)
            turned.step(action)
        rewards, others = list(env.rewards.values()), list(turned.rewards.values())
        assert rewards == others[1:] + others[:1]
