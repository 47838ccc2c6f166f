"""A card table for tests: hands dealt face up, every action and result in card notation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import numpy as np

from sjavs_env.engine import REDEAL, Game, Phase
from sjavs_env.rules import PRESETS, make_rules

__all__ = [
    "PACK",
    "SJAVS",
    "TABLES",
    "VARYING",
    "Table",
    "deck_of",
    "fill_hands",
    "game_of",
    "position",
    "seated",
    "spread",
    "table_of",
]

PACK = tuple(rank + suit for suit in "CSHD" for rank in "AKQJT987")
ROW = np.array([0])
SJAVS = [name for name, rules in PRESETS.items() if not rules.seats]
VARYING = [name for name, rules in PRESETS.items() if rules.seats]  # seats may be out
TABLES = [(name, n) for name, rules in PRESETS.items() for n in rules.player_counts]
Takers = Literal["both", "declarer", "partner"]


def seated(preset: str, players: int) -> dict[str, Any]:
    """Options of an environment that seat so many players."""
    return {"players": players} if preset in VARYING else {}


def table_of(preset: str, players: int) -> Game:
    """Return the game of a preset for so many players."""
    overrides = {"players": players} if preset in VARYING else {}
    return game_of(preset, **overrides)


@cache
def game_of(preset: str = "faroese", **overrides: Any) -> Game:
    """Return the game of a preset with overrides; compiled once for all tests."""
    return Game(make_rules(preset, **overrides))


def spread(hands: Sequence[str] | str) -> list[list[str]]:
    """Split hands written as lines of cards (one string, or one for each seat)."""
    lines = hands.strip().splitlines() if isinstance(hands, str) else hands
    return [line.split() for line in lines]


def deck_of(hands: Sequence[str] | str, packets: str = "4-4", dealer: int = 3) -> list[str]:
    """Stack the pack so that dealing it in packets gives each seat its hand (rules 2.2)."""
    rest = spread(hands)
    deck = []
    for size in map(int, packets.split("-")):
        for place in (1, 2, 3, 4):
            hand = rest[(dealer + place) % 4]
            deck += hand[:size]
            del hand[:size]
    return deck


def fill_hands(known: dict[int, str]) -> list[str]:
    """Complete the cards known of some seats to four hands of eight, from the rest of the pack."""
    used = {card for text in known.values() for card in text.split()}
    rest = [card for card in PACK if card not in used]
    hands = []
    for seat in range(4):
        hand = known.get(seat, "").split()
        missing = 8 - len(hand)
        hands.append(" ".join(hand + rest[:missing]))
        del rest[:missing]
    return hands


class Table:
    """One game, driven through the engine; every step is checked against the invariants."""

    def __init__(
        self,
        hands: Sequence[str] | str | None = None,
        preset: str = "faroese",
        *,
        dealer: int = 3,
        **overrides: Any,
    ) -> None:
        """Deal the hands (seat 0 first), or numbered deal 0 if none are given."""
        self.game = game_of(preset, **overrides)
        self.state = self.game.new_games(1, dealer=dealer)
        self.sound = True  # False for positions that no deal can reach
        if hands is not None:
            self.deal(hands)

    def deal(self, hands: Sequence[str] | str) -> None:
        """Deal these hands in the packets of the rule set."""
        deck = deck_of(hands, self.game.rules.deal.deal_cut, self.dealer)
        self.game.deal_deck(self.state, ROW, np.array([self.game.pack.parse_deck(deck)]))
        for seat, hand in enumerate(spread(hands)):
            assert sorted(self.hand(seat)) == sorted(hand)

    def next_deal(self, hands: Sequence[str] | str | None = None) -> None:
        """Let the deal pass on; deal the hands if they are given."""
        self.game.next_deal(self.state, ROW)
        if hands is not None:
            self.deal(hands)

    # what the players see

    def hand(self, seat: int) -> list[str]:
        """Cards a seat still holds."""
        return self.game.pack.names(int(self.state.hand[0, seat]))

    @property
    def legal(self) -> list[str]:
        """Labels of the legal actions of the seat to act."""
        mask = self.game.legal_actions(self.state)[0]
        return [self.game.actions.labels[a] for a in np.flatnonzero(mask)]

    @property
    def cards(self) -> set[str]:
        """Cards the seat to act may play."""
        return {label.removeprefix("play ") for label in self.legal if label.startswith("play ")}

    @property
    def phase(self) -> Phase:
        """The moment of decision."""
        return Phase(int(self.state.phase[0]))

    @property
    def outcome(self) -> str:
        """Name of the payoff row that decided the deal; "" while it goes on."""
        outcome = int(self.state.outcome[0])
        if outcome == REDEAL:
            return "redeal"
        return self.game.tables.result.payoff_names[outcome] if outcome >= 0 else ""

    def numbers(self, name: str) -> list[int]:
        """A state array with one value for each seat."""
        return [int(x) for x in self.state.arrays()[name][0]]

    def number(self, name: str) -> int:
        """A state array with one value for the game."""
        return int(self.state.arrays()[name][0])

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.number("seat")

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return self.number("dealer")

    @property
    def declarer(self) -> int:
        """The seat that holds the best bid."""
        return self.number("declarer")

    @property
    def change(self) -> list[int]:
        """What the deal did to each score."""
        return self.numbers("change")

    @property
    def score(self) -> list[int]:
        """What each seat still needs."""
        return self.numbers("score")

    # what the players do

    def act(self, *labels: str) -> None:
        """Carry out legal actions one after the other."""
        for label in labels:
            assert label in self.legal
            self.game.step(self.state, [self.game.actions.parse(label)])
            assert not self.sound or self.game.problems(self.state) == []

    def say(self, statements: str) -> None:
        """Go through an auction in which every statement is the only legal one."""
        for statement in statements.split(", "):
            assert self.legal == [statement]
            self.act(statement)

    def play(self, *cards: str) -> None:
        """Play cards, each from the hand that is to act."""
        self.act(*(f"play {card}" for card in cards))

    def play_tricks(self, tricks: str) -> None:
        """Play whole tricks, one a line: ``QC 8C 9C 7C -> 0 (3)``, winner and card points."""
        for line in tricks.strip().splitlines():
            cards, result = line.split("->")
            winner, worth = result.replace("(", "").replace(")", "").split()
            points, taken = sum(self.numbers("points")), self.numbers("tricks")
            self.play(*cards.split())
            taken[int(winner)] += 1
            assert self.numbers("tricks") == taken, f"seat {winner} should win {cards}"
            assert sum(self.numbers("points")) - points == int(worth)
            assert self.phase == Phase.OVER or self.seat == int(winner)

    def end_deal(
        self, declarer: int, trump: str, points: int, tricks: int = 4, *, by: Takers = "both"
    ) -> None:
        """Put the table before a last, worthless trick and play it, for this result.

        The declarers end with ``points`` and ``tricks``, won by both or by one of them; no
        trump ("") stands for a deal without a bid, in which ``declarer`` only names a side.
        """
        partner, against = (declarer + 2) % 4, (declarer + 1) % 4
        taker = partner if by == "partner" else declarer
        leader = taker if tricks else against
        last = ("9S", "8S", "7S", "9D" if trump == "H" else "9H")
        self.deal(fill_hands({(leader + i) % 4: card for i, card in enumerate(last)}))
        state = self.state
        for i, card in enumerate(last):
            state.hand[0, (leader + i) % 4] = self.game.pack.word(card)
        state.fell[0] = [0 if card in last else 1 for card in self.game.pack.cards]
        state.trick_number[0], state.phase[0] = 7, Phase.PLAY
        state.points[0, declarer], state.points[0, against] = points, 120 - points
        shared = int(by == "both" and tricks > 1)
        state.tricks[0, partner] = shared
        state.tricks[0, taker] += max(0, tricks - 1 - shared)
        state.tricks[0, against] = 7 - max(0, tricks - 1)
        if trump:
            state.declarer[0], state.best_bid[0] = declarer, 0
            state.mode[0] = 1 + "CSHD".index(trump)
        state.seat[0] = state.leader[0] = leader
        self.play(*last)
        taken = self.numbers("tricks")
        assert (sum(taken), taken[declarer] + taken[partner]) == (8, tricks)

    def result(self) -> int:
        """Game points of the last deal: what seat 1 and its partner won, or lost if negative."""
        assert self.change[:2] == self.change[2:]
        return self.change[0] - self.change[1]


def position(trick: str, hand: str, trump: str = "H", **overrides: Any) -> Table:
    """Put cards on the table, led by seat 0, and a hand before the seat that is to act.

    Only these cards are dealt, so that short hands can be looked at alone.
    """
    table = Table(**overrides)
    state, word = table.state, table.game.pack.word
    table.sound = False
    state.phase[0] = Phase.PLAY
    state.mode[0] = 1 + "CSHD".index(trump) if trump else 0
    state.seat[0] = state.leader[0] = 0
    state.hand[0] = 0
    for seat, card in enumerate(trick.split()):
        state.hand[0, seat] = word(card)
    if hand:
        state.hand[0, len(trick.split())] = word(hand)
    table.play(*trick.split())
    return table
