"""Reference for the Danish games: Klørsjavs, its game for four, Auction Sjavs (rules 1 to 5).

Seats are 0 to n - 1 in the direction of play. The declarer plays alone against all the others.
The packs are small: a five or a ten is low in rank and worth 10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .packets import check_deck, deal_packets
from .sjavs_cards import PERMANENTS, SUITS, functional_suit

__all__ = [
    "PACKS",
    "PRESETS",
    "Deal",
    "Match",
    "Rubber",
    "beats",
    "best_card",
    "card_points",
    "chips_row",
    "legal_cards",
    "multiple",
    "ore_row",
    "trump_order",
]

Params = Mapping[str, Any]

RANKS = "AKQJT5"  # rules 1.2; no pack has both tens and fives
CARD_POINTS = {"A": 11, "T": 10, "5": 10, "K": 4, "Q": 3, "J": 2}  # rules 1.5
FIVES = tuple(rank + suit for suit in SUITS for rank in "AKQJ5")
PACKS: dict[str, tuple[str, ...]] = {
    "20 fives": FIVES,
    "18 fives": tuple(card for card in FIVES if card not in ("QH", "QD")),
    "20 tens": tuple(rank + suit for suit in SUITS for rank in "AKQJT"),
}

KLORSJAVS: dict[str, object] = {
    "players": 3,
    "pack": "20 fives",
    "deal_cut": "3-(2)-3",
    "deal_knock": "3-(2)-3",
    "trump": "clubs",
    "bids": ("play",),  # in ascending order
    "first_bid_ends": True,
    "cat_bids": ("play",),  # the bids with which the cat may be taken
    "all_pass": "redeal",
    "concede": True,
    "win_from": 61,
    "double_from": 91,
    # what each row of rules 5.1 costs the declarer or each of the others
    "values": {"no_trick": 16, "all": 16, "win_double": 8, "win": 4, "lose": 8, "concede": 8},
    "start": 60,
}

AUCTION_SJAVS: dict[str, object] = {
    "players": 3,
    "pack": "20 tens",
    "deal_cut": "3-(2)-3",
    "deal_knock": "3-(2)-3",
    "trump": "declarer",
    "bids": ("spil", "stryger", "tout", "stroget tout"),
    "first_bid_ends": False,
    "cat_bids": ("spil", "tout"),
    "all_pass": "redeal",
    "concede": False,
    "win_from": 61,
    "jan_to": 30,
    "jan_on_tout": False,
    # chips between the declarer and each of the others, before doubling or trebling
    "values": {"spil": 1, "stryger": 4, "tout": 10, "stroget tout": 15},
    "start": 0,
    "match_deals": 12,
}

PRESETS: dict[str, dict[str, object]] = {
    "klorsjavs": dict(KLORSJAVS),
    "danish_4": {
        **KLORSJAVS,
        "players": 4,
        "pack": "18 fives",
        "deal_cut": "2-(2)-2",
        "deal_knock": "2-(2)-2",
        "win_from": 58,
        "double_from": 86,
    },
    "auction_sjavs": dict(AUCTION_SJAVS),
    "auction_sjavs_clubs": {**AUCTION_SJAVS, "trump": "clubs"},
}


# Cards and tricks


def card_points(cards: Sequence[str]) -> int:
    """Add up the value of the cards (rules 1.5)."""
    return sum(CARD_POINTS[card[0]] for card in cards)


def trump_order(pack: Sequence[str], trump: str) -> list[str]:
    """List the trumps of a pack, high to low: permanent ones, then the suit (rules 1.3)."""
    named = [rank + trump for rank in RANKS if rank + trump in pack]
    return list(PERMANENTS) + [card for card in named if card not in PERMANENTS]


def beats(card: str, other: str, trump: str | None) -> bool:
    """Tell whether a card played later takes the trick from the card winning so far (rules 4.1)."""
    suit = functional_suit(card, trump)
    if suit != functional_suit(other, trump):
        return suit == "T"
    if card in PERMANENTS and other in PERMANENTS:
        return PERMANENTS.index(card) < PERMANENTS.index(other)
    if card in PERMANENTS or other in PERMANENTS:
        return card in PERMANENTS
    return RANKS.index(card[0]) < RANKS.index(other[0])


def best_card(cards: Sequence[str], trump: str | None) -> str:
    """Find the card that wins the trick so far; the first card was led (rules 4.1)."""
    best = cards[0]
    for card in cards[1:]:
        if beats(card, best, trump):
            best = card
    return best


def legal_cards(hand: Sequence[str], trick: Sequence[str], trump: str | None) -> list[str]:
    """List the cards that may be played: of the suit led if there are any (rules 4.1)."""
    if not trick:
        return list(hand)
    led = functional_suit(trick[0], trump)
    following = [card for card in hand if functional_suit(card, trump) == led]
    return following or list(hand)


# Result of a deal


def ore_row(params: Params, points: int, tricks: int) -> str:
    """Name the row of rules 5.1 for a declarer with these points and tricks."""
    if tricks == 0:
        return "no_trick"
    if points == card_points(PACKS[params["pack"]]):
        return "all"
    if points >= params["double_from"]:
        return "win_double"
    if points >= params["win_from"]:
        return "win"
    return "lose"


def chips_row(params: Params, bid: str, points: int, tricks: int, of: int) -> str:
    """Name the result of a deal of Auction Sjavs, the declarer having these tricks of all.

    Jan is a side with 30 card points or fewer (rules 5.1).
    """
    if bid.endswith("tout"):
        is_won, names = tricks == of, ("tout_made", "tout_lost")
        if not params["jan_on_tout"]:
            return names[0] if is_won else names[1]
    else:
        is_won, names = points >= params["win_from"], ("win", "lose")
    if is_won:
        beaten, beaten_tricks, name = 120 - points, of - tricks, names[0]
    else:
        beaten, beaten_tricks, name = points, tricks, names[1]
    if beaten_tricks == 0:
        return f"{name}_no_trick"
    if beaten <= params["jan_to"]:
        return f"{name}_jan"
    return name


# One deal


class Deal:
    """One deal, from the deck to its result.

    Attributes:
        hands: Cards now held by each seat.
        cat: The two cards that lie face down, empty once taken.
        laid: Cards the declarer has laid away.
        seat: The seat to act; -1 when the deal is over.
        phase: "auction", "exchange", "concede", "trump", "play" or "over".
        dealer: The seat that dealt.
        bid: The bid that stands, "" before any.
        holder: The seat whose bid stands, None before any.
        declarer: The holder once the auction is over; None if all passed.
        trump: "C" from the beginning where clubs are always trumps; else None until named.
        trick: Seat and card of each play to the current trick.
        points: Card points won by each seat in tricks.
        tricks: Tricks won by each seat.
        outcome: The result by `ore_row` or `chips_row`, or "concede", "redeal"; "" until over.

    """

    def __init__(self, params: Params, deck: Sequence[str], dealer: int, cut: bool = True) -> None:
        """Deal the deck, deck[0] first, the cat between the two packets (rules 2.2)."""
        check_deck(deck, PACKS[params["pack"]])
        self.params = params
        self.players: int = params["players"]
        self.dealer = dealer
        packets: str = params["deal_cut"] if cut else params["deal_knock"]
        self.hands, self.cat = deal_packets(deck, self.players, packets, dealer)
        self.laid: list[str] = []
        self.phase = "auction"
        self.seat = (dealer + 1) % self.players
        self.bid = ""
        self.holder: int | None = None
        self.declarer: int | None = None
        self.trump: str | None = "C" if params["trump"] == "clubs" else None
        self.trick: list[tuple[int, str]] = []
        self.points = [0] * self.players
        self.tricks = [0] * self.players
        self.outcome = ""

    @classmethod
    def from_hands(
        cls, params: Params, hands: Sequence[Sequence[str]], cat: Sequence[str], dealer: int
    ) -> Deal:
        """Start a deal with these hands, listed by seat, and this cat."""
        deck: list[str] = []
        for place in range(1, len(hands) + 1):
            deck.extend(hands[(dealer + place) % len(hands)])
        packets = f"{len(hands[0])}-(2)"
        return cls({**params, "deal_knock": packets}, [*deck, *cat], dealer, cut=False)

    def legal(self) -> list[str]:
        """List what the seat to act may do: "spil", "take cat", "lay KD", "play on", "play QC"."""
        if self.phase == "auction":
            return ["pass", *self._higher_bids()]
        if self.phase == "exchange":
            return self._legal_exchange()
        if self.phase == "concede":
            return ["play on", "give up"]
        if self.phase == "trump":
            return [f"trump {suit}" for suit in SUITS]
        if self.phase == "play":
            cards = [card for _, card in self.trick]
            playable = legal_cards(self.hands[self.seat], cards, self.trump)
            return [f"play {card}" for card in playable]
        return []

    def act(self, label: str) -> None:
        """Carry out one of the legal labels for the seat to act."""
        if label not in self.legal():
            raise ValueError(f"{label!r} is not legal, only {self.legal()}")
        if self.phase == "auction":
            self._say(label)
        elif self.phase == "exchange":
            self._exchange(label)
        elif self.phase == "concede":
            self._play_on_or_give_up(label)
        elif self.phase == "trump":
            self.trump = label.removeprefix("trump ")
            self._start_play()
        else:
            self._play(label.removeprefix("play "))

    def declarer_points(self) -> int:
        """Count tricks, cat and the cards laid away, all of them the declarer's (rules 3.3)."""
        if self.declarer is None:
            raise ValueError("there is no declarer")
        return self.points[self.declarer] + card_points(self.cat) + card_points(self.laid)

    def _higher_bids(self) -> list[str]:
        """List the bids above the one that stands; jumps are allowed (rules 3.1)."""
        bids = list(self.params["bids"])
        return bids[bids.index(self.bid) + 1 :] if self.bid else bids

    def _legal_exchange(self) -> list[str]:
        """The cat first, all or nothing; having taken it, he lays away two (rules 3.3)."""
        if self.cat:
            return ["take cat", "leave cat"]
        return [f"lay {card}" for card in self.hands[self.seat]]

    def _say(self, statement: str) -> None:
        """One round from forehand; the first "play" ends it (rules 3.1)."""
        if statement != "pass":
            self.bid = statement
            self.holder = self.seat
        ended = self.params["first_bid_ends"] and self.holder is not None
        if self.seat != self.dealer and not ended:
            self.seat = (self.seat + 1) % self.players
        elif self.holder is None:
            self._finish("redeal")
        else:
            self.seat = self.declarer = self.holder
            self._start_exchange()

    def _start_exchange(self) -> None:
        if self.bid in self.params["cat_bids"]:
            self.phase = "exchange"
        else:
            self._end_exchange()

    def _exchange(self, label: str) -> None:
        hand = self.hands[self.seat]
        if label == "leave cat":
            self._end_exchange()
        elif label == "take cat":
            hand.extend(self.cat)
            self.cat = []
        else:
            card = label.removeprefix("lay ")
            hand.remove(card)
            self.laid.append(card)
            if len(self.laid) == 2:
                self._end_exchange()

    def _end_exchange(self) -> None:
        """Giving up comes before the first lead (rules 3.4)."""
        if self.params["concede"]:
            self.phase = "concede"
        else:
            self._start_naming()

    def _play_on_or_give_up(self, label: str) -> None:
        if label == "give up":
            self._finish("concede")
        else:
            self._start_naming()

    def _start_naming(self) -> None:
        """Trumps are named after the exchange, unless they are clubs anyway (rules 3.2)."""
        if self.trump is None:
            self.phase = "trump"
        else:
            self._start_play()

    def _start_play(self) -> None:
        """Forehand leads to the first trick, whoever is the declarer (rules 2.1)."""
        self.phase = "play"
        self.seat = (self.dealer + 1) % self.players

    def _play(self, card: str) -> None:
        self.hands[self.seat].remove(card)
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
        if not any(self.hands):
            self._finish(self._result())

    def _result(self) -> str:
        if self.declarer is None:
            raise ValueError("there is no declarer")
        points, won = self.declarer_points(), self.tricks[self.declarer]
        if "match_deals" in self.params:
            return chips_row(self.params, self.bid, points, won, sum(self.tricks))
        return ore_row(self.params, points, won)

    def _finish(self, outcome: str) -> None:
        self.phase = "over"
        self.seat = -1
        self.outcome = outcome


