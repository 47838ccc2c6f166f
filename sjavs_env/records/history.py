"""A game written down while it is played: what ``records`` stores as JSON.

``History`` notes how each deal was dealt, what was done and what came of it.  ``record`` is
the finished game with all its cards; ``so_far`` is what one seat knows of a game in progress:
its own hands and what was said and played, but neither decks nor the seed they come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sjavs_env.cards import SUITS
from sjavs_env.engine.deal import numbered_decks
from sjavs_env.engine.game import Game
from sjavs_env.engine.results.payoff import points_in
from sjavs_env.engine.state import REDEAL, GameState
from sjavs_env.errors import shown
from sjavs_env.rules.games.presets import RULE_SETS, rules_from_json, rules_to_json
from sjavs_env.rules.tables import NONE, Phase
from sjavs_env.rules.tables.meld_tables import UNIT, key_parts

__all__ = [
    "FORMAT",
    "VERSION",
    "DealLog",
    "History",
    "Record",
    "Result",
    "checked_players",
    "deal_result",
]

FORMAT = "sjavs-record"
VERSION = 1

Record = dict[str, Any]  # a JSON object
Result = dict[str, Any]  # plain ints, strings, lists and None


def deal_result(game: Game, state: GameState, number: int | None = None, row: int = 0) -> Result:
    """Describe the deal of one game that has just ended, in plain Python values.

    ``kind`` is ``"played"``, ``"redeal"`` (nobody bid) or ``"forfeit"`` (the deal was broken
    off by an illegal action).  ``card_points`` are those won in tricks.  ``side_points`` and
    ``side_tricks`` are for the side of seat 0, then the other; where one plays alone for the
    declarer, then the others, and what lies aside in the end is the declarer's.
    ``score_change`` is as in the rules: negative is subtracted from the score.  ``ties`` are
    those pending for the next deal.  ``number`` is the deal's number, None for a deck that was
    given.  Games in which seats may be out have no sides; they tell besides who took part, what
    was scored for melds, and who did what before the play.
    """
    tables, outcome = game.tables, int(state.outcome[row])
    declarer, mode, bid = (int(x[row]) for x in (state.declarer, state.mode, state.best_bid))
    if tables.seats:
        return _result_by_rank(game, state, number, row)
    is_alone = game.rules.sides == "alone"
    first = tables.result.ally[declarer if is_alone else NONE]
    points, tricks = state.points[row], state.tricks[row]
    aside = (
        points_in(tables, state.piles[:, row]).sum() if tables.deal.n_talon and outcome >= 0 else 0
    )
    return {
        "kind": {REDEAL: "redeal", NONE: "forfeit"}.get(outcome, "played"),
        "outcome": tables.result.payoff_names[outcome] if outcome >= 0 else None,
        "declarer": None if declarer == NONE else declarer,
        "trump": SUITS[mode - 1] if mode else None,
        "bid": None if bid == NONE else tables.auction.bid_labels[bid],
        "card_points": points.tolist(),
        "side_points": [int(points[first].sum() + aside), int(points[~first].sum())],
        "tricks": tricks.tolist(),
        "side_tricks": [int(tricks[first].sum()), int(tricks[~first].sum())],
        "score_change": state.change[row].tolist(),
        "score": state.score[row].tolist(),
        "ties": int(state.ties[row]),
        "crosses": state.crosses[row].tolist(),
        "dealer": int(state.dealer[row]),
        "deal_number": number,
        "rubber_over": int(state.rubber_over[row]),
    }


def _result_by_rank(game: Game, state: GameState, number: int | None, row: int) -> Result:
    outcome = int(state.outcome[row])
    seats = state.seat_state
    taker, six_by = int(seats.taker[row]), int(seats.six_by[row])
    return {
        "kind": "forfeit" if outcome == NONE else "played",
        "outcome": game.tables.result.payoff_names[outcome] if outcome >= 0 else None,
        "declarer": None,
        "trump": SUITS[int(state.mode[row]) - 1],
        "playing": seats.playing[row].tolist(),
        "swapped_six": None if six_by == NONE else six_by,
        "took_reserve": None if taker == NONE else taker,
        "card_points": state.points[row].tolist(),
        "melds": seats.melds[row].tolist(),
        "tricks": state.tricks[row].tolist(),
        "score_change": state.change[row].tolist(),
        "score": state.score[row].tolist(),
        "zeros": seats.zeros[row].tolist(),
        "crosses": state.crosses[row].tolist(),
        "dealer": int(state.dealer[row]),
        "deal_number": number,
        "rubber_over": int(state.rubber_over[row]),
    }


@dataclass
class DealLog:
    """One deal as it was played."""

    dealer: int
    cut: bool
    number: int | None  # None: the deck was given
    deck: list[int] | None  # card ids in dealing order; None: the numbered deck
    hands: list[int]  # (P,) words: the cards dealt to each seat, face up ones included
    face_up: list[list[int]]  # (P, columns) card ids: those that everybody sees
    actions: list[int] = field(default_factory=list)
    laid_by: int | None = None  # the seat that has laid cards away
    turned: int | None = None  # card turned up for trumps
    reserve: int = 0  # word: the reserve hand as dealt
    taken_by: int | None = None  # the seat that has taken it
    announced: list[int] = field(default_factory=list)  # (P,) keys of the best melds announced
    shown: list[int] = field(default_factory=list)  # (P,) words: cards that all have seen
    result: Result | None = None  # None while the deal goes on


@dataclass
class History:
    """Write one game down while it is played.

    ``open_deal`` after each deal, ``note`` after each action, and ``close_deal`` when a deal has
    ended.
    """

    game: Game
    seed: int
    start: dict[str, Any]  # score (P,), pending ties or zeros (P,) before the first deal
    deals: list[DealLog] = field(default_factory=list)

    @classmethod
    def begin(
        cls, game: Game, state: GameState, deck: Sequence[int] | None = None, row: int = 0
    ) -> History:
        """Open the history of a game that has just been dealt, from ``deck`` if it was given."""
        start = {"score": state.score[row].tolist(), "ties": int(state.ties[row])}
        if game.tables.seats:
            start["zeros"] = state.seat_state.zeros[row].tolist()
        history = cls(game, int(state.seed[row]), start)
        history.open_deal(state, deck, row)
        return history

    def open_deal(
        self, state: GameState, deck: Sequence[int] | None = None, row: int = 0
    ) -> DealLog:
        """Note how the cards were dealt; return the log that the actions go into."""
        log = DealLog(
            dealer=int(state.dealer[row]),
            cut=bool(state.cut[row]),
            number=int(state.number[row]) if deck is None else None,
            deck=None if deck is None else [int(card) for card in deck],
            hands=state.dealt[row].tolist(),
            face_up=state.face_up[row].tolist(),
        )
        if self.game.tables.seats:
            log.turned, log.reserve = int(state.seat_state.turned[row]), int(state.talon[row])
        self.deals.append(log)
        return log

    def close_deal(self, state: GameState, row: int = 0) -> Result:
        """Note the result of the deal that has just ended, and return it."""
        log = self.deals[-1]
        log.result = deal_result(self.game, state, log.number, row)
        return log.result

    def note(self, action: int, seat: int, after: GameState | None = None, row: int = 0) -> None:
        """Note what a seat did; the state after it, if given, tells what all have seen then.

        Only ``so_far`` asks for that, in games in which melds are announced.
        """
        log = self.deals[-1]
        log.actions.append(action)
        if action >= self.game.actions.n_cards:  # a card played hides nothing
            self._note_secret(log, action, seat)
        if after is not None and self.game.tables.seats:
            seats = after.seat_state
            log.announced, log.shown = seats.announced[row].tolist(), seats.known[row].tolist()

    def _note_secret(self, log: DealLog, action: int, seat: int) -> None:
        """Note who has laid cards away or taken the reserve: what others are not told of."""
        lays = self.game.actions.slices.get(Phase.LAY)
        if lays is not None and lays.start <= action < lays.stop:
            log.laid_by = seat
        takes = self.game.actions.slices.get(Phase.RESERVE)
        if takes is not None and action == takes.start:
            log.taken_by = seat

    def record(self, players: Sequence[str] = ()) -> Record:
        """Return the finished record.  ValueError while a deal goes on or for wrong names."""
        if not self.deals or self.deals[-1].result is None:
            raise ValueError("the deal goes on; a record shows all cards and waits for its end")
        record: Record = {"format": FORMAT, "version": VERSION, "rules": _rules_json(self.game)}
        record |= {"seed": self.seed, "start": self.start}
        if players:
            record["players"] = checked_players(list(players), self.game)
        record["deals"] = [self._deal_json(log) for log in self.deals]
        return deepcopy(record)

    def _deal_json(self, log: DealLog) -> dict[str, Any]:
        game, deck = self.game, log.deck
        if deck is None:
            deck = numbered_decks(len(game.pack), self.seed, log.number or 0)[0].tolist()
        return {
            "deal_number": log.number,
            "deck": " ".join(game.pack.cards[card] for card in deck),
            "dealer": log.dealer,
            "cut": log.cut,
            "actions": [game.actions.labels[action] for action in log.actions],
            "result": log.result,
        }

    def so_far(self, seat: int) -> Record:
        """Return what ``seat`` knows of the game: own hands, actions, results; no other card."""
        game = self.game
        if seat not in range(game.tables.n_players):
            raise ValueError(f"seat is {shown(seat)}; allowed: 0 to {game.tables.n_players - 1}")
        so_far = {
            "format": f"{FORMAT}-so-far",
            "version": VERSION,
            "rules": _rules_json(game),
            "seat": seat,
            "start": self.start,
            "deals": [self._known(log, seat) for log in self.deals],
        }
        return deepcopy(so_far)

    def _known(self, log: DealLog, seat: int) -> dict[str, Any]:
        """What a seat knows of a deal: neither the others' cards nor what they laid away."""
        game = self.game
        labels = [game.actions.labels[action] for action in log.actions]
        if log.laid_by not in (None, seat):
            labels = ["lay ?" if label.startswith("lay ") else label for label in labels]
        known: dict[str, Any] = {
            "hand": " ".join(game.pack.names(log.hands[seat])),
            "dealer": log.dealer,
            "cut": log.cut,
            "actions": labels,
            "result": log.result and {**log.result, "deal_number": None},
        }
        if game.tables.deal.n_columns:
            known["face_up"] = [
                " ".join(game.pack.cards[card] for card in cards) for cards in log.face_up
            ]
        if log.turned is not None:
            known["turned"] = game.pack.cards[log.turned]
            known["reserve"] = (
                " ".join(game.pack.names(log.reserve)) if log.taken_by == seat else None
            )
            known["announced"] = [_told(game, key) for key in log.announced]
            known["shown"] = [" ".join(game.pack.names(cards)) for cards in log.shown]
        return known


def _told(game: Game, key: int) -> dict[str, Any] | None:
    """What a seat has said of its best meld, None for nothing."""
    if not key:
        return None
    tens, cards, top, is_trump = (int(part) for part in key_parts(np.array(key)))
    rank = game.rules.cards.ranks[-top] if top else None
    return {"points": tens * UNIT, "cards": cards, "top": rank, "trumps": bool(is_trump)}


def _rules_json(game: Game) -> dict[str, Any]:
    rules = game.rules
    if rules.name in RULE_SETS:
        written = rules_to_json(rules)
        if rules_from_json(written) == rules:
            return written
    raise ValueError(
        f"rules {shown(rules.name)} are neither a preset nor one with overrides; "
        "a record could not name them"
    )


def checked_players(players: object, game: Game) -> list[str]:
    """Return the names of the players, one for each seat; ValueError if they are not that."""
    n_players = game.tables.n_players
    is_list = isinstance(players, list) and len(players) == n_players
    if not is_list or not all(isinstance(name, str) for name in players):  # type: ignore[attr-defined]  # is_list proves it
        raise ValueError(f"players is {shown(players)}; allowed: {n_players} names")
    return list(players)  # type: ignore[call-overload]  # checked above
