"""Reference for Faroese Sjavs, four hands, partners (rules 1 to 5).

Seats are 0 to 3 in the direction of play and seat + 2 is the partner. Everything is looked up
the way a player at the table would do it, card by card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .sjavs_cards import CARD_POINTS, PACK, SUITS, best_card, legal_cards, suit_length

__all__ = [
    "PRESETS",
    "Deal",
    "Rubber",
    "deal_out",
    "deal_value",
    "forced_statement",
    "free_statements",
    "nameable_suits",
    "result_row",
    "tie_pays",
    "winning_seats",
]

Params = Mapping[str, Any]

FAROESE: dict[str, object] = {
    "deal_cut": "4-4",
    "deal_knock": "8",
    "min_bid": 5,
    "auction_mode": "forced",
    "better_rule": True,
    "force_clubs_on_equal": True,
    "all_pass": "redeal",
    "follow": "whist",
    # game points of each row of rules 5.1: (plain suit, clubs); None where there is no such row
    "single_vol": (16, 24),
    "vol": (12, 16),
    "win_90": (4, 8),
    "win": (2, 4),
    "lose_no_trick": (16, 16),
    "lose_30": (8, 16),
    "lose": (4, 8),
    "no_bid_value": 4,
    "tie": "add_2",
    "tie_stacks": True,
    "start": 24,
    "double_at_start": True,
    "cross_rule": "standard",
}

PRESETS: dict[str, dict[str, object]] = {
    "faroese": dict(FAROESE),
    "faroese_smith": {**FAROESE, "tie": "double", "tie_stacks": False},
    "faroese_wiki": {
        **FAROESE,
        "all_pass": "play_permanents",
        "lose_no_trick": None,
        "lose_30": None,
        "tie": "add_2_plain_4_clubs",
    },
    "suduroy": {
        **FAROESE,
        "deal_cut": "3-2-3",
        "single_vol": None,
        "tie": "add_2_declarers_4_defenders",
        "double_at_start": False,
    },
    "faroese_free": {**FAROESE, "auction_mode": "free", "force_clubs_on_equal": False},
}


# Dealing and auction


def deal_out(deck: Sequence[str], packets: str, dealer: int) -> list[list[str]]:
    """Deal the pack in packets such as "4-4", forehand first and dealer last (rules 2.2)."""
    rest = list(deck)
    hands: list[list[str]] = [[], [], [], []]
    for size in packets.split("-"):
        for place in (1, 2, 3, 4):
            packet, rest = rest[: int(size)], rest[int(size) :]
            hands[(dealer + place) % 4].extend(packet)
    return hands


def forced_statement(params: Params, hand: Sequence[str], hi: int, better: bool) -> str:
    """Say what the hand obliges its player to say; hi is 0 before any number (rules 3.1)."""
    longest = max(suit_length(hand, suit) for suit in SUITS)
    if longest < params["min_bid"]:
        return "pass"
    if longest > hi:
        return str(longest)
    equal_clubs = longest == hi and suit_length(hand, "C") == longest
    if params["better_rule"] and equal_clubs and not better:
        return f"{longest} better"
    return "pass"


def free_statements(params: Params, hand: Sequence[str], hi: int, better: bool) -> list[str]:
    """List what may be said in the free auction (rules 3.1)."""
    longest = max(suit_length(hand, suit) for suit in SUITS)
    said = ["pass"]
    if params["better_rule"] and hi > 0 and not better and suit_length(hand, "C") >= hi:
        said.append(f"{hi} better")
    lowest = max(params["min_bid"], hi + 1)
    return said + [str(number) for number in range(lowest, longest + 1)]


def nameable_suits(params: Params, hand: Sequence[str], hi: int, better: bool) -> list[str]:
    """List the suits that the winner of the auction may name (rules 3.2)."""
    if better:
        return ["C"]
    if params["auction_mode"] == "free":
        suits = [suit for suit in SUITS if suit_length(hand, suit) >= hi]
    else:
        suits = [suit for suit in SUITS if suit_length(hand, suit) == hi]
    if params["force_clubs_on_equal"] and "C" in suits:
        return ["C"]
    return suits


# Result of a deal


def partner(seat: int) -> int:
    """Give the seat opposite (rules 1.1)."""
    return (seat + 2) % 4


def team_total(per_seat: Sequence[int], seat: int) -> int:
    """Add a player's points or tricks to his partner's (rules 1.1)."""
    return per_seat[seat] + per_seat[partner(seat)]


def result_row(params: Params, points: int, tricks: int, single: bool) -> str:
    """Name the first row of rules 5.1 that fits the declarers and that the preset has.

    The points and tricks are those of the team that named trumps; single tells whether one
    player of that team won all of its tricks.
    """
    if points == 60:
        return "tie"
    rows = [
        ("single_vol", tricks == 8 and single),
        ("vol", tricks == 8),
        ("win_90", points >= 90),
        ("win", points >= 61),
        ("lose_no_trick", tricks == 0),
        ("lose_30", points <= 30),
        ("lose", points <= 59),
    ]
    for name, fits in rows:
        if fits and params[name] is not None:
            return name
    raise ValueError(f"no row for {points} points in {tricks} tricks")


class Deal:
    """One deal, from the deck to its result.

    Attributes:
        hands: Cards now held by each seat.
        seat: The seat to act; -1 when the deal is over.
        phase: "auction", "trump", "play" or "over".
        dealer: The seat that dealt.
        hi: The number that stands in the auction, 0 before any.
        better: Whether "better" stands.
        holder: The seat whose statement stands, None before any.
        declarer: The holder once the auction is over; None if all passed.
        trump: The suit named; None before that and when only the permanent trumps are trumps.
        trick: Seat and card of each play to the current trick.
        points: Card points won by each seat.
        tricks: Tricks won by each seat.
        outcome: The row of rules 5.1 that applies, or "tie", "no_bid", "redeal"; "" until over.

    """

    def __init__(self, params: Params, deck: Sequence[str], dealer: int, cut: bool = True) -> None:
        """Deal the deck, deck[0] first, in the packets for a cut or for a knock (rules 2.2)."""
        if sorted(deck) != sorted(PACK):
            raise ValueError("a deck is the 32 cards, each of them once")
        self.params = params
        self.dealer = dealer
        packets: str = params["deal_cut"] if cut else params["deal_knock"]
        self.hands = deal_out(deck, packets, dealer)
        self.phase = "auction"
        self.seat = (dealer + 1) % 4
        self.hi = 0
        self.better = False
        self.holder: int | None = None
        self.declarer: int | None = None
        self.trump: str | None = None
        self.trick: list[tuple[int, str]] = []
        self.points = [0, 0, 0, 0]
        self.tricks = [0, 0, 0, 0]
        self.outcome = ""

    @classmethod
    def from_hands(cls, params: Params, hands: Sequence[Sequence[str]], dealer: int) -> Deal:
        """Start a deal with these hands, listed by seat."""
        deck: list[str] = []
        for place in (1, 2, 3, 4):
            deck.extend(hands[(dealer + place) % 4])
        return cls({**params, "deal_knock": "8"}, deck, dealer, cut=False)

    def legal(self) -> list[str]:
        """List what the seat to act may do: "pass", "5", "6 better", "trump H", "play QC"."""
        if self.phase == "auction":
            return self._legal_statements()
        if self.phase == "trump":
            hand = self.hands[self.seat]
            suits = nameable_suits(self.params, hand, self.hi, self.better)
            return [f"trump {suit}" for suit in suits]
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
            self.trump = label.removeprefix("trump ")
            self._start_play()
        else:
            self._play(label.removeprefix("play "))

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
            self.seat = (self.seat + 1) % 4
        elif self.holder is not None:
            self.phase = "trump"
            self.seat = self.declarer = self.holder
        elif self.params["all_pass"] == "play_permanents":
            self._start_play()
        else:
            self._finish("redeal")

    def _start_play(self) -> None:
        """Forehand leads to the first trick, whoever named trumps (rules 2.1)."""
        self.phase = "play"
        self.seat = (self.dealer + 1) % 4

    def _play(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.trick.append((self.seat, card))
        if len(self.trick) < 4:
            self.seat = (self.seat + 1) % 4
        else:
            self._end_trick()

    def _end_trick(self) -> None:
        """Give the trick to the best card; its player leads to the next one (rules 4.1)."""
        best = best_card([card for _, card in self.trick], self.trump)
        for seat, card in self.trick:
            if card == best:
                self.seat = seat
        self.tricks[self.seat] += 1
        self.points[self.seat] += sum(CARD_POINTS[card[0]] for _, card in self.trick)
        self.trick = []
        if sum(self.tricks) == 8:
            self._finish(self._result())

    def _result(self) -> str:
        if self.declarer is None:  # only the permanent trumps were trumps, rules 3.1
            return "tie" if team_total(self.points, 0) == 60 else "no_bid"
        tricks = team_total(self.tricks, self.declarer)
        single = tricks in (self.tricks[self.declarer], self.tricks[partner(self.declarer)])
        return result_row(self.params, team_total(self.points, self.declarer), tricks, single)

    def _finish(self, outcome: str) -> None:
        self.phase = "over"
        self.seat = -1
        self.outcome = outcome


# Rubber


def winning_seats(deal: Deal) -> list[int]:
    """List the seats that subtract after a finished deal: none after a tie (rules 5.1)."""
    if deal.outcome in ("tie", "redeal"):
        return []
    if deal.outcome == "no_bid":
        return [seat for seat in range(4) if team_total(deal.points, seat) >= 61]
    if deal.declarer is None:
        raise ValueError("the deal is not over")
    declarers = [deal.declarer, partner(deal.declarer)]
    if deal.outcome.startswith("lose"):
        return [seat for seat in range(4) if seat not in declarers]
    return sorted(declarers)


def deal_value(deal: Deal) -> int:
    """Give the game points of a decided deal, before any pending tie (rules 5.1)."""
    if deal.outcome == "no_bid":
        no_bid: int = deal.params["no_bid_value"]
        return no_bid
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
        score: What each seat has left, partners equal, never shown below 0.
        ties: Pending ties; at most 1 where ties do not stack.
        dealer: Who deals next.
        crosses: What the rubber won is worth to each seat.
        over: Whether the rubber has been won.

    """

    def __init__(self, params: Params, dealer: int) -> None:
        """Both sides start at the same score and subtract (rules 5.3)."""
        self.params = params
        self.dealer = dealer
        self.score: list[int] = [params["start"]] * 4
        self.ties = 0
        self.crosses = [0, 0, 0, 0]
        self.over = False

    def record(self, deal: Deal) -> list[int]:
        """Enter a finished deal; give each seat's score change, not cut short at 0."""
        if self.over or deal.phase != "over" or deal.dealer != self.dealer:
            raise ValueError("only a finished deal of this dealer, in a rubber not yet won")
        change = [0, 0, 0, 0]
        if deal.outcome == "redeal":  # same dealer, pending ties kept, rules 3.1 and 5.2
            return change
        self.dealer = (self.dealer + 1) % 4
        if deal.outcome == "tie":
            self.ties = self.ties + 1 if self.params["tie_stacks"] else 1
            return change
        winners = winning_seats(deal)
        for seat in winners:
            change[seat] = -tie_pays(deal, deal_value(deal), self.ties)
            self.score[seat] = max(0, self.score[seat] + change[seat])
        self.ties = 0
        if self.score[winners[0]] == 0:
            self._win(winners)
        return change

    def _win(self, winners: list[int]) -> None:
        """Mark the rubber won, double while the losers still stand on the start (rules 5.3)."""
        self.over = True
        losers = [seat for seat in range(4) if seat not in winners]
        shutout = self.score[losers[0]] == self.params["start"]
        crosses = 1
        if self.params["cross_rule"] == "shutout_only":
            crosses = 1 if shutout else 0
        elif shutout and self.params["double_at_start"]:
            crosses = 2
        for seat in winners:
            self.crosses[seat] = crosses