# Game of 60 øre


class Rubber:
    """Scores and dealer over the deals of a game of Klørsjavs or the game for four (rules 5.3).

    Attributes:
        score: The balance of each seat, counted down; low is bad and may go below 0.
        dealer: Who deals next.
        deciding: Whether the deciding game is being played.
        losers: The seat that has lost the game, none before.
        over: Whether the game has been lost.

    """

    def __init__(self, params: Params, dealer: int) -> None:
        """Everybody starts with the same balance (rules 5.3)."""
        self.params = params
        self.players: int = params["players"]
        self.dealer = dealer
        self.score: list[int] = [params["start"]] * self.players
        self.deciding = False
        self.losers: list[int] = []
        self.over = False

    @property
    def unscathed(self) -> list[int]:
        """List the seats whose balance is still the one they began with (rules 5.3)."""
        return [seat for seat in range(self.players) if self.score[seat] == self.params["start"]]

    def record(self, deal: Deal) -> list[int]:
        """Enter a finished deal; give each seat's score change."""
        if self.over or deal.phase != "over" or deal.dealer != self.dealer:
            raise ValueError("only a finished deal of this dealer, in a game not yet lost")
        change = [0] * self.players
        if deal.outcome == "redeal":  # same dealer, rules 3.1
            return change
        self.dealer = (self.dealer + 1) % self.players
        for seat in self._paying_seats(deal):
            change[seat] = -self.params["values"][deal.outcome]
        before = self.score
        self.score = [before[seat] + change[seat] for seat in range(self.players)]
        self._judge(before)
        return change

    def _paying_seats(self, deal: Deal) -> list[int]:
        """The declarer pays alone, or else each of the others does (rules 5.1)."""
        if deal.declarer is None:
            raise ValueError("the deal is not over")
        if deal.outcome in ("no_trick", "lose", "concede"):
            return [deal.declarer]
        return [seat for seat in range(self.players) if seat != deal.declarer]

    def _judge(self, before: list[int]) -> None:
        """Find who has lost: who is at 0, and stood lower before the deal (rules 5.3).

        If those at 0 stood equal, all play on until a single player has the lowest balance.
        """
        if self.deciding:
            candidates, balance = list(range(self.players)), self.score
        else:
            candidates = [seat for seat in range(self.players) if self.score[seat] <= 0]
            balance = before
        if not candidates:
            return
        lowest = min(balance[seat] for seat in candidates)
        last = [seat for seat in candidates if balance[seat] == lowest]
        if len(last) == 1:
            self.losers = last
            self.over = True
        else:
            self.deciding = True


