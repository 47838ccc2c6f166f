"""A history played again, to see whether a saved game follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from sjavs_env.engine.game import Game
from sjavs_env.engine.single import SingleGame
from sjavs_env.engine.state import ONLY_GAME, GameState
from sjavs_env.envs.options import read_options, seat_as_asked, whole_number
from sjavs_env.errors import shown
from sjavs_env.records.history import DealLog, History
from sjavs_env.rules.tables import Phase

__all__ = ["own_log", "played_again", "same_game"]


def played_again(history: History, claimed: GameState) -> GameState:
    """Return the game that a history leads to; ValueError unless it is the one claimed.

    Of the claimed state no more is believed than the number of its deal.  It may mark fewer
    voids than the game does now: earlier versions drew fewer.
    """
    state, again = _first_deal(history, claimed)
    single, last = SingleGame(history.game), len(history.deals) - 1
    for place, log in enumerate(history.deals):
        if place:
            _next_deal(history.game, state, again, log)
        _play(single, state, again, log, place)
        if state.phase.item() == Phase.OVER or (place == last and log.result is not None):
            again.close_deal(state)
    if again.start != history.start or again.deals != history.deals:
        raise ValueError("the deals of the history do not follow from one another")
    if not same_game(state, claimed):
        raise ValueError("the cards, or scores, are not those that the history leads to")
    return state


def same_game(state: GameState, claimed: GameState) -> bool:
    """Whether two states of one game are alike, voids that are not marked in the second apart."""
    theirs = claimed.arrays()
    return all(
        not (theirs[name] & ~own).any() if name == "void" else np.array_equal(own, theirs[name])
        for name, own in state.arrays().items()
    )


def own_log(deal: Mapping[str, Any]) -> dict[str, Any]:
    """Copy the entries of a deal log; only the result holds lists inside."""
    copies = {name: list(x) if isinstance(x, list) else x for name, x in deal.items()}
    return {**copies, "result": deepcopy(deal["result"])}


def _first_deal(history: History, claimed: GameState) -> tuple[GameState, History]:
    """Deal as a reset with the options of the history's start does."""
    game, log, start = history.game, history.deals[0], history.start
    options = {"scores": start["score"], "ties": start["ties"], "zeros": start.get("zeros")}
    asked = read_options(game, {**options, "dealer": log.dealer, "cut": log.cut})
    number = int(claimed.number.item()) - len(history.deals) + 1
    seed = whole_number(history.seed)
    if seed is None or not 0 <= seed < 2**64 or asked.dealer is None:
        raise ValueError(f"the history has seed {shown(history.seed)}")
    state = game.new_games(
        1, seed=seed, numbers=np.uint64(number % 2**64), dealer=asked.dealer, cut=asked.cut
    )
    seat_as_asked(game, state, asked)
    if log.deck is not None:
        game.deal_deck(state, ONLY_GAME, _deck(game, log))
    return state, History.begin(game, state, log.deck)


def _next_deal(game: Game, state: GameState, again: History, log: DealLog) -> None:
    if state.phase.item() != Phase.OVER:
        raise ValueError("a deal of the history follows one that is not over")
    game.next_deal(state, ONLY_GAME)
    if log.deck is not None:
        game.deal_deck(state, ONLY_GAME, _deck(game, log))
    again.open_deal(state, log.deck)


def _deck(game: Game, log: DealLog) -> np.ndarray[Any, np.dtype[np.intp]]:
    if not isinstance(log.deck, list) or sorted(log.deck) != list(range(len(game.pack))):
        raise ValueError(f"deck is {shown(log.deck)}")
    return np.array([log.deck])


def _play(single: SingleGame, state: GameState, again: History, log: DealLog, place: int) -> None:
    """Carry out the actions of a deal; ValueError for one that is illegal."""
    for action in log.actions:
        chosen, seat = whole_number(action), state.seat.item()
        if chosen is None or chosen < 0 or not single.legal(state) >> chosen & 1:
            raise ValueError(f"action {shown(action)} in deal {place + 1} is illegal")
        single.step(state, chosen)
        again.note(chosen, seat, state)
