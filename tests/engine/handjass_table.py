"""A table for Handjass: piles dealt face up, or a position set up with few cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sjavs_env.engine import Phase
from tests.engine.table import ROW, Table
from tests.reference.handjass_deal import stack

__all__ = ["HandjassTable", "first_trick", "playable", "scored"]


class HandjassTable(Table):
    """One game of Handjass; the last seat deals."""

    def __init__(
        self,
        piles: Sequence[str] | None = None,
        preset: str = "handjass",
        players: int = 4,
        **overrides: Any,
    ) -> None:
        """Deal four piles of nine: the hands from seat 0 on, the reserve, the dead hand."""
        super().__init__(None, preset, dealer=players - 1, players=players, **overrides)
        if piles is not None:
            self.deal_piles(piles)

    def deal_piles(self, piles: Sequence[str]) -> None:
        """Deal these piles to those still in the match."""
        deck = stack([pile.split() for pile in piles], sum(self.numbers("active")))
        self.game.deal_deck(self.state, ROW, np.array([self.game.pack.parse_deck(deck)]))

    def cards_in(self, name: str, seat: int | None = None) -> set[str]:
        """The cards of a set of the state."""
        words = self.state.arrays()[name][0]
        return set(self.game.pack.names(int(words if seat is None else words[seat])))

    @property
    def on_table(self) -> str:
        """The card that lies face up on the table, "" if there is none."""
        card = self.number("on_table")
        return self.game.pack.cards[card] if card >= 0 else ""

    def hold(self, hands: Sequence[str], trump: str) -> None:
        """Put these cards, and no others, before the seats; seat 0 leads."""
        state, word = self.state, self.game.pack.word
        self.sound = False
        state.mode[0] = 1 + "CSHD".index(trump)
        state.dealt[0] = state.hand[0] = [word(hand) for hand in hands]
        seats = state.seat_state
        seats.known[0], state.phase[0] = 0, Phase.PLAY
        state.seat[0] = state.leader[0] = state.winner[0] = 0
        seats.playing[0] = 1
        n = len(hands)
        seats.n_playing[0], seats.following[0] = n, [(seat + 1) % n for seat in range(n)]
        seats.on_table[0] = -1


def playable(preset: str, trump: str, trick: str, hand: str) -> set[str]:
    """What the next seat may play to a trick, of four players."""
    table = HandjassTable(preset=preset)
    played = trick.split()
    table.hold([*played, hand, *[""] * (3 - len(played))], trump)
    table.play(*played)
    return table.cards


def first_trick(hands: Sequence[str], trump: str, preset: str, **overrides: Any) -> HandjassTable:
    """Let everybody play some card to the first trick, so that melds are compared."""
    table = HandjassTable(preset=preset, players=len(hands), **overrides)
    table.hold(hands, trump)
    for _ in hands:
        table.act(table.legal[0])
    return table


def scored(
    totals: Sequence[int], preset: str, *, zeros: Sequence[int] | None = None, **overrides: Any
) -> HandjassTable:
    """Score a deal in which the seats, which all play, have these totals."""
    table = HandjassTable(preset=preset, players=len(totals), **overrides)
    state = table.state
    state.points[0], state.seat_state.playing[0] = list(totals), 1
    if zeros is not None:
        state.seat_state.zeros[0] = list(zeros)
    table.game.settle(state, ROW)
    return table