# Match of Auction Sjavs


def multiple(deal: Deal) -> int:
    """Tell how many times its value a deal of Auction Sjavs is paid (rules 5.1)."""
    if deal.declarer is None:
        raise ValueError("the deal is not over")
    if deal.bid.endswith("tout") and not deal.params["jan_on_tout"]:
        return 1
    points, tricks = deal.declarer_points(), deal.tricks[deal.declarer]
    if not deal.outcome.startswith(("lose", "tout_lost")):
        points, tricks = 120 - points, sum(deal.tricks) - tricks
    if tricks == 0:
        return 3
    return 2 if points <= deal.params["jan_to"] else 1


class Match:
    """Chips and dealer over a fixed number of deals of Auction Sjavs (rules 5.3).

    Attributes:
        score: Chips of each seat, which add up to 0.
        dealer: Who deals next.
        played: Deals played so far, not counting those in which all passed.
        over: Whether all deals of the match have been played.

    """

    def __init__(self, params: Params, dealer: int) -> None:
        """Nobody has won or lost a chip yet."""
        self.params = params
        self.players: int = params["players"]
        self.dealer = dealer
        self.score: list[int] = [params["start"]] * self.players
        self.played = 0
        self.over = False

    def record(self, deal: Deal) -> list[int]:
        """Enter a finished deal; give each seat's chips won or lost."""
        if self.over or deal.phase != "over" or deal.dealer != self.dealer:
            raise ValueError("only a finished deal of this dealer, in a match not yet over")
        change = [0] * self.players
        if deal.outcome == "redeal":  # same dealer, rules 3.1
            return change
        if deal.declarer is None:
            raise ValueError("the deal is not over")
        each = self.params["values"][deal.bid] * multiple(deal)
        if deal.outcome.startswith(("lose", "tout_lost")):
            each = -each
        for seat in range(self.players):
            change[seat] = each * (self.players - 1) if seat == deal.declarer else -each
        self.score = [self.score[seat] + change[seat] for seat in range(self.players)]
        self.dealer = (self.dealer + 1) % self.players
        self.played += 1
        self.over = self.played == self.params["match_deals"]
        return change
