"""The table as text: what one seat sees, or everything with the cards face up.

The picture is drawn from a ``PlayerView``, so it can show no more than the seat may know; the
other hands have to be handed over for the open table.  The viewer sits at the bottom and play
goes round in the direction of the game.  A star marks the card that is winning, or won, the
trick; ``?`` stands for the seat that is to act, ``.`` for seats that have not acted yet.
"""

from __future__ import annotations

from dataclasses import dataclass

from sjavs_env.cards import SUIT_NAMES, SUIT_SYMBOLS, SUITS
from sjavs_env.engine.game import Game
from sjavs_env.observation.views import PlayerView, SeatView
from sjavs_env.records.history import Result
from sjavs_env.rules.tables import NONE, TRUMP, Phase, Words
from sjavs_env.rules.tables.meld_tables import UNIT, key_parts

__all__ = ["render_table"]

# what the seat to act is to do
_TO_DO = {
    Phase.AUCTION: "speak",
    Phase.NAME_TRUMP: "name trumps",
    Phase.PLAY: "play",
    Phase.TAKE: "take the talon or leave it",
    Phase.LAY: "lay cards away",
    Phase.CONCEDE: "play on or give up",
    Phase.SIX: "swap the six or keep it",
    Phase.RESERVE: "take the reserve or keep their hand",
    Phase.STAY: "stay or drop out",
}
_MIDDLE, _SIDE, _GAP = 24, 4, 34  # columns of the top and bottom seat, of the left, of the right


def render_table(
    game: Game,
    view: PlayerView,
    *,
    others: Words | None = None,
    show_hand: bool = True,
    plain: bool = False,
    result: Result | None = None,
) -> str:
    """Return the table as text, lines joined by newlines, without one at the end.

    ``view`` is of one game; ``others`` (1, P - 1) are the hidden hands, for an open table;
    ``show_hand=False`` leaves out the viewer's cards; ``plain`` writes suits as letters and
    nothing but ASCII; ``result`` is the deal before, or this one when it is over.
    """
    return "\n".join(_Picture(game, view, plain).lines(others, show_hand, result))


