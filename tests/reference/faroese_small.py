"""Reference for Faroese Sjavs with three hands and with two hands (rules 1 to 5).

Seats are 0 to n - 1 in the direction of play. The declarer plays alone against all the others
and everybody has a score of his own. The auction is that of the game for four (rules 3.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .faroese import forced_statement, free_statements, nameable_suits
from .packets import check_deck, deal_packets
from .sjavs_cards import CARD_POINTS, PACK, best_card, legal_cards

__all__ = [
    "PRESETS",
    "Deal",
    "Rubber",
    "card_points",
    "deal_tens",
    "deal_value",
    "result_row",
    "tie_pays",
    "winning_seats",
]

Params = Mapping[str, Any]

TENS = "10 (1) 10 (1) 10"
COLUMNS = "4dn-4up-8"

SMALL: dict[str, object] = {
    "min_bid": 5,
    "auction_mode": "forced",
    "better_rule": True,
    "force_clubs_on_equal": True,
    "all_pass": "redeal",
    "follow": "whist",
    # game points of each row of rules 5.1: (plain suit, clubs)
    "single_vol": (16, 24),
    "solo_counts_as_single": False,  # whether that row exists (rules 5.1)
    "vol": (12, 16),
    "win_90": (4, 8),
    "win": (2, 4),
    "lose_no_trick": (16, 16),
    "lose_30": (8, 16),
    "lose": (4, 8),
    "tie": "add_2",
    "tie_stacks": True,
    "start": 24,
    "double_at_start": True,
    "cross_rule": "standard",
}

PRESETS: dict[str, dict[str, object]] = {
    "faroese_3": {
        **SMALL,
        "players": 3,
        "deal_cut": "3-(1)-4-(1)-3",
        "deal_knock": TENS,
        "exchange": 2,  # at most so many cards are laid away for cards of the skat
    },
    "faroese_2": {
        **SMALL,
        "players": 2,
        "deal_cut": COLUMNS,
        "deal_knock": COLUMNS,
        "exchange": 0,
    },
}


# Dealing and counting


def deal_tens(deck: Sequence[str], dealer: int) -> tuple[list[list[str]], list[str]]:
    """Deal ten at once with a skat card after the first and the second player (rules 2.2)."""
    hands: list[list[str]] = [[], [], []]
    hands[(dealer + 1) % 3] = list(deck[0:10])
    hands[(dealer + 2) % 3] = list(deck[11:21])
    hands[dealer] = list(deck[22:32])
    return hands, [deck[10], deck[21]]


def card_points(cards: Sequence[str]) -> int:
    """Add up the value of the cards (rules 1.5)."""
    return sum(CARD_POINTS[card[0]] for card in cards)


def result_row(params: Params, points: int, tricks: int, of: int) -> str:
    """Name the first row of rules 5.1 that fits a declarer with so many of all the tricks.

    The row for one player who wins all tricks does not exist here, unless asked for (rules 5.1).
    """
    rows = [
        ("single_vol", tricks == of and params["solo_counts_as_single"]),
        ("vol", tricks == of),
        ("win_90", points >= 90),
        ("win", points >= 61),
        ("tie", points == 60),
        ("lose_no_trick", tricks == 0),
        ("lose_30", points <= 30),
        ("lose", points <= 59),
    ]
    for name, fits in rows:
        if fits and (name == "tie" or params[name] is not None):
            return name
    raise ValueError(f"no row for {points} points in {tricks} tricks")


# One deal


class Deal:
    """One deal, from the deck to its result.

    Attributes:
        hands: Cards each seat may now play from: with two hands, in hand or open in the row.
        up: With two hands, the open card on each of a seat's four columns, None once played.
        down: With two hands, the covered card of each column, None once turned.
        skat: With three hands, the cards that lie face down and were not taken.
        laid: Cards the declarer has laid away.
        seat: The seat to act; -1 when the deal is over.
        phase: "auction", "trump", "exchange", "play" or "over".
        dealer: The seat that dealt.
        hi: The number that stands in the auction, 0 before any.
        better: Whether "better" stands.
        holder: The seat whose statement stands, None before any.
        declarer: The holder once the auction is over; None if all passed.
        trump: The suit named, None before that.
        trick: Seat and card of each play to the current trick.
        points: Card points won by each seat in tricks.
        tricks: Tricks won by each seat.
        outcome: The row of rules 5.1 that applies, or "tie", "redeal"; "" until over.

    """

    def __init__(self, params: Params, deck: Sequence[str], dealer: int, cut: bool = True) -> None:
        """Deal the deck, deck[0] first, for a cut or for a knock (rules 2.2)."""
        check_deck(deck, PACK)
        self.params = params
        self.players: int = params["players"]
        self.dealer = dealer
        self.up: list[list[str | None]] = [[] for _ in range(self.players)]
        self.down: list[list[str | None]] = [[] for _ in range(self.players)]
        self.laid: list[str] = []
        self._deal_out(deck, params["deal_cut"] if cut else params["deal_knock"])
        self.phase = "auction"
        self.seat = (dealer + 1) % self.players
        self.hi = 0
        self.better = False
        self.holder: int | None = None
        self.declarer: int | None = None
        self.trump: str | None = None
        self.trick: list[tuple[int, str]] = []
        self.points = [0] * self.players
        self.tricks = [0] * self.players
        self.outcome = ""

    @classmethod
    def from_hands(
        cls, params: Params, hands: Sequence[Sequence[str]], skat: Sequence[str], dealer: int
    ) -> Deal:
        """Start a deal for three with these hands, listed by seat, and this skat."""
        first, second, last = [hands[(dealer + place) % 3] for place in (1, 2, 3)]
        deck = [*first, skat[0], *second, skat[1], *last]
        return cls(params, deck, dealer, cut=False)

    def legal(self) -> list[str]:
        """List what the seat to act may do: "6 better", "trump H", "lay TD", "done", "play QC"."""
        if self.phase == "auction":
            return self._legal_statements()
        if self.phase == "trump":
            hand = self.hands[self.seat]
            suits = nameable_suits(self.params, hand, self.hi, self.better)
            return [f"trump {suit}" for suit in suits]
        if self.phase == "exchange":
            return [f"lay {card}" for card in self.hands[self.seat]] + ["done"]
        if self.phase == "play":
            return [f"play {card}" for card in self._legal_plays()]
        return []

    def act(self, label: str) -> None:
        """Carry out one of the legal labels for the seat to act."""
        if label not in self.legal():
            raise ValueError(f"{label!r} is not legal, only {self.legal()}")
        if self.phase == "auction":
            self._say(label)
        elif self.phase == "trump":
            self._name(label.removeprefix("trump "))
        elif self.phase == "exchange":
            self._exchange(label)
        else:
            self._play(label.removeprefix("play "))

    def declarer_points(self) -> int:
        """Count tricks, skat and the cards laid away, all of them the declarer's (rules 3.3)."""
        if self.declarer is None:
            raise ValueError("there is no declarer")
        return self.points[self.declarer] + card_points(self.skat) + card_points(self.laid)

    def _deal_out(self, deck: Sequence[str], packets: str) -> None:
        self.skat: list[str] = []
        if packets == TENS:
            self.hands, self.skat = deal_tens(deck, self.dealer)
        elif packets == COLUMNS:
            self._deal_columns(deck)
        else:
            self.hands, self.skat = deal_packets(deck, self.players, packets, self.dealer)

    def _deal_columns(self, deck: Sequence[str]) -> None:
        """Deal four covered, four open on them, eight in hand; forehand first (rules 2.2)."""
        self.hands = [[], []]
        for place, seat in enumerate(((self.dealer + 1) % 2, self.dealer)):
            covered = deck[4 * place : 4 * place + 4]
            shown = deck[8 + 4 * place : 12 + 4 * place]
            held = deck[16 + 8 * place : 24 + 8 * place]
            self.down[seat] = list(covered)
            self.up[seat] = list(shown)
            self.hands[seat] = [*held, *shown]

    def _legal_statements(self) -> list[str]:
        hand = self.hands[self.seat]
        if self.params["auction_mode"] == "free":
            return free_statements(self.params, hand, self.hi, self.better)
        forced = forced_statement(self.params, hand, self.hi, self.better)
        if self.params["auction_mode"] == "optional_pass" and forced != "pass":
            return ["pass", forced]
        return [forced]

    def _legal_plays(self) -> list[str]:
        cards = [card for _, card in self.trick]
        return legal_cards(self.hands[self.seat], cards, self.trump, self.params["follow"])

    def _say(self, statement: str) -> None:
        """Each player speaks exactly once, the dealer last (rules 3.1)."""
        if statement != "pass":
            self.hi = int(statement.removesuffix(" better"))
            self.better = statement.endswith("better")
            self.holder = self.seat
        if self.seat != self.dealer:
            self.seat = (self.seat + 1) % self.players
        elif self.holder is not None:
            self.phase = "trump"
            self.seat = self.declarer = self.holder
        else:
            self._finish("redeal")

    def _name(self, suit: str) -> None:
        """Trumps are named before the exchange, which the game for two has not (rules 3.2, 3.3)."""
        self.trump = suit
        if self.params["exchange"]:
            self.phase = "exchange"
        else:
            self._start_play()

    def _exchange(self, label: str) -> None:
        """Lay cards away unseen, then take as many of the skat (rules 3.3)."""
        if label != "done":
            card = label.removeprefix("lay ")
            self.hands[self.seat].remove(card)
            self.laid.append(card)
        if label == "done" or len(self.laid) == self.params["exchange"]:
            self.hands[self.seat].extend(self.skat[: len(self.laid)])
            self.skat = self.skat[len(self.laid) :]
            self._start_play()

    def _start_play(self) -> None:
        """Forehand leads to the first trick, whoever named trumps (rules 2.1)."""
        self.phase = "play"
        self.seat = (self.dealer + 1) % self.players

    def _play(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.up[self.seat] = [None if shown == card else shown for shown in self.up[self.seat]]
        self.trick.append((self.seat, card))
        if len(self.trick) < self.players:
            self.seat = (self.seat + 1) % self.players
        else:
            self._end_trick()

    def _end_trick(self) -> None:
        """Give the trick to the best card; its player leads to the next one (rules 4.1)."""
        cards = [card for _, card in self.trick]
        best = best_card(cards, self.trump)
        for seat, card in self.trick:
            if card == best:
                self.seat = seat
        self.tricks[self.seat] += 1
        self.points[self.seat] += card_points(cards)
        self.trick = []
        self._turn_cards()
        if not any(self.hands):
            self._finish(self._result())

    def _turn_cards(self) -> None:
        """Turn the covered cards of which the open card has been played (rules 2.2)."""
        for seat in range(self.players):
            for column, covered in enumerate(self.down[seat]):
                if self.up[seat][column] is None and covered is not None:
                    self.up[seat][column] = covered
                    self.down[seat][column] = None
                    self.hands[seat].append(covered)

    def _result(self) -> str:
        if self.declarer is None:
            raise ValueError("there is no declarer")
        won = self.tricks[self.declarer]
        return result_row(self.params, self.declarer_points(), won, sum(self.tricks))

    def _finish(self, outcome: str) -> None:
        self.phase = "over"
        self.seat = -1
        self.outcome = outcome


# Rubber


def winning_seats(deal: Deal) -> list[int]:
    """List the seats that subtract after a finished deal: none after a tie (rules 5.1)."""
    if deal.outcome in ("tie", "redeal"):
        return []
    if deal.declarer is None:
        raise ValueError("the deal is not over")
    if deal.outcome.startswith("lose"):
        return [seat for seat in range(deal.players) if seat != deal.declarer]
    return [deal.declarer]


def deal_value(deal: Deal) -> int:
    """Give the game points of a decided deal, before any pending tie (rules 5.1)."""
    plain, clubs = deal.params[deal.outcome]
    value: int = clubs if deal.trump == "C" else plain
    return value


def tie_pays(deal: Deal, value: int, ties: int) -> int:
    """Add what the pending ties are worth to the value of a decided deal (rules 5.2)."""
    rule = deal.params["tie"]
    if rule == "double":
        return value * 2 if ties else value  # played double: several ties are one doubling
    each = 2
    if rule == "add_2_plain_4_clubs" and deal.trump == "C":
        each = 4
    if rule == "add_2_declarers_4_defenders" and deal.outcome.startswith("lose"):
        each = 4
    return value + each * ties


class Rubber:
    """Scores, pending ties, dealer and crosses over a sequence of deals (rules 5.2, 5.3).

    Attributes:
        score: What each seat has left, never shown below 0.
        ties: Pending ties; at most 1 where ties do not stack.
        dealer: Who deals next.
        crosses: What the rubber won is worth to each seat.
        over: Whether the rubber has been won.

    """

    def __init__(self, params: Params, dealer: int) -> None:
        """Everybody starts at the same score and subtracts (rules 5.3)."""
        self.params = params
        self.players: int = params["players"]
        self.dealer = dealer
        self.score: list[int] = [params["start"]] * self.players
        self.ties = 0
        self.crosses = [0] * self.players
        self.over = False

    def record(self, deal: Deal) -> list[int]:
        """Enter a finished deal; give each seat's score change, not cut short at 0."""
        if self.over or deal.phase != "over" or deal.dealer != self.dealer:
            raise ValueError("only a finished deal of this dealer, in a rubber not yet won")
        change = [0] * self.players
        if deal.outcome == "redeal":  # same dealer, pending ties kept, rules 3.1 and 5.2
            return change
        self.dealer = (self.dealer + 1) % self.players
        if deal.outcome == "tie":
            self.ties = self.ties + 1 if self.params["tie_stacks"] else 1
            return change
        for seat in winning_seats(deal):
            change[seat] = -tie_pays(deal, deal_value(deal), self.ties)
        self.ties = 0
        self._subtract(change)
        return change

    def _subtract(self, change: list[int]) -> None:
        """Of two who finish at once the lower score wins; equal scores win both (rules 5.3)."""
        left = [self.score[seat] + change[seat] for seat in range(self.players)]
        self.score = [max(0, points) for points in left]
        if min(left) <= 0:
            self._win([seat for seat in range(self.players) if left[seat] == min(left)])

    def _win(self, winners: list[int]) -> None:
        """Mark the rubber won, double while all others stand on the start (rules 5.3)."""
        self.over = True
        others = [self.score[seat] for seat in range(self.players) if seat not in winners]
        untouched = all(points == self.params["start"] for points in others)
        shutout = len(winners) == 1 and untouched
        crosses = 1
        if self.params["cross_rule"] == "shutout_only":
            crosses = 1 if shutout else 0
        elif shutout and self.params["double_at_start"]:
            crosses = 2
        for seat in winners:
            self.crosses[seat] = crosses
