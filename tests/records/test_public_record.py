"""What the state remembers in public: calls, the trick on the table, voids, cards that fell.

Each game is also noted by hand, from the labels of its actions and the plain rules of tricks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from sjavs_env.engine import Phase
from tests.engine.table import Table
from tests.reference.faroese import PRESETS
from tests.reference.sjavs_cards import CARD_POINTS, best_card, functional_suit

CLASSES = "CSHDT"


@dataclass
class Notes:
    """A deal as a spectator notes it down."""

    calls: list[str] = field(default_factory=lambda: [""] * 4)
    trump: str | None = None
    trick: list[tuple[int, str]] = field(default_factory=list)
    fell: dict[str, int] = field(default_factory=dict)
    void: list[set[str]] = field(default_factory=lambda: [set(), set(), set(), set()])
    n_tricks: int = 0

    def hear(self, seat: int, label: str) -> None:
        """Note what a seat says or plays."""
        if label.startswith("trump"):
            self.trump = label[-1]
        elif label.startswith("play"):
            self.see(seat, label[-2:])
        else:
            self.calls[seat] = label

    def see(self, seat: int, card: str) -> None:
        """Note a card."""
        if len(self.trick) == 4:
            self.trick = []
        self.trick.append((seat, card))
        led = functional_suit(self.trick[0][1], self.trump)
        if functional_suit(card, self.trump) != led:
            self.void[seat].add(led)
        self.fell[card] = self.n_tricks + 1
        self.n_tricks += len(self.trick) == 4

    def on_table(self) -> list[tuple[int, str]]:
        """The cards of a trick that is not yet complete."""
        return self.trick if len(self.trick) < 4 else []


def check(table: Table, notes: Notes) -> None:
    """The state of a game says what the notes say."""
    state, actions = table.state, table.game.actions
    said = ["" if c == 0 else actions.labels[actions.pass_ + c - 1] for c in table.numbers("calls")]
    assert said == notes.calls
    cards = table.game.pack.cards
    assert {c: int(n) for c, n in zip(cards, state.fell[0], strict=True) if n} == notes.fell
    shown = [{k for i, k in enumerate(CLASSES) if v >> i & 1} for v in table.numbers("void")]
    assert shown == notes.void
    trick = notes.on_table()
    lies = {seat: cards[c] for seat, c in enumerate(table.numbers("trick")) if c >= 0}
    assert lies == dict(trick)
    assert table.number("trick_size") == len(trick)
    assert table.number("pile") == sum(CARD_POINTS[card[0]] for _, card in trick)
    assert table.number("trick_number") == notes.n_tricks
    if trick:
        best = best_card([card for _, card in trick], notes.trump)
        assert (table.number("winner"), best) in trick
        led = functional_suit(trick[0][1], notes.trump)
        assert (table.number("leader"), CLASSES[table.number("led")]) == (trick[0][0], led)
    elif table.phase != Phase.OVER:
        assert table.number("winner") == table.number("leader")


def play_deals(
    preset: str, seed: int, n_deals: int, at_each: Callable[[Table, Notes], None]
) -> None:
    """Play deals at random, looking after every action."""
    rng = np.random.default_rng(seed)
    table, done = Table(preset=preset), 0
    notes = Notes()
    while done < n_deals:
        at_each(table, notes)
        if table.phase == Phase.OVER:
            table.next_deal()
            notes, done = Notes(), done + 1
            continue
        seat, label = table.seat, str(rng.choice(table.legal))
        table.act(label)
        notes.hear(seat, label)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_state_remembers_what_a_spectator_notes_down(preset: str) -> None:
    play_deals(preset, 3, 25, check)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_seat_that_has_shown_a_void_holds_no_card_of_that_suit(preset: str) -> None:
    def hold_none(table: Table, notes: Notes) -> None:
        for seat, suits in enumerate(notes.void):
            assert not suits & {functional_suit(c, notes.trump) for c in table.hand(seat)}

    play_deals(preset, 4, 10, hold_none)