@dataclass(frozen=True)
class _Picture:
    game: Game
    view: PlayerView
    plain: bool

    def lines(self, others: Words | None, show_hand: bool, result: Result | None) -> list[str]:
        lines = [self._headline(), "", *self._around_the_table(), ""]
        seats = self.view.seats
        said = [self._auction(), *self._talon()] if seats is None else self._before_play(seats)
        lines += [*said, *self._last_trick(), *self._standings()]
        if result is not None:
            lines.append(self._result(result))
        lines += self._face_up()
        if show_hand:
            lines += self._own_cards()
        n_others = self.game.tables.n_players - 1
        hands = [] if others is None else others[0, :n_others].tolist()
        lines += [self._hand(place, hand) for place, hand in enumerate(hands, start=1)]
        lines.append(self._whose_turn())
        return lines

    # words

    def _number(self, name: str) -> int:
        return int(getattr(self.view, name)[0])

    def _seat(self, place: int) -> str:
        """Name a seat by its place from the viewer."""
        return f"seat {self._at(place)}"

    def _at(self, place: int) -> int:
        return (self._number("seat") + place) % self.game.tables.n_players

    def _places(self) -> list[int]:
        """Places from the viewer, in the order of the seats at the table."""
        n = self.game.tables.n_players
        return [(seat - self._number("seat")) % n for seat in range(n)]

    def _card(self, card: int) -> str:
        name = self.game.pack.cards[card]
        return name if self.plain else name[0] + SUIT_SYMBOLS[name[1]]

    def _suit(self, letter: str) -> str:
        return SUIT_NAMES[letter] if self.plain else SUIT_SYMBOLS[letter]

    def _call(self, place: int) -> str:
        """What a seat has said, "" if nothing."""
        call = int(self.view.calls[0, place])
        return ("", "pass", *self.game.tables.auction.bid_labels)[call]

    # lines

    def _headline(self) -> str:
        words = [self.game.rules.name, f"dealer {self._seat(self._number('dealer'))}"]
        mode, phase = self._mode(), self._number("phase")
        declarer, is_fixed = self._number("declarer"), self.game.tables.course.fixed_mode > 0
        bid = "" if declarer == NONE else self._call(declarer)
        is_named = mode > 0 and bid != "" and not is_fixed
        if mode:
            by = f", named by {self._seat(declarer)} ({bid})" if is_named else self._turned_up()
            words.append(f"trumps {self._suit(SUITS[mode - 1])}{by}")
        if bid and is_fixed and phase != Phase.AUCTION:
            words.append(f"declarer {self._seat(declarer)} ({bid})")
        elif bid and not is_named:
            words.append(f"best bid {bid} by {self._seat(declarer)}")
        if phase == Phase.PLAY:
            if not mode:
                words.append("permanent trumps only")
            words.append(f"trick {self._number('trick_number') + 1} of {self.game.tables.n_tricks}")
        return " | ".join(words)

    def _mode(self) -> int:
        """The trump mode, known from the start where the trump suit is always the same."""
        return self._number("mode") or self.game.tables.course.fixed_mode

    def _turned_up(self) -> str:
        """The card turned up for trumps, until the lowest trump lies in its place."""
        seats = self.view.seats
        if seats is None or int(seats.six_by[0]) != NONE:
            return ""
        return f", {self._card(int(seats.turned[0]))} turned up"

    def _around_the_table(self) -> list[str]:
        """Draw the seats round from the viewer at the bottom, each with card or call."""
        n = self.game.tables.n_players
        left, top, right = {2: (NONE, 1, NONE), 3: (1, NONE, 2)}.get(n, (1, 2, 3))
        if self.game.rules.direction == "anticlockwise":
            left, right = right, left
        lines = []
        if top != NONE:
            lines += self._centred(top)
        if left != NONE:
            for a, b in zip(self._place(left), self._place(right), strict=True):
                lines.append(f"{'':{_SIDE}}{a:<{_GAP}}{b}".rstrip())
        return lines + self._centred(0)

    def _centred(self, place: int) -> list[str]:
        return [f"{'':{_MIDDLE}}{text}".rstrip() for text in self._place(place)]

    def _place(self, place: int) -> tuple[str, str]:
        """The name of a seat, and its card in the trick or its call."""
        phase, waiting = self._number("phase"), "."
        if phase != Phase.OVER and self._number("to_act") == place:
            waiting = "?"
        if phase not in (Phase.PLAY, Phase.OVER):
            said = self._call(place)
            return self._seat(
                place
            ), said if waiting == "." and said else f"{said} {waiting}".strip()
        card = int(self.view.trick[0, place])
        if card == NONE:
            return self._seat(place), waiting
        star = "*" if self._number("winner") == place else ""
        return self._seat(place), self._card(card) + star

    def _auction(self) -> str:
        n, dealer = self.game.tables.n_players, self._number("dealer")
        spoke = [(dealer + i) % n for i in range(1, n + 1)]  # forehand first, the dealer last
        said = [f"{self._seat(p)} {self._call(p)}" for p in spoke if self._call(p)]
        return "auction: " + (", ".join(said) or "nobody has spoken")

    def _talon(self) -> list[str]:
        """Whether the declarer has taken cards from the talon, once that is settled."""
        n_taken, n_talon = self._number("taken"), self.game.tables.deal.n_talon
        pending = {Phase.AUCTION, Phase.TAKE, Phase.LAY}
        if not self.game.rules.names_after_exchange:
            pending.add(Phase.NAME_TRUMP)
        declarer = self._number("declarer")
        has_bid = declarer != NONE and self._call(declarer) != ""  # before the first deal none has
        is_settled = n_taken > 0 or self._number("phase") not in pending
        if not n_talon or not has_bid or not is_settled:
            return []
        return [f"talon: {n_taken} of {n_talon} cards taken"]

    def _before_play(self, seats: SeatView) -> list[str]:
        """Who plays, what happened to the six and the reserve, what was announced."""
        lines = []
        for words, state in (
            ("out of the match", seats.active),
            ("not in this deal", seats.playing),
        ):
            out = [p for p in self._places() if not state[0, p]]
            if words.startswith("not"):
                out = [p for p in out if seats.active[0, p]]
            if out:
                lines.append(f"{words}: " + ", ".join(map(self._seat, out)))
        lines += self._exchanged(seats)
        told = [f"{self._seat(p)} {text}" for p in self._places() if (text := self._told(seats, p))]
        lines += ["melds: " + ", ".join(told)] if told else []
        for p in self._places():
            if p and seats.known[0, p]:
                lines.append(f"{self._seat(p)} shows {self._cards(int(seats.known[0, p]))}")
        return lines

    def _exchanged(self, seats: SeatView) -> list[str]:
        """What happened to the six and the reserve, and what lies where nobody holds it."""
        low, turned = int(self.game.tables.cards.low_trump[self._mode()]), int(seats.turned[0])
        six_by, taker, lines = int(seats.six_by[0]), int(seats.taker[0]), []
        if six_by != NONE:
            swap = f"{self._cards(low)} swapped for {self._card(turned)}"
            lines.append(f"{swap} by {self._seat(six_by)}")
        if taker != NONE:
            lines.append(f"reserve taken by {self._seat(taker)}")
        nowhere = int(seats.out[0])
        lies = nowhere & (int(self.game.tables.cards.bit[turned]) if six_by == NONE else low)
        for words, cards in (("on the table", lies), ("given for the reserve", nowhere & ~lies)):
            lines += [f"{words}: {self._cards(cards)}"] if cards else []
        return lines

    def _told(self, seats: SeatView, place: int) -> str:
        """What a seat has announced and scored for melds, "" if nothing."""
        tens, cards, top, is_trump = (int(x[0, place]) for x in key_parts(seats.announced))
        words = [f"{tens * UNIT} with {cards} cards"] if tens else []
        words += [f"from the {self.game.rules.cards.ranks[-top]}"] if top else []
        words += ["of trumps"] if is_trump else []
        scored = int(seats.melds[0, place])
        return " ".join(words) + (f" ({scored} scored)" if scored else "")

    def _last_trick(self) -> list[str]:
        """The trick before this one, if any: its winner leads now."""
        number, view = self._number("trick_number"), self.view
        if not number:
            return []
        fell = [c for c, trick in enumerate(view.fell[0].tolist()) if trick == number]
        played = {p: c for p in self._places() for c in fell if int(view.played[0, p]) >> c & 1}
        stars = {self._number("leader"): "*"}
        cards = [f"{self._seat(p)} {self._card(c)}{stars.get(p, '')}" for p, c in played.items()]
        return ["last trick: " + ", ".join(cards)]

    def _standings(self) -> list[str]:
        view = self.view
        sides = self._sides()
        points = []
        for name, side in sides.items():
            taken, tricks = int(view.points[0, side].sum()), int(view.tricks[0, side].sum())
            points.append(f"{name} {taken} in {tricks} {'trick' if tricks == 1 else 'tricks'}")
        score = [f"{name} {int(view.score[0, side[0]])}" for name, side in sides.items()]
        ties = self._number("ties")
        if view.seats is not None and view.seats.zeros.any():
            zeros = [f"{name} {int(view.seats.zeros[0, side[0]])}" for name, side in sides.items()]
            score[-1] += " | zeros: " + ", ".join(zeros)
        pending = f" | tied deals pending {ties}" if ties else ""
        return ["points: " + ", ".join(points), "score: " + ", ".join(score) + pending]

    def _sides(self) -> dict[str, list[int]]:
        """The sides by name, seat 0's first, as places from the viewer."""
        if self.game.rules.sides == "alone":
            return {self._seat(p): [p] for p in self._places()}
        with_seat_0 = self.game.tables.result.ally[NONE].tolist()
        sides = {}
        for wanted in (True, False):
            places = [p for p in self._places() if with_seat_0[self._at(p)] == wanted]
            sides["seats " + "+".join(str(self._at(p)) for p in places)] = places
        return sides

    def _hand(self, place: int, hand: int) -> str:
        """The cards of a hand, strongest first: trumps, then suit by suit."""
        tables, mode = self.game.tables, self._mode()
        held = [c for c in reversed(tables.slots.card_at[2 * mode].tolist()) if hand >> c & 1]
        class_of = tables.cards.class_of[mode]
        suits = [[self._card(c) for c in held if class_of[c] == k] for k in (TRUMP, *range(TRUMP))]
        return f"{self._seat(place)}: " + " | ".join(" ".join(suit) for suit in suits if suit)

    def _own_cards(self) -> list[str]:
        """The viewer's hand, and the cards they have laid away."""
        laid = int(self.view.laid[0])
        away = [f"laid away: {self._cards(laid)}"] if laid else []
        if self.view.seats is not None and self.view.seats.aside[0]:
            away.append(f"put aside: {self._cards(int(self.view.seats.aside[0]))}")
        return [self._hand(0, int(self.view.hand[0])), *away]

    def _face_up(self) -> list[str]:
        """The cards that lie open in front of each seat."""
        return [
            f"face up at {self._seat(place)}: {self._cards(cards)}"
            for place, cards in enumerate(self.view.open[0].tolist())
            if cards
        ]

    def _cards(self, cards: int) -> str:
        return " ".join(
            self._card(self.game.pack.ids[name]) for name in self.game.pack.names(cards)
        )

    def _result(self, result: Result) -> str:
        words = result["outcome"] or result["kind"]
        if result["trump"]:
            words += f", trumps {self._suit(result['trump'])}"
            if result["declarer"] is not None:
                by = ", declarer" if self.game.tables.course.fixed_mode else " by"
                words += f"{by} seat {result['declarer']}"
        change = " ".join(str(x) for x in result["score_change"])
        return f"last deal: {words}, score change {change}"

    def _whose_turn(self) -> str:
        phase = self._number("phase")
        if phase == Phase.OVER:
            return "the deal is over"
        return f"{self._seat(self._number('to_act'))} is to {_TO_DO[Phase(phase)]}"
