"""All deals of a small game: what chance can do, each of it equally likely."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from math import comb, factorial

import numpy as np

from sjavs_agents.base import Ints
from sjavs_env import Game

__all__ = ["count_deals", "deal_all"]

KNOCK = 0  # the way of dealing; what is dealt is the same in the other one


def count_deals(game: Game) -> int:
    """Return how many deals there are: hands and, as far as it matters, the talon's order."""
    hand, talon = game.tables.n_tricks, game.tables.deal.n_talon
    n, ways = game.tables.n_cards, 1
    for _ in range(game.tables.n_players):
        ways, n = ways * comb(n, hand), n - hand
    return ways * (factorial(talon) if _in_order(game) else 1)


def deal_all(game: Game) -> Ints:
    """Return a deck (deals, N) for each deal, to be dealt by knocking."""
    deal = game.tables.deal
    seats = [deal.hand[KNOCK, seat] for seat in range(game.tables.n_players)]
    decks = np.empty((count_deals(game), game.tables.n_cards), dtype=np.intp)
    for row, (hands, talon) in enumerate(_partitions(game, tuple(range(game.tables.n_cards)), 0)):
        for places, hand in zip(seats, hands, strict=True):
            decks[row, places] = hand
        decks[row, deal.talon[KNOCK]] = talon
    return decks


def _in_order(game: Game) -> bool:
    """The first cards of the talon are taken, so that their order matters."""
    return game.tables.exchange.lays_blind


def _partitions(
    game: Game, cards: tuple[int, ...], seat: int
) -> Iterator[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]]:
    """Yield the hands of the seats from ``seat`` on, and the talon, out of the cards left."""
    if seat == game.tables.n_players:
        orders = permutations(cards) if _in_order(game) else iter([cards])
        yield from (((), talon) for talon in orders)
        return
    for hand in combinations(cards, game.tables.n_tricks):
        rest = tuple(card for card in cards if card not in hand)
        for hands, talon in _partitions(game, rest, seat + 1):
            yield (hand, *hands), talon
