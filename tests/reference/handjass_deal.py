"""Reference for one deal of Handjass with two to four players (rules 2 to 4).

Seats are numbered in the direction of play. Seats whose player has left the match are skipped
everywhere, and those who remain play the game of that smaller number. The eldest is the first
of them after the dealer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .handjass_cards import PACK, card_points, legal_cards, trick_winner
from .handjass_melds import score_melds

__all__ = ["Deal", "deal_out", "seats_in_order", "stack"]

Params = Mapping[str, Any]


# Dealing


def seats_in_order(dealer: int, active: Sequence[bool]) -> list[int]:
    """List the seats still in the match, eldest first and dealer last (rules 1.1)."""
    seats = len(active)
    around = [(dealer + place) % seats for place in range(1, seats + 1)]
    return [seat for seat in around if active[seat]]


def dealt_in_turn(players: int) -> int:
    """Tell how many hands are dealt in turn: with two players also reserve and dead hand."""
    return 3 if players == 3 else 4


def deal_out(deck: Sequence[str], players: int) -> list[list[str]]:
    """Deal four piles of nine in packets of three (rules 2.2).

    They are the hands from the eldest to the dealer, then the reserve, then the dead hand.
    """
    hands = dealt_in_turn(players)
    piles: list[list[str]] = [[], [], [], []]
    rest = list(deck)
    for _ in range(3):
        for place in range(hands):
            piles[place].extend(rest[:3])
            rest = rest[3:]
    if rest:
        piles[3] = rest
    return piles


def stack(piles: Sequence[Sequence[str]], players: int) -> list[str]:
    """Build the deck that is dealt out into these four piles."""
    hands = dealt_in_turn(players)
    deck: list[str] = []
    for packet in range(3):
        for place in range(hands):
            deck.extend(piles[place][3 * packet : 3 * packet + 3])
    return deck if hands == 4 else deck + list(piles[3])


class Deal:
    """One deal, from the deck to its result.

    Attributes:
        hands: Cards now held by each seat; what a player who dropped holds stays there.
        seat: The seat to act; -1 when the deal is over.
        phase: "six", "reserve", "stay", "play" or "over".
        dealer: The seat that dealt.
        order: The seats in the match, eldest first and dealer last.
        turned: The card that lies face up on the table; None with four players, where it is in
            the dealer's hand, and with three once it has gone with the reserve.
        trump: The suit of the card turned for trumps.
        reserve: The nine cards of the reserve hand, with three players the turned card among
            them; None with four players and once it is taken.
        aside: The hand put aside for the reserve, None before.
        dead: With two players, the dead hand without the turned card; else empty.
        playing: Whether each seat takes part in this deal; with dropping, so far.
        took_reserve: The seat that took the reserve, or None.
        points: Points won in tricks by each seat, the last-trick bonus included.
        tricks: Tricks won by each seat.
        melds: What each seat scored for melds, known after the first trick.
        trick: Seat and card of each play to the current trick.
        outcome: "played", "lone" when only one stays, "thrown_in" when nobody; "" until over.

    """

    def __init__(
        self, params: Params, deck: Sequence[str], dealer: int, active: Sequence[bool]
    ) -> None:
        """Deal the deck, deck[0] first, among the active seats (rules 2.2)."""
        if sorted(deck) != sorted(PACK):
            raise ValueError("a deck is the 36 cards, each of them once")
        if len(active) not in (2, 3, 4) or sum(active) < 2 or not active[dealer]:
            raise ValueError("two to four seats, two of them active, and the dealer active")
        seats = len(active)
        self.params = params
        self.dealer = dealer
        self.active = list(active)
        self.order = seats_in_order(dealer, active)
        self.playing = list(active)
        self.took_reserve: int | None = None
        self.aside: list[str] | None = None
        self.points = [0] * seats
        self.tricks = [0] * seats
        self.melds = [0] * seats
        self.trick: list[tuple[int, str]] = []
        self.outcome = ""
        self._six_asked = False
        self._to_ask: list[int] = []  # who is still to be asked in the reserve or stay phase
        self._announced: list[tuple[int, list[str]]] = []  # hands at their first card
        self._lay_out(deal_out(deck, len(self.order)), seats)
        self._start_six()

    @classmethod
    def from_piles(
        cls, params: Params, piles: Sequence[Sequence[str]], dealer: int, active: Sequence[bool]
    ) -> Deal:
        """Start a deal with these four piles, listed as in deal_out."""
        return cls(params, stack(piles, sum(active)), dealer, active)

    def _lay_out(self, piles: list[list[str]], seats: int) -> None:
        """Give out the hands and turn the trump card (rules 2.2)."""
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        for seat, pile in zip(self.order, piles, strict=False):
            self.hands[seat] = pile
        self.turned: str | None = None
        self.reserve: list[str] | None = None
        self.dead: list[str] = []
        if len(self.order) == 4:
            self.trump = piles[3][-1][1]
        elif len(self.order) == 3:
            self.reserve = piles[3]
            self.turned = piles[3][0]
            self.trump = self.turned[1]
        else:
            self.reserve = piles[2]
            self.dead = piles[3][:-1]
            self.turned = piles[3][-1]
            self.trump = self.turned[1]

    @property
    def totals(self) -> list[int]:
        """Add the melds of each seat to its points (rules 5.1)."""
        return [points + melds for points, melds in zip(self.points, self.melds, strict=True)]

    def legal(self) -> list[str]:
        """List what the seat to act may do, in the words of its phase."""
        if self.phase == "six":
            return ["swap six", "keep six"]
        if self.phase == "reserve":
            return ["take reserve", "keep hand"]
        if self.phase == "stay":
            return ["stay", "drop"]
        if self.phase == "play":
            cards = [card for _, card in self.trick]
            hand = self.hands[self.seat]
            rules = self.params["trick_rules"]
            return [f"play {card}" for card in legal_cards(hand, cards, self.trump, rules)]
        return []

    def act(self, label: str) -> None:
        """Carry out one of the legal labels for the seat to act."""
        if label not in self.legal():
            raise ValueError(f"{label!r} is not legal, only {self.legal()}")
        if self.phase == "six":
            self._answer_six(label)
        elif self.phase == "reserve":
            self._answer_reserve(label)
        elif self.phase == "stay":
            self._answer_stay(label)
        else:
            self._play(label.removeprefix("play "))

    # The six

    def _can_swap(self, seat: int) -> bool:
        """Tell whether the seat may now change the trump six for the turned card (rules 3.5)."""
        six = "6" + self.trump
        return self.turned is not None and self.turned != six and six in self.hands[seat]

    def _start_six(self) -> None:
        """Ask the holder of the six first of all, if the preset has it so (rules 3.5)."""
        for seat in self.order:
            if self.params["six_timing"] == "before" and self._can_swap(seat):
                self.phase, self.seat = "six", seat
                return
        self._start_reserve()

    def _answer_six(self, label: str) -> None:
        self._six_asked = True
        if label == "swap six":
            self._swap()
        if self.params["six_timing"] == "before":
            self._start_reserve()
        else:
            self.phase = "play"

    def _swap(self) -> None:
        """Put the six on the table; with three players it becomes part of the reserve."""
        six = "6" + self.trump
        if self.turned is None:
            raise ValueError("no card is turned")
        self.hands[self.seat].remove(six)
        self.hands[self.seat].append(self.turned)
        if self.reserve is not None and self.turned in self.reserve:
            self.reserve.remove(self.turned)
            self.reserve.append(six)
        self.turned = six

    # The reserve

    def _start_reserve(self) -> None:
        """Offer the reserve from the eldest round to the dealer, if there is one (rules 3.6)."""
        if self.reserve is None:
            self._start_stay()
            return
        self.phase = "reserve"
        self._to_ask = list(self.order)
        self.seat = self._to_ask.pop(0)

    def _answer_reserve(self, label: str) -> None:
        if label == "take reserve":
            self._take_reserve()
            self._start_stay()
        elif self._to_ask:
            self.seat = self._to_ask.pop(0)
        else:
            self._start_stay()

    def _take_reserve(self) -> None:
        """Change the hand for the reserve; with three players the turned card goes with it."""
        if self.reserve is None:
            raise ValueError("there is no reserve")
        self.aside = self.hands[self.seat]
        self.hands[self.seat] = self.reserve
        self.took_reserve = self.seat
        if self.turned in self.reserve:
            self.turned = None
        self.reserve = None

    # Staying in

    def _start_stay(self) -> None:
        """Ask each player whether he plays; in some presets not the taker (rules 3.7)."""
        if not self.params["may_drop"]:
            self._start_play()
            return
        self.phase = "stay"
        self._to_ask = list(self.order)
        if self.params["taker_must_play"] and self.took_reserve is not None:
            self._to_ask.remove(self.took_reserve)
        self.seat = self._to_ask.pop(0)

    def _answer_stay(self, label: str) -> None:
        self.playing[self.seat] = label == "stay"
        if self._to_ask:
            self.seat = self._to_ask.pop(0)
        elif sum(self.playing) == 0:
            self._finish("thrown_in")
        elif sum(self.playing) == 1:
            self._finish("lone")
        else:
            self._start_play()

    # Play

    def _players(self) -> list[int]:
        """List those who play this deal, in the order in which they lead and announce."""
        return [seat for seat in self.order if self.playing[seat]]

    def _start_play(self) -> None:
        """Let the first playing seat from the eldest lead (rules 3.7)."""
        self._turn_to(self._players()[0])

    def _turn_to(self, seat: int) -> None:
        """Give the turn to a seat; its holder may be asked for the six first (rules 3.5)."""
        self.seat = seat
        self.phase = "play"
        late = self.params["six_timing"] == "after" and not self._six_asked
        if late and sum(self.tricks) == 0 and self._can_swap(seat):
            self.phase = "six"

    def _play(self, card: str) -> None:
        if sum(self.tricks) == 0:
            self._announced.append((self.seat, list(self.hands[self.seat])))
        self.hands[self.seat].remove(card)
        self.trick.append((self.seat, card))
        players = self._players()
        if len(self.trick) < len(players):
            self._turn_to(players[(players.index(self.seat) + 1) % len(players)])
        else:
            self._end_trick()

    def _end_trick(self) -> None:
        """Give the trick to the best card; its player leads to the next one (rules 4.1)."""
        cards = [card for _, card in self.trick]
        winner = self.trick[trick_winner(cards, self.trump)][0]
        self.tricks[winner] += 1
        self.points[winner] += sum(card_points(card, self.trump) for card in cards)
        self.trick = []
        if sum(self.tricks) == 1:
            self._score_melds()
        if sum(self.tricks) < 9:
            self._turn_to(winner)
        else:
            self.points[winner] += self.params["last_trick"]
            self._finish("played")

    def _score_melds(self) -> None:
        """Compare the melds once all have announced (rules 4.2)."""
        hands = [hand for _, hand in self._announced]
        scores = score_melds(hands, self.trump, self.params)
        for (seat, _), score in zip(self._announced, scores, strict=True):
            self.melds[seat] = score

    def _finish(self, outcome: str) -> None:
        self.phase = "over"
        self.seat = -1
        self.outcome = outcome
