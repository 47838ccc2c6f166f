"""Asking agents: one seat at a card table, or whole games of a batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_agents.base import Agent, Ints
from sjavs_agents.registry import make_agent
from sjavs_env import PRESETS, Game, GameState, Phase, PlayerView, view_of
from tests.engine.handjass_table import HandjassTable
from tests.engine.table import SJAVS, Table, fill_hands, game_of

__all__ = [
    "ALONE",
    "choice_at",
    "dealt",
    "dealt_alone",
    "every_question",
    "game_for",
    "known",
    "seated",
    "view_at",
]

ALONE = [name for name in SJAVS if PRESETS[name].sides == "alone"]


def seated(known: dict[int, str], auction: str, plays: str = "", dealer: int = 3) -> Table:
    """Deal the known cards, go through an auction in which all may pass, and play cards.

    Unknown hands are filled up with the rest of the pack.
    """
    table = Table(fill_hands(known), "faroese_free", dealer=dealer)
    table.act(*filter(None, auction.split(", ")))
    table.play(*plays.split())
    return table


def dealt(rules: str, known: dict[int, str], auction: str = "", **overrides: Any) -> Table:
    """Deal the known cards of any game, forehand's seat 0, and go through an auction.

    Last among a seat's cards are those face up.  Cards known of seat -1 are the talon's; the
    rest of the pack is filled in.
    """
    game = game_of(rules, **overrides)
    t, pack = game.tables, game.pack
    used = [card for text in known.values() for card in text.split()]
    rest = [card for card in pack.cards if card not in used]
    places = dict(enumerate(t.deal.hand[1])) | {-1: t.deal.talon[1]}
    deck: dict[int, str] = {}
    for seat, at in places.items():
        held = known.get(seat, "").split()
        missing = len(at) - len(held)
        deck.update(zip(at.tolist(), rest[:missing] + held, strict=True))
        del rest[:missing]
    face_down = [place for place in range(len(pack)) if place not in deck]
    deck.update(zip(face_down, rest, strict=True))
    table = Table(None, rules, dealer=t.n_players - 1, **overrides)
    cards = pack.parse_deck([deck[place] for place in range(len(pack))])
    game.deal_deck(table.state, np.array([0]), np.array([cards]))
    table.act(*filter(None, auction.split(", ")))
    return table


def dealt_alone(
    known: dict[int, str], turned: str, preset: str = "handjass", players: int = 3, **options: Any
) -> HandjassTable:
    """Deal a game in which seats may be out; seat 0 is the eldest and the last one deals.

    Cards are known of the seats and of the piles after them; the rest of the pack, highest cards
    first, is filled in.  ``turned`` is turned up for trumps.
    """
    pack = game_of(preset, players=players).pack
    used = {turned, *(card for text in known.values() for card in text.split())}
    rest = [card for card in pack.cards if card not in used]
    piles = []
    for pile in range(4):
        cards = known.get(pile, "").split()
        missing = 9 - len(cards) - (pile == 3)
        cards += rest[:missing]
        del rest[:missing]
        if pile == 3:  # of three players it is the reserve, whose top card is turned up
            cards = [turned, *cards] if players == 3 else [*cards, turned]
        piles.append(" ".join(cards))
    return HandjassTable(piles, preset, players, **options)


def known(name: str, game: Game) -> Agent:
    """Make an agent; skip a game that it refuses, which takes one line."""
    try:
        return make_agent(name, game)
    except ValueError as error:
        refusal = str(error)
    assert "\n" not in refusal
    pytest.skip(refusal)


def game_for(name: str) -> Game:
    """Return the first game, as the rule sets are listed, that an agent plays."""
    for rules in PRESETS:
        with suppress(ValueError):
            make_agent(name, game_of(rules))
            return game_of(rules)
    raise AssertionError(f"{name} plays no game")


def view_at(table: Table) -> tuple[PlayerView, NDArray[np.int8]]:
    """What the seat to act sees, and the mask of what it may do."""
    rows = np.array([0])
    view = view_of(table.game, table.state, rows, table.state.seat[rows])
    return view, table.game.legal_actions(table.state, rows)


def choice_at(table: Table, agent: Agent) -> str:
    """What the agent does on the seat to act: a card, or the label of a call."""
    action = int(agent.act(*view_at(table), np.random.default_rng(0))[0])
    label = table.game.actions.labels[action]
    return label.removeprefix("play ") if action < len(table.game.pack) else label


def every_question(
    game: Game, agent: Agent, state: GameState, seed: int = 0
) -> Iterator[tuple[PlayerView, NDArray[np.int8], Ints]]:
    """Let the agent play all seats; yield every batch of views, masks and its answers.

    Tables that redeal go on with their next deal, so that the batches hold several phases.
    """
    rng = np.random.default_rng(seed)
    for _ in range(60):
        over = np.flatnonzero(state.phase == Phase.OVER)
        game.next_deal(state, over)
        rows = np.arange(len(state))
        view, mask = view_of(game, state, rows, state.seat.copy()), game.legal_actions(state)
        action = agent.act(view, mask, rng)
        yield view, mask, action
        game.step(state, action)
